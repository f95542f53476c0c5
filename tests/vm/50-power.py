"""The power goes in the middle of keeping and of taking back: afterwards everything is as before or everything is kept, and
the journal says which.

Each round begins a command, kills qemu at a random instant, and powers the machine on again. The root drive is slowed down
meanwhile, so that there are instants to hit: what was under way to the drive is lost, and so is what the system had not
flushed. ext4's own care for programs that forget to flush is switched off.
"""
import contextlib
import json
import os
import random
import socket
import time

import steps
from machine import difference

WEEKLY_FORM = os.environ.get("RF_WEEKLY") == "yes"
SUITES = ("bookworm", "trixie") if WEEKLY_FORM else ("bookworm",)
SEED = os.environ.get("RF_SEED") or str(random.SystemRandom().randrange(10 ** 6))
ROUNDS = 6 if WEEKLY_FORM else 1  # of keeping and of taking back, on each system; every run cuts at another instant
OPERATIONS = 12  # a second, of the root drive while the power goes
KEEP, REVERT = "ruckelfreictl keep", "ruckelfreictl revert --all"
# Parts of the time that the command takes: the client starts first, and after taking back the helper has left the drive
# alone for as long again before the client ends.
WHEN = {KEEP: (0.2, 1.0), REVERT: (0.15, 0.6)}
JOURNAL = "/var/lib/ruckelfrei/journal"
LOOK = "/etc/systemd/system/ruckelfrei-boot.service.d/look.conf"
# what the boot unit finds before it does anything
LOOK_SCRIPT = r"""
import configparser, glob, json
records = []
for path in sorted(glob.glob("@JOURNAL@/*.record")):
    record = configparser.RawConfigParser(strict=False)
    record.read(path)
    records.append(record["record"]["state"])
files = [f for f in @FILES@ if glob.glob(f)]
json.dump({"state": records[-1], "files": files}, open("/run/found", "w"))
""".replace("@JOURNAL@", JOURNAL).replace("@FILES@", repr(steps.OUR_FILES))
before, kept, took = {}, {}, {}
numbers = random.Random(SEED)


def say(vm, text):
    print(f"# {vm.suite}: {text}", flush=True)


def drive(vm, operations):
    """From now on the root drive does so many operations a second; 0: as fast as it can."""
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as s:
        s.settimeout(60)
        s.connect(str(vm.folder / "qmp.sock"))
        lines = s.makefile("rw")
        lines.readline()
        limits = dict.fromkeys(("bps", "bps_rd", "bps_wr", "iops_rd", "iops_wr"), 0)
        for command in ({"execute": "qmp_capabilities"},
                        {"execute": "block_set_io_throttle", "arguments": {"device": "root", "iops": operations, **limits}}):
            lines.write(json.dumps(command) + "\n")
            lines.flush()
            while "return" not in (answer := json.loads(lines.readline())):
                assert "error" not in answer, answer


def plan(vm):
    return {**steps.plan(vm), "swap.zram": "268435456,zstd,100"}


def records(vm):
    return steps.told(vm, "records")


def newest(vm):
    return max(records(vm), key=lambda r: r["id"], default={"state": "none"})


def try_out(vm):
    """A trial in force; as root, who is not asked."""
    vm.sh(f"systemd-run -q --collect ruckelfreictl apply --yes --trial 1800 {steps.words(plan(vm))}")
    steps.wait("a trial in force", lambda: newest(vm)["state"] == "trial", 300)


def whole(vm):
    """Which of the two states the machine is in, by all of its settings and files."""
    now = vm.state()
    differs = difference(before, now), difference(kept, now)
    assert not all(differs), f"half done. Against before: {differs[0]}; against kept: {differs[1]}"
    return "kept" if differs[0] else "before"


