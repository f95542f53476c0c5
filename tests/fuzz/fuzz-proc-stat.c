#include "rf-fuzz.h"

#include "rf-program-watch.h"

#include <string.h>

RF_FUZZ (data, size)
{
    RfProcStat stat;
    if (!rf_proc_stat_parse (data, size, &stat))
        return;
    g_assert_cmpint (stat.pid, >, 0);
    g_assert_nonnull (memchr (stat.name, '\0', sizeof stat.name));
    g_assert_cmpint (stat.state, !=, '\0');
}
