"""The package's own life: installed, upgraded while something is kept and while something is on trial, removed, purged."""
import pathlib
import re
import subprocess
import tempfile

import steps
from machine import difference

PLAIN = True
UNIT = "/etc/systemd/system/multi-user.target.wants/ruckelfrei-boot.service"
NEWER = "/var/tmp/newer.deb"
before_install = {}
installed = {}
kept = {}


def newer(package, version):
    """The same package under a later version."""
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / "tree"
        subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
        control = tree / "DEBIAN/control"
        control.write_text(re.sub(r"^Version:.*$", f"Version: {version}", control.read_text(), flags=re.M))
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-b", tree, f"{folder}/newer.deb"], check=True, capture_output=True)
        return pathlib.Path(f"{folder}/newer.deb").read_bytes()


def upgrade(vm, version):
    vm.put(newer(vm.package, version), NEWER)
    vm.sh(f"DEBIAN_FRONTEND=noninteractive dpkg -i {NEWER}; rm {NEWER}")
    said = vm.sh("dpkg-query -W -f '${Status} ${Version}' ruckelfrei")[1]
    assert said == f"install ok installed {version}", said


def test_installing_changes_no_setting(vm):
    before_install.update(vm.state())
    vm.install()
    installed.update(vm.state())
    steps.assert_only(difference(before_install, installed),
                      [UNIT, "/etc/systemd/zram-generator.conf.d"])
    _, said = vm.sh("dpkg --audit; dpkg --verify ruckelfrei | grep -v /usr/share/; systemctl --failed --no-legend; pgrep -a ruckelfrei",
                    check=False)
    assert said == "", said


def test_an_upgrade_keeps_what_is_kept(vm):
    vm.allow()
    changes = steps.plan(vm)
    steps.keep(vm, changes)
    kept.update(vm.state())
    assert steps.values(kept, changes) == changes
    upgrade(vm, "9.1")
    assert not difference(kept, vm.state()), difference(kept, vm.state())
    found = steps.verdicts(vm)
    assert found == dict.fromkeys(changes, "as-kept"), found


def test_an_upgrade_during_a_trial_takes_it_back_or_lets_it_run(vm):
    job = steps.try_out(vm, {"vm.vfs_cache_pressure": "77"})
    upgrade(vm, "9.2")
    trial = steps.status(vm)["trial"]
    value = vm.read("/proc/sys/vm/vfs_cache_pressure")[0]
    print(f"# {vm.suite}: after the upgrade the trial {'runs' if trial else 'is over'}")
    assert value == ("77" if trial else "100"), f"vfs_cache_pressure is {value}, and the trial is {trial}"
    if trial:
        vm.in_session("ruckelfreictl revert " + trial["id"])
    vm.end_in_session(job, check=False)
    assert not difference(kept, vm.state()), difference(kept, vm.state())


def test_what_was_kept_before_the_upgrade_can_be_taken_back(vm):
    vm.in_session("ruckelfreictl revert --all")
    vm.forbid()
    assert not difference(installed, vm.state()), difference(installed, vm.state())


def test_removing_takes_back(vm):
    vm.allow()
    steps.keep(vm, steps.plan(vm))
    vm.forbid()
    assert difference(installed, vm.state())
    vm.sh("DEBIAN_FRONTEND=noninteractive dpkg -r ruckelfrei")
    vm.installed = False
    # Debian takes the link that enables a unit away when the package is purged, not before.
    steps.assert_only(difference(before_install, vm.state()), [UNIT])
    assert not vm.sh("pgrep -a ruckelfrei", check=False)[1]


def test_purging_leaves_nothing(vm):
    vm.sh("DEBIAN_FRONTEND=noninteractive dpkg -P ruckelfrei")
    _, said = vm.sh("find / -xdev -path /var/log/journal -prune -o -iname '*ruckelfrei*' -print; find /run /sys/fs/cgroup -iname '*ruckelfrei*'", check=False)
    assert said == "", said
