"""A recording with the kernel's events, by the helper as it is installed: in its sandbox, of a drive of its own."""
import json

# as root, who is not asked, but has no session; a fsync at the end makes the drive busy for sure
RECORD = ("install -d -m 700 /var/tmp/session; XDG_RUNTIME_DIR=/var/tmp/session "
          "ruckelfreictl record --trace --json --name proof -- "
          "dd if=/dev/zero of=/var/tmp/written bs=1M count=64 conv=fsync status=none")


def test_a_recording_that_can_be_believed(vm):
    _, said = vm.sh(f"{RECORD}; rm /var/tmp/written", timeout=600)
    told = json.loads(said[said.index("{"):])
    assert told["source"] == "helper" and told["end_reason"] == "stopped" and not told["failure"], told
    assert told["command_status"] == 0, told
    folder = told["folder"]
    _, ini = vm.sh(f"cat {folder}/session.ini")
    assert "traced=true" in ini and "trusted=true" in ini, ini
    _, samples = vm.sh(f"cat {folder}/samples.csv")
    lines = samples.splitlines()
    assert lines[0].startswith("time_ns,interval_s,allocstalls_per_s,"), lines[0]
    assert sum(not line.startswith("#") for line in lines) > 10, samples
    # whose request it was is known across the walls of the sandbox
    _, events = vm.sh(f"cat {folder}/events.csv")
    assert any(",io-histogram," in line and " write," in line for line in events.splitlines()), events
    left = vm.sh("ls /sys/kernel/tracing/instances; grep VmLck /proc/$(pidof ruckelfrei-helper)/status", check=False)[1]
    assert left.split() in ([], ["VmLck:", "0", "kB"]), f"left over: {left}"
    vm.sh(f"ruckelfreictl recordings delete {told['id']} --yes; ls -A {folder}; "
          "rm -rf /root/.local/share/ruckelfrei /var/tmp/session", check=False)
