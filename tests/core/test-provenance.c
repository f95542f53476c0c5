#include "config.h"

#include "rf-provenance.h"

#include <glib/gstdio.h>
#include <string.h>

#include "rf-test-tree.h"

#define ENABLED(unit) "=> etc/systemd/system/multi-user.target.wants/" unit " -> /usr/lib/systemd/system/" unit "\n"
#define GENERATOR "= usr/lib/systemd/system-generators/zram-generator x\n"
#define PROFILE(name) "== usr/lib/tuned/" name "/tuned.conf\n"

/* every entry: "fate path:line key=raw [value] <by> (why)", then what the next boot gives */
static char *
describe (const RfProvenance *answer)
{
    g_autoptr (GString) out = g_string_new (NULL);
    for (guint i = 0; i < answer->setters->len; i++) {
        const RfSetter *setter = g_ptr_array_index (answer->setters, i);
        g_autofree char *value = rf_value_to_text (&setter->value);
        g_string_append_printf (out, "%s %s", rf_setter_fate_nick (setter->fate), setter->path);
        if (setter->line != 0)
            g_string_append_printf (out, ":%u", setter->line);
        if (setter->key != NULL)
            g_string_append_printf (out, " %s", setter->key);
        if (setter->raw != NULL)
            g_string_append_printf (out, "=%s", setter->raw);
        if (setter->has_value)
            g_string_append_printf (out, " [%s]", value);
        if (setter->ours)
            g_string_append (out, " ours");
        if (setter->by != NULL)
            g_string_append_printf (out, " <%s>", setter->by);
        if (setter->why != NULL)
            g_string_append_printf (out, " (%s)", setter->why);
        g_string_append_c (out, '\n');
    }
    g_autofree char *next = rf_value_to_text (&answer->next);
    g_string_append_printf (out, "%s%s", answer->has_next ? next : "?", answer->certain ? "" : " maybe");
    return g_string_free (g_steal_pointer (&out), FALSE);
}

#define SWAPPINESS "vm.swappiness", ""
#define DIRTY "vm.dirty", ""
#define SCHEDULER "block.scheduler", "nvme0n1"
#define WBT "block.wbt_lat_usec", "nvme0n1"
#define READAHEAD "block.read_ahead_kb", "nvme0n1"
#define ZRAM "swap.zram", ""

