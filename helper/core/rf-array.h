/* Memory for g_autofree and g_autoptr. Pure, thread-safe. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** rf_new0: as g_new0(), for a variable with g_autofree or g_autoptr. clang's analyser follows g_new() and g_new0(), but
 * not into what these do, and takes for leaked what no function of GLib's has seen. */
#define rf_new0(type, n) ((type *)rf_array_new0 ((n), sizeof (type)))

/** rf_array_new0: Returns: (transfer full): @n zeroed elements of @size bytes; NULL if there are none */
gpointer rf_array_new0 (gsize n, gsize size);

G_END_DECLS
