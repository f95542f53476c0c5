"""What several scenarios do with the program."""
import json
import shlex
import time

from machine import NVME, SATA, VIRTIO

OUR_FILES = ["/etc/sysctl.d/99-zz-ruckelfrei.conf", "/etc/udev/rules.d/99-zz-ruckelfrei.rules",
             "/etc/systemd/zram-generator.conf.d/90-ruckelfrei.conf", "/run/udev/rules.d/99-zzz-ruckelfrei-trial.rules"]
DENIED, BUSY, CONFLICT = 3, 4, 5  # exit codes, see ruckelfreictl(1)


def queue(disk, attribute):
    return f"/sys/block/{disk}/queue/{attribute}"


def chosen(text):
    """The value of a setting as the kernel tells it: of a list, the one in brackets."""
    return text.split("[")[1].split("]")[0] if "[" in text else text


def values(state, changes):
    """What a state says of the settings in changes, in the same words."""
    known = {"vm.dirty": f"bytes:{state['/proc/sys/vm/dirty_bytes']}",
             "vm.dirty_background": f"bytes:{state['/proc/sys/vm/dirty_background_bytes']}"}
    for name in changes:
        if name.startswith("block."):
            attribute, disk = name[len("block."):].split("@")
            known[name] = chosen(state[queue(disk, attribute)])
        elif name not in known:
            known[name] = state["/proc/sys/" + name.replace(".", "/")].replace("\t", " ")
    return {name: known[name] for name in changes}


def plan(vm):
    """Settings of every kind but swap, none of which has this value on day one."""
    now = chosen(vm.read(queue(NVME, "scheduler"))[0])
    return {"vm.min_free_kbytes": "48000", "vm.watermark_scale_factor": "150", "vm.dirty_background": "bytes:33554432",
            "vm.dirty": "bytes:67108864", f"block.scheduler@{NVME}": "mq-deadline" if now == "none" else "none",
            f"block.wbt_lat_usec@{NVME}": "1000", "vm.swappiness": "77", "net.ipv4.tcp_rmem": "4096 131072 5000000"}


def words(changes):
    return " ".join(shlex.quote(f"{k}={v}") for k, v in changes.items())


def wait(what, condition, seconds=300):
    """Waits until condition() is true and returns its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain for {what}")
        time.sleep(0.5)
    return value


def try_out(vm, changes):
    """Begins a trial of ten minutes in the person's session and waits until it is in force. Returns the job."""
    job = vm.begin_in_session(f"exec ruckelfreictl apply --yes --trial 600 {words(changes)}")
    wait("a trial in force", lambda: (status(vm) or {}).get("trial"))
    return job


def keep(vm, changes):
    """Applies and keeps, as the person at the machine does."""
    job = try_out(vm, changes)
    vm.in_session("ruckelfreictl keep")
    vm.end_in_session(job)


def told(vm, what):
    """What the program tells root, parsed. The helper is started before: the bus gives up after 25 s, on a busy host too early.
    A helper that is at work is asked again."""
    command = f"systemctl start ruckelfrei-helper.service; ruckelfreictl --json {what}"
    code, said = wait("a helper with time", lambda: [answer for answer in [vm.sh(command, check=False)] if answer[0] != BUSY])[0]
    assert code == 0, f"exit code {code}: {said}"
    return json.loads(said)


def status(vm):
    """What is on trial and in force; None as long as something is being done about it."""
    code, said = vm.in_session("ruckelfreictl --json status", check=False)
    assert code in (0, BUSY), f"exit code {code}: {said}"
    return json.loads(said) if code == 0 else None


def verdicts(vm):
    """What the status says of each setting in force, by the names of PLAN."""
    return {row["id"] + (f"@{row['instance']}" if row["instance"] else ""): row["verdict"] for row in status(vm)["applied"]}


def our_files(vm):
    _, said = vm.sh("ls " + " ".join(OUR_FILES) + " 2>/dev/null", check=False)
    return said.split()


def assert_only(difference, allowed):
    """Nothing else than what begins with one of these differs."""
    others = {k: v for k, v in difference.items() if not k.startswith(tuple(allowed))}
    assert not others, f"these differ too: {others}"


def assert_other_drives_untouched(difference):
    touched = {k: v for k, v in difference.items() if k.startswith((f"/sys/block/{SATA}/", f"/sys/block/{VIRTIO}/"))}
    assert not touched, f"another drive was touched: {touched}"
