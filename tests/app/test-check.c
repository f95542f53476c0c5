/* Every check gives each of its verdicts: machines in files, with what makes the difference laid over them. */
#include "config.h"

#include "rf-check-private.h"
#include "rf-test-tree.h"

#include <string.h>

#define CLOCK "= sys/devices/system/clocksource/clocksource0/current_clocksource "
#define ZRAM                                                                                                           \
    "=< part-zram-device\n== proc/swaps\nFilename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"                           \
    "/dev/zram0                              partition\t4194300\t\t0\t\t100\n"
#define BTRFS "sys/fs/btrfs/6e0f7c1a-3b52-4d0f-8a53-94c9d7b3e111/allocation/metadata/"
#define MOUNT(options) "== proc/self/mountinfo\n30 1 254:1 / / rw,relatime shared:1 - ext4 /dev/dm-1 " options "\n"
#define NVME "sys/class/nvme/nvme0/power/"
#define SWAP_TITLE "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
#define GIB (G_GUINT64_CONSTANT (1) << 30)

/* What only the kernel can be asked, and what no plain file can show. */
static void
nearly_full (RfCheckInput *in)
{
    RfSpace *space = in->around->spaces->pdata[0];
    space->size = RF_COUNTER (200 * GIB);
    space->available = RF_COUNTER (11 * GIB);
}

static void
much_free (RfCheckInput *in)
{
    RfSpace *space = in->around->spaces->pdata[0];
    space->size = RF_COUNTER (2000 * GIB);
    space->available = RF_COUNTER (180 * GIB); /* nine of a hundred, and much room all the same */
}

static void
dear_plan (RfCheckInput *in)
{
    in->available = RF_COUNTER (GIB);
    in->plan_bytes = GIB / 2;
}

static void
without_memory (RfCheckInput *in)
{
    in->available = RF_COUNTER_MISSING (RF_AVAIL_NO_FILE);
}

static void
swap_file_anywhere (RfCheckInput *in)
{
    RfSwapDevice *swap = in->facts->swaps->pdata[0];
    g_clear_pointer (&swap->disk, g_free);
}

