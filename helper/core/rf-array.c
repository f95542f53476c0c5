#define G_LOG_DOMAIN "rf-array"
#include "config.h"

#include "rf-array.h"

gpointer
rf_array_new0 (gsize n, gsize size)
{
    return g_malloc0_n (n, size);
}
