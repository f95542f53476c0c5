/* Lines of values from anybody: quotes, line ends, comments, what is no line, and numbers. */
#define G_LOG_DOMAIN "test-csv"
#include "config.h"

#include "rf-csv.h"
#include "rf-error.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int
hold (const char *bytes, gsize length)
{
    int fd = memfd_create ("test-csv", MFD_CLOEXEC);
    g_assert_cmpint (fd, >=, 0);
    g_assert_cmpint ((int)write (fd, bytes, length), ==, (int)length);
    g_assert_cmpint ((int)lseek (fd, 0, SEEK_SET), ==, 0);
    return fd;
}

/* Everything as one text: fields in brackets, "!" for a damaged line, "#" for a comment, "~" if the last was torn. */
static char *
read_all (const char *bytes, gsize length, char separator, gboolean keep_last)
{
    g_autoptr (GError) error = NULL;
    int fd = hold (bytes, length);
    g_autoptr (RfCsv) csv = rf_csv_new (fd, separator);
    rf_csv_set_keep_last (csv, keep_last);
    GString *out = g_string_new (NULL);
    RfCsvKind kind;
    while ((kind = rf_csv_next (csv, &error)) != RF_CSV_END) {
        g_assert_no_error (error);
        guint n = 0;
        const RfCsvField *fields = rf_csv_fields (csv, &n);
        g_string_append (out, kind == RF_CSV_DAMAGED ? "!" : kind == RF_CSV_COMMENT ? "#" : "");
        for (guint i = 0; i < n; i++) {
            g_assert_cmpuint (strlen (fields[i].text), ==, fields[i].length);
            g_string_append_printf (out, "[%s]", fields[i].text);
        }
        g_string_append_c (out, '\n');
    }
    if (rf_csv_is_torn (csv))
        g_string_append_c (out, '~');
    close (fd);
    return g_string_free (out, FALSE);
}

static const struct {
    const char *name;
    const char *text;
    const char *expected;
} cases[] = {
    {"plain", "a,b\n1,2\n", "[a][b]\n[1][2]\n"},
    {"empty-fields", ",,\n,x\n", "[][][]\n[][x]\n"},
    {"one-field", "a\n", "[a]\n"},
    {"windows", "a,b\r\n\r\n1,2\r\n", "[a][b]\n[1][2]\n"},
    {"byte-order-mark", "\xef\xbb\xbf" "a,b\n", "[a][b]\n"},
    {"comment", "# gap 1 2 late\na\n#x\n", "#[gap 1 2 late]\n[a]\n#[x]\n"},
    {"quoted", "\"a,b\",\"say \"\"so\"\"\",\"\"\nc\n", "[a,b][say \"so\"][]\n[c]\n"},
    {"quoted-hash", "\"#1\",2\n", "[#1][2]\n"},
    {"quote-inside", "a\"b,c\n", "[a\"b][c]\n"},
    {"quote-open", "\"a,b\n1,2\n", "!\n[1][2]\n"},
    {"quote-behind", "\"a\"b,c\n1\n", "!\n[1]\n"},
    {"torn", "a,b\n1,2\n3,", "[a][b]\n[1][2]\n~"},
    {"torn-quote", "a\n\"b", "[a]\n~"},
    {"only-torn", "a,b", "~"},
    {"nothing", "", ""},
    {"blank-lines", "\n\n\na\n\n", "[a]\n"},
    {"bytes", "\xff\xfe,\x01\n", "[\xff\xfe][\x01]\n"},
};

static void
test_case (gconstpointer data)
{
    const gsize at = GPOINTER_TO_SIZE (data);
    g_autofree char *got = read_all (cases[at].text, strlen (cases[at].text), ',', FALSE);
    g_assert_cmpstr (got, ==, cases[at].expected);
}

static void
test_foreign (void)
{
    g_autofree char *kept = read_all ("a;b\n1,5;2", strlen ("a;b\n1,5;2"), ';', TRUE);
    g_assert_cmpstr (kept, ==, "[a][b]\n[1,5][2]\n");
    g_autofree char *quoted = read_all ("\"a\";\"b\"", strlen ("\"a\";\"b\""), ';', TRUE);
    g_assert_cmpstr (quoted, ==, "[a][b]\n");
    g_autofree char *nul = read_all ("a\n1\0" "2\n3\n", strlen ("a\n1") + strlen ("x2\n3\n"), ',', FALSE);
    g_assert_cmpstr (nul, ==, "[a]\n!\n[3]\n");
    g_autofree char *zeros = g_malloc0 (100000);
    g_autofree char *nothing = read_all (zeros, 100000, ',', FALSE);
    g_assert_cmpstr (nothing, ==, "!\n");
}

