#define G_LOG_DOMAIN "rf-recommendation-text"
#include "config.h"

#include "rf-tunable-text.h"

#include <glib/gi18n.h>

static const struct {
    const char *title;
    const char *explanation;
} presets[] = {
    [RF_PRESET_MACHINE] = {N_ ("For this machine"),
                           N_ ("Computed from this system's memory, drives and swap. Only what measurements support is "
                               "ticked; everything else is yours to decide.")},
    [RF_PRESET_CASE_STUDY]
    = {N_ ("Case study (X-Plane, 94 GiB: one machine's values)"),
       N_ ("The values with which one person removed stutter from a flight simulator on a machine "
           "with 94 GiB of memory. They are cut to what is sane here. What helped there need "
           "not help here.")},
    [RF_PRESET_AUDIO] = {N_ ("Low-latency audio"),
                         N_ ("The proposal for this machine, and small limits for data that waits to be written, so "
                             "that no large write storm gets in the way of recording. Copying large files gets "
                             "slower. The effect on audio has not been measured.")},
};
G_STATIC_ASSERT (G_N_ELEMENTS (presets) == RF_N_PRESETS);

const char *
rf_preset_title (RfPreset preset)
{
    g_return_val_if_fail ((guint)preset < RF_N_PRESETS, "");
    return _ (presets[preset].title);
}

const char *
rf_preset_explanation (RfPreset preset)
{
    g_return_val_if_fail ((guint)preset < RF_N_PRESETS, "");
    return _ (presets[preset].explanation);
}

const char *
rf_verdict_text (RfVerdict verdict)
{
    switch (verdict) {
    case RF_VERDICT_RECOMMENDED:
        return C_ ("verdict", "recommended");
    case RF_VERDICT_OPTIONAL:
        return C_ ("verdict", "optional");
    case RF_VERDICT_TRY:
        return C_ ("verdict", "worth trying, measure it");
    case RF_VERDICT_FINE:
        return C_ ("verdict", "fine as it is");
    case RF_VERDICT_EXPERT:
        return C_ ("verdict", "for experts");
    case RF_VERDICT_REFUSED:
        return C_ ("verdict", "not for this machine");
    case RF_N_VERDICTS:
    default:
        g_return_val_if_reached ("");
    }
}