static const struct {
    const char *id;
    RfCheckVerdict verdict;
    const char *machine;
    const char *lay_over;
    void (*change) (RfCheckInput *in);
    const char *evidence; /* stands in the evidence, the command or the detail */
} cases[] = {
    {"container", RF_CHECK_FINE, "laptop-8g", "", NULL, "Neither"},
    {"container", RF_CHECK_FINE, "virtio-vm", "", NULL, "virtual machine"},
    {"container", RF_CHECK_LOOK, "container", "", NULL, "docker"},
    {"container", RF_CHECK_LOOK, "laptop-8g",
     "== proc/self/mountinfo\n30 1 254:1 / / rw - ext4 /dev/dm-1 rw\n40 30 0:9 / /proc/sys ro - proc proc rw\n", NULL,
     "read-only"},
    {"container", RF_CHECK_UNKNOWN, "laptop-8g", "== proc/self/mountinfo\n!errno EACCES\n", NULL, "mounted"},
    {"mount-options", RF_CHECK_FINE, "laptop-8g", "", NULL, NULL},
    {"mount-options", RF_CHECK_LOOK, "laptop-8g", MOUNT ("rw,nobarrier"), NULL, "/, nobarrier: "},
    {"mount-options", RF_CHECK_LOOK, "laptop-8g", MOUNT ("rw,barrier=0"), NULL, "power cut"},
    {"mount-options", RF_CHECK_LOOK, "laptop-8g", MOUNT ("rw,data=writeback"), NULL, "old contents"},
    {"mount-options", RF_CHECK_LOOK, "laptop-8g", MOUNT ("rw,commit=600"), NULL, "600 seconds"},
    {"mount-options", RF_CHECK_FINE, "laptop-8g", MOUNT ("rw,commit=30,barrier=1,data=ordered"), NULL, NULL},
    {"mount-options", RF_CHECK_LOOK, "laptop-8g", "== etc/fstab\n# x\nUUID=1 /srv ext3 nobh 0 2\r\n", NULL,
     "/etc/fstab:2"},
    {"mount-options", RF_CHECK_LOOK, "laptop-8g", "== etc/fstab\nUUID=1 /srv xfs rw,nobarrier\n", NULL,
     "may not start"},
    {"mount-options", RF_CHECK_UNKNOWN, "laptop-8g", "== etc/fstab\n!errno EACCES\n", NULL, "next start"},
    {"mount-options", RF_CHECK_UNKNOWN, "laptop-8g", "=- proc/self/mountinfo\n", NULL, NULL},
    {"space", RF_CHECK_FINE, "laptop-8g", "", much_free, "180 GiB of 2"},
    {"space", RF_CHECK_LOOK, "laptop-8g", "", nearly_full, "11 GiB of 200 GiB"},
    {"space", RF_CHECK_UNKNOWN, "laptop-8g", "", NULL, NULL},
    {"btrfs-metadata", RF_CHECK_FINE, "virtio-vm", "", NULL, "No btrfs"},
    {"btrfs-metadata", RF_CHECK_FINE, "laptop-8g",
     "= " BTRFS "total_bytes 1073741824\n= " BTRFS "bytes_used 966367641\n", NULL, "/: 90"},
    {"btrfs-metadata", RF_CHECK_LOOK, "laptop-8g",
     "= " BTRFS "total_bytes 1073741824\n= " BTRFS "bytes_used 1030792151\n", NULL, "/: 96"},
    {"btrfs-metadata", RF_CHECK_UNKNOWN, "laptop-8g", "= " BTRFS "total_bytes 1073741824\n", NULL, NULL},
    {"btrfs-metadata", RF_CHECK_UNKNOWN, "laptop-8g", "= " BTRFS "total_bytes x\n= " BTRFS "bytes_used 1\n", NULL,
     NULL},
    {"swap-drive", RF_CHECK_LOOK, "laptop-8g", "", NULL, "nvme0n1"},
    {"swap-drive", RF_CHECK_FINE, "laptop-8g", "== proc/swaps\n" SWAP_TITLE, NULL, "No swap"},
    {"swap-drive", RF_CHECK_UNKNOWN, "laptop-8g", "== proc/swaps\n!errno EACCES\n", NULL, NULL},
    {"killers", RF_CHECK_UNKNOWN, "laptop-8g", "== proc/swaps\n!errno EACCES\n", NULL, "zram"},
    {"btrfs-metadata", RF_CHECK_UNKNOWN, "laptop-8g", "== proc/self/mountinfo\n!errno EACCES\n", NULL, NULL},
    {"trim", RF_CHECK_UNKNOWN, "laptop-8g", "== proc/self/mountinfo\n!errno EACCES\n", NULL, NULL},
    {"swap-drive", RF_CHECK_UNKNOWN, "laptop-8g", "", swap_file_anywhere, NULL},
    {"swap-left", RF_CHECK_LOOK, "desktop-94g",
     "== proc/swaps\n" SWAP_TITLE "/swap\\040file file\t8388604\t1048580\t5\n", NULL,
     "sudo swapoff '/swap file' && sudo swapon -p 5 '/swap file'"},
    {"swap-left", RF_CHECK_FINE, "desktop-94g",
     "== proc/swaps\n" SWAP_TITLE "/dev/nvme0n1p9 partition\t8388604\t1024\t-2\n", NULL, "Only"},
    {"swap-left", RF_CHECK_FINE, "virtio-vm",
     "== proc/swaps\n" SWAP_TITLE "/dev/vda5 partition\t8388604\t4048580\t-2\n", NULL, "too short"},
    {"swap-left", RF_CHECK_FINE, "laptop-8g", "=- proc/swaps\n", NULL, "no swap"},
    {"swap-left", RF_CHECK_UNKNOWN, "laptop-8g", "== proc/swaps\n!errno EACCES\n", NULL, NULL},
    {"swap-left", RF_CHECK_UNKNOWN, "laptop-8g", "", without_memory, NULL},
    {"zswap", RF_CHECK_FINE, "laptop-8g", "= sys/module/zswap/parameters/enabled N\n", NULL, "off"},
    {"zswap", RF_CHECK_FINE, "laptop-8g", "= sys/module/zswap/parameters/enabled Y\n", NULL, "no zram"},
    {"zswap", RF_CHECK_FINE, "laptop-8g", "=- sys/module/zswap\n", NULL, "no zswap"},
    {"zswap", RF_CHECK_LOOK, "laptop-8g", ZRAM "= sys/module/zswap/parameters/enabled Y\n", NULL, "tee"},
    {"zswap", RF_CHECK_UNKNOWN, "laptop-8g", "== sys/module/zswap/parameters/enabled\n!errno EACCES\n", NULL, NULL},
    {"plan-memory", RF_CHECK_FINE, "desktop-94g", "", NULL, "94"},
    {"plan-memory", RF_CHECK_LOOK, "laptop-8g", "", dear_plan, "512 MiB"},
    {"plan-memory", RF_CHECK_LOOK, "laptop-8g",
     "== proc/meminfo\nMemTotal: 1048576 kB\nMemFree: 524288 kB\nMemAvailable: 786432 kB\n", NULL, "1 GiB"},
    {"plan-memory", RF_CHECK_UNKNOWN, "laptop-8g", "=- proc/meminfo\n", NULL, NULL},
    {"trim", RF_CHECK_FINE, "laptop-8g", "", NULL, "reaches"},
    {"trim", RF_CHECK_LOOK, "laptop-8g",
     "= sys/block/dm-0/queue/discard_max_bytes 0\n= sys/block/dm-1/queue/discard_max_bytes 0\n", NULL,
     "sudo cryptsetup --allow-discards --persistent refresh "},
    {"trim", RF_CHECK_LOOK, "laptop-8g", "= sys/block/dm-1/queue/discard_max_bytes 0\n", NULL, "discard_max_bytes: 0"},
    {"trim", RF_CHECK_FINE, "laptop-8g",
     "= sys/block/nvme0n1/queue/discard_max_bytes 0\n= sys/block/dm-0/queue/discard_max_bytes 0\n", NULL, "No drive"},
    {"trim", RF_CHECK_UNKNOWN, "laptop-8g", "=- sys/block/dm-0/queue/discard_max_bytes\n", NULL, NULL},
    {"discard-twice", RF_CHECK_FINE, "laptop-8g",
     "=> etc/systemd/system/timers.target.wants/fstrim.timer -> /usr/lib/systemd/system/fstrim.timer\n", NULL, "week"},
    {"discard-twice", RF_CHECK_LOOK, "laptop-8g",
     MOUNT ("rw,discard") "=> run/systemd/units/invocation:fstrim.timer -> 0123\n", NULL, "/ is mounted"},
    {"discard-twice", RF_CHECK_FINE, "laptop-8g", MOUNT ("rw,discard"), NULL, "off"},
    {"discard-twice", RF_CHECK_UNKNOWN, "laptop-8g", MOUNT ("rw,discard") "=- run/systemd\n", NULL, NULL},
    {"discard-twice", RF_CHECK_UNKNOWN, "laptop-8g", "=- proc/self/mountinfo\n", NULL, NULL},
    {"nvme-sleep", RF_CHECK_FINE, "virtio-vm", "", NULL, "no NVMe"},
    {"nvme-sleep", RF_CHECK_FINE, "laptop-8g", "=/ " NVME "\n", NULL, "by itself"},
    {"nvme-sleep", RF_CHECK_FINE, "laptop-8g", "= " NVME "pm_qos_latency_tolerance_us 0\n", NULL, "by itself"},
    {"nvme-sleep", RF_CHECK_FINE, "laptop-8g", "= " NVME "pm_qos_latency_tolerance_us 5000\n", NULL, "5 ms"},
    {"nvme-sleep", RF_CHECK_LOOK, "laptop-8g", "= " NVME "pm_qos_latency_tolerance_us any\n", NULL, "however long"},
    {"nvme-sleep", RF_CHECK_LOOK, "laptop-8g", "= " NVME "pm_qos_latency_tolerance_us 500000\n", NULL, "500 ms"},
    {"nvme-sleep", RF_CHECK_UNKNOWN, "laptop-8g", "= " NVME "pm_qos_latency_tolerance_us 100000\n", NULL, "100 ms"},
    {"nvme-sleep", RF_CHECK_UNKNOWN, "laptop-8g", "= " NVME "pm_qos_latency_tolerance_us auto\n", NULL, "nvme0"},
    {"nvme-sleep", RF_CHECK_UNKNOWN, "laptop-8g", "= " NVME "pm_qos_latency_tolerance_us -3\n", NULL, "nvme0"},
    {"huge-pages", RF_CHECK_FINE, "laptop-8g", "", NULL, "madvise"},
    {"huge-pages", RF_CHECK_LOOK, "laptop-8g",
     "= sys/kernel/mm/transparent_hugepage/defrag [always] defer madvise never\n", NULL, "tee"},
    {"huge-pages", RF_CHECK_FINE, "laptop-8g",
     "= sys/kernel/mm/transparent_hugepage/defrag [always] defer madvise never\n"
     "= sys/kernel/mm/transparent_hugepage/enabled always madvise [never]\n",
     NULL, "off"},
    {"huge-pages", RF_CHECK_FINE, "laptop-8g", "=- sys/kernel/mm/transparent_hugepage\n", NULL, "no transparent"},
    {"huge-pages", RF_CHECK_UNKNOWN, "laptop-8g", "= sys/kernel/mm/transparent_hugepage/defrag always\n", NULL, NULL},
    {"programs", RF_CHECK_FINE, "laptop-8g", "", NULL, "None"},
    {"programs", RF_CHECK_FINE, "laptop-8g", "= usr/lib/systemd/system/tuned.service [Unit]\n", NULL, "TuneD is inst"},
    {"programs", RF_CHECK_LOOK, "laptop-8g", "=/ sys/fs/cgroup/system.slice/tuned.service\n", NULL, "TuneD"},
    {"programs", RF_CHECK_LOOK, "laptop-8g",
     "=> etc/systemd/system/multi-user.target.wants/tlp.service -> /usr/lib/systemd/system/tlp.service\n", NULL, "TLP"},
    {"programs", RF_CHECK_FINE, "laptop-8g",
     "=> etc/systemd/system/multi-user.target.wants/tlp.service -> /usr/lib/systemd/system/tlp.service\n"
     "=> etc/systemd/system/tlp.service -> /dev/null\n",
     NULL, "None"},
    {"programs", RF_CHECK_LOOK, "laptop-8g", "= usr/lib/sysctl.d/70-cachyos-settings.conf vm.swappiness = 100\n", NULL,
     "CachyOS"},
    {"programs", RF_CHECK_LOOK, "laptop-8g", "=/ sys/fs/cgroup/system.slice/pop-zram-config.service\n", NULL,
     "Pop!_OS"},
    {"programs", RF_CHECK_LOOK, "laptop-8g", "=/ sys/fs/cgroup/system.slice/com.system76.Scheduler.service\n", NULL,
     "system76"},
    {"programs", RF_CHECK_LOOK, "laptop-8g",
     "=/ sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/gamemoded.service\n", NULL, "GameMode"},
    {"programs", RF_CHECK_UNKNOWN, "laptop-8g", "=- run/systemd\n", NULL, "systemd"},
    {"killers", RF_CHECK_FINE, "laptop-8g", "=/ sys/fs/cgroup/system.slice/earlyoom.service\n", NULL, "no zram"},
    {"killers", RF_CHECK_FINE, "laptop-8g", ZRAM, NULL, "no memory watchdog"},
    {"killers", RF_CHECK_LOOK, "laptop-8g", ZRAM "=/ sys/fs/cgroup/system.slice/systemd-oomd.service\n", NULL,
     "journalctl -b -u systemd-oomd.service"},
    {"killers", RF_CHECK_LOOK, "laptop-8g", ZRAM "=/ sys/fs/cgroup/system.slice/earlyoom.service\n", NULL, "earlyoom"},
    {"killers", RF_CHECK_UNKNOWN, "laptop-8g", ZRAM "=- run/systemd\n", NULL, NULL},
    {"clock", RF_CHECK_FINE, "laptop-8g", CLOCK "tsc\n", NULL, "tsc"},
    {"clock", RF_CHECK_FINE, "virtio-vm", CLOCK "kvm-clock\n", NULL, "kvm-clock"},
    {"clock", RF_CHECK_LOOK, "laptop-8g", CLOCK "hpet\n", NULL, "hpet"},
    {"clock", RF_CHECK_LOOK, "laptop-8g", CLOCK "acpi_pm\n", NULL, "dmesg"},
    {"clock", RF_CHECK_UNKNOWN, "laptop-8g", "=- sys/devices/system/clocksource\n", NULL, NULL},
    {"psi", RF_CHECK_FINE, "laptop-8g", "", NULL, NULL},
    {"psi", RF_CHECK_LOOK, "laptop-8g", "== proc/pressure/memory\n!errno EOPNOTSUPP\n", NULL, "psi=1"},
    {"psi", RF_CHECK_UNKNOWN, "laptop-8g", "=- proc/pressure\n", NULL, NULL},
    {"psi", RF_CHECK_UNKNOWN, "laptop-8g", "== proc/pressure/memory\n!errno EACCES\n", NULL, NULL},
    {"old-advice", RF_CHECK_FINE, "laptop-8g", "", NULL, NULL},
    {"old-advice", RF_CHECK_UNKNOWN, "laptop-8g", "== etc/sysctl.d/secret.conf\n!errno EACCES\n", NULL, "1 file"},
    {"old-quotes", RF_CHECK_LOOK, "laptop-8g", "== etc/sysctl.conf\n# x\nvm.swappiness=\"10\"\n", NULL,
     "/etc/sysctl.conf:2: vm.swappiness=\"10\""},
    {"old-no-prefix", RF_CHECK_LOOK, "laptop-8g", "= etc/sysctl.d/50-x.conf swappiness = 10\n", NULL,
     "/etc/sysctl.d/50-x.conf:1"},
    {"old-removed-key", RF_CHECK_LOOK, "laptop-8g", "= etc/sysctl.d/50-x.conf kernel.sched_latency_ns=1\n", NULL, NULL},
    {"old-tcp-recycle", RF_CHECK_LOOK, "laptop-8g", "= etc/sysctl.d/50-x.conf -net/ipv4/tcp_tw_recycle = 1\n", NULL,
     NULL},
    {"old-tcp-buffers", RF_CHECK_LOOK, "laptop-8g", "= etc/sysctl.d/50-x.conf net.ipv4.tcp_rmem = 4096 87380 8388608\n",
     NULL, "8388608"},
    {"old-tcp-times", RF_CHECK_LOOK, "laptop-8g", "= etc/sysctl.d/50-x.conf net.ipv4.tcp_fin_timeout=15\n", NULL, NULL},
    {"old-swappiness", RF_CHECK_LOOK, "laptop-8g", "= etc/sysctl.d/50-x.conf vm.swappiness=201\n", NULL, NULL},
    {"old-cache-pressure", RF_CHECK_LOOK, "laptop-8g", "= etc/sysctl.d/50-x.conf vm.vfs_cache_pressure=0\n", NULL,
     NULL},
    {"old-write-back", RF_CHECK_LOOK, "laptop-8g", "= etc/sysctl.d/50-x.conf vm.dirty_expire_centisecs=1\n", NULL,
     NULL},
    {"old-min-free", RF_CHECK_LOOK, "laptop-8g", "= etc/sysctl.d/50-x.conf vm.min_free_kbytes=1048576\n", NULL, NULL},
    {"old-drop-caches", RF_CHECK_LOOK, "laptop-8g",
     "== etc/cron.daily/backup\n#!/bin/sh\necho 3 > /proc/sys/vm/drop_caches\n", NULL, "/etc/cron.daily/backup:2"},
    {"old-scheduler", RF_CHECK_LOOK, "laptop-8g",
     "= etc/udev/rules.d/60-io.rules KERNEL==\"sd*\", ATTR{queue/scheduler}=\"noop\"\n", NULL, "60-io.rules:1"},
    {"old-elevator", RF_CHECK_LOOK, "laptop-8g", "= proc/cmdline root=/dev/dm-1 elevator=noop\n", NULL,
     "/proc/cmdline"},
    {"old-min-ttl", RF_CHECK_LOOK, "laptop-8g",
     "= etc/tmpfiles.d/x.conf w /sys/kernel/mm/lru_gen/min_ttl_ms - - - - 1000\n", NULL, NULL},
};

