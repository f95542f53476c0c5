#include "rf-fuzz.h"

#include "rf-old-advice.h"

#include <string.h>

RF_FUZZ (data, size)
{
    g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_old_advice_free);
    for (gint kind = RF_OLD_FILE_SYSCTL; kind <= RF_OLD_FILE_COMMAND_LINE; kind++)
        rf_old_advice_scan ((RfOldAdviceFile)kind, "/etc/x", data, size, RF_KERNEL (6, 1), 1u << 30, found);
    g_assert_cmpuint (found->len, <=, RF_OLD_ADVICE_MAX);
    for (guint i = 0; i < found->len; i++) {
        const RfOldAdvice *advice = g_ptr_array_index (found, i);
        g_assert_true (advice->line > 0 && g_utf8_validate (advice->text, -1, NULL) && strlen (advice->text) <= 160);
        g_assert_nonnull (rf_old_advice_nick (advice->id));
    }
}
