#include "config.h"

#include "rf-error.h"
#include "rf-value.h"

#include <gio/gio.h>

static void
round_trip (void)
{
    RfValue values[] = {
        rf_value_absent (),
        rf_value_int (-1),
        rf_value_choice ("mq-deadline"),
        rf_value_dirty (RF_DIRTY_BYTES, 268435456),
        rf_value_dirty (RF_DIRTY_RATIO, 10),
        rf_value_vector (4096, 131072, 33554432),
        rf_value_zram (G_GINT64_CONSTANT (8589934592), "lzo-rle", 100),
    };
    for (gsize i = 0; i < G_N_ELEMENTS (values); i++) {
        g_autoptr (GError) error = NULL;
        g_autofree char *text = rf_value_to_text (&values[i]);
        RfValue back = {0};
        g_assert_true (rf_value_from_text (values[i].kind, text, &back, &error));
        g_assert_no_error (error);
        g_assert_true (rf_value_equal (&values[i], &back));

        g_autoptr (GVariant) variant = g_variant_ref_sink (rf_value_to_variant (&values[i]));
        RfValue again = {0};
        g_assert_true (rf_value_from_variant (values[i].kind, variant, &again, &error));
        g_assert_true (rf_value_equal (&values[i], &again));
    }
}

static void
bad_text (void)
{
    static const struct {
        RfValueKind kind;
        const char *text;
    } table[] = {
        {RF_VALUE_INT, ""},
        {RF_VALUE_INT, "010"},
        {RF_VALUE_INT, "60 70"},
        {RF_VALUE_CHOICE, "[none]"},
        {RF_VALUE_CHOICE, "none\nvm.x=1"},
        {RF_VALUE_CHOICE, "a-name-that-is-longer-than-the-token-field-allows"},
        {RF_VALUE_DIRTY, "10"},
        {RF_VALUE_DIRTY, "ratio:"},
        {RF_VALUE_DIRTY, "percent:10"},
        {RF_VALUE_DIRTY, "ratio:10:3"},
        {RF_VALUE_VECTOR, "4096 87380"},
        {RF_VALUE_VECTOR, "1 2 3 4"},
        {RF_VALUE_ZRAM, "1 ../x 3"},
        {RF_VALUE_ZRAM, "1 lz4"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (GError) error = NULL;
        RfValue value = rf_value_int (77);
        g_assert_false (rf_value_from_text (table[i].kind, table[i].text, &value, &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
        g_assert_cmpint (value.n[0], ==, 77);
    }
}

static void
bad_variant (void)
{
    static const struct {
        RfValueKind kind;
        const char *text;
    } table[] = {
        {RF_VALUE_INT, "'60'"},       {RF_VALUE_INT, "uint32 60"},           {RF_VALUE_INT, "60.0"},
        {RF_VALUE_CHOICE, "''"},      {RF_VALUE_CHOICE, "'no ne'"},          {RF_VALUE_CHOICE, "int64 1"},
        {RF_VALUE_DIRTY, "int64 10"}, {RF_VALUE_DIRTY, "('both', int64 1)"}, {RF_VALUE_ZRAM, "(int64 1, '', int64 2)"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (GVariant) variant = g_variant_new_parsed (table[i].text);
        g_variant_ref_sink (variant);
        RfValue value;
        g_assert_false (rf_value_from_variant (table[i].kind, variant, &value, &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/value/round-trip", round_trip);
    g_test_add_func ("/core/value/bad-text", bad_text);
    g_test_add_func ("/core/value/bad-variant", bad_variant);
    return g_test_run ();
}
