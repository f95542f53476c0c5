#define G_LOG_DOMAIN "rf-health-line"

#include "config.h"

#include "rf-health.h"

#include <glib/gi18n.h>
#include <math.h>

#include "rf-tunable-text.h"

static char *
oom_line (const RfHealthInput *input, const char *period)
{
    /* Translators: %2$s is "the last minute" */
    return g_strdup_printf (ngettext ("Memory ran out: %1$.0f program was ended in %2$s",
                                      "Memory ran out: %1$.0f programs were ended in %2$s", (gulong)input->oom_kills),
                            input->oom_kills, period);
}

char *
rf_health_memory_line (const RfHealth *self, const RfHealthInput *input)
{
    g_autofree char *period = rf_health_period_text (input);
    g_autofree char *time = NULL;

    if (self->finding == RF_FINDING_LOOKING)
        return g_strdup (_ ("Memory: having a look…"));
    if (input->oom_kills > 0)
        return oom_line (input, period);
    if (self->memory == RF_HEALTH_CALM)
        return g_strdup (_ ("Memory: calm"));
    if (self->memory != RF_HEALTH_NOTICE && self->memory != RF_HEALTH_TROUBLE)
        return g_strdup (_ ("Memory: this kernel does not tell"));
    if (!(input->stalls >= 1)) {
        time = rf_format_duration (MAX (input->memory_some_s, input->memory_full_s));
        /* Translators: %1$s is a duration such as "4 s", %2$s is "the last minute" */
        return g_strdup_printf (_ ("Programs are waiting for memory: %1$s in %2$s"), time, period);
    }
    if (self->memory == RF_HEALTH_NOTICE)
        /* Translators: %2$s is "the last minute" */
        return g_strdup_printf (ngettext ("Programs wait for memory now and then: %1$.0f stall in %2$s",
                                          "Programs wait for memory now and then: %1$.0f stalls in %2$s",
                                          (gulong)input->stalls),
                                input->stalls, period);
    return g_strdup_printf (ngettext ("Programs are waiting for memory: %1$.0f stall in %2$s",
                                      "Programs are waiting for memory: %1$.0f stalls in %2$s", (gulong)input->stalls),
                            input->stalls, period);
}

static char *
disk_line (const RfHealth *self, const RfHealthInput *input)
{
    const RfHealthDisk *disk = &input->disk[self->worst_disk];
    g_autofree char *mean = rf_format_ms (disk->mean_ms);

    if (self->disks == RF_HEALTH_TROUBLE)
        /* Translators: %1$s a drive such as "nvme0n1", %2$s a duration such as "36 ms" */
        return g_strdup_printf (_ ("Programs are waiting for %1$s: a request takes %2$s on average"), disk->name, mean);
    /* Translators: %1$s a drive such as "nvme0n1", %2$s a duration such as "36 ms" */
    return g_strdup_printf (_ ("%1$s is slow at times: a request takes %2$s on average"), disk->name, mean);
}

static char *
swap_line (const RfHealth *self, const RfHealthInput *input)
{
    g_autofree char *used = NULL;
    g_autofree char *total = NULL;
    g_autofree char *rate = rf_format_bytes_per_s ((input->swap_in_bytes + input->swap_out_bytes) / input->seconds);

    if (self->swap == RF_HEALTH_TROUBLE)
        /* Translators: %s is a rate such as "12 MB/s" */
        return g_strdup_printf (_ ("Memory is shuffled in and out of swap: %s on average"), rate);
    if (!rf_health_swap_full (input))
        /* Translators: %s is a rate such as "12 MB/s" */
        return g_strdup_printf (_ ("Memory is fetched back from swap: %s on average"), rate);
    used = rf_format_bytes ((guint64)input->swap_used_bytes);
    total = rf_format_bytes ((guint64)input->swap_total_bytes);
    /* Translators: "Swap is nearly full: 7.6 GiB of 8.0 GiB used" */
    return g_strdup_printf (_ ("Swap is nearly full: %1$s of %2$s used"), used, total);
}

char *
rf_health_drives_line (const RfHealth *self, const RfHealthInput *input)
{
    const gboolean felt = self->disks == RF_HEALTH_TROUBLE || self->disks == RF_HEALTH_NOTICE;

    if (self->finding == RF_FINDING_LOOKING)
        return g_strdup (_ ("Drives: having a look…"));
    /* the graver of both; of two that are alike the drive, for the swap usually lies on it */
    if (felt && self->disks >= self->swap && self->worst_disk < input->n_disks)
        return disk_line (self, input);
    if (self->swap == RF_HEALTH_TROUBLE || self->swap == RF_HEALTH_NOTICE)
        return swap_line (self, input);
    if (self->disks == RF_HEALTH_CALM)
        return g_strdup (self->swap == RF_HEALTH_CALM ? _ ("Drives and swap: calm") : _ ("Drives: calm"));
    if (self->swap == RF_HEALTH_CALM)
        return g_strdup (_ ("Swap: calm"));
    return g_strdup (self->swap == RF_HEALTH_NONE ? _ ("No drive and no swap of its own here")
                                                  : _ ("Swap: this kernel does not tell"));
}

char *
rf_health_cpu_line (const RfHealth *self, const RfHealthInput *input)
{
    g_autofree char *period = rf_health_period_text (input);
    g_autofree char *busy = rf_measure_format (RF_MEASURE_RATIO, input->cpu_busy);
    g_autofree char *steal = rf_measure_format (RF_MEASURE_RATIO, input->cpu_steal);

    if (self->finding == RF_FINDING_LOOKING)
        return g_strdup (_ ("Processor: having a look…"));
    switch (self->cpu) {
    case RF_HEALTH_CALM:
        /* Translators: %s is a share such as "12 %" */
        return g_strdup_printf (_ ("Processor: calm, %s busy"), busy);
    case RF_HEALTH_NOTICE:
        /* Translators: %1$s is a share such as "97 %", %2$s is "the last minute" */
        return g_strdup_printf (_ ("The processor has hardly a free moment: %1$s busy in %2$s"), busy, period);
    case RF_HEALTH_TROUBLE:
        /* Translators: steal time; %1$s is a share such as "14 %", %2$s is "the last minute" */
        return g_strdup_printf (_ ("Other virtual machines take the processor away: %1$s in %2$s"), steal, period);
    case RF_HEALTH_NONE:
    case RF_HEALTH_UNKNOWN:
        break;
    }
    return g_strdup (_ ("Processor: this kernel does not tell"));
}
