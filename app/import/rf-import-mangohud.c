/* Frame logs of MangoHud: src/logging.cpp there. Three generations: before 0.6.5 without frame times; then with frame
 * times as whole microseconds, written when the log ended and named after that moment; now with milliseconds, written
 * frame by frame and named after the start. Nothing in the file says which, so the numbers have to. */
#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-error.h"
#include "rf-import-private.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#define GIB 1073741824.0
#define RATIOS_MAX 10000u

static const RfImportColumn frames_map[] = {
    {"fps", "fps", 1},
    {"frametime", "frame_ms", 1},
    {"cpu_load", "cpu_busy_ratio", 0.01},
    {"cpu_power", "cpu_power_w", 1},
    {"cpu_temp", "cpu_temperature_c", 1},
    {"cpu_mhz", "cpu_clock_mhz", 1},
    {"gpu_load", "gpu_utilisation", 0.01},
    {"gpu_temp", "gpu_temperature_c", 1},
    {"gpu_core_clock", "gpu_clock_mhz", 1},
    {"gpu_mem_clock", "gpu_memory_clock_mhz", 1},
    {"gpu_vram_used", "vram_used_bytes", GIB},
    {"gpu_power", "gpu_power_w", 1},
    {"ram_used", "memory_used_bytes", GIB},
    {"swap_used", "swap_used_bytes", GIB},
    {"process_rss", "process_memory_bytes", GIB},
    {NULL, NULL, 0},
};

/* What is collected until it is known what it means */
typedef struct {
    RfImportSheet *sheet; /* its times are the file's "elapsed", or 0 */
    int elapsed;
    int frametime;
    gboolean starts; /* the name of the file is the start, not the end */
} Log;

/* The line of names, and the system's lines before it. Returns: how many fields, 0 with an error */
static guint
find_header (RfImportText *text, RfRecording *recording, char **fields, GError **error)
{
    char *line;
    gboolean system = FALSE;
    for (guint i = 0; i < 12 && (line = rf_import_text_next (text)) != NULL; i++) {
        if (strstr (line, "Min FPS") != NULL && strstr (line, "Average FPS") != NULL) {
            g_set_error_literal (
                error, RF_ERROR, RF_ERROR_INVALID,
                _ ("It is only MangoHud's summary. The log itself lies beside it, with the same name but "
                   "“_summary”."));
            return 0;
        }
        guint n = rf_import_split (line, ',', fields);
        if (n > 1 && rf_import_find (fields, n, "fps") >= 0)
            return n;
        if (system && n >= 5 && *recording->machine == '\0') {
            rf_recording_set (&recording->machine, fields[1]);
            rf_recording_set (&recording->kernel, fields[4]);
        }
        system = n >= 5 && g_str_equal (fields[0], "os") && g_str_equal (fields[4], "kernel");
    }
    g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("There is no column “fps” in it."));
    return 0;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Returns: the median of fps × frame time: 1000 for milliseconds; NAN if nothing is known of it */
static double
median_product (RfTable *table, guint fps, guint frame)
{
    g_autoptr (GArray) products = g_array_new (FALSE, FALSE, sizeof (double));
    gsize n = rf_table_n_rows (table), step = n / RATIOS_MAX + 1;
    for (gsize i = 0; i < n; i += step) {
        double product = (double)rf_table_values (table, fps)[i] * (double)rf_table_values (table, frame)[i];
        if (product > 0)
            g_array_append_val (products, product);
    }
    if (products->len == 0)
        return NAN;
    g_array_sort (products, compare_doubles);
    return g_array_index (products, double, products->len / 2);
}

/* Returns: what a frame time has to be multiplied with to be milliseconds */
static double
frame_scale (RfTable *table, guint fps, guint frame, GPtrArray *warnings)
{
    double product = median_product (table, fps, frame);
    if (isnan (product))
        return 1;
    /* 1,000 for milliseconds, 1,000,000 for microseconds, each up to a factor of eight wrong */
    double scale = product > 31623 ? 0.001 : 1;
    double factor = product * scale / 1000;
    if (factor > 1.2 || factor < 0.83)
        rf_import_warn (
            warnings,
            _ ("The frame rate is %.2f times what the frame times give, as with frame generation or a log that leaves "
               "frames out. The frame times were taken."),
            factor);
    return scale;
}

/* Returns: nanoseconds that one step of "elapsed" is */
static gint64
elapsed_unit (RfTable *table, guint frame, double scale)
{
    const gint64 *times = rf_table_times (table);
    gsize n = rf_table_n_rows (table);
    double frames_ns = 0, elapsed = (double)(times[n - 1] - times[0]);
    /* the first ones, without frame times, counted microseconds */
    if (frame == RF_TABLE_NONE)
        return 1000;
    for (gsize i = 1; i < n; i++) {
        double ms = (double)rf_table_values (table, frame)[i] * scale;
        frames_ns += isnan (ms) ? 0 : ms * 1e6;
    }
    /* a log has no more frames than time, whatever it leaves out */
    return elapsed > 0 && frames_ns > elapsed * 30 ? 1000 : 1;
}

static void
say_left_out (RfTable *table, guint frame, GPtrArray *warnings)
{
    const gint64 *times = rf_table_times (table);
    gsize n = rf_table_n_rows (table);
    double frames_ns = 0;
    for (gsize i = 1; i < n; i++)
        if (!isnan (rf_table_values (table, frame)[i]))
            frames_ns += (double)rf_table_values (table, frame)[i] * 1e6;
    double share = frames_ns / (double)(times[n - 1] - times[0]);
    if (times[n - 1] > times[0] && share < 0.8)
        rf_import_warn (warnings,
                        _ ("The frames in it make up %d %% of its time: MangoHud was told to log at intervals. Longest "
                           "frames may be "
                           "missing."),
                        (int)(share * 100));
}

