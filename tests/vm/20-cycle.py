"""The one loop on a whole machine: who may do what, and what is never touched."""
import steps
from machine import NVME, SATA, VIRTIO, difference

day_one = {}


def test_looking_changes_nothing(vm):
    day_one.update(vm.state())
    _, said = vm.in_session("ruckelfreictl check --seconds 2 && ruckelfreictl plan && ruckelfreictl list && ruckelfreictl status")
    for what in (f"{NVME}: QEMU NVMe", f"{SATA}: ", "Nothing has been changed.", f"block.scheduler@{NVME}", "Nothing of Ruckelfrei"):
        assert what in said, f"{what} is missing in: {said}"
    assert not difference(day_one, vm.state())


def test_nobody_changes_anything_without_a_password(vm):
    apply = "ruckelfreictl apply --yes --keep --trial 15 vm.swappiness=77"
    for who, run in (("at the machine, without an agent", vm.in_session), ("over ssh", vm.from_elsewhere),
                     ("outside any session", lambda s, **k: vm.sh(s, user="tester", **k))):
        code, said = run(apply, check=False)
        assert code == steps.DENIED, f"{who}: exit code {code}: {said}"
    vm.allow()  # the person at the machine would be allowed now; the same person from elsewhere is not
    code, said = vm.from_elsewhere(apply, check=False)
    assert code == steps.DENIED, f"exit code {code}: {said}"
    vm.forbid()
    assert not difference(day_one, vm.state())


def test_other_drives_are_refused(vm):
    vm.allow()
    for disk in (SATA, VIRTIO):
        for change in (f"block.scheduler@{disk}=none", f"block.wbt_lat_usec@{disk}=1000"):
            code, said = vm.in_session(f"ruckelfreictl apply --yes --keep --trial 15 {change}", check=False)
            assert code != 0, f"{change} was accepted: {said}"
    vm.forbid()
    assert not difference(day_one, vm.state())
