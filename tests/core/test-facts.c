#include "config.h"

#include "rf-facts.h"
#include "rf-mounts.h"
#include "rf-test-facts.h"
#include "rf-test-tree.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#define KIB 1024u

static RfFacts *
read_facts (RfTestTree *tree)
{
    return rf_facts_read (rf_test_tree_sysroot (tree));
}

/* everything about a machine, against tests/fixtures/NAME.facts */
static void
machine (gconstpointer data)
{
    const char *name = data;
    g_autofree char *file = g_strconcat (name, ".facts", NULL);
    g_autofree char *path = g_build_filename (RF_TEST_FIXTURES, file, NULL);
    g_autofree char *expected = NULL;
    g_assert_true (g_file_get_contents (path, &expected, NULL, NULL));
    g_autoptr (RfTestTree) tree = rf_test_tree_new (name);
    g_autoptr (RfFacts) facts = read_facts (tree);
    g_autofree char *found = rf_test_facts_dump (facts);
    g_assert_cmpstr (found, ==, expected);
}

static void
memory (void)
{
    static const struct {
        const char *machine;
        guint64 ram_kib;
    } cases[] = {{"laptop-8g", 7916044}, {"desktop-94g", 98618412}, {"virtio-vm", 1988120}};
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (cases[i].machine);
        g_autoptr (RfFacts) facts = read_facts (tree);
        g_assert_cmpuint (facts->ram_bytes, ==, cases[i].ram_kib * KIB);
        g_assert_cmpuint (facts->managed_bytes, ==, cases[i].ram_kib * KIB);
    }
}

/* nothing is known, nothing fails */
static void
empty (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autoptr (RfFacts) facts = read_facts (tree);
    g_autofree char *found = rf_test_facts_dump (facts);
    g_autofree char *expected
        = g_strdup_printf ("cpus=0 page=%ld %s kernel=- (0)\n- (-) on -\nzram owner=none []\nzswap=none\n"
                           "virtualisation=- container=- immutable=no\n",
                           sysconf (_SC_PAGESIZE), sizeof (void *) == 8 ? "64bit" : "32bit");
    g_assert_cmpstr (found, ==, expected);
    g_assert_cmpuint (facts->ram_bytes, ==, 0);
    RfFacts *again = rf_facts_ref (facts);
    g_assert_true (again == facts);
    rf_facts_unref (again);
    g_assert_null (rf_facts_find_disk (facts, "nvme0n1"));
    g_assert_null (rf_facts_find_readahead (facts, "nvme0n1"));
}

/* Variants of a machine: what is changed, and a line that must or must not be in the dump. */
typedef struct {
    const char *name;
    const char *machine;
    const char *change;
    const char *expected;
    const char *unexpected;
} Variant;

