#define G_LOG_DOMAIN "rf-history-ask"
#include "config.h"

#include "rf-history-ask.h"

#include "rf-tunable-text.h"

#include <glib/gi18n.h>

void
rf_history_ask (GtkWindow *parent, const RfRecordEntry *entry, const RfValue *now, const RfFacts *facts,
                RfQuestionFunc callback, gpointer data)
{
    g_return_if_fail (entry != NULL && callback != NULL);
    g_autofree char *title = rf_setting_title (entry->tunable, entry->instance, facts);
    g_autofree char *before = rf_value_text (entry->tunable, &entry->before);
    g_autofree char *found = now != NULL ? rf_value_text (entry->tunable, now) : g_strdup (_ ("not known"));
    /* TRANSLATORS: %1$s and %2$s are values of a setting: "60", "256 MiB" */
    g_autofree char *words = g_strdup_printf (_ ("Somebody else has set it to %1$s. Before Ruckelfrei it was %2$s. Bringing "
                                                 "that back overwrites the other value now, though what sets it may do so "
                                                 "again."),
                                              found, before);
    /* TRANSLATORS: %s is a value of a setting */
    g_autofree char *leave = g_strdup_printf (_ ("Leave it at %s"), found);
    /* TRANSLATORS: %s is a value of a setting */
    g_autofree char *bring = g_strdup_printf (_ ("Bring back %s"), before);
    GtkWindow *question = rf_question_new (parent, _ ("Which value shall be used?"), title, words, callback, data);
    rf_question_add_answer (question, leave, FALSE, NULL);
    rf_question_add_answer (question, bring, FALSE, "rf-quiet-danger");
    gtk_window_present (question);
}
