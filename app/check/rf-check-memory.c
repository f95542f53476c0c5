#define G_LOG_DOMAIN "rf-check-memory"
#include "config.h"

#include "rf-check-private.h"

#include <glib/gi18n.h>

#include "rf-text.h"
#include "rf-tunable-text.h"
#include "rf-zram.h"

/* less than this in swap is not worth a word */
#define SWAP_LEFT_BYTES (G_GUINT64_CONSTANT (256) * 1024 * 1024)
/* below this a desktop has no memory to share out, whatever is set */
#define LITTLE_RAM_BYTES (G_GUINT64_CONSTANT (1536) * 1024 * 1024)
/* what is kept free for good may take this part of what is available now */
#define PLAN_SHARE 4

void
rf_check_psi (const RfCheckInput *in, RfCheckResult *out)
{
    switch (in->around->psi) {
    case RF_AVAIL_OK:
        rf_check_say_fine (out, g_strdup (_ ("The kernel counts how long programs wait for memory and for drives.")));
        return;
    case RF_AVAIL_OFF:
        rf_check_say_look (
            out, _ ("The kernel does not count waits"),
            g_strdup (_ ("This kernel could count how long programs wait, but it is switched off, so much "
                         "of what Ruckelfrei shows is missing.")),
            in->kernel_argument != NULL
                ? _ ("This adds “psi=1” to the command line of the kernel. Restart afterwards.")
                : _ ("Add this word to the command line of the kernel, in the settings of the boot loader, "
                     "and restart."));
        out->command = g_strdup (in->kernel_argument != NULL ? in->kernel_argument : "psi=1");
        return;
    case RF_AVAIL_NO_FILE:
        rf_check_say_unknown (out, g_strdup (_ ("This kernel cannot count how long programs wait.")));
        return;
    default:
        rf_check_say_unknown (out, g_strdup (rf_avail_text (in->around->psi)));
    }
}

void
rf_check_swap_drive (const RfCheckInput *in, RfCheckResult *out)
{
    char *on_data = NULL, *apart = NULL, *unclear = NULL;
    if (!rf_check_knows_swaps (in))
        unclear = g_strdup (rf_avail_text (in->around->swaps.avail));
    for (guint i = 0; i < in->facts->swaps->len; i++) {
        const RfSwapDevice *swap = in->facts->swaps->pdata[i];
        g_autofree char *size = rf_format_bytes (swap->size_bytes);
        g_autofree char *path = rf_text_printable (swap->path);
        if (swap->kind == RF_SWAP_ZRAM)
            continue;
        if (swap->disk == NULL)
            rf_check_add_line (&unclear, g_strdup_printf (_ ("Which drive %s lies on cannot be seen."), path));
        else if (swap->on_data_disk)
            rf_check_add_line (&on_data,
                               g_strdup_printf (_ ("%1$s (%2$s) lies on %3$s, where your files are, too. When "
                                                   "memory runs short, all of them wait for the same drive."),
                                                path, size, swap->disk));
        else
            rf_check_add_line (&apart, g_strdup_printf (_ ("%1$s (%2$s) lies on %3$s, which holds none of your files."),
                                                        path, size, swap->disk));
    }
    if (on_data != NULL) {
        rf_check_say_look (
            out, _ ("Swap lies on the drive that holds your data"), g_steal_pointer (&on_data),
            _ ("Compressed swap in memory spares the drive. The guided tuning says whether it suits this "
               "machine."));
        out->page = "wizard";
    } else if (unclear != NULL) {
        rf_check_say_unknown (out, g_steal_pointer (&unclear));
    } else {
        rf_check_say_fine (out,
                           apart != NULL ? g_steal_pointer (&apart) : g_strdup (_ ("No swap on a drive is in use.")));
    }
    g_free (unclear);
    g_free (apart);
}

/* exactly these, and each with the priority that it has now */
static char *
empty_command (const RfSwaps *swaps)
{
    GString *command = g_string_new (NULL);
    for (guint i = 0; i < swaps->entries->len; i++) {
        const RfSwapEntry *entry = swaps->entries->pdata[i];
        g_autofree char *path = rf_check_quote (entry->path);
        if (entry->used_bytes == 0 || entry->deleted || g_str_has_prefix (entry->path, "/dev/zram"))
            continue;
        g_string_append_printf (command, "%ssudo swapoff %s && sudo swapon ", command->len > 0 ? " && " : "", path);
        if (entry->priority >= 0)
            g_string_append_printf (command, "-p %d ", entry->priority);
        g_string_append (command, path);
    }
    return g_string_free (command, FALSE);
}

