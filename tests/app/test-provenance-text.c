#include "config.h"

#include "rf-provenance-text.h"

#include <locale.h>
#include <string.h>

#include "rf-test-tree.h"

#define ENABLED(unit) "=> etc/systemd/system/multi-user.target.wants/" unit " -> /usr/lib/systemd/system/" unit "\n"

static RfProvenance *
ask (const char *change, const char *id, const char *instance, const char *planned)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    rf_test_tree_apply (tree, change);
    const RfTunable *tunable = rf_tunable_find (id);
    RfValue value;
    g_assert_true (planned == NULL || rf_value_from_text (tunable->kind, planned, &value, NULL));
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    g_autoptr (RfProvenanceSources) sources = rf_provenance_sources_read (rf_test_tree_sysroot (tree), facts);
    return rf_provenance_find (sources, tunable, instance, planned != NULL ? &value : NULL);
}

static void
next_start (void)
{
    static const struct {
        const char *change, *id, *instance, *own, *next;
    } table[] = {
        {"", "vm.swappiness", "", "60", "60, because nothing sets it"},
        {"", "vm.min_free_kbytes", "", "depends on how much memory there is",
         "what the kernel chooses by itself, because nothing sets it"},
        {"", "swap.zram", "", "none", "none, because nothing sets it"},
        {"= etc/sysctl.d/a.conf vm.swappiness=10\n", "vm.swappiness", "", "60",
         "10, from line 1 of /etc/sysctl.d/a.conf"},
        {"= proc/cmdline sysctl.vm.swappiness=10\n", "vm.swappiness", "", "60", "10, from the kernel command line"},
        {"== etc/sysctl.d/b.conf\n!errno EACCES\n= etc/sysctl.d/a.conf vm.swappiness=10\n", "vm.swappiness", "", "60",
         "10, from line 1 of /etc/sysctl.d/a.conf. Something that cannot be read or judged may overrule that."},
        {"= etc/udev/rules.d/a.rules KERNEL==\"nvme*\", ATTR{queue/wbt_lat_usec}=\"$env{X}\"\n", "block.wbt_lat_usec",
         "nvme0n1", "2 ms", "decided by line 1 of /etc/udev/rules.d/a.rules; the value cannot be read off there"},
        {ENABLED ("zramd.service"), "swap.zram", "", "none",
         "decided by another program; the value cannot be read off there"},
        {"= proc/sys/kernel/osrelease 6.12.1-zen1\n", "vm.swappiness", "", "not known for this kernel",
         "what the kernel chooses by itself, because nothing sets it"},
        {"", "block.read_ahead_kb", "dm-0", "not known: the drive or its driver decides",
         "what the kernel chooses by itself, because nothing sets it"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (RfProvenance) answer = ask (table[i].change, table[i].id, table[i].instance, NULL);
        g_autofree char *own = rf_provenance_default_text (answer);
        g_autofree char *next = rf_provenance_next_text (answer);
        g_assert_cmpstr (own, ==, table[i].own);
        g_assert_cmpstr (next, ==, table[i].next);
    }
}

/* The sentences of the wizard and of the Changes page. */
static void
overruling (void)
{
    static const struct {
        const char *change, *id, *instance, *planned, *text;
    } table[] = {
        {"= etc/sysctl.d/10-a.conf vm.swappiness=10\n", "vm.swappiness", "", "180", NULL},
        {"= etc/sysctl.d/zz-a.conf vm.swappiness=10\n", "vm.swappiness", "", "180",
         "At the next start line 1 of /etc/sysctl.d/zz-a.conf would set this to 10."},
        {"= etc/sysctl.d/zz-a.conf vm.dirty_bytes=268435456\n", "vm.dirty", "", "ratio:10",
         "At the next start line 1 of /etc/sysctl.d/zz-a.conf would set vm.dirty_bytes to 256 MiB. Only one of the two "
         "limits can be in force, so that would switch this one off."},
        {"= etc/sysctl.d/zz-a.conf vm.dirty_ratio=30\n", "vm.dirty", "", "ratio:10",
         "At the next start line 1 of /etc/sysctl.d/zz-a.conf would set this to 30 % of memory."},
        {"= etc/udev/rules.d/99-zzz.rules ENV{X}==\"1\", ATTR{queue/wbt_lat_usec}=\"75000\"\n", "block.wbt_lat_usec",
         "nvme0n1", "0", "line 1 of /etc/udev/rules.d/99-zzz.rules may set this to 75 ms at the next start or later."},
        {ENABLED ("pop-zram-config.service"), "vm.swappiness", "", "180",
         "/usr/bin/pop-zram-config may set this to another value at the next start or later."},
        {"== etc/sysctl.d/zz.conf\n!errno EACCES\n", "vm.swappiness", "", "180",
         "/etc/sysctl.d/zz.conf may set this at the next start; this user cannot read it."},
        {"= etc/tmpfiles.d/a.conf w /proc/sys/vm/swappiness - - - - 1\n" ENABLED ("pop-zram-config.service"),
         "vm.swappiness", "", "180",
         "At the next start line 1 of /etc/tmpfiles.d/a.conf would set this to 1.\n"
         "/usr/bin/pop-zram-config may set this to another value at the next start or later."},
        /* what is kept already, without a plan */
        {"= etc/sysctl.d/99-zz-ruckelfrei.conf vm.swappiness = 180\n= etc/sysctl.d/zz-a.conf vm.swappiness=10\n",
         "vm.swappiness", "", NULL, "At the next start line 1 of /etc/sysctl.d/zz-a.conf would set this to 10."},
        {"= etc/sysctl.d/zz-a.conf vm.swappiness=10\n", "vm.swappiness", "", NULL, NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (RfProvenance) answer = ask (table[i].change, table[i].id, table[i].instance, table[i].planned);
        g_autofree char *text = rf_provenance_overrule_text (answer);
        g_assert_cmpstr (text, ==, table[i].text);
    }
}

/* Every fate has a sentence of its own; what belongs in it is in it. */
static void
fates (void)
{
    g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (guint fate = 0; fate < RF_FATE_N_FATES; fate++) {
        RfSetter setter = {.kind = RF_SETTER_UDEV,
                           .fate = (RfSetterFate)fate,
                           .path = (char *)"/etc/x",
                           .by = (char *)"/etc/by",
                           .why = (char *)"ENV{X}==\"1\""};
        char *text = rf_setter_fate_text (&setter);
        gboolean by = fate == RF_FATE_HIDDEN || fate == RF_FATE_MASKED;
        gboolean why = fate == RF_FATE_MAYBE || fate == RF_FATE_LATE;
        g_assert_cmpint (strstr (text, "/etc/by") != NULL, ==, by);
        g_assert_cmpint (strstr (text, "ENV{X}") != NULL, ==, why);
        g_assert_true (g_hash_table_add (seen, text));
    }
    RfSetter quoted = {.fate = RF_FATE_REFUSED, .path = (char *)"/etc/x", .raw = (char *)"\"60\"", .ours = TRUE};
    g_autofree char *text = rf_setter_fate_text (&quoted);
    g_assert_cmpstr (text, ==, "Written by Ruckelfrei. The kernel refuses this because of the quotation marks.");
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/provenance-text/next-start", next_start);
    g_test_add_func ("/app/provenance-text/overruling", overruling);
    g_test_add_func ("/app/provenance-text/fates", fates);
    return g_test_run ();
}
