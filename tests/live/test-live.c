/* The helper on the real kernel. Its own files lie in a temporary folder, so nothing lands in /etc; the kernel's values
 * are changed for real, and afterwards every file of /proc/sys/vm and /sys/block/X/queue and the list of swaps is
 * compared with how it was. Needs root. */
#define G_LOG_DOMAIN "test-live"
#include "config.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rf-drift.h"
#include "rf-swaps.h"
#include "rf-test-live.h"
#include "rf-test-program.h"
#include "rf-test-rig.h"

#define MIB (1024 * 1024)
#define SYSCTL_FILE "etc/sysctl.d/99-zz-ruckelfrei.conf"

/* Every sysctl of the steps 1 and 4: as a trial that goes back, and kept and taken back. */
static void
test_sysctls (void)
{
    gsize n = 0;
    guint tried = 0;
    const RfTunable *tunables = rf_tunable_list (&n);
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    for (gsize i = 0; i < n; i++) {
        RfTarget target = {live->machine, live->facts, &tunables[i], ""};
        RfValue now, wanted;
        if (tunables[i].backend != RF_BACKEND_SYSCTL
            || (tunables[i].group != RF_GROUP_MEMORY && tunables[i].group != RF_GROUP_SWAP_TUNING))
            continue;
        g_assert_true (rf_backend_read (&target, &now, NULL));
        g_autofree char *value = rf_test_live_gentle_value (&tunables[i], live->facts, &now);
        g_autofree char *line = g_strdup_printf ("%s %s", tunables[i].id, value);
        g_test_message ("%s", line);
        g_assert_true (rf_value_from_text (tunables[i].kind, value, &wanted, NULL));
        for (guint kept = 0; kept < 2; kept++) {
            RfRecord *record = rf_test_live_apply (live, line);
            g_assert_true (rf_backend_read (&target, &now, NULL));
            g_assert_true (rf_value_equal (&now, &wanted));
            if (kept)
                rf_test_live_keep (live, record);
            g_assert_cmpint (rf_test_tree_exists (live->tree, SYSCTL_FILE), ==, kept != 0);
            rf_test_live_revert (live, record);
            rf_test_live_assert_as_before (live);
            g_assert_false (rf_test_tree_exists (live->tree, SYSCTL_FILE));
        }
        tried++;
    }
    g_assert_cmpuint (tried, ==, 9);
}

/* All of them at once, and how long that takes. */
static void
test_together (void)
{
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    gint64 start = g_get_monotonic_time ();
    RfRecord *record
        = rf_test_live_apply (live, "vm.watermark_scale_factor 60\nvm.dirty bytes:536870912\n"
                                    "vm.dirty_background bytes:134217728\nvm.dirty_expire_centisecs 1500\n"
                                    "vm.dirty_writeback_centisecs 300\nvm.page-cluster 0\nvm.swappiness 100\n"
                                    "vm.watermark_boost_factor 0");
    g_test_message ("eight values applied in %.1f ms", (double)(g_get_monotonic_time () - start) / 1000.0);
    rf_test_live_keep (live, record);
    g_autoptr (GVariant) drift = rf_drift_check (live->machine, live->facts, live->journal);
    for (gsize i = 0; i < g_variant_n_children (drift); i++) {
        const char *verdict = NULL;
        g_variant_get_child (drift, i, "(&s&s&sv&s)", NULL, NULL, NULL, NULL, &verdict);
        g_assert_cmpstr (verdict, ==, "as-kept");
    }
    rf_test_live_revert (live, record);
    rf_test_live_assert_as_before (live);
}

/* From either mode of a pair to either mode and back (tuned#882: writing back a saved zero). */
static void
test_dirty_modes (void)
{
    static const char *const values[]
        = {"ratio:21", "bytes:536870912", "bytes:268435456", "ratio:30", "bytes:300003328"};
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    for (gsize i = 0; i < G_N_ELEMENTS (values); i++) {
        for (gsize j = 0; j < G_N_ELEMENTS (values); j++) {
            const char *background = g_str_has_prefix (values[j], "bytes") ? "bytes:67108864" : "ratio:7";
            g_autofree char *outer = g_strdup_printf ("vm.dirty %s\nvm.dirty_background ratio:9", values[i]);
            g_autofree char *inner = g_strdup_printf ("vm.dirty %s\nvm.dirty_background %s", values[j], background);
            RfRecord *first = rf_test_live_apply (live, outer);
            rf_test_live_keep (live, first);
            g_autofree char *middle = rf_test_live_settings (live->machine->kernel);
            RfRecord *second = rf_test_live_apply (live, inner);
            rf_test_live_revert (live, second);
            g_autofree char *again = rf_test_live_settings (live->machine->kernel);
            g_assert_cmpstr (again, ==, middle);
            rf_test_live_revert (live, first);
            rf_test_live_assert_as_before (live);
        }
    }
}

