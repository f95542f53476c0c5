#define G_LOG_DOMAIN "rf-disks"
#include "config.h"

#include "rf-facts-private.h"

#include <string.h>

#include "rf-queue.h"
#include "rf-text.h"

static void
disk_free (gpointer data)
{
    RfDisk *disk = data;
    g_free (disk->name);
    g_free (disk->model);
    g_free (disk->stable_id);
    g_strfreev (disk->holders);
    g_strfreev (disk->mount_points);
    g_strfreev (disk->layers);
    g_free (disk);
}

static char *
attribute (RfSysroot *sysroot, const char *disk, const char *name)
{
    g_autofree char *path = g_strdup_printf ("sys/block/%s/%s", disk, name);
    g_autofree char *text = rf_sysroot_read_line (sysroot, path);
    /* names and ids come from the drive, which may send anything; they go over D-Bus and onto the screen */
    return text != NULL && g_strstrip (text)[0] != '\0' ? g_utf8_make_valid (text, -1) : NULL;
}

static guint64
attribute_number (RfSysroot *sysroot, const char *disk, const char *name)
{
    g_autofree char *text = attribute (sysroot, disk, name);
    guint64 number = 0;
    return rf_text_to_uint64 (text, &number) ? number : 0;
}

/* "nvme0n1" under /devices/virtual/nvme-subsystem is the head of native multipath; one with a single path but without
 * a request queue is taken for one too, which only means that its queue is left alone */
static RfDiskKind
nvme_kind (RfSysroot *sysroot, const RfBlock *block, const char *link)
{
    if (block->hidden || rf_blocks_nvme_path (block->name, NULL))
        return RF_DISK_NVME_PATH;
    g_autofree char *mq = g_strdup_printf ("sys/block/%s/mq", block->name);
    g_autofree char *scheduler = g_strdup_printf ("sys/block/%s/queue/scheduler", block->name);
    gboolean has_queue = rf_sysroot_exists (sysroot, mq) || rf_sysroot_exists (sysroot, scheduler);
    if (strstr (link, "/nvme-subsystem/") != NULL || block->below->len > 0 || !has_queue)
        return RF_DISK_NVME_HEAD;
    return RF_DISK_NVME;
}

static gboolean
is_numbered (const char *name, const char *prefix)
{
    return g_str_has_prefix (name, prefix) && g_ascii_isdigit (name[strlen (prefix)]);
}

static RfDiskKind
kind_of (RfSysroot *sysroot, const RfBlock *block)
{
    static const struct {
        const char *prefix;
        RfDiskKind kind;
    } table[] = {
        {"zram", RF_DISK_ZRAM}, {"dm-", RF_DISK_DM},    {"md", RF_DISK_MD},
        {"md_d", RF_DISK_MD},   {"loop", RF_DISK_LOOP}, {"mmcblk", RF_DISK_MMC},
    };
    g_autofree char *path = g_strdup_printf ("sys/block/%s", block->name);
    g_autofree char *stored = rf_sysroot_readlink (sysroot, path);
    const char *link = stored != NULL ? stored : "";
    if (is_numbered (block->name, "nvme"))
        return nvme_kind (sysroot, block, link);
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
        if (is_numbered (block->name, table[i].prefix))
            return table[i].kind;
    if (g_str_has_prefix (block->name, "md_") || g_str_has_prefix (block->name, "md!"))
        return RF_DISK_MD;
    if (g_str_has_prefix (block->name, "vd"))
        return RF_DISK_VIRTIO;
    if (g_str_has_prefix (block->name, "sd"))
        return strstr (link, "/usb") != NULL ? RF_DISK_USB : RF_DISK_SATA;
    return RF_DISK_OTHER;
}

static char *
model_of (RfSysroot *sysroot, const char *name, RfDiskKind kind)
{
    g_autofree char *model = attribute (sysroot, name, kind == RF_DISK_MMC ? "device/name" : "device/model");
    g_autofree char *vendor = attribute (sysroot, name, "device/vendor");
    /* SCSI splits the name in two; behind ATA the vendor is always "ATA", PCI and virtio give a number */
    if (model != NULL && vendor != NULL && (kind == RF_DISK_USB || kind == RF_DISK_SATA)
        && !g_str_equal (vendor, "ATA"))
        return g_strdup_printf ("%s %s", vendor, model);
    return g_steal_pointer (&model);
}

/* An identity goes into the journal and into udev's rules, so it has to be plain text of sensible length. The serial
 * number is what the drive sends, raw. */
static gboolean
is_plain (const char *text)
{
    for (const char *p = text; *p != '\0'; p++)
        if (!g_ascii_isprint (*p))
            return FALSE;
    return text[0] != '\0' && strlen (text) <= RF_STABLE_ID_MAX;
}

