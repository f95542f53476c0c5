/* The first byte is the kind, the rest a text: what is accepted is written back as it was read, over the bus too. */
#include "rf-fuzz.h"

#include "rf-value.h"

RF_FUZZ (data, size)
{
    g_autofree char *text = g_strndup (size > 0 ? data + 1 : data, size > 0 ? size - 1 : 0);
    RfValueKind kind = size > 0 ? (RfValueKind)((guchar)data[0] % (RF_VALUE_ZRAM + 1)) : RF_VALUE_ABSENT;
    g_autoptr (GError) error = NULL;
    RfValue value, again;
    gboolean ok = rf_value_from_text (kind, text, &value, &error);
    g_assert_true (ok == (error == NULL));
    if (!ok)
        return;
    g_autofree char *written = rf_value_to_text (&value);
    g_assert_cmpstr (written, ==, text);
    g_autoptr (GVariant) variant = g_variant_ref_sink (rf_value_to_variant (&value));
    g_assert_true (rf_value_from_variant (value.kind, variant, &again, NULL));
    g_assert_true (rf_value_equal (&value, &again));
}
