#define G_LOG_DOMAIN "test-journal"
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rf-file.h"
#include "rf-test-rig.h"

#define JOURNAL "var/lib/ruckelfrei/journal"

static RfRecord *
add_record (RfTestRig *rig, RfRecordState state)
{
    g_autoptr (RfPlan) plan = rf_test_plan ("vm.swappiness 100");
    g_autofree char *id = rf_journal_new_id (rig->journal);
    RfRecord *record = rf_record_new_from_plan (plan, id, 1);
    record->state = state;
    g_assert_true (rf_journal_add (rig->journal, record, NULL));
    return record;
}

static char *
record_path (RfTestRig *rig, const RfRecord *record)
{
    g_autofree char *relative = g_strdup_printf (JOURNAL "/%s.record", record->id);
    return rf_test_tree_path (rig->tree, relative);
}

static void
test_modes (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autofree char *folder = rf_test_tree_path (rig->tree, JOURNAL);
    g_autofree char *file = record_path (rig, add_record (rig, RF_RECORD_PENDING));
    struct stat info;
    g_assert_cmpint (stat (folder, &info), ==, 0);
    g_assert_cmpint (info.st_mode & 07777, ==, 0700);
    g_assert_cmpint (stat (file, &info), ==, 0);
    g_assert_cmpint (info.st_mode & 07777, ==, 0600);
}

static void
test_reload (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autofree char *first = g_strdup (add_record (rig, RF_RECORD_KEPT)->id);
    g_autofree char *second = g_strdup (add_record (rig, RF_RECORD_TRIAL)->id);
    rf_test_tree_set (rig->tree, JOURNAL "/.half.record.tmp", "left by a crash");
    rf_test_rig_reopen (rig);
    g_assert_cmpuint (rf_journal_records (rig->journal)->len, ==, 2);
    g_assert_nonnull (rf_journal_find (rig->journal, first));
    g_assert_cmpstr (rf_journal_find_state (rig->journal, RF_RECORD_TRIAL)->id, ==, second);
    g_assert_null (rf_journal_find_state (rig->journal, RF_RECORD_KEEPING));
    g_assert_false (rf_test_tree_exists (rig->tree, JOURNAL "/.half.record.tmp"));
}

/* What could not be written is not believed either. */
static void
test_failed_save (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    RfRecord *record = add_record (rig, RF_RECORD_TRIAL);
    rf_test_tree_remove (rig->tree, JOURNAL);
    g_assert_false (rf_journal_set_state (rig->journal, record, RF_RECORD_KEPT, RF_REASON_USER, &error));
    g_assert_nonnull (error);
    g_assert_cmpint (record->state, ==, RF_RECORD_TRIAL);
    g_assert_cmpint (record->reason, ==, RF_REASON_NONE);
}

