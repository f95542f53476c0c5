/* ruckelfreictl compare: two recordings, or several on each side, in one table. */
#define G_LOG_DOMAIN "rf-ctl-compare"
#include "config.h"

#include "rf-comparison-document.h"
#include "rf-ctl-document.h"
#include "rf-error.h"
#include "rf-recordings.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#define TITLE_COLUMNS 54
#define MOST_ON_A_SIDE 32

typedef struct {
    GPtrArray *recordings; /* not owned */
    RfPhases phases[MOST_ON_A_SIDE];
    RfRun runs[MOST_ON_A_SIDE];
} Side;

static void
side_clear (Side *self)
{
    g_clear_pointer (&self->recordings, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Side, side_clear)

/* Returns: (transfer full) (nullable): the folder of @name: a path if it looks like one, else as the other commands take it */
static char *
find_folder (const RfRecordings *recordings, const char *name, GError **error)
{
    if (strchr (name, '/') != NULL)
        return g_canonicalize_filename (name, NULL);
    g_autofree char *id = rf_recordings_find (recordings, name, error);
    return id != NULL ? rf_recordings_path (recordings, id) : NULL;
}

/* @loaded: folder → recording, which it owns. Who is named twice is there once, so that a comparison with itself shows */
static RfRecording *
load_one (GHashTable *loaded, const RfRecordings *recordings, const char *name, GError **error)
{
    g_autoptr (RfRecordingState) state = NULL;
    g_autofree char *folder = find_folder (recordings, name, error);
    RfRecording *recording = folder != NULL ? g_hash_table_lookup (loaded, folder) : NULL;
    if (recording != NULL || folder == NULL)
        return recording;
    recording = rf_recording_load (folder, &state, error);
    if (recording == NULL)
        return NULL;
    g_autofree char *told = rf_recording_state_text (state);
    if (told != NULL)
        g_printerr ("ruckelfreictl: %s: %s\n", name, told);
    if (*recording->name == '\0') {
        g_autofree char *id = g_path_get_basename (folder);
        rf_recording_set (&recording->name, id);
    }
    g_hash_table_insert (loaded, g_steal_pointer (&folder), recording);
    return recording;
}

/* @names: separated by commas */
static gboolean
load_side (Side *self, GHashTable *loaded, const RfRecordings *recordings, const char *names, GError **error)
{
    g_auto (GStrv) list = g_strsplit (names, ",", -1);
    self->recordings = g_ptr_array_new ();
    if (g_strv_length (list) > MOST_ON_A_SIDE) {
        g_set_error (error, RF_ERROR, RF_ERROR_LIMIT, "more than %d recordings", MOST_ON_A_SIDE);
        return FALSE;
    }
    for (guint i = 0; list[i] != NULL; i++) {
        RfRecording *recording = load_one (loaded, recordings, list[i], error);
        if (recording == NULL)
            return FALSE;
        g_ptr_array_add (self->recordings, recording);
        rf_phases_find (recording, &self->phases[i]);
        self->runs[i] = (RfRun){recording, &self->phases[i]};
    }
    return TRUE;
}

static void
print_row (const RfComparisonRow *row)
{
    g_autofree char *title = rf_comparison_row_title (row);
    g_autofree char *verdict = rf_comparison_row_verdict (row);
    g_autofree char *before = rf_metric_value_text (row->metric, row->before, row->per_hour);
    g_autofree char *after = rf_metric_value_text (row->metric, row->after, row->per_hour);
    g_autofree char *change = rf_comparison_row_change (row);
    g_autofree char *certainty = rf_comparison_row_certainty (row);
    g_autofree char *padded = rf_ctl_pad (title, TITLE_COLUMNS, FALSE);
    g_autofree char *head = g_strdup_printf ("%s %s", padded, verdict);
    /* a long verdict goes below */
    gboolean fits = rf_ctl_width (head) + 2 <= RF_CTL_COLUMNS;
    g_print ("  %s\n", fits ? head : title);
    if (row->effect_kind == RF_EFFECT_NONE)
        g_print ("      %s → %s\n", before, after);
    else
        g_print ("      %s → %s   %s   (%s)\n", before, after, change, certainty);
    if (!fits)
        rf_ctl_print (6, verdict);
}

static void
print_rows (const RfComparison *comparison, gboolean felt)
{
    for (guint i = 0; i < comparison->rows->len; i++) {
        const RfComparisonRow *row = comparison->rows->pdata[i];
        if (rf_metric_info (row->metric)->felt == felt && !(isnan (row->before) && isnan (row->after)))
            print_row (row);
    }
}

/* what neither side has, by its reason */
static void
print_missing (const RfComparison *comparison)
{
    gboolean headed = FALSE;
    for (guint missing = RF_MISSING_NOT + 1; missing < RF_N_MISSING; missing++) {
        g_autoptr (GString) list = g_string_new (NULL);
        for (guint i = 0; i < comparison->rows->len; i++) {
            const RfComparisonRow *row = comparison->rows->pdata[i];
            if (row->missing_before != missing || !isnan (row->before) || !isnan (row->after))
                continue;
            g_autofree char *title = rf_comparison_row_title (row);
            g_string_append_printf (list, "%s%s", list->len > 0 ? "; " : "", title);
        }
        if (list->len == 0)
            continue;
        if (!headed)
            rf_ctl_heading (_ ("Not available on either side:"));
        headed = TRUE;
        g_autofree char *line = g_strdup_printf ("%s: %s", rf_missing_text (missing), list->str);
        rf_ctl_print (2, line);
    }
}

static void
print_comparison (const RfComparison *comparison)
{
    g_autofree char *sentence = rf_comparison_sentence (comparison);
    g_autofree char *warning = rf_comparison_warning (comparison);
    rf_ctl_print (0, sentence);
    if (warning != NULL)
        rf_ctl_print (0, warning);
    g_print ("\n");
    g_autofree char *recordings = g_strdup_printf (_ ("%u before, %u after"), comparison->n_before, comparison->n_after);
    rf_ctl_pair (_ ("Recordings"), recordings);
    rf_ctl_pair (_ ("Phase"), rf_phase_title (comparison->phase));
    rf_ctl_heading (_ ("What people notice (before → after, change, interval):"));
    print_rows (comparison, TRUE);
    rf_ctl_heading (_ ("What is behind it:"));
    print_rows (comparison, FALSE);
    print_missing (comparison);
}

static void
json_row (RfJson *json, const RfComparisonRow *row)
{
    static const char *const kinds[] = {NULL, "ratio", "difference"};
    static const char *const units[]
        = {"count", "per-second", "pages", "pages-per-second", "bytes", "ms", "ratio", "factor"};
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "metric", rf_metric_info (row->metric)->id);
    rf_json_string (json, "subject", *row->subject != '\0' ? row->subject : NULL);
    rf_json_string (json, "unit", units[rf_metric_info (row->metric)->unit]);
    rf_json_bool (json, "per_hour", row->per_hour);
    rf_json_double (json, "before", row->before);
    rf_json_double (json, "after", row->after);
    rf_json_string (json, "effect_kind", kinds[row->effect_kind]);
    rf_json_double (json, "effect", row->effect);
    rf_json_double (json, "low", row->low);
    rf_json_double (json, "high", row->high);
    rf_json_double (json, "p", row->p);
    rf_json_string (json, "outcome", rf_outcome_nick (row->outcome));
    rf_json_string (json, "reason", row->unlike != RF_UNLIKE_NOT ? rf_unlike_nick (row->unlike) : NULL);
    /* as many as a program can take for "more than we can say" */
    rf_json_uint (json, "needed", row->needed);
    rf_json_end_object (json);
}

