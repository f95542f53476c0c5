"""The sandbox of the helper's units: everything works in it, and whatever is taken away in addition makes a step fail.

A piece is a few settings that are tried, kept and taken back by root. Each row of a table below takes one thing away with a
drop-in, runs a piece, and names the step that then fails and a word of the complaint. A row takes a while: the two machines
share the rows between them, and take all of them in the weekly form.
"""
import os
import shlex

from machine import NVME

UNITS = ("ruckelfrei-helper", "ruckelfrei-boot")
PIECES = {
    "memory": "vm.swappiness=77",
    "buffers": "net.core.rmem_max=8388608",
    "tcp": "net.ipv4.tcp_keepalive_time=3600",
    "queue": f"block.wbt_lat_usec@{NVME}=3000",
    "zram": "swap.zram=268435456,lz4,100",
}
LOOK = {
    "memory": "[ $(cat /proc/sys/vm/swappiness) = 77 ]",
    "buffers": "[ $(cat /proc/sys/net/core/rmem_max) = 8388608 ]",
    "tcp": "[ $(cat /proc/sys/net/ipv4/tcp_keepalive_time) = 3600 ]",
    "queue": f"[ $(cat /sys/block/{NVME}/queue/wbt_lat_usec) = 3000 ]",
    "zram": "grep -q zram /proc/swaps",
}
# What is said to be happening is printed first, so the last line so far names the step that failed.
SCRIPT = r"""
step() { echo "step: $*"; }
job=
trap '[ -z "$job" ] || kill $job 2>/dev/null; wait' EXIT
set -e
step start
systemctl start ruckelfrei-helper.service
step try
ruckelfreictl apply --yes --trial 600 @SETTINGS@ </dev/null &
job=$!
until ruckelfreictl --json status | grep -q '"trial": *{'; do kill -0 $job || { wait $job; exit 1; }; done
step look
@LOOK@
step keep
ruckelfreictl keep
wait $job
step boot
systemctl stop ruckelfrei-helper.service
systemctl restart ruckelfrei-boot.service
@LOOK@
step take back
ruckelfreictl revert --all
! @LOOK@
step done
"""

# A measurement with the kernel's events; who has called has left before the next line, and it ends.
TRACE = "trace"
TRACE_SCRIPT = r"""
step() { echo "step: $*"; }
set -e
step start
systemctl start ruckelfrei-helper.service
step measure
busctl --system call io.github.ruckelfrei.Helper1 /io/github/ruckelfrei/Helper1 io.github.ruckelfrei.Helper1 StartMeasurement 'a{sv}' 1 trace b true
step done
"""

# path of ReadWritePaths= → piece, step, word
PATHS = {
    "/etc/sysctl.d": ("memory", "keep", "Read-only file system"),
    "/etc/udev/rules.d": ("queue", "keep", "Read-only file system"),
    "/etc/systemd/zram-generator.conf.d": ("zram", "keep", "Read-only file system"),
    "/run/udev": ("queue", "try", "Read-only file system"),
    "/proc/sys/vm": ("memory", "try", "container"),  # what a container looks like
    "/proc/sys/net/core": ("buffers", "try", "Read-only file system"),
    "/proc/sys/net/ipv4": ("tcp", "try", "Read-only file system"),
    "/sys/devices": ("queue", "try", "Read-only file system"),
    "/sys/class": ("zram", "take back", "Read-only file system"),
    "/sys/kernel/tracing/instances": (TRACE, "measure", "Read-only file system"),
}
PERMISSIONS = {
    "StateDirectory=": ("memory", "start", ""),
    "RuntimeDirectory=": ("zram", "try", "Read-only file system"),
    "RuntimeDirectory=\nRuntimeDirectory=ruckelfrei": ("zram", "try", "Read-only file system"),
    "CapabilityBoundingSet=": ("zram", "try", ""),
    "DeviceAllow=": ("zram", "try", "Operation not permitted"),
    "RestrictAddressFamilies=none": ("memory", "start", ""),
    "SystemCallFilter=~swapon": ("zram", "try", "Function not implemented"),
    "SystemCallFilter=~swapoff": ("zram", "take back", "Function not implemented"),
}
# What the units leave open on purpose
EXPOSURES = {
    "PrivateNetwork=yes": ("tcp", "look", ""),
    "PrivateDevices=yes": ("zram", "try", ""),
    "ProcSubset=pid": ("memory", "start", ""),
    "PrivateUsers=yes": ("zram", "try", ""),
    "User=nobody": ("memory", "start", ""),
}


# What would lead out of the sandbox, or is none of its business
OUT_OF_REACH = ["/etc/passwd", "/etc/systemd/system/new", "/usr/lib/systemd/system/ruckelfrei-helper.service", "/run/new",
                "/run/systemd/system/new", "/run/dbus/new", "/boot/new", "/home/new", "/root/new", "/var/lib/dpkg/status",
                "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/fs/suid_dumpable", "/proc/sysrq-trigger",
                "/sys/kernel/mm/ksm/run", "/sys/kernel/uevent_helper", "/sys/module/printk/parameters/time", "/sys/power/state",
                "/sys/kernel/tracing/kprobe_events", "/sys/kernel/tracing/set_event",
                "/sys/fs/cgroup/cgroup.procs", "/sys/bus/pci/rescan", "/dev/kmsg", "/usr/lib/modules/new"]


