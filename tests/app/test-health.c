#include "config.h"

#include <math.h>
#include <string.h>

#include "rf-health.h"
#include "rf-machine-text.h"
#include "rf-test-tree.h"

/* A quiet five minutes with an idle drive and unused swap; each case changes what it is about. */
static RfHealthInput
quiet (void)
{
    RfHealthInput input = {
        .seconds = 300,
        .swap_total_bytes = 8e9,
        .n_disks = 2,
    };

    g_strlcpy (input.disk[0].name, "nvme0n1", sizeof input.disk[0].name);
    g_strlcpy (input.disk[1].name, "sda", sizeof input.disk[1].name);
    input.disk[0].mean_ms = input.disk[0].worst_ms = 0.4;
    input.disk[0].busy_s = 200;
    input.disk[1].mean_ms = input.disk[1].worst_ms = NAN;
    return input;
}

static void
set_nothing (RfHealthInput *i)
{
}
static void
set_looking (RfHealthInput *i)
{
    i->seconds = 0;
    i->stalls = 500;
    i->swap_out_bytes = 1e6;
}
static void
set_one_stall (RfHealthInput *i)
{
    i->stalls = 1;
}
static void
set_few_stalls (RfHealthInput *i)
{
    i->stalls = 6;
}
static void
set_stalls (RfHealthInput *i)
{
    i->stalls = 214;
    i->memory_some_s = 3.2;
}
static void
set_stalls_short (RfHealthInput *i)
{
    i->seconds = 10;
    i->stalls = 40;
}
static void
set_pressure_only (RfHealthInput *i)
{
    i->stalls = NAN;
    i->memory_some_s = 9;
}
static void
set_full_only (RfHealthInput *i)
{
    i->memory_full_s = 2;
}
static void
set_no_psi (RfHealthInput *i)
{
    i->memory_some_s = i->memory_full_s = i->io_full_s = NAN;
}
static void
set_unknown (RfHealthInput *i)
{
    i->stalls = i->memory_some_s = i->memory_full_s = NAN;
}
static void
set_oom (RfHealthInput *i)
{
    i->oom_kills = 1;
}
static void
set_thrashing (RfHealthInput *i)
{
    i->swap_in_bytes = i->swap_out_bytes = 3e9;
    i->memory_full_s = 60;
}
static void
set_swap_out_only (RfHealthInput *i)
{
    i->swap_out_bytes = 3e9;
}
static void
set_swap_in (RfHealthInput *i)
{
    i->swap_in_bytes = 300 * 400e3;
}
static void
set_swap_full (RfHealthInput *i)
{
    i->swap_used_bytes = 7.9e9;
}
static void
set_no_swap (RfHealthInput *i)
{
    i->swap_total_bytes = 0;
    i->swap_in_bytes = i->swap_out_bytes = NAN;
}
static void
set_slow_twice (RfHealthInput *i)
{
    i->disk[0].slow_s = 2;
}
static void
set_slow_at_times (RfHealthInput *i)
{
    i->disk[0].slow_s = 20;
    i->disk[0].worst_ms = 80;
}
static void
set_slow (RfHealthInput *i)
{
    i->disk[0].slow_s = 120;
    i->disk[0].mean_ms = 60;
}
static void
set_slow_and_felt (RfHealthInput *i)
{
    i->disk[0].slow_s = 20;
    i->io_full_s = 40;
}
static void
set_no_disk (RfHealthInput *i)
{
    i->n_disks = 0;
}
static void
set_stalls_and_slow (RfHealthInput *i)
{
    set_stalls (i);
    set_slow (i);
}

