/* What sysstat tells: sar as people read it (12 or 24 hours, headers again on every screen, one table below the other,
 * "Average:" in any language) and sadf -d for programs. Both give the same columns. */
#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-error.h"
#include "rf-import-grid.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#define KIB 1024.0
#define PAGE 4096.0
#define SECTOR 512.0
#define DAY_S G_GINT64_CONSTANT (86400)
#define HALF_DAY_S 43200
#define DAYS_MAX 400
#define SECTIONS_MAX 64u
#define NAMES_MAX 12u

static const RfImportColumn machine_map[] = {
    {"kbmemfree", "free_bytes", KIB},
    {"kbavail", "available_bytes", KIB},
    {"kbbuffers", "buffers_bytes", KIB},
    {"kbcached", "cached_bytes", KIB},
    {"kbdirty", "dirty_bytes", KIB},
    {"kbswpused", "swap_used_bytes", KIB},
    {"fault/s", "faults_per_s", 1},
    {"majflt/s", "major_faults_per_s", 1},
    {"pgscank/s", "kswapd_scan_pages_per_s", 1},
    {"pgscand/s", "direct_scan_pages_per_s", 1},
    {"pgsteal/s", "steal_pages_per_s", 1},
    {"pgpgin/s", "disks_read_bytes_per_s", KIB},
    {"pgpgout/s", "disks_write_bytes_per_s", KIB},
    {"pswpin/s", "swap_in_bytes_per_s", PAGE},
    {"pswpout/s", "swap_out_bytes_per_s", PAGE},
    {"cswch/s", "context_switches_per_s", 1},
    {"ldavg-1", "load_1min", 1},
    {"%user", "cpu_busy_ratio", 0.01},
    {"%usr", "cpu_busy_ratio", 0.01},
    {"%nice", "cpu_busy_ratio", 0.01},
    {"%system", "cpu_busy_ratio", 0.01},
    {"%sys", "cpu_busy_ratio", 0.01},
    {"%irq", "cpu_busy_ratio", 0.01},
    {"%soft", "cpu_busy_ratio", 0.01},
    {"%guest", "cpu_busy_ratio", 0.01},
    {"%gnice", "cpu_busy_ratio", 0.01},
    {"%iowait", "cpu_iowait_ratio", 0.01},
    {"%steal", "cpu_steal_ratio", 0.01},
    {"%smem", "psi_memory_some_ratio", 0.01},
    {"%fmem", "psi_memory_full_ratio", 0.01},
    {"%sio", "psi_io_some_ratio", 0.01},
    {"%fio", "psi_io_full_ratio", 0.01},
    {"%scpu", "psi_cpu_some_ratio", 0.01},
    {NULL, NULL, 0},
};

static const RfImportColumn disk_map[] = {
    {"tps", "iops", 1},
    {"rkB/s", "read_bytes_per_s", KIB},
    {"wkB/s", "write_bytes_per_s", KIB},
    {"rd_sec/s", "read_bytes_per_s", SECTOR},
    {"wr_sec/s", "write_bytes_per_s", SECTOR},
    {"aqu-sz", "in_flight", 1},
    {"avgqu-sz", "in_flight", 1},
    {"await", "latency_ms", 1},
    {"%util", "utilisation", 0.01},
    {NULL, NULL, 0},
};

typedef enum {
    SECTION_MACHINE,
    SECTION_CPU,  /* the line of all is taken */
    SECTION_DISK, /* the name of the disk goes before the column's */
    SECTION_OTHER,
} SectionKind;

/* One table of the output; it is known by its header */
typedef struct {
    SectionKind kind;
    RfImportSheet *sheet;
    int last_s;
    int days;
    gint64 last_us;
} Section;

typedef struct {
    RfImportText *text;
    RfImportGrid *grid;
    RfRecording *recording;
    GTimeZone *zone;
    GHashTable *sections;
    Section *now;
    GPtrArray *left_out;
    int year, month, day;
    gint64 last_us;
    gboolean pages;
} Reader;

static void
section_free (gpointer data)
{
    Section *self = data;
    rf_import_sheet_free (self->sheet);
    g_free (self);
}

