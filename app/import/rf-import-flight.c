#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-error.h"
#include "rf-array.h"
#include "rf-import-flight.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#define MIB 1048576.0
#define PAGE 4096.0
#define GAP_NS (G_GINT64_CONSTANT (1000000000))
/* the script reads the frame time of X-Plane from a number that ends here */
#define FRAME_END_MS 50.25f

const char *const rf_flight_files[] = {
    "mem.csv",           "vmstat.csv",        "psi.csv",           "vram.csv", "xplane_telemetry.csv",
    "xplane_events.csv", "trace_reclaim.log", "trace_io_slow.log", NULL,
};

static const RfImportColumn memory_map[] = {
    {"total_mb", "total_bytes", MIB},
    {"free_mb", "free_bytes", MIB},
    {"available_mb", "available_bytes", MIB},
    {"buffers_mb", "buffers_bytes", MIB},
    {"cached_mb", "cached_bytes", MIB},
    {"swap_used_mb", "swap_used_bytes", MIB},
    {"dirty_mb", "dirty_bytes", MIB},
    {"writeback_mb", "writeback_bytes", MIB},
    {NULL, NULL, 0},
};

static const RfImportColumn samples_map[] = {
    {"allocstall_s", "allocstalls_per_s", 1},
    {"pgsteal_direct_s", "direct_reclaim_pages_per_s", 1},
    {"pgscan_direct_s", "direct_scan_pages_per_s", 1},
    {"pgsteal_kswapd_s", "kswapd_pages_per_s", 1},
    {"pgscan_kswapd_s", "kswapd_scan_pages_per_s", 1},
    {"nr_dirty", "dirty_bytes", PAGE},
    {"nr_writeback", "writeback_bytes", PAGE},
    {"pswpin_s", "swap_in_bytes_per_s", PAGE},
    {"pswpout_s", "swap_out_bytes_per_s", PAGE},
    {"pgmajfault_s", "major_faults_per_s", 1},
    {"wset_refault_anon_s", "refault_pages_per_s", 1},
    {"wset_refault_file_s", "refault_pages_per_s", 1},
    {"tlb_shootdown_s", "tlb_shootdowns_per_s", 1},
    {"pgfault_s", "faults_per_s", 1},
    {"ctxt_s", "context_switches_per_s", 1},
    {"compact_stall_s", "compact_stalls_per_s", 1},
    {"thp_fault_fallback_s", "thp_fallbacks_per_s", 1},
    {NULL, NULL, 0},
};

static const RfImportColumn psi_map[] = {
    {"cpu_some10", "psi_cpu_some_avg10_ratio", 0.01},
    {"mem_some10", "psi_memory_some_avg10_ratio", 0.01},
    {"mem_full10", "psi_memory_full_avg10_ratio", 0.01},
    {"io_some10", "psi_io_some_avg10_ratio", 0.01},
    {"io_full10", "psi_io_full_avg10_ratio", 0.01},
    {"cpu_some60", "psi_cpu_some_avg60_ratio", 0.01},
    {"mem_some60", "psi_memory_some_avg60_ratio", 0.01},
    {"mem_full60", "psi_memory_full_avg60_ratio", 0.01},
    {"io_some60", "psi_io_some_avg60_ratio", 0.01},
    {"io_full60", "psi_io_full_avg60_ratio", 0.01},
    {NULL, NULL, 0},
};

static const RfImportColumn gpu_map[] = {
    {"mem_used_mib", "vram_used_bytes", MIB},
    {"mem_total_mib", "vram_total_bytes", MIB},
    {"temp_c", "temperature_c", 1},
    {"gpu_util_pct", "utilisation", 0.01},
    {"mem_util_pct", "memory_utilisation", 0.01},
    {"gpu_clock_mhz", "clock_mhz", 1},
    {"mem_clock_mhz", "memory_clock_mhz", 1},
    {"power_w", "power_w", 1},
    {"pcie_tx_kbs", "pcie_tx_bytes_per_s", 1024},
    {"pcie_rx_kbs", "pcie_rx_bytes_per_s", 1024},
    {"throttle_reasons", "nvml_throttle_reasons", 1},
    {"perf_state", "performance_state", 1},
    {NULL, NULL, 0},
};

static const RfImportColumn frames_map[] = {
    {"frame_time_ms", "frame_ms", 1},
    {"fps", "fps", 1},
    {"cpu_time_ms", "cpu_ms", 1},
    {"gpu_time_ms", "gpu_ms", 1},
    {"lat", "latitude", 1},
    {"lon", "longitude", 1},
    {"elev_m", "elevation_m", 1},
    {"agl_m", "height_m", 1},
    {"gs_kts", "ground_speed_kt", 1},
    {"ias_kts", "air_speed_kt", 1},
    {"sim_time_s", "simulator_s", 1},
    {"paused", "paused", 1},
    {NULL, NULL, 0},
};

