/* What the help says: short topics in plain words, a table. No widgets. Main thread (gettext). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
    RF_HELP_GENERAL,
    RF_HELP_GRAPHS, /* one topic a card of the monitor, with the id of the card */
    RF_N_HELP_GROUPS,
} RfHelpGroup;

/** RfHelpTopic: static, see rf_help_topics_get() */
typedef struct _RfHelpTopic RfHelpTopic;

guint rf_help_topics_count (void);
const RfHelpTopic *rf_help_topics_get (guint index);
/** rf_help_topics_find: @id: "trial", "free"; Returns: (nullable) */
const RfHelpTopic *rf_help_topics_find (const char *id);
/** rf_help_topics_for_page: Returns: the topic that a person on the page called @page most likely looks for */
const RfHelpTopic *rf_help_topics_for_page (const char *page);

const char *rf_help_group_title (RfHelpGroup group);
const char *rf_help_topic_id (const RfHelpTopic *topic);
RfHelpGroup rf_help_topic_group (const RfHelpTopic *topic);
const char *rf_help_topic_title (const RfHelpTopic *topic);
guint rf_help_topic_count_parts (const RfHelpTopic *topic);
/** rf_help_topic_part: @heading: (out) (transfer none) (nullable); Returns: a paragraph or several, parted by an empty
 * line, translated */
const char *rf_help_topic_part (const RfHelpTopic *topic, guint index, const char **heading);

G_END_DECLS
