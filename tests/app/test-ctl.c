#include "config.h"

#include "rf-error.h"
#include "rf-json.h"
#include "rf-tunable.h"
#include "rf-recommendation.h"
#include "rf-test-ctl.h"
#include "rf-test-tree.h"

#include <locale.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static const char *const machines[]
    = {"laptop-8g", "desktop-94g", "sata-ssd-hdd", "virtio-vm", "nvme-multipath", "container"};

/* Whether a text is one JSON value and nothing else: RFC 8259, enough of it to notice a missing comma or quote. */
static const char *json_value (const char *p);

static const char *
json_space (const char *p)
{
    return p + strspn (p, " \n");
}

static const char *
json_text (const char *p)
{
    if (*p++ != '"')
        return NULL;
    for (; *p != '"'; p++) {
        if ((guchar)*p < 0x20)
            return NULL;
        if (*p == '\\' && strchr ("\"\\nu", *++p) == NULL)
            return NULL;
    }
    return p + 1;
}

static const char *
json_number (const char *p)
{
    const char *start = p;
    p += *p == '-' ? 1 : 0;
    gsize digits = strspn (p, "0123456789");
    if (digits == 0 || (digits > 1 && *p == '0'))
        return NULL;
    p += digits;
    if (*p == '.')
        p += 1 + strspn (p + 1, "0123456789");
    if (*p == 'e')
        p += 1 + strspn (p + 1, "+-0123456789");
    return p > start ? p : NULL;
}

static const char *
json_list (const char *p, gboolean object)
{
    char end = object ? '}' : ']';
    p = json_space (p + 1);
    if (*p == end)
        return p + 1;
    while (TRUE) {
        if (object) {
            p = json_text (json_space (p));
            if (p == NULL || *p++ != ':')
                return NULL;
        }
        p = json_value (json_space (p));
        if (p == NULL)
            return NULL;
        p = json_space (p);
        if (*p == end)
            return p + 1;
        if (*p++ != ',')
            return NULL;
    }
}

static const char *
json_value (const char *p)
{
    static const char *const words[] = {"true", "false", "null"};
    if (*p == '{' || *p == '[')
        return json_list (p, *p == '{');
    if (*p == '"')
        return json_text (p);
    for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
        if (g_str_has_prefix (p, words[i]))
            return p + strlen (words[i]);
    return json_number (p);
}

static gboolean
is_json (const char *text)
{
    const char *end = json_value (json_space (text));
    return end != NULL && *json_space (end) == '\0';
}

static void
assert_json (const char *text)
{
    if (!is_json (text))
        g_error ("not JSON: %s", text);
}

static void
json_writer (void)
{
    g_autoptr (RfJson) json = rf_json_new ();
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "text", "a \"quoted\" \\ line\nbreak\ttab\x01\x7f \xc3\xa4 \xff");
    rf_json_string (json, "none", NULL);
    rf_json_int (json, "int", G_MININT64);
    rf_json_uint (json, "uint", G_MAXUINT64);
    rf_json_double (json, "half", 0.5);
    rf_json_double (json, "large", 24223240192.0);
    rf_json_double (json, "nan", NAN);
    rf_json_double (json, "infinite", INFINITY);
    rf_json_bool (json, "yes", TRUE);
    rf_json_begin_array (json, "empty");
    rf_json_end_array (json);
    rf_json_begin_array (json, "list");
    rf_json_int (json, NULL, 1);
    rf_json_begin_object (json, NULL);
    rf_json_end_object (json);
    rf_json_end_array (json);
    rf_json_end_object (json);
    assert_json (rf_json_text (json));
    g_assert_cmpstr (
        rf_json_text (json), ==,
        "{\n"
        "  \"text\": \"a \\\"quoted\\\" \\\\ line\\nbreak\\u0009tab\\u0001\\u007f \xc3\xa4 \xef\xbf\xbd\",\n"
        "  \"none\": null,\n"
        "  \"int\": -9223372036854775808,\n"
        "  \"uint\": 18446744073709551615,\n"
        "  \"half\": 0.5,\n"
        "  \"large\": 24223240192,\n"
        "  \"nan\": null,\n"
        "  \"infinite\": null,\n"
        "  \"yes\": true,\n"
        "  \"empty\": [],\n"
        "  \"list\": [\n"
        "    1,\n"
        "    {}\n"
        "  ]\n"
        "}\n");
    /* the checker itself notices what it is for */
    g_assert_false (is_json ("{\"a\": 1,}"));
    g_assert_false (is_json ("{\"a\" 1}"));
    g_assert_false (is_json ("[1 2]"));
    g_assert_false (is_json ("{\"a\": nan}"));
    g_assert_false (is_json ("[1]]"));
}

