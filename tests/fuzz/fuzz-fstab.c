#include "rf-fuzz.h"

#include "rf-fstab.h"
#include "rf-mounts.h"

RF_FUZZ (data, size)
{
    g_autoptr (GPtrArray) entries = rf_fstab_parse (data, size);
    guint line = 0;
    for (guint i = 0; i < entries->len; i++) {
        const RfFstabEntry *entry = g_ptr_array_index (entries, i);
        g_assert_true (entry->source != NULL && entry->target != NULL && entry->type != NULL && entry->options != NULL);
        g_assert_cmpuint (entry->line, >, line);
        line = entry->line;
        g_autofree char *value = rf_mounts_option (entry->options, "commit");
        g_assert_true (value == NULL || g_strrstr (entry->options, "commit") != NULL);
    }
}
