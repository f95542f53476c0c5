#define G_LOG_DOMAIN "rf-check-drives"
#include "config.h"

#include "rf-check-private.h"

#include <glib/gi18n.h>

#include "rf-text.h"
#include "rf-tunable-text.h"

#define GIB (G_GUINT64_CONSTANT (1) << 30)
/* a tenth of a large drive is much room: full is what has neither */
#define FULL_FREE_BYTES (50 * GIB)
#define FULL_FREE_PERCENT 10
#define FULL_ALWAYS_PERCENT 3
#define METADATA_PERCENT 90
/* what is lost at a power cut, seconds; the file systems' own are 5 and 30 */
#define COMMIT_MAX_S 60
/* drivers/nvme/host/core.c: default_ps_max_latency_us */
#define SLEEP_DEFAULT_US 100000
/* waking up within this is not felt as stutter */
#define SLEEP_SHORT_US 10000

static gboolean
is_full (const RfSpace *space)
{
    guint64 size = space->size.value, free_bytes = space->available.value;
    return free_bytes < size / 100 * FULL_ALWAYS_PERCENT
           || (free_bytes < size / 100 * FULL_FREE_PERCENT && free_bytes < FULL_FREE_BYTES);
}

static char *
space_text (const RfSpace *space)
{
    g_autofree char *target = rf_text_printable (space->target);
    g_autofree char *available = rf_format_bytes (space->available.value);
    g_autofree char *size = rf_format_bytes (space->size.value);
    /* TRANSLATORS: a file system: "/home: 12 GiB of 400 GiB free" */
    return g_strdup_printf (_ ("%1$s: %2$s of %3$s free."), target, available, size);
}

void
rf_check_space (const RfCheckInput *in, RfCheckResult *out)
{
    const RfSpace *fullest = NULL;
    char *full = NULL;
    for (guint i = 0; i < in->around->spaces->len; i++) {
        const RfSpace *space = in->around->spaces->pdata[i];
        if (!rf_counter_ok (space->size) || !rf_counter_ok (space->available) || space->size.value == 0)
            continue;
        if (is_full (space))
            rf_check_add_line (&full, space_text (space));
        if (fullest == NULL
            || (double)space->available.value / (double)space->size.value
                   < (double)fullest->available.value / (double)fullest->size.value)
            fullest = space;
    }
    if (full != NULL) {
        rf_check_say_look (out, _ ("A file system is nearly full"), full,
                           _ ("Make room. Nearly full file systems and drives become slow, whatever is set."));
    } else if (fullest == NULL) {
        rf_check_say_unknown (out, g_strdup (_ ("No file system could be asked how full it is.")));
    } else {
        g_autofree char *text = space_text (fullest);
        rf_check_say_fine (out, g_strdup_printf (_ ("There is room everywhere. The fullest is %s"), text));
    }
}

void
rf_check_btrfs (const RfCheckInput *in, RfCheckResult *out)
{
    char *full = NULL, *fine = NULL, *unclear = NULL;
    const char *target = NULL;
    if (in->around->mounts_avail != RF_AVAIL_OK)
        unclear = g_strdup (_ ("What is mounted cannot be read."));
    for (guint i = 0; i < in->around->spaces->len; i++) {
        const RfSpace *space = in->around->spaces->pdata[i];
        if (!g_str_equal (space->type, "btrfs"))
            continue;
        g_autofree char *name = rf_text_printable (space->target);
        if (!rf_counter_ok (space->metadata_size) || !rf_counter_ok (space->metadata_used)
            || space->metadata_size.value == 0) {
            rf_check_add_line (&unclear, g_strdup_printf (_ ("%s: btrfs does not tell."), name));
            continue;
        }
        double ratio = (double)space->metadata_used.value / (double)space->metadata_size.value;
        gboolean is_tight = ratio * 100 > METADATA_PERCENT;
        g_autofree char *used = rf_format_percent (ratio);
        g_autofree char *size = rf_format_bytes (space->metadata_size.value);
        rf_check_add_line (is_tight ? &full : &fine,
                           g_strdup_printf (_ ("%1$s: %2$s of %3$s for metadata are used."), name, used, size));
        if (is_tight)
            target = space->target;
    }
    if (full != NULL) {
        g_autofree char *quoted = rf_check_quote (target);
        rf_check_say_look (
            out, _ ("btrfs hardly has room for metadata"), g_steal_pointer (&full),
            _ ("Look how much is not allotted yet. If there is little, writing may stop although there is "
               "free space; balancing data gives room back."));
        out->command = g_strdup_printf ("sudo btrfs filesystem usage %s", quoted);
    } else if (unclear != NULL) {
        rf_check_say_unknown (out, g_steal_pointer (&unclear));
    } else {
        rf_check_say_fine (out, fine != NULL ? g_steal_pointer (&fine) : g_strdup (_ ("No btrfs is mounted.")));
    }
    g_free (unclear);
    g_free (fine);
}

