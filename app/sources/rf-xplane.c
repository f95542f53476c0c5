#define G_LOG_DOMAIN "rf-xplane"
#include "config.h"

#include "rf-xplane.h"

#include <math.h>
#include <string.h>

#define HEADER 5
#define PAIR 8
#define NAME_MAX_BYTES 400
#define LONGEST_S 3600.0

const char *
rf_xplane_dataref (RfXplaneValue value)
{
    static const char *const names[] = {
        [RF_XPLANE_FRAME] = "sim/operation/misc/frame_rate_period",
        [RF_XPLANE_GPU] = "sim/time/gpu_time_per_frame_sec_approx",
    };
    G_STATIC_ASSERT (G_N_ELEMENTS (names) == RF_XPLANE_N_VALUES);
    g_return_val_if_fail ((guint)value < RF_XPLANE_N_VALUES, "");
    return names[value];
}

void
rf_xplane_request (guint8 out[RF_XPLANE_REQUEST], gint32 hz, gint32 number, RfXplaneValue value)
{
    const char *name = rf_xplane_dataref (value);
    gint32 numbers[2] = {GINT32_TO_LE (hz), GINT32_TO_LE (number)};
    G_STATIC_ASSERT (RF_XPLANE_REQUEST == HEADER + sizeof numbers + NAME_MAX_BYTES);
    memset (out, 0, RF_XPLANE_REQUEST);
    memcpy (out, "RREF", sizeof "RREF");
    memcpy (out + HEADER, numbers, sizeof numbers);
    memcpy (out + HEADER + sizeof numbers, name, strlen (name) + 1);
}

gboolean
rf_xplane_parse (const guint8 *bytes, gsize length, gint32 first, RfXplaneAnswer *out)
{
    gboolean ours = FALSE;
    for (guint i = 0; i < RF_XPLANE_N_VALUES; i++)
        out->value[i] = NAN;
    if (length <= HEADER || length > RF_XPLANE_ANSWER_MAX || (length - HEADER) % PAIR != 0
        || memcmp (bytes, "RREF", 4) != 0)
        return FALSE;
    for (gsize at = HEADER; at < length; at += PAIR) {
        guint32 number, bits;
        float seconds;
        memcpy (&number, bytes + at, sizeof number);
        memcpy (&bits, bytes + at + 4, sizeof bits);
        bits = GUINT32_FROM_LE (bits);
        memcpy (&seconds, &bits, sizeof seconds);
        number = GUINT32_FROM_LE (number) - (guint32)first;
        if (number >= RF_XPLANE_N_VALUES)
            continue;
        ours = TRUE;
        if (isfinite (seconds) && seconds >= 0 && seconds <= LONGEST_S)
            out->value[number] = seconds;
    }
    return ours;
}

gboolean
rf_xplane_freeze (guint hz, gint64 pause_ns)
{
    const gint64 second = G_GINT64_CONSTANT (1000000000);
    return hz > 0 && pause_ns >= second / 4 && pause_ns >= 4 * second / (gint64)hz;
}
