#define G_LOG_DOMAIN "rf-ctl-recordings"
#include "config.h"

#include "rf-active.h"
#include "rf-archive.h"
#include "rf-ctl-document.h"
#include "rf-error.h"
#include "rf-recording-document.h"
#include "rf-recordings.h"
#include "rf-session-check.h"
#include "rf-tunable-text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>

RfExit
rf_ctl_session_fail (RfCtl *ctl, const GError *error)
{
    /* what GIO says of a file has nothing to do with a bus */
    g_autoptr (GError) own = error->domain == RF_ERROR
                                 ? g_error_copy (error)
                                 : g_error_new_literal (RF_ERROR, RF_ERROR_IO, error->message);
    g_autofree char *message = rf_session_message (own);
    if (ctl->json)
        (void)rf_ctl_fail (ctl, own);
    else
        g_printerr ("ruckelfreictl: %s\n", message);
    switch (own->code) {
    case RF_ERROR_BUSY:
        return RF_EXIT_BUSY;
    case RF_ERROR_UNKNOWN:
    case RF_ERROR_CONFLICT:
        return RF_EXIT_USAGE;
    default:
        return RF_EXIT_FAILED;
    }
}

RfExit
rf_ctl_mark (RfCtl *ctl)
{
    g_autoptr (GError) error = NULL;
    gint64 now_ns = g_get_monotonic_time () * 1000;
    g_autofree char *text = g_strjoinv (" ", ctl->args);
    if (!rf_active_send_mark (NULL, now_ns, text, &error))
        return rf_ctl_session_fail (ctl, error);
    if (ctl->json) {
        g_autoptr (RfJson) json = rf_json_new ();
        rf_json_begin_object (json, NULL);
        rf_json_int (json, "time_ns", now_ns);
        rf_json_end_object (json);
        rf_ctl_print_json (json);
    } else
        rf_ctl_print (0, _ ("Marked."));
    return RF_EXIT_OK;
}

static char *
created_text (const RfSessionInfo *info)
{
    g_autoptr (GDateTime) time
        = info->created_us > 0 ? g_date_time_new_from_unix_local (info->created_us / G_USEC_PER_SEC) : NULL;
    return time != NULL ? g_date_time_format (time, "%x %H:%M") : g_strdup (_ ("not known"));
}

static const char *
source_text (const RfSessionInfo *info)
{
    if (g_str_equal (info->source, "helper"))
        return info->traced ? _ ("measured by the helper, with the kernel's events") : _ ("measured by the helper");
    if (g_str_equal (info->source, "window"))
        return _ ("looked at four times a second, without the helper");
    return g_str_has_prefix (info->source, "import") ? _ ("imported") : info->source;
}

static char *
state_text (const RfRecordingSummary *summary)
{
    if (summary->running)
        return g_strdup (_ ("It is being recorded now."));
    if (summary->info == NULL)
        return g_strdup_printf (_ ("It is damaged: %s"), summary->problem);
    if (summary->info->end_reason == NULL)
        return g_strdup (_ ("It has no end: it was cut off."));
    if (summary->info->trust == RF_TRUST_NO)
        return g_strdup (_ ("Not trustworthy: its own check found a disagreement."));
    return NULL;
}

static void
summary_json (RfJson *json, const RfRecordingSummary *summary)
{
    const RfSessionInfo *info = summary->info;
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "id", summary->id);
    rf_json_string (json, "name", info != NULL && *info->name != '\0' ? info->name : NULL);
    rf_json_bool (json, "running", summary->running);
    rf_json_uint (json, "size_bytes", summary->size_bytes);
    rf_json_double (json, "seconds", summary->duration_us >= 0 ? (double)summary->duration_us / 1e6 : (double)NAN);
    rf_json_string (json, "problem", summary->problem);
    if (info != NULL) {
        rf_json_int (json, "created", info->created_us / G_USEC_PER_SEC);
        rf_json_string (json, "end_reason", info->end_reason);
        rf_json_string (json, "source", info->source);
        rf_json_string (json, "workload", *info->workload != '\0' ? info->workload : NULL);
        rf_json_uint (json, "hz", info->hz);
        rf_json_bool (json, "traced", info->traced);
        rf_json_uint (json, "marks", info->marks->len);
        if (info->trust == RF_TRUST_UNCHECKED)
            rf_json_null (json, "trusted");
        else
            rf_json_bool (json, "trusted", info->trust == RF_TRUST_YES);
        rf_json_begin_array (json, "untrusted");
        for (guint i = 0; i < info->untrusted->len; i++)
            rf_json_string (json, NULL, info->untrusted->pdata[i]);
        rf_json_end_array (json);
    }
    rf_json_end_object (json);
}

