#define G_LOG_DOMAIN "rf-sample-line"
#include "config.h"

#include "rf-sample-line.h"

#include <math.h>
#include <string.h>

#include "rf-error.h"
#include "rf-line.h"
#include "rf-text.h"

/* longest number with its comma; "-2.22507386e-308," */
#define FIELD_MAX 24
#define NAME_MAX_BYTES 128

static const struct {
    const char *name;
    gsize offset;
} disk_columns[] = {
    {"read_iops", G_STRUCT_OFFSET (RfDiskSample, read_iops)},
    {"write_iops", G_STRUCT_OFFSET (RfDiskSample, write_iops)},
    {"read_bytes_per_s", G_STRUCT_OFFSET (RfDiskSample, read_bytes_per_s)},
    {"write_bytes_per_s", G_STRUCT_OFFSET (RfDiskSample, write_bytes_per_s)},
    {"read_latency_ms", G_STRUCT_OFFSET (RfDiskSample, read_latency_ms)},
    {"write_latency_ms", G_STRUCT_OFFSET (RfDiskSample, write_latency_ms)},
    {"utilisation", G_STRUCT_OFFSET (RfDiskSample, utilisation)},
    {"in_flight", G_STRUCT_OFFSET (RfDiskSample, in_flight)},
};

static const struct {
    const char *name;
    gsize offset;
} cost_columns[] = {
    {"own_cpu_us", G_STRUCT_OFFSET (RfSampleCost, cpu_us)},
    {"own_minor_faults", G_STRUCT_OFFSET (RfSampleCost, minor_faults)},
    {"own_major_faults", G_STRUCT_OFFSET (RfSampleCost, major_faults)},
    {"own_reclaims", G_STRUCT_OFFSET (RfSampleCost, reclaims)},
    {"late_us", G_STRUCT_OFFSET (RfSampleCost, late_us)},
    {"dropped", G_STRUCT_OFFSET (RfSampleCost, dropped)},
};

gboolean
rf_sample_line_may_name (const char *disk)
{
    for (const char *p = disk; *p != '\0'; p++)
        if (!g_ascii_isgraph (*p) || strchr (",\"", *p) != NULL)
            return FALSE;
    return disk[0] != '\0';
}