static void
reader_clear (Reader *self)
{
    g_clear_pointer (&self->grid, rf_import_grid_free);
    g_clear_pointer (&self->sections, g_hash_table_unref);
    g_clear_pointer (&self->left_out, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static void
reader_init (Reader *self, RfImportText *text, const RfImportOptions *options, RfRecording *recording)
{
    self->text = text;
    self->recording = recording;
    self->zone = options->zone;
    self->grid = rf_import_grid_new ();
    self->sections = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, section_free);
    self->left_out = g_ptr_array_new_with_free_func (g_free);
}

static void
leave_out (Reader *self, const char *name)
{
    char shown[32];
    rf_import_event_text (shown, sizeof shown, name);
    if (self->left_out->len < NAMES_MAX && !g_ptr_array_find_with_equal_func (self->left_out, shown, g_str_equal, NULL))
        g_ptr_array_add (self->left_out, g_strdup (shown));
}

static SectionKind
kind_of (const char *first)
{
    if (g_str_equal (first, "CPU"))
        return SECTION_CPU;
    if (g_str_equal (first, "DEV"))
        return SECTION_DISK;
    /* IFACE, TTY, FILESYSTEM, BUS … name things of which there are several */
    return g_ascii_isupper (first[0]) && g_ascii_isupper (first[1]) ? SECTION_OTHER : SECTION_MACHINE;
}

/* @fields: behind the time. Returns: FALSE if there are too many tables */
static gboolean
take_header (Reader *self, char **fields, guint n)
{
    GString *all = g_string_new (NULL);
    for (guint i = 0; i < n; i++)
        g_string_append_printf (all, "%s ", fields[i]);
    g_autofree char *key = g_string_free (all, FALSE);
    self->now = g_hash_table_lookup (self->sections, key);
    if (self->now != NULL)
        return TRUE;
    if (g_hash_table_size (self->sections) >= SECTIONS_MAX)
        return FALSE;
    Section *section = g_new0 (Section, 1);
    section->kind = kind_of (fields[0]);
    section->sheet = rf_import_sheet_new ("section", fields, n, section->kind == SECTION_DISK ? disk_map : machine_map);
    section->last_s = -1;
    if (section->kind == SECTION_OTHER)
        leave_out (self, fields[0]);
    else
        for (guint i = section->kind == SECTION_MACHINE ? 0 : 1; i < n; i++)
            if (section->sheet->column[i] < 0)
                leave_out (self, fields[i]);
    self->pages = self->pages || rf_table_find (section->sheet->table, "swap_in_bytes_per_s") != RF_TABLE_NONE;
    g_hash_table_insert (self->sections, g_steal_pointer (&key), section);
    self->now = section;
    return TRUE;
}

/* @interval_s: NAN if the file does not say */
static gboolean
take_row (Reader *self, gint64 us, double interval_s, char **fields, guint n)
{
    Section *section = self->now;
    char column[96], name[32] = "";
    if (section->kind == SECTION_OTHER || rf_table_n_columns (section->sheet->table) == 0)
        return TRUE;
    if (section->kind == SECTION_CPU && !g_str_equal (fields[0], "all") && !g_str_equal (fields[0], "-1"))
        return TRUE;
    if (section->kind == SECTION_DISK)
        rf_import_event_text (name, sizeof name, fields[0]);
    if (!rf_import_sheet_fill (section->sheet, self->text, fields, n))
        return FALSE;
    for (guint i = 0; i < rf_table_n_columns (section->sheet->table); i++) {
        g_snprintf (column, sizeof column, "%s%s%s", name, *name != '\0' ? "." : "",
                    rf_table_column_name (section->sheet->table, i));
        if (!rf_import_grid_put (self->grid, us, column, (double)section->sheet->row[i]))
            return FALSE;
    }
    if (isnan (interval_s) && section->last_us != 0 && us > section->last_us)
        interval_s = (double)(us - section->last_us) / G_USEC_PER_SEC;
    if (!isnan (interval_s) && interval_s > 0 && !rf_import_grid_put (self->grid, us, "interval_s", interval_s))
        return FALSE;
    section->last_us = us;
    self->last_us = MAX (self->last_us, us);
    return TRUE;
}

static void
take_restart (Reader *self, gint64 us)
{
    RfGap gap = {.start_ns = self->last_us, .end_ns = us, .reason = "restart"};
    GHashTableIter iter;
    gpointer section;
    g_hash_table_iter_init (&iter, self->sections);
    while (g_hash_table_iter_next (&iter, NULL, &section))
        ((Section *)section)->last_us = 0;
    /* sar -A tells of one restart in each of its tables */
    for (guint i = 0; i < self->recording->gaps->len; i++)
        if (g_array_index (self->recording->gaps, RfGap, i).end_ns == us)
            return;
    if (self->last_us != 0 && us > self->last_us && self->recording->gaps->len < 10000)
        g_array_append_val (self->recording->gaps, gap);
}

static int
compare_gaps (gconstpointer a, gconstpointer b)
{
    const RfGap *left = a, *right = b;
    return (left->start_ns > right->start_ns) - (left->start_ns < right->start_ns);
}

static gboolean
finish (Reader *self, GError **error)
{
    GPtrArray *warnings = rf_import_text_warnings (self->text);
    gint64 start_us = 0;
    if (!rf_import_text_finish (self->text, error))
        return FALSE;
    RfTable *table = rf_import_grid_finish (self->grid, "samples", &start_us);
    if (table == NULL) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("There is no column in it that is known."));
        return FALSE;
    }
    rf_recording_add_table (self->recording, table);
    self->recording->anchor_wall_us = start_us;
    for (guint i = 0; i < self->recording->gaps->len; i++) {
        RfGap *gap = &g_array_index (self->recording->gaps, RfGap, i);
        gap->start_ns = (gap->start_ns - start_us) * 1000;
        gap->end_ns = (gap->end_ns - start_us) * 1000;
    }
    g_array_sort (self->recording->gaps, compare_gaps);
    if (self->pages)
        rf_import_warn (warnings, _ ("Pages were taken as 4096 bytes."));
    if (self->left_out->len > 0) {
        g_ptr_array_add (self->left_out, NULL);
        g_autofree char *names = g_strjoinv (", ", (char **)self->left_out->pdata);
        rf_import_warn (warnings, _ ("Columns that recordings do not have were left out: %s."), names);
    }
    return TRUE;
}

