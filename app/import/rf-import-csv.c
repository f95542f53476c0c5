/* Any table with a header: the user says which of its columns is what; columns that have a recording's names already
 * need no saying. */
#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-error.h"
#include "rf-import-private.h"
#include "rf-sample.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#define NAME_MAX_BYTES 64u

/* The clock of the table */
typedef enum {
    CLOCK_NONE,
    CLOCK_NS, /* CLOCK_MONOTONIC, as a recording's own files */
    CLOCK_US,
    CLOCK_MS,
    CLOCK_S,    /* since some start; since 1970 if it is that large */
    CLOCK_DATE, /* seconds since 1970, or a date with a time */
    CLOCK_UTC,  /* the same, UTC if no zone stands in it */
} Clock;

static Clock
clock_of (const char *name)
{
    static const struct {
        const char *name;
        Clock clock;
    } clocks[] = {
        {"time_ns", CLOCK_NS}, {"time_us", CLOCK_US}, {"time_ms", CLOCK_MS},     {"time_s", CLOCK_S},
        {"time", CLOCK_DATE},  {"date", CLOCK_DATE},  {"timestamp", CLOCK_DATE}, {"time_utc", CLOCK_UTC},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (clocks); i++)
        if (g_str_equal (clocks[i].name, name))
            return clocks[i].clock;
    return CLOCK_NONE;
}

static gboolean
is_our_name (const char *name)
{
    static const char *const others[] = {"interval_s", "frame_ms", "fps"};
    static const char *const disk[] = {"read_iops",       "write_iops",       "read_bytes_per_s", "write_bytes_per_s",
                                       "read_latency_ms", "write_latency_ms", "utilisation",      "in_flight"};
    for (int i = 0; i < RF_N_COLUMNS; i++)
        if (g_str_equal (rf_column_info ((RfColumn)i)->name, name))
            return TRUE;
    for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
        if (g_str_equal (others[i], name))
            return TRUE;
    const char *dot = g_strrstr (name, ".");
    for (gsize i = 0; dot != NULL && dot > name && i < G_N_ELEMENTS (disk); i++)
        if (g_str_equal (disk[i], dot + 1))
            return TRUE;
    return FALSE;
}