char **
rf_sample_line_disks (const RfSample *sample)
{
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    for (guint i = 0; i < sample->disks->len && names->len < RF_SAMPLE_DISKS_MAX; i++) {
        const char *name = g_array_index (sample->disks, RfDiskSample, i).name;
        if (rf_sample_line_may_name (name))
            g_ptr_array_add (names, g_strdup (name));
    }
    g_ptr_array_add (names, NULL);
    return (char **)g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

char *
rf_sample_line_header (const char *const *disks)
{
    g_autoptr (GString) out = g_string_new ("time_ns,interval_s");
    for (guint i = 0; i < RF_N_COLUMNS; i++)
        g_string_append_printf (out, ",%s", rf_column_info (i)->name);
    for (const char *const *disk = disks; *disk != NULL; disk++)
        for (guint i = 0; i < G_N_ELEMENTS (disk_columns); i++)
            g_string_append_printf (out, ",%s.%s", *disk, disk_columns[i].name);
    for (guint i = 0; i < G_N_ELEMENTS (cost_columns); i++)
        g_string_append_printf (out, ",%s", cost_columns[i].name);
    g_string_append_c (out, '\n');
    return g_string_free (g_steal_pointer (&out), FALSE);
}

gsize
rf_sample_line_max (guint n_disks)
{
    return (2 + RF_N_COLUMNS + n_disks * G_N_ELEMENTS (disk_columns) + G_N_ELEMENTS (cost_columns)) * FIELD_MAX + 2;
}

static void
put_disk (RfLine *line, const RfSample *sample, const char *name)
{
    const RfDiskSample *disk = NULL;
    for (guint i = 0; i < sample->disks->len && disk == NULL; i++) {
        const RfDiskSample *one = &g_array_index (sample->disks, RfDiskSample, i);
        if (g_str_equal (one->name, name))
            disk = one;
    }
    for (guint i = 0; i < G_N_ELEMENTS (disk_columns); i++)
        rf_line_number (line, disk != NULL ? G_STRUCT_MEMBER (double, disk, disk_columns[i].offset) : NAN);
}

gsize
rf_sample_line_format (const RfSample *sample, gint64 time_ns, const char *const *disks, const RfSampleCost *cost,
                       char *buffer, gsize size)
{
    RfLine line;
    rf_line_start (&line, buffer, size);
    rf_line_integer (&line, time_ns);
    rf_line_number (&line, sample->interval_s);
    for (guint i = 0; i < RF_N_COLUMNS; i++)
        rf_line_number (&line, sample->value[i]);
    for (const char *const *disk = disks; *disk != NULL; disk++)
        put_disk (&line, sample, *disk);
    for (guint i = 0; i < G_N_ELEMENTS (cost_columns); i++) {
        gint64 value = cost != NULL ? G_STRUCT_MEMBER (gint64, cost, cost_columns[i].offset) : -1;
        if (value >= 0)
            rf_line_integer (&line, value);
        else
            rf_line_empty (&line);
    }
    return rf_line_end (&line);
}

char **
rf_sample_header_parse (const char *line, gsize length, GError **error)
{
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
    const char *cursor = line, *end = line + length;
    char name[NAME_MAX_BYTES];
    gboolean sound = rf_line_next (&cursor, end, name, sizeof name) && g_str_equal (name, "time_ns");
    while (sound && cursor != NULL) {
        sound = rf_line_next (&cursor, end, name, sizeof name) && name[0] != '\0' && !g_str_equal (name, "time_ns")
                && names->len < RF_SAMPLE_COLUMNS_MAX;
        g_ptr_array_add (names, g_strdup (name));
        sound = sound && g_hash_table_add (seen, g_ptr_array_index (names, names->len - 1));
    }
    if (!sound || names->len == 0) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "this is no header of a table of samples");
        return NULL;
    }
    g_ptr_array_add (names, NULL);
    return (char **)g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

gboolean
rf_sample_line_parse (const char *line, gsize length, guint n_columns, gint64 *time_ns, double *values)
{
    const char *end = line + length, *comma = memchr (line, ',', length);
    char digits[FIELD_MAX];
    if (comma == NULL || (gsize)(comma - line) >= sizeof digits)
        return FALSE;
    memcpy (digits, line, (gsize)(comma - line));
    digits[comma - line] = '\0';
    gint64 time;
    if (!rf_text_to_int64 (digits, &time) || time < 0)
        return FALSE;
    const char *p = comma + 1;
    for (guint i = 0; i < n_columns; i++) {
        const char *stop = memchr (p, ',', (gsize)(end - p));
        if ((stop == NULL) != (i + 1 == n_columns))
            return FALSE;
        if (stop == NULL)
            stop = end;
        values[i] = NAN;
        if (stop > p && !rf_line_to_number (p, (gsize)(stop - p), &values[i]))
            return FALSE;
        p = stop + 1;
    }
    *time_ns = time;
    return n_columns > 0;
}

static const char *const results[] = {
    [RF_SAMPLE_AGREES] = "agrees",
    [RF_SAMPLE_DIFFERS] = "differs",
    [RF_SAMPLE_TOO_FEW] = "too-few",
};

gsize
rf_sample_comment_format (const RfSampleComment *self, char *buffer, gsize size)
{
    int length = 0;
    switch (self->kind) {
    case RF_SAMPLE_ANCHOR:
        length = g_snprintf (buffer, size, "# anchor %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", self->from_ns,
                             self->wall_us);
        break;
    case RF_SAMPLE_GAP:
        length = g_snprintf (buffer, size, "# gap %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s\n", self->from_ns,
                             self->to_ns, self->word);
        break;
    case RF_SAMPLE_END:
        length = g_snprintf (buffer, size, "# end %s\n", self->word);
        break;
    case RF_SAMPLE_CHECK:
        length = g_snprintf (buffer, size,
                             "# self-check %s traced %" G_GUINT64_FORMAT " counted %" G_GUINT64_FORMAT " %s\n",
                             self->word, self->found, self->expected, results[self->result]);
        break;
    case RF_SAMPLE_VERDICT:
    default:
        length = g_snprintf (buffer, size, "# self-check verdict %s\n", self->trusted ? "trusted" : "not-trusted");
    }
    return length > 0 && (gsize)length < size ? (gsize)length : 0;
}