static const RfCheckResult *
find (GPtrArray *results, const char *id)
{
    for (guint i = 0; i < results->len; i++)
        if (g_str_equal (((const RfCheckResult *)results->pdata[i])->id, id))
            return results->pdata[i];
    return NULL;
}

static gboolean
says (const RfCheckResult *result, const char *text)
{
    const char *const places[] = {result->evidence, result->command, result->detail};
    for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
        if (places[i] != NULL && strstr (places[i], text) != NULL)
            return TRUE;
    return FALSE;
}

static RfCheckInput *
look_at (RfTestTree *tree)
{
    return rf_check_input_read (rf_test_tree_sysroot (tree));
}

static void
verdicts (void)
{
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (cases[i].machine);
        g_test_message ("%s on %s: %s", cases[i].id, cases[i].machine, cases[i].lay_over);
        rf_test_tree_apply (tree, cases[i].lay_over);
        g_autoptr (RfCheckInput) input = look_at (tree);
        if (cases[i].change != NULL)
            cases[i].change (input);
        g_autoptr (GPtrArray) results = rf_check_run (input);
        const RfCheckResult *result = find (results, cases[i].id);
        g_assert_nonnull (result);
        g_test_message ("%s | %s | %s", result->title, result->evidence, result->detail);
        g_assert_cmpstr (rf_check_verdict_nick (result->verdict), ==, rf_check_verdict_nick (cases[i].verdict));
        g_assert_true (cases[i].evidence == NULL || says (result, cases[i].evidence));
        g_assert_true (result->verdict != RF_CHECK_LOOK || result->next != NULL);
    }
}

