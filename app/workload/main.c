/* ruckelfrei-workload: the load for "before" and "after". Unprivileged, and the most dangerous program of this package:
 * it makes memory scarce on purpose. What keeps it harmless is in rf-work-limits (what forbids it), rf-work-watch (what
 * ends it), rf-work-plan (how much it takes) and rf-work-files (nothing is left). */
#define G_LOG_DOMAIN "ruckelfrei-workload"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "rf-error.h"
#include "rf-work-job.h"
#include "rf-work-limits.h"
#include "rf-work-loads.h"
#include "rf-work-result.h"
#include "rf-work-watch.h"

#define QUICK_DEFAULT_S 90
#define QUICK_MAX_S 3600
#define LOAD_DEFAULT_S 10
#define LOAD_MAX_S 600
#define PERIOD_DEFAULT_US 1000
#define PERIOD_MIN_US 250
#define PERIOD_MAX_US 1000000
/* beyond all that is planned, until the kernel ends what has not ended */
#define SPARE_S 60
#define EXT4 0xef53

typedef enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_REFUSED = 3,
    EXIT_EARLY = 4,
} Exit;

typedef struct {
    gboolean latency;
    gboolean plan_only;
    gboolean may_use_battery;
    gboolean stdin_ends;
    gboolean fifo;
    gboolean quiet;
    gboolean version;
    gboolean any_folder;
    gint seconds;
    gint share;
    gint period_us;
    char *plan;
    char *folder;
    char *frames;
    char *series;
    char *sysroot;
} Options;

static gboolean
parse (Options *options, int *argc, char ***argv, GError **error)
{
    GOptionEntry entries[] = {
        {"seconds", 0, 0, G_OPTION_ARG_INT, &options->seconds,
         N_ ("How long to measure, 1 to 3600 (default 90); with --latency for each load, 1 to 600 (default 10)"),
         N_ ("SECONDS")},
        {"share", 0, 0, G_OPTION_ARG_INT, &options->share,
         N_ ("How much of the available memory to take at the most, 20 to 80 percent (default 60)"), N_ ("PERCENT")},
        {"plan", 0, 0, G_OPTION_ARG_STRING, &options->plan,
         N_ ("Take over the sizes of an earlier run: what it printed behind “plan=”"), N_ ("PLAN")},
        {"plan-only", 0, 0, G_OPTION_ARG_NONE, &options->plan_only, N_ ("Print the plan and leave"), NULL},
        {"folder", 0, 0, G_OPTION_ARG_FILENAME, &options->folder,
         N_ ("Where its files lie while it runs (default: ruckelfrei in your cache folder)"), N_ ("FOLDER")},
        {"frames", 0, 0, G_OPTION_ARG_FILENAME, &options->frames, N_ ("Write every frame into a new file, as CSV"),
         N_ ("FILE")},
        {"on-battery", 0, 0, G_OPTION_ARG_NONE, &options->may_use_battery, N_ ("Also run on battery"), NULL},
        {"end-with-stdin", 0, 0, G_OPTION_ARG_NONE, &options->stdin_ends, N_ ("Stop when standard input is closed"),
         NULL},
        {"latency", 0, 0, G_OPTION_ARG_NONE, &options->latency,
         N_ ("Measure how late a periodic thread is woken and writes, under one load after another"), NULL},
        {"period-us", 0, 0, G_OPTION_ARG_INT, &options->period_us,
         N_ ("With --latency: time between two wake-ups in microseconds, 250 to 1000000 (default 1000)"),
         N_ ("NUMBER")},
        {"fifo", 0, 0, G_OPTION_ARG_NONE, &options->fifo, N_ ("With --latency: give the thread real-time priority"),
         NULL},
        {"series", 0, 0, G_OPTION_ARG_FILENAME, &options->series,
         N_ ("With --latency: write every wake-up into a new file, as CSV"), N_ ("FILE")},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, N_ ("Print only the lines for programs"), NULL},
        {"version", 0, 0, G_OPTION_ARG_NONE, &options->version, N_ ("Print the version and leave"), NULL},
#ifdef RF_TEST_BUILD
        {"sysroot", 0, 0, G_OPTION_ARG_FILENAME, &options->sysroot, "Folder that stands for /", "DIR"},
        {"any-folder", 0, 0, G_OPTION_ARG_NONE, &options->any_folder, "Do not ask what the folder lies on", NULL},
#endif
        G_OPTION_ENTRY_NULL,
    };
    g_autoptr (GOptionContext) context = g_option_context_new (NULL);
    g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
    g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
    g_option_context_set_summary (context,
                                  _ ("Makes memory and drive busy in a measured way, always the same, to compare "
                                     "settings with each other."));
    g_option_context_set_description (context, _ ("Exit codes:\n"
                                                  "  0  done\n"
                                                  "  1  failed\n"
                                                  "  2  wrong arguments\n"
                                                  "  3  refused: not safe on this machine now\n"
                                                  "  4  ended before its time"));
    return g_option_context_parse (context, argc, argv, error);
}

