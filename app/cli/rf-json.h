/* Writes one JSON document, nothing more: a new dependency for sixty lines would not pay. Keys and values are never
 * translated and never depend on the locale. Owns its text; one thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _RfJson RfJson;

RfJson *rf_json_new (void);
void rf_json_free (RfJson *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfJson, rf_json_free)

/* @key: (nullable): NULL inside an array and for the document itself */
void rf_json_begin_object (RfJson *self, const char *key);
void rf_json_end_object (RfJson *self);
void rf_json_begin_array (RfJson *self, const char *key);
void rf_json_end_array (RfJson *self);
/** rf_json_string: @text: (nullable): NULL is null; bytes that are not UTF-8 are replaced */
void rf_json_string (RfJson *self, const char *key, const char *text);
void rf_json_int (RfJson *self, const char *key, gint64 number);
void rf_json_uint (RfJson *self, const char *key, guint64 number);
/** rf_json_double: @number: not finite is null */
void rf_json_double (RfJson *self, const char *key, double number);
void rf_json_bool (RfJson *self, const char *key, gboolean flag);
void rf_json_null (RfJson *self, const char *key);

/** rf_json_text: Returns: (transfer none): the document, with a newline at its end; everything must be closed */
const char *rf_json_text (RfJson *self);

/** rf_json_set_compact: without line breaks, for one document a line (watch) */
void rf_json_set_compact (RfJson *self, gboolean compact);

G_END_DECLS
