#define G_LOG_DOMAIN "rf-health-text"

#include "config.h"

#include "rf-health.h"

#include <glib/gi18n.h>
#include <math.h>

#include "rf-tunable-text.h"

char *
rf_health_period_text (const RfHealthInput *input)
{
    const guint seconds = (guint)round (input->seconds);
    const guint minutes = (guint)round (input->seconds / 60);

    if (seconds < 55)
        /* Translators: always used after the word "in" */
        return g_strdup_printf (ngettext ("the last second", "the last %u seconds", seconds), seconds);
    /* Translators: always used after the word "in" */
    return g_strdup_printf (ngettext ("the last minute", "the last %u minutes", minutes), minutes);
}

const char *
rf_health_headline (const RfHealth *self)
{
    switch (self->finding) {
    case RF_FINDING_OOM:
        return _ ("Memory ran out and a program was ended");
    case RF_FINDING_THRASHING:
        return _ ("Memory is shuffled in and out of swap");
    case RF_FINDING_STALLS:
        return _ ("Programs are waiting for memory");
    case RF_FINDING_SLOW_DISK:
        return _ ("Programs are waiting for a drive");
    case RF_FINDING_FEW_STALLS:
        return _ ("Programs wait for memory now and then");
    case RF_FINDING_SLOW_AT_TIMES:
        return _ ("A drive is slow at times");
    case RF_FINDING_SWAP_FULL:
        return _ ("Swap is nearly full");
    case RF_FINDING_CALM:
        return _ ("Everything is calm");
    case RF_FINDING_LOOKING:
        return _ ("Having a look…");
    case RF_FINDING_UNKNOWN:
        return _ ("This kernel does not tell");
    }
    g_return_val_if_reached ("");
}

static char *
stalls_detail (const RfHealthInput *input, const char *period)
{
    g_autofree char *time = NULL;

    if (!(input->stalls >= 1)) {
        time = rf_format_duration (input->memory_some_s);
        /* Translators: %1$s is "the last 5 minutes", %2$s a duration such as "4 s" */
        return g_strdup_printf (_ ("In %1$s, programs spent %2$s waiting for memory. That is felt as stutter."), period,
                                time);
    }
    if (!(input->memory_some_s >= 0.05))
        return g_strdup_printf (ngettext ("In %1$s, programs had to stop %2$.0f time because the kernel was clearing "
                                          "memory for them. That is felt as stutter.",
                                          "In %1$s, programs had to stop %2$.0f times because the kernel was clearing "
                                          "memory for them. That is felt as stutter.",
                                          (gulong)input->stalls),
                                period, input->stalls);
    time = rf_format_duration (input->memory_some_s);
    return g_strdup_printf (
        ngettext ("In %1$s, programs had to stop %2$.0f time because the kernel was clearing memory "
                  "for them, for %3$s in all. That is felt as stutter.",
                  "In %1$s, programs had to stop %2$.0f times because the kernel was clearing memory "
                  "for them, for %3$s in all. That is felt as stutter.",
                  (gulong)input->stalls),
        period, input->stalls, time);
}

static char *
disk_detail (const RfHealth *self, const RfHealthInput *input, const char *period)
{
    const RfHealthDisk *disk = &input->disk[self->worst_disk];
    g_autofree char *mean = rf_format_ms (disk->mean_ms);
    g_autofree char *worst = rf_format_ms (disk->worst_ms);

    /* Translators: %1$s "the last 5 minutes", %2$s a drive such as "nvme0n1", %3$s and %4$s durations such as "36 ms"
     */
    return g_strdup_printf (_ ("In %1$s, requests to %2$s took %3$s on average and %4$s in the slowest second. Whoever "
                               "waits for a file waits with them."),
                            period, disk->name, mean, worst);
}

char *
rf_health_detail (const RfHealth *self, const RfHealthInput *input)
{
    g_autofree char *period = rf_health_period_text (input);
    g_autofree char *in = NULL;
    g_autofree char *out = NULL;

    switch (self->finding) {
    case RF_FINDING_OOM:
        return g_strdup_printf (
            _ ("In %s, the kernel had to end a program because no memory was left. Tuning cannot make "
               "memory; close what you do not need."),
            period);
    case RF_FINDING_THRASHING:
        in = rf_format_bytes_per_s (input->swap_in_bytes / input->seconds);
        out = rf_format_bytes_per_s (input->swap_out_bytes / input->seconds);
        return g_strdup_printf (_ ("In %1$s, %2$s were fetched back from swap while %3$s went out to it, and programs "
                                   "stood still meanwhile. There is too little memory for what is open."),
                                period, in, out);
    case RF_FINDING_STALLS:
    case RF_FINDING_FEW_STALLS:
        return stalls_detail (input, period);
    case RF_FINDING_SLOW_DISK:
    case RF_FINDING_SLOW_AT_TIMES:
        return disk_detail (self, input, period);
    case RF_FINDING_SWAP_FULL:
        return g_strdup (_ ("When the rest is used up as well, the kernel has to end programs."));
    case RF_FINDING_CALM:
        return g_strdup_printf (
            _ ("In %s, no program had to wait noticeably for memory, and the drives answered quickly. "
               "There is nothing that needs to be changed."),
            period);
    case RF_FINDING_LOOKING:
        return g_strdup (_ ("Ruckelfrei has only just started to watch. In a few seconds it can say more."));
    case RF_FINDING_UNKNOWN:
        return g_strdup (
            _ ("It shows neither how often programs waited for memory nor for how long, so nothing can be said "
               "about stutter here."));
    }
    g_return_val_if_reached (NULL);
}