/* Reasons without numbers. Those with numbers have a function below and are NULL here. */
static const char *const reasons[RF_N_REASONS] = {
    [RF_WHY_NONE] = N_ ("There is nothing to say about this setting here."),
    [RF_WHY_HEAD_START] = NULL,
    [RF_WHY_HEAD_START_ENOUGH] = NULL,
    [RF_WHY_LEFT_ALONE] = N_ ("Not needed: the distance at which clearing starts gives the same head start for about a "
                              "quarter of the memory."),
    [RF_WHY_WRITE_STORM] = NULL,
    [RF_WHY_LIMIT_ALREADY_LOW] = NULL,
    [RF_WHY_DEFAULT_IS_FINE] = N_ ("This value is sensible; no other has been shown to be better."),
    [RF_WHY_SCHEDULER_ALREADY] = N_ ("The drive already sorts its requests by itself; there is nothing to change."),
    [RF_WHY_SCHEDULER_TRY] = N_ ("This NVMe drive can sort its requests by itself. Without a scheduler some processor "
                                 "time is saved; whether you notice it depends on the drive and the work."),
    [RF_WHY_WBT_PROTECTS]
    = N_ ("Write throttling protects reading from write storms. Switching it off can make stutter "
          "worse, so it is never proposed."),
    [RF_WHY_NO_NVME] = N_ ("This system has no NVMe drive whose queue may be changed. Drives on SATA, rotating and "
                           "zoned drives are left as they are."),
    [RF_WHY_ZRAM_TRY] = N_ ("Swap lies on the same drive as your files, so swapping and reading get in each other's "
                            "way. Compressed swap in memory takes the swapping off the drive."),
    [RF_WHY_ZRAM_NOT_NEEDED] = N_ ("Swap does not lie on the drive with your files, so compressed swap in memory has "
                                   "nothing to take off it."),
    [RF_WHY_ZRAM_NO_SWAP] = N_ ("This system has no swap, so no swapping disturbs the drive."),
    [RF_WHY_ZRAM_FOREIGN]
    = N_ ("Another program already manages compressed swap here. Ruckelfrei does not touch it and "
          "adds no second one."),
    [RF_WHY_ZRAM_HIBERNATION]
    = N_ ("This system is set up for hibernation, which needs the swap on the drive. Compressed "
          "swap in front of it can make hibernation fail."),
    [RF_WHY_ZRAM_MEMORY]
    = N_ ("There is not enough memory for it: what compresses badly would take away the very memory "
          "it is meant to save."),
    [RF_WHY_ZRAM_CORES]
    = N_ ("This system has too few processor cores for it. On two cores it raised the time in which "
          "everything waits for memory in all our measurements."),
    [RF_WHY_ZRAM_MODULE] = N_ ("This kernel does not offer compressed swap in memory."),
    [RF_WHY_PAGE_CLUSTER_ZRAM] = N_ ("All swap is compressed swap in memory. Fetching neighbouring pages along costs "
                                     "processor time there and saves no waiting."),
    [RF_WHY_PAGE_CLUSTER_DISK]
    = N_ ("Swap lies on a drive, at least in part. Fetching neighbouring pages along saves waiting there."),
    [RF_WHY_SWAPPINESS_BOTH]
    = N_ ("All swap is compressed swap in memory. One school says 180: swapping is cheap now, so "
          "spare the page cache. The other says 1: compressing costs processor time, so swap "
          "only when nothing else is left, and then compressed swap is hardly used. Neither "
          "is right for everybody."),
    [RF_WHY_NO_SWAP] = N_ ("This system has no swap, so the setting has no effect."),
    [RF_WHY_BOOST]
    = N_ ("This extra clearing helps large memory pages. Old guides switch it off for a wrong reason, and "
          "no gain has been shown."),
    [RF_WHY_READAHEAD_RULES]
    = N_ ("This is the layer that decides how much is read in advance. Its value is sensible; a "
          "larger one helps only when large files are read from beginning to end."),
    [RF_WHY_READAHEAD_BELOW]
    = N_ ("A layer above this drive (encryption, LVM, RAID or btrfs) decides how much is read in "
          "advance; changing it here would have no effect on files."),
    [RF_WHY_NO_STUTTER_EFFECT]
    = N_ ("Old guides list this setting, but no effect on stutter has been shown. It is best "
          "left alone."),
    [RF_WHY_PRESET] = N_ ("Part of the chosen set of values."),
    [RF_WHY_PRESET_CLAMPED] = N_ ("Part of the chosen set of values, but cut to what is sane on this system."),
    [RF_WHY_32BIT]
    = N_ ("On a 32-bit system the kernel can use only part of the memory for itself, and such changes can "
          "end programs. Ruckelfrei changes nothing here."),
    [RF_WHY_CONTAINER]
    = N_ ("This system runs in a container or may not change kernel settings; they belong to the host "
          "and can only be changed there."),
    [RF_WHY_UNAVAILABLE] = NULL,
    [RF_WHY_SWAPPINESS_DISK]
    = N_ ("Swap lies on a drive. A lower value brought no gain in our measurements, and values "
          "above 100 make sense only with compressed swap in memory."),
    [RF_WHY_READAHEAD_HUGE]
    = N_ ("This value is larger than anything that makes sense; some drives report a wrong number "
          "from which the kernel computes it. Reading far too much in advance fills the page "
          "cache with data nobody asked for."),
    [RF_WHY_ZRAM_OURS] = N_ ("Ruckelfrei has set this up. It can be taken back under Changes."),
    [RF_WHY_ZRAM_OFF]
    = N_ ("Compressed swap is switched off for each start with “systemd.zram=0” on the kernel’s command line, so it would be "
          "gone after the next one. Take that out first if you want it."),
    [RF_WHY_ZRAM_ZSWAP]
    = N_ ("The kernel already compresses what goes to swap (zswap). Two layers of compression get in "
          "each other's way."),
    [RF_WHY_LIMIT_UNKNOWN] = N_ ("The limit that is in force now cannot be read, so it cannot be told whether another "
                                 "value would be lower."),
};

static char *
head_start_reason (const RfRecommendation *row)
{
    g_autofree char *target = rf_format_bytes (row->target_bytes);
    if (row->evidence_bytes == 0)
        return g_strdup_printf (_ ("The kernel should begin to clear memory about %s before programs have to wait."),
                                target);
    g_autofree char *now = rf_format_bytes (row->evidence_bytes);
    if (row->why == RF_WHY_HEAD_START_ENOUGH)
        return g_strdup_printf (
            _ ("The kernel begins to clear memory %s before programs have to wait. That is enough."), now);
    /* the measurement behind it: every set of values with such a distance had under 1 % of the stalls */
    return g_strdup_printf (
        _ ("The kernel begins to clear memory only %s before programs have to wait; about %s bridge "
           "a burst. In our measurements fewer than one in a hundred waits for memory were left."),
        now, target);
}

