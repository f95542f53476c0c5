/* What tracing says where it cannot work, and what it asks the machine: on a folder that stands for it. The rest needs
 * the real kernel, see tests/live/test-live-trace.c. */
#define G_LOG_DOMAIN "test-trace"
#include "config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rf-error.h"
#include "rf-test-tree.h"
#include "rf-trace-lookup.h"
#include "rf-trace.h"

#define TRACEFS "sys/kernel/tracing"

static void
assert_fails (RfTestTree *tree, RfError code, const char *says)
{
    g_autoptr (GError) error = NULL;
    RfTraceOptions options = {.block = TRUE, .slow_io_us = 5000, .sysroot = rf_test_tree_sysroot (tree)};
    g_assert_null (rf_trace_new (&options, &error));
    g_assert_error (error, RF_ERROR, (int)code);
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, says));
}

static void
no_tracefs (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    assert_fails (tree, RF_ERROR_UNAVAILABLE, "no tracefs is mounted");
    /* the folder is there, nothing is mounted on it */
    rf_test_tree_mkdir (tree, TRACEFS);
    assert_fails (tree, RF_ERROR_UNAVAILABLE, "no tracefs is mounted");
}

static void
incomplete (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    /* a kernel fills the folder that is made here; a plain file system does not. The older place is found, too. */
    rf_test_tree_mkdir (tree, "sys/kernel/debug/tracing/instances");
    rf_test_tree_mkdir (tree, "sys/kernel/debug/tracing/instances/ruckelfrei-4711");
    rf_test_tree_mkdir (tree, "sys/kernel/debug/tracing/instances/ruckelfrei-other");
    rf_test_tree_mkdir (tree, "sys/kernel/debug/tracing/instances/somebody");
    assert_fails (tree, RF_ERROR_UNAVAILABLE, "tracing_on");
    /* what a dead helper has left is gone, ours too, and nothing else */
    g_autofree char *after = rf_test_tree_dump (tree, "sys/kernel/debug/tracing/instances");
    g_assert_null (strstr (after, "ruckelfrei-4711"));
    g_assert_nonnull (strstr (after, "ruckelfrei-other"));
    g_assert_nonnull (strstr (after, "somebody"));
    g_autofree char *mine = g_strdup_printf ("ruckelfrei-%d", (int)getpid ());
    g_assert_null (strstr (after, mine));
}

static void
not_allowed (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_mkdir (tree, TRACEFS "/instances");
    g_autofree char *path = rf_test_tree_path (tree, TRACEFS "/instances");
    g_assert_cmpint (chmod (path, 0500), ==, 0);
    assert_fails (tree, RF_ERROR_NOT_AUTHORIZED, "only root");
    g_assert_cmpint (chmod (path, 0700), ==, 0);
}

static void
threads (void)
{
    static const struct {
        gint32 tid;
        gboolean found;
        gint32 pid;
        const char *name;
    } table[] = {
        {123, TRUE, 120, "frame"},
        {124, TRUE, 124, "a\\b\nc"},       /* as the kernel escapes it */
        {125, TRUE, 1, "a_name_of_15_by"}, /* cut to what a name can have */
        {126, FALSE, 0, ""},               /* no process number */
        {127, FALSE, 0, ""},               /* nonsense */
        {128, FALSE, 0, ""},               /* gone, and not in the table */
        {555, TRUE, 0, "basename x"},      /* gone, but in the table */
        {0, FALSE, 0, ""},
        {-1, FALSE, 0, ""},
    };
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_set (tree, "proc/123/status", "Name:\tframe\nUmask:\t0022\nTgid:\t120\nPid:\t123\n");
    rf_test_tree_set (tree, "proc/124/status", "Name:\ta\\\\b\\nc\nTgid:\t124\n");
    rf_test_tree_set (tree, "proc/125/status", "Name:\ta_name_of_15_bytes_and_more_than_that_is_no_name\nTgid:\t1\n");
    rf_test_tree_set (tree, "proc/126/status", "Name:\tx\nTgid:\t-4\n");
    rf_test_tree_set (tree, "proc/127/status", "\xff\xfe\n\n");
    rf_test_tree_set (tree, TRACEFS "/saved_cmdlines", "12 555\n555 basename x\nnonsense\n5555 other\n");
    g_autoptr (RfTraceLookup) lookup = rf_trace_lookup_new (rf_test_tree_sysroot (tree), TRACEFS);
    rf_trace_lookup_begin_round (lookup, 1);
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        RfTraceThread thread = {0};
        g_assert_cmpint (rf_trace_lookup_thread (lookup, table[i].tid, &thread), ==, table[i].found);
        g_assert_cmpint (thread.pid, ==, table[i].pid);
        g_assert_cmpstr (thread.name, ==, table[i].name);
    }
}