void
rf_check_swap_left (const RfCheckInput *in, RfCheckResult *out)
{
    const RfSwaps *swaps = &in->around->swaps;
    guint64 used = 0;
    if (swaps->avail == RF_AVAIL_NO_FILE) {
        rf_check_say_fine (out, g_strdup (_ ("This kernel has no swap.")));
        return;
    }
    if (swaps->avail != RF_AVAIL_OK || !rf_counter_ok (in->available)) {
        RfAvail why = swaps->avail != RF_AVAIL_OK ? swaps->avail : in->available.avail;
        rf_check_say_unknown (out, g_strdup (rf_avail_text (why)));
        return;
    }
    for (guint i = 0; i < swaps->entries->len; i++) {
        const RfSwapEntry *entry = swaps->entries->pdata[i];
        used += g_str_has_prefix (entry->path, "/dev/zram") || entry->deleted ? 0 : entry->used_bytes;
    }
    g_autofree char *lies = rf_format_bytes (used);
    g_autofree char *available = rf_format_bytes (in->available.value);
    if (used == 0) {
        rf_check_say_fine (out, g_strdup (_ ("Nothing is swapped out to a drive.")));
    } else if (used < SWAP_LEFT_BYTES) {
        rf_check_say_fine (out, g_strdup_printf (_ ("Only %s is swapped out to a drive."), lies));
    } else if (!rf_zram_can_empty (used, in->available.value, in->facts->ram_bytes)) {
        rf_check_say_fine (out,
                           g_strdup_printf (_ ("%1$s is swapped out to a drive. With %2$s available, memory is too "
                                               "short to bring it back; swap does its work here."),
                                            lies, available));
    } else {
        rf_check_say_look (
            out, _ ("Programs still lie in swap from an earlier load"),
            g_strdup_printf (_ ("%1$s was swapped out to a drive earlier, although %2$s of memory is "
                                "available now. Whoever comes back to such a program waits for the drive."),
                             lies, available),
            _ ("Bring it back into memory once, when a few slow minutes do no harm."));
        out->command = empty_command (swaps);
    }
}

void
rf_check_zswap (const RfCheckInput *in, RfCheckResult *out)
{
    const RfVmmState *vmm = &in->around->vmm;
    if (vmm->zswap_enabled.avail == RF_AVAIL_NO_FILE) {
        rf_check_say_fine (out, g_strdup (_ ("This kernel has no zswap.")));
    } else if (!rf_counter_ok (vmm->zswap_enabled)) {
        rf_check_say_unknown (out, g_strdup (rf_avail_text (vmm->zswap_enabled.avail)));
    } else if (vmm->zswap_enabled.value == 0) {
        rf_check_say_fine (out, g_strdup (_ ("zswap is off.")));
    } else if (!rf_check_knows_swaps (in)) {
        rf_check_say_unknown (out, g_strdup (_ ("Whether there is a zram cannot be read.")));
    } else if (!rf_check_has_zram (in)) {
        rf_check_say_fine (out, g_strdup (_ ("zswap is on, and there is no zram behind it.")));
    } else {
        rf_check_say_look (
            out, _ ("zswap works in front of zram"),
            g_strdup (_ ("What is swapped out is caught by zswap before it reaches the zram. Both compress, "
                         "and what they report about it misleads.")),
            _ ("Switch one of them off. This switches off zswap until the next restart; zswap.enabled=0 on "
               "the command line of the kernel does it for good."));
        out->command = g_strdup ("echo N | sudo tee /sys/module/zswap/parameters/enabled");
    }
}

void
rf_check_huge_pages (const RfCheckInput *in, RfCheckResult *out)
{
    const RfVmmState *vmm = &in->around->vmm;
    if (vmm->thp_avail == RF_AVAIL_NO_FILE) {
        rf_check_say_fine (out, g_strdup (_ ("This kernel has no transparent huge pages.")));
    } else if (g_strcmp0 (vmm->thp_enabled, "never") == 0) {
        rf_check_say_fine (out, g_strdup (_ ("Transparent huge pages are off.")));
    } else if (vmm->thp_defrag == NULL) {
        rf_check_say_unknown (out, g_strdup (_ ("How the kernel finds room for huge pages cannot be read.")));
    } else if (g_str_equal (vmm->thp_defrag, "always")) {
        rf_check_say_look (
            out, _ ("Programs wait for huge pages"),
            g_strdup (_ ("With the setting “always”, every program that asks for memory may have to wait "
                         "until the kernel has moved other memory aside for a huge page.")),
            _ ("With “madvise” only programs wait that ask for it. This holds until the next restart; a "
               "line in /etc/tmpfiles.d makes it last."));
        out->command = g_strdup ("echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/defrag");
        out->detail = g_strdup ("transparent_hugepage/defrag: always");
    } else {
        rf_check_say_fine (out,
                           g_strdup_printf (_ ("The setting is “%s”: not every program has to wait for huge pages."),
                                            vmm->thp_defrag));
    }
}

void
rf_check_plan_memory (const RfCheckInput *in, RfCheckResult *out)
{
    guint64 ram = in->facts->ram_bytes;
    if (ram == 0 || !rf_counter_ok (in->available)) {
        rf_check_say_unknown (out, g_strdup (_ ("How much memory there is cannot be read.")));
        return;
    }
    g_autofree char *size = rf_format_bytes (ram);
    g_autofree char *cost = rf_format_bytes (in->plan_bytes);
    g_autofree char *available = rf_format_bytes (in->available.value);
    if (ram < LITTLE_RAM_BYTES)
        rf_check_say_look (out, _ ("This machine has little memory"),
                           g_strdup_printf (_ ("With %s of memory, no setting makes up for what is missing."), size),
                           _ ("Close programs, or add memory. That helps more than any setting."));
    else if (in->plan_bytes > in->available.value / PLAN_SHARE)
        rf_check_say_look (
            out, _ ("The proposal needs much of what is free"),
            g_strdup_printf (_ ("What is proposed keeps %1$s free for good, and only %2$s is available now."), cost,
                             available),
            _ ("Close programs before you try it, or choose a smaller value in the guided tuning."));
    else
        rf_check_say_fine (out,
                           g_strdup_printf (_ ("What is proposed keeps %1$s of %2$s free for good; %3$s is available "
                                               "now."),
                                            cost, size, available));
}
