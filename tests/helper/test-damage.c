/* Files of the helper that are not what it has written: torn, flipped, from a future version, links, pipes, devices,
 * somebody else's. Refused with a clear word, never obeyed, never lost, and nothing else is held up by them. */
#define G_LOG_DOMAIN "test-damage"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rf-file.h"
#include "rf-test-rig.h"

#define JOURNAL "var/lib/ruckelfrei/journal"
#define SYSCTL_FILE "etc/sysctl.d/99-zz-ruckelfrei.conf"
#define UDEV_FILE "etc/udev/rules.d/99-zz-ruckelfrei.rules"
#define MARKER "run/ruckelfrei/zram"
#define SECRET "root:secret:1:2:3\n"

static char *
sample (RfTestRig *rig)
{
    RfRecord *record = rf_test_rig_apply (rig, "vm.dirty bytes:268435456\nblock.scheduler@nvme0n1 mq-deadline");
    char *text = rf_record_to_keyfile (record);
    rf_test_rig_revert (rig, record);
    return text;
}

static gboolean
refused (const char *text, gsize length)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfRecord) record = rf_record_from_keyfile (text, length, &error);
    return record == NULL && g_error_matches (error, RF_ERROR, RF_ERROR_JOURNAL) && error->message[0] != '\0';
}

static void
test_truncated (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autofree char *text = sample (rig);
    gsize length = strlen (text);
    g_assert_false (refused (text, length));
    for (gsize i = 0; i < length; i++)
        g_assert_true (refused (text, i));
    g_test_message ("%" G_GSIZE_FORMAT " lengths refused", length);
    g_assert_cmpuint (length, >=, 500);
}

static void
test_flipped (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autofree char *text = sample (rig);
    gsize length = strlen (text);
    guint n = 0;
    for (gsize i = 0; i < length; i++) {
        for (guint bit = 0; bit < 8; bit++, n++) {
            text[i] = (char)(text[i] ^ (1 << bit));
            g_assert_true (refused (text, length));
            text[i] = (char)(text[i] ^ (1 << bit));
        }
    }
    g_assert_false (refused (text, length));
    g_test_message ("%u flipped bits refused", n);
    g_assert_cmpuint (n, >=, 4000);
}

/* ---- one of two records is spoilt on disk ---- */

typedef struct {
    const char *name;
    void (*spoil) (RfTestRig *rig, const char *path);
    const char *word; /* of the complaint */
    gboolean root;    /* needs root */
} Damage;

static void
spoil_truncated (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (truncate (path, 200), ==, 0);
}

static void
spoil_empty (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (truncate (path, 0), ==, 0);
}

static void
spoil_flipped (RfTestRig *rig, const char *path)
{
    g_autofree char *text = NULL;
    gsize length = 0;
    g_assert_true (g_file_get_contents (path, &text, &length, NULL));
    text[length / 2] = (char)(text[length / 2] ^ 1);
    g_assert_true (rf_file_replace (path, text, 0600, NULL));
}

static void
spoil_newer (RfTestRig *rig, const char *path)
{
    g_autofree char *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    *strstr (text, "\n[checksum]\n") = '\0';
    strstr (text, "format=1")[7] = '2';
    g_autofree char *check = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
    g_autofree char *newer = g_strdup_printf ("%s\n[checksum]\nsha256=%s\n", text, check);
    g_assert_true (rf_file_replace (path, newer, 0600, NULL));
}

static void
link_to (RfTestRig *rig, const char *path, const char *target)
{
    g_assert_cmpint (unlink (path), ==, 0);
    g_assert_cmpint (symlink (target, path), ==, 0);
}

static void
spoil_link (RfTestRig *rig, const char *path)
{
    g_autofree char *moved = rf_test_tree_path (rig->tree, "elsewhere");
    g_assert_cmpint (rename (path, moved), ==, 0);
    g_assert_cmpint (symlink (moved, path), ==, 0);
}

static void
spoil_link_secret (RfTestRig *rig, const char *path)
{
    g_autofree char *secret = rf_test_tree_path (rig->tree, "etc/shadow");
    link_to (rig, path, secret);
}

static void
spoil_link_folder (RfTestRig *rig, const char *path)
{
    g_autofree char *folder = rf_test_tree_path (rig->tree, "etc");
    link_to (rig, path, folder);
}