/* "12/01/2026", "12/01/26", "2026-12-01", "01.12.2026" */
static gboolean
parse_date (Reader *self, const char *text)
{
    g_auto (GStrv) parts = g_strsplit_set (text, "/-.", 4);
    gint64 a, b, c;
    if (g_strv_length (parts) != 3 || !rf_import_integer (parts[0], &a) || !rf_import_integer (parts[1], &b)
        || !rf_import_integer (parts[2], &c) || a > 2099 || b > 31 || c > 2099)
        return FALSE;
    if (a > 31) {
        self->year = (int)a;
        self->month = (int)b;
        self->day = (int)c;
        return TRUE;
    }
    gboolean day_first = strchr (text, '.') != NULL || a > 12;
    if (strchr (text, '/') != NULL && a <= 12 && b <= 12 && a != b)
        rf_import_warn (rf_import_text_warnings (self->text), _ ("The date %s was taken as month, day, year."), text);
    self->year = (int)(c < 100 ? c + 2000 : c);
    self->month = (int)(day_first ? b : a);
    self->day = (int)(day_first ? a : b);
    return self->month >= 1 && self->month <= 12 && self->day >= 1;
}

/* "Linux 6.1.0-30-amd64 (host) 12/01/26 _x86_64_ (4 CPU)": the host's name is nobody's business */
static gboolean
take_banner (Reader *self, char **fields, guint n)
{
    gboolean found = FALSE;
    for (guint i = 2; i < n && !found; i++)
        found = strchr (fields[i], '(') == NULL && parse_date (self, fields[i]);
    if (n > 1 && *self->recording->kernel == '\0')
        rf_recording_set (&self->recording->kernel, fields[1]);
    g_hash_table_remove_all (self->sections);
    self->now = NULL;
    return found;
}

/* Time of day of the line; @used: (out): how many words it takes */
static gboolean
line_clock (char **fields, guint n, int *seconds, guint *used)
{
    const char *rest;
    if (!rf_import_clock (fields[0], seconds, &rest) || *rest != '\0')
        return FALSE;
    *used = 1;
    if (n > 1 && (g_str_equal (fields[1], "AM") || g_str_equal (fields[1], "PM"))) {
        int hour = *seconds / 3600;
        if (hour < 1 || hour > 12)
            return FALSE;
        *seconds += (hour == 12 ? -12 : 0) * 3600 + (g_str_equal (fields[1], "PM") ? HALF_DAY_S : 0);
        *used = 2;
    }
    return n > *used;
}

