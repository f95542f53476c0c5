#define G_LOG_DOMAIN "rf-format"
#include "config.h"

#include "rf-tunable-text.h"

#include <math.h>

#include <glib/gi18n.h>

/* Printf follows the locale that setlocale() chose: decimal comma, grouping of thousands. Only what is shown to a
 * person goes through here; what is read from the kernel never does. */

/* A number with as many decimals as it needs, at most @decimals: 8 and not 8.0, 0.62 and not 0.6200. */
static char *
number_text (double value, int decimals)
{
    double scale = 1;
    int needed = 0;
    while (needed < decimals && fabs (value * scale - round (value * scale)) > 1e-9 * fmax (1, fabs (value * scale))) {
        scale *= 10;
        needed++;
    }
    return g_strdup_printf ("%'.*f", needed, value);
}

/* Live numbers: one decimal below ten, so that a small value can be told from zero and a large one does not flicker.
 * An exact number stays exact. */
static char *
rounded_text (double value)
{
    return value < 9.95 ? number_text (round (value * 10) / 10, 1) : g_strdup_printf ("%'.0f", value);
}

/* Memory: three digits are enough to compare, and an exact size stays exact: 1.4 GiB, 15.6 GiB, 150 MiB, 8 GiB. */
static char *
size_text (double value)
{
    return value < 99.95 ? number_text (round (value * 10) / 10, 1) : g_strdup_printf ("%'.0f", value);
}

char *
rf_format_bytes (guint64 bytes)
{
    /* TRANSLATORS: binary units of memory */
    static const char *const units[] = {N_ ("B"), N_ ("KiB"), N_ ("MiB"), N_ ("GiB"), N_ ("TiB")};
    double value = (double)bytes;
    guint unit = 0;
    while (value >= 1023.5 && unit + 1 < G_N_ELEMENTS (units)) {
        value /= 1024;
        unit++;
    }
    g_autofree char *number = unit >= 3 ? size_text (value) : rounded_text (value);
    /* TRANSLATORS: a number and its unit */
    return g_strdup_printf (C_ ("size", "%s %s"), number, _ (units[unit]));
}

char *
rf_format_disk_bytes (guint64 bytes)
{
    /* TRANSLATORS: decimal units, as drives are sold */
    static const char *const units[] = {N_ ("B"), N_ ("kB"), N_ ("MB"), N_ ("GB"), N_ ("TB")};
    double value = (double)bytes;
    guint unit = 0;
    while (value >= 999.5 && unit + 1 < G_N_ELEMENTS (units)) {
        value /= 1000;
        unit++;
    }
    g_autofree char *number = rounded_text (value);
    /* TRANSLATORS: a number and its unit */
    return g_strdup_printf (C_ ("size", "%s %s"), number, _ (units[unit]));
}

char *
rf_format_bytes_per_s (double bytes)
{
    /* TRANSLATORS: decimal units, as drives are sold */
    static const char *const units[] = {N_ ("B/s"), N_ ("kB/s"), N_ ("MB/s"), N_ ("GB/s")};
    guint unit = 0;
    if (isnan (bytes))
        return g_strdup (_ ("not available"));
    while (bytes >= 999.5 && unit + 1 < G_N_ELEMENTS (units)) {
        bytes /= 1000;
        unit++;
    }
    g_autofree char *number = unit == 0 ? g_strdup_printf ("%'.0f", bytes) : rounded_text (bytes);
    /* TRANSLATORS: a number and its unit */
    return g_strdup_printf (C_ ("size", "%s %s"), number, _ (units[unit]));
}

char *
rf_format_per_s (double value)
{
    if (isnan (value))
        return g_strdup (_ ("not available"));
    g_autofree char *number = rounded_text (value);
    /* TRANSLATORS: how often something happens per second */
    return g_strdup_printf (_ ("%s /s"), number);
}

char *
rf_format_percent (double ratio)
{
    if (isnan (ratio))
        return g_strdup (_ ("not available"));
    double percent = ratio * 100;
    if (percent > 0 && percent < 0.05) {
        g_autofree char *least = number_text (0.1, 1);
        /* TRANSLATORS: a share that is smaller than the number, but not zero */
        return g_strdup_printf (_ ("< %s %%"), least);
    }
    g_autofree char *number = rounded_text (percent);
    return g_strdup_printf (_ ("%s %%"), number);
}

char *
rf_format_ms (double ms)
{
    if (isnan (ms))
        return g_strdup (_ ("not available"));
    if (ms >= 10000) {
        /* nobody reads five figures of milliseconds */
        g_autofree char *seconds = number_text (round (ms / 100) / 10, 1);
        /* TRANSLATORS: seconds */
        return g_strdup_printf (_ ("%s s"), seconds);
    }
    g_autofree char *number = ms < 1 ? number_text (round (ms * 100) / 100, 2) : rounded_text (ms);
    /* TRANSLATORS: milliseconds */
    return g_strdup_printf (_ ("%s ms"), number);
}

char *
rf_format_duration (double seconds)
{
    if (isnan (seconds))
        return g_strdup (_ ("not available"));
    if (seconds < 60) {
        g_autofree char *number = number_text (round (seconds * 100) / 100, 2);
        /* TRANSLATORS: seconds */
        return g_strdup_printf (_ ("%s s"), number);
    }
    /* plain unsigned, because a format macro inside a translated string would hide it from xgettext */
    guint whole = seconds < G_MAXUINT ? (guint)llround (seconds) : G_MAXUINT;
    guint hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
    if (hours > 0 && minutes == 0)
        /* TRANSLATORS: hours */
        return g_strdup_printf (_ ("%u h"), hours);
    if (hours > 0)
        /* TRANSLATORS: hours and minutes */
        return g_strdup_printf (_ ("%u h %u min"), hours, minutes);
    if (rest == 0)
        /* TRANSLATORS: minutes */
        return g_strdup_printf (_ ("%u min"), minutes);
    /* TRANSLATORS: minutes and seconds */
    return g_strdup_printf (_ ("%u min %u s"), minutes, rest);
}

char *
rf_measure_format (RfMeasure measure, double value)
{
    g_autofree char *number = NULL;
    if (isnan (value))
        return g_strdup (_ ("not available"));
    switch (measure) {
    case RF_MEASURE_PER_SECOND:
        return rf_format_per_s (value);
    case RF_MEASURE_PAGES_PER_SECOND:
        number = rounded_text (value);
        /* TRANSLATORS: memory pages per second */
        return g_strdup_printf (_ ("%s pages/s"), number);
    case RF_MEASURE_BYTES:
        return rf_format_bytes (value > 0 ? (guint64)value : 0);
    case RF_MEASURE_BYTES_PER_SECOND:
        return rf_format_bytes_per_s (value);
    case RF_MEASURE_RATIO:
        return rf_format_percent (value);
    case RF_MEASURE_COUNT:
        return g_strdup_printf ("%'.0f", value);
    case RF_MEASURE_PLAIN:
    default:
        return number_text (round (value * 100) / 100, 2);
    }
}