static void
spoil_link_nowhere (RfTestRig *rig, const char *path)
{
    link_to (rig, path, "/nowhere/at/all");
}

static void
spoil_hard_link (RfTestRig *rig, const char *path)
{
    g_autofree char *other = rf_test_tree_path (rig->tree, "elsewhere");
    g_assert_cmpint (link (path, other), ==, 0);
}

static void
spoil_pipe (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (unlink (path), ==, 0);
    g_assert_cmpint (mkfifo (path, 0600), ==, 0);
}

static void
spoil_device (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (unlink (path), ==, 0);
    /* /dev/zero: an endless file */
    g_assert_cmpint (mknod (path, S_IFCHR | 0600, makedev (1, 5)), ==, 0);
}

static void
spoil_folder (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (unlink (path), ==, 0);
    g_assert_cmpint (mkdir (path, 0700), ==, 0);
}

static void
spoil_owner (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (chown (path, 12345, 12345), ==, 0);
}

static void
spoil_mode (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (chmod (path, 0666), ==, 0);
}

static void
spoil_huge (RfTestRig *rig, const char *path)
{
    g_assert_cmpint (truncate (path, 1024 * 1024 * 1024), ==, 0);
}

static void
spoil_name (RfTestRig *rig, const char *path)
{
    g_autofree char *other = rf_test_tree_path (rig->tree, JOURNAL "/two\nlines \xff\x1b[31m'\";.record");
    g_assert_cmpint (rename (path, other), ==, 0);
}

static const Damage damages[] = {
    {"truncated", spoil_truncated, "damaged", FALSE},
    {"empty", spoil_empty, "damaged", FALSE},
    {"flipped", spoil_flipped, "damaged", FALSE},
    {"newer", spoil_newer, "newer version", FALSE},
    {"link", spoil_link, "symbolic link", FALSE},
    {"link-secret", spoil_link_secret, "symbolic link", FALSE},
    {"link-folder", spoil_link_folder, "symbolic link", FALSE},
    {"link-nowhere", spoil_link_nowhere, "symbolic link", FALSE},
    {"hard-link", spoil_hard_link, "another name", FALSE},
    {"pipe", spoil_pipe, "not a regular file", FALSE},
    {"device", spoil_device, "not a regular file", TRUE},
    {"folder", spoil_folder, "not a regular file", FALSE},
    {"owner", spoil_owner, "another user", TRUE},
    {"mode", spoil_mode, "another user", FALSE},
    {"huge", spoil_huge, "too long", FALSE},
    {"name", spoil_name, "another file's id", FALSE},
};

/* What lies at all names of the journal but @except, with type, size and link, whatever the names are. */
static char *
look_at_journal (RfTestRig *rig, const char *except)
{
    g_auto (GStrv) names = rf_sysroot_list (rig->machine->files, JOURNAL);
    GString *out = g_string_new (NULL);
    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *relative = g_build_filename (JOURNAL, names[i], NULL);
        g_autofree char *path = rf_test_tree_path (rig->tree, relative);
        g_autofree char *target = g_file_read_link (path, NULL);
        struct stat info;
        g_assert_cmpint (lstat (path, &info), ==, 0);
        if (g_strcmp0 (names[i], except) != 0)
            g_string_append_printf (out, "%o %" G_GINT64_FORMAT " %s\n", info.st_mode, (gint64)info.st_size,
                                    target != NULL ? target : "");
    }
    return g_string_free (out, FALSE);
}

static void
assert_other_files (RfTestRig *rig)
{
    rf_test_rig_assert_file (rig, "etc/shadow", SECRET);
}

