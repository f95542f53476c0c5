#include "config.h"

#include "rf-gpu-fall.h"

#include <math.h>

typedef struct {
    RfGpuFall falls[16];
    guint n;
} Found;

/* One reading a second: a digit is tenths, '-' is missing, 'x' is a reading of nothing after the program has ended. */
static Found
run (const char *series, const RfGpuFallRule *rule)
{
    g_autoptr (RfGpuFallWatch) watch = rf_gpu_fall_watch_new (rule);
    Found found = {0};
    for (guint i = 0; series[i] != '\0'; i++) {
        double value = series[i] == '-' ? NAN : series[i] == 'x' ? 0 : (series[i] - '0') / 10.0;
        g_assert_cmpuint (found.n, <, G_N_ELEMENTS (found.falls));
        if (rf_gpu_fall_watch_push (watch, (i + 1) * RF_NS_PER_S, value, series[i] != 'x', &found.falls[found.n]))
            found.n++;
    }
    return found;
}

static void
series (void)
{
    static const struct {
        const char *series;
        guint falls;
        gint64 begin_s, duration_s;
    } table[] = {
        {"888888888", 0, 0, 0},      {"000000000", 0, 0, 0},
        {"8888880888", 1, 7, 1},     {"88888800088", 1, 7, 3},
        {"88888801210288", 1, 7, 6},                           /* what wavers below the upper mark belongs to it */
        {"88888800", 0, 0, 0},                                 /* not over yet */
        {"22222220222", 0, 0, 0},                              /* was not busy */
        {"22222220888", 0, 0, 0},    {"8880888", 0, 0, 0},     /* not known for long enough */
        {"888888xx888", 0, 0, 0},                              /* the program had ended */
        {"8888880xx88", 0, 0, 0},    {"8888880-088", 0, 0, 0}, /* nothing is claimed over a hole */
        {"888888-0888", 0, 0, 0},    {"888888088888880888", 2, 7, 1},
        {"4444440444", 1, 7, 1},     {"8888882228", 0, 0, 0}, /* low, not nothing */
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        Found found = run (table[i].series, &RF_GPU_FALL_RULE);
        g_test_message ("%s", table[i].series);
        g_assert_cmpuint (found.n, ==, table[i].falls);
        if (found.n == 0)
            continue;
        g_assert_cmpint (found.falls[0].begin_ns, ==, table[i].begin_s * RF_NS_PER_S);
        g_assert_cmpint (found.falls[0].duration_ns, ==, table[i].duration_s * RF_NS_PER_S);
    }
    Found found = run ("88888801210288", &RF_GPU_FALL_RULE);
    g_assert_cmpfloat_with_epsilon (found.falls[0].before, 0.8, 1e-9);
    g_assert_cmpfloat_with_epsilon (found.falls[0].during, 0.1, 1e-9);
}

static void
lengths (void)
{
    RfGpuFallRule rule = RF_GPU_FALL_RULE;
    rule.min_ns = 2 * RF_NS_PER_S;
    rule.max_ns = 4 * RF_NS_PER_S;
    g_assert_cmpuint (run ("8888880888", &rule).n, ==, 0);
    g_assert_cmpuint (run ("88888800888", &rule).n, ==, 1);
    g_assert_cmpuint (run ("8888880000888", &rule).n, ==, 1);
    g_assert_cmpuint (run ("88888800000888", &rule).n, ==, 0);
}

