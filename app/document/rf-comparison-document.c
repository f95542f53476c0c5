#define G_LOG_DOMAIN "rf-comparison-document"

#include "config.h"

#include "rf-comparison-document.h"

#include <glib/gi18n.h>
#include <string.h>

#include "rf-tunable-text.h"

static char *
when_text (const RfRecording *recording)
{
    gint64 start, end;
    g_autoptr (GDateTime) utc = NULL;
    g_autoptr (GDateTime) local = NULL;

    if (!rf_recording_span (recording, &start, &end) || rf_recording_wall_us (recording, start) == 0)
        return g_strdup ("–");
    utc = g_date_time_new_from_unix_utc (rf_recording_wall_us (recording, start) / G_USEC_PER_SEC);
    local = utc != NULL ? g_date_time_to_local (utc) : NULL;
    return local != NULL ? g_date_time_format (local, "%x %H:%M") : g_strdup ("–");
}

static char *
length_text (const RfRun *run, RfPhaseKind phase)
{
    gint64 start, end, seconds;
    RfPhases none = {0};

    if (!rf_phases_range (run->phases != NULL ? run->phases : &none, run->recording, phase, &start, &end)
        && !rf_recording_span (run->recording, &start, &end))
        return g_strdup ("–");
    seconds = (end - start) / 1000000000;
    return rf_format_duration ((double)seconds);
}

static void
add_runs (RfDocument *out, const char *side, const RfRun *runs, guint n, RfPhaseKind phase, const RfPrivacy *privacy)
{
    for (guint i = 0; i < n; i++) {
        const RfRecording *recording = runs[i].recording;
        g_autofree char *name = rf_privacy_clean (privacy, recording->name);
        g_autofree char *workload = rf_privacy_clean (privacy, recording->workload);
        g_autofree char *kernel = rf_privacy_clean (privacy, recording->kernel);
        g_autofree char *when = when_text (recording);
        g_autofree char *length = length_text (&runs[i], phase);
        const char *cells[] = {side, name, *workload != '\0' ? workload : "–",
                               *kernel != '\0' ? kernel : "–", when, length, NULL};

        rf_document_add_row (out, cells);
    }
}

/* What differs between the first recordings of the two sides: the change whose effect this is about. */
static void
add_settings (RfDocument *out, const RfRecording *before, const RfRecording *after, const RfPrivacy *privacy)
{
    g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (after->settings_start), (GCompareFunc)g_strcmp0);
    const char *titles[] = {_ ("Setting"), _ ("before"), _ ("after"), NULL};
    gboolean any = FALSE;

    for (GList *l = keys; l != NULL; l = l->next) {
        const char *now = g_hash_table_lookup (after->settings_start, l->data);
        const char *then = g_hash_table_lookup (before->settings_start, l->data);
        g_autofree char *name = rf_privacy_clean (privacy, l->data);
        g_autofree char *old = rf_privacy_clean (privacy, then != NULL ? then : "–");
        g_autofree char *new = rf_privacy_clean (privacy, now);
        const char *cells[] = {name, old, new, NULL};

        if (g_strcmp0 (then, now) == 0)
            continue;
        if (!any) {
            rf_document_add_heading (out, _ ("What was changed"));
            rf_document_add_table (out, NULL, titles, 1);
            any = TRUE;
        }
        rf_document_add_row (out, cells);
    }
}

/* Words stand on the left and numbers on the right, so the verdict comes before them. */
static void
add_row (RfDocument *out, const RfComparisonRow *row, const RfPrivacy *privacy)
{
    const gboolean compared = row->outcome != RF_OUTCOME_NOT_COMPARABLE;
    g_autofree char *title = rf_comparison_row_title (row);
    g_autofree char *clean = rf_privacy_clean (privacy, title);
    g_autofree char *before = rf_metric_value_text (row->metric, row->before, row->per_hour);
    g_autofree char *after = rf_metric_value_text (row->metric, row->after, row->per_hour);
    g_autofree char *change = rf_comparison_row_change (row);
    g_autofree char *certainty = rf_comparison_row_certainty (row);
    g_autofree char *verdict = rf_comparison_row_verdict (row);
    const char *cells[] = {clean, verdict, before, after, compared ? change : NULL, certainty, NULL};

    rf_document_add_row (out, cells);
}