/* "free_bytes" or "free_bytes*1024". Returns: (transfer full) (nullable): the name */
static char *
parse_target (const char *target, double *scale)
{
    gboolean comma = FALSE;
    const char *star = strchr (target, '*');
    g_autofree char *name = star != NULL ? g_strndup (target, (gsize)(star - target)) : g_strdup (target);
    gsize length = strlen (name);
    *scale = 1;
    if (star != NULL && (!rf_import_number (star + 1, &comma, scale) || comma || !(fabs (*scale) > 0)))
        return NULL;
    if (length == 0 || length > NAME_MAX_BYTES
        || strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-") != length)
        return NULL;
    return g_steal_pointer (&name);
}

typedef struct {
    RfImportColumn columns[RF_IMPORT_FIELDS_MAX + 1];
    guint n;
    GPtrArray *names; /* what @columns point to */
    int time;
    Clock clock;
    gboolean frames;
} Plan;

static void
plan_clear (Plan *self)
{
    g_clear_pointer (&self->names, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

static gboolean
check_map (GHashTable *map, char **header, guint n, GError **error)
{
    GHashTableIter iter;
    gpointer from, to;
    if (map == NULL)
        return TRUE;
    g_hash_table_iter_init (&iter, map);
    while (g_hash_table_iter_next (&iter, &from, &to)) {
        double scale;
        g_autofree char *name = parse_target (to, &scale);
        if (rf_import_find (header, n, from) < 0) {
            g_set_error (error, RF_ERROR, RF_ERROR_INVALID, _ ("There is no column “%s” in it."), (const char *)from);
            return FALSE;
        }
        if (name == NULL) {
            g_set_error (error, RF_ERROR, RF_ERROR_INVALID, _ ("“%s” cannot be the name of a column."),
                         (const char *)to);
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean
make_plan (Plan *self, char **header, guint n, GHashTable *map, GPtrArray *warnings, GError **error)
{
    GString *left_out = g_string_new (NULL);
    self->names = g_ptr_array_new_with_free_func (g_free);
    self->time = -1;
    for (guint i = 0; i < n; i++) {
        const char *said = map != NULL ? g_hash_table_lookup (map, header[i]) : NULL;
        double scale = 1;
        char *name = parse_target (said != NULL ? said : header[i], &scale);
        g_ptr_array_add (self->names, name);
        Clock clock = name != NULL ? clock_of (name) : CLOCK_NONE;
        if (clock != CLOCK_NONE && self->time < 0) {
            self->time = (int)i;
            self->clock = clock;
        } else if (name != NULL && clock == CLOCK_NONE && (said != NULL || is_our_name (name))) {
            self->frames = self->frames || g_str_equal (name, "frame_ms");
            self->columns[self->n++] = (RfImportColumn){header[i], name, scale};
        } else if (left_out->len < 400) {
            char shown[40];
            rf_import_event_text (shown, sizeof shown, header[i]);
            g_string_append_printf (left_out, "%s%s", left_out->len > 0 ? ", " : "", shown);
        }
    }
    g_autofree char *names = g_string_free (left_out, FALSE);
    if (self->time < 0)
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID,
                             _ ("There is no column with the time. Say which it is: --map COLUMN=time"));
    else if (self->n == 0)
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID,
                     _ ("There is no column in it that is known. Say which is what: --map COLUMN=NAME. It has: %s."),
                     names);
    if (self->time < 0 || self->n == 0)
        return FALSE;
    if (*names != '\0')
        rf_import_warn (warnings, _ ("Columns that nobody named were left out: %s."), names);
    return TRUE;
}

/* @ns: (out): on the file's own clock; @wall: (out): whether that is since 1970 */
static gboolean
parse_time (Clock clock, const char *text, GTimeZone *zone, gint64 *ns, gboolean *wall)
{
    static const double units[] = {[CLOCK_US] = 1e3, [CLOCK_MS] = 1e6, [CLOCK_S] = 1e9};
    gint64 us;
    double number;
    gboolean comma;
    *wall = TRUE;
    if ((clock == CLOCK_S || clock >= CLOCK_DATE) && rf_import_epoch (text, &us)) {
        *ns = us * 1000;
        return TRUE;
    }
    if (clock >= CLOCK_DATE) {
        if (!rf_import_date_time (text, zone, &us))
            return FALSE;
        *ns = us * 1000;
        return TRUE;
    }
    *wall = FALSE;
    if (clock == CLOCK_NS)
        return rf_import_integer (text, ns);
    if (!rf_import_number (text, &comma, &number) || !(fabs (number * units[clock]) < 9e18))
        return FALSE;
    *ns = (gint64)(number * units[clock]);
    return TRUE;
}

gboolean
rf_import_csv (RfImportText *text, const RfImportOptions *options, RfRecording *recording, GError **error)
{
    char *fields[RF_IMPORT_FIELDS_MAX];
    GPtrArray *warnings = rf_import_text_warnings (text);
    g_auto (Plan) plan = {0};
    g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
    char *line = rf_import_text_next (text);
    char separator = rf_import_separator (line != NULL ? line : "");
    guint n = line != NULL ? rf_import_split (line, separator, fields) : 0;
    if (n < 2) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("Its first line does not name columns."));
        return FALSE;
    }
    /* the header lies in the line, which the next one may take the place of */
    g_autoptr (GPtrArray) header = g_ptr_array_new_with_free_func (g_free);
    for (guint i = 0; i < n; i++)
        g_ptr_array_add (header, g_strstrip (g_strdup (fields[i])));
    char **names = (char **)header->pdata;
    if (!check_map (options->map, names, n, error) || !make_plan (&plan, names, n, options->map, warnings, error))
        return FALSE;
    g_autoptr (RfImportSheet) sheet = rf_import_sheet_new (plan.frames ? "frames" : "samples", names, n, plan.columns);
    gint64 start_ns = 0;
    gboolean first = TRUE, any_wall = FALSE;
    while ((line = rf_import_text_next (text)) != NULL) {
        gint64 ns;
        gboolean wall;
        if (line[0] == '#')
            continue;
        guint count = rf_import_split (line, separator, fields);
        if (count != n
            || !parse_time (plan.clock, fields[plan.time], plan.clock == CLOCK_UTC ? utc : options->zone, &ns, &wall)
            || (!first && wall != any_wall) || !rf_import_sheet_fill (sheet, text, fields, count)) {
            rf_import_text_bad (text);
            continue;
        }
        if (first) {
            start_ns = plan.clock == CLOCK_NS ? 0 : ns;
            any_wall = wall;
        }
        first = FALSE;
        if (ns >= start_ns && rf_import_sheet_append (sheet, ns - start_ns))
            rf_import_text_good (text);
        else
            rf_import_text_bad (text);
    }
    if (!rf_import_text_finish (text, error))
        return FALSE;
    rf_recording_add_table (recording, g_steal_pointer (&sheet->table));
    if (any_wall)
        recording->anchor_wall_us = start_ns / 1000;
    else
        rf_import_warn (warnings, _ ("Its times do not say when it was recorded."));
    return TRUE;
}