static const struct {
    const char *name;
    void (*set) (RfHealthInput *input);
    RfFinding finding;
    RfHealthLevel memory;
    RfHealthLevel disks;
    RfHealthLevel swap;
} cases[] = {
    {"calm", set_nothing, RF_FINDING_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"looking", set_looking, RF_FINDING_LOOKING, RF_HEALTH_UNKNOWN, RF_HEALTH_UNKNOWN, RF_HEALTH_UNKNOWN},
    {"one-stall", set_one_stall, RF_FINDING_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"few-stalls", set_few_stalls, RF_FINDING_FEW_STALLS, RF_HEALTH_NOTICE, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"stalls", set_stalls, RF_FINDING_STALLS, RF_HEALTH_TROUBLE, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"stalls-short", set_stalls_short, RF_FINDING_STALLS, RF_HEALTH_TROUBLE, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"pressure-only", set_pressure_only, RF_FINDING_STALLS, RF_HEALTH_TROUBLE, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"full-only", set_full_only, RF_FINDING_STALLS, RF_HEALTH_TROUBLE, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"no-psi", set_no_psi, RF_FINDING_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"unknown", set_unknown, RF_FINDING_UNKNOWN, RF_HEALTH_UNKNOWN, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"oom", set_oom, RF_FINDING_OOM, RF_HEALTH_TROUBLE, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"thrashing", set_thrashing, RF_FINDING_THRASHING, RF_HEALTH_TROUBLE, RF_HEALTH_CALM, RF_HEALTH_TROUBLE},
    {"swap-out-only", set_swap_out_only, RF_FINDING_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"swap-in", set_swap_in, RF_FINDING_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM, RF_HEALTH_NOTICE},
    {"swap-full", set_swap_full, RF_FINDING_SWAP_FULL, RF_HEALTH_CALM, RF_HEALTH_CALM, RF_HEALTH_NOTICE},
    {"no-swap", set_no_swap, RF_FINDING_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM, RF_HEALTH_NONE},
    {"slow-twice", set_slow_twice, RF_FINDING_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM, RF_HEALTH_CALM},
    {"slow-at-times", set_slow_at_times, RF_FINDING_SLOW_AT_TIMES, RF_HEALTH_CALM, RF_HEALTH_NOTICE, RF_HEALTH_CALM},
    {"slow", set_slow, RF_FINDING_SLOW_DISK, RF_HEALTH_CALM, RF_HEALTH_TROUBLE, RF_HEALTH_CALM},
    {"slow-and-felt", set_slow_and_felt, RF_FINDING_SLOW_DISK, RF_HEALTH_CALM, RF_HEALTH_TROUBLE, RF_HEALTH_CALM},
    {"no-disk", set_no_disk, RF_FINDING_CALM, RF_HEALTH_CALM, RF_HEALTH_NONE, RF_HEALTH_CALM},
    {"stalls-and-slow", set_stalls_and_slow, RF_FINDING_STALLS, RF_HEALTH_TROUBLE, RF_HEALTH_TROUBLE, RF_HEALTH_CALM},
};

static void
test_judge (gconstpointer data)
{
    const guint i = GPOINTER_TO_UINT (data);
    RfHealthInput input = quiet ();
    RfHealth health;
    g_autofree char *detail = NULL;
    g_autofree char *memory = NULL;
    g_autofree char *disks = NULL;
    g_autofree char *swap = NULL;

    cases[i].set (&input);
    rf_health_judge (&input, &health);
    g_assert_cmpstr (rf_finding_nick (health.finding), ==, rf_finding_nick (cases[i].finding));
    g_assert_cmpstr (rf_health_level_nick (health.memory), ==, rf_health_level_nick (cases[i].memory));
    g_assert_cmpstr (rf_health_level_nick (health.disks), ==, rf_health_level_nick (cases[i].disks));
    g_assert_cmpstr (rf_health_level_nick (health.swap), ==, rf_health_level_nick (cases[i].swap));
    g_assert_true (rf_health_needs_tuning (&health, &input, NULL) == (cases[i].finding < RF_FINDING_CALM));

    /* there are words for everything, and a missing number never becomes "nan" or 0 */
    detail = rf_health_detail (&health, &input);
    memory = rf_health_memory_text (&health, &input);
    disks = rf_health_disks_text (&health, &input);
    swap = rf_health_swap_text (&health, &input);
    g_assert_cmpstr (rf_health_headline (&health), !=, "");
    g_assert_cmpstr (rf_health_memory_word (&health), !=, "");
    g_assert_cmpstr (rf_health_disks_word (&health), !=, "");
    g_assert_cmpstr (rf_health_swap_word (&health), !=, "");
    g_assert_null (strstr (detail, "nan"));
    g_assert_null (strstr (memory, "nan"));
    g_assert_null (strstr (disks, "nan"));
    g_assert_null (strstr (swap, "nan"));
    g_assert_null (strstr (swap, "inf"));
}

static void
test_words (void)
{
    RfHealthInput input = quiet ();
    RfHealth health;
    g_autofree char *detail = NULL;
    g_autofree char *disks = NULL;

    set_stalls (&input);
    rf_health_judge (&input, &health);
    detail = rf_health_detail (&health, &input);
    g_assert_cmpstr (rf_health_headline (&health), ==, "Programs are waiting for memory");
    g_assert_cmpstr (detail, ==,
                     "In the last 5 minutes, programs had to stop 214 times because the kernel was clearing memory for "
                     "them, for 3.2 s in all. That is felt as stutter.");
    disks = rf_health_disks_text (&health, &input);
    g_assert_cmpstr (disks, ==, "Requests to nvme0n1 take 0.4 ms on average.");
    g_assert_cmpuint (health.worst_disk, ==, 0);
}