static void
print_summary (const RfRecordingSummary *summary)
{
    g_autofree char *title = rf_recording_summary_title (summary);
    g_autofree char *head = g_strdup_printf ("%s  %s", summary->id, title);
    g_autofree char *size = rf_format_disk_bytes (summary->size_bytes);
    g_autofree char *length
        = summary->duration_us >= 0 ? rf_format_duration ((double)summary->duration_us / 1e6) : g_strdup (_ ("not known"));
    /* TRANSLATORS: how long a recording is and how large: "90 min, 4.2 MB" */
    g_autofree char *line = g_strdup_printf (_ ("%1$s, %2$s"), length, size);
    g_autofree char *state = state_text (summary);
    rf_ctl_print (0, head);
    rf_ctl_print (2, line);
    if (state != NULL)
        rf_ctl_print (2, state);
}

static RfExit
list (RfCtl *ctl, const RfRecordings *recordings)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) all = rf_recordings_list (recordings, &error);
    if (all == NULL)
        return rf_ctl_session_fail (ctl, error);
    if (ctl->json) {
        g_autoptr (RfJson) json = rf_json_new ();
        rf_json_begin_array (json, NULL);
        for (guint i = 0; i < all->len; i++)
            summary_json (json, all->pdata[i]);
        rf_json_end_array (json);
        rf_ctl_print_json (json);
        return RF_EXIT_OK;
    }
    for (guint i = 0; i < all->len; i++)
        print_summary (all->pdata[i]);
    if (all->len == 0)
        rf_ctl_print (0, _ ("There is no recording yet. “ruckelfreictl record” makes one."));
    return RF_EXIT_OK;
}

/* Returns: (transfer full) (nullable) */
static RfRecordingSummary *
summary_of (const RfRecordings *recordings, const char *id, GError **error)
{
    g_autoptr (GPtrArray) all = rf_recordings_list (recordings, error);
    for (guint i = 0; all != NULL && i < all->len; i++)
        if (g_str_equal (((const RfRecordingSummary *)all->pdata[i])->id, id))
            return g_ptr_array_steal_index (all, i);
    return NULL;
}

static void
print_loaded (const RfRecording *recording, const RfRecordingState *state)
{
    for (guint i = 0; i < recording->tables->len; i++) {
        const RfTable *table = recording->tables->pdata[i];
        g_autofree char *lines = g_strdup_printf (
            ngettext ("%lu line", "%lu lines", (gulong)rf_table_n_rows (table)), (gulong)rf_table_n_rows (table));
        g_autofree char *name = g_strconcat (rf_table_name (table), ".csv", NULL);
        rf_ctl_pair (name, lines);
    }
    if (recording->events->len > 0) {
        g_autofree char *lines
            = g_strdup_printf (ngettext ("%lu line", "%lu lines", recording->events->len), (gulong)recording->events->len);
        rf_ctl_pair ("events.csv", lines);
    }
    if (recording->gaps->len > 0) {
        g_autofree char *gaps = g_strdup_printf ("%u", recording->gaps->len);
        rf_ctl_pair (_ ("Gaps"), gaps);
    }
    g_autofree char *text = rf_recording_state_text (state);
    if (text != NULL)
        rf_ctl_print (2, text);
}

