/* On battery or not: a laptop, a desktop, the battery of a mouse, and files that make no sense. */
#include "config.h"

#include "rf-power.h"
#include "rf-test-tree.h"

#define BASE "sys/class/power_supply/"
#define BATTERY(status) "= " BASE "BAT0/type Battery\n= " BASE "BAT0/status " status "\n"
#define MAINS(online) "= " BASE "AC/type Mains\n= " BASE "AC/online " online "\n"

static void
test_table (void)
{
    static const struct {
        const char *name;
        const char *tree;
        gboolean on_battery;
    } rows[] = {
        {"no supply at all", "= proc/uptime 1\n", FALSE},
        {"discharging, unplugged", BATTERY ("Discharging") MAINS ("0"), TRUE},
        {"discharging, no mains supply known", BATTERY ("Discharging"), TRUE},
        {"plugged in and still discharging under load", BATTERY ("Discharging") MAINS ("1"), FALSE},
        {"charging", BATTERY ("Charging") MAINS ("1"), FALSE},
        {"full", BATTERY ("Full") MAINS ("0"), FALSE},
        {"unknown", BATTERY ("Unknown") MAINS ("0"), FALSE},
        {"a mouse", BATTERY ("Discharging") "= " BASE "BAT0/scope Device\n", FALSE},
        {"a mouse and a laptop",
         BATTERY ("Discharging") "= " BASE "hid/type Battery\n= " BASE "hid/scope Device\n= " BASE "hid/status Full\n",
         TRUE},
        {"powered over USB-C",
         BATTERY ("Discharging") MAINS ("0") "= " BASE "ucsi/type USB\n= " BASE "ucsi/online 1\n", FALSE},
        {"two batteries", BATTERY ("Full") "= " BASE "BAT1/type Battery\n= " BASE "BAT1/status Discharging\n", TRUE},
        {"unreadable status", "= " BASE "BAT0/type Battery\n= " BASE "BAT0/status !errno EIO\n", FALSE},
        {"status with something behind it", BATTERY ("Discharging fast"), FALSE},
        {"a supply without a type", "= " BASE "x/status Discharging\n", FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
        rf_test_tree_apply (tree, rows[i].tree);
        g_test_message ("%s", rows[i].name);
        g_assert_cmpint (rf_power_on_battery (rf_test_tree_sysroot (tree)), ==, rows[i].on_battery);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/power/table", test_table);
    return g_test_run ();
}