static void
usage (void)
{
    static const char *const table[][5] = {
        {NULL},
        {"bogus", NULL},
        {"--bogus", "check", NULL},
        {"check", "--bogus", NULL},
        {"check", "extra", NULL},
        {"check", "--seconds", "-1", NULL},
        {"explain", NULL},
        {"explain", "vm.bogus", NULL},
        {"explain", "vm.swappiness", "vm.dirty", NULL},
        {"plan", "bogus", NULL},
        {"provenance", "vm.bogus", NULL},
        {"provenance", "vm.swappiness", "nvme0n1", NULL},
        {"provenance", "block.scheduler", "../sda", NULL},
        {"apply", "--trial", "5", "--yes", NULL},
        {"apply", "--trial", "x", "--yes", NULL},
        {"apply", "bogus", "--yes", NULL},
        {"watch", "-n", "-3", NULL},
        {"revert", NULL},
        {"revert", "--all", "20261130T140300Z-1a2b3c4d", NULL},
        {"revert", "../../etc/passwd", NULL},
        {"keep", "not a record", NULL},
        {"records", "extra", NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, "laptop-8g", table[i]);
        g_test_message ("%s", run->command);
        g_assert_cmpint (run->code, ==, 2);
        g_assert_cmpstr (run->out, ==, "");
        g_assert_cmpstr (run->err, !=, "");
    }
}

/* Also without a helper, which is perhaps what is to be reported; of another machine nothing comes through. */
static void
report (void)
{
    const char *args[] = {"report", NULL};
    const char *json[] = {"report", "--json", NULL};
    g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, "laptop-8g", args);
    g_autoptr (RfTestRun) run_json = rf_test_ctl_run (NULL, "laptop-8g", json);
    g_assert_cmpint (run->code, ==, 0);
    g_assert_nonnull (strstr (run->out, "  ruckelfreictl: " PACKAGE_VERSION "\n"));
    g_assert_nonnull (strstr (run->out, "  helper does not answer: "));
    g_assert_nonnull (strstr (run->out, "SAMSUNG MZVLB256HAHQ-000L7"));
    g_assert_null (strstr (run->out, "002538b971047a11"));
    g_assert_cmpint (run_json->code, ==, 0);
    g_assert_true (g_str_has_prefix (run_json->out, "{"));
    g_assert_nonnull (strstr (run_json->out, "\"report\": \"Versions\\n"));
}

static void
help (void)
{
    static const char *const commands[]
        = {"check", "status", "watch", "list", "explain", "provenance", "plan", "apply", "keep", "revert", "records",
           "report"};
    const char *global[] = {"--help", NULL};
    g_autoptr (RfTestRun) all = rf_test_ctl_run (NULL, NULL, global);
    g_assert_cmpint (all->code, ==, 0);
    for (gsize i = 0; i < G_N_ELEMENTS (commands); i++) {
        const char *of_command[] = {commands[i], "--help", NULL};
        const char *version[] = {commands[i], "--version", NULL};
        g_autofree char *line = g_strdup_printf ("\n  %s ", commands[i]);
        g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, NULL, of_command);
        g_autoptr (RfTestRun) other = rf_test_ctl_run (NULL, NULL, version);
        g_assert_nonnull (strstr (all->out, line));
        g_assert_cmpint (run->code, ==, 0);
        g_assert_nonnull (strstr (run->out, commands[i]));
        g_assert_nonnull (strstr (run->out, "Exit codes:"));
        g_assert_cmpint (other->code, ==, 0);
        g_assert_cmpstr (other->out, ==, "ruckelfreictl " PACKAGE_VERSION "\n");
    }
}

static void
assert_columns (const char *text)
{
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    g_assert_true (g_utf8_validate (text, -1, NULL));
    for (char **line = lines; *line != NULL; line++)
        if (g_utf8_strlen (*line, -1) > 80)
            g_error ("more than 80 columns: %s", *line);
}

/* The text without its line breaks, to look for a sentence in it. */
static char *
flat (const char *text)
{
    g_auto (GStrv) words = g_strsplit_set (text, " \n", -1);
    g_autoptr (GString) line = g_string_new (NULL);
    for (char **word = words; *word != NULL; word++)
        if (**word != '\0')
            g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", *word);
    return g_string_free (g_steal_pointer (&line), FALSE);
}