static const Variant variants[] = {
    {"psi-off", "laptop-8g", "== proc/pressure/memory\n!errno EOPNOTSUPP\n", "zswap=off\n", " psi"},
    {"zswap-on", "laptop-8g", "= sys/module/zswap/parameters/enabled Y\n", "zswap=on", NULL},
    {"zswap-none", "laptop-8g", "=- sys/module/zswap\n", "zswap=none", NULL},
    {"64k-pages", "laptop-8g", "== proc/self/smaps\nKernelPageSize:       64 kB\n", "page=65536", NULL},
    /* systemd#16708 */
    {"hibernation-cmdline", "laptop-8g", "= proc/cmdline ro resume=UUID=1 quiet\n", " hibernation", NULL},
    {"hibernation-device", "laptop-8g", "= sys/power/resume 254:2\n", " hibernation", NULL},
    {"hibernation-forbidden", "laptop-8g", "= sys/power/resume 254:2\n= proc/cmdline nohibernate\n", "zswap=off psi\n",
     " hibernation"},
    {"hibernation-without-swap", "laptop-8g", "= sys/power/resume 254:2\n== proc/swaps\nFilename\n", "zswap=off psi\n",
     " hibernation"},
    {"hibernation-only-zram", "laptop-8g", "=< part-zram-generator\n= sys/power/resume 254:2\n", "owner=generator",
     " hibernation"},
    {"32-bit", "virtio-vm", "== proc/meminfo\nMemTotal: 1988120 kB\nVmallocTotal: 122880 kB\n", " 32bit kernel", NULL},
    /* raspberrypi/linux#5395 */
    {"highmem", "virtio-vm",
     "== proc/zoneinfo\nNode 0, zone   Normal\n  pages free     30000\n        min      4096\n        low      5120\n"
     "        high     6144\n        managed  180000\nNode 0, zone  HighMem\n  pages free     90000\n"
     "        min      128\n        low      600\n        high     1200\n        managed  310000\n",
     " 32bit highmem ", NULL},
    {"old-kernel", "laptop-8g", "= proc/sys/kernel/osrelease 4.19.0-26-amd64\n", "(4019)", NULL},
    {"odd-kernel", "laptop-8g", "= proc/sys/kernel/osrelease custom\n", "kernel=custom (0)", NULL},
    {"distribution", "laptop-8g", "== etc/os-release\nID='arch'\nPRETTY_NAME=\"Arch \\\"rolling\\\"\"\n",
     "Arch \"rolling\" (arch) on ThinkPad T480\n", NULL},
    {"model-placeholder", "desktop-94g", "= sys/devices/virtual/dmi/id/board_name Default string\n", "(debian) on -\n",
     NULL},
    {"flatpak", "laptop-8g", "== run/host/os-release\nID=fedora\n= run/host/container-manager flatpak\n",
     "container=flatpak", "(debian)"},

    /* whole devices */
    {"nvme-second-namespace", "desktop-94g",
     "=@ sys/devices/pci0000:00/0000:00:01.2/0000:02:00.0/nvme/nvme0/nvme0n2\n= ./size 2000000\n= ./dev 259:9\n"
     "= ./queue/scheduler [none] mq-deadline\n= ./queue/rotational 0\n= ./queue/zoned none\n= ./wwid eui.02\n"
     "=> sys/block/nvme0n2 -> ../devices/pci0000:00/0000:00:01.2/0000:02:00.0/nvme/nvme0/nvme0n2\n",
     "disk nvme0n2 nvme '-' id=eui.02 seq=0 mb=1024 scheduler TUNABLE queues=0\n", NULL},
    /* systemd#9639 */
    {"zoned", "desktop-94g", "= sys/block/nvme1n1/queue/zoned host-managed\n",
     " zoned scheduler wbt queues=24\n  mounts /data\n", "readahead nvme1n1"},
    {"rotational-nvme", "desktop-94g", "= sys/block/nvme1n1/queue/rotational 1\n",
     " rotational scheduler wbt queues=24", "readahead nvme1n1"},
    {"wbt-without-object", "desktop-94g", "== sys/block/nvme1n1/queue/wbt_lat_usec\n!errno EINVAL\n",
     "mb=4000787 scheduler TUNABLE", NULL},
    {"no-wwid", "desktop-94g", "=- sys/block/nvme1n1/wwid\n= sys/block/nvme1n1/uuid 0f\n", "id=0f seq=2", NULL},
    {"serial-only", "desktop-94g", "=- sys/block/nvme1n1/wwid\n=> sys/block/nvme1n1/device -> ../../nvme1\n",
     "id=23330W801234 seq=2", NULL},
    {"odd-bytes", "desktop-94g", "= sys/block/nvme1n1/wwid eui.\377x\n=- sys/block/nvme0n1/diskseq\n", "disk nvme1n1",
     "eui.\357"},
    {"odd-bytes-serial", "desktop-94g",
     "= sys/block/nvme1n1/wwid eui.\377x\n=> sys/block/nvme1n1/device -> ../../nvme1\n", "id=23330W801234 seq=2", NULL},
    {"no-diskseq", "desktop-94g", "=- sys/block/nvme1n1/diskseq\n", "seq=0", NULL},
    /* canonical/lxd#7313: a hidden path has no dev file; here the head is gone too */
    {"path-alone", "nvme-multipath", "=- sys/block/nvme0n1\n", "disk nvme0c0n1 nvme-path", "mounts"},
    /* the head has a scheduler file on older kernels, with nothing but none: systemd#13321 */
    {"head-with-none", "nvme-multipath", "= sys/block/nvme0n1/queue/scheduler none\n",
     "disk nvme0n1 nvme-head 'KIOXIA KCM6XRUL960G' id=eui.01000000000000008ce38ee2000a1b01 seq=3 mb=960197 queues=0",
     NULL},
    {"idle-nodes", "virtio-vm",
     "= sys/block/loop0/size 0\n= sys/block/ram0/size 8192\n= sys/block/loop1/size 8\n= sys/block/mmcblk0/size 8\n"
     "= sys/block/mmcblk0/device/name SD16G\n= sys/block/mmcblk0/device/cid 0353\n= sys/block/md0/size 8\n",
     "disk loop1 loop '-' id=- seq=0 mb=0 queues=0\ndisk md0 md '-' id=- seq=0 mb=0 queues=0\n"
     "disk mmcblk0 mmc 'SD16G' id=0353 seq=0",
     "disk loop0"},

    /* where swap lies */
    {"swap-octal-path", "sata-ssd-hdd",
     "== proc/swaps\nFilename Type Size Used Priority\n/srv/data/mein\\040swap\\134datei file 1024 0 5\n",
     "swap /srv/data/mein swap\\datei file mib=1 prio=5 on=sdb data-disk\n", NULL},
    {"swap-octal-mount", "sata-ssd-hdd",
     "== proc/swaps\nFilename Type Size Used Priority\n/media/anna/Backup\\040SSD/swap file 1024 0 -2\n",
     "swap /media/anna/Backup SSD/swap file mib=1 prio=-2 on=sdc data-disk\n", NULL},
    {"swap-deleted", "sata-ssd-hdd",
     "== proc/swaps\nFilename Type Size Used Priority\n/swap\\040dir/x\\040(deleted) file 1024 0 -2\n",
     "swap /swap dir/x deleted mib=1 prio=-2 on=-\n", NULL},
    {"swap-file-on-btrfs", "laptop-8g",
     "== proc/swaps\nFilename Type Size Used Priority\n/home/swapfile file 4194304 0 -2\n",
     "swap /home/swapfile file mib=4096 prio=-2 on=nvme0n1 data-disk encrypted\n", NULL},
    {"swap-alone-on-its-disk", "desktop-94g",
     "== proc/self/mountinfo\n30 1 259:2 / / rw - ext4 /dev/nvme0n1p2 rw\n31 30 259:4 / /boot/efi rw - vfat x rw\n",
     "swap /dev/nvme1n1p2 partition mib=32767 prio=-2 on=nvme1n1\n", NULL},
    /* a verity layer is not an encryption */
    {"verity", "laptop-8g", "= sys/block/dm-0/dm/uuid CRYPT-VERITY-1-root\n", "nvme0n1p3 > dm-verity > LVM",
     " encrypted"},
    {"md", "sata-ssd-hdd",
     "= sys/block/md0/dev 9:0\n= sys/block/md0/size 2048000\n= sys/block/md0/md/level raid1\n"
     "=/ sys/block/md0/slaves/sda2\n=/ sys/block/md0/slaves/sdb1\n= sys/block/md0/queue/read_ahead_kb 128\n"
     "== proc/self/mountinfo\n30 1 9:0 / / rw - ext4 /dev/md0 rw\n",
     "  holders md0\n  mounts /\n  layers partition sdb1 > RAID1 md0 > ext4\n", "readahead"},
    {"lvm-inner-volumes", "laptop-8g",
     "= sys/block/dm-9/dm/uuid LVM-x\n= sys/block/dm-9/dm/name debian--vg-thin_tdata\n= sys/block/dm-9/size 8\n"
     "=/ sys/block/dm-9/slaves/dm-0\n=- sys/block/dm-1/slaves\n=/ sys/block/dm-1/slaves/dm-9\n",
     "layers partition nvme0n1p3 > LUKS > LVM debian--vg-root > btrfs\n", NULL},
    {"looped-sysfs", "laptop-8g", "=/ sys/block/dm-0/slaves/dm-1\n", "swap /dev/dm-2 partition", NULL},

    /* read-ahead */
    {"btrfs-dev-root", "laptop-8g", "== proc/self/mountinfo\n30 1 0:25 / / rw - btrfs /dev/root rw\n",
     "readahead btrfs-1 RULES", NULL},
    {"btrfs-before-5.9", "laptop-8g", "=- sys/fs/btrfs/6e0f7c1a-3b52-4d0f-8a53-94c9d7b3e111/bdi\n",
     "readahead nvme0n1 sys/block", "btrfs-1"},
    {"btrfs-two-disks", "desktop-94g",
     "== proc/self/mountinfo\n30 1 0:25 / / rw - btrfs /dev/nvme1n1p1 rw\n"
     "=/ sys/fs/btrfs/u/devices/nvme0n1p2\n=/ sys/fs/btrfs/u/devices/nvme1n1p1\n"
     "= sys/devices/virtual/bdi/btrfs-3/read_ahead_kb 4096\n"
     "=> sys/fs/btrfs/u/bdi -> ../../../devices/virtual/bdi/btrfs-3\n",
     "readahead btrfs-3 RULES sys/fs/btrfs/u/bdi/read_ahead_kb id=btrfs:u 'btrfs on /'\n"
     "readahead nvme0n1 sys/block/nvme0n1/queue/read_ahead_kb id=eui.0025384331408f5a 'nvme0n1 below btrfs'\n"
     "readahead nvme1n1 sys/block",
     NULL},
    /* dfinity/ic#10420: what counts for files is the device-mapper device */
    {"ext4-on-crypt", "laptop-8g",
     "== proc/self/mountinfo\n30 1 254:1 / / rw - ext4 /dev/mapper/debian--vg-root rw\n"
     "31 30 259:2 / /boot rw - ext4 x rw\n",
     "readahead dm-1 RULES sys/block/dm-1/queue/read_ahead_kb "
     "id=LVM-kq3Zf0sVb2dQm1XcT8yUoE5rNhWpLjGaY7vRxKtSiFzDwBnOeMlCuHgPbJqAaVtR 'ext4 on /'\n"
     "readahead nvme0n1 sys/block/nvme0n1/queue/read_ahead_kb id=eui.002538b971047a11 'nvme0n1 below ext4'\n",
     NULL},
    {"bind-mount-label", "desktop-94g",
     "== proc/self/mountinfo\n30 1 259:2 / / rw - ext4 /dev/nvme0n1p2 rw\n31 30 259:4 /a /data/a rw - ext4 x rw\n"
     "32 30 259:4 / /data rw - ext4 /dev/nvme1n1p1 rw\n",
     "'ext4 on /data'\n", "'ext4 on /data/a'"},

    /* kinds of machines */
    {"vmware", "virtio-vm", "= sys/devices/virtual/dmi/id/product_name VMware7,1\n", "virtualisation=vmware", NULL},
    {"qemu-without-kvm", "virtio-vm", "=- sys/devices/system/clocksource\n", "virtualisation=qemu", NULL},
    {"bare-metal-cloud", "virtio-vm",
     "= sys/devices/virtual/dmi/id/product_name c5.metal\n= sys/devices/virtual/dmi/id/sys_vendor Amazon EC2\n"
     "== proc/cpuinfo\nflags\t\t: fpu\n",
     "virtualisation=-", NULL},
    {"xen-host", "virtio-vm", "= proc/xen/capabilities control_d\n", "virtualisation=-", NULL},
    {"other-hypervisor", "virtio-vm", "=- sys/class/dmi\n=- sys/devices/system/clocksource\n",
     "virtualisation=vm-other", NULL},
    {"wsl", "virtio-vm", "= proc/sys/kernel/osrelease 5.15.153.1-microsoft-standard-WSL2\n", "container=wsl", NULL},
    {"nspawn", "laptop-8g", "= run/systemd/container systemd-nspawn\n", "container=systemd-nspawn", NULL},
    {"lxc", "laptop-8g", "= proc/1/environ container=lxc\n", "container=lxc", NULL},
    /* a machine that was made from a container image */
    {"leftover-dockerenv", "virtio-vm", "== .dockerenv\n", "container=-", NULL},
    {"podman", "container", "=- .dockerenv\n== run/.containerenv\n", "container=podman", NULL},
    {"host-pid-docker", "container", "=> proc/self/ns/pid -> pid:[4026531836]\n", "container=docker", NULL},
    {"nixos", "laptop-8g", "== etc/NIXOS\n", "immutable=nixos", NULL},
    {"ostree", "laptop-8g", "== run/ostree-booted\n", "immutable=ostree", NULL},
    {"guix", "laptop-8g", "=/ gnu/store\n=> run/current-system -> /var/guix/x\n", "immutable=guix", NULL},
};