/* A record that could not be read again is not begun. */
static void
test_unreadable (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    g_autoptr (RfPlan) plan = rf_test_plan ("block.scheduler@nvme0n1 none");
    g_autofree char *id = rf_journal_new_id (rig->journal);
    g_autoptr (RfRecord) record = rf_record_new_from_plan (plan, id, 1);
    ((RfRecordEntry *)g_ptr_array_index (record->entries, 0))->stable_id = g_strdup ("caf\xc3\xa9");
    g_assert_false (rf_journal_add (rig->journal, record, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_JOURNAL);
    g_assert_cmpuint (rf_journal_records (rig->journal)->len, ==, 0);
}

typedef void (*Spoil) (RfTestRig *rig, const char *path);

static void
spoil_link (RfTestRig *rig, const char *path)
{
    g_autofree char *moved = rf_test_tree_path (rig->tree, "elsewhere");
    g_assert_cmpint (rename (path, moved), ==, 0);
    g_assert_cmpint (symlink (moved, path), ==, 0);
}

static void
spoil_owner (RfTestRig *rig, const char *path)
{
    /* only root can give a file away; for others the mode must do */
    if (geteuid () != 0 || chown (path, 12345, 12345) != 0)
        g_assert_cmpint (chmod (path, 0666), ==, 0);
}

static void
spoil_mode (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (chmod (path, 0620), ==, 0);
}

static void
spoil_truncate (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (truncate (path, 100), ==, 0);
}

static void
spoil_empty (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (truncate (path, 0), ==, 0);
}

static void
spoil_value (RfTestRig *rig, const char *path)
{
    g_autofree char *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    char *value = strstr (text, "ours=100");
    g_assert_nonnull (value);
    value[5] = '2';
    g_assert_true (rf_file_replace (path, text, 0600, NULL));
}

static void
spoil_name (RfTestRig *rig, const char *path)
{
    g_autofree char *other = rf_test_tree_path (rig->tree, JOURNAL "/20260101T000000Z-00000001.record");
    g_assert_cmpint (rename (path, other), ==, 0);
}

static void
spoil_folder (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (unlink (path), ==, 0);
    g_assert_cmpint (mkdir (path, 0700), ==, 0);
}

/* A record that cannot be trusted: said clearly, kept, and nothing new is begun. */
static void
test_untrusted (void)
{
    static const Spoil ways[]
        = {spoil_link, spoil_owner, spoil_mode, spoil_truncate, spoil_empty, spoil_value, spoil_name, spoil_folder};
    for (gsize i = 0; i < G_N_ELEMENTS (ways); i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        g_autoptr (GError) error = NULL;
        g_autofree char *path = record_path (rig, add_record (rig, RF_RECORD_KEPT));
        ways[i](rig, path);
        rf_test_rig_reopen (rig);
        g_assert_cmpuint (rf_journal_records (rig->journal)->len, ==, 0);
        g_assert_false (rf_journal_check (rig->journal, &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_JOURNAL);
        g_assert_nonnull (strstr (error->message, ".record"));
        g_clear_error (&error);
        g_assert_null (rf_test_rig_try_apply (rig, "vm.swappiness 90", &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_JOURNAL);
        rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "60\n");

        /* force puts it aside, never away */
        g_assert_true (rf_journal_set_aside (rig->journal, NULL));
        g_assert_true (rf_journal_check (rig->journal, NULL));
        g_autofree char *dump = rf_test_tree_dump (rig->tree, JOURNAL);
        g_assert_nonnull (strstr (dump, ".damaged"));
        rf_test_rig_reopen (rig);
        g_assert_true (rf_journal_check (rig->journal, NULL));
    }
}

static void
test_newer_format (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    RfRecord *record = add_record (rig, RF_RECORD_KEPT);
    g_autofree char *path = record_path (rig, record);
    g_autofree char *text = rf_record_to_keyfile (record);
    const char *sum = strstr (text, "\n[checksum]\n");
    g_autofree char *old_body = g_strndup (text, (gsize)(sum - text));
    char *number = strstr (old_body, "format=1");
    number[7] = '7';
    g_autofree char *check = g_compute_checksum_for_string (G_CHECKSUM_SHA256, old_body, -1);
    g_autofree char *newer = g_strdup_printf ("%s\n[checksum]\nsha256=%s\n", old_body, check);
    g_assert_true (rf_file_replace (path, newer, 0600, NULL));
    rf_test_rig_reopen (rig);
    g_assert_false (rf_journal_check (rig->journal, &error));
    g_assert_nonnull (strstr (error->message, "newer"));
    /* not even force touches it: a newer version knows what to do with it */
    g_assert_false (rf_journal_set_aside (rig->journal, NULL));
    g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_folder_refused (void)
{
    static const struct {
        const char *what;
        mode_t mode;
        gboolean link;
    } rows[] = {{"open to others", 0755, FALSE}, {"a link", 0, TRUE}};
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        g_autoptr (GError) error = NULL;
        g_autofree char *folder = rf_test_tree_path (rig->tree, JOURNAL);
        if (rows[i].link) {
            rf_test_tree_remove (rig->tree, JOURNAL);
            rf_test_tree_mkdir (rig->tree, "elsewhere");
            rf_test_tree_symlink (rig->tree, JOURNAL, "../../../elsewhere");
        } else {
            g_assert_cmpint (chmod (folder, rows[i].mode), ==, 0);
        }
        g_assert_null (rf_journal_open (rig->machine, &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_JOURNAL);
    }
}

/* Two in one second, and a clock that went back: newest first must stay newest first. */
static void
test_order (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (RfPlan) plan = rf_test_plan ("vm.swappiness 100");
    g_assert_true (rf_journal_add (rig->journal, rf_record_new_from_plan (plan, "29991231T235959Z-00000fff", 1), NULL));
    for (guint i = 0; i < 20; i++) {
        const RfRecord *record = add_record (rig, RF_RECORD_KEPT);
        const GPtrArray *records = rf_journal_records (rig->journal);
        g_assert_true (g_ptr_array_index (records, records->len - 1) == record);
        g_assert_true (rf_record_id_valid (record->id));
    }
}

static void
test_prune (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autofree char *kept = g_strdup (add_record (rig, RF_RECORD_KEPT)->id);
    for (guint i = 0; i < RF_JOURNAL_MAX_HISTORY + 20; i++)
        add_record (rig, RF_RECORD_REVERTED);
    g_assert_cmpuint (rf_journal_records (rig->journal)->len, <=, RF_JOURNAL_MAX_HISTORY + 2);
    g_assert_nonnull (rf_journal_find (rig->journal, kept));
    g_autofree char *folder = rf_test_tree_path (rig->tree, JOURNAL);
    g_auto (GStrv) names = rf_sysroot_list (rig->machine->files, JOURNAL);
    g_assert_cmpuint (g_strv_length (names), ==, rf_journal_records (rig->journal)->len);
}

static void
test_full (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    g_autoptr (RfPlan) plan = rf_test_plan ("vm.swappiness 100");
    for (guint i = 0; i < RF_JOURNAL_MAX; i++)
        add_record (rig, RF_RECORD_KEPT);
    g_autofree char *id = rf_journal_new_id (rig->journal);
    g_autoptr (RfRecord) record = rf_record_new_from_plan (plan, id, 1);
    g_assert_false (rf_journal_add (rig->journal, record, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_LIMIT);
}

static void
test_lock (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    g_auto (RfAutoFd) first = -1;
    g_auto (RfAutoFd) second = -1;
    g_assert_true (rf_journal_lock (rig->machine, 0, &first, NULL));
    g_assert_false (rf_journal_lock (rig->machine, 100, &second, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_BUSY);
    rf_file_close_fd (&first);
    g_assert_true (rf_journal_lock (rig->machine, 0, &second, NULL));
}

static void
test_file_replace (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autoptr (GError) error = NULL;
    rf_test_tree_set (tree, "folder/target", "theirs\n");
    rf_test_tree_symlink (tree, "folder/file", "target");
    g_autofree char *path = rf_test_tree_path (tree, "folder/file");
    /* a link is replaced, and what it points to stays */
    g_assert_true (rf_file_replace (path, "ours\n", 0644, NULL));
    g_autofree char *theirs = rf_test_tree_get (tree, "folder/target");
    g_assert_cmpstr (theirs, ==, "theirs\n");
    g_autofree char *ours = rf_file_read (path, TRUE, NULL, NULL);
    g_assert_cmpstr (ours, ==, "ours\n");
    g_autofree char *dump = rf_test_tree_dump (tree, "folder");
    g_assert_null (strstr (dump, ".tmp"));
    g_assert_true (rf_file_remove (path, NULL));
    g_assert_true (rf_file_remove (path, NULL));
    g_autofree char *nowhere = rf_test_tree_path (tree, "nowhere/file");
    g_assert_false (rf_file_replace (nowhere, "x", 0644, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/helper/journal/modes", test_modes);
    g_test_add_func ("/helper/journal/reload", test_reload);
    g_test_add_func ("/helper/journal/failed-save", test_failed_save);
    g_test_add_func ("/helper/journal/unreadable", test_unreadable);
    g_test_add_func ("/helper/journal/untrusted", test_untrusted);
    g_test_add_func ("/helper/journal/newer-format", test_newer_format);
    g_test_add_func ("/helper/journal/folder-refused", test_folder_refused);
    g_test_add_func ("/helper/journal/order", test_order);
    g_test_add_func ("/helper/journal/prune", test_prune);
    g_test_add_func ("/helper/journal/full", test_full);
    g_test_add_func ("/helper/journal/lock", test_lock);
    g_test_add_func ("/helper/file/replace", test_file_replace);
    return g_test_run ();
}
