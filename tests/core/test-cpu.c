/* /proc/stat, /proc/interrupts and /proc/loadavg. */
#include "config.h"

#include "rf-cpu-stat.h"
#include "rf-interrupts.h"
#include "rf-loadavg.h"
#include "rf-test-counter.h"
#include "rf-test-tree.h"

#include <string.h>

static RfCpuStat
parse_stat (const char *text)
{
    RfCpuStat out;
    rf_cpu_stat_parse (text, strlen (text), &out);
    return out;
}

static RfInterrupts
parse_interrupts (const char *text)
{
    RfInterrupts out;
    rf_interrupts_parse (text, strlen (text), &out);
    return out;
}

static void
stat_lines (void)
{
    RfCpuStat out
        = parse_stat ("cpu  100 20 30 4000 50 6 7 8 90 5\ncpu0 1 2 3 4 5 6 7 8 0 0\ncpu3 1 2 3 4 5 6 7 8 0 0\n"
                      "intr 5 cpu9\ncpu7 1 1 1 1\n");
    rf_assert_counter (out.user, 100);
    rf_assert_counter (out.iowait, 50);
    rf_assert_counter (out.steal, 8);
    /* guests are inside user and nice already */
    rf_assert_counter (out.busy, 100 + 20 + 30 + 6 + 7);
    rf_assert_counter (out.total, 100 + 20 + 30 + 6 + 7 + 4000 + 50 + 8);
    g_assert_cmpuint (out.n_cpus, ==, 2);
    /* old kernels: no steal; no iowait either */
    out = parse_stat ("cpu  100 20 30 4000 50 6 7\n");
    rf_assert_missing (out.steal, RF_AVAIL_NO_FIELD);
    rf_assert_counter (out.total, 100 + 20 + 30 + 6 + 7 + 4000 + 50);
    out = parse_stat ("cpu  100 20 30 4000\n");
    rf_assert_missing (out.iowait, RF_AVAIL_NO_FIELD);
    rf_assert_counter (out.busy, 150);
    rf_assert_counter (out.total, 4150);
    /* a broken column breaks the sums, not the other columns */
    out = parse_stat ("cpu  100 x 30 4000 50 6 7 8\n");
    rf_assert_counter (out.user, 100);
    rf_assert_missing (out.nice, RF_AVAIL_MALFORMED);
    rf_assert_missing (out.busy, RF_AVAIL_MALFORMED);
    rf_assert_missing (out.total, RF_AVAIL_MALFORMED);
    out = parse_stat ("cpu  100 20 30 4000 5");
    rf_assert_missing (out.user, RF_AVAIL_NO_FIELD);
    out = parse_stat ("cpu  100\n");
    rf_assert_missing (out.busy, RF_AVAIL_NO_FIELD);
    out = parse_stat ("cpu  18446744073709551615 1 0 0\n");
    rf_assert_missing (out.busy, RF_AVAIL_MALFORMED);
}

