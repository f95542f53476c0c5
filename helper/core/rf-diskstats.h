/* /proc/diskstats: what every block device has done since it appeared. Pure, thread-safe.
 * Rows have 14 columns, 18 with discards (4.18), 20 with flushes (5.5); more are ignored. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/** RF_SECTOR_BYTES: the sector of /proc/diskstats, whatever the drive's own is. */
#define RF_SECTOR_BYTES 512u

typedef enum {
    RF_DISK_ROW_WHOLE,
    RF_DISK_ROW_PARTITION,
    RF_DISK_ROW_PATH, /* hidden NVMe multipath device (nvme0c1n1, 0:0), which has the counters of the head nvme0n1 */
    RF_DISK_ROW_ZRAM,
    RF_DISK_ROW_LOOP,
    RF_DISK_ROW_RAM,
} RfDiskRowKind;

/**
 * RfDiskRow:
 * @name: kernel name; "/" in it is "!" in sysfs
 * @head: for a PATH the name of its head, else ""
 * @diskseq: 0 in a parsed text; rf_snapshot_read() fills it in where the kernel has it (5.15). Another number under the
 *   same name is another device
 * @read_ms: time of all finished reads, summed; like every time here it wraps at 32 bits
 * @io_ms: time in which at least one request was in flight
 * @in_flight: requests in flight now
 */
typedef struct {
    char name[32];
    char head[32];
    RfDiskRowKind kind;
    guint major;
    guint minor;
    guint64 diskseq;
    guint64 reads;
    guint64 reads_merged;
    guint64 read_sectors;
    guint64 read_ms;
    guint64 writes;
    guint64 writes_merged;
    guint64 write_sectors;
    guint64 write_ms;
    guint64 in_flight;
    guint64 io_ms;
    guint64 weighted_ms;
    RfCounter discards;
    RfCounter discards_merged;
    RfCounter discard_sectors;
    RfCounter discard_ms;
    RfCounter flushes;
    RfCounter flush_ms;
} RfDiskRow;

/**
 * RfDiskstats:
 * @rows: (element-type RfDiskRow): in the order of the file; owned, never NULL after a reader ran
 * @skipped: lines that were not understood (7 columns for a partition on 2.6 kernels)
 * @avail: OK if at least one row was understood
 */
typedef struct {
    GArray *rows;
    guint skipped;
    RfAvail avail;
} RfDiskstats;

/** rf_diskstats_parse: @out need not be initialised; free its content with rf_diskstats_clear(). */
void rf_diskstats_parse (const char *text, gsize length, RfDiskstats *out);
/** rf_diskstats_missing: no rows */
void rf_diskstats_missing (RfAvail why, RfDiskstats *out);
void rf_diskstats_read (RfSysroot *sysroot, RfDiskstats *out);
void rf_diskstats_clear (RfDiskstats *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RfDiskstats, rf_diskstats_clear)

/** rf_diskstats_find: Returns: (transfer none) (nullable): the row called @name */
const RfDiskRow *rf_diskstats_find (const RfDiskstats *self, const char *name);

/**
 * rf_disk_name_to_head:
 * @head: (out): at least 32 bytes
 *
 * Returns: TRUE for a hidden path ("nvme0c1n1", head "nvme0n1"). Pure text, no reading.
 */
gboolean rf_disk_name_to_head (const char *name, char head[32]);

/**
 * rf_disk_name_is_partition_of: "sda1" of "sda", "nvme0n1p2" of "nvme0n1", but "loop10" not of "loop1".
 */
gboolean rf_disk_name_is_partition_of (const char *name, const char *disk);

G_END_DECLS