static char *
stable_id_of (RfSysroot *sysroot, const RfBlock *block)
{
    static const char *const names[]
        = {"wwid", "device/wwid", "uuid", "nguid", "md/uuid", "device/cid", "serial", "device/serial"};
    if (block->dm_uuid != NULL && is_plain (block->dm_uuid))
        return g_strdup (block->dm_uuid);
    for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *text = attribute (sysroot, block->name, names[i]);
        if (text != NULL && is_plain (text))
            return g_steal_pointer (&text);
    }
    return NULL;
}

static guint
count_hw_queues (RfSysroot *sysroot, const char *name)
{
    g_autofree char *path = g_strdup_printf ("sys/block/%s/mq", name);
    g_auto (GStrv) queues = rf_sysroot_list (sysroot, path);
    return g_strv_length (queues);
}

static char **
holders_of (const RfBlocks *blocks, const char *disk)
{
    g_autoptr (GStrvBuilder) holders = g_strv_builder_new ();
    for (guint i = 0; i < blocks->all->len; i++) {
        const RfBlock *block = blocks->all->pdata[i];
        gboolean holds = FALSE;
        for (guint k = 0; rf_block_is_whole (block) && k < block->below->len; k++) {
            const RfBlock *below = rf_blocks_find (blocks, block->below->pdata[k]);
            holds |= below != NULL && g_str_equal (below->disk, disk);
        }
        if (holds)
            g_strv_builder_add (holders, block->name);
    }
    return g_strv_builder_end (holders);
}

static RfDisk *
read_disk (RfSysroot *sysroot, const RfBlocks *blocks, const RfBlock *block)
{
    RfDisk *disk = g_new0 (RfDisk, 1);
    g_auto (RfQueue) queue = {0};
    rf_queue_read (sysroot, block->name, &queue);
    disk->name = g_strdup (block->name);
    disk->kind = kind_of (sysroot, block);
    disk->model = model_of (sysroot, block->name, disk->kind);
    disk->stable_id = stable_id_of (sysroot, block);
    disk->diskseq = attribute_number (sysroot, block->name, "diskseq");
    disk->size_bytes = attribute_number (sysroot, block->name, "size") * 512; /* sectors of 512 bytes, always */
    disk->removable = attribute_number (sysroot, block->name, "removable") == 1;
    disk->hidden = block->hidden;
    disk->rotational = rf_counter_ok (queue.rotational) && queue.rotational.value != 0;
    /* an unknown word is taken for zoned, so that such a disk is left alone */
    disk->zoned = queue.zoned.avail == RF_AVAIL_MALFORMED || (rf_counter_ok (queue.zoned) && queue.zoned.value != 0);
    disk->hw_queues = count_hw_queues (sysroot, block->name);
    /* kernels before 5.x print "none" for bio-based devices, which have no scheduler */
    disk->has_scheduler = queue.scheduler_avail == RF_AVAIL_OK && disk->kind != RF_DISK_NVME_HEAD
                          && disk->kind != RF_DISK_DM && disk->kind != RF_DISK_MD && disk->kind != RF_DISK_ZRAM;
    disk->has_wbt = rf_counter_ok (queue.wbt_lat_us);
    disk->holders = holders_of (blocks, block->name);
    disk->mount_points = g_new0 (char *, 1);
    disk->layers = g_new0 (char *, 1);
    return disk;
}

/* nodes that exist for nothing: unused loop and network devices, empty drives, RAM disks */
static gboolean
is_idle (RfSysroot *sysroot, const RfBlock *block)
{
    static const char *const prefixes[] = {"loop", "nbd", "sr", "fd"};
    if (is_numbered (block->name, "ram"))
        return TRUE;
    for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (is_numbered (block->name, prefixes[i]))
            return attribute_number (sysroot, block->name, "size") == 0;
    return FALSE;
}

GPtrArray *
rf_disks_read (RfSysroot *sysroot, const RfBlocks *blocks)
{
    GPtrArray *disks = g_ptr_array_new_with_free_func (disk_free);
    for (guint i = 0; i < blocks->all->len; i++) {
        const RfBlock *block = blocks->all->pdata[i];
        if (rf_block_is_whole (block) && !is_idle (sysroot, block))
            g_ptr_array_add (disks, read_disk (sysroot, blocks, block));
    }
    return disks;
}

gboolean
rf_disk_is_tunable (const RfDisk *disk)
{
    return (disk->kind == RF_DISK_NVME || disk->kind == RF_DISK_NVME_PATH) && !disk->rotational && !disk->zoned;
}

gboolean
rf_disk_may_be_read_ahead (const RfDisk *disk)
{
    return rf_disk_is_tunable (disk) || disk->kind == RF_DISK_DM || disk->kind == RF_DISK_MD;
}

const char *
rf_disk_kind_nick (RfDiskKind kind)
{
    static const char *const nicks[]
        = {"nvme", "nvme-head", "nvme-path", "sata", "usb", "virtio", "mmc", "zram", "dm", "md", "loop", "other"};
    G_STATIC_ASSERT (G_N_ELEMENTS (nicks) == RF_DISK_OTHER + 1);
    g_return_val_if_fail ((guint)kind < G_N_ELEMENTS (nicks), "other");
    return nicks[kind];
}
