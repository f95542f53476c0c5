/* Every error a person can meet has a sentence of its own that says what to do. */
#include "config.h"

#include "rf-error.h"
#include "rf-message.h"

#include <string.h>

#define DETAIL "'vm.dirty': wrote 7, reads 9"

static void
assert_sentence (const char *text, const char *what)
{
    g_test_message ("%s: %s", what, text);
    g_assert_nonnull (text);
    g_assert_true (g_utf8_validate (text, -1, NULL));
    g_assert_cmpuint (strlen (text), >, 20);
    g_assert_true (g_ascii_isupper (text[0]));
    /* a finished sentence, or a detail in brackets behind it */
    g_assert_true (g_str_has_suffix (text, ".") || g_str_has_suffix (text, ")"));
    g_assert_null (strstr (text, "GDBus.Error"));
}

static void
test_every_code (void)
{
    static const RfError with_detail[] = {RF_ERROR_REFUSED, RF_ERROR_MISMATCH, RF_ERROR_OUT_OF_RANGE, RF_ERROR_IO,
                                          RF_ERROR_FOREIGN, RF_ERROR_CONFLICT};
    static const RfError without[] = {RF_ERROR_NOT_AUTHORIZED, RF_ERROR_DISMISSED, RF_ERROR_NO_AGENT, RF_ERROR_BUSY,
                                      RF_ERROR_CANCELLED};
    g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (int code = 0; code < RF_ERROR_N_CODES; code++) {
        g_autoptr (GError) error = g_error_new_literal (RF_ERROR, code, DETAIL);
        char *text = rf_message_from_error (error);
        assert_sentence (text, rf_error_code_nick (code));
        g_assert_true (g_hash_table_add (seen, text)); /* no two codes say the same */
    }
    for (guint i = 0; i < G_N_ELEMENTS (with_detail); i++) {
        g_autoptr (GError) error = g_error_new_literal (RF_ERROR, with_detail[i], DETAIL);
        g_autofree char *text = rf_message_from_error (error);
        g_assert_nonnull (strstr (text, DETAIL));
    }
    for (guint i = 0; i < G_N_ELEMENTS (without); i++) {
        g_autoptr (GError) error = g_error_new_literal (RF_ERROR, without[i], DETAIL);
        g_autofree char *text = rf_message_from_error (error);
        g_assert_null (strstr (text, DETAIL));
    }
}

static void
test_bus_errors (void)
{
    static const struct {
        int code;
        const char *says;
    } rows[] = {
        {G_DBUS_ERROR_SERVICE_UNKNOWN, "not installed"},
        {G_DBUS_ERROR_NAME_HAS_NO_OWNER, "not installed"},
        {G_DBUS_ERROR_SPAWN_CHILD_EXITED, "could not be started"},
        {G_DBUS_ERROR_NO_REPLY, "stopped in the middle"},
        {G_DBUS_ERROR_DISCONNECTED, "stopped in the middle"},
        {G_DBUS_ERROR_TIMEOUT, "did not answer in time"},
        {G_DBUS_ERROR_ACCESS_DENIED, "does not let you"},
        {G_DBUS_ERROR_NO_SERVER, "message bus"},
        {G_DBUS_ERROR_UNKNOWN_METHOD, "different versions"},
    };
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (GError) error = g_error_new_literal (G_DBUS_ERROR, rows[i].code, "internal text");
        g_autofree char *text = rf_message_from_error (error);
        assert_sentence (text, rows[i].says);
        g_assert_nonnull (strstr (text, rows[i].says));
        g_assert_null (strstr (text, "internal text"));
    }
    g_autoptr (GError) late = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "x");
    g_autofree char *text = rf_message_from_error (late);
    g_assert_nonnull (strstr (text, "did not answer in time"));
    g_autoptr (GError) foreign = g_error_new_literal (G_KEY_FILE_ERROR, 1, "something else");
    g_autofree char *other = rf_message_from_error (foreign);
    g_assert_nonnull (strstr (other, "something else"));
}

/* The detail comes from another process and may be anything. */
static void
test_hostile_detail (void)
{
    g_autofree char *raw = g_strnfill (5000, 'a');
    memcpy (raw, "x\n\033[31m\xff", 8);
    g_autoptr (GError) error = g_error_new_literal (RF_ERROR, RF_ERROR_REFUSED, raw);
    g_autofree char *text = rf_message_from_error (error);
    g_assert_true (g_utf8_validate (text, -1, NULL));
    g_assert_null (strchr (text, '\n'));
    g_assert_null (strchr (text, '\033'));
    g_assert_cmpuint (strlen (text), <, 600);
    g_assert_nonnull (strstr (text, "…"));
}

static void
test_quiet (void)
{
    for (int code = 0; code < RF_ERROR_N_CODES; code++) {
        g_autoptr (GError) error = g_error_new_literal (RF_ERROR, code, "x");
        gboolean expected = code == RF_ERROR_DISMISSED || code == RF_ERROR_CANCELLED;
        g_assert_cmpint (rf_message_is_quiet (error), ==, expected);
    }
    g_autoptr (GError) cancelled = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "x");
    g_assert_true (rf_message_is_quiet (cancelled));
    g_autoptr (GError) closed = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CLOSED, "x");
    g_assert_false (rf_message_is_quiet (closed));
}

static void
test_measurement (void)
{
    static const struct {
        GQuark (*domain) (void);
        int code;
        const char *says;
    } rows[] = {
        {rf_error_quark, RF_ERROR_UNAVAILABLE, "Measuring without them works. (" DETAIL ")"},
        {rf_error_quark, RF_ERROR_NO_MEMORY, "not enough free memory"},
        {rf_error_quark, RF_ERROR_LIMIT, "Too many measurements"},
        {rf_error_quark, RF_ERROR_DISMISSED, "Nothing is measured"},
        {rf_error_quark, RF_ERROR_NO_AGENT, "terminal"},
        {g_dbus_error_quark, G_DBUS_ERROR_NO_REPLY, "the measurement with it"},
        {g_dbus_error_quark, G_DBUS_ERROR_UNKNOWN_METHOD, "cannot measure"},
        {g_dbus_error_quark, G_DBUS_ERROR_SERVICE_UNKNOWN, "not installed"},
        {g_io_error_quark, G_IO_ERROR_CLOSED, "the measurement with it"},
    };
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (GError) error = g_error_new_literal (rows[i].domain (), rows[i].code, DETAIL);
        g_autofree char *text = rf_message_from_measurement_error (error);
        assert_sentence (text, rows[i].says);
        g_assert_nonnull (strstr (text, rows[i].says));
    }
    for (int code = 0; code < RF_ERROR_N_CODES; code++) {
        g_autoptr (GError) error = g_error_new_literal (RF_ERROR, code, DETAIL);
        g_autofree char *text = rf_message_from_measurement_error (error);
        assert_sentence (text, rf_error_code_nick (code));
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/message/every-code", test_every_code);
    g_test_add_func ("/message/bus-errors", test_bus_errors);
    g_test_add_func ("/message/hostile-detail", test_hostile_detail);
    g_test_add_func ("/message/quiet", test_quiet);
    g_test_add_func ("/message/measurement", test_measurement);
    return g_test_run ();
}