def assert_told(vm, state):
    """The journal says the same as the machine, and nothing lies about."""
    found = records(vm)
    record = max(found, key=lambda r: r["id"])
    entries = {e["state"] for e in record["entries"]}
    verdicts = {row["verdict"] for row in steps.told(vm, "status")["applied"]}
    if state == "kept":
        assert record["state"] == "kept" and entries == {"applied"} and verdicts == {"as-kept"}, (record, verdicts)
    else:
        assert record["state"] == "reverted" and entries == {"reverted"} and not verdicts, (record, verdicts)
    assert all(r["state"] in ("kept", "reverted") for r in found), found
    _, left = vm.sh("find /etc /run/udev /run/ruckelfrei /var/lib/ruckelfrei -name '*.tmp'; ls -A /var/lib/ruckelfrei/originals "
                    "2>/dev/null; systemctl list-units --failed --no-legend '*zram*' 'ruckelfrei*'", check=False)
    assert left == "", f"left over: {left}"


def assert_steady(vm, state, boot):
    """The boot unit once more, or even a whole boot, changes nothing."""
    journal = vm.sh(f"cd {JOURNAL} && sha256sum *")[1]
    if boot:
        vm.reboot()
    else:
        vm.sh("systemctl restart ruckelfrei-boot.service")
    assert whole(vm) == state
    assert vm.sh(f"cd {JOURNAL} && sha256sum *")[1] == journal
    assert_told(vm, state)


def cut(vm, command, boot):
    """Begins the command, pulls the plug, and looks at what there is after the next boot, and after one more."""
    delay = numbers.uniform(*WHEN[command]) * took[command]
    # without it ext4 makes up for a missing fsync before a rename
    vm.sh("mount -o remount,noauto_da_alloc / && sync")
    drive(vm, OPERATIONS)
    vm.begin(f"exec {command}")
    time.sleep(delay)
    vm.kill()
    vm.start()
    found = json.loads(vm.get("/run/found"))
    state = whole(vm)
    say(vm, f"power cut {delay:.2f} s into '{command}', which takes {took[command]:.2f} s: found '{found['state']}' and "
            f"{len(found['files'])} files; then '{state}'")
    assert_told(vm, state)
    assert_steady(vm, state, boot)


def measure(vm, command, state):
    """How long the command takes on the slow drive."""
    vm.sh("sync")
    drive(vm, OPERATIONS)
    begin = time.monotonic()
    vm.sh(command)
    took[command] = time.monotonic() - begin
    drive(vm, 0)
    assert newest(vm)["state"] == state


def test_the_two_states_that_there_may_be(vm):
    say(vm, f"RF_SEED={SEED}")
    vm.put(LOOK_SCRIPT.encode(), "/var/tmp/look.py")
    vm.sh(f"mkdir -p $(dirname {LOOK}); printf '[Service]\\nExecStartPre=+/usr/bin/python3 /var/tmp/look.py\\n' >{LOOK}; "
          "systemctl daemon-reload")
    before.update(vm.state())
    changes = plan(vm)
    try_out(vm)
    measure(vm, KEEP, "kept")
    vm.reboot()
    kept.update(vm.state())
    written = {k: v for k, v in changes.items() if k != "swap.zram"}
    assert steps.values(kept, written) == written
    assert "swap /dev/zram0" in kept and "swap /dev/zram0" not in before
    measure(vm, REVERT, "reverted")
    assert whole(vm) == "before"
    assert_told(vm, "before")


def test_power_cuts_while_keeping(vm):
    for i in range(ROUNDS):
        if newest(vm)["state"] == "kept":
            vm.sh(REVERT)
        try_out(vm)
        cut(vm, KEEP, i % 3 == 0)


def test_power_cuts_while_taking_back(vm):
    for i in range(ROUNDS):
        if newest(vm)["state"] != "kept":
            try_out(vm)
            vm.sh(KEEP)
        cut(vm, REVERT, i % 3 == 1)


def test_the_way_back(vm):
    vm.sh(f"{REVERT}; rm -r $(dirname {LOOK}); systemctl daemon-reload")