static char *
write_reason (const RfRecommendation *row)
{
    g_autofree char *now = rf_format_bytes (row->evidence_bytes);
    g_autofree char *target = rf_format_bytes (row->target_bytes);
    gboolean background = g_str_equal (row->tunable->id, "vm.dirty_background");
    if (row->why == RF_WHY_LIMIT_ALREADY_LOW)
        return g_strdup_printf (_ ("The limit in force is %s, which is already low enough."), now);
    if (background)
        return g_strdup_printf (_ ("Writing back now starts at %s. %s is about what the drive writes in one second, so "
                                   "that less is written in one go."),
                                now, target);
    return g_strdup_printf (
        _ ("Up to %s may wait to be written now. %s is about what the drive writes in five seconds, "
           "which limits how long a write storm lasts."),
        now, target);
}

char *
rf_recommendation_reason (const RfRecommendation *row)
{
    g_return_val_if_fail ((guint)row->why < RF_N_REASONS, g_strdup (""));
    switch (row->why) {
    case RF_WHY_HEAD_START:
    case RF_WHY_HEAD_START_ENOUGH:
        return head_start_reason (row);
    case RF_WHY_WRITE_STORM:
    case RF_WHY_LIMIT_ALREADY_LOW:
        return write_reason (row);
    case RF_WHY_UNAVAILABLE:
        if (row->detail == NULL)
            return g_strdup (_ ("This setting is not available on this system."));
        /* TRANSLATORS: %s is an untranslated detail from the kernel */
        return g_strdup_printf (_ ("This setting is not available on this system (%s)."), row->detail);
    default:
        return g_strdup (_ (reasons[row->why]));
    }
}

char *
rf_recommendation_cost (const RfRecommendation *row)
{
    g_autofree char *bytes = NULL;
    switch (row->cost) {
    case RF_COST_MEMORY:
        bytes = rf_format_bytes (row->cost_bytes);
        if (g_str_equal (row->tunable->id, "vm.watermark_scale_factor"))
            return g_strdup_printf (
                _ ("About %s more memory is kept free, up to twice that for moments. Under pressure "
                   "somewhat more is swapped out and written to the drive."),
                bytes);
        return g_strdup_printf (_ ("About %s more memory is kept free all the time."), bytes);
    case RF_COST_THROUGHPUT:
        return g_strdup (
            _ ("Copying large files may show a lower speed, and programs that write much may be slowed down "
               "earlier."));
    case RF_COST_LATENCY_UNDER_SWAP:
        return g_strdup (_ ("On two cores all four kinds of compressed swap we measured raised the time in which "
                            "everything waits for memory 4.6 to 6.6 fold. It takes memory and processor time."));
    case RF_COST_POWER_CUT:
        return g_strdup (_ ("More unsaved data may be lost at a power cut."));
    case RF_COST_CPU:
        return g_strdup (_ ("It costs processor time."));
    case RF_COST_NONE:
    case RF_N_COSTS:
    default:
        return NULL;
    }
}

char *
rf_recommendation_doubt (const RfRecommendation *row)
{
    switch (row->doubt) {
    case RF_DOUBT_ONE_MACHINE:
        return g_strdup (_ ("This comes from measurements on one machine. Whether it holds here, only a measurement "
                            "here can tell."));
    case RF_DOUBT_NO_EFFECT_SHOWN:
        return g_strdup (_ ("An effect on stutter has not been shown. Measure before and after."));
    case RF_DOUBT_DISPUTED:
        return g_strdup (_ ("Experienced people disagree about this."));
    case RF_DOUBT_DRIVE_SPEED:
        return g_strdup (
            _ ("The speed of the drive was assumed from its kind, not measured. When memory is tight, a fixed "
               "amount can be more than the share the kernel would have allowed."));
    case RF_DOUBT_BTRFS:
        return g_strdup (
            _ ("On btrfs so small a limit has slowed writing down badly for some people. Try copying a large "
               "file during the trial."));
    case RF_DOUBT_NONE:
    case RF_N_DOUBTS:
    default:
        return NULL;
    }
}