/* The guided tuning is offered for what it can change; for another drive it is said what helps. */
static void
test_foreign_drive (void)
{
    static const struct {
        const char *machine, *drive;
        gboolean rotational, ours;
        const char *says;
    } rows[] = {
        {"laptop-8g", "nvme0n1", FALSE, TRUE, NULL},
        {"nvme-multipath", "nvme0n1", FALSE, TRUE, NULL}, /* its paths have queues */
        {"sata-ssd-hdd", "sda", FALSE, FALSE, "fstrim.timer"},
        {"sata-ssd-hdd", "sdb", TRUE, FALSE, "rotating"},
        {"laptop-8g", "unplugged", FALSE, TRUE, NULL},
    };

    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (rows[i].machine);
        g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
        RfHealthInput input = quiet ();
        RfHealth health = {.finding = RF_FINDING_SLOW_DISK, .worst_disk = 0};
        g_autofree char *instead = NULL;

        g_strlcpy (input.disk[0].name, rows[i].drive, sizeof input.disk[0].name);
        input.disk[0].rotational = rows[i].rotational;
        g_assert_cmpint (rf_health_needs_tuning (&health, &input, facts), ==, rows[i].ours);
        instead = rf_health_instead (&health, &input, facts);
        g_assert_cmpint (instead != NULL, ==, !rows[i].ours);
        if (instead != NULL) {
            g_assert_nonnull (strstr (instead, rows[i].says));
            g_assert_true (g_str_has_prefix (instead, rows[i].drive));
        }
        /* memory is tuned wherever the files lie */
        health.finding = RF_FINDING_STALLS;
        g_assert_true (rf_health_needs_tuning (&health, &input, facts));
    }
}

static void
set_one_trouble (RfHealthInput *i)
{
    i->seconds = 5;
    i->stalls = 1;
}
static void
set_stalls_of_a_minute (RfHealthInput *i)
{
    i->seconds = 60;
    i->stalls = 214;
}
static void
set_two_killed (RfHealthInput *i)
{
    i->oom_kills = 2;
}
static void
set_thrashing_without_disk (RfHealthInput *i)
{
    set_thrashing (i);
    set_no_disk (i);
}
static void
set_nothing_there (RfHealthInput *i)
{
    set_no_disk (i);
    set_no_swap (i);
}
static void
set_swap_unknown (RfHealthInput *i)
{
    set_no_disk (i);
    i->swap_in_bytes = i->swap_out_bytes = NAN;
}
static void
set_cpu_12 (RfHealthInput *i)
{
    i->cpu_busy = 0.12;
}
static void
set_cpu_97 (RfHealthInput *i)
{
    i->cpu_busy = 0.97;
}
static void
set_cpu_stolen (RfHealthInput *i)
{
    i->cpu_busy = 0.97;
    i->cpu_steal = 0.14;
}
static void
set_cpu_unknown (RfHealthInput *i)
{
    i->cpu_busy = i->cpu_steal = NAN;
}
static void
set_no_steal (RfHealthInput *i)
{
    i->cpu_busy = 0.03;
    i->cpu_steal = NAN;
}

