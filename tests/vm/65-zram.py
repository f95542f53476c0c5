"""The compressed swap, with pages in it: kept by the generator and by our own unit, over boots, under systemd's hands, taken
back while the helper is killed; and somebody else's, which is never touched."""
import os

import steps
from machine import difference

WEEKLY_FORM = os.environ.get("RF_WEEKLY") == "yes"
SUITES = ("bookworm", "trixie") if WEEKLY_FORM else ("trixie",)
ZRAM = "swap.zram=268435456,zstd,100"
GENERATOR = "/etc/systemd/system-generators/zram-generator"
# Holds memory of which little fits into its share, so that the rest is swapped out.
HOLD = r"""
import os, time
memory = bytearray(130 << 20)
for i in range(0, len(memory), 4096):
    memory[i:i + 64] = os.urandom(64)
open("/run/held", "w").close()
time.sleep(1000000)
"""
# Kills the helper when a part of the pages has come back.
KILL = r"""
import os, signal, subprocess, time
os.nice(-20)
def used():
    return sum(int(line.split()[3]) for line in open("/proc/swaps").read().splitlines()[1:])
def helper():
    return int(subprocess.run(["systemctl", "show", "-P", "MainPID", "ruckelfrei-helper.service"], capture_output=True).stdout)
subprocess.run(["ruckelfreictl", "status"], capture_output=True)  # starts it
pid, full, end = helper(), used(), time.monotonic() + 120
revert = subprocess.Popen(["ruckelfreictl", "revert", "--all"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while time.monotonic() < end:
    now = used()
    if now < full * 0.95:
        if now > 0:
            os.kill(pid, signal.SIGKILL)
            print(f"{full - now} of {full} KiB were back")
        break
    time.sleep(0.001)
revert.wait()
"""


def swaps(vm):
    # without its folder, by which the kernel no longer knows a swap when the helper that began it has left
    return {os.path.basename(line.split()[0]) for line in vm.read("/proc/swaps")[0].splitlines()[1:]}


def newest(vm):
    return max(steps.told(vm, "records"), key=lambda r: r["id"], default={"state": "none"})


def keep(vm):
    vm.sh(f"systemd-run -q --collect ruckelfreictl apply --yes --trial 1800 {ZRAM}")
    steps.wait("a trial in force", lambda: newest(vm)["state"] == "trial", 300)
    vm.sh("ruckelfreictl keep")
    assert newest(vm)["state"] == "kept"


def fill(vm):
    vm.put(HOLD.encode(), "/var/tmp/hold.py")
    vm.sh("rm -f /run/held; systemd-run -q --collect --unit=hold -p MemoryHigh=50M python3 /var/tmp/hold.py; "
          "until [ -e /run/held ]; do sleep .2; done; systemctl set-property --runtime hold.service MemoryHigh=infinity")
    used = sum(int(line.split()[3]) for line in vm.read("/proc/swaps")[0].splitlines()[1:])
    assert used > 30000, f"only {used} KiB were swapped out"


def drop(vm):
    vm.sh("systemctl stop hold.service", check=False)


def others_at_work(vm):
    """What the installation of any package does, and any start of a service: systemd looks whether all it wants is there."""
    vm.sh("systemctl daemon-reload; systemd-run -q --wait true")


def assert_clean(vm):
    others_at_work(vm)
    _, said = vm.sh("ls /run/ruckelfrei; systemctl list-units --failed --no-legend '*zram*' 'ruckelfrei*'")
    assert not swaps(vm) and not said, f"{swaps(vm)}, {said}"
    record = newest(vm)
    assert record["state"] == "reverted" and {e["state"] for e in record["entries"]} == {"reverted"}, record