static void
add_numbers (RfDocument *out, const RfComparison *comparison, gboolean compared, const RfPrivacy *privacy)
{
    const char *titles[] = {
        _ ("Number"), _ ("verdict"), _ ("before"), _ ("after"), compared ? _ ("change") : NULL, _ ("certainty (95 %)"), NULL,
    };
    gboolean any = FALSE;

    for (guint i = 0; i < comparison->rows->len; i++) {
        const RfComparisonRow *row = comparison->rows->pdata[i];

        /* a number that neither side has says nothing */
        if ((row->outcome != RF_OUTCOME_NOT_COMPARABLE) != compared
            || (row->missing_before != RF_MISSING_NOT && row->missing_after != RF_MISSING_NOT))
            continue;
        if (!any) {
            rf_document_add_heading (out, compared ? _ ("Before and after") : _ ("Not compared"));
            rf_document_add_table (out, NULL, titles, 2);
        }
        any = TRUE;
        add_row (out, row, privacy);
    }
}

static void
add_explanations (RfDocument *out, const RfComparison *comparison)
{
    const char *titles[] = {_ ("Number"), _ ("What it tells"), NULL};
    RfMetric last = RF_N_METRICS;

    rf_document_add_heading (out, _ ("What the numbers tell"));
    rf_document_add_table (out, NULL, titles, 2);
    for (guint i = 0; i < comparison->rows->len; i++) {
        const RfComparisonRow *row = comparison->rows->pdata[i];
        const char *cells[] = {rf_metric_title (row->metric), rf_metric_explanation (row->metric), NULL};

        if (row->metric == last || (row->missing_before != RF_MISSING_NOT && row->missing_after != RF_MISSING_NOT))
            continue;
        rf_document_add_row (out, cells);
        last = row->metric;
    }
}

RfDocument *
rf_comparison_document_new (const RfComparison *comparison, const RfRun *before, guint n_before, const RfRun *after,
                            guint n_after, const RfPrivacy *privacy)
{
    RfDocument *out = NULL;
    g_autofree char *sentence = rf_comparison_sentence (comparison);
    g_autofree char *clean_sentence = rf_privacy_clean (privacy, sentence);
    g_autofree char *warning = rf_comparison_warning (comparison);
    const char *titles[]
        = {_ ("Side"), _ ("Recording"), _ ("What ran"), _ ("Kernel"), _ ("Begun"), _ ("Compared"), NULL};

    /* Translators: the code of the language of your translation, for a document: "de" */
    out = rf_document_new (_ ("Ruckelfrei: before and after"), C_ ("language of a document", "en"));
    rf_document_add_paragraph (out, clean_sentence);
    if (warning != NULL)
        rf_document_add_paragraph (out, warning);
    for (guint i = 0; i < comparison->unlike->len; i++) {
        g_autofree char *why = rf_unlike_text (comparison->unlike->pdata[i]);
        g_autofree char *clean = rf_privacy_clean (privacy, why);

        /* the first reason stands in the verdict */
        if (strstr (sentence, why) == NULL)
            rf_document_add_paragraph (out, clean);
    }
    rf_document_add_heading (out, _ ("What was compared"));
    rf_document_add_table (out, NULL, titles, 4);
    add_runs (out, _ ("before"), before, n_before, comparison->phase, privacy);
    add_runs (out, _ ("after"), after, n_after, comparison->phase, privacy);
    if (n_before > 0 && n_after > 0)
        add_settings (out, before[0].recording, after[0].recording, privacy);
    add_numbers (out, comparison, TRUE, privacy);
    add_numbers (out, comparison, FALSE, privacy);
    add_explanations (out, comparison);
    return out;
}