/* The one line of each group, from everything that can be the case there. */
static void
test_lines (void)
{
    static char *(*const lines[]) (const RfHealth *, const RfHealthInput *) = {
        rf_health_memory_line,
        rf_health_drives_line,
        rf_health_cpu_line,
    };
    static const struct {
        guint group;
        void (*set) (RfHealthInput *input);
        const char *line;
    } table[] = {
        {0, set_nothing, "Memory: calm"},
        {0, set_looking, "Memory: having a look…"},
        {0, set_one_stall, "Memory: calm"},
        {0, set_few_stalls, "Programs wait for memory now and then: 6 stalls in the last 5 minutes"},
        {0, set_one_trouble, "Programs are waiting for memory: 1 stall in the last 5 seconds"},
        {0, set_stalls_short, "Programs are waiting for memory: 40 stalls in the last 10 seconds"},
        {0, set_stalls_of_a_minute, "Programs are waiting for memory: 214 stalls in the last minute"},
        {0, set_pressure_only, "Programs are waiting for memory: 9 s in the last 5 minutes"},
        {0, set_full_only, "Programs are waiting for memory: 2 s in the last 5 minutes"},
        {0, set_oom, "Memory ran out: 1 program was ended in the last 5 minutes"},
        {0, set_two_killed, "Memory ran out: 2 programs were ended in the last 5 minutes"},
        {0, set_unknown, "Memory: this kernel does not tell"},
        {1, set_nothing, "Drives and swap: calm"},
        {1, set_looking, "Drives: having a look…"},
        {1, set_no_swap, "Drives: calm"},
        {1, set_no_disk, "Swap: calm"},
        {1, set_nothing_there, "No drive and no swap of its own here"},
        {1, set_swap_unknown, "Swap: this kernel does not tell"},
        {1, set_slow, "Programs are waiting for nvme0n1: a request takes 60 ms on average"},
        {1, set_slow_at_times, "nvme0n1 is slow at times: a request takes 0.4 ms on average"},
        {1, set_thrashing, "Memory is shuffled in and out of swap: 20 MB/s on average"},
        {1, set_thrashing_without_disk, "Memory is shuffled in and out of swap: 20 MB/s on average"},
        {1, set_swap_in, "Memory is fetched back from swap: 400 kB/s on average"},
        {1, set_swap_full, "Swap is nearly full: 7.4 GiB of 7.5 GiB used"},
        {2, set_cpu_12, "Processor: calm, 12 % busy"},
        {2, set_no_steal, "Processor: calm, 3 % busy"},
        {2, set_cpu_97, "The processor has hardly a free moment: 97 % busy in the last 5 minutes"},
        {2, set_cpu_stolen, "Other virtual machines take the processor away: 14 % in the last 5 minutes"},
        {2, set_cpu_unknown, "Processor: this kernel does not tell"},
        {2, set_looking, "Processor: having a look…"},
    };

    for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
        RfHealthInput input = quiet ();
        RfHealth health;
        g_autofree char *line = NULL;

        table[i].set (&input);
        rf_health_judge (&input, &health);
        line = lines[table[i].group](&health, &input);
        g_assert_cmpstr (line, ==, table[i].line);
    }
}

static void
sampled_cb (RfSampler *sampler, guint *count)
{
    ++*count;
}

/* From the sampler's lines to the sums that are judged, on a machine whose CPU counters stand still. */
static void
test_read (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), 40, 100);
    RfHealthInput input;
    RfHealth health;
    guint count = 0;

    rf_health_read (sampler, facts, &input);
    g_assert_cmpfloat (input.seconds, ==, 0);
    rf_health_judge (&input, &health);
    g_assert_cmpint (health.finding, ==, RF_FINDING_LOOKING);

    g_signal_connect (sampler, "sampled", G_CALLBACK (sampled_cb), &count);
    rf_sampler_hold (sampler);
    while (count < 4)
        g_main_context_iteration (NULL, TRUE);
    rf_sampler_release (sampler);
    rf_health_read (sampler, facts, &input);
    g_assert_cmpfloat (input.seconds, >=, 0.1);
    g_assert_cmpfloat (input.stalls, ==, 0);
    g_assert_cmpfloat (input.oom_kills, ==, 0);
    g_assert_cmpfloat (input.swap_total_bytes, >, 0);
    g_assert_cmpuint (input.n_disks, >=, 1);
    g_assert_cmpstr (input.disk[input.n_disks - 1].name, ==, "nvme0n1");
    g_assert_false (input.disk[input.n_disks - 1].rotational);
    g_assert_cmpfloat (input.disk[input.n_disks - 1].busy_s, ==, 0);
    g_assert_finalize_object (sampler);
}

static void
test_machine (void)
{
    static const struct {
        const char *machine;
        const char *words;
    } machines[] = {
        {"laptop-8g", "1 NVMe drive · swap on the drive that also holds your data"},
        {"desktop-94g", "2 NVMe drives"},
        {"virtio-vm", "virtual drive"},
        {"nvme-multipath", "1 NVMe drive ·"},
        {"container", "in a container"},
    };

    for (guint i = 0; i < G_N_ELEMENTS (machines); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (machines[i].machine);
        g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
        g_autofree char *words = rf_machine_text_summary (facts);

        g_test_message ("%s", words);
        g_assert_nonnull (strstr (words, machines[i].words));
        g_assert_nonnull (strstr (words, "memory · "));
        g_assert_nonnull (strstr (words, "Linux "));
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *path = g_strdup_printf ("/app/health/judge/%s", cases[i].name);

        g_test_add_data_func (path, GUINT_TO_POINTER (i), test_judge);
    }
    g_test_add_func ("/app/health/words", test_words);
    g_test_add_func ("/app/health/lines", test_lines);
    g_test_add_func ("/app/health/foreign-drive", test_foreign_drive);
    g_test_add_func ("/app/health/read", test_read);
    g_test_add_func ("/app/health/machine", test_machine);
    return g_test_run ();
}
