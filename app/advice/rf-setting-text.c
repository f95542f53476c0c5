#define G_LOG_DOMAIN "rf-setting-text"
#include "config.h"

#include "rf-tunable-text.h"

#include <glib/gi18n.h>

char *
rf_setting_change_text (const RfTunable *tunable, const RfValue *before, const RfValue *after)
{
    g_autofree char *old = before != NULL ? rf_value_text (tunable, before) : NULL;
    g_autofree char *new = after != NULL ? rf_value_text (tunable, after) : NULL;
    if (old == NULL || new == NULL)
        return g_strdup (old != NULL ? old : new != NULL ? new : "");
    /* TRANSLATORS: %1$s is the value now, %2$s the value afterwards */
    return g_strdup_printf (_ ("%1$s → %2$s"), old, new);
}

char *
rf_setting_kernel_text (const RfTunable *tunable, const char *instance, const RfValue *before, const RfValue *after)
{
    const RfValue *named = after != NULL && after->kind != RF_VALUE_ABSENT ? after : before;
    g_autofree char *name = rf_tunable_kernel_name (tunable, instance, named);
    g_autofree char *old = before != NULL ? rf_value_raw_text (tunable, before) : NULL;
    g_autofree char *new = after != NULL ? rf_value_raw_text (tunable, after) : NULL;
    if (old == NULL || new == NULL)
        return g_strdup_printf ("%s %s", name, old != NULL ? old : new != NULL ? new : "");
    /* in another mode the old number belongs to another name, so the name is said */
    if (tunable->kind == RF_VALUE_DIRTY && before->n[1] != after->n[1]) {
        g_autofree char *old_name = rf_tunable_kernel_name (tunable, instance, before);
        return g_strdup_printf ("%s %s → %s %s", old_name, old, name, new);
    }
    return g_strdup_printf ("%s %s → %s", name, old, new);
}

char *
rf_setting_title (const RfTunable *tunable, const char *instance, const RfFacts *facts)
{
    g_autofree char *label = rf_tunable_instance_label (tunable, instance, facts);
    if (label == NULL)
        return g_strdup (rf_tunable_title (tunable));
    /* TRANSLATORS: %1$s is a setting, %2$s the device it belongs to */
    return g_strdup_printf (_ ("%1$s · %2$s"), rf_tunable_title (tunable), label);
}