/* A check without a case for each verdict would be one that nobody has seen work. */
static void
nothing_is_left_out (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autoptr (RfCheckInput) input = look_at (tree);
    g_autoptr (GPtrArray) results = rf_check_run (input);
    g_assert_cmpuint (results->len, ==, 17);
    for (guint i = 0; i < results->len; i++) {
        const RfCheckResult *result = results->pdata[i];
        guint seen = 0;
        for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
            if (g_str_equal (cases[k].id, result->id))
                seen |= 1u << cases[k].verdict;
        g_test_message ("%s", result->id);
        /* old advice is found under the names of its kinds */
        g_assert_cmpuint (seen, ==, g_str_equal (result->id, "old-advice") ? 5 : 7);
    }
    for (gsize id = 0; id < RF_N_OLD; id++) {
        g_autofree char *nick = g_strconcat ("old-", rf_old_advice_nick ((RfOldAdviceId)id), NULL);
        gboolean seen = FALSE;
        for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
            seen |= g_str_equal (cases[k].id, nick);
        g_assert_true (seen);
    }
}

/* What looks like old advice and is none. */
static void
innocent_lines (void)
{
    static const char *const lines[] = {
        "# vm.swappiness=\"10\"",
        "; swappiness = 10",
        "vm.swappiness = 180",
        "vm.vfs_cache_pressure = 50",
        "vm.swappiness",
        "vm.min_free_kbytes = 67584",
        "vm.dirty_expire_centisecs = 1500",
        "net.core.rmem_max = 33554432",
        "net.ipv4.tcp_rmem = 4096 131072 33554432",
        "net.ipv4.tcp_rmem = 4096 87380",
        "= 3",
        "kernel.sysrq = 176",
    };
    for (gsize i = 0; i < G_N_ELEMENTS (lines); i++) {
        g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_old_advice_free);
        rf_old_advice_scan (RF_OLD_FILE_SYSCTL, "x", lines[i], strlen (lines[i]), RF_KERNEL (6, 1), 8 * GIB, found);
        g_test_message ("%s", lines[i]);
        g_assert_cmpuint (found->len, ==, 0);
    }
    static const char rule[]
        = "ATTR{queue/scheduler}=\"none\"\nATTR{queue/scheduler}=\"mq-deadline\"\n# drop_caches\nsnoop\n";
    g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_old_advice_free);
    rf_old_advice_scan (RF_OLD_FILE_RULES, "x", rule, sizeof rule - 1, 0, 0, found);
    g_assert_cmpuint (found->len, ==, 0);
    rf_old_advice_scan (RF_OLD_FILE_SYSCTL, "x", "vm.swappiness=150", 17, RF_KERNEL (5, 4), 0, found);
    g_assert_cmpuint (found->len, ==, 1);
}