/* The next word behind exactly one blank; plain letters, digits and what names of disks have. */
static gboolean
next_word (const char **cursor, const char *end, char *out, gsize size)
{
    const char *p = *cursor;
    gsize length = 0;
    if (p >= end || *p != ' ')
        return FALSE;
    for (p++; p < end && *p != ' '; p++) {
        if (!(g_ascii_isalnum (*p) || strchr ("-_.:!/", *p) != NULL) || *p == '\0' || length + 1 >= size)
            return FALSE;
        out[length++] = *p;
    }
    out[length] = '\0';
    *cursor = p;
    return length > 0;
}

static gboolean
next_is (const char **cursor, const char *end, const char *expected)
{
    char word[64];
    return next_word (cursor, end, word, sizeof word) && g_str_equal (word, expected);
}

static gboolean
next_time (const char **cursor, const char *end, gint64 *out)
{
    char word[FIELD_MAX];
    return next_word (cursor, end, word, sizeof word) && rf_text_to_int64 (word, out) && *out >= 0;
}

static gboolean
next_count (const char **cursor, const char *end, guint64 *out)
{
    char word[FIELD_MAX];
    return next_word (cursor, end, word, sizeof word) && rf_text_to_uint64 (word, out);
}

static gboolean
parse_check (const char **cursor, const char *end, RfSampleComment *comment)
{
    char word[16];
    if (!next_word (cursor, end, comment->word, sizeof comment->word))
        return FALSE;
    if (g_str_equal (comment->word, "verdict")) {
        comment->kind = RF_SAMPLE_VERDICT;
        if (!next_word (cursor, end, word, sizeof word))
            return FALSE;
        comment->trusted = g_str_equal (word, "trusted");
        return comment->trusted || g_str_equal (word, "not-trusted");
    }
    comment->kind = RF_SAMPLE_CHECK;
    if (!next_is (cursor, end, "traced") || !next_count (cursor, end, &comment->found)
        || !next_is (cursor, end, "counted") || !next_count (cursor, end, &comment->expected)
        || !next_word (cursor, end, word, sizeof word))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS (results); i++) {
        comment->result = i;
        if (g_str_equal (word, results[i]))
            return TRUE;
    }
    return FALSE;
}

gboolean
rf_sample_comment_parse (const char *line, gsize length, RfSampleComment *out)
{
    RfSampleComment comment = {0};
    const char *cursor = line + 1, *end = line + length;
    char kind[16];
    if (length == 0 || line[0] != '#' || !next_word (&cursor, end, kind, sizeof kind))
        return FALSE;
    gboolean sound = FALSE;
    if (g_str_equal (kind, "anchor")) {
        comment.kind = RF_SAMPLE_ANCHOR;
        sound = next_time (&cursor, end, &comment.from_ns) && next_time (&cursor, end, &comment.wall_us);
    } else if (g_str_equal (kind, "gap")) {
        comment.kind = RF_SAMPLE_GAP;
        sound = next_time (&cursor, end, &comment.from_ns) && next_time (&cursor, end, &comment.to_ns)
                && comment.from_ns <= comment.to_ns && next_word (&cursor, end, comment.word, sizeof comment.word);
    } else if (g_str_equal (kind, "end")) {
        comment.kind = RF_SAMPLE_END;
        sound = next_word (&cursor, end, comment.word, sizeof comment.word);
    } else if (g_str_equal (kind, "self-check")) {
        sound = parse_check (&cursor, end, &comment);
    }
    if (!sound || cursor != end)
        return FALSE;
    *out = comment;
    return TRUE;
}
