/* What a graph says in words; see rf-graph-face.h. */
#define G_LOG_DOMAIN "rf-graph-text"

#include "config.h"

#include "rf-graph-face.h"

#include <glib/gi18n.h>
#include <math.h>

#include "rf-tunable-text.h"

char *
rf_graph_face_value (const RfGraphFace *self, double value)
{
    if (self->format != NULL && isfinite (value))
        return self->format (value);
    return rf_measure_format (self->measure, value);
}

char *
rf_graph_face_moment (gint64 us, gboolean wall, gboolean fine)
{
    const guint tenth = (guint)(us / (G_USEC_PER_SEC / 10) % 10);
    g_autofree char *seconds = NULL;

    if (wall) {
        g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (us / G_USEC_PER_SEC);
        g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;

        seconds = local != NULL ? g_date_time_format (local, "%H:%M:%S") : g_strdup ("");
    } else {
        const gint64 s = us / G_USEC_PER_SEC;

        seconds = s < 3600 ? g_strdup_printf ("%d:%02d", (int)(s / 60), (int)(s % 60))
                           : g_strdup_printf ("%d:%02d:%02d", (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60));
    }
    if (!fine)
        return g_steal_pointer (&seconds);
    /* Translators: a moment with tenths of a second: "21:14:05.3"; put in what stands before decimals */
    return g_strdup_printf (C_ ("graph", "%1$s.%2$u"), seconds, tenth);
}

char *
rf_graph_face_when (const RfGraphFace *self, guint64 number)
{
    if (self->moments.step_us > 0)
        return rf_graph_face_moment (self->moments.start_us + (gint64)((double)number * self->moments.step_us),
                                     self->moments.wall, self->moments.step_us < G_USEC_PER_SEC);

    const guint64 total = self->view.n_lines > 0 ? rf_series_total (self->view.series[0]) : 0;
    const double seconds = number < total ? floor ((double)(total - 1 - number) * self->interval_ms / 1000) : 0;
    g_autofree char *duration = rf_format_duration (seconds);

    if (seconds < 1)
        return g_strdup (C_ ("graph", "now"));
    /* Translators: a moment in a graph: "2 min 5 s ago" */
    return g_strdup_printf (C_ ("graph", "%s ago"), duration);
}

gboolean
rf_graph_face_cell (const RfGraphFace *self, guint line, guint64 number, RfSeriesCell *out)
{
    RfSeries *series = self->view.series[line];

    if (self->step > 1 && rf_series_cell (series, self->step, number / self->step, out))
        return TRUE;
    return rf_series_older (series, number, number + 1, out) > 0 && out->count > 0;
}

static char *
cell_text (const RfGraphFace *self, guint line, guint64 number)
{
    RfSeriesCell cell;
    g_autofree char *least = NULL;
    g_autofree char *greatest = NULL;

    if (!rf_graph_face_cell (self, line, number, &cell))
        return rf_measure_format (self->measure, NAN);
    least = rf_graph_face_value (self, cell.min);
    greatest = rf_graph_face_value (self, cell.max);
    if (g_strcmp0 (least, greatest) == 0)
        return g_steal_pointer (&least);
    /* Translators: from the least to the greatest value: "1.2 GiB – 1.4 GiB" */
    return g_strdup_printf (C_ ("graph", "%s – %s"), least, greatest);
}

char *
rf_graph_face_readout (const RfGraphFace *self, guint64 number, const char *separator)
{
    g_autoptr (GString) words = g_string_new (NULL);

    if (self->interval_ms > 0 || self->moments.step_us > 0) {
        g_autofree char *when = rf_graph_face_when (self, number);

        g_string_append (words, when);
    }
    for (guint i = 0; i < self->view.n_lines; i++) {
        g_autofree char *value = cell_text (self, i, number);

        if (words->len > 0)
            g_string_append (words, separator);
        if (self->line_label[i] != NULL)
            /* Translators: an entry of a graph's legend: name and current value, "nvme0n1 1.9 ms" */
            g_string_append_printf (words, C_ ("legend", "%s %s"), self->line_label[i], value);
        else
            g_string_append (words, value);
    }
    return g_string_free (g_steal_pointer (&words), FALSE);
}

