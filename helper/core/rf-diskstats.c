#define G_LOG_DOMAIN "rf-diskstats"
#include "config.h"

#include "rf-diskstats.h"

#include <string.h>

#include "rf-text.h"

static const gsize columns[] = {
    G_STRUCT_OFFSET (RfDiskRow, reads),         G_STRUCT_OFFSET (RfDiskRow, reads_merged),
    G_STRUCT_OFFSET (RfDiskRow, read_sectors),  G_STRUCT_OFFSET (RfDiskRow, read_ms),
    G_STRUCT_OFFSET (RfDiskRow, writes),        G_STRUCT_OFFSET (RfDiskRow, writes_merged),
    G_STRUCT_OFFSET (RfDiskRow, write_sectors), G_STRUCT_OFFSET (RfDiskRow, write_ms),
    G_STRUCT_OFFSET (RfDiskRow, in_flight),     G_STRUCT_OFFSET (RfDiskRow, io_ms),
    G_STRUCT_OFFSET (RfDiskRow, weighted_ms),
};

static const gsize later_columns[] = {
    G_STRUCT_OFFSET (RfDiskRow, discards),        G_STRUCT_OFFSET (RfDiskRow, discards_merged),
    G_STRUCT_OFFSET (RfDiskRow, discard_sectors), G_STRUCT_OFFSET (RfDiskRow, discard_ms),
    G_STRUCT_OFFSET (RfDiskRow, flushes),         G_STRUCT_OFFSET (RfDiskRow, flush_ms),
};

/* moves @p over digits; FALSE if there is none */
static gboolean
skip_digits (const char **p)
{
    const char *start = *p;
    while (g_ascii_isdigit (**p))
        (*p)++;
    return *p > start;
}

static gboolean
is_numbered (const char *name, const char *stem)
{
    gsize length = strlen (stem);
    const char *p = name + length;
    return strncmp (name, stem, length) == 0 && skip_digits (&p) && *p == '\0';
}

gboolean
rf_disk_name_to_head (const char *name, char head[32])
{
    if (strncmp (name, "nvme", 4) != 0 || strlen (name) >= 32)
        return FALSE;
    const char *p = name + 4;
    if (!skip_digits (&p) || *p != 'c')
        return FALSE;
    const char *subsystem_end = p++;
    if (!skip_digits (&p) || *p != 'n')
        return FALSE;
    const char *namespace_start = p++;
    if (!skip_digits (&p) || *p != '\0')
        return FALSE;
    gsize prefix = (gsize)(subsystem_end - name);
    memcpy (head, name, prefix);
    g_strlcpy (head + prefix, namespace_start, 32 - prefix);
    return TRUE;
}

gboolean
rf_disk_name_is_partition_of (const char *name, const char *disk)
{
    gsize length = strlen (disk);
    if (length == 0 || strncmp (name, disk, length) != 0)
        return FALSE;
    const char *p = name + length;
    if (g_ascii_isdigit (disk[length - 1]) && *p++ != 'p')
        return FALSE;
    return skip_digits (&p) && *p == '\0';
}

/* @disk: the last row that was no partition; the kernel lists the partitions right behind their disk */
static RfDiskRowKind
classify (RfDiskRow *row, const char *disk)
{
    if (rf_disk_name_to_head (row->name, row->head))
        return RF_DISK_ROW_PATH;
    if (is_numbered (row->name, "zram"))
        return RF_DISK_ROW_ZRAM;
    if (is_numbered (row->name, "loop"))
        return RF_DISK_ROW_LOOP;
    if (is_numbered (row->name, "ram"))
        return RF_DISK_ROW_RAM;
    return rf_disk_name_is_partition_of (row->name, disk) ? RF_DISK_ROW_PARTITION : RF_DISK_ROW_WHOLE;
}

/* a column is a number with a blank or the end of the line behind it */
static gboolean
scan_column (const char **cursor, const char *end, guint64 *out)
{
    return rf_text_scan_uint64 (cursor, end, out) && (*cursor == end || **cursor == ' ' || **cursor == '\t');
}

static gboolean
parse_row (const char *cursor, const char *end, RfDiskRow *row)
{
    guint64 major, minor;
    const char *name;
    gsize length;
    if (!scan_column (&cursor, end, &major) || !scan_column (&cursor, end, &minor) || major > G_MAXUINT
        || minor > G_MAXUINT || !rf_text_next_word (&cursor, end, &name, &length) || length >= sizeof row->name
        || memchr (name, '\0', length) != NULL)
        return FALSE;
    memset (row, 0, sizeof *row);
    row->major = (guint)major;
    row->minor = (guint)minor;
    memcpy (row->name, name, length);
    for (gsize i = 0; i < G_N_ELEMENTS (columns); i++)
        if (!scan_column (&cursor, end, &G_STRUCT_MEMBER (guint64, row, columns[i])))
            return FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS (later_columns); i++) {
        guint64 value;
        gboolean more = cursor < end;
        gboolean good = more && scan_column (&cursor, end, &value);
        G_STRUCT_MEMBER (RfCounter, row, later_columns[i])
            = good ? RF_COUNTER (value) : RF_COUNTER_MISSING (more ? RF_AVAIL_MALFORMED : RF_AVAIL_NO_FIELD);
    }
    return TRUE;
}

void
rf_diskstats_missing (RfAvail why, RfDiskstats *out)
{
    out->rows = g_array_new (FALSE, FALSE, sizeof (RfDiskRow));
    out->skipped = 0;
    out->avail = why;
}

void
rf_diskstats_parse (const char *text, gsize length, RfDiskstats *out)
{
    rf_diskstats_missing (RF_AVAIL_NO_FIELD, out);
    if (length == 0)
        return;
    const char *cursor = text, *end = text + length, *line, *line_end;
    RfDiskRow row;
    char disk[sizeof row.name] = "";
    while (rf_text_next_whole_line (&cursor, end, &line, &line_end)) {
        if (parse_row (line, line_end, &row)) {
            row.kind = classify (&row, disk);
            if (row.kind != RF_DISK_ROW_PARTITION)
                memcpy (disk, row.name, sizeof disk);
            g_array_append_val (out->rows, row);
        } else {
            out->skipped++;
        }
    }
    if (out->rows->len > 0)
        out->avail = RF_AVAIL_OK;
    else if (out->skipped > 0)
        out->avail = RF_AVAIL_MALFORMED;
}

void
rf_diskstats_read (RfSysroot *sysroot, RfDiskstats *out)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, "proc/diskstats", &length, &avail);
    if (text != NULL)
        rf_diskstats_parse (text, length, out);
    else
        rf_diskstats_missing (avail, out);
}

void
rf_diskstats_clear (RfDiskstats *self)
{
    g_clear_pointer (&self->rows, g_array_unref);
}

const RfDiskRow *
rf_diskstats_find (const RfDiskstats *self, const char *name)
{
    for (guint i = 0; self->rows != NULL && i < self->rows->len; i++) {
        const RfDiskRow *row = &g_array_index (self->rows, RfDiskRow, i);
        if (g_str_equal (row->name, name))
            return row;
    }
    return NULL;
}