/* Debian 12 reads /etc/sysctl.conf under a second name: one line is one finding. */
static void
one_file_two_names (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    rf_test_tree_apply (tree, "= etc/sysctl.conf net.ipv4.tcp_tw_recycle = 1\n");
    g_autoptr (RfCheckInput) input = look_at (tree);
    g_assert_cmpuint (input->around->advice->len, ==, 1);
}

/* Whatever lies there: no crash, no endless reading, valid text. */
static void
hostile (void)
{
    static const char *const files[] = {"proc/self/mountinfo",
                                        "proc/swaps",
                                        "proc/meminfo",
                                        "etc/fstab",
                                        "etc/sysctl.conf",
                                        "sys/devices/system/clocksource/clocksource0/current_clocksource",
                                        "sys/module/zswap/parameters/enabled",
                                        "etc/udev/rules.d/50-x.rules",
                                        "proc/cmdline",
                                        "sys/class/nvme/nvme0/power/pm_qos_latency_tolerance_us",
                                        "sys/block/dm-0/queue/discard_max_bytes"};
    g_autofree char *huge = g_strnfill (RF_SYSROOT_MAX_READ + 1, 'a');
    g_autoptr (GString) many = g_string_new (NULL);
    for (guint i = 0; i < 20000; i++)
        g_string_append (many, "vm.swappiness=\"\xff\xfe\"\n");
    const char *const contents[]
        = {"", "\n\n\n", "\xff\xfe\x80=\"\xc3\n", "= = = =\n", "!errno EIO\n", huge, many->str};
    for (gsize c = 0; c < G_N_ELEMENTS (contents); c++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
        for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
            rf_test_tree_set (tree, files[i], contents[c]);
        g_autoptr (RfCheckInput) input = look_at (tree);
        g_autoptr (GPtrArray) results = rf_check_run (input);
        g_assert_cmpuint (input->around->advice->len, <=, RF_OLD_ADVICE_MAX);
        for (guint i = 0; i < results->len; i++) {
            const RfCheckResult *result = results->pdata[i];
            g_assert_true (g_utf8_validate (result->title, -1, NULL) && g_utf8_validate (result->evidence, -1, NULL));
            g_assert_true (result->detail == NULL || g_utf8_validate (result->detail, -1, NULL));
        }
    }
}

