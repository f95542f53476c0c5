#define G_LOG_DOMAIN "rf-loadavg"
#include "config.h"

#include "rf-loadavg.h"

#include "rf-text.h"

void
rf_loadavg_missing (RfAvail why, RfLoadavg *out)
{
    out->load1_x100 = out->load5_x100 = out->load15_x100 = RF_COUNTER_MISSING (why);
    out->running = out->tasks = RF_COUNTER_MISSING (why);
}

static RfCounter
scan (const char **cursor, const char *end, gboolean (*scanner) (const char **, const char *, guint64 *))
{
    guint64 value;
    return scanner (cursor, end, &value) ? RF_COUNTER (value) : RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
}

/* "0.00 0.06 0.07 1/91 10621" */
void
rf_loadavg_parse (const char *text, gsize length, RfLoadavg *out)
{
    rf_loadavg_missing (length == 0 ? RF_AVAIL_NO_FIELD : RF_AVAIL_MALFORMED, out);
    if (length == 0)
        return;
    const char *cursor = text, *end = text + length;
    out->load1_x100 = scan (&cursor, end, rf_text_scan_x100);
    out->load5_x100 = scan (&cursor, end, rf_text_scan_x100);
    out->load15_x100 = scan (&cursor, end, rf_text_scan_x100);
    if (!rf_counter_ok (out->load15_x100))
        return;
    out->running = scan (&cursor, end, rf_text_scan_uint64);
    if (cursor < end && *cursor == '/') {
        cursor++;
        out->tasks = scan (&cursor, end, rf_text_scan_uint64);
    }
}

void
rf_loadavg_read (RfSysroot *sysroot, RfLoadavg *out)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, "proc/loadavg", &length, &avail);
    if (text != NULL)
        rf_loadavg_parse (text, length, out);
    else
        rf_loadavg_missing (avail, out);
}
