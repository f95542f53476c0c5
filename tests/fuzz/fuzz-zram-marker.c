#include "rf-fuzz.h"

#include "rf-current.h"

RF_FUZZ (data, size)
{
    g_autofree char *text = g_strndup (data, size);
    g_autofree char *device = NULL;
    RfValue value;
    if (!rf_zram_marker_parse (text, &device, &value)) {
        g_assert_null (device);
        return;
    }
    /* strict: what is accepted is exactly what would be written */
    g_autofree char *words = rf_value_to_text (&value);
    g_autofree char *back = g_strdup_printf ("%s %s\n", device, words);
    g_assert_cmpstr (back, ==, text);
}
