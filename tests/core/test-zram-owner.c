#include "config.h"

#include "rf-facts.h"
#include "rf-test-tree.h"

#include <glib/gstdio.h>

/* the device is set up, nothing says by whom; the machine is the laptop with 8 GiB */
#define DEVICE "=< part-zram-device\n"
#define INSTALLED "== usr/lib/systemd/system-generators/zram-generator\n"
#define ENABLED(unit) "=> etc/systemd/system/multi-user.target.wants/" unit " -> /lib/systemd/system/" unit "\n"
#define MARKER(text) "= run/ruckelfrei/zram " text "\n"
#define DROP_IN "etc/systemd/zram-generator.conf.d/"

static const struct {
    const char *name;
    const char *change;
    RfZramOwner owner;
} cases[] = {
    {"nothing", "", RF_ZRAM_OWNER_NONE},
    {"empty-device", DEVICE "= sys/block/zram0/disksize 0\n= sys/block/zram0/initstate 0\n", RF_ZRAM_OWNER_NONE},
    /* zram-generator#7, #119: set up by somebody, not used as swap */
    {"set-up-by-somebody", DEVICE, RF_ZRAM_OWNER_UNKNOWN},
    {"initstate-without-size", DEVICE "= sys/block/zram0/disksize 0\n", RF_ZRAM_OWNER_UNKNOWN},
    {"swap-by-somebody", "== proc/swaps\nFilename Type Size Used Priority\n/dev/zram3 partition 1024 0 100\n",
     RF_ZRAM_OWNER_UNKNOWN},
    /* zram-init#9: numbers are not reused */
    {"no-zram0", "= sys/block/zram1/disksize 0\n= sys/block/zram2/disksize 4096\n", RF_ZRAM_OWNER_UNKNOWN},

    {"marker", DEVICE MARKER ("zram0 4294967296 zstd 100"), RF_ZRAM_OWNER_OURS},
    {"marker-of-this-device", DEVICE MARKER ("zram0 4294967296 zstd 100 12") "= sys/block/zram0/diskseq 12\n",
     RF_ZRAM_OWNER_OURS},
    {"marker-of-one-before-it", DEVICE MARKER ("zram0 4294967296 zstd 100 11") "= sys/block/zram0/diskseq 12\n",
     RF_ZRAM_OWNER_UNKNOWN},
    {"marker-rounded-by-kernel", DEVICE MARKER ("zram0 4294963300 zstd 100"), RF_ZRAM_OWNER_OURS},
    {"marker-of-another-size", DEVICE MARKER ("zram0 8589934592 zstd 100"), RF_ZRAM_OWNER_UNKNOWN},
    {"marker-of-another-device", DEVICE MARKER ("zram1 4294967296 zstd 100"), RF_ZRAM_OWNER_UNKNOWN},
    {"marker-malformed", DEVICE MARKER ("zram0 4294967296 zstd 100 x"), RF_ZRAM_OWNER_UNKNOWN},
    {"marker-device-gone", MARKER ("zram0 4294967296 zstd 100"), RF_ZRAM_OWNER_NONE},

    {"generator", "=< part-zram-generator\n", RF_ZRAM_OWNER_GENERATOR},
    {"generator-before-boot", INSTALLED "== etc/systemd/zram-generator.conf\n[zram0]\n", RF_ZRAM_OWNER_GENERATOR},
    {"generator-removed", "== etc/systemd/zram-generator.conf\n[zram0]\nzram-size = ram\n", RF_ZRAM_OWNER_NONE},
    {"generator-unconfigured", INSTALLED, RF_ZRAM_OWNER_NONE},
    {"generator-masked",
     INSTALLED "== etc/systemd/zram-generator.conf\n[zram0]\n=- etc/systemd/zram-generator.conf\n"
               "=> etc/systemd/system-generators/zram-generator -> /dev/null\n",
     RF_ZRAM_OWNER_NONE},
    {"generator-other-sections", INSTALLED "== etc/systemd/zram-generator.conf\n[zramx]\n[other]\nzram-size=1\n",
     RF_ZRAM_OWNER_NONE},
    {"generator-comment", INSTALLED "== etc/systemd/zram-generator.conf\n# [zram0]\n# zram-size = ram\n",
     RF_ZRAM_OWNER_NONE},
    {"generator-vendor", INSTALLED "== usr/lib/systemd/zram-generator.conf\n[zram0]\n", RF_ZRAM_OWNER_GENERATOR},
    {"generator-vendor-emptied",
     INSTALLED "== usr/lib/systemd/zram-generator.conf\n[zram0]\n== etc/systemd/zram-generator.conf\n",
     RF_ZRAM_OWNER_NONE},
    {"generator-vendor-masked",
     INSTALLED "== usr/lib/systemd/zram-generator.conf\n[zram0]\n"
               "=> etc/systemd/zram-generator.conf -> /dev/null\n",
     RF_ZRAM_OWNER_NONE},
    {"generator-run-wins",
     INSTALLED
     "== etc/systemd/zram-generator.conf\n[zram0]\nzram-size=0\n== run/systemd/zram-generator.conf\n[zram0]\n",
     RF_ZRAM_OWNER_GENERATOR},
    {"generator-size-0", INSTALLED "== etc/systemd/zram-generator.conf\n[zram0]\nzram-size = 0\n", RF_ZRAM_OWNER_NONE},
    {"generator-drop-in-size-0",
     INSTALLED "== etc/systemd/zram-generator.conf\n[zram0]\nzram-size = ram\n"
               "== " DROP_IN "50-off.conf\n[zram0]\nzram-size=0\n",
     RF_ZRAM_OWNER_NONE},
    {"generator-drop-in-order",
     INSTALLED "== " DROP_IN "20-on.conf\n[zram0]\nzram-size=ram\n"
               "== usr/lib/systemd/zram-generator.conf.d/10-off.conf\n[zram0]\nzram-size=0\n",
     RF_ZRAM_OWNER_GENERATOR},
    {"generator-drop-in-masked",
     INSTALLED "== usr/lib/systemd/zram-generator.conf.d/a.conf\n[zram0]\n"
               "=> " DROP_IN "a.conf -> /dev/null\n",
     RF_ZRAM_OWNER_NONE},
    {"generator-drop-in-other-name", INSTALLED "== " DROP_IN "a.conf.bak\n[zram0]\n", RF_ZRAM_OWNER_NONE},
    {"generator-switched-off-at-boot",
     INSTALLED "== etc/systemd/zram-generator.conf\n[zram0]\n= proc/cmdline quiet systemd.zram=0\n",
     RF_ZRAM_OWNER_NONE},
    {"generator-memory-limit", INSTALLED "== etc/systemd/zram-generator.conf\n[zram0]\nhost-memory-limit = 2048\n",
     RF_ZRAM_OWNER_NONE},
    {"generator-memory-limit-none", INSTALLED "== etc/systemd/zram-generator.conf\n[zram0]\nhost-memory-limit = none\n",
     RF_ZRAM_OWNER_GENERATOR},
    {"generator-memory-limit-high", INSTALLED "== etc/systemd/zram-generator.conf\n[zram0]\nhost-memory-limit = 9048\n",
     RF_ZRAM_OWNER_GENERATOR},
    {"generator-configured-away", "=< part-zram-generator\n== etc/systemd/zram-generator.conf\n",
     RF_ZRAM_OWNER_GENERATOR},
    {"own-drop-in", INSTALLED DEVICE "== " DROP_IN "90-ruckelfrei.conf\n[zram0]\nzram-size=4096\n", RF_ZRAM_OWNER_OURS},
    {"own-drop-in-before-boot", INSTALLED "== " DROP_IN "90-ruckelfrei.conf\n[zram0]\nzram-size=4096\n",
     RF_ZRAM_OWNER_NONE},
    {"own-drop-in-beside-another",
     INSTALLED "== " DROP_IN "90-ruckelfrei.conf\n[zram0]\n== " DROP_IN "10-a.conf\n[zram1]\n",
     RF_ZRAM_OWNER_GENERATOR},

    {"zram-tools", "== etc/default/zramswap\nPERCENT=50\n" ENABLED ("zramswap.service"), RF_ZRAM_OWNER_ZRAM_TOOLS},
    {"zram-tools-removed", "== etc/default/zramswap\nPERCENT=50\n", RF_ZRAM_OWNER_NONE},
    {"zram-tools-masked", ENABLED ("zramswap.service") "=> etc/systemd/system/zramswap.service -> /dev/null\n",
     RF_ZRAM_OWNER_NONE},
    {"zram-tools-running", DEVICE ENABLED ("zramswap.service"), RF_ZRAM_OWNER_ZRAM_TOOLS},
    {"zram-config", ENABLED ("zram-config.service"), RF_ZRAM_OWNER_UBUNTU},
    {"pop", ENABLED ("pop-default-settings-zram.service"), RF_ZRAM_OWNER_POP},
    {"systemd-swap", ENABLED ("systemd-swap.service") "== etc/systemd/swap.conf\nzram_enabled=1\n",
     RF_ZRAM_OWNER_SYSTEMD_SWAP},
    {"systemd-swap-without-zram",
     ENABLED ("systemd-swap.service") "== usr/share/systemd-swap/swap-default.conf\nzram_enabled=1\n"
                                      "== etc/systemd/swap.conf\n  zram_enabled=0\n",
     RF_ZRAM_OWNER_NONE},
    {"zramd", ENABLED ("zramd.service"), RF_ZRAM_OWNER_UNKNOWN},
    {"udev-rule", "== etc/udev/rules.d/dietpi-zram.rules\nKERNEL==\"zram0\", ATTR{disksize}=\"1G\", RUN+=\"mkswap\"\n",
     RF_ZRAM_OWNER_UNKNOWN},
    {"udev-rule-comment", "== etc/udev/rules.d/zram.rules\n  # KERNEL==\"zram0\", ATTR{disksize}=\"1G\"\n",
     RF_ZRAM_OWNER_NONE},
    {"udev-rule-own", "== etc/udev/rules.d/99-zz-ruckelfrei.rules\nKERNEL==\"zram0\", ATTR{disksize}=\"1G\"\n",
     RF_ZRAM_OWNER_NONE},
    {"udev-rule-about-swappiness",
     "== etc/udev/rules.d/30-zram.rules\nKERNEL==\"zram0\", SYSCTL{vm.swappiness}=\"150\"\n", RF_ZRAM_OWNER_NONE},
};