static void
say_blocked (const RfSpace *space, char *evidence, RfCheckResult *out)
{
    gboolean luks = g_str_equal (space->trim_blocked, "LUKS");
    gboolean crypt = luks || g_str_equal (space->trim_blocked, "dm-crypt");
    g_autofree char *other = g_strdup_printf (_ ("TRIM stops at %s"), space->trim_blocked);
    rf_check_say_look (
        out, crypt ? _ ("TRIM stops at the encryption layer") : other, evidence,
        luks ? _ ("Letting TRIM through shows whoever has the drive which parts of it are empty, and what "
                  "was trimmed is gone. If you accept that, this allows it for good (LUKS2); the same "
                  "without --allow-discards takes it back. Not for hidden volumes.")
             : _ ("Allow TRIM in the settings of this layer, if you know what it gives away about an "
                  "encrypted drive."));
    if (luks) {
        g_autofree char *name = rf_check_quote (space->trim_layer);
        out->command = g_strdup_printf ("sudo cryptsetup --allow-discards --persistent refresh %s", name);
    }
    out->detail = g_strdup_printf ("discard_max_bytes: 0 (%s)", space->trim_layer);
}

void
rf_check_trim (const RfCheckInput *in, RfCheckResult *out)
{
    const RfSpace *blocked = NULL;
    char *evidence = NULL, *through = NULL, *unclear = NULL;
    if (in->around->mounts_avail != RF_AVAIL_OK)
        unclear = g_strdup (_ ("What is mounted cannot be read."));
    for (guint i = 0; i < in->around->spaces->len; i++) {
        const RfSpace *space = in->around->spaces->pdata[i];
        g_autofree char *target = rf_text_printable (space->target);
        if (space->trim_blocked != NULL) {
            rf_check_add_line (&evidence,
                               g_strdup_printf (_ ("%1$s: the drive takes TRIM, but %2$s (%3$s) does not pass "
                                                   "it on. The drive never learns what is free and may become "
                                                   "slower."),
                                                target, space->trim_blocked, space->trim_layer));
            blocked = blocked != NULL ? blocked : space;
        } else if (!rf_counter_ok (space->trim)) {
            rf_check_add_line (&unclear, g_strdup_printf (_ ("%s: the layers do not tell."), target));
        } else if (space->trim.value > 0) {
            rf_check_add_line (&through, g_strdup_printf (_ ("%s: TRIM reaches the drive."), target));
        }
    }
    if (blocked != NULL)
        say_blocked (blocked, g_steal_pointer (&evidence), out);
    else if (unclear != NULL)
        rf_check_say_unknown (out, g_steal_pointer (&unclear));
    else if (through != NULL)
        rf_check_say_fine (out, g_steal_pointer (&through));
    else
        rf_check_say_fine (out, g_strdup (_ ("No drive below a file system here takes TRIM.")));
    g_free (unclear);
    g_free (through);
}

