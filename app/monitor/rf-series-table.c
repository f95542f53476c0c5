#define G_LOG_DOMAIN "rf-series-table"

#include "config.h"

#include "rf-series-table.h"

#include <math.h>
#include <string.h>

static void
clear_column (RfSeriesColumn *column)
{
    g_free (column->name);
}

GArray *
rf_series_columns_new (void)
{
    GArray *columns = g_array_new (FALSE, FALSE, sizeof (RfSeriesColumn));

    g_array_set_clear_func (columns, (GDestroyNotify)clear_column);
    return columns;
}

void
rf_series_columns_add (GArray *columns, const char *name, RfSeries *series)
{
    const RfSeriesColumn column = {g_strdup (name), series};

    g_array_append_val (columns, column);
}

/* Names of devices are in it, and those are not ours: what a spreadsheet would take for a formula gets the mark in front
 * that makes it a text, as OWASP's "CSV Injection" has it. */
static void
append_name (GString *text, const char *name, const char *suffix)
{
    const gboolean quoted = strpbrk (name, ",\"\r\n") != NULL;

    g_string_append (text, quoted ? ",\"" : ",");
    if (strchr ("=+-@\t\r\n", name[0]) != NULL && name[0] != '\0')
        g_string_append_c (text, '\'');
    for (const char *c = name; *c != '\0'; c++) {
        if (*c == '"')
            g_string_append_c (text, '"');
        g_string_append_c (text, *c);
    }
    g_string_append (text, suffix);
    if (quoted)
        g_string_append_c (text, '"');
}

static void
append_number (GString *text, double value)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append_c (text, ',');
    if (isfinite (value))
        g_string_append (text, g_ascii_formatd (number, sizeof number, "%.10g", value));
}

static void
append_time (GString *text, gint64 us)
{
    g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (us / G_USEC_PER_SEC);
    g_autofree char *words = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");

    g_string_append_printf (text, "%s.%03dZ", words, (int)(us % G_USEC_PER_SEC / 1000));
}

/* How many samples each line stands for, from the newest back; all columns are thinned alike. */
static GArray *
line_lengths (RfSeries *series, guint64 start, guint64 end)
{
    GArray *lengths = g_array_new (FALSE, FALSE, sizeof (guint));
    RfSeriesCell cell;
    guint count = 0;

    while ((count = rf_series_older (series, start, end, &cell)) > 0) {
        g_array_append_val (lengths, count);
        end -= count;
    }
    return lengths;
}

static gboolean
is_thinned (const GArray *lengths)
{
    for (guint i = 0; i < lengths->len; i++) {
        if (g_array_index (lengths, guint, i) > 1)
            return TRUE;
    }
    return FALSE;
}

char *
rf_series_table (const GArray *columns, guint64 start, guint64 end, gint64 newest_us, guint interval_ms)
{
    GString *text = g_string_new ("time_utc");
    g_autoptr (GArray) lengths = NULL;
    gboolean thinned = FALSE;
    guint64 from = 0;

    g_return_val_if_fail (columns->len > 0, NULL);

    end = MIN (end, rf_series_total (g_array_index (columns, RfSeriesColumn, 0).series));
    lengths = line_lengths (g_array_index (columns, RfSeriesColumn, 0).series, start, end);
    thinned = is_thinned (lengths);
    for (guint i = 0; i < columns->len; i++) {
        const char *name = g_array_index (columns, RfSeriesColumn, i).name;

        append_name (text, name, "");
        if (thinned) {
            append_name (text, name, "_min");
            append_name (text, name, "_max");
        }
    }
    g_string_append_c (text, '\n');

    from = end;
    for (guint i = 0; i < lengths->len; i++)
        from -= g_array_index (lengths, guint, i);
    for (guint line = lengths->len; line-- > 0;) {
        const guint length = g_array_index (lengths, guint, line);
        const guint64 after = from + length;

        append_time (text, newest_us - (gint64)(end - after) * interval_ms * 1000);
        for (guint i = 0; i < columns->len; i++) {
            RfSeriesCell cell = {NAN, NAN, 0, 0};
            const gboolean known
                = rf_series_older (g_array_index (columns, RfSeriesColumn, i).series, from, after, &cell) > 0
                  && cell.count > 0;

            append_number (text, known ? cell.sum / cell.count : NAN);
            if (thinned) {
                append_number (text, known ? cell.min : NAN);
                append_number (text, known ? cell.max : NAN);
            }
        }
        g_string_append_c (text, '\n');
        from = after;
    }
    return g_string_free (text, FALSE);
}
