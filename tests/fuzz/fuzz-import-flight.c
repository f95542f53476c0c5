#include "rf-fuzz-import.h"

#include "rf-import-flight.h"

#include <string.h>

static void
add (RfFlight *flight, const char *file, const char *text, gsize length)
{
    g_autoptr (GError) error = NULL;
    if (!rf_flight_add (flight, file, text, length, &error))
        g_assert_nonnull (error);
}

/* The files one behind the other, each led in by a line "=N", N the place in rf_flight_files */
RF_FUZZ (data, size)
{
    g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (RfRecording) recording = rf_recording_new ();
    g_autoptr (RfFlight) flight = rf_flight_new (recording, warnings);
    g_autoptr (GError) error = NULL;
    const char *end = data + size;
    gboolean seen[8] = {FALSE};
    while (data < end) {
        const char *line = memchr (data, '\n', (gsize)(end - data));
        if (line == NULL || line - data != 2 || data[0] != '=' || data[1] < '0' || data[1] > '7')
            break;
        guint file = (guint)(data[1] - '0');
        data = line + 1;
        const char *next = data;
        while (next < end && !(*next == '=' && next[-1] == '\n'))
            next++;
        if (!seen[file])
            add (flight, rf_flight_files[file], data, (gsize)(next - data));
        seen[file] = TRUE;
        data = next;
    }
    if (rf_flight_finish (flight, &error))
        rf_fuzz_check_recording (recording);
    else
        g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
}