/* "in the last 5 minutes": of what is shown, as far as it has been looked at. */
static char *
period_text (const RfGraphFace *self, guint64 samples)
{
    const guint seconds = (guint)MIN ((double)samples * self->interval_ms / 1000, G_MAXINT);
    const guint minutes = (seconds + 30) / 60;

    if (self->moments.step_us > 0) {
        const double length_us = (double)samples * self->moments.step_us;
        g_autofree char *start = rf_graph_face_moment (self->moments.start_us, self->moments.wall, FALSE);
        g_autofree char *end
            = rf_graph_face_moment (self->moments.start_us + (gint64)length_us, self->moments.wall, FALSE);

        /* Translators: goes on a sentence: "highest 1.4 GiB from 21:14:05 to 21:20:05" */
        return g_strdup_printf (C_ ("graph summary", "from %1$s to %2$s"), start, end);
    }
    if (self->interval_ms == 0)
        return g_strdup (C_ ("graph summary", "lately"));
    if (seconds < 60)
        /* Translators: goes on a sentence: "1.4 GiB now, lowest 1.2 GiB in the last 20 seconds" */
        return g_strdup_printf (ngettext ("in the last second", "in the last %u seconds", seconds), seconds);
    /* Translators: goes on a sentence: "1.4 GiB now, lowest 1.2 GiB in the last 5 minutes" */
    return g_strdup_printf (ngettext ("in the last minute", "in the last %u minutes", minutes), minutes);
}

static gboolean
has_band (const RfGraphFace *self, RfGraphBand band)
{
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++) {
        if (self->view.band[i] == band && isfinite (self->view.threshold[i]))
            return TRUE;
    }
    return FALSE;
}

/* What is worth knowing of the first line: whether it was where things go wrong. */
static void
append_bands (const RfGraphFace *self, GString *words, double min, double max)
{
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++) {
        const gboolean below = self->view.band[i] == RF_GRAPH_BAND_BELOW;
        const double threshold = self->view.threshold[i];

        if (self->view.band[i] == RF_GRAPH_BAND_NONE || !isfinite (threshold) || self->threshold_label[i] == NULL)
            continue;
        g_string_append (words, ", ");
        /* Translators: these four go on a sentence about a graph; %s are the words at a line in it */
        if (below)
            g_string_append_printf (words,
                                    min > threshold ? C_ ("graph summary", "always above “%s”")
                                                    : C_ ("graph summary", "at times below “%s”"),
                                    self->threshold_label[i]);
        else
            g_string_append_printf (words,
                                    max < threshold ? C_ ("graph summary", "always below “%s”")
                                                    : C_ ("graph summary", "at times above “%s”"),
                                    self->threshold_label[i]);
    }
}

static void
append_line (const RfGraphFace *self, guint line, GString *words)
{
    RfSeries *series = self->view.series[line];
    const guint64 end = rf_graph_paint_end (&self->view);
    const guint64 samples = MIN (end, self->view.span);
    g_autofree char *period = period_text (self, samples);
    const gboolean lowest = has_band (self, RF_GRAPH_BAND_BELOW);
    g_autofree char *extreme = NULL;
    g_autofree char *now = NULL;
    RfSeriesCell newest = {0};
    double min, max;

    if (self->line_label[line] != NULL)
        /* Translators: name of a line in a graph, and a sentence about it follows */
        g_string_append_printf (words, C_ ("graph summary", "%s: "), self->line_label[line]);
    if (!rf_series_range_between (series, end - samples, end, &min, &max)) {
        now = rf_measure_format (self->measure, NAN);
        g_string_append (words, now);
        return;
    }
    extreme = rf_graph_face_value (self, lowest ? min : max);
    if (self->view.end == 0 && rf_series_older (series, end - 1, end, &newest) > 0 && newest.count > 0) {
        now = rf_graph_face_value (self, newest.max);
        /* Translators: a graph in words: value, value, "in the last 5 minutes" */
        g_string_append_printf (words,
                                lowest ? C_ ("graph summary", "%1$s now, lowest %2$s %3$s")
                                       : C_ ("graph summary", "%1$s now, highest %2$s %3$s"),
                                now, extreme, period);
    } else {
        /* Translators: the same without a value of now: value, "in the last 5 minutes" */
        g_string_append_printf (
            words, lowest ? C_ ("graph summary", "lowest %1$s %2$s") : C_ ("graph summary", "highest %1$s %2$s"),
            extreme, period);
    }
    if (line == 0)
        append_bands (self, words, min, max);
}

char *
rf_graph_face_summary (const RfGraphFace *self)
{
    g_autoptr (GString) words = g_string_new (NULL);

    for (guint i = 0; i < self->view.n_lines; i++) {
        if (i > 0)
            g_string_append (words, "; ");
        append_line (self, i, words);
    }
    return g_string_free (g_steal_pointer (&words), FALSE);
}