static void
variant (gconstpointer data)
{
    const Variant *test = data;
    g_autoptr (RfTestTree) tree = rf_test_tree_new (test->machine);
    rf_test_tree_apply (tree, test->change);
    g_autoptr (RfFacts) facts = read_facts (tree);
    g_autofree char *found = rf_test_facts_dump (facts);
    g_test_message ("%s", found);
    g_assert_nonnull (strstr (found, test->expected));
    if (test->unexpected != NULL)
        g_assert_null (strstr (found, test->unexpected));
}

/* Reading zram-control/hot_add makes a device. Opening it is already too much; the sysfs attributes that are written
 * only are not touched either. */
static void
control_files_untouched (void)
{
    static const char *const files[] = {"sys/class/zram-control/hot_add", "sys/class/zram-control/hot_remove",
                                        "sys/block/zram0/reset", "proc/sys/vm/drop_caches"};
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    rf_test_tree_apply (tree, "=< part-zram-generator\n");
    int watch = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);
    g_assert_cmpint (watch, >=, 0);
    for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
        g_autofree char *path = rf_test_tree_path (tree, files[i]);
        g_assert_cmpint (inotify_add_watch (watch, path, IN_OPEN | IN_ACCESS | IN_MODIFY), >=, 0);
    }
    g_autofree char *before = rf_test_tree_dump (tree, "etc");
    g_autoptr (RfFacts) facts = read_facts (tree);
    g_assert_cmpint (facts->zram_owner, ==, RF_ZRAM_OWNER_GENERATOR);
    char event[sizeof (struct inotify_event) + 256];
    g_assert_cmpint (read (watch, event, sizeof event), ==, -1);
    g_assert_cmpint (errno, ==, EAGAIN);
    /* the watch itself works */
    g_free (rf_test_tree_get (tree, files[0]));
    g_assert_cmpint (read (watch, event, sizeof event), >, 0);
    close (watch);
    g_autofree char *after = rf_test_tree_dump (tree, "etc");
    g_assert_cmpstr (before, ==, after);
}

