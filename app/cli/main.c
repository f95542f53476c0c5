/* ruckelfreictl: look, propose, try, keep and take back in the terminal. Runs without display, and for everything that
 * only looks also without bus and without root. */
#define G_LOG_DOMAIN "ruckelfreictl"
#include "config.h"

#include "rf-ctl.h"
#include "rf-ctl-revert.h"
#include "rf-health.h"
#include "rf-recent-messages.h"
#include "rf-xplane-udp.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include <glib/gi18n.h>

#define TRIAL_MIN_S 15
#define TRIAL_MAX_S 1800
#define TRIAL_DEFAULT_S 60

typedef struct {
    const char *name;
    const char *arguments; /* (nullable) */
    const char *summary;
    guint min_args;
    guint max_args;
    RfExit (*run) (RfCtl *ctl);
} Command;

static const Command commands[] = {
    {"check", NULL, N_ ("What this machine is, how things are, and what is proposed"), 0, 0, rf_ctl_check},
    {"status", NULL, N_ ("What is on trial or in force, and whether it is still so"), 0, 0, rf_ctl_status},
    {"watch", NULL, N_ ("The most important numbers, once a second until interrupted"), 0, 0, rf_ctl_watch},
    {"import", N_ ("FILE"), N_ ("Make a recording of what another program wrote"), 1, 1, rf_ctl_import},
    {"list", NULL, N_ ("All settings with their value now"), 0, 0, rf_ctl_list_settings},
    {"explain", N_ ("ID"), N_ ("What a setting does, its range here, and what is proposed"), 1, 1, rf_ctl_explain},
    {"provenance", N_ ("[ID [INSTANCE]]"), N_ ("Who set this: which file and line, and what the next start will give"),
     0, 2, rf_ctl_provenance},
    {"plan", N_ ("[PRESET]"), N_ ("What would be changed: machine, case-study or audio"), 0, 1, rf_ctl_plan},
    {"apply", N_ ("[PRESET] [ID[@INSTANCE]=VALUE…]"), N_ ("Apply as a trial, which ends with this program unless kept"),
     0, 65, rf_ctl_apply},
    {"keep", N_ ("[RECORD]"), N_ ("Keep the trial: the settings come back at each start"), 0, 1, rf_ctl_keep},
    {"revert", N_ ("[RECORD [ID[@INSTANCE]]]"), N_ ("Take back a record, one of its settings, or everything (--all)"),
     0, 2, rf_ctl_revert},
    {"records", NULL, N_ ("All records with their settings"), 0, 0, rf_ctl_records},
    {"compare", N_ ("BEFORE[,…] AFTER[,…]"), N_ ("What has changed between recordings, and how certain that is"), 2, 2,
     rf_ctl_compare},
    {"report", NULL, N_ ("A text for reporting a problem, without names and serial numbers"), 0, 0, rf_ctl_report},
    {"record", N_ ("[-- PROGRAM [ARGUMENT…]]"), N_ ("Record until interrupted, or while a program runs"), 0, G_MAXUINT,
     rf_ctl_record},
    {"mark", N_ ("[TEXT]"), N_ ("“It stuttered now”: marks this moment in the recording"), 0, G_MAXUINT, rf_ctl_mark},
    {"recordings", N_ ("[list | show ID | rename ID NAME | delete ID | export ID [FILE] | import FILE]"),
     N_ ("All recordings, and what can be done with them"), 0, 3, rf_ctl_recordings},
};

typedef struct {
    RfCtl ctl;
    gboolean version;
    char *sysroot;
    char *helper;
} Options;

static const char *
exit_codes (void)
{
    return _ ("Exit codes:\n"
              "  0  done\n"
              "  1  failed\n"
              "  2  wrong arguments or values\n"
              "  3  not authorised, or the password was not entered\n"
              "  4  another change or trial is running\n"
              "  5  somebody else has changed a value; it was left alone\n"
              "  6  the helper is not installed or cannot be reached\n"
              "  7  not kept: everything is as it was before");
}

