/* The folder of all recordings: what is shown of it, and that nothing but recordings is ever touched. */
#define G_LOG_DOMAIN "test-recordings"
#include "config.h"

#include "rf-archive.h"
#include "rf-error.h"
#include "rf-recordings.h"
#include "rf-test-tree.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST "20261130T180000Z"
#define SECOND "20261201T060000Z"
#define INI                                                                                                            \
    "[session]\nname=Evening flight\ncreated=2026-11-30T18:00:00Z\nended=2026-11-30T19:30:00Z\nend-reason=stopped\n"   \
    "source=helper\n"

static RfTestTree *
make (RfRecordings **recordings)
{
    RfTestTree *tree = rf_test_tree_new (NULL);
    g_autofree char *folder = rf_test_tree_path (tree, "sessions");
    rf_test_tree_set (tree, "sessions/" FIRST "/session.ini", INI);
    rf_test_tree_set (tree, "sessions/" FIRST "/samples.csv", "time_ns,a\n1,2\n");
    rf_test_tree_set (tree, "sessions/" SECOND "/session.ini", "[session]\nsource=window\ncreated=2026-12-01T06:00:00Z\n");
    rf_test_tree_set (tree, "sessions/" SECOND "/samples.csv", "# x\ntime_ns,a\n1000000000,2\n5000000000,3\n# gap 5 6 x\n7");
    *recordings = rf_recordings_new (folder);
    return tree;
}

