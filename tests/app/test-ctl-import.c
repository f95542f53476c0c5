/* Importing as a person does it: a file, what is printed, and the recording that is there afterwards. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "rf-recordings.h"
#include "rf-test-ctl.h"

static RfTestRun *
import (const char *file, const char *option, const char *value)
{
    g_autofree char *path = g_build_filename (RF_TEST_FIXTURES, "import", file, NULL);
    const char *args[] = {"import", path, option, value, NULL};
    return rf_test_ctl_run (NULL, NULL, args);
}

static void
assert_has (const RfTestRun *run, const char *text, const char *part)
{
    if (strstr (text, part) == NULL)
        g_error ("%s: no “%s” in: %s%s", run->command, part, run->out, run->err);
}

static guint
count (void)
{
    g_autoptr (RfRecordings) recordings = rf_recordings_new (NULL);
    g_autoptr (GPtrArray) list = rf_recordings_list (recordings, NULL);
    return list->len;
}

static RfRecording *
load (const char *text)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfRecordings) recordings = rf_recordings_new (NULL);
    g_autofree char *id = rf_recordings_find (recordings, text, &error);
    g_assert_no_error (error);
    g_autofree char *path = rf_recordings_path (recordings, id);
    RfRecording *recording = rf_recording_load (path, NULL, &error);
    g_assert_no_error (error);
    return recording;
}

static void
test_import (void)
{
    g_autoptr (RfTestRun) run = import ("xplane-12.txt", "--name", "Evening flight");
    g_assert_cmpint (run->code, ==, 0);
    assert_has (run, run->out, "X-Plane log");
    assert_has (run, run->out, "+54+009 took 2.250 s");
    g_autoptr (RfRecording) recording = load ("Evening flight");
    g_assert_cmpstr (recording->source, ==, "import:xplane");
    g_assert_cmpuint (recording->events->len, ==, 4);
    g_assert_cmpint (g_array_index (recording->events, RfEvent, 2).duration_ns, ==, G_GINT64_CONSTANT (2250000000));
}

static void
test_json (void)
{
    g_autoptr (RfTestRun) run = import ("vmstat.txt", "--json", NULL);
    g_assert_cmpint (run->code, ==, 0);
    assert_has (run, run->out, "\"format\": \"vmstat\"");
    assert_has (run, run->out, "\"samples\": 10");
    assert_has (run, run->out, "mean since the machine was started");
}

static void
test_map (void)
{
    g_autoptr (RfTestRun) run = import ("table.csv", "--map=stalls=allocstalls_per_s", "--name=table");
    g_assert_cmpint (run->code, ==, 0);
    g_autoptr (RfRecording) recording = load ("table");
    RfTable *samples = rf_recording_table (recording, "samples");
    g_assert_cmpfloat (rf_table_values (samples, rf_table_find (samples, "allocstalls_per_s"))[2], ==, 12.5f);
}

static void
test_join (void)
{
    g_autoptr (RfTestRun) base = import ("xplane-12.txt", "--name", "Base");
    g_assert_cmpint (base->code, ==, 0);
    guint before = count ();
    g_autofree char *log = g_build_filename (RF_TEST_FIXTURES, "import", "mangohud-new_2026-03-15_14-30-45.csv", NULL);
    const char *args[] = {"import", log, "--join", "Base", "--offset", "12.5", "--name", "Both", NULL};
    g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, NULL, args);
    g_assert_cmpint (run->code, ==, 0);
    g_assert_cmpuint (count (), ==, before + 1);
    g_autoptr (RfRecording) recording = load ("Both");
    g_assert_cmpuint (recording->events->len, ==, 4);
    RfTable *frames = rf_recording_table (recording, "frames");
    g_assert_cmpuint (rf_table_n_rows (frames), ==, 120);
    g_assert_cmpint (rf_table_times (frames)[0], >, G_GINT64_CONSTANT (12500000000));
    /* the older one is as it was */
    g_autoptr (RfRecording) older = load ("Base");
    g_assert_null (rf_recording_table (older, "frames"));

    args[5] = "-86400";
    g_autoptr (RfTestRun) apart = rf_test_ctl_run (NULL, NULL, args);
    g_assert_cmpint (apart->code, ==, 2);
    assert_has (apart, apart->err, "share no time");
    g_assert_cmpuint (count (), ==, before + 1);
}

