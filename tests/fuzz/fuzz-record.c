#include "rf-fuzz.h"

#include <string.h>

#include "rf-record.h"

/* The checksum is added here: it guards against torn files, not against somebody who can write the journal, and behind
 * it would be nothing for a fuzzer to find. */
RF_FUZZ (data, size)
{
    g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)data, size);
    g_autoptr (GString) text = g_string_new_len (data, (gssize)size);
    g_string_append_printf (text, "\n[checksum]\nsha256=%s\n", sum);
    g_autoptr (GError) error = NULL;
    g_autoptr (RfRecord) record = rf_record_from_keyfile (text->str, text->len, &error);
    g_assert_true ((record != NULL) == (error == NULL));
    if (record == NULL)
        return;
    /* what was accepted can be written, is accepted again, and is the same */
    g_assert_true (rf_record_id_valid (record->id));
    g_autofree char *written = rf_record_to_keyfile (record);
    g_autoptr (RfRecord) again = rf_record_from_keyfile (written, strlen (written), NULL);
    g_assert_nonnull (again);
    g_autofree char *twice = rf_record_to_keyfile (again);
    g_assert_cmpstr (twice, ==, written);
    g_autoptr (GVariant) variant = g_variant_ref_sink (rf_record_to_variant (record));
    g_autoptr (RfRecord) over_bus = rf_record_from_variant (variant, NULL);
    g_assert_nonnull (over_bus);
    g_assert_cmpuint (over_bus->entries->len, ==, record->entries->len);
}