static GOptionContext *
new_context (Options *options, const char *parameters, gboolean strict)
{
    GOptionEntry common[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &options->ctl.json, N_ ("Print JSON for programs"), NULL},
        {"version", 0, 0, G_OPTION_ARG_NONE, &options->version, N_ ("Print the version and leave"), NULL},
#ifdef RF_TEST_BUILD
        {"sysroot", 0, 0, G_OPTION_ARG_FILENAME, &options->sysroot, "Folder that stands for /", "DIR"},
        {"helper", 0, 0, G_OPTION_ARG_FILENAME, &options->helper, "Program in place of the helper", "FILE"},
#endif
        G_OPTION_ENTRY_NULL,
    };
    GOptionContext *context = g_option_context_new (parameters);
    g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
    g_option_context_add_main_entries (context, common, GETTEXT_PACKAGE);
    g_option_context_set_strict_posix (context, strict);
    return context;
}

/* those of the commands for recordings */
static void
add_recording_options (GOptionContext *context, const Command *command, Options *options)
{
    GOptionEntry record[] = {
        {"for", 0, 0, G_OPTION_ARG_STRING, &options->ctl.record_for, N_ ("End after this time: 90s, 60m, 2h"), N_ ("TIME")},
        {"name", 0, 0, G_OPTION_ARG_STRING, &options->ctl.name, N_ ("What the recording is called"), N_ ("NAME")},
        {"hz", 0, 0, G_OPTION_ARG_INT, &options->ctl.hz, N_ ("Samples in a second, 1 to 50 (default 10)"), N_ ("NUMBER")},
        {"trace", 0, 0, G_OPTION_ARG_NONE, &options->ctl.trace,
         N_ ("With the kernel's events, which name the programs that waited; asks for a password"), NULL},
        {"pre-roll", 0, 0, G_OPTION_ARG_NONE, &options->ctl.pre_roll,
         N_ ("Keep the last two minutes, and record from them on when “mark” is called"), NULL},
        {"compare-with", 0, 0, G_OPTION_ARG_STRING, &options->ctl.compare_with,
         N_ ("Say whether settings are those of this recording"), N_ ("ID")},
        G_OPTION_ENTRY_NULL,
    };
    GOptionEntry recordings[] = {
        {"yes", 'y', 0, G_OPTION_ARG_NONE, &options->ctl.yes, N_ ("Do not ask before deleting for ever"), NULL},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &options->ctl.report,
         N_ ("With show: write a report to this file: .html, .md or .csv"), N_ ("FILE")},
        G_OPTION_ENTRY_NULL,
    };
    if (command->run == rf_ctl_record)
        g_option_context_add_main_entries (context, record, GETTEXT_PACKAGE);
    else if (command->run == rf_ctl_recordings)
        g_option_context_add_main_entries (context, recordings, GETTEXT_PACKAGE);
}

