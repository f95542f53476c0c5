#define G_LOG_DOMAIN "rf-ctl-record"
#include "config.h"

#include "rf-ctl.h"
#include "rf-live-recorder.h"
#include "rf-message.h"
#include "rf-recorder.h"
#include "rf-session-check.h"
#include "rf-tunable-text.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include <glib-unix.h>
#include <glib/gi18n.h>

#define HZ_MAX 50
#define FOR_MAX_S 86400
#define HZ_DEFAULT 10
#define EXIT_SIGNAL 128 /* as a shell has it */
#define EXIT_NOT_STARTED 127

typedef struct {
    RfCtl *ctl;
    RfRecordings *recordings;
    RfRecorder *recorder;
    RfLiveRecorder *live;
    GSubprocess *command;
    gboolean command_over;
    gboolean due;
    guint interrupts;
} Record;

/* "90", "90s", "60m", "2h". Returns: FALSE for anything else and for what is too short or too long */
gboolean
rf_ctl_parse_duration (const char *text, gint64 *seconds)
{
    gint64 number = 0;
    gsize digits = strspn (text, "0123456789");
    const char *unit = text + digits;
    if (digits == 0 || digits > 6 || !(*unit == '\0' || unit[1] == '\0'))
        return FALSE;
    for (gsize i = 0; i < digits; i++)
        number = number * 10 + (text[i] - '0');
    if (*unit == 'm')
        number *= 60;
    else if (*unit == 'h')
        number *= 3600;
    else if (*unit != '\0' && *unit != 's')
        return FALSE;
    if (number < 1 || number > FOR_MAX_S)
        return FALSE;
    *seconds = number;
    return TRUE;
}

/* All words go past the command's own output. */
static void
tell (const Record *record, const char *text)
{
    if (!record->ctl->json)
        g_printerr ("%s\n", text);
}

static gboolean
interrupt_cb (gpointer data)
{
    Record *record = data;
    record->interrupts++;
    return G_SOURCE_CONTINUE;
}

/* Also when the terminal is closed the recording ends well. "nohup" is heeded. */
static guint
add_hang_up (Record *record)
{
    struct sigaction before = {0};
    if (sigaction (SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
        return 0;
    return g_unix_signal_add (SIGHUP, interrupt_cb, record);
}

static gboolean
due_cb (gpointer data)
{
    Record *record = data;
    record->due = TRUE;
    return G_SOURCE_CONTINUE;
}

static void
command_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Record *record = data;
    record->command_over = g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL) || TRUE;
}

static void
marked_cb (RfRecorder *recorder, const char *text, Record *record)
{
    g_autofree char *line = *text != '\0' ? g_strdup_printf (_ ("Marked: %s"), text) : g_strdup (_ ("Marked."));
    tell (record, line);
}

static gboolean
read_conditions (Record *record, RfSessionConditions *conditions, GError **error)
{
    RfCtl *ctl = record->ctl;
    rf_session_conditions_read (conditions, ctl->sysroot, record->recordings);
    conditions->wanted_s = ctl->record_s;
    conditions->hz = ctl->hz != 0 ? (guint)ctl->hz : HZ_DEFAULT;
    if (ctl->compare_with == NULL)
        return TRUE;
    g_autofree char *id = rf_recordings_find (record->recordings, ctl->compare_with, error);
    g_autofree char *path = id != NULL ? rf_recordings_path (record->recordings, id) : NULL;
    g_autoptr (RfSessionInfo) info = path != NULL ? rf_session_info_load (path, error) : NULL;
    if (info == NULL)
        return FALSE;
    conditions->like = g_hash_table_ref (info->settings_start);
    return TRUE;
}

static gboolean
start (Record *record, const char *workload, GError **error)
{
    RfCtl *ctl = record->ctl;
    g_autoptr (GAsyncResult) result = NULL;
    RfRecorderOptions options = {
        .name = ctl->name,
        .workload = workload,
        .hz = (guint)ctl->hz,
        .trace = ctl->trace,
        .pre_roll = ctl->pre_roll,
        .limit_s = (guint)ctl->record_s,
    };
    rf_recorder_start_async (record->recorder, rf_ctl_connect (ctl), &options, NULL, rf_ctl_wait_cb, &result);
    rf_ctl_wait (&result);
    return rf_recorder_start_finish (record->recorder, result, error);
}