static int
usage (const char *message)
{
    g_printerr ("ruckelfrei-workload: %s\n%s\n", message, _ ("“ruckelfrei-workload --help” says more."));
    return EXIT_USAGE;
}

/* What is wrong with the numbers, NULL if nothing is; fills in what was not given. */
static const char *
check_numbers (Options *options)
{
    if (options->seconds == -1)
        options->seconds = options->latency ? LOAD_DEFAULT_S : QUICK_DEFAULT_S;
    if (options->seconds < 1 || options->seconds > (options->latency ? LOAD_MAX_S : QUICK_MAX_S))
        return _ ("This is no time that can be measured.");
    if (options->share < RF_WORK_SHARE_MIN || options->share > RF_WORK_SHARE_MAX)
        return _ ("The share is 20 to 80 percent.");
    if (options->period_us < PERIOD_MIN_US || options->period_us > PERIOD_MAX_US)
        return _ ("The period is 250 to 1000000 microseconds.");
    if (options->latency && !rf_work_latency_limit ((guint)options->seconds, (guint)options->period_us))
        return _ ("These are too many wake-ups. Choose a longer period or a shorter time.");
    if (options->latency ? options->frames != NULL : options->series != NULL || options->fifo)
        return _ ("--frames does not go with --latency; --series and --fifo go only with it.");
    return NULL;
}

/* the folder of the files */
static char *
get_folder (const Options *options)
{
    return options->folder != NULL ? g_canonicalize_filename (options->folder, NULL)
                                   : g_build_filename (g_get_user_cache_dir (), "ruckelfrei", NULL);
}

/* Only our own; one that somebody names has to be there. */
static gboolean
make_folder (const Options *options, const char *folder, GError **error)
{
    if (options->folder != NULL || g_mkdir_with_parents (folder, 0700) == 0)
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_IO, "%s: %s", folder, g_strerror (errno));
    return FALSE;
}

/* Two loads at once would measure each other. The lock is on the folder itself, so that there is no file to be left; it
 * ends with the process. Where a file system knows no locks, nobody is kept off. */
