#define G_LOG_DOMAIN "rf-recording-document"

#include "config.h"

#include "rf-recording-document.h"

#include <glib/gi18n.h>

#include "rf-event-summary.h"
#include "rf-metrics.h"
#include "rf-tunable-text.h"

#define LONGEST 20
#define MARKS 50

typedef struct {
    RfDocument *document;
    const RfRecording *recording;
    const RfPrivacy *privacy;
    gint64 start_ns;
    gint64 end_ns;
} Writer;

/* "21:14:05", or how long after the beginning if there is no wall clock */
static char *
moment (const Writer *self, gint64 ns)
{
    const gint64 wall_us = rf_recording_wall_us (self->recording, ns);
    g_autoptr (GDateTime) time = wall_us != 0 ? g_date_time_new_from_unix_local (wall_us / G_USEC_PER_SEC) : NULL;
    g_autofree char *after = NULL;

    if (time != NULL)
        return g_date_time_format (time, "%H:%M:%S");
    after = rf_format_duration ((double)(ns - self->start_ns) / 1e9);
    /* Translators: a time in a recording that has no clock: "after 12 min" */
    return g_strdup_printf (_ ("after %s"), after);
}

static char *
begun (const Writer *self)
{
    const gint64 wall_us = rf_recording_wall_us (self->recording, self->start_ns);
    g_autoptr (GDateTime) time = wall_us != 0 ? g_date_time_new_from_unix_local (wall_us / G_USEC_PER_SEC) : NULL;

    return time != NULL ? g_date_time_format (time, "%x %H:%M") : NULL;
}

/* A row of two cells; nothing for what is not known. */
static void
add_fact (const Writer *self, const char *title, const char *text)
{
    g_autofree char *clean = rf_privacy_clean (self->privacy, text != NULL ? text : "");
    const char *cells[] = {title, clean, NULL};

    if (*clean != '\0')
        rf_document_add_row (self->document, cells);
}

static void
add_machine (const Writer *self, const RfSessionInfo *info)
{
    const char *cpus = info != NULL ? g_hash_table_lookup (info->machine, "cpus") : NULL;
    const char *ram = info != NULL ? g_hash_table_lookup (info->machine, "ram-bytes") : NULL;
    const guint64 bytes = ram != NULL ? g_ascii_strtoull (ram, NULL, 10) : 0;
    g_autofree char *size = bytes > 0 ? rf_format_bytes (bytes) : NULL;

    add_fact (self, _ ("Computer"), self->recording->machine);
    add_fact (self, _ ("Processors"), cpus);
    add_fact (self, _ ("Memory"), size);
    if (info != NULL)
        add_fact (self, _ ("System"), g_hash_table_lookup (info->machine, "distribution"));
    add_fact (self, _ ("Kernel"), self->recording->kernel);
}

static void
add_what_it_is (const Writer *self, const RfSessionInfo *info)
{
    const char *titles[] = {_ ("Recording"), "", NULL};
    g_autofree char *length = rf_format_duration ((double)(self->end_ns - self->start_ns) / 1e9);
    g_autofree char *when = begun (self);

    rf_document_add_table (self->document, NULL, titles, 2);
    add_fact (self, _ ("Name"), self->recording->name);
    add_fact (self, _ ("Begun"), when);
    add_fact (self, _ ("Length"), length);
    add_fact (self, _ ("What ran"), self->recording->workload);
    add_machine (self, info);
    for (guint i = 0; i < self->recording->untrusted->len; i++) {
        g_autofree char *reason = rf_privacy_clean (self->privacy, self->recording->untrusted->pdata[i]);
        g_autofree char *doubt = g_strdup_printf (_ ("Not trustworthy: %s."), reason);

        rf_document_add_paragraph (self->document, doubt);
    }
    if (self->recording->gaps->len > 0) {
        g_autofree char *gaps
            = g_strdup_printf (ngettext ("There is %u gap in it, in which nothing is known.",
                                         "There are %u gaps in it, in which nothing is known.", self->recording->gaps->len),
                               self->recording->gaps->len);

        rf_document_add_paragraph (self->document, gaps);
    }
}

static void
add_settings (const Writer *self)
{
    GHashTable *start = self->recording->settings_start;
    g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (start), (GCompareFunc)g_strcmp0);
    const char *titles[] = {_ ("Setting"), _ ("at the start"), _ ("at the end"), NULL};

    rf_document_add_heading (self->document, _ ("Settings"));
    if (keys == NULL) {
        rf_document_add_paragraph (self->document, _ ("The recording does not tell which settings were in force."));
        return;
    }
    rf_document_add_table (self->document, NULL, titles, 1);
    for (GList *l = keys; l != NULL; l = l->next) {
        const char *end = self->recording->settings_end != NULL
                              ? g_hash_table_lookup (self->recording->settings_end, l->data)
                              : NULL;
        g_autofree char *name = rf_privacy_clean (self->privacy, l->data);
        g_autofree char *then = rf_privacy_clean (self->privacy, g_hash_table_lookup (start, l->data));
        g_autofree char *now = rf_privacy_clean (self->privacy, end != NULL ? end : "–");
        const char *cells[] = {name, then, now, NULL};

        rf_document_add_row (self->document, cells);
    }
}

