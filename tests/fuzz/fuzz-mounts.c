#include "rf-fuzz.h"

#include "rf-mounts.h"

RF_FUZZ (data, size)
{
    g_autoptr (GPtrArray) mounts = rf_mounts_parse (data, size);
    for (guint i = 0; i < mounts->len; i++) {
        const RfMount *mount = g_ptr_array_index (mounts, i);
        g_assert_true (mount->root != NULL && mount->target != NULL && mount->type != NULL && mount->source != NULL);
        const RfMount *found = rf_mounts_find (mounts, mount->target);
        g_assert_true (mount->target[0] != '/' || found != NULL);
    }
}