/* Everything that only looks works on every machine, without bus, root and display. */
static void
look (void)
{
    static const char *const table[][4] = {
        {"check", "--seconds", "0", NULL}, {"list", NULL},          {"plan", NULL}, {"plan", "machine", NULL},
        {"plan", "case-study", NULL},      {"plan", "audio", NULL},  {"provenance", NULL},
    };
    for (gsize m = 0; m < G_N_ELEMENTS (machines); m++)
        for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
            g_autoptr (RfTestRun) text = rf_test_ctl_run (NULL, machines[m], table[i]);
            g_autoptr (GPtrArray) with_json = g_ptr_array_new ();
            g_test_message ("%s: %s", machines[m], text->command);
            g_assert_cmpint (text->code, ==, 0);
            g_assert_cmpstr (text->err, ==, "");
            assert_columns (text->out);
            g_ptr_array_add (with_json, (gpointer) "--json");
            for (gsize a = 0; table[i][a] != NULL; a++)
                g_ptr_array_add (with_json, (gpointer)table[i][a]);
            g_ptr_array_add (with_json, NULL);
            g_autoptr (RfTestRun) json = rf_test_ctl_run (NULL, machines[m], (const char *const *)with_json->pdata);
            g_assert_cmpint (json->code, ==, 0);
            g_assert_cmpstr (json->err, ==, "");
            assert_json (json->out);
        }
}

