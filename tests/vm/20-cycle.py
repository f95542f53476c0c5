"""The one loop on a whole machine: look, try, keep, find it after a restart, see who else changes it, take it back."""
import json

import steps
from machine import NVME, SATA, VIRTIO, difference

OURS = ("/proc/sys/vm/min_free_kbytes", "/proc/sys/vm/watermark_scale_factor", "/proc/sys/vm/dirty_", "/proc/sys/vm/swappiness",
        "/proc/sys/net/ipv4/tcp_rmem", f"/sys/block/{NVME}/queue/")
RULE = "/etc/polkit-1/rules.d/00-tests.rules"
FOREIGN = "99-zzz-foreign"
day_one = {}
kept = {}
changes = {}


def assert_day_one(vm):
    left = difference(day_one, vm.state())
    assert not left, f"not as on day one: {left}"


def test_looking_changes_nothing(vm):
    # the person keeps data on the drive, so there is a read-ahead to be chosen
    vm.sh(f"mkfs.ext4 -q -E nodiscard /dev/{NVME}; cp /etc/fstab /var/tmp/; echo '/dev/{NVME} /srv ext4 nofail 0 2' >>/etc/fstab; "
          "systemctl daemon-reload; mount /srv")
    day_one.update(vm.state())
    _, said = vm.in_session("ruckelfreictl check --seconds 2 && ruckelfreictl plan && ruckelfreictl list && ruckelfreictl status")
    for what in (f"{NVME}: QEMU NVMe", f"{SATA}: ", "Nothing has been changed.", f"block.scheduler@{NVME}", "Nothing of Ruckelfrei"):
        assert what in said, f"{what} is missing in: {said}"
    assert_day_one(vm)


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
    assert_day_one(vm)


def test_other_drives_are_refused(vm):
    vm.allow()
    for disk in (SATA, VIRTIO):
        for change in (f"block.scheduler@{disk}=none", f"block.wbt_lat_usec@{disk}=1000"):
            code, said = vm.in_session(f"ruckelfreictl apply --yes --keep --trial 15 {change}", check=False)
            assert code != 0, f"{change} was accepted: {said}"
    vm.forbid()
    assert_day_one(vm)


def test_a_trial_is_in_force_at_once_and_nowhere_else(vm):
    vm.allow()
    changes.update(steps.plan(vm))
    changes[f"block.read_ahead_kb@{NVME}"] = "512"
    job = steps.try_out(vm, changes)
    now = vm.state()
    assert steps.values(now, changes) == changes, steps.values(now, changes)
    steps.assert_only(difference(day_one, now), (*OURS, RULE, "/run/udev/rules.d/99-zzz-ruckelfrei-trial.rules"))
    # whoever closes the drive after writing to it makes udev run its rules again
    vm.sh(f"udevadm trigger --action=change --settle /sys/block/{NVME}")
    assert steps.values(vm.state(), changes) == changes
    # nobody may keep or take back from elsewhere what is on trial here
    for command in ("keep", "revert --all"):
        code, said = vm.from_elsewhere("ruckelfreictl " + command, check=False)
        assert code == steps.DENIED, f"{command}: exit code {code}: {said}"
    assert steps.values(vm.state(), changes) == changes
    vm.sh("pkill -KILL -u tester -x ruckelfreictl")
    vm.end_in_session(job, check=False)
    vm.forbid()
    steps.wait("everything as on day one", lambda: not difference(day_one, vm.state()))


def test_what_is_kept_is_there_after_a_restart(vm):
    vm.allow()
    steps.keep(vm, changes)
    vm.forbid()
    files = steps.our_files(vm)
    assert files == ["/etc/sysctl.d/99-zz-ruckelfrei.conf", "/etc/udev/rules.d/99-zz-ruckelfrei.rules"], files
    before = vm.state()
    steps.assert_only(difference(day_one, before), (*OURS, *files))
    vm.reboot()
    kept.update(vm.state())
    assert steps.values(kept, changes) == changes, steps.values(kept, changes)
    assert not difference(before, kept), f"the restart changed: {difference(before, kept)}"
    found = steps.verdicts(vm)
    assert found == dict.fromkeys(changes, "as-kept"), found
    assert not vm.sh("systemctl --failed --no-legend")[1]