static const struct {
    const char *name, *change, *id, *instance, *expected;
} cases[] = {
    {"nothing", "", SWAPPINESS, "60"},
    {"nothing-memory", "", "vm.min_free_kbytes", "", "?"},
    {"nothing-dirty", "", DIRTY, "ratio:20"},
    {"nothing-scheduler", "", SCHEDULER, "none"},
    {"nothing-zram", "", ZRAM, "absent"},
    {"other-builder", "= proc/sys/kernel/osrelease 6.12.1-2-cachyos\n", SWAPPINESS, "?"},

    {"sysctl-last-name-wins",
     "= etc/sysctl.d/10-a.conf vm.swappiness=10\n= usr/lib/sysctl.d/90-b.conf vm/swappiness = 90\n"
     "= etc/sysctl.d/50-c.conf vm.swappiness=50\n= etc/sysctl.d/95-d.conf vm.swappiness.x=95\n",
     SWAPPINESS,
     "loses /etc/sysctl.d/10-a.conf:1 vm.swappiness=10\nloses /etc/sysctl.d/50-c.conf:1 vm.swappiness=50\n"
     "wins /usr/lib/sysctl.d/90-b.conf:1 vm.swappiness=90 [90]\n90"},
    {"sysctl-hidden-and-masked",
     "= usr/lib/sysctl.d/a.conf vm.swappiness=1\n= etc/sysctl.d/a.conf vm.swappiness=2\n"
     "= usr/lib/sysctl.d/b.conf vm.swappiness=3\n=> etc/sysctl.d/b.conf -> /dev/null\n",
     SWAPPINESS,
     "hidden /usr/lib/sysctl.d/a.conf:1 vm.swappiness=1 </etc/sysctl.d/a.conf>\n"
     "masked /usr/lib/sysctl.d/b.conf:1 vm.swappiness=3 </etc/sysctl.d/b.conf>\n"
     "wins /etc/sysctl.d/a.conf:1 vm.swappiness=2 [2]\n2"},
    {"sysctl-pattern", "= etc/sysctl.d/10-a.conf vm.swap*=10\n= etc/sysctl.d/20-b.conf vm.swappi?ess=20\n", SWAPPINESS,
     "loses /etc/sysctl.d/10-a.conf:1 vm.swappiness=10 [10]\n"
     "wins /etc/sysctl.d/20-b.conf:1 vm.swappiness=20 [20]\n20"},
    {"sysctl-pattern-and-own-line", "= etc/sysctl.d/10-a.conf vm.swappiness=10\n= etc/sysctl.d/20-b.conf vm.swap*=20\n",
     SWAPPINESS, "wins /etc/sysctl.d/10-a.conf:1 vm.swappiness=10 [10]\nexcluded /etc/sysctl.d/20-b.conf:1=20\n10"},
    {"sysctl-exclusion", "= etc/sysctl.d/10-a.conf vm.swap*=10\n= etc/sysctl.d/20-b.conf -vm.swappiness\n", SWAPPINESS,
     "excluded /etc/sysctl.d/10-a.conf:1=10\nexclusion /etc/sysctl.d/20-b.conf:1 vm.swappiness\n60"},
    {"sysctl-exclusion-takes-away-a-line",
     "= etc/sysctl.d/10-a.conf vm.swappiness=10\n= etc/sysctl.d/20-b.conf -vm.swappiness\n", SWAPPINESS,
     "loses /etc/sysctl.d/10-a.conf:1 vm.swappiness=10\nexclusion /etc/sysctl.d/20-b.conf:1 vm.swappiness\n60"},
    {"sysctl-ignore-failure", "= etc/sysctl.d/10-a.conf -vm.swappiness = 33\n", SWAPPINESS,
     "wins /etc/sysctl.d/10-a.conf:1 vm.swappiness=33 [33]\n33"},
    /* the quoted line takes the place of the good one, and the kernel refuses it */
    {"sysctl-quotes", "= etc/sysctl.d/10-a.conf vm.swappiness=10\n= etc/sysctl.d/20-b.conf vm.swappiness=\"20\"\n",
     SWAPPINESS,
     "loses /etc/sysctl.d/10-a.conf:1 vm.swappiness=10\nrefused /etc/sysctl.d/20-b.conf:1 vm.swappiness=\"20\"\n60"},
    {"sysctl-octal-and-range", "== etc/sysctl.d/10-a.conf\nvm.swappiness=010\n", SWAPPINESS,
     "wins /etc/sysctl.d/10-a.conf:1 vm.swappiness=010 [8]\n8"},
    {"sysctl-out-of-range", "= etc/sysctl.d/10-a.conf vm.swappiness=201\n", SWAPPINESS,
     "refused /etc/sysctl.d/10-a.conf:1 vm.swappiness=201\n60"},
    {"sysctl-vector", "= etc/sysctl.d/10-a.conf net.ipv4.tcp_rmem = 4096 87380 8388608\n", "net.ipv4.tcp_rmem", "",
     "wins /etc/sysctl.d/10-a.conf:1 net.ipv4.tcp_rmem=4096 87380 8388608 [4096 87380 8388608]\n4096 87380 8388608"},
    {"sysctl-short-vector", "= etc/sysctl.d/10-a.conf net.ipv4.tcp_rmem=4096 87380\n", "net.ipv4.tcp_rmem", "",
     "wins /etc/sysctl.d/10-a.conf:1 net.ipv4.tcp_rmem=4096 87380\n?"},
    {"sysctl-same-keeps-its-place",
     "= etc/sysctl.d/10-a.conf vm.dirty_bytes=8192\n= etc/sysctl.d/20-b.conf vm.dirty_ratio=5\n"
     "= etc/sysctl.d/30-c.conf vm.dirty_bytes=8192\n",
     DIRTY,
     "same /etc/sysctl.d/30-c.conf:1 vm.dirty_bytes=8192\nloses /etc/sysctl.d/10-a.conf:1 vm.dirty_bytes=8192 "
     "[bytes:8192]\n"
     "wins /etc/sysctl.d/20-b.conf:1 vm.dirty_ratio=5 [ratio:5]\nratio:5"},
    {"sysctl-pair", "= etc/sysctl.d/10-a.conf vm.dirty_bytes=8192\n= etc/sysctl.d/20-b.conf vm.dirty_ratio=5\n", DIRTY,
     "loses /etc/sysctl.d/10-a.conf:1 vm.dirty_bytes=8192 [bytes:8192]\n"
     "wins /etc/sysctl.d/20-b.conf:1 vm.dirty_ratio=5 [ratio:5]\nratio:5"},
    {"sysctl-pair-zero", "= etc/sysctl.d/10-a.conf vm.dirty_ratio=5\n= etc/sysctl.d/20-b.conf vm.dirty_bytes=0\n",
     DIRTY,
     "wins /etc/sysctl.d/10-a.conf:1 vm.dirty_ratio=5 [ratio:5]\n"
     "refused /etc/sysctl.d/20-b.conf:1 vm.dirty_bytes=0\nratio:5"},
    {"sysctl-debian-12", "= etc/sysctl.conf vm.swappiness=1\n=> etc/sysctl.d/99-sysctl.conf -> ../sysctl.conf\n",
     SWAPPINESS, "wins /etc/sysctl.d/99-sysctl.conf:1 vm.swappiness=1 [1]\n1"},
    {"sysctl-debian-13", "=- etc/sysctl.d/99-sysctl.conf\n= etc/sysctl.conf vm.swappiness=1\n", SWAPPINESS,
     "unread /etc/sysctl.conf:1 vm.swappiness=1\n60"},
    {"sysctl-unreadable", "== etc/sysctl.d/20-a.conf\n!errno EACCES\n= etc/sysctl.d/50-b.conf vm.swappiness=1\n",
     SWAPPINESS, "unreadable /etc/sysctl.d/20-a.conf\nwins /etc/sysctl.d/50-b.conf:1 vm.swappiness=1 [1]\n1"},
    {"sysctl-unreadable-behind", "== etc/sysctl.d/60-a.conf\n!errno EACCES\n= etc/sysctl.d/50-b.conf vm.swappiness=1\n",
     SWAPPINESS, "unreadable /etc/sysctl.d/60-a.conf\nwins /etc/sysctl.d/50-b.conf:1 vm.swappiness=1 [1]\n1 maybe"},
    {"sysctl-unreadable-alone", "== etc/sysctl.d/60-a.conf\n!errno EACCES\n", SWAPPINESS,
     "unreadable /etc/sysctl.d/60-a.conf\n60 maybe"},
    {"sysctl-ours", "= etc/sysctl.d/99-zz-ruckelfrei.conf vm.swappiness = 180\n", SWAPPINESS,
     "wins /etc/sysctl.d/99-zz-ruckelfrei.conf:1 vm.swappiness=180 [180] ours\n180"},

    {"udev-last-name-wins",
     "= usr/lib/udev/rules.d/60-b.rules SUBSYSTEM==\"block\", KERNEL==\"nvme*\", "
     "ATTR{queue/scheduler}=\"mq-deadline\"\n"
     "= etc/udev/rules.d/50-a.rules KERNEL==\"nvme*|sd*\", ATTR{queue/scheduler}=\"none\"\n"
     "= etc/udev/rules.d/70-c.rules KERNEL==\"sd*\", ATTR{queue/scheduler}=\"none\"\n",
     SCHEDULER,
     "loses /etc/udev/rules.d/50-a.rules:1 queue/scheduler=none [none]\n"
     "wins /usr/lib/udev/rules.d/60-b.rules:1 queue/scheduler=mq-deadline [mq-deadline]\n"
     "other-device /etc/udev/rules.d/70-c.rules:1 queue/scheduler=none [none]\nmq-deadline"},
    {"udev-refused",
     "== etc/udev/rules.d/a.rules\nKERNEL==\"nvme0n1\", ATTR{queue/scheduler}=\"noop\"\n"
     "KERNEL==\"nvme0n1\", ATTR{queue/scheduler}=\"deadline\"\n",
     SCHEDULER,
     "refused /etc/udev/rules.d/a.rules:1 queue/scheduler=noop\n"
     "wins /etc/udev/rules.d/a.rules:2 queue/scheduler=deadline [mq-deadline]\nmq-deadline"},
    {"udev-conditions-met",
     "== etc/udev/rules.d/a.rules\n# comment\nACTION==\"add|change\", SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\", "
     "\\\n"
     "  KERNEL==\"nvme[0-9]*n[0-9]*\", TEST==\"queue/wbt_lat_usec\", ATTR{queue/rotational}==\"0\", \\\n"
     "  ATTRS{serial}==\"S41G*\", ATTR{queue/wbt_lat_usec}:=\"0\"\n",
     WBT, "wins /etc/udev/rules.d/a.rules:2 queue/wbt_lat_usec=0 [0]\n0"},
    {"udev-conditions-not-met",
     "== etc/udev/rules.d/a.rules\nACTION==\"remove\", ATTR{queue/wbt_lat_usec}=\"1\"\n"
     "SUBSYSTEM!=\"block\", ATTR{queue/wbt_lat_usec}=\"2\"\nENV{DEVTYPE}==\"partition\", "
     "ATTR{queue/wbt_lat_usec}=\"3\"\n"
     "TEST!=\"queue/scheduler\", ATTR{queue/wbt_lat_usec}=\"4\"\nATTR{queue/rotational}==\"1\", "
     "ATTR{queue/wbt_lat_usec}=\"5\"\n"
     "ATTR{no/such}!=\"1\", ATTR{queue/wbt_lat_usec}=\"6\"\n",
     WBT,
     "other-device /etc/udev/rules.d/a.rules:1 queue/wbt_lat_usec=1 [1]\n"
     "other-device /etc/udev/rules.d/a.rules:2 queue/wbt_lat_usec=2 [2]\n"
     "other-device /etc/udev/rules.d/a.rules:3 queue/wbt_lat_usec=3 [3]\n"
     "other-device /etc/udev/rules.d/a.rules:4 queue/wbt_lat_usec=4 [4]\n"
     "other-device /etc/udev/rules.d/a.rules:5 queue/wbt_lat_usec=5 [5]\n"
     "other-device /etc/udev/rules.d/a.rules:6 queue/wbt_lat_usec=6 [6]\n2000"},
    {"udev-not-to-be-known",
     "== etc/udev/rules.d/a.rules\nKERNEL==\"nvme*\", ENV{ID_MODEL}==\"Fast*\", ATTR{queue/wbt_lat_usec}=\"1\"\n"
     "KERNEL==\"nvme*\", ATTR{queue/wbt_lat_usec}=\"5\"\nACTION==\"change\", ATTR{queue/wbt_lat_usec}=\"7\"\n"
     "PROGRAM==\"/bin/true\", ATTR{queue/wbt_lat_usec}=\"$result\"\n",
     WBT,
     "maybe /etc/udev/rules.d/a.rules:1 queue/wbt_lat_usec=1 [1] (ENV{ID_MODEL}==\"Fast*\")\n"
     "wins /etc/udev/rules.d/a.rules:2 queue/wbt_lat_usec=5 [5]\n"
     "late /etc/udev/rules.d/a.rules:3 queue/wbt_lat_usec=7 [7] (ACTION==\"change\")\n"
     "maybe /etc/udev/rules.d/a.rules:4 (PROGRAM==\"/bin/true\")\n5 maybe"},
    {"udev-maybe-before-the-winner",
     "== etc/udev/rules.d/a.rules\nENV{ID_BUS}==\"usb\", ATTR{queue/wbt_lat_usec}=\"1\"\n"
     "ATTR{queue/wbt_lat_usec}=\"5\"\n",
     WBT,
     "maybe /etc/udev/rules.d/a.rules:1 queue/wbt_lat_usec=1 [1] (ENV{ID_BUS}==\"usb\")\n"
     "wins /etc/udev/rules.d/a.rules:2 queue/wbt_lat_usec=5 [5]\n5"},
    {"udev-goto",
     "== etc/udev/rules.d/a.rules\nKERNEL==\"nvme*\", GOTO=\"end\"\nATTR{queue/wbt_lat_usec}=\"1\"\nLABEL=\"end\"\n"
     "ENV{X}==\"1\", GOTO=\"more\"\nATTR{queue/wbt_lat_usec}=\"2\"\nLABEL=\"more\"\nATTR{queue/wbt_lat_usec}=\"3\"\n",
     WBT,
     "maybe /etc/udev/rules.d/a.rules:5 queue/wbt_lat_usec=2 [2] (ENV{X}==\"1\")\n"
     "wins /etc/udev/rules.d/a.rules:7 queue/wbt_lat_usec=3 [3]\n3"},
    {"udev-both-names",
     "== etc/udev/rules.d/a.rules\nATTR{bdi/read_ahead_kb}=\"512\"\nATTR{queue/read_ahead_kb}=\"256\"\n", READAHEAD,
     "loses /etc/udev/rules.d/a.rules:1 bdi/read_ahead_kb=512 [512]\n"
     "wins /etc/udev/rules.d/a.rules:2 queue/read_ahead_kb=256 [256]\n256"},
    {"udev-broken-lines",
     "== etc/udev/rules.d/a.rules\nKERNEL==nvme0n1, ATTR{queue/wbt_lat_usec}=\"1\"\nDEVTYPE==\"disk\", "
     "ATTR{queue/wbt_lat_usec}=\"2\"\nATTR{queue/wbt_lat_usec}=\"3\n",
     WBT, "2000"},
    {"udev-unreadable", "== etc/udev/rules.d/a.rules\n!errno EACCES\n", WBT,
     "unreadable /etc/udev/rules.d/a.rules\n2000 maybe"},
    {"udev-masked",
     "= usr/lib/udev/rules.d/a.rules ATTR{queue/wbt_lat_usec}=\"3\"\n=> etc/udev/rules.d/a.rules -> /dev/null\n", WBT,
     "masked /usr/lib/udev/rules.d/a.rules:1 queue/wbt_lat_usec=3 [3] </etc/udev/rules.d/a.rules>\n2000"},
    {"udev-program",
     "= etc/udev/rules.d/a.rules KERNEL==\"nvme0n1\", RUN+=\"/bin/sh -c 'echo 0 > "
     "/sys/block/%k/queue/wbt_lat_usec'\"\n",
     WBT, "late /etc/udev/rules.d/a.rules:1\n2000 maybe"},
    {"udev-ours-and-trial",
     "= etc/udev/rules.d/99-zz-ruckelfrei.rules ATTR{queue/wbt_lat_usec}=\"9\"\n"
     "= run/udev/rules.d/99-zzz-ruckelfrei-trial.rules ATTR{queue/wbt_lat_usec}=\"8\"\n",
     WBT,
     "wins /etc/udev/rules.d/99-zz-ruckelfrei.rules:1 queue/wbt_lat_usec=9 [9] ours\n"
     "gone /run/udev/rules.d/99-zzz-ruckelfrei-trial.rules:1 queue/wbt_lat_usec=8 [8] ours\n9"},
    /* the distribution whose rule writes at every change of the zram device */
    {"udev-cachyos",
     "= usr/lib/sysctl.d/70-cachyos-settings.conf vm.swappiness = 100\n"
     "= usr/lib/udev/rules.d/30-zram.rules ACTION==\"change\", KERNEL==\"zram0\", ATTR{initstate}==\"1\", "
     "SYSCTL{vm.swappiness}=\"150\"\n",
     SWAPPINESS,
     "wins /usr/lib/sysctl.d/70-cachyos-settings.conf:1 vm.swappiness=100 [100]\n"
     "late /usr/lib/udev/rules.d/30-zram.rules:1 vm.swappiness=150 [150] (ACTION==\"change\")\n100 maybe"},
    {"udev-sysctl", "= etc/udev/rules.d/a.rules KERNEL==\"nvme0n1\", SYSCTL{vm/swappiness}=\"5\"\n", SWAPPINESS,
     "wins /etc/udev/rules.d/a.rules:1 vm.swappiness=5 [5]\n5"},
    {"udev-sysctl-other",
     "= etc/udev/rules.d/a.rules KERNEL==\"eth9\", SUBSYSTEM==\"net\", SYSCTL{vm.swappiness}=\"5\"\n", SWAPPINESS,
     "maybe /etc/udev/rules.d/a.rules:1 vm.swappiness=5 [5] (KERNEL==\"eth9\")\n60 maybe"},

    {"tmpfiles-first-line-for-a-path",
     "== etc/tmpfiles.d/a.conf\n#w /proc/sys/vm/swappiness - - - - 1\nw! /proc/sys/vm/swappiness - - - - 2\n"
     "w /proc/sys/vm/swappiness - - - - 3\nf /proc/sys/vm/swappiness - - - - 4\n= etc/sysctl.d/z.conf "
     "vm.swappiness=9\n",
     SWAPPINESS,
     "loses /etc/sysctl.d/z.conf:1 vm.swappiness=9 [9]\n"
     "wins /etc/tmpfiles.d/a.conf:2 vm.swappiness=2 [2]\n"
     "loses /etc/tmpfiles.d/a.conf:3 vm.swappiness=3 [3]\n2"},
    {"tmpfiles-append-and-pattern",
     "== etc/tmpfiles.d/a.conf\nw+ /proc/sys/vm/swappiness - - - - 2\nw+ /proc/sys/vm/swappiness - - - - 3\n"
     "w \"/proc/sys/vm/swap*\" - - - - 4\\n\n",
     SWAPPINESS,
     "loses /etc/tmpfiles.d/a.conf:1 vm.swappiness=2 [2]\nloses /etc/tmpfiles.d/a.conf:2 vm.swappiness=3 [3]\n"
     "wins /etc/tmpfiles.d/a.conf:3 vm.swappiness=4  [4]\n4"},
    {"tmpfiles-queue", "= usr/lib/tmpfiles.d/a.conf w /sys/block/nvme*/queue/scheduler - - - - mq-deadline\n",
     SCHEDULER, "wins /usr/lib/tmpfiles.d/a.conf:1 queue/scheduler=mq-deadline [mq-deadline]\nmq-deadline"},
    {"tmpfiles-specifier", "= usr/lib/tmpfiles.d/a.conf w /proc/sys/vm/swappiness - - - - %v\n", SWAPPINESS,
     "wins /usr/lib/tmpfiles.d/a.conf:1\n?"},
    {"tmpfiles-unreadable", "== etc/tmpfiles.d/a.conf\n!errno EACCES\n", SWAPPINESS,
     "unreadable /etc/tmpfiles.d/a.conf\n60 maybe"},

    {"cmdline", "= proc/cmdline quiet sysctl.vm.swappiness=7 sysctl.vm/dirty_ratio=6\n", SWAPPINESS,
     "wins /proc/cmdline vm.swappiness=7 [7]\n7"},
    {"cmdline-loses", "= proc/cmdline sysctl.vm/swappiness=7\n= etc/sysctl.d/a.conf vm.swappiness=8\n", SWAPPINESS,
     "loses /proc/cmdline vm.swappiness=7 [7]\nwins /etc/sysctl.d/a.conf:1 vm.swappiness=8 [8]\n8"},
    {"cmdline-elevator", "= proc/cmdline elevator=noop\n", SCHEDULER, "dead /proc/cmdline\nnone"},
    {"cmdline-zswap", "= proc/cmdline zswap.enabled=1\n", ZRAM, "beside /proc/cmdline\nabsent"},

    {"tuned",
     ENABLED ("tuned.service") "= etc/tuned/active_profile desktop\n" PROFILE (
         "balanced") "[sysctl]\nvm.swappiness=20\n" PROFILE ("desktop") "[main]\ninclude=balanced\n[sysctl]\nvm."
                                                                        "swappiness = \"30\"\n= etc/sysctl.d/a.conf "
                                                                        "kernel.x=1\n",
     SWAPPINESS,
     "loses /usr/lib/tuned/balanced/tuned.conf:2 vm.swappiness=20 [20]\n"
     "wins /usr/lib/tuned/desktop/tuned.conf:4 vm.swappiness=30 [30]\n30"},
    {"tuned-not-enabled", "= etc/tuned/active_profile a\n" PROFILE ("a") "[sysctl]\nvm.swappiness=20\n", SWAPPINESS,
     "60"},
    {"tuned-own-profile-covers",
     ENABLED ("tuned.service") "= etc/tuned/active_profile a\n" PROFILE (
         "a") "[sysctl]\nvm.swappiness=20\n"
              "== etc/tuned/a/tuned.conf\n[main]\ninclude=a\n[vm]\ndirty_bytes=40%\n",
     DIRTY, "wins /etc/tuned/a/tuned.conf:4 vm.dirty_ratio=40 [ratio:40]\nratio:40"},
    {"tuned-reads-etc-again",
     ENABLED ("tuned.service") "= etc/tuned/active_profile a\n" PROFILE (
         "a") "[sysctl]\nvm.swappiness=20\n"
              "= etc/sysctl.d/a.conf vm.swappiness=1\n= usr/lib/sysctl.d/b.conf vm.swappiness=2\n",
     SWAPPINESS,
     "loses /etc/sysctl.d/a.conf:1 vm.swappiness=1\nloses /usr/lib/sysctl.d/b.conf:1 vm.swappiness=2 [2]\n"
     "wins /usr/lib/tuned/a/tuned.conf:2 vm.swappiness=20 [20]\n20"},
    {"tuned-reads-etc-again-and-that-wins",
     ENABLED ("tuned.service") "= etc/tuned/active_profile a\n" PROFILE ("a") "[sysctl]\nvm.swappiness=20\n"
                                                                              "= etc/sysctl.d/a.conf vm.swappiness=1\n",
     SWAPPINESS,
     "loses /usr/lib/tuned/a/tuned.conf:2 vm.swappiness=20 [20]\nwins /etc/sysctl.d/a.conf:1 vm.swappiness=1 [1]\n1"},
    {"tuned-reads-sysctl-conf",
     ENABLED ("tuned.service") "= etc/tuned/active_profile a\n" PROFILE (
         "a") "[sysctl]\nvm.swappiness=20\n"
              "=- etc/sysctl.d/99-sysctl.conf\n= etc/sysctl.conf vm.swappiness=3\n",
     SWAPPINESS,
     "loses /usr/lib/tuned/a/tuned.conf:2 vm.swappiness=20 [20]\nwins /etc/sysctl.conf:1 vm.swappiness=3 [3]\n3"},
    {"tuned-does-not-read-again",
     ENABLED ("tuned.service") "= etc/tuned/active_profile a\n" PROFILE (
         "a") "[sysctl]\nvm.swappiness=20\n"
              "= etc/sysctl.d/a.conf vm.swappiness=1\n= etc/tuned/tuned-main.conf reapply_sysctl = 0\n",
     SWAPPINESS,
     "loses /etc/sysctl.d/a.conf:1 vm.swappiness=1 [1]\nwins /usr/lib/tuned/a/tuned.conf:2 vm.swappiness=20 [20]\n20"},
    {"tuned-disk",
     ENABLED ("tuned.service") "= etc/tuned/active_profile a\n" PROFILE (
         "a") "[disk]\nreadahead=>4096\n"
              "[fast]\ntype=disk\ndevices=nvme0n1\nreadahead=512\n",
     READAHEAD,
     "maybe /usr/lib/tuned/a/tuned.conf:2\nmaybe /usr/lib/tuned/a/tuned.conf:6 queue/read_ahead_kb=512 [512]\n128 "
     "maybe"},
    {"tuned-circle",
     ENABLED ("tuned.service") "= etc/tuned/active_profile a\n" PROFILE ("a") "[main]\ninclude=b\n" PROFILE (
         "b") "[main]\ninclude=a\n[disk]\nelevator=mq-deadline\n",
     SCHEDULER, "wins /usr/lib/tuned/b/tuned.conf:4 queue/scheduler=mq-deadline [mq-deadline]\nmq-deadline"},

    {"generator",
     GENERATOR "== usr/lib/systemd/zram-generator.conf\n[zram0]\nzram-size = min(ram, 8192)\n"
               "== etc/systemd/zram-generator.conf.d/50.conf\n[zram0]\nzram-size=ram / 2\nset!x=touch /tmp/x\n",
     ZRAM,
     "loses /usr/lib/systemd/zram-generator.conf:2 zram-size=min(ram, 8192)\n"
     "wins /etc/systemd/zram-generator.conf.d/50.conf:2 zram-size=ram / 2\n?"},
    {"generator-hidden",
     GENERATOR
     "== usr/lib/systemd/zram-generator.conf\n[zram0]\nzram-size=1\n== etc/systemd/zram-generator.conf\n[zram0]\n",
     ZRAM,
     "hidden /usr/lib/systemd/zram-generator.conf:2 zram-size=1 </etc/systemd/zram-generator.conf>\n"
     "wins /etc/systemd/zram-generator.conf\n?"},
    {"generator-not-installed", "== etc/systemd/zram-generator.conf\n[zram0]\nzram-size=1\n", ZRAM,
     "unread /etc/systemd/zram-generator.conf:2 zram-size=1\nabsent"},
    {"generator-off-at-boot",
     GENERATOR "= proc/cmdline systemd.zram=0\n== etc/systemd/zram-generator.conf\n[zram0]\nzram-size=1\n", ZRAM,
     "wins /proc/cmdline [absent]\ndead /etc/systemd/zram-generator.conf:2 zram-size=1\nabsent"},
    {"generator-ours",
     GENERATOR "== etc/systemd/zram-generator.conf.d/90-ruckelfrei.conf\n[zram0]\nzram-size = 4096\n"
               "compression-algorithm = zstd\nswap-priority = 100\n",
     ZRAM,
     "wins /etc/systemd/zram-generator.conf.d/90-ruckelfrei.conf:2 zram-size=4096 [4294967296 zstd 100] ours\n"
     "4294967296 zstd 100"},
    {"zram-tools", ENABLED ("zramswap.service") "== etc/default/zramswap\nALGO=zstd\nPERCENT=50\n", ZRAM,
     "wins /etc/default/zramswap:2 (zram-tools)\n?"},

    {"late-pop", ENABLED ("pop-zram-config.service") "= etc/sysctl.d/10-pop.conf vm.swappiness=10\n", SWAPPINESS,
     "wins /etc/sysctl.d/10-pop.conf:1 vm.swappiness=10 [10]\n"
     "late /usr/bin/pop-zram-config (pop-zram-config.service)\n10 maybe"},
    {"late-script-not-executable", "== etc/rc.local\n#!/bin/sh\necho 1 > /proc/sys/vm/swappiness\n", SWAPPINESS,
     "unread /etc/rc.local:2\n60"},
};