static gboolean
is_alone (const char *folder)
{
    int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 || flock (fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

static int
fail (const char *why)
{
    g_printerr ("ruckelfrei-workload: %s\n", why);
    rf_work_say ("end", "complete");
    return EXIT_FAILED;
}

static int
refuse (const char *nick, const char *why)
{
    g_printerr ("ruckelfrei-workload: %s\n", why);
    rf_work_say ("refused", nick);
    rf_work_say ("end", "complete");
    return EXIT_REFUSED;
}

/* The plan for this run; @exit_code is set when there is none. */
static gboolean
make_plan (const Options *options, const RfWorkSurroundings *around, RfWorkPlan *plan, int *exit_code)
{
    g_autoptr (GError) error = NULL;
    if (options->plan != NULL) {
        if (!rf_work_plan_parse (options->plan, plan, &error)) {
            g_autofree char *message = g_strdup_printf (_ ("This is no plan: %s"), error->message);
            *exit_code = usage (message);
            return FALSE;
        }
        if (!rf_work_plan_adapt (plan, &around->memory, &error)) {
            *exit_code = refuse ("changed",
                                 _ ("Other programs have taken so much memory since the plan was made that the load "
                                    "would not be the same. Close what was not open then."));
            return FALSE;
        }
        return TRUE;
    }
    if (!rf_work_plan_compute (&around->memory, g_get_num_processors (), (guint)options->share, plan, &error)) {
        gboolean little = g_error_matches (error, RF_ERROR, RF_ERROR_NO_MEMORY);
        RfWorkRefusal refusal = little ? RF_WORK_REFUSED_MEMORY : RF_WORK_REFUSED_UNKNOWN;
        g_autofree char *why = rf_work_refusal_text (refusal, plan, around);
        *exit_code = refuse (rf_work_refusal_nick (refusal), why);
        return FALSE;
    }
    return TRUE;
}

static void
announce (const Options *options, const RfWorkPlan *plan)
{
    g_autofree char *text = rf_work_plan_to_text (plan);
    const guint measured = (guint)options->seconds;
    const guint64 limited = plan->pool + (guint64)measured * 2 * RF_WORK_LOAD_MIB_PER_S;
    rf_work_say ("mode", options->latency ? "latency" : "quick");
    rf_work_say ("plan", text);
    rf_work_say_uint ("seconds", measured);
    rf_work_say_uint ("memory_mib", rf_work_plan_memory (plan));
    rf_work_say_uint ("drive_mib", rf_work_plan_disk (plan));
    rf_work_say_uint ("written_mib", options->latency ? limited : rf_work_plan_written (plan, measured));
    if (options->latency) {
        rf_work_say_uint ("period_us", (guint)options->period_us);
        rf_work_say ("scheduler", options->fifo ? "fifo" : "other");
    }
    if (options->quiet)
        return;
    g_printerr (
        _ ("Takes up to %u MiB of memory and %u MiB on the drive, and writes up to %u MiB in all. Ctrl+C stops it at "
           "any time.\n"),
        rf_work_plan_memory (plan), rf_work_plan_disk (plan),
        (guint)(options->latency ? limited : rf_work_plan_written (plan, measured)));
}

static int
say_end (void)
{
    RfWorkEnd end = rf_work_ended ();
    g_autofree char *failure = rf_work_failure ();
    rf_work_say ("ended", rf_work_end_nick (end));
    if (failure != NULL)
        rf_work_say ("failure", failure);
    rf_work_say ("end", "complete");
    if (end == RF_WORK_END_TIME)
        return EXIT_DONE;
    g_printerr ("ruckelfrei-workload: %s\n", rf_work_end_text (end));
    if (failure != NULL)
        g_printerr ("ruckelfrei-workload: %s\n", failure);
    return end == RF_WORK_END_FAILED ? EXIT_FAILED : EXIT_EARLY;
}

static int
run_job (const Options *options, RfWorkJob *job, RfWorkWatch *watch)
{
    g_autoptr (GError) error = NULL;
    const char *path = options->latency ? options->series : options->frames;
    const guint measured = job->seconds * (options->latency ? RF_WORK_N_LOADS : 1);
    if (!rf_work_first_victim (&error)
        || !rf_work_watch_start (watch, RF_WORK_PREPARE_S + RF_WORK_WARM_UP_S + measured + SPARE_S, &error))
        return fail (error->message);
    if (path != NULL) {
        job->table = rf_work_table_new (
            path, options->latency ? "time_ns,load,wake_us,write_us" : "time_ns,frame_ms,cause", &error);
        if (job->table == NULL)
            return fail (error->message);
    }
    announce (options, &job->plan);
    if (options->latency)
        rf_work_latency (job);
    else
        rf_work_quick (job);
    rf_work_job_clear (job);
    int code = say_end ();
    g_clear_pointer (&job->table, rf_work_table_free);
    return code;
}

static int
run (Options *options, gint parent)
{
    static RfWorkWatch watch;
    g_autoptr (GError) error = NULL;
    g_autoptr (RfSysroot) sysroot = rf_sysroot_new (options->sysroot);
    RfWorkSurroundings around = {0};
    RfWorkJob job = {.sysroot = sysroot, .seconds = (guint)options->seconds};
    int code = EXIT_FAILED;
    rf_work_say_uint ("format", RF_WORK_FORMAT);
    rf_work_say ("version", PACKAGE_VERSION);
    g_autofree char *folder = get_folder (options);
    if (!make_folder (options, folder, &error) || !rf_work_surroundings_read (sysroot, folder, &around, &error))
        return fail (error->message);
    if (options->any_folder) {
        around.folder_type = EXT4;
        around.folder_size = around.folder_available = (guint64)1 << 40;
    }
    if (!make_plan (options, &around, &job.plan, &code))
        return code;
    RfWorkRefusal refusal = rf_work_limits_judge (&job.plan, &around, options->may_use_battery);
    if (refusal != RF_WORK_ALLOWED) {
        g_autofree char *why = rf_work_refusal_text (refusal, &job.plan, &around);
        return refuse (rf_work_refusal_nick (refusal), why);
    }
    if (options->plan_only) {
        announce (options, &job.plan);
        rf_work_say ("end", "complete");
        return EXIT_DONE;
    }
    if (!is_alone (folder))
        return refuse ("running", _ ("The test is running already. Wait until it has ended."));
    if (options->fifo && !rf_work_latency_may_fifo ())
        return refuse ("fifo",
                       _ ("You may not use real-time priority. Whoever administers this computer can allow it with the "
                          "limit “rtprio”, for example in /etc/security/limits.d; or leave out --fifo."));
    /* the watchdog looks until the very end of the process, so what it looks at is never given back */
    watch = (RfWorkWatch){.sysroot = g_object_ref (sysroot),
                          .folder = options->any_folder ? NULL : g_strdup (folder),
                          .parent = parent,
                          .stdin_ends = options->stdin_ends,
                          .may_use_battery = options->may_use_battery};
    job.folder = folder;
    job.period_us = (guint)options->period_us;
    job.fifo = options->fifo;
    job.quiet = options->quiet;
    return run_job (options, &job, &watch);
}

int
main (int argc, char **argv)
{
    /* before anything else: whoever started us may end at any time */
    const gint parent = (gint)getppid ();
    Options options = {.seconds = -1, .share = RF_WORK_SHARE_DEFAULT, .period_us = PERIOD_DEFAULT_US};
    g_autoptr (GError) error = NULL;
    /* no thread runs yet; NOLINTNEXTLINE(concurrency-mt-unsafe) */
    (void)setlocale (LC_ALL, "");
    bindtextdomain (GETTEXT_PACKAGE, RF_LOCALEDIR);
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);
    g_set_prgname ("ruckelfrei-workload");
    /* the files are nobody else's business, even for the instant in which one has a name */
    umask (077);

    g_auto (GStrv) arguments = g_strdupv (argv);
    g_autofree char **view = g_memdup2 (arguments, sizeof (char *) * ((gsize)argc + 1));
    char **rest = view;
    int code;
    const char *wrong = NULL;
    if (!parse (&options, &argc, &rest, &error))
        code = usage (error->message);
    else if (options.version)
        code = (g_print ("ruckelfrei-workload %s\n", PACKAGE_VERSION), EXIT_DONE);
    else if (argc > 1)
        code = usage (_ ("There are no arguments, only options."));
    else if ((wrong = check_numbers (&options)) != NULL)
        code = usage (wrong);
    else
        code = run (&options, parent);
    /* the watchdog still looks at what run() has left behind: leave without taking the program apart */
    (void)fflush (stdout);
    _exit (code);
}