def assert_named(vm, *names):
    found = steps.verdicts(vm)
    assert found == {k: "drifted" if k in names else "as-kept" for k in changes}, found
    _, said = vm.in_session("ruckelfreictl status")
    assert said.count("(drifted: ") == len(names), said


def test_a_change_by_hand_is_named(vm):
    vm.sh("sysctl -q vm.swappiness=33")
    assert_named(vm, "vm.swappiness")
    vm.sh("sysctl -q vm.swappiness=77")
    assert_named(vm)


def test_a_file_with_a_later_name_is_named(vm):
    other = steps.chosen(day_one[steps.queue(NVME, "scheduler")])
    vm.put(b"vm.watermark_scale_factor = 99\n", f"/etc/sysctl.d/{FOREIGN}.conf")
    vm.put(f'ACTION!="remove", KERNEL=="nvme*n*", ENV{{DEVTYPE}}=="disk", ATTR{{queue/scheduler}}="{other}"\n'.encode(),
           f"/etc/udev/rules.d/{FOREIGN}.rules")
    as_at_boot = ("systemctl restart systemd-sysctl.service; udevadm control --reload; "
                  f"udevadm trigger --action=change --settle /sys/block/{NVME}")
    vm.sh(as_at_boot)
    assert_named(vm, "vm.watermark_scale_factor", f"block.scheduler@{NVME}")
    vm.sh(f"rm /etc/sysctl.d/{FOREIGN}.conf /etc/udev/rules.d/{FOREIGN}.rules; {as_at_boot}")
    assert_named(vm)
    assert not difference(kept, vm.state())


def test_tuned_is_named_where_it_wins(vm):
    """As shipped, TuneD reads /etc/sysctl.d again after its own values, so what was kept wins. Without that, TuneD does."""
    vm.sh("cp -a /etc/tuned /var/tmp/; systemctl start tuned.service; tuned-adm profile throughput-performance")
    read_ahead = steps.queue(SATA, "read_ahead_kb")
    assert vm.read(read_ahead) != [day_one[read_ahead]], "TuneD has done nothing"
    now = steps.values(vm.state(), changes)
    assert_named(vm, *[k for k in changes if now[k] != changes[k]])
    vm.sh("sed -i '/^ *reapply_sysctl/d' /etc/tuned/tuned-main.conf; echo reapply_sysctl = 0 >>/etc/tuned/tuned-main.conf; "
          "systemctl restart tuned.service; tuned-adm profile throughput-performance")
    now = steps.values(vm.state(), changes)
    won = [k for k in changes if now[k] != changes[k]]
    assert "vm.swappiness" in won, now
    assert_named(vm, *won)
    # TuneD puts back what it found, but not every value of the kernel can be put back that way
    vm.sh("tuned-adm off; systemctl stop tuned.service; rm -r /etc/tuned; mv /var/tmp/tuned /etc/; systemctl restart systemd-sysctl.service")
    assert not difference(kept, vm.state()), difference(kept, vm.state())


def test_taking_back_leaves_alone_what_somebody_else_has_changed(vm):
    vm.sh("sysctl -q vm.swappiness=33")
    code, said = vm.from_elsewhere("ruckelfreictl revert --all", check=False)
    assert code == steps.DENIED, f"exit code {code}: {said}"
    vm.sh("umount /srv")  # nobody reads through it now, but its read-ahead is still ours
    code, said = vm.in_session("ruckelfreictl revert --all", check=False)  # no password is asked for this
    assert code == steps.CONFLICT, f"exit code {code}: {said}"
    assert not steps.our_files(vm)
    left = difference(day_one, vm.state())
    assert left == {"/proc/sys/vm/swappiness": (day_one["/proc/sys/vm/swappiness"], "33")}, left
    record = json.loads(vm.in_session("ruckelfreictl --json records")[1])
    record = [r["id"] for r in record if any(e["state"] == "left-alone" for e in r["entries"])]
    vm.in_session(f"ruckelfreictl revert --force {record[0]}")
    assert_day_one(vm)


def test_after_another_restart_everything_is_as_on_day_one(vm):
    vm.reboot()
    assert_day_one(vm)
    assert not steps.verdicts(vm)
    assert not vm.sh("systemctl --failed --no-legend")[1]
    vm.sh("umount /srv; cp /var/tmp/fstab /etc/; rm /var/tmp/fstab; systemctl daemon-reload")