/* Across midnight the day is the next. @section: (nullable) */
static gint64
on_day (Reader *self, Section *section, int seconds)
{
    if (section != NULL) {
        if (section->last_s >= 0 && seconds < section->last_s - HALF_DAY_S && section->days < DAYS_MAX)
            section->days++;
        section->last_s = seconds;
    }
    gint64 us = rf_import_local (self->zone, self->year, self->month, self->day, seconds);
    return us != 0 && section != NULL ? us + section->days * DAY_S * G_USEC_PER_SEC : us;
}

static gboolean
take_line (Reader *self, char **fields, guint n)
{
    int seconds;
    guint used = 0;
    double number;
    gboolean comma;
    if (!line_clock (fields, n, &seconds, &used))
        /* "Average:", "Durchschn.:", "Summary:" */
        return n > 1 && g_str_has_suffix (fields[0], ":");
    fields += used;
    n -= used;
    if (n >= 2 && g_str_equal (fields[0], "LINUX") && g_str_equal (fields[1], "RESTART")) {
        gint64 us = on_day (self, self->now, seconds);
        if (us != 0)
            take_restart (self, us);
        return us != 0;
    }
    if (g_str_equal (fields[0], "COM"))
        return TRUE;
    if (!rf_import_number (fields[n - 1], &comma, &number))
        return take_header (self, fields, n);
    if (self->now == NULL)
        return FALSE;
    gint64 us = on_day (self, self->now, seconds);
    return us != 0 && take_row (self, us, NAN, fields, n);
}

gboolean
rf_import_sar (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error)
{
    char *fields[RF_IMPORT_FIELDS_MAX];
    g_auto (Reader) reader = {0};
    char *line;
    reader_init (&reader, text, options, recording);
    while ((line = rf_import_text_next (text)) != NULL) {
        guint n = rf_import_words (line, fields);
        if (n > 2 && g_str_equal (fields[0], "Linux")) {
            if (take_banner (&reader, fields, n))
                continue;
            g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID,
                                 _ ("The date in its first line was not understood."));
            return FALSE;
        }
        if (n > 0 && reader.year != 0 && take_line (&reader, fields, n))
            rf_import_text_good (text);
        else
            rf_import_text_bad (text);
    }
    if (!finish (&reader, error))
        return FALSE;
    rf_import_warn (rf_import_text_warnings (text), _ ("Its clock was taken as the local time of this machine."));
    return TRUE;
}

/* "host;600;2026-12-01 00:10:01 UTC;…", or seconds since 1970 there */
static gboolean
take_fields (Reader *self, char **fields, guint n)
{
    gint64 us;
    double interval;
    gboolean comma;
    if (n < 4 || (!rf_import_epoch (fields[2], &us) && !rf_import_date_time (fields[2], self->zone, &us)))
        return FALSE;
    if (g_str_has_prefix (fields[3], "LINUX-RESTART")) {
        take_restart (self, us);
        return TRUE;
    }
    if (g_str_has_prefix (fields[3], "COM"))
        return TRUE;
    if (self->now == NULL || !rf_import_number (fields[1], &comma, &interval))
        return FALSE;
    return take_row (self, us, interval > 0 ? interval : NAN, fields + 3, n - 3);
}

gboolean
rf_import_sadf (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error)
{
    char *fields[RF_IMPORT_FIELDS_MAX];
    g_auto (Reader) reader = {0};
    char *line;
    reader_init (&reader, text, options, recording);
    while ((line = rf_import_text_next (text)) != NULL) {
        guint n = rf_import_split (line, ';', fields);
        gboolean header = line[0] == '#';
        if (header ? n > 3 && g_str_equal (fields[2], "timestamp") && take_header (&reader, fields + 3, n - 3)
                   : take_fields (&reader, fields, n))
            rf_import_text_good (text);
        else
            rf_import_text_bad (text);
    }
    return finish (&reader, error);
}
