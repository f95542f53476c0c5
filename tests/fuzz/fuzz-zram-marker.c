#include "rf-fuzz.h"

#include "rf-current.h"

RF_FUZZ (data, size)
{
    g_autofree char *text = g_strndup (data, size);
    g_autofree char *device = NULL;
    RfValue value;
    guint64 diskseq = 0;
    if (!rf_zram_marker_parse (text, &device, &value, &diskseq)) {
        g_assert_null (device);
        return;
    }
    /* strict: what is accepted is exactly what would be written */
    g_autofree char *back = rf_zram_marker_format (device, &value, diskseq);
    g_assert_cmpstr (back, ==, text);
}