static RfTestRun *
run_in (RfTestTree *tree, const char *const *args)
{
    GSubprocess *process = rf_test_ctl_start (NULL, rf_test_tree_root (tree), args,
                                              G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
    return rf_test_ctl_finish (process, args);
}

/* Where the configuration of the system keeps settings, a plan ends with the lines for it. */
static void
plan_on_nixos (void)
{
    const char *plan[] = {"plan", "case-study", NULL};
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autoptr (RfTestRun) elsewhere = run_in (tree, plan);
    g_assert_null (strstr (elsewhere->out, "boot.kernel.sysctl"));
    rf_test_tree_set (tree, "etc/NIXOS", "");
    g_autoptr (RfTestRun) nixos = run_in (tree, plan);
    g_assert_cmpint (nixos->code, ==, 0);
    g_assert_nonnull (strstr (nixos->out, "  boot.kernel.sysctl = {\n"));
}

static void
explain (void)
{
    gsize n = 0;
    const RfTunable *list = rf_tunable_list (&n);
    for (gsize i = 0; i < n; i++) {
        const char *text[] = {"explain", list[i].id, NULL};
        const char *json[] = {"explain", "--json", list[i].id, NULL};
        g_autoptr (RfTestRun) words = rf_test_ctl_run (NULL, "desktop-94g", text);
        g_autoptr (RfTestRun) data = rf_test_ctl_run (NULL, "desktop-94g", json);
        g_assert_cmpint (words->code, ==, 0);
        assert_columns (words->out);
        g_assert_cmpint (data->code, ==, 0);
        assert_json (data->out);
    }
}

/* The command line, files that hide each other, and a line that is longer than the terminal is wide. */
static void
provenance (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("desktop-94g");
    rf_test_tree_apply (tree, "= usr/lib/sysctl.d/10-distribution.conf vm.swappiness=100\n"
                              "= etc/sysctl.d/60-mine.conf vm.swappiness = 7\n"
                              "= usr/lib/udev/rules.d/60-a.rules SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\", "
                              "KERNEL==\"nvme*\", TEST==\"queue/scheduler\", ATTR{queue/scheduler}=\"none\"\n"
                              "=- proc/cmdline\n= proc/cmdline quiet elevator=noop\n");
    const char *text[] = {"provenance", "vm.swappiness", NULL};
    const char *json[] = {"--json", "provenance", "block.scheduler", NULL};
    const char *all[] = {"provenance", NULL};
    const GSubprocessFlags flags = G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE;
    g_autoptr (RfTestRun) words
        = rf_test_ctl_finish (rf_test_ctl_start (NULL, rf_test_tree_root (tree), text, flags), text);
    g_autoptr (RfTestRun) data
        = rf_test_ctl_finish (rf_test_ctl_start (NULL, rf_test_tree_root (tree), json, flags), json);
    g_autoptr (RfTestRun) everything
        = rf_test_ctl_finish (rf_test_ctl_start (NULL, rf_test_tree_root (tree), all, flags), all);
    g_autofree char *line = flat (words->out);
    assert_columns (words->out);
    assert_columns (everything->out);
    g_assert_nonnull (strstr (line, "At the next start 7, from line 1 of /etc/sysctl.d/60-mine.conf"));
    g_assert_nonnull (strstr (line, "/usr/lib/sysctl.d/10-distribution.conf, line 1 vm.swappiness=100 Overruled by"));
    g_assert_nonnull (strstr (everything->out, "Kernel command line"));
    assert_json (data->out);
    g_assert_nonnull (strstr (data->out, "\"fate\": \"dead\""));
    g_assert_nonnull (strstr (data->out, "\"path\": \"/usr/lib/udev/rules.d/60-a.rules\""));
}

static void
check_tells (void)
{
    const char *check[] = {"--json", "check", "--seconds", "0", NULL};
    const char *words[] = {"check", "--seconds", "0", NULL};
    g_autoptr (RfTestRun) laptop = rf_test_ctl_run (NULL, "laptop-8g", check);
    g_assert_nonnull (strstr (laptop->out, "\"on_data_disk\": true"));
    g_assert_nonnull (strstr (laptop->out, "\"container\": null"));
    g_assert_nonnull (strstr (laptop->out, "\"zram_owner\": \"none\""));
    g_autoptr (RfTestRun) laptop_words = rf_test_ctl_run (NULL, "laptop-8g", words);
    g_autofree char *laptop_flat = flat (laptop_words->out);
    g_assert_nonnull (strstr (laptop_flat, "which also holds your files"));
    g_assert_nonnull (strstr (laptop_flat, "0.1 % of memory → 1.95 % of memory"));
    g_autoptr (RfTestRun) container = rf_test_ctl_run (NULL, "container", words);
    g_autofree char *container_flat = flat (container->out);
    g_assert_nonnull (strstr (container_flat, "belong to the host"));
    g_assert_nonnull (strstr (laptop->out, "\"id\": \"swap-drive\",\n      \"verdict\": \"look\""));
    g_assert_nonnull (strstr (laptop->out, "\"id\": \"space\",\n      \"verdict\": \"unknown\""));
    g_assert_nonnull (strstr (laptop_flat, "! Swap lies on the drive that holds your data"));
    g_assert_nonnull (strstr (laptop_words->out, "\n      sudo swapoff /dev/dm-2 && sudo swapon /dev/dm-2\n"));
    g_assert_nonnull (strstr (laptop_flat, "Fine: "));
}

static void
watch (void)
{
    const char *text[] = {"watch", "-n", "1", NULL};
    const char *json[] = {"watch", "--json", "--count=1", NULL};
    g_autoptr (RfTestRun) words = rf_test_ctl_run (NULL, "laptop-8g", text);
    g_autoptr (RfTestRun) data = rf_test_ctl_run (NULL, "laptop-8g", json);
    g_assert_cmpint (words->code, ==, 0);
    assert_columns (words->out);
    g_assert_cmpint (data->code, ==, 0);
    assert_json (data->out);
    g_assert_nonnull (strstr (data->out, "\"allocstalls_per_s\": 0"));
    g_assert_true (strchr (data->out, '\n') == data->out + strlen (data->out) - 1); /* one line a document */
}

static void
no_bus (void)
{
    static const char *const table[][5] = {
        {"status", NULL},
        {"records", NULL},
        {"keep", NULL},
        {"revert", "20261130T140300Z-1a2b3c4d", NULL},
        {"apply", "--yes", "vm.swappiness=50", NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, "laptop-8g", table[i]);
        g_test_message ("%s", run->command);
        g_assert_cmpint (run->code, ==, 6);
        g_assert_cmpstr (run->err, !=, "");
    }
    const char *json[] = {"--json", "records", NULL};
    g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, "laptop-8g", json);
    g_assert_cmpint (run->code, ==, 6);
    assert_json (run->out);
    g_assert_nonnull (strstr (run->out, "\"code\": \"no-helper\""));
}