static void
add_phases (const Writer *self, const RfPhases *phases)
{
    const char *titles[] = {_ ("Phase"), _ ("What happens in it"), _ ("from"), _ ("to"), _ ("Length"), NULL};

    rf_document_add_heading (self->document, _ ("Phases"));
    if (!rf_phases_any (phases)) {
        rf_document_add_paragraph (self->document,
                                   _ ("No phases were found: nothing changes so that chance could not have made it."));
        return;
    }
    rf_document_add_table (self->document, NULL, titles, 2);
    for (guint i = 0; i < RF_N_PHASES; i++) {
        g_autofree char *from = moment (self, phases->start_ns[i]);
        g_autofree char *to = moment (self, phases->end_ns[i]);
        g_autofree char *length = rf_format_duration ((double)(phases->end_ns[i] - phases->start_ns[i]) / 1e9);
        const char *cells[] = {rf_phase_title (i), rf_phase_explanation (i), from, to, length, NULL};

        if (phases->found[i])
            rf_document_add_row (self->document, cells);
    }
}

static char *
metric_title (const Writer *self, const RfMetricValue *value)
{
    g_autofree char *subject = rf_privacy_clean (self->privacy, value->subject);

    if (*subject == '\0')
        return g_strdup (rf_metric_title (value->metric));
    /* Translators: a number and what it is of: "Write latency, mean (nvme0n1)" */
    return g_strdup_printf (C_ ("metric", "%1$s (%2$s)"), rf_metric_title (value->metric), subject);
}

/* Totals of a long and a short time are no neighbours: they are told for each hour, as comparisons have them. */
static char *
value_text (const RfMetricValue *value)
{
    const gboolean per_hour = rf_metric_info (value->metric)->total && value->cells != NULL;

    if (value->missing != RF_MISSING_NOT)
        return g_strdup ("–");
    return rf_metric_value_text (value->metric, per_hour ? rf_cells_value (value->cells) * 3600 : value->value, per_hour);
}

static void
add_missing (const Writer *self, const GPtrArray *values)
{
    const char *titles[] = {_ ("Number"), _ ("Why it is not available"), NULL};
    gboolean any = FALSE;

    for (guint i = 0; i < values->len; i++) {
        const RfMetricValue *value = values->pdata[i];
        g_autofree char *title = metric_title (self, value);
        const char *cells[] = {title, rf_missing_text (value->missing), NULL};

        if (value->missing == RF_MISSING_NOT)
            continue;
        if (!any) {
            rf_document_add_heading (self->document, _ ("What is not available"));
            rf_document_add_table (self->document, NULL, titles, 2);
        }
        any = TRUE;
        rf_document_add_row (self->document, cells);
    }
}

static void
add_explanations (const Writer *self, const GPtrArray *values)
{
    const char *titles[] = {_ ("Number"), _ ("What it tells"), NULL};
    RfMetric last = RF_N_METRICS;

    rf_document_add_heading (self->document, _ ("What the numbers tell"));
    rf_document_add_table (self->document, NULL, titles, 2);
    for (guint i = 0; i < values->len; i++) {
        const RfMetricValue *value = values->pdata[i];
        const char *cells[] = {rf_metric_title (value->metric), rf_metric_explanation (value->metric), NULL};

        if (value->metric == last || value->missing != RF_MISSING_NOT || value->metric == RF_METRIC_TILE_LOAD)
            continue;
        rf_document_add_row (self->document, cells);
        last = value->metric;
    }
}

/* One column for the whole, one for each phase. */
static void
add_numbers (const Writer *self, const RfPhases *phases, const GPtrArray *whole)
{
    const char *titles[RF_N_PHASES + 3] = {_ ("Number"), rf_phase_title (RF_PHASE_WHOLE)};
    g_autoptr (GPtrArray) of_phases = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);

    for (guint i = 0; i < RF_N_PHASES; i++) {
        if (!phases->found[i])
            continue;
        titles[of_phases->len + 2] = rf_phase_title (i);
        g_ptr_array_add (of_phases, rf_metrics_compute (self->recording, phases->start_ns[i], phases->end_ns[i]));
    }
    rf_document_add_heading (self->document, _ ("Numbers"));
    rf_document_add_table (self->document, NULL, titles, 1);
    for (guint i = 0; i < whole->len; i++) {
        const RfMetricValue *value = whole->pdata[i];
        g_auto (GStrv) cells = g_new0 (char *, of_phases->len + 3);

        if (value->missing != RF_MISSING_NOT || value->metric == RF_METRIC_TILE_LOAD)
            continue;
        cells[0] = metric_title (self, value);
        cells[1] = value_text (value);
        for (guint j = 0; j < of_phases->len; j++) {
            const RfMetricValue *part = rf_metrics_find (of_phases->pdata[j], value->metric, value->subject);

            cells[j + 2] = part != NULL ? value_text (part) : g_strdup ("–");
        }
        rf_document_add_row (self->document, (const char *const *)cells);
    }
}