static void
add_command_options (GOptionContext *context, const Command *command, Options *options)
{
    GOptionEntry apply[] = {
        {"yes", 'y', 0, G_OPTION_ARG_NONE, &options->ctl.yes, N_ ("Do not ask before applying"), NULL},
        {"keep", 0, 0, G_OPTION_ARG_NONE, &options->ctl.keep, N_ ("Keep when the time of the trial is over"), NULL},
        {"trial", 0, 0, G_OPTION_ARG_INT, &options->ctl.trial_seconds,
         N_ ("Length of the trial, 15 to 1800 (default 60)"), N_ ("SECONDS")},
        G_OPTION_ENTRY_NULL,
    };
    GOptionEntry revert[] = {
        {"all", 0, 0, G_OPTION_ARG_NONE, &options->ctl.all, N_ ("Take back everything"), NULL},
        {"force", 0, 0, G_OPTION_ARG_NONE, &options->ctl.force, N_ ("Also what somebody else has changed since"), NULL},
        G_OPTION_ENTRY_NULL,
    };
    GOptionEntry watch[] = {
        {"count", 'n', 0, G_OPTION_ARG_INT, &options->ctl.count, N_ ("Leave after this many lines"), N_ ("NUMBER")},
        {"gpu", 0, 0, G_OPTION_ARG_NONE, &options->ctl.gpu, N_ ("Show the graphics cards and X-Plane’s frame times"),
         NULL},
        {"program", 0, 0, G_OPTION_ARG_STRING, &options->ctl.program,
         N_ ("With --gpu: tell when a card has nothing to do while this program runs"), N_ ("NAME")},
#ifdef RF_TEST_BUILD
        {"nvml", 0, 0, G_OPTION_ARG_FILENAME, &options->ctl.nvml, "Library in place of NVIDIA's", "FILE"},
        {"xplane-port", 0, 0, G_OPTION_ARG_INT, &options->ctl.xplane_port, "Where X-Plane listens", "PORT"},
#endif
        G_OPTION_ENTRY_NULL,
    };
    GOptionEntry import[] = {
        {"as", 0, 0, G_OPTION_ARG_STRING, &options->ctl.import.as,
         N_ ("Kind of file: flight, mangohud, xplane, vmstat, sar, sadf or csv"), N_ ("KIND")},
        {"map", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->ctl.import.map,
         N_ ("What a column of a table is, as often as needed"), N_ ("COLUMN=NAME")},
        {"name", 0, 0, G_OPTION_ARG_STRING, &options->ctl.import.name, N_ ("What the recording is called"), N_ ("NAME")},
        {"join", 0, 0, G_OPTION_ARG_STRING, &options->ctl.import.join,
         N_ ("Put it together with this recording, by their clocks, into a new one"), N_ ("RECORDING")},
        {"offset", 0, 0, G_OPTION_ARG_DOUBLE, &options->ctl.import.offset,
         N_ ("With --join: how much later than its clock says"), N_ ("SECONDS")},
        G_OPTION_ENTRY_NULL,
    };
    GOptionEntry check[] = {
        {"seconds", 0, 0, G_OPTION_ARG_INT, &options->ctl.seconds,
         N_ ("Look for this long before judging, 0 to 300 (default 5)"), N_ ("SECONDS")},
        G_OPTION_ENTRY_NULL,
    };
    GOptionEntry compare[] = {
        {"phase", 0, 0, G_OPTION_ARG_STRING, &options->ctl.phase,
         N_ ("Compare this phase: warm-up, build-up, equilibrium or whole"), N_ ("PHASE")},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &options->ctl.report,
         N_ ("Write a report to this file: .html, .md or .csv"), N_ ("FILE")},
        G_OPTION_ENTRY_NULL,
    };
    if (command->run == rf_ctl_compare)
        g_option_context_add_main_entries (context, compare, GETTEXT_PACKAGE);
    if (command->run == rf_ctl_check)
        g_option_context_add_main_entries (context, check, GETTEXT_PACKAGE);
    else if (command->run == rf_ctl_apply)
        g_option_context_add_main_entries (context, apply, GETTEXT_PACKAGE);
    else if (command->run == rf_ctl_revert)
        g_option_context_add_main_entries (context, revert, GETTEXT_PACKAGE);
    else if (command->run == rf_ctl_watch)
        g_option_context_add_main_entries (context, watch, GETTEXT_PACKAGE);
    else if (command->run == rf_ctl_import)
        g_option_context_add_main_entries (context, import, GETTEXT_PACKAGE);
}

static char *
command_summary (void)
{
    GString *text
        = g_string_new (_ ("Finds what makes a Linux desktop stutter, and changes it on trial.\n\nCommands:"));
    for (gsize i = 0; i < G_N_ELEMENTS (commands); i++) {
        g_autofree char *padded = rf_ctl_pad (commands[i].name, 11, FALSE);
        g_string_append_printf (text, "\n  %s%s", padded, _ (commands[i].summary));
    }
    g_string_append_printf (text, "\n\n%s", _ ("“ruckelfreictl COMMAND --help” says more."));
    return g_string_free (text, FALSE);
}

static gboolean
parse_global (Options *options, int *argc, char ***argv, GError **error)
{
    g_autofree char *summary = command_summary ();
    g_autoptr (GOptionContext) context = new_context (options, _ ("COMMAND [ARGUMENT…]"), TRUE);
    g_option_context_set_summary (context, summary);
    g_option_context_set_description (context, exit_codes ());
    return g_option_context_parse (context, argc, argv, error);
}

static gboolean
parse_command (Options *options, const Command *command, int *argc, char ***argv, GError **error)
{
    g_autofree char *parameters = command->arguments != NULL ? g_strdup (_ (command->arguments)) : NULL;
    g_autofree char *program = g_strconcat ("ruckelfreictl ", command->name, NULL);
    g_autoptr (GOptionContext) context = new_context (options, parameters, command->run == rf_ctl_record);
    g_option_context_set_summary (context, _ (command->summary));
    g_option_context_set_description (context, exit_codes ());
    add_command_options (context, command, options);
    add_recording_options (context, command, options);
    g_set_prgname (program);
    gboolean ok = g_option_context_parse (context, argc, argv, error);
    g_set_prgname ("ruckelfreictl");
    return ok;
}