static char *
ask (RfTestTree *tree, const char *id, const char *instance, const RfValue *planned, char **overruling)
{
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    g_autoptr (RfProvenanceSources) sources = rf_provenance_sources_read (rf_test_tree_sysroot (tree), facts);
    g_autoptr (RfProvenance) answer = rf_provenance_find (sources, rf_tunable_find (id), instance, planned);
    if (overruling != NULL) {
        g_autoptr (GPtrArray) list = rf_provenance_overruling (answer);
        g_autoptr (GString) out = g_string_new (NULL);
        for (guint i = 0; i < list->len; i++) {
            const RfSetter *setter = g_ptr_array_index (list, i);
            g_string_append_printf (out, "%s %s:%u\n", rf_setter_fate_nick (setter->fate), setter->path, setter->line);
        }
        *overruling = g_string_free (g_steal_pointer (&out), FALSE);
    }
    return describe (answer);
}

static void
finding (gconstpointer data)
{
    gsize i = GPOINTER_TO_SIZE (data);
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    rf_test_tree_apply (tree, cases[i].change);
    g_autofree char *got = ask (tree, cases[i].id, cases[i].instance, NULL, NULL);
    g_assert_cmpstr (got, ==, cases[i].expected);
}

/* What stands against a value of ours that is to be kept, before it is. */
static void
planning (void)
{
    static const struct {
        const char *change, *id, *instance, *value, *expected;
    } table[] = {
        {"", SWAPPINESS, "180", ""},
        {"= etc/sysctl.d/99-sysctl.conf vm.swappiness=1\n", SWAPPINESS, "180", ""},
        {"= etc/sysctl.d/zz-mine.conf vm.swappiness=1\n", SWAPPINESS, "180", "wins /etc/sysctl.d/zz-mine.conf:1\n"},
        {"= etc/sysctl.d/zz-mine.conf vm.swappiness=180\n", SWAPPINESS, "180", ""},
        {"= etc/sysctl.d/zz-mine.conf vm.swap*=1\n", SWAPPINESS, "180", ""},
        {"= etc/sysctl.d/zz-mine.conf vm.dirty_bytes=268435456\n", DIRTY, "ratio:10",
         "wins /etc/sysctl.d/zz-mine.conf:1\n"},
        {"= etc/sysctl.d/10-mine.conf vm.dirty_bytes=268435456\n", DIRTY, "ratio:10", ""},
        /* the same line in a file before the other member keeps its place, and ours with it */
        {"= etc/sysctl.d/10-a.conf vm.dirty_ratio=10\n= etc/sysctl.d/20-b.conf vm.dirty_bytes=268435456\n", DIRTY,
         "ratio:10", "wins /etc/sysctl.d/20-b.conf:1\n"},
        /* what is kept now is replaced, not added to */
        {"= etc/sysctl.d/99-zz-ruckelfrei.conf vm.swappiness=7\n", SWAPPINESS, "180", ""},
        {"= etc/udev/rules.d/99-zzz.rules ATTR{queue/wbt_lat_usec}=\"4\"\n", WBT, "0",
         "wins /etc/udev/rules.d/99-zzz.rules:1\n"},
        {"= etc/udev/rules.d/60-a.rules ATTR{queue/wbt_lat_usec}=\"4\"\n", WBT, "0", ""},
        {"= etc/udev/rules.d/60-a.rules ENV{X}==\"1\", ATTR{queue/wbt_lat_usec}=\"4\"\n", WBT, "0", ""},
        {"= etc/udev/rules.d/99-zzz.rules ENV{X}==\"1\", ATTR{queue/wbt_lat_usec}=\"4\"\n", WBT, "0",
         "maybe /etc/udev/rules.d/99-zzz.rules:1\n"},
        {"= etc/tmpfiles.d/a.conf w /proc/sys/vm/swappiness - - - - 2\n", SWAPPINESS, "180",
         "wins /etc/tmpfiles.d/a.conf:1\n"},
        {ENABLED ("pop-zram-config.service"), SWAPPINESS, "180", "late /usr/bin/pop-zram-config:0\n"},
        {"== etc/sysctl.d/10-a.conf\n!errno EACCES\n", SWAPPINESS, "180", ""},
        {"== etc/sysctl.d/zz-a.conf\n!errno EACCES\n", SWAPPINESS, "180", "unreadable /etc/sysctl.d/zz-a.conf:0\n"},
        {ENABLED ("tuned.service") "= etc/tuned/active_profile a\n" PROFILE ("a") "[sysctl]\nvm.swappiness=20\n",
         SWAPPINESS, "180", ""},
        {ENABLED ("tuned.service") "= etc/tuned/active_profile a\n" PROFILE ("a") "[vm]\ndirty_ratio=20\n", DIRTY,
         "ratio:10", "wins /usr/lib/tuned/a/tuned.conf:2\n"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
        rf_test_tree_apply (tree, table[i].change);
        RfValue planned;
        g_assert_true (rf_value_from_text (rf_tunable_find (table[i].id)->kind, table[i].value, &planned, NULL));
        g_autofree char *overruling = NULL;
        g_autofree char *all = ask (tree, table[i].id, table[i].instance, &planned, &overruling);
        g_test_message ("%zu:\n%s", i, all);
        g_assert_cmpstr (overruling, ==, table[i].expected);
    }
}

/* Made for it, executed by nobody: the words of others stay text. */
static void
script (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autofree char *proof = rf_test_tree_path (tree, "proof");
    g_autofree char *text = g_strdup_printf ("#!/bin/sh\ntouch %s\nsysctl -w vm.swappiness=1\n", proof);
    rf_test_tree_set (tree, "etc/rc.local", text);
    g_autofree char *path = rf_test_tree_path (tree, "etc/rc.local");
    g_assert_cmpint (g_chmod (path, 0755), ==, 0);
    g_autofree char *got = ask (tree, SWAPPINESS, NULL, NULL);
    g_assert_cmpstr (got, ==, "late /etc/rc.local:3\n60 maybe");
    g_assert_false (rf_test_tree_exists (tree, "proof"));
}

/* Every setting of every machine has an answer, and nothing in the tree has changed by asking. */
static void
machines (void)
{
    static const char *const names[]
        = {"laptop-8g", "desktop-94g", "sata-ssd-hdd", "virtio-vm", "nvme-multipath", "container"};
    for (gsize m = 0; m < G_N_ELEMENTS (names); m++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (names[m]);
        g_autofree char *before = rf_test_tree_dump (tree, "");
        g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
        g_autoptr (RfProvenanceSources) sources = rf_provenance_sources_read (rf_test_tree_sysroot (tree), facts);
        gsize n;
        const RfTunable *list = rf_tunable_list (&n);
        for (gsize i = 0; i < n; i++) {
            static const char *const instances[] = {"", "nvme0n1", "btrfs-1", "nvme0c0n1", "no such"};
            for (gsize k = 0; k < G_N_ELEMENTS (instances); k++) {
                g_autoptr (RfProvenance) answer = rf_provenance_find (sources, &list[i], instances[k], NULL);
                g_assert_true (answer->has_live || answer->live_reason != NULL);
                g_assert_true (answer->next_boot != RF_NEXT_VALUE || (answer->winner != NULL && answer->has_next));
            }
        }
        g_autofree char *after = rf_test_tree_dump (tree, "");
        g_assert_cmpstr (after, ==, before);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *path = g_strconcat ("/core/provenance/", cases[i].name, NULL);
        g_test_add_data_func (path, GSIZE_TO_POINTER (i), finding);
    }
    g_test_add_func ("/core/provenance/planning", planning);
    g_test_add_func ("/core/provenance/script", script);
    g_test_add_func ("/core/provenance/machines", machines);
    return g_test_run ();
}