/* A mount option that is dangerous or dead: in words, or NULL. @danger: (inout) */
static char *
judge_option (const char *type, const char *options, const char *name, gboolean next_start, gboolean *danger)
{
    g_autofree char *value = rf_mounts_option (options, name);
    guint64 seconds = 0;
    if (value == NULL)
        return NULL;
    if (g_str_equal (name, "nobarrier") || (g_str_equal (name, "barrier") && g_str_equal (value, "0"))) {
        *danger = TRUE;
        if (next_start && g_str_equal (type, "xfs"))
            return g_strdup (
                _ ("XFS has not known this option since Linux 4.19, so the file system is not mounted and the "
                   "system may not start."));
        return g_strdup (_ ("The drive may write in any order; a power cut can destroy the file system."));
    }
    if (g_str_equal (name, "nobh"))
        return g_strdup (_ ("The option is dead; the kernel ignores it."));
    if (g_str_equal (name, "data") && g_str_equal (value, "writeback")) {
        *danger = TRUE;
        return g_strdup (_ ("After a crash, files can have old contents of other files."));
    }
    if (g_str_equal (name, "commit") && rf_text_to_uint64 (value, &seconds) && seconds > COMMIT_MAX_S)
        return g_strdup_printf (ngettext ("Up to %u second of work is lost at a power cut.",
                                          "Up to %u seconds of work are lost at a power cut.", (gulong)seconds),
                                (guint)MIN (seconds, G_MAXUINT));
    return NULL;
}

static const char *const judged[] = {"barrier", "nobarrier", "nobh", "data", "commit"};

/* @where: "/etc/fstab:3", or NULL for what is mounted now */
static void
judge_options (const char *target, const char *type, const char *options, const char *where, GHashTable *seen,
               RfCheckResult *out)
{
    g_autofree char *valid = rf_text_printable (target);
    for (gsize i = 0; i < G_N_ELEMENTS (judged); i++) {
        g_autofree char *key = g_strdup_printf ("%s %s", judged[i], target);
        g_autofree char *value = rf_mounts_option (options, judged[i]);
        g_autofree char *why = judge_option (type, options, judged[i], where != NULL, &out->danger);
        if (why == NULL || !g_hash_table_add (seen, g_steal_pointer (&key)))
            continue;
        g_autofree char *option = value[0] != '\0' ? g_strdup_printf ("%s=%s", judged[i], value) : g_strdup (judged[i]);
        g_autofree char *shown = rf_text_printable (option);
        /* TRANSLATORS: mount point, mount option, what is wrong with it */
        rf_check_add_line (&out->evidence, g_strdup_printf (_ ("%1$s, %2$s: %3$s"), valid, shown, why));
        rf_check_add_line (&out->detail,
                           where != NULL ? g_strdup (where) : g_strdup_printf ("/proc/self/mountinfo: %s", valid));
    }
}

void
rf_check_mount_options (const RfCheckInput *in, RfCheckResult *out)
{
    const RfSurroundings *around = in->around;
    g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < around->fstab->len; i++) {
        const RfFstabEntry *entry = around->fstab->pdata[i];
        g_autofree char *where = g_strdup_printf ("/etc/fstab:%u", entry->line);
        judge_options (entry->target, entry->type, entry->options, where, seen, out);
    }
    for (guint i = 0; i < around->mounts->len; i++) {
        const RfMount *mount = around->mounts->pdata[i];
        judge_options (mount->target, mount->type, mount->options, NULL, seen, out);
    }
    if (out->evidence != NULL)
        rf_check_say_look (out, _ ("Dangerous or dead mount options"), out->evidence,
                           _ ("Take the option out where it is set, mostly in /etc/fstab, and restart."));
    else if (around->mounts_avail != RF_AVAIL_OK)
        rf_check_say_unknown (out, g_strdup (_ ("What is mounted cannot be read.")));
    else if (around->fstab_avail != RF_AVAIL_OK && around->fstab_avail != RF_AVAIL_NO_FILE)
        rf_check_say_unknown (out, g_strdup (_ ("/etc/fstab cannot be read, so it is not known what the next start "
                                                "brings.")));
    else
        rf_check_say_fine (out, g_strdup (_ ("No option that endangers data, delays writing or does nothing.")));
}

static char *
discarding_mounts (const RfSurroundings *around)
{
    char *targets = NULL;
    for (guint i = 0; i < around->mounts->len; i++) {
        const RfMount *mount = around->mounts->pdata[i];
        g_autofree char *value = rf_mounts_option (mount->options, "discard");
        /* with "async" btrfs gathers and waits for idle time */
        if (value == NULL || (value[0] != '\0' && !g_str_equal (value, "sync")))
            continue;
        g_autofree char *before = targets;
        g_autofree char *target = rf_text_printable (mount->target);
        targets = before != NULL ? g_strjoin (", ", before, target, NULL) : g_steal_pointer (&target);
    }
    return targets;
}

