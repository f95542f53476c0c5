/* What was read is written and read again, and is the same. */
#include "rf-fuzz.h"

#include "rf-event.h"

#include <math.h>
#include <string.h>

RF_FUZZ (data, size)
{
    RfEvent event, again;
    char line[RF_EVENT_LINE_MAX];
    if (!rf_event_parse (data, size, &event)) {
        rf_event_set_text (event.subject, sizeof event.subject, data, size);
        g_assert_true (g_utf8_validate (event.subject, -1, NULL));
        return;
    }
    g_assert_true (g_utf8_validate (event.process, -1, NULL) && g_utf8_validate (event.subject, -1, NULL));
    gsize length = rf_event_format (&event, line, sizeof line);
    g_assert_cmpuint (length, >, 0);
    g_assert_true (rf_event_parse (line, length - 1, &again));
    g_assert_cmpint (again.time_ns, ==, event.time_ns);
    g_assert_cmpint (again.duration_ns, ==, event.duration_ns);
    g_assert_cmpint (again.kind, ==, event.kind);
    g_assert_cmpint (again.pid, ==, event.pid);
    g_assert_cmpint (again.tid, ==, event.tid);
    g_assert_cmpstr (again.process, ==, event.process);
    g_assert_cmpstr (again.subject, ==, event.subject);
    g_assert_true (isnan (event.amount) ? isnan (again.amount)
                                        : fabs (again.amount - event.amount) <= fabs (event.amount) * 1e-8 + 1e-300);
}