static void
json_comparison (const RfComparison *comparison)
{
    g_autoptr (RfJson) json = rf_json_new ();
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "phase", rf_phase_nick (comparison->phase));
    rf_json_uint (json, "recordings_before", comparison->n_before);
    rf_json_uint (json, "recordings_after", comparison->n_after);
    rf_json_string (json, "outcome", rf_outcome_nick (comparison->outcome));
    rf_json_uint (json, "needed", comparison->needed);
    rf_json_begin_array (json, "unlike");
    for (guint i = 0; i < comparison->unlike->len; i++) {
        const RfUnlikeDetail *detail = comparison->unlike->pdata[i];
        rf_json_begin_object (json, NULL);
        rf_json_string (json, "reason", rf_unlike_nick (detail->unlike));
        rf_json_string (json, "before", detail->before);
        rf_json_string (json, "after", detail->after);
        rf_json_end_object (json);
    }
    rf_json_end_array (json);
    rf_json_begin_array (json, "rows");
    for (guint i = 0; i < comparison->rows->len; i++)
        json_row (json, comparison->rows->pdata[i]);
    rf_json_end_array (json);
    rf_json_end_object (json);
    rf_ctl_print_json (json);
}

static RfExit
write_report (RfCtl *ctl, const RfComparison *comparison, const Side *before, const Side *after)
{
    g_autoptr (RfPrivacy) privacy = rf_ctl_document_privacy (ctl);
    g_autoptr (RfDocument) document = rf_comparison_document_new (
        comparison, before->runs, before->recordings->len, after->runs, after->recordings->len, privacy);
    return rf_ctl_document_write (ctl, document);
}

RfExit
rf_ctl_compare (RfCtl *ctl)
{
    RfPhaseKind phase = RF_PHASE_WHOLE;
    g_autoptr (GError) error = NULL;
    g_autoptr (RfRecordings) recordings = rf_recordings_new (NULL);
    g_autoptr (GHashTable) loaded
        = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)rf_recording_free);
    g_auto (Side) before = {0}, after = {0};
    if (ctl->phase != NULL && !rf_phase_from_nick (ctl->phase, &phase))
        return rf_ctl_usage (ctl, _ ("“%s” is not a phase: warm-up, build-up, equilibrium or whole."), ctl->phase);
    if (ctl->report != NULL && !rf_ctl_document_check (ctl))
        return RF_EXIT_USAGE;
    if (!load_side (&before, loaded, recordings, ctl->args[0], &error)
        || !load_side (&after, loaded, recordings, ctl->args[1], &error))
        return rf_ctl_session_fail (ctl, error);
    g_autoptr (RfComparison) comparison
        = rf_comparison_new (before.runs, before.recordings->len, after.runs, after.recordings->len,
                             ctl->phase != NULL ? &phase : NULL);
    if (ctl->report != NULL)
        return write_report (ctl, comparison, &before, &after);
    if (ctl->json)
        json_comparison (comparison);
    else
        print_comparison (comparison);
    return RF_EXIT_OK;
}