static void
test_list (void)
{
    g_autoptr (RfRecordings) recordings = NULL;
    g_autoptr (RfTestTree) tree = make (&recordings);
    g_autoptr (GError) error = NULL;
    rf_test_tree_set (tree, "sessions/notes/session.ini", INI);
    rf_test_tree_set (tree, "sessions/file", "x");
    rf_test_tree_set (tree, "sessions/20261202T000000Z", "a file");
    rf_test_tree_mkdir (tree, "sessions/20261203T000000Z");
    rf_test_tree_symlink (tree, "sessions/20261204T000000Z", FIRST);
    rf_test_tree_set (tree, "sessions/20261205T000000Z/session.ini", "[session]\nsource=\n");
    g_autoptr (GPtrArray) list = rf_recordings_list (recordings, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (list->len, ==, 3);
    const RfRecordingSummary *damaged = list->pdata[0], *second = list->pdata[1], *first = list->pdata[2];
    g_assert_null (damaged->info);
    g_assert_nonnull (strstr (damaged->problem, "source"));
    g_assert_cmpstr (second->id, ==, SECOND);
    g_assert_cmpint (second->duration_us, ==, 4 * G_USEC_PER_SEC);
    g_assert_false (second->running);
    g_assert_cmpint (first->duration_us, ==, (gint64)90 * 60 * G_USEC_PER_SEC);
    g_assert_cmpuint (first->size_bytes, ==, strlen (INI) + strlen ("time_ns,a\n1,2\n"));
    g_autofree char *title = rf_recording_summary_title (first);
    g_assert_cmpstr (title, ==, "Evening flight");
    g_autofree char *untitled = rf_recording_summary_title (damaged);
    g_assert_cmpstr (untitled, ==, "20261205T000000Z");
}

static void
test_none (void)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autofree char *folder = rf_test_tree_path (tree, "a/b/sessions");
    g_autoptr (RfRecordings) recordings = rf_recordings_new (folder);
    g_autoptr (GPtrArray) list = rf_recordings_list (recordings, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (list->len, ==, 0);
    g_assert_null (rf_recordings_find (recordings, "last", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_UNKNOWN);
    g_clear_error (&error);
    /* made when it is needed, for nobody else to read */
    g_autofree char *id = rf_recordings_create (recordings, G_GINT64_CONSTANT (1796061600123456), NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (id, ==, FIRST);
    g_autofree char *again = rf_recordings_create (recordings, G_GINT64_CONSTANT (1796061600000000), NULL, &error);
    g_assert_cmpstr (again, ==, FIRST "-2");
    struct stat info;
    g_autofree char *path = rf_recordings_path (recordings, id);
    g_assert_cmpint (stat (path, &info), ==, 0);
    g_assert_cmpint ((int)(info.st_mode & 0777), ==, 0700);
    /* a file where the folder should be */
    rf_test_tree_set (tree, "file", "x");
    g_autofree char *file = rf_test_tree_path (tree, "file");
    g_autoptr (RfRecordings) blocked = rf_recordings_new (file);
    g_assert_null (rf_recordings_list (blocked, &error));
    g_assert_nonnull (error);
    g_clear_error (&error);
    g_assert_null (rf_recordings_create (blocked, 0, NULL, &error));
    g_assert_nonnull (error);
}

static void
test_ids (void)
{
    static const char *const bad[] = {"", ".", "..", "../x", "20261130T180000Z/", "20261130T180000Z-", "20261130T180000Z-1234",
                                      "20261130T180000", "20261130t180000Z", "20261130T180000Z-a", "2026", "20261130T180000Z\n"};
    for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
        g_assert_false (rf_recordings_id_valid (bad[i]));
    g_assert_true (rf_recordings_id_valid (FIRST));
    g_assert_true (rf_recordings_id_valid (FIRST "-12"));
}

static void
test_find (void)
{
    g_autoptr (RfRecordings) recordings = NULL;
    g_autoptr (RfTestTree) tree = make (&recordings);
    static const struct {
        const char *text;
        const char *id;
        int code;
    } cases[] = {
        {FIRST, FIRST, 0}, {"last", SECOND, 0}, {"20261201", SECOND, 0}, {"Evening flight", FIRST, 0},
        {"2026", NULL, RF_ERROR_CONFLICT}, {"Evening", NULL, RF_ERROR_UNKNOWN}, {"", NULL, RF_ERROR_UNKNOWN},
        {"../" FIRST, NULL, RF_ERROR_UNKNOWN},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GError) error = NULL;
        g_autofree char *id = rf_recordings_find (recordings, cases[i].text, &error);
        g_assert_cmpstr (id, ==, cases[i].id);
        if (id == NULL)
            g_assert_error (error, RF_ERROR, cases[i].code);
    }
}

static void
test_rename (void)
{
    g_autoptr (RfRecordings) recordings = NULL;
    g_autoptr (RfTestTree) tree = make (&recordings);
    g_autoptr (GError) error = NULL;
    g_assert_true (rf_recordings_rename (recordings, SECOND, " ../Morning\n", &error));
    g_assert_no_error (error);
    g_assert_true (rf_test_tree_exists (tree, "sessions/" SECOND "/samples.csv"));
    g_autofree char *id = rf_recordings_find (recordings, "../Morning", &error);
    g_assert_cmpstr (id, ==, SECOND);
    g_assert_false (rf_recordings_rename (recordings, "../sessions/" FIRST, "x", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_UNKNOWN);
}

/* what is in it beside a recording keeps the whole of it; so does a recording that runs */
static void
test_delete (void)
{
    g_autoptr (RfRecordings) recordings = NULL;
    g_autoptr (RfTestTree) tree = make (&recordings);
    g_autoptr (GError) error = NULL;
    static const char *const foreign[] = {"notes.txt", "sub/x.csv", ".hidden.csv"};
    for (gsize i = 0; i < G_N_ELEMENTS (foreign); i++) {
        g_autofree char *path = g_strconcat ("sessions/" FIRST "/", foreign[i], NULL);
        rf_test_tree_set (tree, path, "mine");
        g_assert_false (rf_recordings_delete (recordings, FIRST, TRUE, &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_FOREIGN);
        g_clear_error (&error);
        rf_test_tree_remove (tree, path);
        rf_test_tree_remove (tree, "sessions/" FIRST "/sub");
    }
    rf_test_tree_set (tree, "precious.csv", "mine");
    rf_test_tree_symlink (tree, "sessions/" FIRST "/frames.csv", "../../precious.csv");
    g_assert_false (rf_recordings_delete (recordings, FIRST, TRUE, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_FOREIGN);
    g_clear_error (&error);
    rf_test_tree_remove (tree, "sessions/" FIRST "/frames.csv");
    /* a link in its place, and a folder that is none of ours */
    rf_test_tree_symlink (tree, "sessions/20261204T000000Z", FIRST);
    rf_test_tree_set (tree, "sessions/20261205T000000Z/samples.csv", "time_ns,a\n");
    g_assert_false (rf_recordings_delete (recordings, "20261204T000000Z", TRUE, &error));
    g_clear_error (&error);
    g_assert_false (rf_recordings_delete (recordings, "20261205T000000Z", TRUE, &error));
    g_clear_error (&error);
    g_assert_true (rf_test_tree_exists (tree, "sessions/20261205T000000Z/samples.csv"));

    g_assert_true (rf_recordings_delete (recordings, FIRST, TRUE, &error));
    g_assert_no_error (error);
    g_assert_false (rf_test_tree_exists (tree, "sessions/" FIRST));
    g_assert_true (rf_test_tree_exists (tree, "precious.csv"));
    g_assert_true (rf_test_tree_exists (tree, "sessions/" SECOND "/session.ini"));
}

static void
test_running (void)
{
    g_autoptr (RfRecordings) recordings = NULL;
    g_autoptr (RfTestTree) tree = make (&recordings);
    g_autoptr (GError) error = NULL;
    int fd = -1;
    g_autofree char *id = rf_recordings_create (recordings, G_GINT64_CONSTANT (1800000000000000), &fd, &error);
    g_assert_no_error (error);
    g_autofree char *path = rf_recordings_path (recordings, id);
    g_autofree char *ini = g_build_filename (path, "session.ini", NULL);
    g_assert_true (g_file_set_contents (ini, "[session]\nsource=helper\n", -1, NULL));
    g_autoptr (GPtrArray) list = rf_recordings_list (recordings, &error);
    g_assert_true (((const RfRecordingSummary *)list->pdata[0])->running);
    g_assert_false (((const RfRecordingSummary *)list->pdata[1])->running);
    g_assert_false (rf_recordings_delete (recordings, id, TRUE, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_BUSY);
    g_clear_error (&error);
    g_assert_false (rf_recordings_rename (recordings, id, "x", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_BUSY);
    g_clear_error (&error);
    close (fd);
    g_assert_true (rf_recordings_delete (recordings, id, TRUE, &error));
    g_assert_no_error (error);
}

static void
test_export (void)
{
    g_autoptr (RfRecordings) recordings = NULL;
    g_autoptr (RfTestTree) tree = make (&recordings);
    g_autoptr (GError) error = NULL;
    rf_test_tree_set (tree, "sessions/" FIRST "/private.txt", "stays here");
    g_autoptr (GString) much = g_string_new ("time_ns,a\n");
    for (guint i = 0; i < 100000; i++)
        g_string_append_printf (much, "%u,%u\n", i, i * 7919 % 10007);
    rf_test_tree_set (tree, "sessions/" FIRST "/gpu.csv", much->str);
    g_autofree char *path = rf_test_tree_path (tree, "out.tar.gz");
    g_autoptr (GFile) file = g_file_new_for_path (path);
    g_assert_true (rf_recordings_export (recordings, FIRST, file, NULL, &error));
    g_assert_no_error (error);

    /* others can read it, too */
    g_autofree char *out = NULL;
    const char *argv[] = {"tar", "-tzf", path, NULL};
    int status = -1;
    g_assert_true (g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, &status, &error));
    g_assert_cmpint (status, ==, 0);
    g_assert_cmpstr (out, ==, FIRST "/gpu.csv\n" FIRST "/samples.csv\n" FIRST "/session.ini\n");

    g_autofree char *beside = rf_recordings_import (recordings, file, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (beside, ==, FIRST "-2");
    g_autofree char *elsewhere = rf_test_tree_path (tree, "elsewhere");
    g_autoptr (RfRecordings) other = rf_recordings_new (elsewhere);
    g_autofree char *id = rf_recordings_import (other, file, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (id, ==, FIRST);
    g_autofree char *copied = rf_test_tree_get (tree, "elsewhere/" FIRST "/gpu.csv");
    g_assert_cmpstr (copied, ==, much->str);
    g_autofree char *ini = rf_test_tree_get (tree, "elsewhere/" FIRST "/session.ini");
    g_assert_cmpstr (ini, ==, INI);
    g_assert_false (rf_test_tree_exists (tree, "elsewhere/" FIRST "/private.txt"));

    /* cancelled: the file from before stays, and nothing is left in the folder */
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    g_cancellable_cancel (cancellable);
    g_autofree char *before = rf_test_tree_dump (tree, "elsewhere");
    g_assert_false (rf_recordings_export (recordings, SECOND, file, cancellable, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error (&error);
    g_assert_null (rf_recordings_import (other, file, cancellable, &error));
    g_clear_error (&error);
    g_autofree char *after = rf_test_tree_dump (tree, "elsewhere");
    g_assert_cmpstr (before, ==, after);
}

static void
pack (RfTestTree *tree, const char *script)
{
    g_autoptr (GError) error = NULL;
    const char *argv[] = {"sh", "-ec", script, NULL};
    int status = -1;
    g_assert_true (g_spawn_sync (rf_test_tree_root (tree), (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                                 NULL, &status, &error));
    g_assert_cmpint (status, ==, 0);
}

/* archives that want something else than to be a recording: nothing of them is left */
static void
test_hostile (void)
{
    static const char *const scripts[] = {
        "tar -czPf x.tar.gz --transform 's,^,../../,' session.ini",
        "tar -czPf x.tar.gz --transform 's,^,/tmp/,' session.ini",
        "ln -s /etc/passwd samples.csv; tar -czf x.tar.gz session.ini samples.csv",
        "ln session.ini b.csv; tar -czf x.tar.gz session.ini b.csv",
        "mkfifo a.csv; tar -czf x.tar.gz session.ini a.csv",
        "mkdir s; cp session.ini s; tar -czf x.tar.gz session.ini s/session.ini",
        "cp session.ini run.sh; tar -czf x.tar.gz session.ini run.sh",
        "mkdir -p a/b; cp session.ini a/b; tar -czf x.tar.gz a/b/session.ini",
        "printf 'time_ns,a\\n' >samples.csv; tar -czf x.tar.gz samples.csv",
        "printf '[session]\\nsource=\\n' >session.ini; tar -czf x.tar.gz session.ini",
        "tar -cf x.tar.gz session.ini",
        "tar -czf - session.ini | head -c 100 >x.tar.gz",
        ": >x.tar.gz",
        "head -c 2000 /dev/zero | gzip >x.tar.gz",
        "head -c 20000 /dev/urandom | gzip >x.tar.gz",
        "head -c 20000 /dev/urandom >x.tar.gz",
        "tar -cf y session.ini; head -c 1000 y | gzip >x.tar.gz",
        "cp session.ini a.csv; tar -czf x.tar.gz a.csv a.csv session.ini",
        "i=0; while [ $i -lt 90 ]; do cp session.ini f$i.csv; i=$((i + 1)); done; tar -czf x.tar.gz session.ini *.csv",
    };
    for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
        g_test_message ("%s", scripts[i]);
        rf_test_tree_set (tree, "session.ini", INI);
        pack (tree, scripts[i]);
        g_autofree char *folder = rf_test_tree_path (tree, "sessions");
        g_autofree char *path = rf_test_tree_path (tree, "x.tar.gz");
        g_autoptr (GFile) file = g_file_new_for_path (path);
        g_autoptr (RfRecordings) recordings = rf_recordings_new (folder);
        g_assert_null (rf_recordings_import (recordings, file, NULL, &error));
        g_assert_nonnull (error);
        g_assert_true (error->domain == RF_ERROR);
        g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
        g_assert_null (dir != NULL ? g_dir_read_name (dir) : NULL);
    }
}

/* made with somebody else's tar, from inside the folder or from above it */
static void
test_repacked (void)
{
    static const char *const scripts[] = {"tar -czf x.tar.gz ./session.ini", "tar -czf x.tar.gz --format=pax session.ini",
                                          "mkdir a; cp session.ini a; tar -czf x.tar.gz ./a",
                                          "mkdir a; cp session.ini a; tar -cf - a | gzip -1 >x.tar.gz"};
    for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
        rf_test_tree_set (tree, "session.ini", INI);
        pack (tree, scripts[i]);
        g_autofree char *folder = rf_test_tree_path (tree, "sessions");
        g_autofree char *path = rf_test_tree_path (tree, "x.tar.gz");
        g_autoptr (GFile) file = g_file_new_for_path (path);
        g_autoptr (RfRecordings) recordings = rf_recordings_new (folder);
        g_autofree char *id = rf_recordings_import (recordings, file, NULL, &error);
        g_assert_no_error (error);
        g_assert_cmpstr (id, ==, FIRST);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/recordings/list", test_list);
    g_test_add_func ("/app/recordings/none", test_none);
    g_test_add_func ("/app/recordings/ids", test_ids);
    g_test_add_func ("/app/recordings/find", test_find);
    g_test_add_func ("/app/recordings/rename", test_rename);
    g_test_add_func ("/app/recordings/delete", test_delete);
    g_test_add_func ("/app/recordings/running", test_running);
    g_test_add_func ("/app/recordings/export", test_export);
    g_test_add_func ("/app/recordings/hostile", test_hostile);
    g_test_add_func ("/app/recordings/repacked", test_repacked);
    return g_test_run ();
}
