#include "rf-fuzz.h"

#include "rf-queue.h"

RF_FUZZ (data, size)
{
    const RfCounter numbers[]
        = {rf_queue_parse_number (data, size), rf_queue_parse_wbt (data, size), rf_queue_parse_zoned (data, size)};
    rf_fuzz_check (numbers, sizeof numbers);
    g_auto (GStrv) names = NULL;
    g_autofree char *chosen = NULL;
    RfAvail avail = rf_queue_parse_scheduler (data, size, &names, &chosen);
    g_assert_cmpint (avail == RF_AVAIL_OK, ==, chosen != NULL);
    g_assert_cmpint (avail == RF_AVAIL_OK, ==, names[0] != NULL);
    if (chosen != NULL)
        g_assert_true (g_strv_contains ((const char *const *)names, chosen));
}