const char *
rf_health_memory_word (const RfHealth *self)
{
    switch (self->memory) {
    case RF_HEALTH_CALM:
        return C_ ("memory", "calm");
    case RF_HEALTH_NOTICE:
        return C_ ("memory", "a few waits");
    case RF_HEALTH_TROUBLE:
        return C_ ("memory", "waits");
    case RF_HEALTH_NONE:
    case RF_HEALTH_UNKNOWN:
        break;
    }
    return "…";
}

const char *
rf_health_disks_word (const RfHealth *self)
{
    switch (self->disks) {
    case RF_HEALTH_CALM:
        return C_ ("drives", "calm");
    case RF_HEALTH_NOTICE:
        return C_ ("drives", "slow at times");
    case RF_HEALTH_TROUBLE:
        return C_ ("drives", "slow");
    case RF_HEALTH_NONE:
        return C_ ("drives", "none");
    case RF_HEALTH_UNKNOWN:
        break;
    }
    return "…";
}

const char *
rf_health_swap_word (const RfHealth *self)
{
    switch (self->swap) {
    case RF_HEALTH_CALM:
        return C_ ("swap", "calm");
    case RF_HEALTH_NOTICE:
        return self->finding == RF_FINDING_SWAP_FULL ? C_ ("swap", "nearly full") : C_ ("swap", "in use");
    case RF_HEALTH_TROUBLE:
        return C_ ("swap", "overloaded");
    case RF_HEALTH_NONE:
        return C_ ("swap", "none");
    case RF_HEALTH_UNKNOWN:
        break;
    }
    return "…";
}

char *
rf_health_memory_text (const RfHealth *self, const RfHealthInput *input)
{
    switch (self->memory) {
    case RF_HEALTH_CALM:
        return g_strdup (_ ("Free memory stays above the reserve; nobody has to wait."));
    case RF_HEALTH_NOTICE:
    case RF_HEALTH_TROUBLE:
        if (input->stalls >= 1)
            return g_strdup_printf (ngettext ("Free memory fell onto the reserve; %.0f wait for it.",
                                              "Free memory keeps falling onto the reserve; %.0f waits for it.",
                                              (gulong)input->stalls),
                                    input->stalls);
        return g_strdup (_ ("Programs wait for memory."));
    case RF_HEALTH_NONE:
    case RF_HEALTH_UNKNOWN:
        break;
    }
    return g_strdup (self->finding == RF_FINDING_LOOKING ? _ ("Having a look…") : _ ("The kernel does not tell."));
}

char *
rf_health_disks_text (const RfHealth *self, const RfHealthInput *input)
{
    g_autofree char *mean = NULL;

    if (self->finding == RF_FINDING_LOOKING)
        return g_strdup (_ ("Having a look…"));
    if (self->disks == RF_HEALTH_NONE)
        return g_strdup (_ ("There is no drive of its own here."));
    if (self->worst_disk == G_MAXUINT)
        return g_strdup (_ ("Nothing was read or written."));
    mean = rf_format_ms (input->disk[self->worst_disk].mean_ms);
    /* Translators: %1$s a drive such as "nvme0n1", %2$s a duration such as "36 ms" */
    return g_strdup_printf (_ ("Requests to %1$s take %2$s on average."), input->disk[self->worst_disk].name, mean);
}

char *
rf_health_swap_text (const RfHealth *self, const RfHealthInput *input)
{
    g_autofree char *used = NULL;
    g_autofree char *total = NULL;
    g_autofree char *rate = NULL;

    if (input->swap_total_bytes == 0)
        return g_strdup (_ ("There is no swap on this computer."));
    if (self->finding == RF_FINDING_LOOKING)
        return g_strdup (_ ("Having a look…"));
    if (isnan (input->swap_total_bytes) || isnan (input->swap_used_bytes))
        return g_strdup (_ ("The kernel does not tell."));
    used = rf_format_bytes ((guint64)input->swap_used_bytes);
    total = rf_format_bytes ((guint64)input->swap_total_bytes);
    if (!(input->swap_in_bytes + input->swap_out_bytes > 0))
        /* Translators: swap: "2.1 GiB of 8 GiB used, no traffic." */
        return g_strdup_printf (_ ("%1$s of %2$s used, no traffic."), used, total);
    rate = rf_format_bytes_per_s ((input->swap_in_bytes + input->swap_out_bytes) / input->seconds);
    return g_strdup_printf (_ ("%1$s of %2$s used, %3$s of traffic on average."), used, total, rate);
}

char *
rf_health_instead (const RfHealth *self, const RfHealthInput *input, const RfFacts *facts)
{
    const char *name = NULL;

    if (self->finding >= RF_FINDING_CALM || rf_health_needs_tuning (self, input, facts))
        return NULL;
    name = input->disk[self->worst_disk].name;
    if (input->disk[self->worst_disk].rotational)
        /* Translators: %s is the name of a drive such as "sda" */
        return g_strdup_printf (_ ("%s is a rotating drive, and Ruckelfrei leaves its queue as it is: no setting makes it "
                                   "fast. What helps is to keep the system, programs and swap on a flash drive and to copy "
                                   "large files when nobody waits."),
                                name);
    /* Translators: %s is the name of a drive such as "sda" */
    return g_strdup_printf (_ ("%s is not an NVMe drive, and Ruckelfrei leaves its queue as it is. What can help is free "
                               "space on it, a weekly TRIM (fstrim.timer), swap on another drive, and one large copy at a "
                               "time."),
                            name);
}