static void
owner (gconstpointer data)
{
    gsize i = GPOINTER_TO_SIZE (data);
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    rf_test_tree_apply (tree, cases[i].change);
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    g_assert_cmpstr (rf_zram_owner_nick (facts->zram_owner), ==, rf_zram_owner_nick (cases[i].owner));
}

/* CVE class of facts.md C22: a configuration of others is text, whatever it says */
static void
commands_stay_text (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autofree char *proof = rf_test_tree_path (tree, "proof");
    g_autofree char *conf = g_strdup_printf ("set!size = touch %s\n[zram0]\nset!x=touch %s\nzram-size = $(touch %s)\n",
                                             proof, proof, proof);
    rf_test_tree_apply (tree, INSTALLED);
    rf_test_tree_set (tree, "etc/systemd/zram-generator.conf", conf);
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    g_assert_cmpint (facts->zram_owner, ==, RF_ZRAM_OWNER_GENERATOR);
    g_assert_true (facts->zram_generator);
    g_assert_false (rf_test_tree_exists (tree, "proof"));
}

/* Installed below /usr, switched off below /etc: nobody but the helper would make the swap at boot. */
static void
masked (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    rf_test_tree_apply (tree, INSTALLED);
    rf_test_tree_set (tree, "etc/systemd/zram-generator.conf", "[zram0]\n");
    rf_test_tree_symlink (tree, "etc/systemd/system-generators/zram-generator", "/dev/null");
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    g_assert_false (facts->zram_generator);
    g_assert_cmpint (facts->zram_owner, ==, RF_ZRAM_OWNER_NONE);
}

