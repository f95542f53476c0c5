#include "config.h"

#include "rf-fake-xplane.h"
#include "rf-xplane-udp.h"
#include "rf-xplane.h"

#include <arpa/inet.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void
requests (void)
{
    guint8 bytes[RF_XPLANE_REQUEST];
    memset (bytes, 0xaa, sizeof bytes);
    rf_xplane_request (bytes, 20, 0x01020304, RF_XPLANE_FRAME);
    g_assert_cmpmem (bytes, 13, "RREF\0\x14\0\0\0\x04\x03\x02\x01", 13);
    g_assert_cmpstr ((const char *)bytes + 13, ==, "sim/operation/misc/frame_rate_period");
    for (gsize i = 13 + strlen ((const char *)bytes + 13); i < sizeof bytes; i++)
        g_assert_cmpint (bytes[i], ==, 0);
}

static gsize
put (guint8 *bytes, gsize length, guint32 number, float value)
{
    guint32 bits;
    memcpy (&bits, &value, sizeof bits);
    number = GUINT32_TO_LE (number);
    bits = GUINT32_TO_LE (bits);
    memcpy (bytes + length, &number, 4);
    memcpy (bytes + length + 4, &bits, 4);
    return length + 8;
}

static void
answers (void)
{
    guint8 bytes[RF_XPLANE_ANSWER_MAX + 8] = "RREF,";
    RfXplaneAnswer answer;
    gsize length = put (bytes, 5, 701, 0.0017f);
    length = put (bytes, length, 700, 0.0198f);
    length = put (bytes, length, 699, 5); /* somebody else's number */
    length = put (bytes, length, 702, 5);
    g_assert_true (rf_xplane_parse (bytes, length, 700, &answer));
    g_assert_cmpfloat_with_epsilon (answer.value[RF_XPLANE_FRAME], 0.0198, 1e-6);
    g_assert_cmpfloat_with_epsilon (answer.value[RF_XPLANE_GPU], 0.0017, 1e-6);
    g_assert_false (rf_xplane_parse (bytes, length, 800, &answer));
    /* the fifth byte has no meaning: X-Plane 10 sent another one */
    bytes[4] = 'O';
    g_assert_true (rf_xplane_parse (bytes, length, 700, &answer));
    for (gsize cut = 0; cut < length; cut++)
        g_assert_true (rf_xplane_parse (bytes, cut, 700, &answer) == (cut > 5 && (cut - 5) % 8 == 0));
    bytes[0] = 'r';
    g_assert_false (rf_xplane_parse (bytes, length, 700, &answer));
    bytes[0] = 'R';
    for (length = 5; length + 8 <= RF_XPLANE_ANSWER_MAX;)
        length = put (bytes, length, 700, 0.02f);
    g_assert_true (rf_xplane_parse (bytes, length, 700, &answer));
    length = put (bytes, length, 700, 0.02f);
    g_assert_false (rf_xplane_parse (bytes, length, 700, &answer));
    /* numbers around the end of their range do not wrap into ours */
    length = put (bytes, 5, G_MAXUINT32, 1);
    g_assert_false (rf_xplane_parse (bytes, length, 0, &answer));
}

static void
values (void)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, -0.001f, 3601, 3e38f};
    guint8 bytes[64] = "RREF,";
    RfXplaneAnswer answer;
    for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
        g_assert_true (rf_xplane_parse (bytes, put (bytes, 5, 1, bad[i]), 1, &answer));
        g_assert_true (isnan (answer.value[RF_XPLANE_FRAME]));
        g_assert_true (isnan (answer.value[RF_XPLANE_GPU]));
    }
    g_assert_true (rf_xplane_parse (bytes, put (bytes, 5, 1, 0), 1, &answer));
    g_assert_cmpfloat (answer.value[RF_XPLANE_FRAME], ==, 0);
}

static void
freezes (void)
{
    const gint64 ms = 1000000;
    g_assert_false (rf_xplane_freeze (20, 50 * ms));
    g_assert_false (rf_xplane_freeze (20, 249 * ms));
    g_assert_true (rf_xplane_freeze (20, 250 * ms));
    g_assert_false (rf_xplane_freeze (5, 799 * ms)); /* a few late answers are none at 5 a second */
    g_assert_true (rf_xplane_freeze (5, 800 * ms));
    g_assert_true (rf_xplane_freeze (99, 19300 * ms));
}