/* What was imported as a report, in each form; PDF is the window's. */
static void
test_report (void)
{
    g_autoptr (RfTestRun) first = import ("xplane-12.txt", "--name", "Report one");
    g_autoptr (RfTestRun) second = import ("xplane-12.txt", "--name", "Report two");
    static const char *const names[] = {"r.html", "r.MD", "r.csv"};
    static const char *const parts[] = {"<!DOCTYPE html>", "| Report one |", "Report one"};
    g_assert_cmpint (first->code, ==, 0);
    g_assert_cmpint (second->code, ==, 0);
    for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *file = g_build_filename (g_get_user_data_dir (), names[i], NULL);
        const char *compare[] = {"compare", "Report one", "Report two", "--report", file, NULL};
        const char *show[] = {"recordings", "show", "Report one", "--report", file, NULL};
        for (guint k = 0; k < 2; k++) {
            g_autofree char *text = NULL;
            g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, NULL, k == 0 ? compare : show);
            g_assert_cmpint (run->code, ==, 0);
            assert_has (run, run->out, "Written to");
            g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
            assert_has (run, text, parts[i]);
            g_assert_cmpint (g_remove (file), ==, 0);
        }
    }
    static const struct {
        const char *args[6];
        const char *why;
        int code;
    } cases[] = {
        {{"compare", "Report one", "Report two", "--report=r.pdf"}, "by the window only", 2},
        {{"compare", "Report one", "Report two", "--report=r"}, "does not end in", 2},
        {{"recordings", "show", "Report one", "--report=r.doc"}, "does not end in", 2},
        {{"recordings", "list", "--report=r.md"}, "goes with", 2},
        {{"compare", "Report one", "Report two", "--report=/nonexistent/r.md"}, "nonexistent", 1},
        {{"compare", "Report one", "Report none"}, "no such recording", 2},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, NULL, cases[i].args);
        g_assert_cmpint (run->code, ==, cases[i].code);
        assert_has (run, run->err, cases[i].why);
        g_assert_cmpstr (run->out, ==, "");
    }
}

static void
test_refused (void)
{
    static const struct {
        const char *file, *option, *value, *why;
        int code;
    } cases[] = {
        {"mangohud_summary.csv", NULL, NULL, "only MangoHud's summary", 2},
        {"nothing.csv", NULL, NULL, "cannot be read", 1},
        {"xplane-12.txt", "--as", "vmstat", "no line", 2},
        {"xplane-12.txt", "--as", "video", "is not a kind of file", 2},
        {"table.csv", "--map", "stalls", "COLUMN=NAME", 2},
        {"table.csv", "--map", "stalls=a/b", "cannot be the name", 2},
        {"table.csv", "--offset", "5", "--join only", 2},
        {"table.csv", "--join", "no such recording", "", 1},
    };
    guint before = count ();
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (RfTestRun) run = import (cases[i].file, cases[i].option, cases[i].value);
        g_assert_cmpint (run->code, ==, cases[i].code);
        g_assert_cmpstr (run->out, ==, "");
        assert_has (run, run->err, cases[i].why);
    }
    g_assert_cmpuint (count (), ==, before);
}

static void
remove_all (const char *path)
{
    g_autoptr (GDir) dir = g_file_test (path, G_FILE_TEST_IS_DIR) ? g_dir_open (path, 0, NULL) : NULL;
    const char *name;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        g_autofree char *child = g_build_filename (path, name, NULL);
        remove_all (child);
    }
    g_assert_cmpint (g_remove (path), ==, 0);
}

int
main (int argc, char **argv)
{
    g_autofree char *data = g_dir_make_tmp ("rf-import-XXXXXX", NULL);
    /* before GLib looks; the client gets it too */
    g_assert_true (g_setenv ("XDG_DATA_HOME", data, TRUE));
    g_assert_true (g_setenv ("TZ", "UTC", TRUE));
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/ctl/import/plain", test_import);
    g_test_add_func ("/ctl/import/json", test_json);
    g_test_add_func ("/ctl/import/map", test_map);
    g_test_add_func ("/ctl/import/join", test_join);
    g_test_add_func ("/ctl/import/report", test_report);
    g_test_add_func ("/ctl/import/refused", test_refused);
    int code = g_test_run ();
    remove_all (data);
    return code;
}
