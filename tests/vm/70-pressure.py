"""Memory so short that the whole machine stands still, with a trial on: the guard takes it back."""
import json
import socket
import time

import steps
from machine import difference

TRIAL = {"vm.swappiness": "77", "vm.watermark_scale_factor": "150"}
TAKEN_BACK = 7  # exit code, see ruckelfreictl(1)
SUITES = ("bookworm",)  # what is tried is the helper, not the kernel

# A drive for the swap that is as slow as a worn-out card, and programs that need a little more than there is. What they are
# not to have is held in huge pages, which need not be filled. Ends by itself.
OPERATIONS_PER_SECOND = 12
PRESSURE = r'''
import mmap, os, random, time
end = time.monotonic() + 150
def available():
    for line in open("/proc/meminfo"):
        if line.startswith("MemAvailable"):
            return int(line.split()[1]) << 10
pool, size = "/proc/sys/vm/nr_hugepages", -1
while available() > 120 << 20 and size != (size := int(open(pool).read())):
    open(pool, "w").write(str(size + (available() - (100 << 20) >> 21) + 1))
for worker in range(3):
    if os.fork() == 0:
        mine = mmap.mmap(-1, 60 << 20)
        random.seed(worker)
        while time.monotonic() < end:
            mine[random.randrange(len(mine) >> 12) << 12] = 1
        os._exit(0)
for worker in range(3):
    os.wait()
'''


def throttle(vm, drive, operations):
    """From now on the drive does so many operations a second; 0: as many as it can."""
    limits = dict.fromkeys(("bps", "bps_rd", "bps_wr", "iops", "iops_rd", "iops_wr"), 0)
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(60)
        s.connect(str(vm.folder / "qmp.sock"))
        monitor = s.makefile("rw")
        monitor.readline()
        for command, arguments in (("qmp_capabilities", {}),
                                   ("block_set_io_throttle", {"device": drive, **limits, "iops": operations})):
            monitor.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
            monitor.flush()
            while not {"return", "error"} & (answer := json.loads(monitor.readline())).keys():
                pass
            assert "return" in answer, answer


def counters(vm):
    _, said = vm.sh("cat /proc/pressure/memory; grep -E 'allocstall|oom_kill|pswp' /proc/vmstat")
    return " ".join(said.split())


def test_strong_pressure_takes_a_trial_back(vm):
    before = vm.state()
    vm.allow()
    vm.put(PRESSURE.encode(), "/run/pressure.py")
    job = steps.try_out(vm, TRIAL)
    begin, at_first = time.monotonic(), counters(vm)
    vm.sh("mkswap -q /dev/sda && swapon /dev/sda")
    throttle(vm, "sata", OPERATIONS_PER_SECOND)
    try:
        # the workers are what goes if something has to
        vm.sh("systemd-run -q --unit=pressure -p OOMScoreAdjust=900 python3 /run/pressure.py")
        code, said = vm.end_in_session(job, timeout=300, check=False, what="the trial under pressure")
    finally:
        throttle(vm, "sata", 0)
    took = time.monotonic() - begin
    vm.sh("systemctl stop pressure.service; echo 0 >/proc/sys/vm/nr_hugepages; rm /run/pressure.py", timeout=400)
    print(f"# back after {took:.0f} s; memory before and after: {at_first} -> {counters(vm)}", flush=True)
    vm.sh("swapoff /dev/sda; wipefs -q -a /dev/sda", timeout=400)
    assert code == TAKEN_BACK, f"exit code {code}: {said}"
    # the person is told, the journal knows, and nothing is left
    assert "memory" in said, said
    _, record = vm.sh("cat $(ls /var/lib/ruckelfrei/journal/*.record | tail -n 1)")
    print("#", [line for line in record.splitlines() if line.startswith(("state", "reason"))], flush=True)
    assert "state=reverted" in record and "reason=guard-" in record, record
    vm.forbid()
    left = difference(before, vm.state())
    assert not left, left