struct _RfFlight {
    RfRecording *recording;
    GPtrArray *warnings;
    RfFlightTrace *reclaim;
    RfFlightTrace *io;
    /* the tables of the files, with microseconds since 1970 as their clock until the end */
    GPtrArray *tables;
};

RfFlight *
rf_flight_new (RfRecording *recording, GPtrArray *warnings)
{
    RfFlight *self = g_new0 (RfFlight, 1);
    self->recording = recording;
    self->warnings = warnings;
    self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_table_unref);
    return self;
}

void
rf_flight_free (RfFlight *self)
{
    g_clear_pointer (&self->reclaim, rf_flight_trace_free);
    g_clear_pointer (&self->io, rf_flight_trace_free);
    g_ptr_array_unref (self->tables);
    g_free (self);
}

static RfTable *
find_table (RfFlight *self, const char *name)
{
    for (guint i = 0; i < self->tables->len; i++)
        if (g_str_equal (rf_table_name (self->tables->pdata[i]), name))
            return self->tables->pdata[i];
    return NULL;
}

/* The script's way to ask nvidia-smi, taken when the library fails, has ten answers for thirteen names; the state
 * stands in the tenth place, and three zeros that nobody measured are put behind it. */
static gboolean
is_performance_state (const char *field)
{
    while (*field == ' ')
        field++;
    return field[0] == 'P' && g_ascii_isdigit (field[1]) && strspn (field + 1, "0123456789 ") == strlen (field + 1);
}

static void
mend_gpu (RfFlight *self, char **fields, guint n, int tx, int state)
{
    static char missing[] = "";
    if (tx < 0 || state != tx + 3 || (guint)state >= n || !is_performance_state (fields[tx]))
        return;
    fields[state] = strchr (fields[tx], 'P') + 1;
    fields[tx] = fields[tx + 1] = fields[tx + 2] = missing;
    rf_import_warn (self->warnings,
                    _ ("vram.csv: the last four columns stand in another order than the header says. The state of "
                       "the graphics card was put right; transfer rates and throttle reasons are not available."));
}

static gboolean
add_table (RfFlight *self, RfImportText *text, const char *name, const RfImportColumn *map, GError **error)
{
    char *fields[RF_IMPORT_FIELDS_MAX];
    char *line = rf_import_text_next (text);
    guint n = line != NULL ? rf_import_split (line, ',', fields) : 0;
    if (n < 2 || !g_str_equal (fields[0], "timestamp")) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("There is no column “timestamp” in front."));
        return FALSE;
    }
    gboolean gpu = g_str_equal (name, "gpu");
    int tx = rf_import_find (fields, n, "pcie_tx_kbs"), state = rf_import_find (fields, n, "perf_state");
    g_autoptr (RfImportSheet) sheet = rf_import_sheet_new (name, fields, n, map);
    if (rf_table_n_columns (sheet->table) == 0) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("There is no column in it that is known."));
        return FALSE;
    }
    while ((line = rf_import_text_next (text)) != NULL) {
        gint64 us;
        n = rf_import_split (line, ',', fields);
        if (gpu && n == sheet->n_fields)
            mend_gpu (self, fields, n, tx, state);
        if (n == sheet->n_fields && rf_import_epoch (fields[0], &us) && rf_import_sheet_fill (sheet, text, fields, n)
            && rf_import_sheet_append (sheet, us))
            rf_import_text_good (text);
        else
            rf_import_text_bad (text);
    }
    if (!rf_import_text_finish (text, error))
        return FALSE;
    g_ptr_array_add (self->tables, g_steal_pointer (&sheet->table));
    return TRUE;
}

/* "-39+143.dsf (22ms)" */
static gboolean
parse_tile (const char *message, RfEvent *event)
{
    const char *end = g_strrstr (message, ".dsf (");
    gint64 ms;
    if (end == NULL || end == message)
        return FALSE;
    const char *number = end + strlen (".dsf (");
    g_autofree char *digits = g_strndup (number, strspn (number, "0123456789"));
    if (!g_str_equal (number + strlen (digits), "ms)") || !rf_import_integer (digits, &ms)
        || ms > G_GINT64_CONSTANT (86400) * 1000)
        return FALSE;
    g_autofree char *tile = g_strndup (message, (gsize)(end - message));
    event->kind = RF_EVENT_TILE;
    event->duration_ns = ms * 1000000;
    rf_import_event_text (event->subject, sizeof event->subject, tile);
    return TRUE;
}