static const Command *
find_command (const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
        if (g_str_equal (commands[i].name, name))
            return &commands[i];
    return NULL;
}

static RfExit
run (Options *options, int argc, char **argv)
{
    g_autoptr (GError) error = NULL;
    RfCtl *ctl = &options->ctl;
    if (!parse_global (options, &argc, &argv, &error))
        return rf_ctl_usage (ctl, "%s", error->message);
    if (options->version) {
        g_print ("ruckelfreictl %s\n", PACKAGE_VERSION);
        return RF_EXIT_OK;
    }
    if (argc < 2)
        return rf_ctl_usage (ctl, _ ("A command is missing."));
    const Command *command = find_command (argv[1]);
    if (command == NULL)
        return rf_ctl_usage (ctl, _ ("“%s” is not a command."), argv[1]);

    /* the command takes the place of the program's name, so that the rest is parsed alone */
    argc--;
    argv++;
    if (!parse_command (options, command, &argc, &argv, &error))
        return rf_ctl_usage (ctl, "%s", error->message);
    if (options->version) {
        g_print ("ruckelfreictl %s\n", PACKAGE_VERSION);
        return RF_EXIT_OK;
    }
    if (argc > 1 && g_str_equal (argv[1], "--")) {
        argc--;
        argv++;
    }
    ctl->args = argv + 1;
    ctl->n_args = (guint)(argc - 1);
    if (ctl->n_args < command->min_args)
        return rf_ctl_usage (ctl, _ ("An argument is missing."));
    if (ctl->n_args > command->max_args)
        return rf_ctl_usage (ctl, _ ("“%s” is one argument too many."), ctl->args[command->max_args]);
    if (ctl->trial_seconds < TRIAL_MIN_S || ctl->trial_seconds > TRIAL_MAX_S)
        return rf_ctl_usage (ctl, _ ("A trial takes 15 to 1800 seconds."));
    if (ctl->seconds < 0 || ctl->seconds > RF_HEALTH_PERIOD)
        return rf_ctl_usage (ctl, _ ("The look takes 0 to 300 seconds."));
    if (ctl->count < 0)
        return rf_ctl_usage (ctl, _ ("The number of lines cannot be negative."));
    ctl->sysroot = rf_sysroot_new (options->sysroot);
    if (options->helper != NULL)
        rf_ctl_set_helper_program (options->helper);
    return command->run (ctl);
}

static void
clear (Options *options)
{
    g_clear_pointer (&options->ctl.snapshot, rf_snapshot_free);
    g_clear_pointer (&options->ctl.current, rf_current_set_free);
    g_clear_pointer (&options->ctl.facts, rf_facts_unref);
    g_clear_object (&options->ctl.client);
    g_clear_object (&options->ctl.sysroot);
    g_free (options->ctl.program);
    g_free (options->ctl.nvml);
    g_free (options->ctl.import.as);
    g_free (options->ctl.import.name);
    g_free (options->ctl.import.join);
    g_strfreev (options->ctl.import.map);
    g_free (options->ctl.phase);
    g_free (options->ctl.report);
    g_free (options->ctl.record_for);
    g_free (options->ctl.name);
    g_free (options->ctl.compare_with);
    g_free (options->sysroot);
    g_free (options->helper);
}

int
main (int argc, char **argv)
{
    Options options
        = {.ctl.trial_seconds = TRIAL_DEFAULT_S, .ctl.seconds = RF_HEALTH_ENOUGH, .ctl.xplane_port = RF_XPLANE_PORT};
    rf_recent_messages_install ();
    rf_ctl_print_install ();
    /* no thread runs yet; NOLINTNEXTLINE(concurrency-mt-unsafe) */
    (void)setlocale (LC_ALL, "");
    bindtextdomain (GETTEXT_PACKAGE, RF_LOCALEDIR);
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);
    g_set_prgname ("ruckelfreictl");

    g_auto (GStrv) arguments = g_strdupv (argv);
    g_autofree char **view = g_memdup2 (arguments, sizeof (char *) * ((gsize)argc + 1));
    RfExit code = run (&options, argc, view);
    clear (&options);
    /* a full disk, for example: whoever reads the output has to learn that it is not all there */
    if (fflush (stdout) != 0 || ferror (stdout) != 0) {
        g_printerr ("ruckelfreictl: %s\n", _ ("The output could not be written completely."));
        code = code == RF_EXIT_OK ? RF_EXIT_FAILED : code;
    }
    return (int)code;
}
