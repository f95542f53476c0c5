#include "rf-fuzz.h"

#include "rf-gpu-private.h"

RF_FUZZ (data, size)
{
    const guint all = RF_GPU_SLOW_POWER | RF_GPU_SLOW_HEAT | RF_GPU_SLOW_HARDWARE | RF_GPU_SLOW_OTHER;
    guint bits = G_MAXUINT;
    RfAvail avail = rf_gpu_metrics_slow_bits ((const guint8 *)data, size, &bits);
    g_assert_true (avail == RF_AVAIL_OK || avail == RF_AVAIL_NO_FIELD || avail == RF_AVAIL_MALFORMED);
    g_assert_cmpuint (bits & ~all, ==, avail == RF_AVAIL_OK ? 0 : ~all);
}