static void
test_damage (gconstpointer data)
{
    const Damage *damage = data;
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) touched = NULL, forced = NULL;
    if (damage->root && geteuid () != 0) {
        g_test_skip ("needs root");
        return;
    }
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_tree_set (rig->tree, "etc/shadow", SECRET);
    RfRecord *good = rf_test_rig_apply (rig, "vm.page-cluster 0");
    rf_test_rig_keep (rig, good);
    RfRecord *bad = rf_test_rig_apply (rig, "vm.swappiness 100");
    rf_test_rig_keep (rig, bad);
    g_autofree char *good_name = g_strconcat (good->id, ".record", NULL);
    g_autofree char *relative = g_strdup_printf (JOURNAL "/%s.record", bad->id);
    g_autofree char *path = rf_test_tree_path (rig->tree, relative);
    damage->spoil (rig, path);
    g_autofree char *spoilt = look_at_journal (rig, good_name);

    /* the word, in letters that any terminal and the bus can take */
    rf_test_rig_reopen (rig);
    g_assert_cmpuint (rf_journal_records (rig->journal)->len, ==, 1);
    g_assert_false (rf_journal_check (rig->journal, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_JOURNAL);
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, damage->word));
    for (const char *p = error->message; *p != '\0'; p++)
        g_assert_true (g_ascii_isprint (*p));
    g_clear_error (&error);
    g_assert_null (rf_test_rig_try_apply (rig, "vm.swappiness 90", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_JOURNAL);
    g_clear_error (&error);

    /* the other record goes back, and the file is as it was found */
    rf_recovery_run (rig->machine, rig->facts, rig->journal, TRUE, NULL);
    g_assert_false (rf_reverter_run_all (rig->machine, rig->facts, rig->journal, FALSE, RF_REASON_USER, NULL, &touched,
                                         &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_JOURNAL);
    g_assert_nonnull (strstr (error->message, damage->word));
    g_clear_error (&error);
    rf_test_rig_assert_file (rig, "proc/sys/vm/page-cluster", "3\n");
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "100\n");
    g_autofree char *left = look_at_journal (rig, good_name);
    g_assert_cmpstr (left, ==, spoilt);
    assert_other_files (rig);

    /* with force it is put aside, not away, and the journal works again; but for what a newer version has written */
    gboolean newer = g_str_equal (damage->name, "newer");
    gboolean ok = rf_reverter_run_all (rig->machine, rig->facts, rig->journal, TRUE, RF_REASON_USER, NULL, &forced,
                                       &error);
    g_assert_cmpint (ok, ==, !newer);
    g_autofree char *aside = look_at_journal (rig, good_name);
    g_assert_cmpstr (aside, ==, spoilt);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    rf_test_rig_reopen (rig);
    g_assert_cmpint (rf_journal_check (rig->journal, NULL), ==, !newer);
    assert_other_files (rig);
}

/* The same name is put aside twice: the first one stays. */
static void
test_aside_twice (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    for (guint i = 0; i < 3; i++) {
        g_autofree char *text = g_strdup_printf ("damaged in way %u\n", i);
        rf_test_tree_set (rig->tree, JOURNAL "/20260101T000000Z-00000001.record", text);
        g_autofree char *path = rf_test_tree_path (rig->tree, JOURNAL "/20260101T000000Z-00000001.record");
        g_assert_cmpint (chmod (path, 0600), ==, 0);
        rf_test_rig_reopen (rig);
        g_assert_true (rf_journal_set_aside (rig->journal, NULL));
    }
    g_autofree char *dump = rf_test_tree_dump (rig->tree, JOURNAL);
    for (guint i = 0; i < 3; i++) {
        g_autofree char *text = g_strdup_printf ("damaged in way %u\n", i);
        g_assert_nonnull (strstr (dump, text));
    }
}

/* ---- our files below /etc and /run are something else ---- */

static void
put_at (RfTestRig *rig, const char *relative, guint what)
{
    g_autofree char *path = rf_test_tree_path (rig->tree, relative);
    g_autofree char *folder = g_path_get_dirname (path);
    g_autofree char *secret = rf_test_tree_path (rig->tree, "etc/shadow");
    g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
    rf_test_tree_remove (rig->tree, relative);
    if (what == 0)
        g_assert_cmpint (symlink (secret, path), ==, 0);
    else if (what == 1)
        g_assert_cmpint (symlink ("/nowhere/at/all", path), ==, 0);
    else if (what == 2)
        g_assert_cmpint (mkfifo (path, 0644), ==, 0);
    else if (what == 3)
        g_assert_cmpint (mkdir (path, 0755), ==, 0);
    else
        g_assert_cmpint (link (secret, path), ==, 0);
}

#define N_WHAT 5

