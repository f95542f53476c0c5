/* The last messages that the program has logged, for a report: whoever starts it from a menu sees none of them. Any thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define RF_RECENT_MESSAGES 20

/** rf_recent_messages_install: from now on messages and warnings are remembered, and logged as ever. Once, at the start. */
void rf_recent_messages_install (void);
/** rf_recent_messages_get: Returns: (transfer full): the last RF_RECENT_MESSAGES, oldest first, NULL-terminated */
char **rf_recent_messages_get (void);

G_END_DECLS