def test_another_ones_swap_is_refused_and_stays(vm):
    vm.sh("modprobe zram; n=$(cat /sys/class/zram-control/hot_add); echo $n >/run/foreign; echo 64M >/sys/block/zram$n/disksize; "
          "mkswap -q /dev/zram$n; swapon /dev/zram$n")
    foreign = vm.state()
    code, said = vm.sh(f"ruckelfreictl apply --yes --keep --trial 15 {ZRAM}", check=False)
    assert code == 1 and "zram" in said and "another program" in said, f"exit code {code}: {said}"
    vm.sh("ruckelfreictl revert --all --force; systemctl restart ruckelfrei-boot.service")
    assert not difference(foreign, vm.state()), difference(foreign, vm.state())
    vm.sh("n=$(cat /run/foreign); swapoff /dev/zram$n; echo $n >/sys/class/zram-control/hot_remove")


def test_there_is_never_a_second_one(vm):
    keep(vm)
    ours = swaps(vm)
    assert len(ours) == 1, ours
    fill(vm)
    others_at_work(vm)
    assert swaps(vm) == ours
    _, said = vm.sh("systemctl list-units --failed --no-legend '*zram*' 'ruckelfrei*'")
    assert not said, said


def test_the_helper_is_killed_while_pages_come_back(vm):
    vm.put(KILL.encode(), "/var/tmp/kill.py")
    _, said = vm.sh("python3 /var/tmp/kill.py")
    print(f"# {vm.suite}: helper killed in swapoff: {said.strip() or 'too late'}", flush=True)
    # it is started again by systemd, and finishes what was begun
    steps.wait("the record to be taken back", lambda: newest(vm)["state"] == "reverted", 300)
    assert_clean(vm)
    vm.sh("systemctl is-active hold.service")
    drop(vm)


def test_kept_over_a_boot_by_the_generator(vm):
    keep(vm)
    vm.reboot()
    assert swaps(vm) == {"zram0"}, swaps(vm)
    assert vm.sh("systemctl show -P ActiveState dev-zram0.swap systemd-zram-setup@zram0.service")[1].split() == ["active"] * 2
    assert [row["verdict"] for row in steps.told(vm, "status")["applied"]] == ["as-kept"]
    fill(vm)
    others_at_work(vm)
    assert swaps(vm) == {"zram0"}, swaps(vm)
    vm.sh("ruckelfreictl revert --all")
    assert_clean(vm)
    drop(vm)


def test_once_more_in_the_same_boot(vm):
    keep(vm)
    others_at_work(vm)
    assert len(swaps(vm)) == 1, swaps(vm)
    vm.sh("ruckelfreictl revert --all")
    assert_clean(vm)


def test_kept_over_a_boot_without_generator(vm):
    vm.sh(f"mkdir -p $(dirname {GENERATOR}); ln -s /dev/null {GENERATOR}")
    keep(vm)
    vm.reboot()
    assert len(swaps(vm)) == 1, swaps(vm)
    assert [row["verdict"] for row in steps.told(vm, "status")["applied"]] == ["as-kept"]
    assert "dev-zram" not in vm.sh("ls /run/systemd/generator")[1]


def test_another_one_comes_after_ours(vm):
    """The generator gets a configuration by somebody else while ours is kept: at the next boot that one has its swap."""
    vm.sh(f"rm {GENERATOR}; rmdir --ignore-fail-on-non-empty $(dirname {GENERATOR}); cp -a /etc/systemd/zram-generator.conf /var/tmp; "
          "printf '[zram0]\\nzram-size = 256\\n' >/etc/systemd/zram-generator.conf")
    if WEEKLY_FORM:
        vm.reboot()
        foreign = vm.state()
        assert swaps(vm) == {"zram0"}, swaps(vm)
        assert [row["verdict"] for row in steps.told(vm, "status")["applied"]] == ["drifted"]
        vm.sh("ruckelfreictl revert --all")
        assert not difference(foreign, vm.state()), difference(foreign, vm.state())
        vm.sh("systemctl stop dev-zram0.swap")
    vm.sh("ruckelfreictl revert --all; mv /var/tmp/zram-generator.conf /etc/systemd/")
    assert not steps.our_files(vm)
    assert_clean(vm)