static void
times (void)
{
    g_autoptr (RfGpuFallWatch) watch = rf_gpu_fall_watch_new (&RF_GPU_FALL_RULE);
    RfGpuFall fall;
    gint64 now = 0;
    /* at 50 readings a second the five seconds do not fit, and nothing is claimed without them */
    for (guint i = 0; i < 1000; i++)
        g_assert_false (rf_gpu_fall_watch_push (watch, now += RF_NS_PER_S / 50, i < 900 ? 0.9 : 0, TRUE, &fall));
    g_assert_false (rf_gpu_fall_watch_push (watch, now += RF_NS_PER_S / 50, 0.9, TRUE, &fall));
    /* a suspend, or a clock that goes backwards, begins anew */
    for (guint i = 0; i < 20; i++)
        g_assert_false (rf_gpu_fall_watch_push (watch, now += RF_NS_PER_S, 0.9, TRUE, &fall));
    g_assert_false (rf_gpu_fall_watch_push (watch, now += 100 * RF_NS_PER_S, 0, TRUE, &fall));
    g_assert_false (rf_gpu_fall_watch_push (watch, now += RF_NS_PER_S, 0.9, TRUE, &fall));
    for (guint i = 0; i < 20; i++)
        g_assert_false (rf_gpu_fall_watch_push (watch, now += RF_NS_PER_S, 0.9, TRUE, &fall));
    g_assert_false (rf_gpu_fall_watch_push (watch, now += RF_NS_PER_S, 0, TRUE, &fall));
    g_assert_false (rf_gpu_fall_watch_push (watch, now += 30 * RF_NS_PER_S, 0.9, TRUE, &fall));
    g_assert_false (rf_gpu_fall_watch_push (watch, 5, 0, TRUE, &fall));
    g_assert_false (rf_gpu_fall_watch_push (watch, 6, 0.9, TRUE, &fall));
}

/* Two real flights, which are not part of the project. Only the sixth column and the first: the last four stand in
 * another order than the header says. */
static Found
flight (const char *folder, const char *run_name, guint *rows)
{
    g_autofree char *command = g_strdup_printf ("xz -dc '%s/%s/vram.csv.xz'", folder, run_name);
    g_autofree char *text = NULL;
    g_autoptr (GError) error = NULL;
    int status;
    g_spawn_command_line_sync (command, &text, NULL, &status, &error);
    g_assert_no_error (error);
    g_assert_cmpint (status, ==, 0);
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    g_autoptr (RfGpuFallWatch) watch = rf_gpu_fall_watch_new (&RF_GPU_FALL_RULE);
    Found found = {0};
    double start = 0;
    *rows = 0;
    for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++) {
        g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);
        double seconds = g_ascii_strtod (fields[0], NULL);
        start = i == 1 ? seconds - 1 : start;
        gint64 time_ns = (gint64)((seconds - start) * 1e9);
        double ratio = (double)g_ascii_strtoll (fields[5], NULL, 10) / 100;
        g_assert_cmpuint (found.n, <, G_N_ELEMENTS (found.falls));
        if (rf_gpu_fall_watch_push (watch, time_ns, ratio, TRUE, &found.falls[found.n])) {
            RfGpuFall *fall = &found.falls[found.n++];
            g_test_message ("%s: at %.1f s for %.2f s, from %.0f %% to %.0f %%", run_name,
                            (double)fall->begin_ns / 1e9 - 1, (double)fall->duration_ns / 1e9, fall->before * 100,
                            fall->during * 100);
        }
        (*rows)++;
    }
    return found;
}

static void
flights (void)
{
    const char *folder = g_getenv ("RF_FLIGHT_RECORDINGS");
    guint rows;
    Found found = flight (folder, "Z", &rows);
    g_assert_cmpuint (rows, ==, 7648);
    g_assert_cmpuint (found.n, ==, 6);
    /* the frames have their gap of 19.3 seconds here, too */
    g_assert_cmpfloat_with_epsilon ((double)found.falls[1].begin_ns / 1e9 - 1, 550.3, 0.1);
    g_assert_cmpfloat_with_epsilon ((double)found.falls[1].duration_ns / 1e9, 17.6, 0.1);
    found = flight (folder, "AA", &rows);
    g_assert_cmpuint (rows, ==, 4845);
    g_assert_cmpuint (found.n, ==, 1);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/gpu-fall/series", series);
    g_test_add_func ("/gpu-fall/lengths", lengths);
    g_test_add_func ("/gpu-fall/times", times);
    if (g_getenv ("RF_FLIGHT_RECORDINGS") != NULL)
        g_test_add_func ("/gpu-fall/flights", flights);
    return g_test_run ();
}