/* An empty folder is a machine of which nothing is known; a pipe must not be waited for. */
static void
nothing_there (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autoptr (RfCheckInput) input = look_at (tree);
    g_autoptr (GPtrArray) results = rf_check_run (input);
    g_assert_cmpuint (rf_check_count (results, RF_CHECK_LOOK), ==, 0);
    g_assert_cmpuint (rf_check_count (results, RF_CHECK_UNKNOWN), >, 5);
    g_autofree char *summary = rf_check_summary (results);
    g_assert_cmpstr (summary, ==, "Nothing has to be looked at first.");
}

static void
order (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    rf_test_tree_apply (tree, MOUNT ("rw,nobarrier") "== proc/pressure/memory\n!errno EOPNOTSUPP\n");
    g_autoptr (RfCheckInput) input = look_at (tree);
    g_autoptr (GPtrArray) results = rf_check_run (input);
    const RfCheckResult *first = results->pdata[0];
    g_assert_cmpstr (first->id, ==, "mount-options");
    g_assert_true (first->danger);
    for (guint i = 1; i < results->len; i++) {
        static const guint place[] = {[RF_CHECK_LOOK] = 0, [RF_CHECK_FINE] = 1, [RF_CHECK_UNKNOWN] = 2};
        const RfCheckResult *a = results->pdata[i - 1], *b = results->pdata[i];
        g_assert_cmpuint (place[a->verdict], <=, place[b->verdict]);
    }
    g_autofree char *summary = rf_check_summary (results);
    g_assert_cmpstr (
        summary, ==,
        "4 things to look at first: Dangerous or dead mount options · Swap lies on the drive that holds your "
        "data");
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/check/verdicts", verdicts);
    g_test_add_func ("/app/check/nothing-is-left-out", nothing_is_left_out);
    g_test_add_func ("/app/check/innocent-lines", innocent_lines);
    g_test_add_func ("/app/check/one-file-two-names", one_file_two_names);
    g_test_add_func ("/app/check/hostile", hostile);
    g_test_add_func ("/app/check/nothing-there", nothing_there);
    g_test_add_func ("/app/check/order", order);
    return g_test_run ();
}