static void
tell_started (Record *record)
{
    const GError *refusal = rf_recorder_get_refusal (record->recorder);
    if (refusal != NULL) {
        g_autofree char *why = rf_message_from_measurement_error (refusal);
        g_autofree char *text
            = g_strdup_printf (rf_recorder_is_measured (record->recorder)
                                   ? _ ("Recording without the kernel's events. %s")
                                   : _ ("Recording without the helper, four times a second and without the kernel's "
                                        "events. %s"),
                               why);
        tell (record, text);
    }
    if (rf_recorder_get_state (record->recorder) == RF_RECORDER_PRE_ROLL)
        tell (record, _ ("The last two minutes are kept. “ruckelfreictl mark” begins the recording with them. Ctrl+C ends."));
    else {
        g_autofree char *text = g_strdup_printf (_ ("Recording %s. “ruckelfreictl mark” marks a moment, Ctrl+C ends."),
                                                 rf_recorder_get_id (record->recorder));
        tell (record, text);
    }
}

static RfExit
start_command (Record *record, GError **error)
{
    g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_INHERIT);
    record->command = g_subprocess_launcher_spawnv (launcher, (const char *const *)record->ctl->args, error);
    if (record->command == NULL)
        return (RfExit)EXIT_NOT_STARTED;
    g_subprocess_wait_async (record->command, NULL, command_cb, record);
    return RF_EXIT_OK;
}

/* Until the time is over, the command is, somebody interrupts, or it cannot go on. */
static void
run (Record *record)
{
    while (record->interrupts == 0 && !record->due && !record->command_over
           && rf_recorder_get_state (record->recorder) != RF_RECORDER_IDLE)
        g_main_context_iteration (NULL, TRUE);
}

/* Returns: (transfer full) (nullable): the id; a second interrupt does not wait for what the helper still has to say */
static char *
finish (Record *record, GError **error)
{
    g_autoptr (GAsyncResult) result = NULL;
    guint before = record->interrupts;
    g_clear_pointer (&record->live, rf_live_recorder_stop);
    rf_recorder_stop_async (record->recorder, rf_ctl_wait_cb, &result);
    while (result == NULL && record->interrupts < MAX (before, 1) + 1)
        g_main_context_iteration (NULL, TRUE);
    if (result == NULL) {
        rf_recorder_hurry (record->recorder);
        rf_ctl_wait (&result);
    }
    return rf_recorder_stop_finish (record->recorder, result, error);
}

/* The command goes on if only the recording was over; interrupted twice, nobody waits for it. */
static int
command_status (Record *record)
{
    if (record->command == NULL)
        return RF_EXIT_OK;
    while (!record->command_over && record->interrupts < 2)
        g_main_context_iteration (NULL, TRUE);
    if (!record->command_over)
        return EXIT_SIGNAL + SIGINT;
    return g_subprocess_get_if_exited (record->command) ? g_subprocess_get_exit_status (record->command)
                                                         : EXIT_SIGNAL + g_subprocess_get_term_sig (record->command);
}

static void
report_json (Record *record, const char *id, const RfSessionConditions *conditions, int status)
{
    const GError *failure = rf_recorder_get_failure (record->recorder);
    g_autofree char *path = id != NULL ? rf_recordings_path (record->recordings, id) : NULL;
    g_autoptr (RfSessionInfo) info = path != NULL ? rf_session_info_load (path, NULL) : NULL;
    g_autoptr (RfJson) json = rf_json_new ();
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "id", id);
    rf_json_string (json, "folder", path);
    rf_json_string (json, "source", info != NULL ? info->source : NULL);
    rf_json_string (json, "end_reason", info != NULL ? info->end_reason : NULL);
    rf_json_string (json, "failure", failure != NULL ? failure->message : NULL);
    rf_json_uint (json, "marks", rf_recorder_get_marks (record->recorder));
    rf_json_begin_array (json, "doubts");
    for (guint i = 0; i < RF_SESSION_N_DOUBTS; i++)
        if (rf_session_check (conditions, (RfSessionDoubt)i))
            rf_json_string (json, NULL, rf_session_doubt_nick ((RfSessionDoubt)i));
    rf_json_end_array (json);
    if (record->command != NULL)
        rf_json_int (json, "command_status", status);
    rf_json_end_object (json);
    rf_ctl_print_json (json);
}

