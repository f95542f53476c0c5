/* What this machine is: read once, then immutable and shared by reference. Facts are things that do not change while a
 * person walks through the wizard; live numbers are in rf-sample.h, current settings in rf-current.h.
 * rf_facts_read() touches only files below the sysroot, never a control file with side effects (zram-control/hot_add). */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

typedef enum {
    RF_DISK_NVME,      /* an NVMe namespace that has a queue of its own */
    RF_DISK_NVME_HEAD, /* multipath head: bio-based, no scheduler, no WBT */
    RF_DISK_NVME_PATH, /* hidden path behind a head (nvme0c0n1): carries the queue and the IO counters */
    RF_DISK_SATA,      /* sdX on ATA or SCSI */
    RF_DISK_USB,
    RF_DISK_VIRTIO,
    RF_DISK_MMC,
    RF_DISK_ZRAM,
    RF_DISK_DM,
    RF_DISK_MD,
    RF_DISK_LOOP,
    RF_DISK_OTHER,
} RfDiskKind;

#define RF_STABLE_ID_MAX 160

/**
 * RfDisk: a whole block device (never a partition).
 * @name: kernel name, the instance id ("nvme0n1"); valid until the device goes away
 * @stable_id: wwid, else uuid, else serial, else dm uuid; NULL if there is none. Survives a reboot. Plain ASCII of at
 *   most RF_STABLE_ID_MAX bytes; anything else counts as none
 * @diskseq: /sys/block/NAME/diskseq, 0 if the kernel has none; changes when the name is given to another device
 * @holders: names of whole devices stacked directly on this one or on its partitions (dm-0, md0), NULL-terminated
 * @mount_points: what is mounted from it, through every layer ("/", "/home"), NULL-terminated
 * @layers: for a person, bottom-up: "partition nvme0n1p3", "LUKS", "LVM vg-root", "btrfs", NULL-terminated
 */
typedef struct {
    char *name;
    char *model;
    char *stable_id;
    guint64 diskseq;
    guint64 size_bytes;
    RfDiskKind kind;
    gboolean rotational;
    gboolean zoned;
    gboolean removable;
    gboolean hidden;
    gboolean has_scheduler;
    gboolean has_wbt;
    guint hw_queues; /* 0: unknown */
    char **holders;
    char **mount_points;
    char **layers;
} RfDisk;

typedef enum {
    RF_SWAP_PARTITION,
    RF_SWAP_FILE,
    RF_SWAP_ZRAM,
    RF_SWAP_DELETED, /* the file is gone: cannot be managed */
} RfSwapKind;

/**
 * RfSwapDevice:
 * @path: decoded (octal escapes resolved)
 * @disk: name of the bottom disk it lies on, NULL for zram or if it cannot be known
 * @on_data_disk: the same disk also holds a mounted file system
 * @encrypted: a crypt layer lies between
 */
typedef struct {
    char *path;
    RfSwapKind kind;
    guint64 size_bytes;
    gint priority;
    char *disk;
    gboolean on_data_disk;
    gboolean encrypted;
} RfSwapDevice;

typedef enum {
    RF_ZRAM_OWNER_NONE,    /* no zram swap, no manager that would make one */
    RF_ZRAM_OWNER_OURS,    /* set up by Ruckelfrei (stated by the helper's marker /run/ruckelfrei/zram) */
    RF_ZRAM_OWNER_GENERATOR, /* systemd-zram-generator with an active configuration */
    RF_ZRAM_OWNER_ZRAM_TOOLS,
    RF_ZRAM_OWNER_UBUNTU,  /* zram-config */
    RF_ZRAM_OWNER_POP,
    RF_ZRAM_OWNER_SYSTEMD_SWAP,
    RF_ZRAM_OWNER_UNKNOWN, /* an initialised zram or a zram swap that nobody we know made */
} RfZramOwner;

typedef enum {
    RF_IMMUTABLE_NO,
    RF_IMMUTABLE_NIXOS,
    RF_IMMUTABLE_OSTREE,
    RF_IMMUTABLE_GUIX,
} RfImmutable;