static void
add_tiles (const Writer *self, const GPtrArray *whole)
{
    const char *titles[] = {_ ("Tile"), _ ("Loading took, mean"), NULL};
    gboolean any = FALSE;

    for (guint i = 0; i < whole->len; i++) {
        const RfMetricValue *value = whole->pdata[i];
        g_autofree char *tile = rf_privacy_clean (self->privacy, value->subject);
        g_autofree char *text = value_text (value);
        const char *cells[] = {tile, text, NULL};

        if (value->metric != RF_METRIC_TILE_LOAD || value->missing != RF_MISSING_NOT)
            continue;
        if (!any) {
            rf_document_add_heading (self->document, _ ("Scenery"));
            rf_document_add_table (self->document, NULL, titles, 1);
        }
        any = TRUE;
        rf_document_add_row (self->document, cells);
    }
}

static void
add_events (const Writer *self)
{
    const char *titles[] = {_ ("What happened"), _ ("how often"), _ ("the longest"), _ ("all together"), NULL};
    guint n;
    const RfEventKind *kinds = rf_event_summary_kinds (&n);
    gboolean any = FALSE;

    for (guint i = 0; i < n; i++) {
        RfEventSummary summary;
        g_autofree char *count = NULL;
        g_autofree char *longest = NULL;
        g_autofree char *total = NULL;

        rf_event_summary_get (self->recording, kinds[i], self->start_ns, G_MAXINT64, &summary);
        count = g_strdup_printf ("%'u", summary.count);
        longest = summary.longest_ns > 0 ? rf_format_ms ((double)summary.longest_ns / 1e6) : g_strdup ("–");
        total = summary.total_ns > 0 ? rf_format_ms ((double)summary.total_ns / 1e6) : g_strdup ("–");
        if (summary.count == 0)
            continue;
        if (!any) {
            rf_document_add_heading (self->document, _ ("What happened"));
            rf_document_add_table (self->document, NULL, titles, 1);
        }
        any = TRUE;
        rf_document_add_row (self->document,
                             (const char *const[]){rf_event_title (kinds[i]), count, longest, total, NULL});
    }
}

static void
add_longest (const Writer *self)
{
    g_autoptr (GPtrArray) longest = rf_event_longest (self->recording, self->start_ns, G_MAXINT64, LONGEST);
    const char *titles[] = {_ ("When"), _ ("What happened"), _ ("Who, and how long"), NULL};

    if (longest->len == 0)
        return;
    rf_document_add_heading (self->document, _ ("The longest waits"));
    rf_document_add_table (self->document, NULL, titles, 3);
    for (guint i = 0; i < longest->len; i++) {
        const RfEvent *event = longest->pdata[i];
        g_autofree char *when = moment (self, event->time_ns);
        g_autofree char *text = rf_event_text (event);
        g_autofree char *clean = rf_privacy_clean (self->privacy, text);
        const char *cells[] = {when, rf_event_title (event->kind), clean, NULL};

        rf_document_add_row (self->document, cells);
    }
}

static void
add_marks (const Writer *self)
{
    const char *titles[] = {_ ("When"), _ ("What was noted"), NULL};
    guint n = 0;

    for (guint i = 0; i < self->recording->events->len && n < MARKS; i++) {
        const RfEvent *event = &g_array_index (self->recording->events, RfEvent, i);
        g_autofree char *when = moment (self, event->time_ns);
        g_autofree char *text = rf_privacy_clean (self->privacy, event->subject);
        const char *cells[] = {when, *text != '\0' ? text : rf_event_title (RF_EVENT_MARK), NULL};

        if (event->kind != RF_EVENT_MARK)
            continue;
        if (n++ == 0) {
            rf_document_add_heading (self->document, _ ("Marks"));
            rf_document_add_table (self->document, NULL, titles, 2);
        }
        rf_document_add_row (self->document, cells);
    }
}

RfDocument *
rf_recording_document_new (const RfRecording *recording, const RfSessionInfo *info, const RfPhases *phases,
                           const RfPrivacy *privacy)
{
    Writer self = {.recording = recording, .privacy = privacy};
    g_autoptr (GPtrArray) whole = NULL;

    self.document = rf_document_new (_ ("Ruckelfrei: a recording"), C_ ("language of a document", "en"));
    rf_recording_span (recording, &self.start_ns, &self.end_ns);
    add_what_it_is (&self, info);
    if (self.end_ns <= self.start_ns) {
        rf_document_add_paragraph (self.document, _ ("It is empty."));
        return self.document;
    }
    /* the last sample is part of it */
    whole = rf_metrics_compute (recording, self.start_ns, self.end_ns + 1);
    add_events (&self);
    add_longest (&self);
    add_marks (&self);
    add_phases (&self, phases);
    add_numbers (&self, phases, whole);
    add_explanations (&self, whole);
    add_tiles (&self, whole);
    add_missing (&self, whole);
    add_settings (&self);
    return self.document;
}