typedef struct {
    RfXplaneFrame frames[4096];
    guint n;
    guint freezes;
    RfXplaneFrame frozen;
    gint64 deadline_us;
} Seen;

static void
seen_cb (const RfXplaneFrame *frame, gpointer data)
{
    Seen *seen = data;
    g_assert_cmpuint (seen->n, <, G_N_ELEMENTS (seen->frames));
    seen->frames[seen->n++] = *frame;
    if (frame->freeze) {
        seen->freezes++;
        seen->frozen = *frame;
    }
}

#define wait_for(seen, condition)                                                                                      \
    G_STMT_START                                                                                                       \
    {                                                                                                                  \
        guint wake = g_timeout_add (5, G_SOURCE_FUNC (wake_cb), NULL);                                                 \
        (seen)->deadline_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;                                           \
        while (!(condition)) {                                                                                         \
            g_main_context_iteration (NULL, TRUE);                                                                     \
            g_assert_cmpint (g_get_monotonic_time (), <, (seen)->deadline_us);                                         \
        }                                                                                                              \
        g_source_remove (wake);                                                                                        \
    }                                                                                                                  \
    G_STMT_END

static gboolean
wake_cb (gpointer data)
{
    return G_SOURCE_CONTINUE;
}

static gboolean
over_cb (gpointer data)
{
    *(gboolean *)data = TRUE;
    return G_SOURCE_REMOVE;
}

static gint64
now_ns (void)
{
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    return now.tv_sec * G_GINT64_CONSTANT (1000000000) + now.tv_nsec;
}

static void
frames (void)
{
    g_autofree Seen *seen = g_new0 (Seen, 1);
    g_autoptr (GError) error = NULL;
    g_autoptr (RfFakeXplane) xplane = rf_fake_xplane_new (0);
    gint64 start_ns = now_ns ();
    RfXplaneUdp *udp = rf_xplane_udp_new (rf_fake_xplane_port (xplane), 20, seen_cb, seen, &error);
    g_assert_no_error (error);
    g_assert_false (rf_xplane_udp_answers (udp));
    wait_for (seen, seen->n >= 20);
    g_assert_true (rf_xplane_udp_answers (udp));
    g_assert_cmpuint (rf_fake_xplane_subscribed (xplane), ==, RF_XPLANE_N_VALUES);
    g_assert_true (isnan (seen->frames[0].pause_ms));
    for (guint i = 0; i < seen->n; i++) {
        g_assert_cmpfloat_with_epsilon (seen->frames[i].frame_ms, 19.8, 1e-4);
        if (i > 0) /* the first may be out before it was asked for the second value */
            g_assert_cmpfloat_with_epsilon (seen->frames[i].gpu_ms, 1.7, 1e-4);
        g_assert_cmpint (seen->frames[i].time_ns, >, i == 0 ? start_ns : seen->frames[i - 1].time_ns);
        g_assert_cmpint (seen->frames[i].time_ns, <=, now_ns ());
        if (i > 0)
            g_assert_cmpfloat_with_epsilon (
                seen->frames[i].pause_ms, (double)(seen->frames[i].time_ns - seen->frames[i - 1].time_ns) / 1e6, 1e-6);
    }
    /* told to stop, it stops */
    rf_xplane_udp_free (udp);
    wait_for (seen, rf_fake_xplane_subscribed (xplane) == 0);
}

/* A late main loop changes no time: the answers have waited in the kernel, which knows when they came. */
static void
late (void)
{
    g_autofree Seen *seen = g_new0 (Seen, 1);
    g_autoptr (RfFakeXplane) xplane = rf_fake_xplane_new (0);
    g_autoptr (RfXplaneUdp) udp = rf_xplane_udp_new (rf_fake_xplane_port (xplane), 50, seen_cb, seen, NULL);
    wait_for (seen, seen->n >= 3);
    guint before = seen->n, sent = rf_fake_xplane_answers (xplane);
    while (rf_fake_xplane_answers (xplane) < sent + 2)
        g_usleep (1000);
    gint64 sent_ns = now_ns ();
    g_usleep (100000);
    wait_for (seen, seen->n > before);
    g_assert_cmpint (seen->frames[before].time_ns, <, sent_ns);
}