static void
interrupt_rows (void)
{
    static const struct {
        const char *text;
        RfAvail avail;
        guint64 sum;
        guint cpus;
    } table[] = {
        {"           CPU0       CPU1\nTLB:       3865       2910   TLB shootdowns\n", RF_AVAIL_OK, 6775, 2},
        {"TLB:   1   TLB shootdowns\n", RF_AVAIL_OK, 1, 1},
        {" TLB: 4294967295 4294967295 TLB shootdowns\n", RF_AVAIL_OK, 8589934590ull, 2},
        {"TLB: 1 2\n", RF_AVAIL_OK, 3, 2},
        {"TLB:\n", RF_AVAIL_MALFORMED, 0, 0},
        {"TLB:   TLB shootdowns\n", RF_AVAIL_MALFORMED, 0, 0},
        {"TLB: 1 99999999999999999999 TLB shootdowns\n", RF_AVAIL_MALFORMED, 0, 0},
        {"TLB: 1 2x TLB shootdowns\n", RF_AVAIL_MALFORMED, 0, 0},
        {"TLB: 1 2 TLB shoot", RF_AVAIL_NO_FIELD, 0, 0},
        /* ARM has no such row; a device may be called so */
        {"IPI0: 5 6 Rescheduling interrupts\n 24: 1 2 GIC TLB:\n", RF_AVAIL_NO_FIELD, 0, 0},
        {"XTLB: 1 2\nTLBX: 3 4\n", RF_AVAIL_NO_FIELD, 0, 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        RfInterrupts out = parse_interrupts (table[i].text);
        g_test_message ("%s", table[i].text);
        g_assert_cmpint (out.tlb_shootdowns.avail, ==, table[i].avail);
        g_assert_cmpuint (out.tlb_shootdowns.value, ==, table[i].sum);
        g_assert_cmpuint (out.n_cpus, ==, table[i].cpus);
    }
}

static void
many_cpus (void)
{
    g_autoptr (GString) text = g_string_new ("TLB:");
    for (guint i = 0; i < 4096; i++)
        g_string_append (text, " 4000000000");
    g_string_append (text, "   TLB shootdowns\n");
    RfInterrupts out;
    rf_interrupts_parse (text->str, text->len, &out);
    rf_assert_counter (out.tlb_shootdowns, 4096 * 4000000000ull);
    g_assert_cmpuint (out.n_cpus, ==, 4096);
}

static void
loads (void)
{
    static const struct {
        const char *text;
        gint64 one, fifteen, running, tasks; /* -1: missing */
    } table[] = {
        {"0.00 0.06 0.07 1/91 10621\n", 0, 7, 1, 91},
        {"1000.25 0.06 12.34 17/91234 10621", 100025, 1234, 17, 91234},
        {"1,50 0,06 0,07 1/91 10621\n", -1, -1, -1, -1},
        {"0.1 0.06 0.07 1/91 10621\n", -1, -1, -1, -1},
        {"0.10 0.06\n", 10, -1, -1, -1},
        {"0.10 0.06 0.07 1 91\n", 10, 7, 1, -1},
        {"0.10 0.06 0.07\n", 10, 7, -1, -1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        RfLoadavg out;
        rf_loadavg_parse (table[i].text, strlen (table[i].text), &out);
        g_test_message ("%s", table[i].text);
        const gint64 expected[] = {table[i].one, table[i].fifteen, table[i].running, table[i].tasks};
        const RfCounter found[] = {out.load1_x100, out.load15_x100, out.running, out.tasks};
        for (gsize k = 0; k < G_N_ELEMENTS (expected); k++) {
            if (expected[k] >= 0)
                rf_assert_counter (found[k], expected[k]);
            else
                rf_assert_missing (found[k], RF_AVAIL_MALFORMED);
        }
    }
}

static void
recording (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("recording-6.18");
    RfSysroot *sysroot = rf_test_tree_sysroot (tree);
    RfCpuStat cpu;
    rf_cpu_stat_read (sysroot, &cpu);
    rf_assert_counter (cpu.user, 23039);
    rf_assert_counter (cpu.iowait, 1130);
    rf_assert_counter (cpu.steal, 633);
    rf_assert_counter (cpu.busy, 23039 + 0 + 9918 + 0 + 304);
    g_assert_cmpuint (cpu.n_cpus, ==, 2);
    RfInterrupts interrupts;
    rf_interrupts_read (sysroot, &interrupts);
    g_assert_true (rf_counter_ok (interrupts.tlb_shootdowns));
    g_assert_cmpuint (interrupts.tlb_shootdowns.value, >, 6000);
    g_assert_cmpuint (interrupts.n_cpus, ==, 2);
    RfLoadavg load;
    rf_loadavg_read (sysroot, &load);
    rf_assert_counter (load.load1_x100, 133);
    rf_assert_counter (load.tasks, 90);

    g_autofree char *stat = rf_test_tree_get (tree, "proc/stat");
    g_autofree char *rows = rf_test_tree_get (tree, "proc/interrupts");
    for (gsize length = 0; length < strlen (stat); length++) {
        RfCpuStat cut;
        rf_cpu_stat_parse (stat, length, &cut);
        g_assert_true (rf_test_same_or_missing (&cut, &cpu, G_STRUCT_OFFSET (RfCpuStat, n_cpus)));
    }
    for (gsize length = 0; length < strlen (rows); length++) {
        RfInterrupts cut;
        rf_interrupts_parse (rows, length, &cut);
        g_assert_true (rf_test_same_or_missing (&cut, &interrupts, sizeof (RfCounter)));
    }
}

static void
failures (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    RfSysroot *sysroot = rf_test_tree_sysroot (tree);
    RfCpuStat cpu;
    RfInterrupts interrupts;
    RfLoadavg load;
    rf_test_tree_set (tree, "proc/interrupts", "!errno EACCES\n");
    rf_cpu_stat_read (sysroot, &cpu);
    rf_interrupts_read (sysroot, &interrupts);
    rf_loadavg_read (sysroot, &load);
    rf_assert_missing (cpu.total, RF_AVAIL_NO_FILE);
    rf_assert_missing (interrupts.tlb_shootdowns, RF_AVAIL_DENIED);
    rf_assert_missing (load.load1_x100, RF_AVAIL_NO_FILE);
    gsize length;
    const char *text;
    for (guint i = 0; (text = rf_test_foreign (i, &length)) != NULL; i++) {
        rf_cpu_stat_parse (text, length, &cpu);
        rf_interrupts_parse (text, length, &interrupts);
        rf_loadavg_parse (text, length, &load);
        g_assert_true (rf_test_all_missing (&cpu, G_STRUCT_OFFSET (RfCpuStat, n_cpus)));
        g_assert_true (rf_test_all_missing (&interrupts.tlb_shootdowns, sizeof (RfCounter)));
        g_assert_true (rf_test_all_missing (&load, sizeof load));
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/cpu/stat-lines", stat_lines);
    g_test_add_func ("/core/cpu/interrupt-rows", interrupt_rows);
    g_test_add_func ("/core/cpu/many-cpus", many_cpus);
    g_test_add_func ("/core/cpu/loads", loads);
    g_test_add_func ("/core/cpu/recording", recording);
    g_test_add_func ("/core/cpu/failures", failures);
    return g_test_run ();
}
