/* What the window remembers from one start to the next. No widgets; any thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * rf_settings_open:
 *
 * A program that was copied without its schema, or beside the schema of another version, works all the same: GSettings
 * itself would abort.
 *
 * Returns: (transfer full) (nullable): NULL if the schema is missing or lacks a key, which the log says; then every
 * setting has its default and nothing is remembered
 */
GSettings *rf_settings_open (void);

G_END_DECLS