static void
freeze (void)
{
    g_autofree Seen *seen = g_new0 (Seen, 1);
    g_autoptr (RfFakeXplane) xplane = rf_fake_xplane_new (0);
    g_autoptr (RfXplaneUdp) udp = rf_xplane_udp_new (rf_fake_xplane_port (xplane), 20, seen_cb, seen, NULL);
    wait_for (seen, seen->n >= 5);
    rf_fake_xplane_freeze (xplane, 1500); /* long enough that it is asked again in between */
    wait_for (seen, seen->freezes > 0 && seen->frozen.pause_ms >= 1400);
    g_assert_cmpfloat (seen->frozen.frame_ms, <, 20.0); /* X-Plane itself says nothing of it */
    guint n = seen->n;
    wait_for (seen, seen->n >= n + 5);
    g_assert_cmpuint (rf_fake_xplane_subscribed (xplane), ==, RF_XPLANE_N_VALUES);
}

/* It may start later than we do, end, and start again; being away is no freeze. */
static void
restart (void)
{
    g_autofree Seen *seen = g_new0 (Seen, 1);
    RfFakeXplane *xplane = rf_fake_xplane_new (0);
    guint16 port = rf_fake_xplane_port (xplane);
    g_clear_pointer (&xplane, rf_fake_xplane_free);
    g_autoptr (RfXplaneUdp) udp = rf_xplane_udp_new (port, 20, seen_cb, seen, NULL);
    for (guint i = 0; i < 20; i++)
        g_main_context_iteration (NULL, FALSE);
    g_assert_cmpuint (seen->n, ==, 0);
    xplane = rf_fake_xplane_new (port);
    wait_for (seen, seen->n >= 3);
    g_clear_pointer (&xplane, rf_fake_xplane_free);
    gboolean over = FALSE; /* in three seconds of the main loop it was asked once more, and refused */
    g_timeout_add_seconds_full (G_PRIORITY_LOW, 3, over_cb, &over, NULL);
    wait_for (seen, over && !rf_xplane_udp_answers (udp));
    guint before = seen->n;
    xplane = rf_fake_xplane_new (port);
    wait_for (seen, seen->n >= before + 3);
    g_assert_true (isnan (seen->frames[before].pause_ms));
    g_assert_false (seen->frames[before].freeze);
    rf_fake_xplane_free (xplane);
}

static void
split (void)
{
    g_autofree Seen *seen = g_new0 (Seen, 1);
    g_autoptr (RfFakeXplane) xplane = rf_fake_xplane_new (0);
    rf_fake_xplane_split (xplane);
    g_autoptr (RfXplaneUdp) udp = rf_xplane_udp_new (rf_fake_xplane_port (xplane), 20, seen_cb, seen, NULL);
    wait_for (seen, seen->n >= 10);
    for (guint i = 0; i < seen->n; i++)
        g_assert_false (isnan (seen->frames[i].frame_ms));
    for (guint i = 1; i < seen->n; i++)
        g_assert_cmpfloat_with_epsilon (seen->frames[i].gpu_ms, 1.7, 1e-4);
}

/* What an answer costs, printed. */
static void
cost (void)
{
    g_autofree Seen *seen = g_new0 (Seen, 1);
    struct rusage before, after;
    g_autoptr (RfFakeXplane) xplane = rf_fake_xplane_new (0);
    g_autoptr (RfXplaneUdp) udp = rf_xplane_udp_new (rf_fake_xplane_port (xplane), 20, seen_cb, seen, NULL);
    wait_for (seen, seen->n >= 1);
    GMainContext *context = g_main_context_default ();
    getrusage (RUSAGE_THREAD, &before);
    guint n = seen->n;
    while (seen->n < n + 40)
        g_main_context_iteration (context, TRUE);
    getrusage (RUSAGE_THREAD, &after);
    double us
        = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec)
              * 1e6
          + (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec
                     - before.ru_stime.tv_usec);
    g_test_message ("an answer: %.1f us of a core; 20 a second: %.4f %%", us / 40, us / 40 * 20 / 1e4);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/xplane/requests", requests);
    g_test_add_func ("/xplane/answers", answers);
    g_test_add_func ("/xplane/values", values);
    g_test_add_func ("/xplane/freezes", freezes);
    g_test_add_func ("/xplane/frames", frames);
    g_test_add_func ("/xplane/late", late);
    g_test_add_func ("/xplane/freeze", freeze);
    g_test_add_func ("/xplane/restart", restart);
    g_test_add_func ("/xplane/split", split);
    g_test_add_func ("/xplane/cost", cost);
    return g_test_run ();
}
