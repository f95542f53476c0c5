/* A record as the helper tells it over the bus, read by the app: bytes of any kind as a{sv}. What is accepted is told
 * on as it was read. */
#include "rf-fuzz.h"

#include "rf-record.h"

RF_FUZZ (data, size)
{
    g_autoptr (GBytes) bytes = g_bytes_new (data, size);
    g_autoptr (GVariant) variant = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARDICT, bytes, FALSE));
    g_autoptr (GError) error = NULL;
    g_autoptr (RfRecord) record = rf_record_from_variant (variant, &error);
    g_assert_true ((record != NULL) == (error == NULL));
    if (record == NULL)
        return;
    g_autoptr (GVariant) first = g_variant_ref_sink (rf_record_to_variant (record));
    g_autoptr (RfRecord) again = rf_record_from_variant (first, NULL);
    g_assert_nonnull (again);
    g_autoptr (GVariant) second = g_variant_ref_sink (rf_record_to_variant (again));
    g_assert_true (g_variant_equal (first, second));
}