/** RfReadahead: a device whose read-ahead really rules what is read from a mounted file system. */
typedef struct {
    char *instance;  /* "nvme0n1", "dm-0", "btrfs-1" */
    char *path;      /* sysroot-relative attribute: "sys/block/dm-0/queue/read_ahead_kb" */
    char *stable_id; /* as RfDisk; "btrfs:UUID" for a btrfs bdi */
    char *label;     /* what a person knows it by: "btrfs on /home" */
    gboolean rules;  /* TRUE: top layer that decides; FALSE: an NVMe below another layer, without effect on files */
} RfReadahead;

#define RF_KERNEL(major, minor) ((guint) (major) * 1000u + (guint) (minor))

typedef struct {
    guint64 ram_bytes; /* MemTotal */
    guint64 managed_bytes; /* sum of "managed" of all zones: the base of watermark_scale_factor */
    guint page_size;
    guint n_cpus;
    gboolean is_64bit;
    gboolean has_highmem;
    char *kernel_release; /* "6.1.0-18-amd64" */
    guint kernel;         /* RF_KERNEL (6, 1) */
    char *distribution;   /* PRETTY_NAME, NULL if unknown */
    char *distribution_id; /* ID */
    char *machine_model;  /* DMI product name, NULL if unknown */

    GPtrArray *disks;     /* of RfDisk */
    GPtrArray *swaps;     /* of RfSwapDevice */
    GPtrArray *readahead; /* of RfReadahead */

    RfZramOwner zram_owner;
    gboolean zram_available;      /* module loaded, built in, or present in modules.dep of this kernel; also where the
                                     folder of modules is hidden, as from the helper: there only trying tells */
    char **zram_algorithms;       /* offered by an existing device; NULL-terminated; empty if unknown until loaded */
    gboolean zram_generator;      /* systemd-zram-generator is installed */
    gboolean zram_switched_off;   /* and systemd.zram=0 on the kernel's command line keeps it from making any device */
    gboolean generator_taken;     /* and somebody else's configuration asks it for a device */
    RfAvail zswap;                /* OK: the kernel has it */
    gboolean zswap_enabled;
    gboolean hibernation;         /* resume= on the command line or a resume device is set and swap on disk is there */
    gboolean psi;                 /* /proc/pressure can be read */
    char *virtualisation;         /* "kvm", "qemu", ..., NULL on bare metal */
    char *container;              /* "docker", "lxc", "wsl", ..., NULL */
    RfImmutable immutable;
    gboolean sysctl_read_only;    /* /proc/sys is mounted read-only */
} RfFacts;

/**
 * rf_facts_read:
 *
 * Never fails as a whole: what cannot be read is NULL, 0 or "unknown". Takes some milliseconds (it walks sysfs).
 * Returns: (transfer full): free with rf_facts_unref()
 */
RfFacts *rf_facts_read (RfSysroot *sysroot);
RfFacts *rf_facts_ref (RfFacts *self);
void rf_facts_unref (RfFacts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfFacts, rf_facts_unref)

/** rf_facts_find_disk: Returns: (transfer none) (nullable): the disk called @name. */
const RfDisk *rf_facts_find_disk (const RfFacts *self, const char *name);

/** rf_facts_find_readahead: Returns: (transfer none) (nullable) */
const RfReadahead *rf_facts_find_readahead (const RfFacts *self, const char *instance);

/** rf_disk_is_tunable: whether queue settings may be changed at all: an NVMe namespace (RF_DISK_NVME or
 * RF_DISK_NVME_PATH), not rotational, not zoned. */
gboolean rf_disk_is_tunable (const RfDisk *disk);

/** rf_disk_may_be_read_ahead: whether a read-ahead can have been changed on it, also if nobody reads through it now: a
 * tunable disk, or one that is stacked on disks, of which only those on tunable ones are ever offered. */
gboolean rf_disk_may_be_read_ahead (const RfDisk *disk);

const char *rf_disk_kind_nick (RfDiskKind kind);
const char *rf_zram_owner_nick (RfZramOwner owner);

G_END_DECLS
