#define G_LOG_DOMAIN "rf-table-file"
#include "config.h"

#include "rf-csv.h"
#include "rf-array.h"
#include "rf-error.h"
#include "rf-table-file.h"
#include "rf-text.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define GAPS_MAX 10000
#define WRITE_AT 65536

RfTableNotes *
rf_table_notes_new (void)
{
    RfTableNotes *self = g_new0 (RfTableNotes, 1);
    self->gaps = g_array_new (FALSE, FALSE, sizeof (RfGap));
    return self;
}

void
rf_table_notes_free (RfTableNotes *self)
{
    g_array_unref (self->gaps);
    g_free (self->end_reason);
    g_free (self->self_check);
    g_free (self);
}

static void
note_gap (RfTableNotes *notes, const char *text)
{
    g_auto (GStrv) words = g_strsplit (text, " ", 3);
    RfGap gap = {0};
    if (g_strv_length (words) != 3 || !rf_csv_to_integer (words[0], strlen (words[0]), &gap.start_ns)
        || !rf_csv_to_integer (words[1], strlen (words[1]), &gap.end_ns) || gap.end_ns < gap.start_ns) {
        notes->damaged++;
        return;
    }
    g_autofree char *reason = rf_text_printable (words[2]);
    gsize length = MIN (strlen (reason), sizeof gap.reason - 1);
    const char *end = NULL;
    (void)g_utf8_validate_len (reason, length, &end);
    memcpy (gap.reason, reason, (gsize)(end - reason));
    if (notes->gaps->len >= GAPS_MAX) {
        notes->cut = TRUE;
        return;
    }
    /* almost always the last one: where the helper writes them, they come in order */
    guint at = notes->gaps->len;
    while (at > 0 && g_array_index (notes->gaps, RfGap, at - 1).start_ns > gap.start_ns)
        at--;
    g_array_insert_val (notes->gaps, at, gap);
}

static void
note_comment (RfTableNotes *notes, const char *text)
{
    if (g_str_has_prefix (text, "gap "))
        note_gap (notes, text + strlen ("gap "));
    else if (g_str_has_prefix (text, "end ")) {
        g_free (notes->end_reason);
        notes->end_reason = rf_text_printable (text + strlen ("end "));
    } else if (g_str_has_prefix (text, "self-check ")) {
        g_autofree char *before = notes->self_check;
        g_autofree char *more = rf_text_printable (text + strlen ("self-check "));
        /* a hostile file may have any number of them */
        if (before == NULL || strlen (before) < 4096)
            notes->self_check = before != NULL ? g_strconcat (before, "\n", more, NULL) : g_strdup (more);
        else
            notes->self_check = g_steal_pointer (&before);
    }
}

static RfTable *
read_header (RfCsv *csv, const char *name, RfTableNotes *notes, GError **error)
{
    RfCsvKind kind;
    while ((kind = rf_csv_next (csv, error)) == RF_CSV_COMMENT)
        note_comment (notes, rf_csv_fields (csv, &(guint) {0})[0].text);
    if (kind == RF_CSV_FAILED)
        return NULL;
    guint n = 0;
    const RfCsvField *fields = rf_csv_fields (csv, &n);
    if (kind != RF_CSV_LINE || n < 2 || !g_str_equal (fields[0].text, "time_ns")) {
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%s.csv' does not begin with a line of names", name);
        return NULL;
    }
    g_autoptr (RfTable) table = rf_table_new (name);
    g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
    for (guint i = 1; i < n; i++) {
        const char *column = fields[i].text;
        g_autofree char *shown = rf_text_printable (column);
        if (*column == '\0' || !g_str_equal (shown, column) || !g_hash_table_add (seen, (gpointer)column)) {
            g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%s.csv': column %u has no name of its own", name, i + 1);
            return NULL;
        }
        rf_table_add_column (table, column);
    }
    return g_steal_pointer (&table);
}