static void
print_info (const RfRecordingSummary *summary, const char *path)
{
    const RfSessionInfo *info = summary->info;
    const char *kernel = g_hash_table_lookup (info->machine, "kernel");
    g_autofree char *created = created_text (info);
    g_autofree char *end = info->end_reason != NULL ? rf_session_end_text (info->end_reason) : NULL;
    rf_ctl_pair (_ ("Began"), created);
    if (end != NULL)
        rf_ctl_pair (_ ("End"), end);
    rf_ctl_pair (_ ("Source"), source_text (info));
    if (*info->workload != '\0')
        rf_ctl_pair (_ ("Program"), info->workload);
    if (kernel != NULL)
        rf_ctl_pair (_ ("Kernel"), kernel);
    for (guint i = 0; i < info->untrusted->len; i++)
        rf_ctl_pair (_ ("Disagreement"), info->untrusted->pdata[i]);
    for (guint i = 0; i < info->marks->len; i++) {
        const RfSessionMark *mark = info->marks->pdata[i];
        g_autofree char *at
            = rf_format_duration ((double)(mark->time_ns - info->anchor_monotonic_ns) / 1e9);
        g_autofree char *text = g_strdup_printf ("%s  %s", at, mark->text);
        rf_ctl_pair (_ ("Mark"), text);
    }
    rf_ctl_pair (_ ("Folder"), path);
}

static RfExit
show (RfCtl *ctl, const RfRecordings *recordings, const char *id)
{
    g_autoptr (GError) error = NULL;
    RfRecordingSummary *summary = summary_of (recordings, id, &error);
    if (summary == NULL)
        return error != NULL ? rf_ctl_session_fail (ctl, error) : RF_EXIT_FAILED;
    g_autofree char *path = rf_recordings_path (recordings, id);
    if (ctl->json) {
        g_autoptr (RfJson) json = rf_json_new ();
        summary_json (json, summary);
        rf_ctl_print_json (json);
    } else {
        print_summary (summary);
        if (summary->info != NULL)
            print_info (summary, path);
        g_autoptr (RfRecordingState) state = NULL;
        g_autoptr (RfRecording) recording = rf_recording_load (path, &state, NULL);
        if (recording != NULL && !summary->running)
            print_loaded (recording, state);
    }
    rf_recording_summary_free (summary);
    return RF_EXIT_OK;
}

static RfExit
write_report (RfCtl *ctl, const RfRecordings *recordings, const char *id)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *path = rf_recordings_path (recordings, id);
    g_autoptr (RfRecording) recording = rf_recording_load (path, NULL, &error);
    if (recording == NULL)
        return rf_ctl_session_fail (ctl, error);
    g_autoptr (RfSessionInfo) info = rf_session_info_load (path, NULL);
    g_autoptr (RfPrivacy) privacy = rf_ctl_document_privacy (ctl);
    RfPhases phases = {0};
    rf_phases_find (recording, &phases);
    g_autoptr (RfDocument) document = rf_recording_document_new (recording, info, &phases, privacy);
    return rf_ctl_document_write (ctl, document);
}

static void
said (RfCtl *ctl, const char *id, const char *text)
{
    if (ctl->json) {
        g_autoptr (RfJson) json = rf_json_new ();
        rf_json_begin_object (json, NULL);
        rf_json_string (json, "id", id);
        rf_json_end_object (json);
        rf_ctl_print_json (json);
    } else
        rf_ctl_print (0, text);
}

static gboolean
agrees (const char *question)
{
    char answer[16] = "";
    if (!isatty (STDIN_FILENO) || !isatty (STDERR_FILENO))
        return FALSE;
    /* TRANSLATORS: behind a question; y and n are what can be typed */
    g_printerr ("%s %s ", question, _ ("[y/N]"));
    if (fgets (answer, sizeof answer, stdin) == NULL)
        return FALSE;
    /* TRANSLATORS: letters that mean yes at “[y/N]” */
    return answer[0] != '\n' && answer[0] != '\0' && strchr (_ ("yY"), answer[0]) != NULL;
}

static RfExit
remove_one (RfCtl *ctl, const RfRecordings *recordings, const char *id)
{
    g_autoptr (GError) error = NULL;
    gboolean done = rf_recordings_delete (recordings, id, FALSE, &error);
    gboolean trashed = done;
    if (!done && g_error_matches (error, RF_ERROR, RF_ERROR_STATE)) {
        g_clear_error (&error);
        if (!ctl->yes && !agrees (_ ("There is no trash here. Delete the recording for ever?"))) {
            g_printerr ("ruckelfreictl: %s\n", _ ("Nothing was deleted. With --yes it is deleted for ever."));
            return RF_EXIT_FAILED;
        }
        done = rf_recordings_delete (recordings, id, TRUE, &error);
    }
    if (!done)
        return rf_ctl_session_fail (ctl, error);
    said (ctl, id, trashed ? _ ("The recording is in the trash.") : _ ("The recording was deleted."));
    return RF_EXIT_OK;
}

