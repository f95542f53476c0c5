#include "config.h"

#include "rf-event.h"

#include <math.h>
#include <string.h>

#include "rf-line.h"

static void
assert_line (const RfEvent *event, const char *expected)
{
    char line[RF_EVENT_LINE_MAX];
    gsize length = rf_event_format (event, line, sizeof line);
    g_assert_cmpstr (line, ==, expected);
    g_assert_cmpuint (length, ==, strlen (expected));
    RfEvent again;
    g_assert_true (rf_event_parse (line, length - 1, &again));
    g_assert_cmpint (again.time_ns, ==, event->time_ns);
    g_assert_cmpint (again.duration_ns, ==, event->duration_ns);
    g_assert_cmpint (again.kind, ==, event->kind);
    g_assert_cmpint (again.pid, ==, event->pid);
    g_assert_cmpint (again.tid, ==, event->tid);
    g_assert_cmpstr (again.process, ==, event->process);
    g_assert_cmpstr (again.subject, ==, event->subject);
    g_assert_true (isnan (event->amount) ? isnan (again.amount) : again.amount == event->amount);
}

static void
there_and_back (void)
{
    RfEvent event = {.time_ns = 81234567890, .duration_ns = 18390211, .kind = RF_EVENT_RECLAIM, .pid = 812, .tid = 815};
    event.amount = 256;
    g_strlcpy (event.process, "X-Plane", sizeof event.process);
    g_strlcpy (event.subject, "order 0", sizeof event.subject);
    assert_line (&event, "81234567890,reclaim,18390211,812,815,X-Plane,order 0,256\n");
    /* what is not known is empty, never 0 */
    event = (RfEvent){.time_ns = G_MAXINT64, .kind = RF_EVENT_MARK, .amount = NAN};
    assert_line (&event, "9223372036854775807,mark,0,,,,,\n");
    g_strlcpy (event.process, "a,b \"c\"", sizeof event.process);
    event.amount = -0.25;
    assert_line (&event, "9223372036854775807,mark,0,,,\"a,b \"\"c\"\"\",,-0.25\n");
    event.amount = 9007199254740991.0;
    g_strlcpy (event.process, "Größe", sizeof event.process);
    assert_line (&event, "9223372036854775807,mark,0,,,Größe,,9007199254740991\n");
}

static void
kinds (void)
{
    for (guint i = 0; i < RF_N_EVENTS; i++) {
        RfEventKind kind = RF_N_EVENTS;
        g_assert_true (rf_event_kind_from_nick (rf_event_kind_nick (i), &kind));
        g_assert_cmpint (kind, ==, i);
    }
    RfEventKind kind = RF_EVENT_TILE;
    g_assert_false (rf_event_kind_from_nick ("", &kind));
    g_assert_cmpint (kind, ==, RF_EVENT_TILE);
}

static void
names (void)
{
    char out[64];
    rf_event_set_text (out, sizeof out, "kworker/0:1", 11);
    g_assert_cmpstr (out, ==, "kworker/0:1");
    rf_event_set_text (out, sizeof out, "a\nb\0\x1b\xff\x7f", 7);
    g_assert_cmpstr (out, ==, "a\\x0ab\\x00\\x1b\\xff\\x7f");
    rf_event_set_text (out, sizeof out, "", 0);
    g_assert_cmpstr (out, ==, "");
    /* a name of the kernel, 15 bytes, always fits, and nothing is cut within a character or an escape */
    rf_event_set_text (out, sizeof out, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f", 15);
    g_assert_cmpuint (strlen (out), ==, 60);
    rf_event_set_text (out, 4, "aß߀", 8);
    g_assert_cmpstr (out, ==, "aß");
    rf_event_set_text (out, 5, "a\xff\xff", 3);
    g_assert_cmpstr (out, ==, "a");
    rf_event_set_text (out, 6, "a\xff\xff", 3);
    g_assert_cmpstr (out, ==, "a\\xff");
}

static void
refused (void)
{
    static const char *const lines[] = {
        "",
        RF_EVENT_HEADER,
        "1,reclaim,2,3,4,p,s",
        "1,reclaim,2,3,4,p,s,5,6",
        "1,reclaim,2,3,4,p,s,5\n",
        "1,reclaim,2,3,4,p,s,5\r",
        " 1,reclaim,2,3,4,p,s,5",
        "-1,reclaim,2,3,4,p,s,5",
        "1,Reclaim,2,3,4,p,s,5",
        "1,,2,3,4,p,s,5",
        "1,reclaim,-2,3,4,p,s,5",
        "1,reclaim,,3,4,p,s,5",
        "1,reclaim,2,0,4,p,s,5",
        "1,reclaim,2,3,2147483648,p,s,5",
        "1,reclaim,2,3,4,p,s,nan",
        "1,reclaim,2,3,4,p,s,1e999",
        "1,reclaim,2,3,4,p,s,0x10",
        "1,reclaim,2,3,4,p,s,1,",
        "1,reclaim,2,3,4,p\"q,s,5",
        "1,reclaim,2,3,4,\"p\"q,s,5",
        "1,reclaim,2,3,4,\"p,s,5",
        "1,reclaim,2,3,4,\xff,s,5",
        "1,reclaim,2,3,4,a\tb,s,5",
        "9223372036854775808,reclaim,2,3,4,p,s,5",
        /* 64 bytes of a name */
        "1,reclaim,2,3,4,0123456789012345678901234567890123456789012345678901234567890123,s,5",
    };
    for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
        RfEvent event = {.time_ns = 77};
        g_test_message ("%s", lines[i]);
        g_assert_false (rf_event_parse (lines[i], strlen (lines[i]), &event));
        g_assert_cmpint (event.time_ns, ==, 77);
    }
    RfEvent event;
    g_assert_false (rf_event_parse ("1,reclaim,2,3,4,p\0,s,5", 22, &event));
}

