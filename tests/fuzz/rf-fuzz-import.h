/* What every importer promises, whatever it is given: a recording whose times ascend, texts that are UTF-8, and
 * sentences; or an error with one. */
#pragma once

#include "rf-fuzz.h"

#include "rf-error.h"
#include "rf-import.h"

static inline void
rf_fuzz_check_recording (const RfRecording *recording)
{
    for (guint i = 0; i < recording->tables->len; i++) {
        RfTable *table = g_ptr_array_index (recording->tables, i);
        const gint64 *times = rf_table_times (table);
        g_assert_cmpuint (rf_table_n_columns (table), <=, 512);
        for (gsize row = 1; row < rf_table_n_rows (table); row++)
            g_assert_cmpint (times[row], >=, times[row - 1]);
    }
    for (guint i = 0; i < recording->events->len; i++) {
        const RfEvent *event = &g_array_index (recording->events, RfEvent, i);
        g_assert_true (g_utf8_validate (event->process, -1, NULL));
        g_assert_true (g_utf8_validate (event->subject, -1, NULL));
        g_assert_cmpint (event->duration_ns, >=, 0);
        g_assert_true (i == 0 || event->time_ns >= g_array_index (recording->events, RfEvent, i - 1).time_ns);
    }
    for (guint i = 0; i < recording->gaps->len; i++) {
        const RfGap *gap = &g_array_index (recording->gaps, RfGap, i);
        g_assert_cmpint (gap->end_ns, >=, gap->start_ns);
    }
    g_assert_true (g_utf8_validate (recording->machine, -1, NULL));
    g_assert_true (g_utf8_validate (recording->kernel, -1, NULL));
    g_assert_true (g_utf8_validate (recording->workload, -1, NULL));
}

static inline void
rf_fuzz_import (const char *data, gsize size, RfImportFormat format, GHashTable *map)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
    RfImportOptions options = {format, map, "game_2026-03-15_14-30-45.csv", zone};
    (void)rf_import_detect_text (data, size);
    g_autoptr (RfImport) import = rf_import_text (data, size, &options, &error);
    if (import == NULL) {
        g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
        g_assert_true (g_utf8_validate (error->message, -1, NULL));
        return;
    }
    rf_fuzz_check_recording (import->recording);
    for (guint i = 0; i < import->warnings->len; i++)
        g_assert_true (g_utf8_validate (g_ptr_array_index (import->warnings, i), -1, NULL));
}