static void
report_text (Record *record, const char *id, const RfSessionConditions *conditions)
{
    if (id == NULL) {
        tell (record, _ ("Nothing was recorded."));
        return;
    }
    g_autofree char *path = rf_recordings_path (record->recordings, id);
    g_autoptr (RfSessionInfo) info = rf_session_info_load (path, NULL);
    gint64 lasted_s = info != NULL ? (info->ended_us - info->created_us) / G_USEC_PER_SEC : 0;
    g_autofree char *length = rf_format_duration ((double)lasted_s);
    g_autofree char *text = g_strdup_printf (_ ("Recorded %1$s (%2$s): %3$s"), id, length, path);
    tell (record, text);
    /* what was said before the start is not said again */
    if (conditions->wanted_s == 0 && lasted_s < RF_SESSION_SHORT_S) {
        RfSessionConditions lasted = {.wanted_s = MAX (1, lasted_s)};
        g_autofree char *doubt = rf_session_doubt_text (&lasted, RF_SESSION_DOUBT_SHORT);
        tell (record, doubt);
    }
}

static RfExit
record_now (Record *record, const RfSessionConditions *conditions)
{
    RfCtl *ctl = record->ctl;
    g_autoptr (GError) error = NULL;
    g_autofree char *workload = ctl->n_args > 0 ? g_path_get_basename (ctl->args[0]) : NULL;
    for (guint i = 0; i < RF_SESSION_N_DOUBTS; i++)
        if (rf_session_check (conditions, (RfSessionDoubt)i)) {
            g_autofree char *doubt = rf_session_doubt_text (conditions, (RfSessionDoubt)i);
            tell (record, doubt);
        }
    if (!start (record, workload, &error))
        return rf_ctl_session_fail (ctl, error);
    tell_started (record);
    RfExit code = ctl->n_args > 0 ? start_command (record, &error) : RF_EXIT_OK;
    if (error != NULL)
        g_printerr ("ruckelfreictl: %s\n", error->message);
    g_clear_error (&error);
    RfLiveOptions live = RF_LIVE_OPTIONS (ctl->sysroot);
    const char *pid = record->command != NULL ? g_subprocess_get_identifier (record->command) : NULL;
    live.pid = pid != NULL ? (gint32)g_ascii_strtoll (pid, NULL, 10) : 0;
    if (code == RF_EXIT_OK) {
        record->live = rf_live_recorder_start (&live, record->recorder);
        run (record);
    }
    g_autofree char *id = finish (record, &error);
    int status = code == RF_EXIT_OK ? command_status (record) : (int)code;
    if (ctl->json)
        report_json (record, id != NULL ? id : rf_recorder_get_id (record->recorder), conditions, status);
    else if (error == NULL)
        report_text (record, id, conditions);
    else {
        g_autofree char *message = rf_session_message (error);
        g_printerr ("ruckelfreictl: %s\n", message);
    }
    return (RfExit)(error != NULL && status == 0 ? RF_EXIT_FAILED : status);
}

RfExit
rf_ctl_record (RfCtl *ctl)
{
    Record record = {.ctl = ctl};
    RfSessionConditions conditions;
    g_autoptr (GError) error = NULL;
    if (ctl->record_for != NULL && !rf_ctl_parse_duration (ctl->record_for, &ctl->record_s))
        return rf_ctl_usage (ctl, _ ("“%s” is no time such as 90s, 60m or 2h, of at most 24 hours."), ctl->record_for);
    if (ctl->hz < 0 || ctl->hz > HZ_MAX)
        return rf_ctl_usage (ctl, _ ("Between 1 and 50 samples are taken in a second."));
    record.recordings = rf_recordings_new (NULL);
    record.recorder = rf_recorder_new (record.recordings, ctl->sysroot, NULL);
    g_signal_connect (record.recorder, "marked", G_CALLBACK (marked_cb), &record);
    guint sources[] = {
        g_unix_signal_add (SIGINT, interrupt_cb, &record),
        g_unix_signal_add (SIGTERM, interrupt_cb, &record),
        add_hang_up (&record),
        g_timeout_add_seconds (ctl->record_s > 0 ? (guint)ctl->record_s : FOR_MAX_S, due_cb, &record),
    };
    RfExit code = read_conditions (&record, &conditions, &error) ? record_now (&record, &conditions)
                                                                 : rf_ctl_session_fail (ctl, error);
    for (gsize i = 0; i < G_N_ELEMENTS (sources); i++)
        if (sources[i] != 0)
            g_source_remove (sources[i]);
    rf_session_conditions_clear (&conditions);
    g_clear_pointer (&record.live, rf_live_recorder_stop);
    g_clear_object (&record.command);
    g_object_unref (record.recorder);
    rf_recordings_free (record.recordings);
    return code;
}
