#include "rf-fuzz.h"

#include "rf-udev-rules.h"

static void
visit_cb (const RfUdevRule *rule, RfUdevMatch match, const RfUdevToken *why, gpointer data)
{
    guint *last = data;
    g_assert_cmpuint (rule->line, >, *last);
    *last = rule->line;
    g_assert_true (match == RF_UDEV_MAYBE || why == NULL || match == RF_UDEV_NO);
    g_autofree char *text = why != NULL ? rf_udev_token_text (why) : NULL;
    g_assert_true (text == NULL || g_utf8_validate (text, -1, NULL));
}

RF_FUZZ (data, size)
{
    g_autoptr (GPtrArray) rules = rf_udev_rules_parse (data, size);
    /* an empty root: nothing of this machine is looked at */
    g_autoptr (RfSysroot) sysroot = rf_sysroot_new ("/proc/self/task/no-such-folder");
    RfUdevDevice device = {sysroot, "sys/block/nvme0n1", "nvme0n1", "block", "disk"};
    guint last = 0;
    rf_udev_rules_walk (rules, &device, visit_cb, &last);
    for (guint i = 0; i < rules->len; i++) {
        const RfUdevRule *rule = g_ptr_array_index (rules, i);
        g_assert_true (rule->tokens->len > 0 && g_utf8_validate (rule->text, -1, NULL));
    }
}
