/* Two snapshots out of one text: what stands before the first byte 1 and what stands behind it, each read as every
 * file at once, an interval from the length. Nothing may come out that a graph could not draw. */
#include "rf-fuzz.h"

#include <math.h>
#include <string.h>

#include "rf-loadavg.h"
#include "rf-sample.h"

static RfSnapshot *
snapshot (const char *text, gsize size, gint64 monotonic_us)
{
    RfSnapshot *self = g_new0 (RfSnapshot, 1);
    RfZramStat zram;
    RfLoadavg load;
    self->monotonic_us = monotonic_us;
    self->page_size = 4096;
    rf_vmstat_parse (text, size, &self->vmstat);
    rf_meminfo_parse (text, size, &self->meminfo);
    rf_zoneinfo_parse (text, size, &self->zoneinfo);
    rf_pressure_parse (text, size, &self->pressure_memory);
    rf_pressure_parse (text, size, &self->pressure_io);
    rf_pressure_parse (text, size, &self->pressure_cpu);
    rf_diskstats_parse (text, size, &self->diskstats);
    rf_cpu_stat_parse (text, size, &self->cpu);
    rf_interrupts_parse (text, size, &self->interrupts);
    rf_loadavg_parse (text, size, &load);
    self->load1_x100 = load.load1_x100;
    rf_zram_stat_parse (text, size, &zram);
    rf_zram_totals_init (&self->zram);
    rf_zram_totals_add (&self->zram, zram.mem_limit, &zram);
    return self;
}

static void
check_number (double value, gboolean there, double max)
{
    g_assert_cmpint (isnan (value) == 0, ==, there);
    g_assert_true (!there || (value >= 0 && value <= max));
}

static void
check_sample (const RfSample *sample)
{
    for (guint i = 0; i < RF_N_COLUMNS; i++) {
        double max = rf_column_info (i)->measure == RF_MEASURE_RATIO ? 1 : G_MAXDOUBLE;
        check_number (sample->value[i], sample->avail[i] == RF_AVAIL_OK, max);
    }
    for (guint i = 0; i < sample->disks->len; i++) {
        const RfDiskSample *disk = &g_array_index (sample->disks, RfDiskSample, i);
        gboolean there = disk->avail == RF_AVAIL_OK;
        check_number (disk->read_iops, there, G_MAXDOUBLE);
        check_number (disk->write_iops, there, G_MAXDOUBLE);
        check_number (disk->read_bytes_per_s, there, G_MAXDOUBLE);
        check_number (disk->write_bytes_per_s, there, G_MAXDOUBLE);
        check_number (disk->utilisation, there, 1);
        check_number (disk->read_latency_ms, there && disk->read_iops > 0, G_MAXDOUBLE);
        check_number (disk->write_latency_ms, there && disk->write_iops > 0, G_MAXDOUBLE);
        g_assert_true (isnan (disk->in_flight) || disk->in_flight >= 0);
        if (i > 0)
            g_assert_cmpstr (disk[-1].name, <, disk->name);
    }
}

RF_FUZZ (data, size)
{
    const char *split = size > 0 ? memchr (data, 1, size) : NULL;
    gsize first = split != NULL ? (gsize)(split - data) : size;
    gsize rest = split != NULL ? first + 1 : size;
    gint64 interval_us = (gint64)(size % 7) * G_USEC_PER_SEC / 2;
    g_autoptr (RfSnapshot) before = snapshot (data, first, G_USEC_PER_SEC);
    g_autoptr (RfSnapshot) now = snapshot (data + rest, size - rest, G_USEC_PER_SEC + interval_us);
    g_autoptr (RfSample) start = rf_sample_derive (NULL, before);
    g_autoptr (RfSample) next = rf_sample_derive (before, now);
    check_sample (start);
    check_sample (next);
}