static void
full (void)
{
    RfEvent event = {.time_ns = G_MAXINT64, .duration_ns = G_MAXINT64, .kind = RF_EVENT_IO_HISTOGRAM};
    event.pid = event.tid = G_MAXINT32;
    event.amount = -1.23456789012e-300;
    memset (event.process, '"', sizeof event.process - 1);
    memset (event.subject, '\n', sizeof event.subject - 1);
    char line[RF_EVENT_LINE_MAX];
    g_assert_cmpuint (rf_event_format (&event, line, sizeof line), >, 500);
    g_assert_cmpuint (rf_event_format (&event, line, 100), ==, 0);
}

static void
numbers (void)
{
    static const struct {
        const char *text;
        double value;
    } table[] = {
        {"0", 0},
        {"-0.5", -0.5},
        {"0.1", 0.1},
        {"1e3", 1000},
        {"1.5e-07", 1.5e-07},
        {"123456789.123456789", 123456789.123456789},
        {"1e+300", 1e+300},
        {"2.5e-310", 2.5e-310},
        {"9007199254740993", 9007199254740992.0},
        {"007", 7},
        {"0.30000000000000004", 0.30000000000000004},
    };
    static const char *const wrong[] = {"",
                                        "-",
                                        "+1",
                                        ".5",
                                        "5.",
                                        "1e",
                                        "1e+",
                                        "1e1000",
                                        "inf",
                                        "nan",
                                        "0x1",
                                        " 1",
                                        "1 ",
                                        "1,5",
                                        "--1",
                                        "1e5.5",
                                        "1.2.3",
                                        "1E5",
                                        "1e99999",
                                        "123456789012345678901x",
                                        "1234567890123456789012345678901234567890"};
    for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
        double value = NAN;
        g_test_message ("%s", table[i].text);
        g_assert_true (rf_line_to_number (table[i].text, strlen (table[i].text), &value));
        g_assert_true (value == table[i].value);
    }
    for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
        double value = 77;
        g_test_message ("%s", wrong[i]);
        g_assert_false (rf_line_to_number (wrong[i], strlen (wrong[i]), &value));
        g_assert_true (value == 77);
    }
}

/* The short way of reading a number against the long one of GLib. */
static void
same_as_glib (void)
{
    g_autoptr (GRand) rand = g_rand_new_with_seed (5);
    for (guint i = 0; i < 20000; i++) {
        char text[48];
        double value = NAN, number = g_rand_double_range (rand, -1, 1) * pow (10, g_rand_int_range (rand, -25, 25));
        g_ascii_formatd (text, sizeof text, i % 2 == 0 ? "%.9g" : "%.17g", number);
        g_assert_true (rf_line_to_number (text, strlen (text), &value));
        g_assert_true (value == g_ascii_strtod (text, NULL));
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/event/there-and-back", there_and_back);
    g_test_add_func ("/event/kinds", kinds);
    g_test_add_func ("/event/names", names);
    g_test_add_func ("/event/refused", refused);
    g_test_add_func ("/event/full", full);
    g_test_add_func ("/line/numbers", numbers);
    g_test_add_func ("/line/same-as-glib", same_as_glib);
    return g_test_run ();
}