static void
refusals (void)
{
    static const struct {
        const char *machine;
        const char *assignment;
        int code;
        const char *words; /* (nullable): what the person reads */
    } table[] = {
        {"laptop-8g", "vm.swappiness", 2, "neither a preset nor"},
        {"laptop-8g", "=", 2, "No setting is called"},
        {"laptop-8g", "vm.swappiness=201", 2},
        {"laptop-8g", "vm.swappiness=", 2, "is not a value for vm.swappiness"},
        {"laptop-8g", "vm.swappiness=010", 2, "is not a value for vm.swappiness"},
        {"laptop-8g", "vm.bogus=1", 2, "No setting is called “vm.bogus”"},
        {"laptop-8g", "vm.swappiness@nvme0n1=60", 2},
        {"laptop-8g", "block.scheduler@sda=none", 2},
        {"laptop-8g", "vm.dirty=200%", 2},
        {"laptop-8g", "vm.dirty=99999999999999999GiB", 2},
        {"laptop-8g", "swap.zram=absent", 2, "is not a value for swap.zram"},
        {"laptop-8g", "vm.min_free_kbytes=4000000", 2},            /* half of the memory */
        {"laptop-8g", "block.read_ahead_kb=256", 2, "Which one?"}, /* which of the two? */
        {"virtio-vm", "block.scheduler=none", 1},                  /* no NVMe */
        {"container", "vm.swappiness=60", 1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        const char *args[] = {"apply", "--yes", table[i].assignment, NULL};
        g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, table[i].machine, args);
        g_test_message ("%s", table[i].assignment);
        g_assert_cmpint (run->code, ==, table[i].code);
        g_assert_true (table[i].words == NULL || strstr (run->err, table[i].words) != NULL);
        /* that is for a helper that does not fit, not for a slip of the keyboard */
        g_assert_null (strstr (run->err, "different versions"));
    }
    /* nobody to ask, and --yes was not given */
    const char *silent[] = {"apply", "vm.swappiness=50", NULL};
    g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, "laptop-8g", silent);
    g_assert_cmpint (run->code, ==, 2);
    /* nothing to do is not an error */
    const char *nothing[] = {"apply", "--yes", NULL};
    g_autoptr (RfTestRun) container = rf_test_ctl_run (NULL, "container", nothing);
    g_assert_cmpint (container->code, ==, 0);
}

/* As root without any bus the helper's program does it; here a script stands for it. */
static void
revert_all_without_bus (void)
{
    if (geteuid () != 0) {
        const char *args[] = {"revert", "--all", NULL};
        g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, NULL, args);
        g_assert_cmpint (run->code, ==, 6);
        return;
    }
    g_autofree char *folder = g_dir_make_tmp ("rf-helper-XXXXXX", NULL);
    g_autofree char *script = g_build_filename (folder, "helper", NULL);
    g_autofree char *option = g_strconcat ("--helper=", script, NULL);
    static const struct {
        const char *text;
        int code;
    } table[] = {
        {"#!/bin/sh\n[ \"$*\" = '--revert-all --force' ] || exit 9\n", 0},
        {"#!/bin/sh\nexit 5\n", 5},
        {"#!/bin/sh\nexit 1\n", 1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        const char *args[] = {option, "revert", "--all", "--force", NULL};
        g_assert_true (
            g_file_set_contents_full (script, table[i].text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0700, NULL));
        g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, NULL, args);
        g_assert_cmpint (run->code, ==, table[i].code);
    }
    g_assert_cmpint (unlink (script), ==, 0);
    const char *args[] = {option, "revert", "--all", NULL};
    g_autoptr (RfTestRun) run = rf_test_ctl_run (NULL, NULL, args);
    g_assert_cmpint (run->code, ==, 6);
    g_assert_cmpint (rmdir (folder), ==, 0);
}

/* What was not written must not look like an answer. */
static void
full_disk (void)
{
    static const char *const table[][5] = {
        {"list", NULL},
        {"list", "--json", NULL},
        {"watch", "--count", "1000", NULL},
        {"watch", "--json", "--count", "1000", NULL},
    };
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (GSubprocess) process = rf_test_ctl_start_on_full_disk (rf_test_tree_root (tree), table[i]);
        g_autoptr (RfTestRun) run = rf_test_ctl_finish (process, table[i]);
        g_test_message ("%s: %s", run->command, run->err);
        g_assert_cmpint (run->code, ==, 1);
        g_assert_nonnull (strstr (run->err, "The output could not be written completely."));
    }
}

int
main (int argc, char **argv)
{
    setlocale (LC_ALL, "C.UTF-8");
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/ctl/json-writer", json_writer);
    g_test_add_func ("/ctl/usage", usage);
    g_test_add_func ("/ctl/help", help);
    g_test_add_func ("/ctl/report", report);
    g_test_add_func ("/ctl/look", look);
    g_test_add_func ("/ctl/plan-on-nixos", plan_on_nixos);
    g_test_add_func ("/ctl/explain", explain);
    g_test_add_func ("/ctl/provenance", provenance);
    g_test_add_func ("/ctl/check-tells", check_tells);
    g_test_add_func ("/ctl/watch", watch);
    g_test_add_func ("/ctl/full-disk", full_disk);
    g_test_add_func ("/ctl/no-bus", no_bus);
    g_test_add_func ("/ctl/refusals", refusals);
    g_test_add_func ("/ctl/revert-all-without-bus", revert_all_without_bus);
    return g_test_run ();
}