/* The read-ahead of whatever this machine's files are read through. */
static void
test_readahead (void)
{
    const RfTunable *tunable = rf_tunable_find ("block.read_ahead_kb");
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    if (live->facts->readahead->len == 0)
        g_test_skip ("no file system here is read through a device that we know");
    for (guint i = 0; i < live->facts->readahead->len; i++) {
        const RfReadahead *readahead = g_ptr_array_index (live->facts->readahead, i);
        RfTarget target = {live->machine, live->facts, tunable, readahead->instance};
        RfValue now;
        g_assert_true (rf_backend_read (&target, &now, NULL));
        g_autofree char *line
            = g_strdup_printf ("block.read_ahead_kb@%s %d", readahead->instance, now.n[0] == 256 ? 512 : 256);
        g_test_message ("%s", line);
        rf_test_live_revert (live, rf_test_live_apply (live, line));
        rf_test_live_assert_as_before (live);
    }
}

static guint64
swap_used (RfSysroot *kernel, const char *prefix)
{
    g_auto (RfSwaps) swaps = {0};
    guint64 used = 0;
    rf_swaps_read (kernel, &swaps);
    for (guint i = 0; swaps.avail == RF_AVAIL_OK && i < swaps.entries->len; i++) {
        const RfSwapEntry *entry = g_ptr_array_index (swaps.entries, i);
        if (g_str_has_prefix (entry->path, prefix))
            used += entry->used_bytes;
    }
    return used;
}

/* A swap with pages in it is taken back, and not a byte of them is lost. */
static void
test_zram (void)
{
    const gsize length = 128 * MIB;
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    if (live->facts->zram_owner != RF_ZRAM_OWNER_NONE || !live->facts->zram_available) {
        g_test_skip ("this machine has a zram of somebody else, or none");
        return;
    }
    gint64 start = g_get_monotonic_time ();
    RfRecord *record = rf_test_live_apply (live, "swap.zram 536870912 lz4 100");
    g_test_message ("swap set up in %.1f ms", (double)(g_get_monotonic_time () - start) / 1000.0);
    rf_test_live_keep (live, record);
    guint32 *pages = mmap (NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    g_assert_true (pages != MAP_FAILED);
    for (gsize i = 0; i < length / sizeof *pages; i++)
        pages[i] = (guint32)(i / 7);
    g_assert_cmpint (madvise (pages, length, MADV_PAGEOUT), ==, 0);
    guint64 used = swap_used (live->machine->kernel, "/dev/zram");
    g_test_message ("%" G_GUINT64_FORMAT " MiB swapped out", used / MIB);
    g_assert_cmpuint (used, >, length / 2);
    start = g_get_monotonic_time ();
    rf_test_live_revert (live, record);
    g_test_message ("swap taken back in %.1f ms", (double)(g_get_monotonic_time () - start) / 1000.0);
    for (gsize i = 0; i < length / sizeof *pages; i++)
        if (pages[i] != (guint32)(i / 7))
            g_error ("word %" G_GSIZE_FORMAT " was lost", i);
    munmap (pages, length);
    rf_test_live_assert_as_before (live);
    g_assert_false (g_file_test ("/run/ruckelfrei/zram", G_FILE_TEST_EXISTS));
}

/* The whole program on the real kernel: a trial that runs out, and one whose helper is killed. */
static void
test_program (void)
{
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    g_autoptr (RfTestTree) files = rf_test_tree_new (NULL);
    g_autoptr (RfTestProgram) program = rf_test_program_new (NULL, rf_test_tree_root (files));
    rf_test_program_start (program);
    gint64 start = g_get_monotonic_time ();
    g_autofree char *id = rf_test_program_apply (
        program, "vm.watermark_scale_factor 60\nvm.dirty bytes:536870912\nvm.page-cluster 0\nvm.swappiness 100", 15);
    gint64 applied = g_get_monotonic_time ();
    g_test_message ("apply took %.1f ms, resident %" G_GUINT64_FORMAT " KiB, private %" G_GUINT64_FORMAT " KiB",
                    (double)(applied - start) / 1000.0, rf_test_program_status (program, "VmRSS:"),
                    rf_test_program_status (program, "RssAnon:"));
    g_autofree char *reason = rf_test_program_wait_reverted (program, id, 60);
    g_assert_cmpstr (reason, ==, "timeout");
    g_assert_cmpint (g_get_monotonic_time () - applied, >=, 14 * G_USEC_PER_SEC);
    rf_test_live_assert_as_before (live);

    g_autofree char *second = rf_test_program_apply (program, "vm.swappiness 100\nvm.dirty bytes:536870912", 60);
    rf_test_program_end (program, SIGKILL);
    rf_test_program_start (program);
    rf_test_live_assert_as_before (live);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/live/sysctls", test_sysctls);
    g_test_add_func ("/live/together", test_together);
    g_test_add_func ("/live/dirty-modes", test_dirty_modes);
    g_test_add_func ("/live/readahead", test_readahead);
    g_test_add_func ("/live/zram", test_zram);
    g_test_add_func ("/live/program", test_program);
    return g_test_run ();
}
