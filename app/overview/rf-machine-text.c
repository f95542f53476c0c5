#define G_LOG_DOMAIN "rf-machine-text"

#include "config.h"

#include "rf-machine-text.h"

#include <glib/gi18n.h>

#include "rf-tunable-text.h"

static gboolean
is_drive (const RfDisk *disk)
{
    if (disk->hidden)
        return FALSE;
    switch (disk->kind) {
    case RF_DISK_NVME:
    case RF_DISK_NVME_HEAD:
    case RF_DISK_SATA:
    case RF_DISK_VIRTIO:
    case RF_DISK_MMC:
    case RF_DISK_USB:
    case RF_DISK_OTHER:
        return TRUE;
    case RF_DISK_NVME_PATH:
    case RF_DISK_ZRAM:
    case RF_DISK_DM:
    case RF_DISK_MD:
    case RF_DISK_LOOP:
        break;
    }
    return FALSE;
}

static void
add_drives (const RfFacts *facts, GPtrArray *parts)
{
    guint nvme = 0;
    guint rotating = 0;
    guint virtuals = 0;
    guint others = 0;

    for (guint i = 0; i < facts->disks->len; i++) {
        const RfDisk *disk = facts->disks->pdata[i];

        if (!is_drive (disk))
            continue;
        if (disk->kind == RF_DISK_NVME || disk->kind == RF_DISK_NVME_HEAD)
            nvme++;
        /* a virtual drive often calls itself rotating, whatever lies below */
        else if (disk->kind == RF_DISK_VIRTIO)
            virtuals++;
        else if (disk->rotational)
            rotating++;
        else
            others++;
    }
    if (nvme > 0)
        g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u NVMe drive", "%u NVMe drives", nvme), nvme));
    if (rotating > 0)
        g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u hard disk", "%u hard disks", rotating), rotating));
    if (virtuals > 0)
        g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u virtual drive", "%u virtual drives", virtuals), virtuals));
    if (others > 0)
        g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u other drive", "%u other drives", others), others));
}

static const char *
swap_text (const RfFacts *facts)
{
    gboolean zram = FALSE;
    gboolean on_disk = FALSE;
    gboolean on_data_disk = FALSE;

    for (guint i = 0; i < facts->swaps->len; i++) {
        const RfSwapDevice *swap = facts->swaps->pdata[i];

        zram |= swap->kind == RF_SWAP_ZRAM;
        on_disk |= swap->kind != RF_SWAP_ZRAM;
        on_data_disk |= swap->on_data_disk;
    }
    if (facts->swaps->len == 0)
        return _ ("no swap");
    if (zram && on_data_disk)
        return _ ("compressed swap in memory, and swap on the drive that also holds your data");
    if (zram && on_disk)
        return _ ("compressed swap in memory and swap on a drive");
    if (zram)
        return _ ("compressed swap in memory (zram)");
    if (on_data_disk)
        return _ ("swap on the drive that also holds your data");
    return _ ("swap on a drive of its own");
}

char *
rf_machine_text_summary (const RfFacts *facts)
{
    g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
    g_autofree char *memory = rf_format_bytes (facts->ram_bytes);
    g_autofree char *kernel = g_strdup_printf ("%u.%u", facts->kernel / 1000, facts->kernel % 1000);

    /* Translators: %s is a size such as "32 GiB" */
    g_ptr_array_add (parts, g_strdup_printf (_ ("%s memory"), memory));
    add_drives (facts, parts);
    g_ptr_array_add (parts, g_strdup (swap_text (facts)));
    if (facts->container != NULL)
        g_ptr_array_add (parts, g_strdup (_ ("in a container")));
    else if (facts->virtualisation != NULL)
        g_ptr_array_add (parts, g_strdup (_ ("virtual machine")));
    if (facts->distribution != NULL)
        /* Translators: distribution and kernel: "Debian GNU/Linux 12, Linux 6.1" */
        g_ptr_array_add (parts, g_strdup_printf (_ ("%1$s, Linux %2$s"), facts->distribution, kernel));
    else
        /* Translators: the kernel: "Linux 6.1" */
        g_ptr_array_add (parts, g_strdup_printf (_ ("Linux %s"), kernel));
    g_ptr_array_add (parts, NULL);
    return g_strjoinv (" · ", (char **)parts->pdata);
}
