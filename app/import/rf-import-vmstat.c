/* vmstat -t of procps, narrow and wide: two lines of header, which come again, then a line at a time with the clock at
 * its end. Memory is KiB unless another unit was asked for, which cannot be seen. The first line behind the first
 * header is the mean since the machine was started. */
#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-error.h"
#include "rf-import-grid.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#define KIB 1024.0

static const RfImportColumn vmstat_map[] = {
    {"free", "free_bytes", KIB},
    {"buff", "buffers_bytes", KIB},
    {"cache", "cached_bytes", KIB},
    {"swpd", "swap_used_bytes", KIB},
    {"si", "swap_in_bytes_per_s", KIB},
    {"so", "swap_out_bytes_per_s", KIB},
    {"bi", "disks_read_bytes_per_s", KIB},
    {"bo", "disks_write_bytes_per_s", KIB},
    {"in", "interrupts_per_s", 1},
    {"cs", "context_switches_per_s", 1},
    {"wa", "cpu_iowait_ratio", 0.01},
    {"st", "cpu_steal_ratio", 0.01},
    {"us", "cpu_busy_ratio", 0.01},
    {"sy", "cpu_busy_ratio", 0.01},
    {"gu", "cpu_busy_ratio", 0.01},
    {"r", "runnable", 1},
    {"b", "blocked", 1},
    {NULL, NULL, 0},
};

typedef struct {
    RfImportSheet *sheet;
    GTimeZone *zone;
    gint64 last_us;
    gboolean skip_first;
    guint back;
} Reader;

/* The name of the zone stands where the clock stands below. Abbreviations are not names: only what cannot be another
 * one. */
static GTimeZone *
zone_of (const char *name, GTimeZone *local, GPtrArray *warnings)
{
    static const struct {
        const char *name;
        const char *identifier;
    } known[] = {{"UTC", "UTC"}, {"GMT", "UTC"}, {"CET", "+01:00"}, {"CEST", "+02:00"}};
    for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
        if (g_str_equal (known[i].name, name))
            return g_time_zone_new_identifier (known[i].identifier);
    if (name[0] == '+' || name[0] == '-') {
        GTimeZone *zone = g_time_zone_new_identifier (name);
        if (zone != NULL)
            return zone;
    }
    char cut[24];
    rf_import_event_text (cut, sizeof cut, name);
    rf_import_warn (warnings, _ ("Its clock is in the time zone “%s”, which was taken for the one of this machine."),
                    cut);
    return g_time_zone_ref (local);
}

static gboolean
is_header (char **fields, guint n)
{
    return rf_import_find (fields, n, "swpd") >= 0 && rf_import_find (fields, n, "si") >= 0
           && rf_import_find (fields, n, "so") >= 0;
}

/* Takes on the header. Returns: FALSE if it has no clock, or another form than the first */
static gboolean
take_header (Reader *self, char **fields, guint n, const RfImportOptions *options, GPtrArray *warnings)
{
    static const char *const last[] = {"us", "sy", "id", "wa", "st", "gu"};
    gboolean clock = TRUE;
    for (gsize i = 0; i < G_N_ELEMENTS (last); i++)
        clock = clock && !g_str_equal (fields[n - 1], last[i]);
    if (!clock)
        return FALSE;
    if (self->sheet != NULL)
        return self->sheet->n_fields == n - 1;
    self->sheet = rf_import_sheet_new ("samples", fields, n - 1, vmstat_map);
    self->zone = zone_of (fields[n - 1], options->zone, warnings);
    self->skip_first = TRUE;
    return TRUE;
}

static gboolean
take_line (Reader *self, RfImportText *text, RfImportGrid *grid, char **fields, guint n)
{
    gint64 us;
    if (self->sheet == NULL || n != self->sheet->n_fields + 2)
        return FALSE;
    g_autofree char *when = g_strdup_printf ("%s %s", fields[n - 2], fields[n - 1]);
    if (!rf_import_date_time (when, self->zone, &us) || !rf_import_sheet_fill (self->sheet, text, fields, n - 2))
        return FALSE;
    if (us < self->last_us) {
        self->back++;
        return TRUE;
    }
    gint64 before = self->last_us;
    self->last_us = us;
    if (self->skip_first) {
        self->skip_first = FALSE;
        return TRUE;
    }
    for (guint i = 0; i < rf_table_n_columns (self->sheet->table); i++)
        if (!rf_import_grid_put (grid, us, rf_table_column_name (self->sheet->table, i), (double)self->sheet->row[i]))
            return FALSE;
    return before == 0 || us == before
           || rf_import_grid_put (grid, us, "interval_s", (double)(us - before) / G_USEC_PER_SEC);
}

static void
reader_clear (Reader *self)
{
    g_clear_pointer (&self->sheet, rf_import_sheet_free);
    g_clear_pointer (&self->zone, g_time_zone_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

gboolean
rf_import_vmstat (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error)
{
    char *fields[RF_IMPORT_FIELDS_MAX];
    GPtrArray *warnings = rf_import_text_warnings (text);
    g_autoptr (RfImportGrid) grid = rf_import_grid_new ();
    g_auto (Reader) reader = {0};
    char *line;
    while ((line = rf_import_text_next (text)) != NULL) {
        if (strstr (line, "--memory--") != NULL)
            continue;
        guint n = rf_import_words (line, fields);
        if (n > 2 && is_header (fields, n)) {
            if (take_header (&reader, fields, n, options, warnings))
                continue;
            g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID,
                                 reader.sheet == NULL
                                     ? _ ("It has no times: start vmstat with -t.")
                                     : _ ("Its columns change on the way; import the parts one by one."));
            return FALSE;
        }
        if (take_line (&reader, text, grid, fields, n))
            rf_import_text_good (text);
        else
            rf_import_text_bad (text);
    }
    if (!rf_import_text_finish (text, error))
        return FALSE;
    RfTable *table = rf_import_grid_finish (grid, "samples", &recording->anchor_wall_us);
    if (table == NULL) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID,
                             _ ("It has only the mean since the machine was started, and nothing that follows it."));
        return FALSE;
    }
    rf_recording_add_table (recording, table);
    rf_import_warn (warnings, _ ("The first line, the mean since the machine was started, was left out."));
    rf_import_warn (warnings, _ ("Memory was taken as KiB, as vmstat prints it unless told otherwise."));
    if (reader.back > 0)
        rf_import_warn (warnings,
                        ngettext ("%u line goes back in time and was left out.",
                                  "%u lines go back in time and were left out.", reader.back),
                        reader.back);
    return TRUE;
}