static RfExit
export_one (RfCtl *ctl, const RfRecordings *recordings, const char *id, const char *where)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *name = where != NULL ? g_strdup (where) : g_strconcat (id, RF_ARCHIVE_SUFFIX, NULL);
    g_autoptr (GFile) file = g_file_new_for_commandline_arg (name);
    g_autofree char *shown = g_file_get_parse_name (file);
    if (!rf_recordings_export (recordings, id, file, NULL, &error))
        return rf_ctl_session_fail (ctl, error);
    g_autofree char *text = g_strdup_printf (_ ("Written to %s"), shown);
    said (ctl, id, text);
    return RF_EXIT_OK;
}

static RfExit
import_one (RfCtl *ctl, const RfRecordings *recordings, const char *name)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GFile) file = g_file_new_for_commandline_arg (name);
    g_autofree char *id = rf_recordings_import (recordings, file, NULL, &error);
    if (id == NULL)
        return rf_ctl_session_fail (ctl, error);
    g_autofree char *text = g_strdup_printf (_ ("Imported as %s"), id);
    said (ctl, id, text);
    return RF_EXIT_OK;
}

static RfExit
rename_one (RfCtl *ctl, const RfRecordings *recordings, const char *id, const char *name)
{
    g_autoptr (GError) error = NULL;
    if (!rf_recordings_rename (recordings, id, name, &error))
        return rf_ctl_session_fail (ctl, error);
    said (ctl, id, _ ("Renamed."));
    return RF_EXIT_OK;
}

static const struct {
    const char *name;
    guint min; /* arguments behind it */
    guint max;
} actions[] = {{"list", 0, 0}, {"show", 1, 1}, {"rename", 2, 2}, {"delete", 1, 1}, {"export", 1, 2}, {"import", 1, 1}};

RfExit
rf_ctl_recordings (RfCtl *ctl)
{
    const char *action = ctl->n_args > 0 ? ctl->args[0] : "list";
    guint n = ctl->n_args > 0 ? ctl->n_args - 1 : 0, at = 0;
    while (at < G_N_ELEMENTS (actions) && !g_str_equal (actions[at].name, action))
        at++;
    if (at == G_N_ELEMENTS (actions))
        return rf_ctl_usage (ctl, _ ("“%s” is not one of list, show, rename, delete, export, import."), action);
    if (n < actions[at].min)
        return rf_ctl_usage (ctl, _ ("An argument is missing."));
    if (n > actions[at].max)
        return rf_ctl_usage (ctl, _ ("“%s” is one argument too many."), ctl->args[1 + actions[at].max]);
    if (ctl->report != NULL && !g_str_equal (action, "show"))
        return rf_ctl_usage (ctl, _ ("--report goes with “show” only."));
    if (ctl->report != NULL && !rf_ctl_document_check (ctl))
        return RF_EXIT_USAGE;
    g_autoptr (RfRecordings) recordings = rf_recordings_new (NULL);
    if (g_str_equal (action, "list"))
        return list (ctl, recordings);
    if (g_str_equal (action, "import"))
        return import_one (ctl, recordings, ctl->args[1]);
    g_autoptr (GError) error = NULL;
    g_autofree char *id = rf_recordings_find (recordings, ctl->args[1], &error);
    if (id == NULL)
        return rf_ctl_session_fail (ctl, error);
    if (g_str_equal (action, "show"))
        return ctl->report != NULL ? write_report (ctl, recordings, id) : show (ctl, recordings, id);
    if (g_str_equal (action, "rename"))
        return rename_one (ctl, recordings, id, ctl->args[2]);
    if (g_str_equal (action, "delete"))
        return remove_one (ctl, recordings, id);
    return export_one (ctl, recordings, id, n > 1 ? ctl->args[2] : NULL);
}