had_zram = {}  # by suite: whether the module was loaded before; each row begins without it


def restrict(vm, *lines):
    """Adds lines to both units from now on, and no others."""
    text = "".join(f"{line}\n" for line in ("[Service]", *lines))
    for unit in UNITS:
        vm.sh(f"mkdir -p /run/systemd/system/{unit}.service.d")
        vm.put(text.encode(), f"/run/systemd/system/{unit}.service.d/50-test.conf")
    vm.sh("systemctl daemon-reload; systemctl stop ruckelfrei-helper.service; systemctl reset-failed", check=False)


def release(vm):
    """The units as they are, and nothing in force."""
    vm.sh("rm -rf /run/systemd/system/ruckelfrei-*.service.d; systemctl daemon-reload; systemctl stop ruckelfrei-helper.service; "
          "systemctl reset-failed; /usr/libexec/ruckelfrei-helper --revert-all --force; rm -rf /var/lib/ruckelfrei/journal; "
          "if [ -e /sys/module/zram ]; then udevadm settle; rmmod zram; fi; ls -A /var/lib/ruckelfrei")


def run(vm, settings, looks):
    """Tries, keeps and takes back, or measures. Returns (the step that was reached, what was said)."""
    script = TRACE_SCRIPT if settings == TRACE else SCRIPT.replace("@SETTINGS@", settings).replace("@LOOK@", f"{{ {looks}; }}")
    _, said = vm.sh(f"bash -c {shlex.quote(script)} 2>&1", check=False, timeout=600)
    return said.rsplit("step: ", 1)[-1].split("\n", 1)[0], said


def assert_needed(vm, rows):
    wrong = []
    if os.environ.get("RF_WEEKLY") != "yes":
        rows = rows[vm.suite == "trixie"::2]
    for what, lines, (piece, step, word) in rows:
        restrict(vm, *lines)
        reached, said = run(vm, PIECES.get(piece, piece), LOOK.get(piece))
        if reached != step or word not in said:
            wrong.append(f"without {what}, {piece}: step '{reached}', not '{step}' with '{word}':\n{said}")
        release(vm)
    assert not wrong, "\n".join(wrong)


def writable(vm):
    _, said = vm.sh("systemctl show -P ReadWritePaths ruckelfrei-helper.service")
    return said.split()


def test_everything_works_with_the_system_calls_of_the_list(vm):
    had_zram[vm.suite] = vm.sh("test -e /sys/module/zram", check=False)[0] == 0
    # The helper asks for the scheduling of its threads (GLib 2.74) and does without: that alone is refused on purpose.
    restrict(vm, "SystemCallErrorNumber=kill", "SystemCallFilter=sched_getattr sched_setattr")
    _, begin = vm.sh("date +@%s")
    reached, said = run(vm, " ".join(PIECES.values()), " && ".join(LOOK.values()))
    assert reached == "done", said
    reached, said = run(vm, TRACE, None)
    assert reached == "done", said
    _, killed = vm.sh(f"journalctl -k --since {begin.strip()} --no-pager -o cat | grep 'type=1326' | "
                      "grep -E 'ruckelfrei|mkswap|udevadm'", check=False)
    assert not killed, killed
    release(vm)


def test_the_rest_is_out_of_reach(vm):
    vm.sh("systemctl start ruckelfrei-helper.service")
    script = "for f; do [ ! -e $f ] && [ ! -d ${f%/*} ] || if (: >>$f) 2>/dev/null; then echo $f; fi; done"
    _, said = vm.sh("nsenter -m -t $(systemctl show -P MainPID ruckelfrei-helper) "
                    f"setpriv --bounding-set=-all,+sys_admin sh -c {shlex.quote(script)} sh {' '.join(OUT_OF_REACH)}")
    release(vm)
    assert not said, f"these can be written to: {said}"


def test_each_path_to_write_to_is_needed(vm):
    paths = [p.lstrip("-+") for p in writable(vm)]
    assert sorted(paths) == sorted(PATHS), f"the units have {paths}"

    def without(path):
        return ["ReadWritePaths=", "ReadWritePaths=" + " ".join(f"-{p}" for p in paths if p != path), f"ReadOnlyPaths=-{path}"]

    assert_needed(vm, [(path, without(path), PATHS[path]) for path in paths])


def test_each_permission_is_needed(vm):
    assert_needed(vm, [(line, [line], row) for line, row in PERMISSIONS.items()])


def test_each_exposure_is_needed(vm):
    assert_needed(vm, [(line, [line], row) for line, row in EXPOSURES.items()])
    if had_zram[vm.suite]:
        vm.sh("modprobe zram; udevadm settle")
