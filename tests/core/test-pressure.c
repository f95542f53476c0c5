#include "config.h"

#include "rf-loadavg.h"
#include "rf-pressure.h"
#include "rf-test-counter.h"
#include "rf-test-tree.h"

#include <string.h>

#define SOME "some avg10=1.50 avg60=0.06 avg300=100.00 total=8575145\n"
#define FULL "full avg10=0.00 avg60=0.01 avg300=12.34 total=18446744073709551615\n"

static RfPressure
parse (const char *text)
{
    RfPressure out;
    rf_pressure_parse (text, strlen (text), &out);
    return out;
}

static void
lines (void)
{
    RfPressure out = parse (SOME FULL);
    rf_assert_counter (out.some.avg10_x100, 150);
    rf_assert_counter (out.some.avg60_x100, 6);
    rf_assert_counter (out.some.avg300_x100, 10000);
    rf_assert_counter (out.some.total_us, 8575145);
    rf_assert_counter (out.full.avg300_x100, 1234);
    rf_assert_counter (out.full.total_us, G_MAXUINT64);
    /* before 5.13 cpu has no "full" */
    out = parse (SOME);
    rf_assert_counter (out.some.total_us, 8575145);
    rf_assert_missing (out.full.total_us, RF_AVAIL_NO_FIELD);
    rf_assert_missing (out.full.avg10_x100, RF_AVAIL_NO_FIELD);
    /* what a later kernel may add, and another order */
    out = parse ("most avg10=9.00 avg60=9.00 avg300=9.00 total=9\n"
                 "some total=7 avg10=1.00 avg900=5.00 avg60=2.00 note avg300=3.00\n");
    rf_assert_counter (out.some.total_us, 7);
    rf_assert_counter (out.some.avg10_x100, 100);
    rf_assert_counter (out.some.avg300_x100, 300);
    rf_assert_missing (out.full.total_us, RF_AVAIL_NO_FIELD);
}

static void
numbers (void)
{
    static const struct {
        const char *text;
        RfAvail avail;
        guint64 x100;
    } table[] = {
        {"some avg10=0.00\n", RF_AVAIL_OK, 0},
        {"some avg10=007.25\n", RF_AVAIL_OK, 725},
        {"some avg10=1,50\n", RF_AVAIL_MALFORMED, 0},
        {"some avg10=1.5\n", RF_AVAIL_MALFORMED, 0},
        {"some avg10=1.500\n", RF_AVAIL_MALFORMED, 0},
        {"some avg10=1\n", RF_AVAIL_MALFORMED, 0},
        {"some avg10=-1.00\n", RF_AVAIL_MALFORMED, 0},
        {"some avg10=.50\n", RF_AVAIL_MALFORMED, 0},
        {"some avg10= 1.50\n", RF_AVAIL_MALFORMED, 0},
        {"some avg10=nan\n", RF_AVAIL_MALFORMED, 0},
        {"some avg10=1.50x\n", RF_AVAIL_MALFORMED, 0},
        {"some avg10=184467440737095516.16\n", RF_AVAIL_MALFORMED, 0},
        {"some avg10=1.50", RF_AVAIL_NO_FIELD, 0},
        {"some\n", RF_AVAIL_NO_FIELD, 0},
        {"something avg10=1.50\n", RF_AVAIL_NO_FIELD, 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        RfPressure out = parse (table[i].text);
        g_test_message ("%s", table[i].text);
        g_assert_cmpint (out.some.avg10_x100.avail, ==, table[i].avail);
        g_assert_cmpuint (out.some.avg10_x100.value, ==, table[i].x100);
    }
}

/* netdata#7531: the files are there, but the kernel was booted without psi=1 */
static void
off (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    RfPressure out;
    rf_pressure_read (rf_test_tree_sysroot (tree), "memory", &out);
    rf_assert_missing (out.some.total_us, RF_AVAIL_NO_FILE);
    rf_test_tree_set (tree, "proc/pressure/cpu", "!errno EOPNOTSUPP\n");
    rf_pressure_read (rf_test_tree_sysroot (tree), "cpu", &out);
    rf_assert_missing (out.some.total_us, RF_AVAIL_OFF);
    rf_assert_missing (out.full.avg300_x100, RF_AVAIL_OFF);
    rf_test_tree_set (tree, "proc/pressure/io", SOME FULL);
    rf_pressure_read (rf_test_tree_sysroot (tree), "io", &out);
    rf_assert_counter (out.some.avg10_x100, 150);
}

static void
recording (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("recording-6.18");
    RfPressure whole;
    rf_pressure_read (rf_test_tree_sysroot (tree), "cpu", &whole);
    rf_assert_counter (whole.some.avg10_x100, 1429);
    rf_assert_counter (whole.some.total_us, 37203933);
    rf_assert_counter (whole.full.total_us, 0);
    g_autofree char *text = rf_test_tree_get (tree, "proc/pressure/cpu");
    for (gsize length = 0; length < strlen (text); length++) {
        RfPressure cut;
        rf_pressure_parse (text, length, &cut);
        g_assert_true (rf_test_same_or_missing (&cut, &whole, sizeof cut));
    }
    gsize length;
    const char *foreign;
    for (guint i = 0; (foreign = rf_test_foreign (i, &length)) != NULL; i++) {
        rf_pressure_parse (foreign, length, &whole);
        g_assert_true (rf_test_all_missing (&whole, sizeof whole));
    }
}

/* hardinfo#498, monitoring-plugins#529: strtod() in a German locale reads 1.50 as 1 */
static void
comma_locale (void)
{
    if (!rf_test_use_comma_locale ()) {
        g_test_skip ("no locale with a decimal comma, and localedef cannot make one");
        return;
    }
    RfPressure out = parse (SOME FULL);
    rf_assert_counter (out.some.avg10_x100, 150);
    rf_assert_counter (out.full.avg300_x100, 1234);
    rf_assert_missing (parse ("some avg10=1,50\n").some.avg10_x100, RF_AVAIL_MALFORMED);
    RfLoadavg load;
    rf_loadavg_parse ("1.33 0.68 0.32 1/90 19370\n", 26, &load);
    rf_assert_counter (load.load1_x100, 133);
    rf_assert_counter (load.load15_x100, 32);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/pressure/lines", lines);
    g_test_add_func ("/core/pressure/numbers", numbers);
    g_test_add_func ("/core/pressure/off", off);
    g_test_add_func ("/core/pressure/recording", recording);
    g_test_add_func ("/core/pressure/comma-locale", comma_locale);
    return g_test_run ();
}