/* "game_2026-03-15_14-30-45.csv" */
static gint64
time_of_name (const char *name, GTimeZone *zone)
{
    const char *dot = name != NULL ? g_strrstr (name, ".") : NULL;
    if (dot == NULL || dot - name < 19)
        return 0;
    g_autofree char *text = g_strndup (dot - 19, 19);
    gint64 us;
    if (text[10] != '_' || text[13] != '-' || text[16] != '-')
        return 0;
    text[10] = ' ';
    text[13] = text[16] = ':';
    return rf_import_date_time (text, zone, &us) ? us : 0;
}

static gboolean
read_rows (Log *log, RfImportText *text, GError **error)
{
    char *fields[RF_IMPORT_FIELDS_MAX];
    char *line;
    gboolean more_fields = FALSE;
    while ((line = rf_import_text_next (text)) != NULL) {
        guint n = rf_import_split (line, ',', fields);
        gint64 elapsed = 0;
        more_fields = more_fields || n > log->sheet->n_fields + 1;
        if (n == log->sheet->n_fields && (log->elapsed < 0 || rf_import_integer (fields[log->elapsed], &elapsed))
            && rf_import_sheet_fill (log->sheet, text, fields, n) && rf_import_sheet_append (log->sheet, elapsed))
            rf_import_text_good (text);
        else
            rf_import_text_bad (text);
    }
    if (!rf_import_text_finish (text, error)) {
        if (more_fields) {
            g_clear_error (error);
            g_set_error_literal (
                error, RF_ERROR, RF_ERROR_INVALID,
                _ ("Its lines have more numbers than columns: its numbers seem to have decimal commas, and then "
                   "nobody can tell where one ends."));
        }
        return FALSE;
    }
    return TRUE;
}

/* Puts the rows on the recording's clock. Returns: when the log ended, nanoseconds after its start; -1 if there are
 * none */
static gint64
put_on_clock (Log *log, RfImportText *text, RfRecording *recording)
{
    GPtrArray *warnings = rf_import_text_warnings (text);
    RfTable *from = log->sheet->table;
    guint fps = rf_table_find (from, "fps"), frame = rf_table_find (from, "frame_ms"),
          columns = rf_table_n_columns (from);
    double scale = frame != RF_TABLE_NONE ? frame_scale (from, fps, frame, warnings) : 1;
    gint64 unit = elapsed_unit (from, frame, scale), last = 0;
    double sum_ns = 0;
    RfTable *to = rf_table_new ("frames");
    for (guint i = 0; i < columns; i++)
        rf_table_add_column (to, rf_table_column_name (from, i));
    for (gsize at = 0; at < rf_table_n_rows (from); at++) {
        for (guint i = 0; i < columns; i++)
            log->sheet->row[i] = rf_table_values (from, i)[at];
        if (frame != RF_TABLE_NONE) {
            log->sheet->row[frame] = (float)((double)log->sheet->row[frame] * scale);
            sum_ns += isnan (log->sheet->row[frame]) ? 0 : MAX (0, (double)log->sheet->row[frame] * 1e6);
        }
        gint64 time = log->elapsed >= 0 ? rf_table_times (from)[at] : (gint64)MIN (sum_ns, 1e17);
        if (log->elapsed >= 0)
            time = MIN (time, G_MAXINT64 / 1000 / unit) * unit;
        last = time;
        rf_table_append (to, time, log->sheet->row);
    }
    rf_recording_add_table (recording, to);
    if (frame == RF_TABLE_NONE)
        rf_import_warn (warnings, _ ("It has no frame times, only the frame rate; it is too old for more."));
    else if (log->elapsed < 0)
        rf_import_warn (warnings, _ ("It has no times; they were added up from the frame times."));
    else
        say_left_out (to, frame, warnings);
    return last;
}

gboolean
rf_import_mangohud (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error)
{
    char *fields[RF_IMPORT_FIELDS_MAX];
    GPtrArray *warnings = rf_import_text_warnings (text);
    guint n = find_header (text, recording, fields, error);
    if (n == 0)
        return FALSE;
    Log log = {
        .elapsed = rf_import_find (fields, n, "elapsed"),
        .frametime = rf_import_find (fields, n, "frametime"),
        .starts = rf_import_find (fields, n, "swap_used") >= 0,
    };
    g_autoptr (RfImportSheet) sheet = rf_import_sheet_new ("raw", fields, n, frames_map);
    log.sheet = sheet;
    if (log.elapsed < 0 && log.frametime < 0) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("It has neither times nor frame times."));
        return FALSE;
    }
    if (!read_rows (&log, text, error))
        return FALSE;
    gint64 last_ns = put_on_clock (&log, text, recording);
    gint64 named_us = time_of_name (options->file_name, options->zone);
    if (named_us == 0) {
        rf_import_warn (warnings,
                        _ ("When it was recorded is not known: MangoHud writes that into the name of the file only."));
        return TRUE;
    }
    recording->anchor_wall_us = log.starts ? named_us : named_us - last_ns / 1000;
    rf_import_warn (warnings, log.starts
                                  ? _ ("The time in its name was taken as the local time of its start, to the second.")
                                  : _ ("The time in its name was taken as the local time of its end, to the second."));
    return TRUE;
}
