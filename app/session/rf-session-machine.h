/* What session.ini says about the machine and its settings: enough to tell whether two recordings can be compared, and
 * nothing that names the machine or its owner (no serial number, no host name). Reads some files; thread-safe. */
#pragma once

#include "rf-facts.h"
#include "rf-session-info.h"

G_BEGIN_DECLS

/** rf_session_info_take_machine: fills @self->machine */
void rf_session_info_take_machine (RfSessionInfo *self, const RfFacts *facts);

/** rf_session_settings: Returns: (transfer full) (element-type utf8 utf8): id or id:instance → value as
 * rf_value_to_text() writes it; what cannot be read is left out */
GHashTable *rf_session_settings (RfSysroot *sysroot, const RfFacts *facts);

/** rf_session_settings_differ: Returns: (transfer full) (element-type utf8): ids that have another value in @b than in @a
 * or are only in one, sorted; NULL-terminated */
char **rf_session_settings_differ (GHashTable *a, GHashTable *b);

G_END_DECLS