static void
mounts (void)
{
    static const char text[] = "36 35 98:0 /a\\040b /mnt\\011x ro,noatime master:1 shared:2 - ext3 /dev/ro\\134ot rw\n"
                               "37 35 0:9 / /proc rw - proc proc ro,hidepid=2\n"
                               "38 37 0:9 /sys /proc/sys rw - proc proc rw\n"
                               "39 35 x:0 / /bad rw - ext4 /dev/x rw\n"
                               "40 35 1:0 / /short rw -\n\n"
                               "41 1 8:1 / / rw - ext4 /dev/sda1";
    g_autoptr (GPtrArray) list = rf_mounts_parse (text, strlen (text));
    g_assert_cmpuint (list->len, ==, 4);
    const RfMount *first = list->pdata[0];
    g_assert_cmpuint (first->major, ==, 98);
    g_assert_cmpstr (first->root, ==, "/a b");
    g_assert_cmpstr (first->target, ==, "/mnt\tx");
    g_assert_cmpstr (first->type, ==, "ext3");
    g_assert_cmpstr (first->source, ==, "/dev/ro\\ot");
    g_assert_true (first->read_only);
    g_assert_true (((const RfMount *)list->pdata[1])->read_only);
    g_assert_cmpstr (rf_mounts_find (list, "/proc/sys/vm")->target, ==, "/proc/sys");
    g_assert_cmpstr (rf_mounts_find (list, "/proc/sysx")->target, ==, "/proc");
    g_assert_cmpstr (rf_mounts_find (list, "/procx")->target, ==, "/");
    g_assert_null (rf_mounts_find (list, "relative"));
    g_autoptr (GPtrArray) none = rf_mounts_parse ("", 0);
    g_assert_cmpuint (none->len, ==, 0);
}

int
main (int argc, char **argv)
{
    static const char *const machines[]
        = {"laptop-8g", "desktop-94g", "sata-ssd-hdd", "virtio-vm", "nvme-multipath", "container"};
    g_test_init (&argc, &argv, NULL);
    g_test_set_nonfatal_assertions ();
    for (gsize i = 0; i < G_N_ELEMENTS (machines); i++) {
        g_autofree char *path = g_strconcat ("/core/facts/machine/", machines[i], NULL);
        g_test_add_data_func (path, machines[i], machine);
    }
    for (gsize i = 0; i < G_N_ELEMENTS (variants); i++) {
        g_autofree char *path = g_strconcat ("/core/facts/variant/", variants[i].name, NULL);
        g_test_add_data_func (path, &variants[i], variant);
    }
    g_test_add_func ("/core/facts/memory", memory);
    g_test_add_func ("/core/facts/empty", empty);
    g_test_add_func ("/core/facts/control-files-untouched", control_files_untouched);
    g_test_add_func ("/core/facts/mounts", mounts);
    return g_test_run ();
}