/* Keeping writes through none of them: it is refused, or (a second name of a file) only the name is replaced. */
static void
test_places (void)
{
    static const char *const places[] = {SYSCTL_FILE, UDEV_FILE};
    for (gsize i = 0; i < G_N_ELEMENTS (places); i++) {
        for (guint what = 0; what < N_WHAT; what++) {
            g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
            g_autoptr (GError) error = NULL;
            rf_test_tree_set (rig->tree, "etc/shadow", SECRET);
            put_at (rig, places[i], what);
            /* a dump would wait for somebody who writes into the pipe */
            g_autofree char *etc = what != 2 ? rf_test_tree_dump (rig->tree, "etc") : NULL;
            RfRecord *record = rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline\nvm.swappiness 100");
            gboolean kept = rf_keeper_run (rig->machine, rig->facts, rig->journal, record, &error);
            g_assert_cmpint (kept, ==, what == 4);
            if (!kept) {
                g_assert_error (error, RF_ERROR, RF_ERROR_FOREIGN);
                g_assert_nonnull (strstr (error->message, "99-zz-ruckelfrei"));
                g_assert_cmpint (record->state, ==, RF_RECORD_TRIAL);
            }
            assert_other_files (rig);
            rf_test_rig_revert (rig, record);
            rf_test_rig_assert_as_before (rig);
            if (what == 2)
                continue;
            g_autofree char *etc_now = rf_test_tree_dump (rig->tree, "etc");
            /* a folder that was missing may have been made */
            g_assert_true (what == 4 || g_str_equal (etc_now, etc) || strstr (etc_now, "# Written") == NULL);
            assert_other_files (rig);
        }
    }
}

/* The temporary name is taken by something that leads elsewhere. */
static void
test_temporary (void)
{
    for (guint what = 0; what < N_WHAT; what++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        g_autoptr (GError) error = NULL;
        rf_test_tree_set (rig->tree, "etc/shadow", SECRET);
        put_at (rig, "etc/sysctl.d/.99-zz-ruckelfrei.conf.tmp", what);
        RfRecord *record = rf_test_rig_apply (rig, "vm.swappiness 100");
        gboolean kept = rf_keeper_run (rig->machine, rig->facts, rig->journal, record, &error);
        /* a folder is in the way, which is said; anything else makes room */
        g_assert_cmpint (kept, ==, what != 3);
        g_assert_true (kept || strstr (error->message, "temporary file") != NULL);
        assert_other_files (rig);
        rf_test_rig_revert (rig, record);
        g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
        assert_other_files (rig);
    }
}

/* A marker that the helper has not written names no device: nothing is read through it, nothing waits, nobody's swap is
 * taken away for it. */
static void
test_marker (void)
{
    const char *line = "zram0 4294967296 zstd 100\n";
    for (guint what = 0; what < 6; what++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        g_autofree char *path = rf_test_tree_path (rig->tree, MARKER);
        RfValue value;
        /* somebody's swap, and a marker's text that fits it */
        rf_test_tree_apply (rig->tree, "= sys/block/zram0/disksize 4294967296\n= sys/block/zram0/initstate 1\n");
        rf_test_tree_set (rig->tree, "etc/shadow", line);
        if (what < N_WHAT - 1) {
            put_at (rig, MARKER, what);
        } else {
            rf_test_tree_set (rig->tree, MARKER, line);
            g_assert_cmpint (what == 4 ? chmod (path, 0666) : geteuid () == 0 ? chown (path, 12345, 12345)
                                                                             : chmod (path, 0622), ==, 0);
        }
        rf_test_rig_reopen (rig);
        RfTarget target = {rig->machine, rig->facts, rf_tunable_find ("swap.zram"), ""};
        RfValue absent = rf_value_absent ();
        g_assert_cmpint (rig->facts->zram_owner, !=, RF_ZRAM_OWNER_OURS);
        g_assert_true (rf_backend_read (&target, &value, NULL));
        g_assert_cmpint (value.kind, ==, RF_VALUE_ABSENT);
        rf_backend_set (&target, &absent, NULL, &value, NULL);
        rf_test_rig_assert_file (rig, "sys/block/zram0/disksize", "4294967296\n");
        rf_test_rig_assert_file (rig, "etc/shadow", line);
    }
}

