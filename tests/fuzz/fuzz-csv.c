#include "rf-fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rf-csv.h"
#include "rf-event-file.h"
#include "rf-table-file.h"

static int
hold (const char *data, gsize size)
{
    int fd = memfd_create ("fuzz-csv", MFD_CLOEXEC);
    g_assert_cmpint (fd, >=, 0);
    g_assert_true (rf_fd_write_all (fd, data, size, NULL));
    (void)lseek (fd, 0, SEEK_SET);
    return fd;
}

static void
read_lines (int fd)
{
    g_autoptr (RfCsv) csv = rf_csv_new (fd, ',');
    rf_csv_set_keep_last (csv, TRUE);
    RfCsvKind kind;
    while ((kind = rf_csv_next (csv, NULL)) != RF_CSV_END) {
        guint n = 0;
        const RfCsvField *fields = rf_csv_fields (csv, &n);
        g_assert_cmpint (kind, !=, RF_CSV_FAILED);
        g_assert_true ((kind == RF_CSV_DAMAGED) == (n == 0));
        for (guint i = 0; i < n; i++)
            g_assert_cmpuint (strlen (fields[i].text), ==, fields[i].length);
    }
    (void)lseek (fd, 0, SEEK_SET);
}

/* what was accepted as a table can be written, is accepted again, and is the same */
RF_FUZZ (data, size)
{
    int fd = hold (data, size);
    read_lines (fd);
    g_autoptr (RfTableNotes) notes = rf_table_notes_new ();
    g_autoptr (RfTable) table = rf_table_read (fd, "samples", notes, NULL);
    if (table != NULL) {
        int written = hold ("", 0);
        g_assert_true (rf_table_write (table, notes->gaps, written, NULL));
        (void)lseek (written, 0, SEEK_SET);
        g_autoptr (RfTableNotes) again = rf_table_notes_new ();
        g_autoptr (RfTable) same = rf_table_read (written, "samples", again, NULL);
        g_assert_nonnull (same);
        g_assert_cmpuint (rf_table_n_rows (same), ==, rf_table_n_rows (table));
        g_assert_cmpuint (rf_table_n_columns (same), ==, rf_table_n_columns (table));
        g_assert_cmpuint (again->gaps->len, ==, notes->gaps->len);
        g_assert_true (again->damaged == 0 && !again->torn);
        close (written);
    }
    (void)lseek (fd, 0, SEEK_SET);
    g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (RfEvent));
    if (rf_events_read (fd, events, notes, NULL)) {
        int written = hold ("", 0);
        g_assert_true (rf_events_write (events, written, NULL));
        (void)lseek (written, 0, SEEK_SET);
        g_autoptr (GArray) same = g_array_new (FALSE, FALSE, sizeof (RfEvent));
        g_autoptr (RfTableNotes) again = rf_table_notes_new ();
        g_assert_true (rf_events_read (written, same, again, NULL));
        g_assert_cmpuint (same->len, ==, events->len);
        g_assert_true (again->damaged == 0 && !again->torn);
        close (written);
    }
    close (fd);
}
