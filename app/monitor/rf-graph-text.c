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
rf_graph_face_ago (const RfGraphFace *self, guint64 number)
{
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

    if (self->interval_ms > 0) {
        g_autofree char *ago = rf_graph_face_ago (self, number);

        g_string_append (words, ago);
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
