#include "rf-fuzz.h"

#include "rf-xplane.h"

#include <math.h>

RF_FUZZ (data, size)
{
    RfXplaneAnswer answer;
    gboolean ours = rf_xplane_parse ((const guint8 *)data, size, 700, &answer);
    for (guint i = 0; i < RF_XPLANE_N_VALUES; i++) {
        g_assert_true (ours || isnan (answer.value[i]));
        g_assert_true (isnan (answer.value[i]) || (answer.value[i] >= 0 && answer.value[i] <= 3600));
    }
}