void
rf_check_discard_twice (const RfCheckInput *in, RfCheckResult *out)
{
    g_autofree char *targets = discarding_mounts (in->around);
    gboolean timer = in->around->programs.state[RF_PROGRAM_FSTRIM_TIMER] >= RF_PROGRAM_ENABLED;
    if (in->around->mounts_avail != RF_AVAIL_OK) {
        rf_check_say_unknown (out, g_strdup (_ ("What is mounted cannot be read.")));
    } else if (targets == NULL) {
        rf_check_say_fine (out, timer
                                    ? g_strdup (_ ("fstrim.timer trims once a week, and no file system does it at each "
                                                   "deletion."))
                                    : g_strdup (_ ("No file system trims at each deletion.")));
    } else if (timer) {
        rf_check_say_look (
            out, _ ("TRIM at each deletion, and once a week"),
            g_strdup_printf (_ ("%s is mounted with “discard”, and fstrim.timer trims every week as well. "
                                "TRIM at each deletion can make the drive slow at the wrong moment."),
                             targets),
            _ ("Once a week suffices: take “discard” out of /etc/fstab and restart."));
    } else if (!in->around->programs.known) {
        rf_check_say_unknown (out,
                              g_strdup_printf (_ ("%s is mounted with “discard”. Whether something else trims as well "
                                                  "cannot be seen without systemd."),
                                               targets));
    } else {
        rf_check_say_fine (out, g_strdup_printf (_ ("%s trims at each deletion, and fstrim.timer is off."), targets));
    }
}

void
rf_check_nvme_sleep (const RfCheckInput *in, RfCheckResult *out)
{
    const RfNvmeSleep *deepest = NULL;
    for (guint i = 0; i < in->around->nvme->len; i++) {
        const RfNvmeSleep *sleep = in->around->nvme->pdata[i];
        RfAvail avail = sleep->tolerance_us.avail;
        if (avail != RF_AVAIL_OK && avail != RF_AVAIL_NO_FILE) {
            rf_check_say_unknown (out, g_strdup_printf (_ ("How deep %s may sleep cannot be read."), sleep->name));
            return;
        }
        if (avail == RF_AVAIL_OK && (deepest == NULL || sleep->tolerance_us.value > deepest->tolerance_us.value))
            deepest = sleep;
    }
    guint64 us = deepest != NULL ? deepest->tolerance_us.value : 0;
    g_autofree char *limit = rf_format_ms ((double)us / 1000);
    if (in->around->nvme->len == 0) {
        rf_check_say_fine (out, g_strdup (_ ("There is no NVMe drive.")));
    } else if (us == 0) {
        rf_check_say_fine (out, g_strdup (_ ("No NVMe drive goes to sleep by itself.")));
    } else if (us <= SLEEP_SHORT_US) {
        rf_check_say_fine (out, g_strdup_printf (_ ("An NVMe drive that went to sleep is back within %s."), limit));
    } else if (us <= SLEEP_DEFAULT_US) {
        rf_check_say_unknown (out,
                              g_strdup_printf (_ ("%1$s may sleep so deep that falling asleep and waking up take up to "
                                                  "%2$s, as the kernel allows by itself. Which states the drive has, "
                                                  "only the administrator can ask it."),
                                               deepest->name, limit));
        out->next = g_strdup (_ ("This asks the drive (package nvme-cli). “exlat” says how long waking up takes, in "
                                 "microseconds."));
        out->command = g_strdup_printf ("sudo nvme id-ctrl /dev/%s | grep -A 2 '^ps '", deepest->name);
    } else {
        rf_check_say_look (
            out, _ ("An NVMe drive may sleep very deep"),
            us >= RF_SLEEP_UNLIMITED
                ? g_strdup_printf (_ ("%s may sleep as deep as it can, however long waking up takes."), deepest->name)
                : g_strdup_printf (_ ("Falling asleep and waking up may take up to %2$s with %1$s."), deepest->name,
                                   limit),
            _ ("Somebody has raised the limit. This sets one of 10 ms until the next restart; "
               "nvme_core.default_ps_max_latency_us on the command line of the kernel does it for good."));
        out->command = g_strdup_printf ("echo %d | sudo tee /sys/class/nvme/%s/power/pm_qos_latency_tolerance_us",
                                        SLEEP_SHORT_US, deepest->name);
    }
}