/* a line that is longer than the buffer, one that just fits, one field too many; what follows is read */
static void
test_long (void)
{
    static const gsize lengths[] = {RF_CSV_LINE_MAX - 1, RF_CSV_LINE_MAX, RF_CSV_LINE_MAX + 1, 5 * RF_CSV_LINE_MAX,
                                    20 * RF_CSV_LINE_MAX};
    for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++) {
        g_autoptr (GString) text = g_string_new ("a\n");
        g_autofree char *line = g_strnfill (lengths[i], 'x');
        g_string_append_printf (text, "%s\nb\n", line);
        g_autofree char *got = read_all (text->str, text->len, ',', FALSE);
        g_autofree char *expected
            = lengths[i] <= RF_CSV_LINE_MAX ? g_strdup_printf ("[a]\n[%s]\n[b]\n", line) : g_strdup ("[a]\n!\n[b]\n");
        g_assert_cmpstr (got, ==, expected);
    }
    g_autoptr (GString) many = g_string_new (NULL);
    for (guint i = 0; i < RF_CSV_FIELDS_MAX; i++)
        g_string_append_c (many, ',');
    g_string_append (many, "\nb\n");
    g_autofree char *got = read_all (many->str, many->len, ',', FALSE);
    g_assert_cmpstr (got, ==, "!\n[b]\n");
}

static void
test_unreadable (void)
{
    g_autoptr (GError) error = NULL;
    int fd = open (g_get_tmp_dir (), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    g_autoptr (RfCsv) csv = rf_csv_new (fd, ',');
    g_assert_cmpint (rf_csv_next (csv, &error), ==, RF_CSV_FAILED);
    g_assert_error (error, RF_ERROR, RF_ERROR_IO);
    close (fd);
}

static void
test_numbers (void)
{
    static const char *const good[] = {"0", "1", "-1", "0.5", "123456789012345", "1234567890123456789", "0.000001", "1e9",
                                       "-1.5E-3", "3.40282e38", ".5", "5.", "00012.50", "9007199254740993",
                                       "0.1234567890123456789", "-0"};
    static const char *const bad[] = {"", "-", ".", "1.2.3", "nan", "inf", "-inf", "0x10", "1 ", " 1", "1,5", "1e", "e5",
                                      "1e39", "-1e400", "+-1", "1\n", "١"};
    double number = 0;
    for (gsize i = 0; i < G_N_ELEMENTS (good); i++) {
        g_test_message ("%s", good[i]);
        g_assert_true (rf_csv_to_number (good[i], strlen (good[i]), &number));
        g_assert_cmpfloat (number, ==, g_ascii_strtod (good[i], NULL));
    }
    for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
        number = 42;
        g_test_message ("%s", bad[i]);
        g_assert_false (rf_csv_to_number (bad[i], strlen (bad[i]), &number));
        g_assert_cmpfloat (number, ==, 42);
    }
    /* every short number is what the C library makes of it */
    g_autoptr (GRand) rand = g_rand_new_with_seed (5);
    for (guint i = 0; i < 200000; i++) {
        char text[64];
        g_snprintf (text, sizeof text, "%.*f", g_rand_int_range (rand, 0, 9),
                    g_rand_double_range (rand, -1e5, 1e5) * (i % 7 == 0 ? 1e4 : 1));
        g_assert_true (rf_csv_to_number (text, strlen (text), &number));
        g_assert_cmpfloat (number, ==, g_ascii_strtod (text, NULL));
    }
}

static void
test_integers (void)
{
    gint64 number = 0;
    g_assert_true (rf_csv_to_integer ("9223372036854775807", 19, &number));
    g_assert_cmpint (number, ==, G_MAXINT64);
    g_assert_true (rf_csv_to_integer ("-12", 3, &number));
    g_assert_cmpint (number, ==, -12);
    static const char *const bad[] = {"", "-", "1.0", "9223372036854775808", "99999999999999999999", " 1", "1e3", "+1"};
    for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
        g_assert_false (rf_csv_to_integer (bad[i], strlen (bad[i]), &number));
    g_assert_cmpint (number, ==, -12);
}

/* what is written is read as what it was */
static void
test_write (void)
{
    static const char *const texts[] = {"", "plain", "a,b", "say \"so\"", "#1", "\"", ",", "ü", " x "};
    g_autoptr (GString) line = g_string_new (NULL);
    g_autoptr (GString) expected = g_string_new (NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
        g_string_append (line, i > 0 ? "," : "");
        rf_csv_append_text (line, texts[i]);
        g_string_append_printf (expected, "[%s]", texts[i]);
    }
    g_string_append_c (line, '\n');
    g_string_append_c (expected, '\n');
    g_autofree char *got = read_all (line->str, line->len, ',', FALSE);
    g_assert_cmpstr (got, ==, expected->str);
    g_string_truncate (line, 0);
    static const double numbers[] = {0, 1.5, NAN, -3, 123456789012.0, 1.0 / 3, INFINITY, 4503599627370497.0};
    for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++) {
        rf_csv_append_number (line, numbers[i]);
        g_string_append_c (line, ' ');
    }
    g_assert_cmpstr (line->str, ==, "0 1.5  -3 123456789012 0.333333333  4503599627370497 ");
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *path = g_strconcat ("/app/csv/", cases[i].name, NULL);
        g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
    g_test_add_func ("/app/csv/foreign", test_foreign);
    g_test_add_func ("/app/csv/long", test_long);
    g_test_add_func ("/app/csv/unreadable", test_unreadable);
    g_test_add_func ("/app/csv/numbers", test_numbers);
    g_test_add_func ("/app/csv/integers", test_integers);
    g_test_add_func ("/app/csv/write", test_write);
    return g_test_run ();
}