static void
threads_are_bounded (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    RfTraceThread thread;
    for (guint i = 1; i <= 100; i++) {
        g_autofree char *path = g_strdup_printf ("proc/%u/status", i);
        rf_test_tree_set (tree, path, "Name:\told\nTgid:\t7\n");
    }
    g_autoptr (RfTraceLookup) lookup = rf_trace_lookup_new (rf_test_tree_sysroot (tree), TRACEFS);
    rf_trace_lookup_begin_round (lookup, 1);
    guint found = 0;
    for (gint32 tid = 1; tid <= 100; tid++)
        found += rf_trace_lookup_thread (lookup, tid, &thread);
    g_assert_cmpuint (found, ==, RF_TRACE_LOOKUPS);
    /* what is known is not asked again, for a second */
    rf_test_tree_set (tree, "proc/1/status", "Name:\tnew\nTgid:\t7\n");
    g_assert_true (rf_trace_lookup_thread (lookup, 1, &thread));
    g_assert_cmpstr (thread.name, ==, "old");
    g_assert_false (rf_trace_lookup_thread (lookup, 100, &thread));
    rf_trace_lookup_begin_round (lookup, 2 * G_GINT64_CONSTANT (1000000000));
    g_assert_true (rf_trace_lookup_thread (lookup, 1, &thread));
    g_assert_cmpstr (thread.name, ==, "new");
    g_assert_true (rf_trace_lookup_thread (lookup, 100, &thread));
}

/* many threads in the kernel's table: more than is read at once */
static void
threads_in_a_long_table (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autoptr (GString) text = g_string_new (NULL);
    RfTraceThread thread = {0};
    for (guint i = 1000; i < 8000; i++)
        g_string_append_printf (text, "%u name%u\n", i, i);
    rf_test_tree_mkdir (tree, "proc");
    rf_test_tree_set (tree, TRACEFS "/saved_cmdlines", text->str);
    g_autoptr (RfTraceLookup) lookup = rf_trace_lookup_new (rf_test_tree_sysroot (tree), TRACEFS);
    static const gint32 asked[] = {1000, 1500, 7999, 8000};
    rf_trace_lookup_begin_round (lookup, 1);
    for (guint i = 0; i < G_N_ELEMENTS (asked); i++) {
        g_autofree char *name = g_strdup_printf ("name%d", asked[i]);
        g_assert_cmpint (rf_trace_lookup_thread (lookup, asked[i], &thread), ==, asked[i] < 8000);
        if (asked[i] < 8000)
            g_assert_cmpstr (thread.name, ==, name);
    }
}

static void
disks (void)
{
    static const struct {
        guint major, minor;
        const char *name;
    } table[] = {
        {8, 0, "sda"}, {8, 1, "sda"}, {259, 0, "nvme0n1"}, {259, 2, "nvme0n1"}, {104, 0, "cciss/c0d0"}, {9, 9, NULL},
    };
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, "=> sys/dev/block/8:0 -> ../../devices/pci0/ata1/block/sda\n"
                              "=> sys/dev/block/8:1 -> ../../devices/pci0/ata1/block/sda/sda1\n"
                              "= sys/devices/pci0/ata1/block/sda/sda1/partition 1\n"
                              "=> sys/dev/block/259:0 -> ../../devices/pci0/nvme/nvme0/nvme0n1\n"
                              "=> sys/dev/block/259:2 -> ../../devices/pci0/nvme/nvme0/nvme0n1/nvme0n1p2\n"
                              "= sys/devices/pci0/nvme/nvme0/nvme0n1/nvme0n1p2/partition 2\n"
                              "=> sys/dev/block/104:0 -> ../../devices/pci0/block/cciss!c0d0\n");
    g_autoptr (RfTraceLookup) lookup = rf_trace_lookup_new (rf_test_tree_sysroot (tree), TRACEFS);
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        char name[RF_TRACE_DISK_NAME] = "";
        gboolean found = rf_trace_lookup_disk (lookup, table[i].major, table[i].minor, name);
        g_assert_cmpint (found, ==, table[i].name != NULL);
        if (found)
            g_assert_cmpstr (name, ==, table[i].name);
    }
    /* the paths to a drive have numbers that no file tells */
    g_autoptr (RfTestTree) multipath = rf_test_tree_new ("nvme-multipath");
    g_autoptr (RfTraceLookup) hidden = rf_trace_lookup_new (rf_test_tree_sysroot (multipath), TRACEFS);
    char name[RF_TRACE_DISK_NAME] = "";
    g_assert_true (rf_trace_lookup_disk (hidden, 259, 77, name));
    g_assert_cmpstr (name, ==, "nvme0n1");
}

static void
filters (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    RfSysroot *sysroot = rf_test_tree_sysroot (tree);
    g_assert_null (rf_trace_lookup_filter (sysroot));
    /* characters have such names, too */
    rf_test_tree_set (
        tree, "proc/devices",
        "Character devices:\n  1 mem\n  7 loop\n\nBlock devices:\n  7 loop\n  8 sd\n253 zram\n254 virtblk\n");
    g_autofree char *filter = rf_trace_lookup_filter (sysroot);
    g_assert_cmpstr (filter, ==, "(dev < 7340032 || dev > 8388607) && (dev < 265289728 || dev > 266338303)");
    rf_test_tree_set (tree, "proc/devices", "Block devices:\n  8 sd\n99999999 loop\nx loop\n");
    g_assert_null (rf_trace_lookup_filter (sysroot));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/helper/trace/no-tracefs", no_tracefs);
    g_test_add_func ("/helper/trace/incomplete", incomplete);
    if (geteuid () != 0)
        g_test_add_func ("/helper/trace/not-allowed", not_allowed);
    g_test_add_func ("/helper/trace/threads", threads);
    g_test_add_func ("/helper/trace/threads-are-bounded", threads_are_bounded);
    g_test_add_func ("/helper/trace/long-table", threads_in_a_long_table);
    g_test_add_func ("/helper/trace/disks", disks);
    g_test_add_func ("/helper/trace/filter", filters);
    return g_test_run ();
}