static gboolean
add_row (RfTable *table, const RfCsvField *fields, guint n, float *values)
{
    gint64 time_ns;
    if (n != rf_table_n_columns (table) + 1 || !rf_csv_to_integer (fields[0].text, fields[0].length, &time_ns)
        || ABS (time_ns / 2) > G_MAXINT64 / 4)
        return FALSE;
    for (guint i = 1; i < n; i++) {
        double number = NAN;
        if (fields[i].length > 0 && !rf_csv_to_number (fields[i].text, fields[i].length, &number))
            return FALSE;
        values[i - 1] = (float)number;
    }
    return rf_table_append (table, time_ns, values);
}

RfTable *
rf_table_read (int fd, const char *name, RfTableNotes *notes, GError **error)
{
    g_autoptr (RfCsv) csv = rf_csv_new (fd, ',');
    g_autoptr (RfTable) table = read_header (csv, name, notes, error);
    if (table == NULL)
        return NULL;
    const gsize rows_max = RF_TABLE_VALUES_MAX / (rf_table_n_columns (table) + 2);
    g_autofree float *values = rf_new0 (float, rf_table_n_columns (table));
    while (TRUE) {
        RfCsvKind kind = rf_csv_next (csv, error);
        guint n = 0;
        const RfCsvField *fields = rf_csv_fields (csv, &n);
        if (kind == RF_CSV_FAILED)
            return NULL;
        if (kind == RF_CSV_END)
            break;
        if (kind == RF_CSV_COMMENT)
            note_comment (notes, fields[0].text);
        else if (rf_table_n_rows (table) >= rows_max)
            notes->cut = TRUE;
        else if (kind == RF_CSV_DAMAGED || !add_row (table, fields, n, values))
            notes->damaged++;
        if (notes->cut)
            break;
    }
    notes->torn = notes->torn || rf_csv_is_torn (csv);
    return g_steal_pointer (&table);
}

gboolean
rf_fd_write_all (int fd, const char *bytes, gsize length, GError **error)
{
    while (length > 0) {
        gssize done = write (fd, bytes, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            int code = errno;
            gboolean full = code == ENOSPC || code == EDQUOT || code == EFBIG;
            g_set_error (error, RF_ERROR, full ? RF_ERROR_LIMIT : (gint)rf_error_from_errno (code), "writing: %s",
                         g_strerror (code));
            return FALSE;
        }
        bytes += done;
        length -= (gsize)done;
    }
    return TRUE;
}

static gboolean
flush (GString *text, gsize above, int fd, GError **error)
{
    if (text->len <= above)
        return TRUE;
    gboolean ok = rf_fd_write_all (fd, text->str, text->len, error);
    g_string_truncate (text, 0);
    return ok;
}

gboolean
rf_table_write (const RfTable *self, const GArray *gaps, int fd, GError **error)
{
    g_autoptr (GString) text = g_string_new ("time_ns");
    const guint columns = rf_table_n_columns (self), n_gaps = gaps != NULL ? gaps->len : 0;
    const gsize rows = rf_table_n_rows (self);
    for (guint i = 0; i < columns; i++) {
        g_string_append_c (text, ',');
        rf_csv_append_text (text, rf_table_column_name (self, i));
    }
    g_string_append_c (text, '\n');
    guint gap = 0;
    for (gsize row = 0; row <= rows; row++) {
        gint64 time_ns = row < rows ? rf_table_times (self)[row] : G_MAXINT64;
        for (; gap < n_gaps && g_array_index (gaps, RfGap, gap).start_ns < time_ns; gap++) {
            const RfGap *it = &g_array_index (gaps, RfGap, gap);
            g_string_append_printf (text, "# gap %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s\n", it->start_ns,
                                    it->end_ns, it->reason);
        }
        if (row == rows)
            break;
        g_string_append_printf (text, "%" G_GINT64_FORMAT, time_ns);
        for (guint i = 0; i < columns; i++) {
            g_string_append_c (text, ',');
            rf_csv_append_number (text, (double)rf_table_values (self, i)[row]);
        }
        g_string_append_c (text, '\n');
        if (!flush (text, WRITE_AT, fd, error))
            return FALSE;
    }
    return flush (text, 0, fd, error);
}