static void
available (void)
{
    static const struct {
        const char *change;
        gboolean available;
        const char *algorithms;
    } table[] = {
        {"", TRUE, ""},
        {"=- usr/lib/modules\n", FALSE, ""},
        {"=- usr/lib/modules\n= usr/lib/modules/6.2.0/modules.dep kernel/drivers/block/zram/zram.ko:\n", FALSE, ""},
        {"=- usr/lib/modules\n= usr/lib/modules/6.1.0-18-amd64/modules.dep kernel/x/zramx.ko:\n", FALSE, ""},
        {"=- usr/lib/modules\n= usr/lib/modules/6.1.0-18-amd64/modules.builtin kernel/drivers/block/zram/zram.ko\n",
         TRUE, ""},
        {"=- usr/lib/modules\n== usr/lib/modules/6.1.0-18-amd64/kernel/drivers/block/zram/zram.ko.zst\n", TRUE, ""},
        {"=- usr/lib/modules\n=/ sys/module/zram\n", TRUE, ""},
        {"=- usr/lib/modules\n=/ sys/class/zram-control\n", TRUE, ""},
        {"=- usr/lib/modules\n= sys/block/zram1/comp_algorithm lzo [lzo-rle] zstd\n", TRUE, "lzo, lzo-rle, zstd"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
        rf_test_tree_apply (tree, table[i].change);
        g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
        g_autofree char *algorithms = rf_test_strv (facts->zram_algorithms);
        g_assert_cmpint (facts->zram_available, ==, table[i].available);
        g_assert_cmpstr (algorithms, ==, table[i].algorithms);
    }
}

/* the helper's own view: its unit hides the modules from it */
static void
hidden_modules (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    rf_test_tree_apply (tree, "=- usr/lib/modules\n=/ usr/lib/modules\n");
    g_autofree char *path = rf_sysroot_path (rf_test_tree_sysroot (tree), "usr/lib/modules");
    for (guint hidden = 0; hidden < 2; hidden++) {
        g_assert_cmpint (g_chmod (path, hidden ? 0 : 0755), ==, 0);
        g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
        g_assert_cmpint (facts->zram_available, ==, hidden);
    }
    g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *path = g_strconcat ("/core/zram-owner/", cases[i].name, NULL);
        g_test_add_data_func (path, GSIZE_TO_POINTER (i), owner);
    }
    g_test_add_func ("/core/zram-owner/commands-stay-text", commands_stay_text);
    g_test_add_func ("/core/zram-owner/available", available);
    g_test_add_func ("/core/zram-owner/masked", masked);
    g_test_add_func ("/core/zram-owner/hidden-modules", hidden_modules);
    return g_test_run ();
}