/* The folder cannot be listed: that is no empty journal. */
static void
test_folder_unreadable (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "vm.swappiness 100"));
    pid_t pid = fork ();
    if (pid == 0) {
        /* no descriptor left: the folder exists and cannot be opened */
        while (open ("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
            ;
        g_autoptr (GError) error = NULL;
        RfJournal *journal = rf_journal_open (rig->machine, &error);
        _exit (journal == NULL && error != NULL && strstr (error->message, "journal") != NULL ? 0 : 1);
    }
    int status = 0;
    g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
    g_assert_true (WIFEXITED (status));
    g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

/* One of two kept records cannot be read for once: neither a recovery nor taking the other one back drops its lines, and
 * when it can be read again everything is as the journal says. Taking everything back drops them. */
static void
test_lines_stay (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *lost = rf_test_rig_apply (rig, "vm.swappiness 100\nblock.scheduler@nvme0n1 mq-deadline");
    rf_test_rig_keep (rig, lost);
    g_autofree char *relative = g_strdup_printf (JOURNAL "/%s.record", lost->id);
    g_autofree char *path = rf_test_tree_path (rig->tree, relative);
    RfRecord *other = rf_test_rig_apply (rig, "vm.page-cluster 0");
    rf_test_rig_keep (rig, other);
    rf_test_rig_apply (rig, "vm.watermark_scale_factor 60");
    g_autofree char *file = rf_test_tree_get (rig->tree, SYSCTL_FILE);
    g_autofree char *rules = rf_test_tree_get (rig->tree, UDEV_FILE);

    g_assert_cmpint (chmod (path, 0666), ==, 0);
    rf_test_rig_reopen (rig);
    g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, FALSE, NULL));
    g_autofree char *file_now = rf_test_tree_get (rig->tree, SYSCTL_FILE);
    rf_test_rig_assert_file (rig, UDEV_FILE, rules);
    g_assert_nonnull (strstr (file_now, "vm.swappiness = 100\n"));
    g_assert_nonnull (strstr (file_now, "vm.page-cluster = 0\n"));
    g_assert_cmpuint (strlen (file_now), ==, strlen (file));
    g_assert_cmpuint (rf_journal_records (rig->journal)->len, ==, 2);
    rf_test_rig_revert (rig, g_ptr_array_index (rf_journal_records (rig->journal), 0));
    g_autofree char *after = rf_test_tree_get (rig->tree, SYSCTL_FILE);
    g_assert_nonnull (strstr (after, "vm.swappiness = 100\n"));
    g_assert_null (strstr (after, "page-cluster"));
    rf_test_rig_assert_file (rig, UDEV_FILE, rules);

    g_assert_cmpint (chmod (path, 0600), ==, 0);
    rf_test_rig_reopen (rig);
    g_assert_true (rf_journal_check (rig->journal, NULL));
    g_auto (RfPersistTexts) texts = {{NULL}};
    rf_persist_render (rf_journal_records (rig->journal), FALSE, &texts);
    rf_test_rig_assert_file (rig, SYSCTL_FILE, texts.text[RF_PERSIST_SYSCTL]);
    rf_test_rig_revert (rig, g_ptr_array_index (rf_journal_records (rig->journal), 0));
    rf_test_rig_assert_as_before (rig);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    g_assert_false (rf_test_tree_exists (rig->tree, UDEV_FILE));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/helper/damage/truncated-anywhere", test_truncated);
    g_test_add_func ("/helper/damage/flipped-anywhere", test_flipped);
    for (gsize i = 0; i < G_N_ELEMENTS (damages); i++) {
        g_autofree char *path = g_strconcat ("/helper/damage/record/", damages[i].name, NULL);
        g_test_add_data_func (path, &damages[i], test_damage);
    }
    g_test_add_func ("/helper/damage/aside-twice", test_aside_twice);
    g_test_add_func ("/helper/damage/lines-stay", test_lines_stay);
    g_test_add_func ("/helper/damage/places", test_places);
    g_test_add_func ("/helper/damage/temporary", test_temporary);
    g_test_add_func ("/helper/damage/marker", test_marker);
    g_test_add_func ("/helper/damage/folder-unreadable", test_folder_unreadable);
    return g_test_run ();
}