static gboolean
add_tiles (RfFlight *self, RfImportText *text, GError **error)
{
    char *fields[RF_IMPORT_FIELDS_MAX];
    char *line = rf_import_text_next (text);
    guint n = line != NULL ? rf_import_split (line, ',', fields) : 0;
    guint others = 0;
    int time = rf_import_find (fields, n, "timestamp"), category = rf_import_find (fields, n, "category"),
        message = rf_import_find (fields, n, "message");
    if (time < 0 || category < 0 || message < 0) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("The header is not the one of X-Plane's events."));
        return FALSE;
    }
    while ((line = rf_import_text_next (text)) != NULL) {
        RfEvent event = {0};
        gint64 us;
        guint count = rf_import_split (line, ',', fields);
        gboolean ok = count == n && rf_import_epoch (fields[time], &us);
        if (ok && !g_str_equal (fields[category], "DSF")) {
            others++;
        } else if (ok && parse_tile (fields[message], &event)) {
            /* X-Plane writes the line when the tile is there */
            event.time_ns = us * 1000 - event.duration_ns;
            ok = rf_import_add_event (self->recording, &event);
        } else {
            ok = FALSE;
        }
        if (ok)
            rf_import_text_good (text);
        else
            rf_import_text_bad (text);
    }
    if (others > 0)
        rf_import_warn (self->warnings,
                        ngettext ("xplane_events.csv: %u event of a kind that recordings do not have was left out.",
                                  "xplane_events.csv: %u events of kinds that recordings do not have were left out.",
                                  others),
                        others);
    return rf_import_text_finish (text, error);
}

static gboolean
add (RfFlight *self, const char *file, RfImportText *text, GError **error)
{
    if (g_str_equal (file, "mem.csv"))
        return add_table (self, text, "memory", memory_map, error);
    if (g_str_equal (file, "vmstat.csv"))
        return add_table (self, text, "samples", samples_map, error);
    if (g_str_equal (file, "psi.csv"))
        return add_table (self, text, "psi", psi_map, error);
    if (g_str_equal (file, "vram.csv"))
        return add_table (self, text, "gpu", gpu_map, error);
    if (g_str_equal (file, "xplane_telemetry.csv"))
        return add_table (self, text, "frames", frames_map, error);
    if (g_str_equal (file, "xplane_events.csv"))
        return add_tiles (self, text, error);
    RfFlightTrace **trace = g_str_equal (file, "trace_reclaim.log") ? &self->reclaim : &self->io;
    g_clear_pointer (trace, rf_flight_trace_free);
    *trace = rf_flight_trace_new (text, error);
    return *trace != NULL;
}

gboolean
rf_flight_add (RfFlight *self, const char *file, const char *data, gsize length, GError **error)
{
    g_autoptr (RfImportText) text = rf_import_text_new (file, data, length, self->warnings, error);
    return text != NULL && add (self, file, text, error);
}

static gboolean
all_zero (RfTable *table)
{
    for (guint i = 0; i < rf_table_n_columns (table); i++)
        for (gsize row = 0; row < rf_table_n_rows (table); row++)
            if (rf_table_values (table, i)[row] > 0)
                return FALSE;
    return TRUE;
}

/* Returns: (transfer full): @from on the recording's clock. Samples get their interval, and the memory of just the same
 * instant, which the script wrote into another file. */
static RfTable *
on_clock (RfFlight *self, RfTable *from, gint64 start_us, RfTable *memory)
{
    static const char *const shared[] = {"free_bytes", "available_bytes", "swap_used_bytes"};
    gboolean samples = g_str_equal (rf_table_name (from), "samples");
    RfTable *to = rf_table_new (rf_table_name (from));
    guint columns = rf_table_n_columns (from), extra = samples ? 1 + G_N_ELEMENTS (shared) : 0;
    g_autofree float *row = rf_new0 (float, columns + extra);
    for (guint i = 0; i < columns; i++)
        rf_table_add_column (to, rf_table_column_name (from, i));
    if (samples)
        rf_table_add_column (to, "interval_s");
    for (guint i = 0; samples && i < G_N_ELEMENTS (shared); i++)
        rf_table_add_column (to, shared[i]);
    const gint64 *times = rf_table_times (from);
    for (gsize at = 0; at < rf_table_n_rows (from); at++) {
        for (guint i = 0; i < columns; i++)
            row[i] = rf_table_values (from, i)[at];
        for (guint i = 0; i < extra; i++)
            row[columns + i] = NAN;
        if (samples && at > 0)
            row[columns] = (float)((double)(times[at] - times[at - 1]) / G_USEC_PER_SEC);
        gsize same = samples && memory != NULL ? rf_table_seek (memory, times[at]) : 0;
        if (samples && memory != NULL && same < rf_table_n_rows (memory) && rf_table_times (memory)[same] == times[at])
            for (guint i = 0; i < G_N_ELEMENTS (shared); i++) {
                guint column = rf_table_find (memory, shared[i]);
                if (column != RF_TABLE_NONE)
                    row[columns + 1 + i] = rf_table_values (memory, column)[same];
            }
        rf_table_append (to, (times[at] - start_us) * 1000, row);
    }
    return to;
}

