"""An encrypted file system on the NVMe drive, without and with discard: only the drive gets queue settings, the mapping above
it nothing but read-ahead, and a mapping that is not open is nobody's trouble."""

import steps
from machine import NVME, difference

WEEKLY = True
SUITES = ("bookworm",)
KEY, MAPPER, MOUNT = "/var/tmp/key", "/dev/mapper/tests", "/mnt"
READ_AHEAD = "/sys/block/dm-0/queue/read_ahead_kb"
kept = {}


def open_it(vm, options=""):
    vm.sh(f"modprobe dm_crypt; cryptsetup open --key-file {KEY} {options} /dev/{NVME} tests && mount {MAPPER} {MOUNT}; udevadm settle")


def close_it(vm):
    vm.sh(f"umount {MOUNT}; cryptsetup close tests; udevadm settle")


def names(vm):
    """What can be changed on which device."""
    rows = steps.told(vm, "list")
    return {f"{row['id']}@{row['instance']}" for row in rows if row["instance"]}


def of_mapping(state):
    return {k: v for k, v in state.items() if k.startswith("/sys/block/dm-0/")}


def test_the_mapping_is_looked_at(vm):
    vm.sh(f"echo -n geheim >{KEY}; modprobe dm_crypt; "
          f"cryptsetup luksFormat -q --type luks2 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 /dev/{NVME} {KEY} && "
          f"cryptsetup open --key-file {KEY} /dev/{NVME} tests && mkfs.ext4 -q -E nodiscard {MAPPER} && cryptsetup close tests")
    for options, discards in (("--allow-discards", True), ("", False)):
        open_it(vm, options)
        assert (vm.read("/sys/block/dm-0/queue/discard_max_bytes")[0] != "0") == discards
        # the kernel refuses to read this one
        assert vm.sh("cat /sys/block/dm-0/queue/wbt_lat_usec", check=False)[0] != 0
        code, said = vm.sh("ruckelfreictl check --seconds 0", check=False)
        assert code == 0 and f"{NVME}: " in said, f"exit code {code}: {said}"
        found = names(vm)
        assert {f"block.scheduler@{NVME}", f"block.wbt_lat_usec@{NVME}", "block.read_ahead_kb@dm-0"} <= found, found
        assert not {n for n in found if n.endswith("@dm-0")} - {"block.read_ahead_kb@dm-0"}, found
        if discards:
            close_it(vm)
    before = vm.state()
    for change in ("block.scheduler@dm-0=none", "block.wbt_lat_usec@dm-0=0"):
        code, said = vm.sh(f"ruckelfreictl apply --yes --keep --trial 15 {change}", check=False)
        assert code != 0, f"{change} was accepted: {said}"
    assert not difference(before, vm.state())


def test_kept_and_taken_back_one_by_one(vm):
    before = vm.state()
    changes = {**steps.plan(vm), "block.read_ahead_kb@dm-0": "512"}
    vm.sh(f"systemd-run -q --collect ruckelfreictl apply --yes --trial 1800 {steps.words(changes)}")
    steps.wait("a trial in force", lambda: steps.told(vm, "status")["trial"], 300)
    vm.sh("ruckelfreictl keep")
    now = vm.state()
    assert steps.values(now, changes) == changes
    touched = difference(of_mapping(before), of_mapping(now))
    assert touched == {READ_AHEAD: ("128", "512")}, touched
    # by hand: drift is told for the mapping too, and taking that one back leaves what was done by hand
    vm.sh(f"echo 256 >{READ_AHEAD}")
    found = {row["instance"] or row["id"]: row["verdict"] for row in steps.told(vm, "status")["applied"]}
    assert found.pop("dm-0") == "drifted" and set(found.values()) == {"as-kept"}, found
    vm.sh(f"echo 512 >{READ_AHEAD}")


def test_a_boot_with_the_mapping_closed(vm):
    vm.reboot()
    applied = {row["instance"] or row["id"]: row["verdict"] for row in steps.told(vm, "status")["applied"]}
    assert applied.pop("dm-0") == "unreachable" and set(applied.values()) == {"as-kept"}, applied
    assert not vm.sh("systemctl list-units --failed --no-legend 'ruckelfrei*'; ruckelfreictl check --seconds 0 >/dev/null")[1]
    open_it(vm)
    assert vm.read(READ_AHEAD)[0] == "512", "the rule did not find the mapping again"
    applied = {row["instance"] or row["id"]: row["verdict"] for row in steps.told(vm, "status")["applied"]}
    assert set(applied.values()) == {"as-kept"}, applied
    vm.sh("ruckelfreictl revert --all")
    assert vm.read(READ_AHEAD)[0] == "128"
    assert not steps.our_files(vm)
    close_it(vm)
    vm.sh(f"wipefs -aq /dev/{NVME}; rm {KEY}")