static void
say_frames (RfFlight *self, RfTable *frames)
{
    guint column = rf_table_find (frames, "frame_ms"), end = 0, gaps = 0;
    const gint64 *times = rf_table_times (frames);
    for (gsize i = 0; column != RF_TABLE_NONE && i < rf_table_n_rows (frames); i++) {
        end += rf_table_values (frames, column)[i] >= FRAME_END_MS ? 1 : 0;
        gaps += i > 0 && times[i] - times[i - 1] > GAP_NS ? 1 : 0;
    }
    if (end > 0)
        rf_import_warn (
            self->warnings,
            ngettext ("xplane_telemetry.csv: frame times end at 50.25 ms; %u frame took that long or longer.",
                      "xplane_telemetry.csv: frame times end at 50.25 ms; %u frames took that long or longer.", end),
            end);
    if (gaps > 0)
        rf_import_warn (
            self->warnings,
            ngettext (
                "xplane_telemetry.csv: X-Plane was silent for more than a second %u time; nothing is filled in there.",
                "xplane_telemetry.csv: X-Plane was silent for more than a second %u times; nothing is filled in there.",
                gaps),
            gaps);
}

static void
add_traces (RfFlight *self, gint64 start_us)
{
    RfTable *samples = rf_recording_table (self->recording, "samples");
    RfFlightTrace *traces[] = {self->reclaim, self->io};
    gint64 shift_ns = 0;
    int minutes = 0;
    if (self->reclaim == NULL && self->io == NULL)
        return;
    if (self->reclaim == NULL || samples == NULL
        || !rf_flight_trace_offset (self->reclaim, samples, start_us * 1000, &shift_ns, &minutes)) {
        rf_import_warn (self->warnings,
                        _ ("The traces have only the local time of day, and it cannot be told from the data how far "
                           "that is from UTC. Their events were left out."));
        return;
    }
    for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
        for (guint j = 0; traces[i] != NULL && j < traces[i]->events->len; j++) {
            RfEvent event = g_array_index (traces[i]->events, RfEvent, j);
            event.time_ns += shift_ns - start_us * 1000;
            rf_import_add_event (self->recording, &event);
        }
    g_autofree char *zone
        = g_strdup_printf ("UTC%c%d:%02d", minutes < 0 ? '-' : '+', ABS (minutes) / 60, ABS (minutes) % 60);
    rf_import_warn (self->warnings,
                    _ ("The traces have the local time of day to the second. From the data, that clock is %s."), zone);
    guint n = self->reclaim->wakes->len + self->reclaim->n_sleeps;
    if (n > 0)
        rf_import_warn (
            self->warnings,
            ngettext ("trace_reclaim.log: %u line about kswapd was left out; recordings have no such event.",
                      "trace_reclaim.log: %u lines about kswapd were left out; recordings have no such event.", n),
            n);
    if (self->io != NULL && self->io->events->len > 0)
        rf_import_warn (self->warnings,
                        _ ("trace_io_slow.log names drives by number only, and does not say whether it was read or "
                           "written."));
}

gboolean
rf_flight_finish (RfFlight *self, GError **error)
{
    RfTable *memory = find_table (self, "memory");
    gint64 start_us = G_MAXINT64;
    if (memory == NULL && find_table (self, "samples") == NULL) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("Neither mem.csv nor vmstat.csv can be used."));
        return FALSE;
    }
    for (guint i = 0; i < self->tables->len; i++)
        start_us = MIN (start_us, rf_table_times (self->tables->pdata[i])[0]);
    for (guint i = 0; i < self->tables->len; i++) {
        RfTable *table = self->tables->pdata[i];
        if (g_str_equal (rf_table_name (table), "psi") && all_zero (table)) {
            rf_import_warn (self->warnings,
                            _ ("psi.csv: all numbers are 0: that kernel has no PSI. It is not available."));
            continue;
        }
        rf_recording_add_table (self->recording, on_clock (self, table, start_us, memory));
    }
    self->recording->anchor_wall_us = start_us;
    for (guint i = 0; i < self->recording->events->len; i++)
        g_array_index (self->recording->events, RfEvent, i).time_ns -= start_us * 1000;
    add_traces (self, start_us);
    rf_import_sort_events (self->recording);
    if (rf_recording_table (self->recording, "frames") != NULL)
        say_frames (self, rf_recording_table (self->recording, "frames"));
    if (find_table (self, "samples") != NULL)
        rf_import_warn (self->warnings, _ ("vmstat.csv: pages were taken as 4096 bytes."));
    return TRUE;
}
