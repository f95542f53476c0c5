"""A whole machine under qemu: Debian with systemd, udev, polkit and logind, on an NVMe, a SATA and a virtio drive.

Commands go through the guest agent's virtio port, a socket on this side: the guest needs no network. Standard library only.
"""
import base64
import itertools
import json
import os
import pathlib
import shlex
import socket
import subprocess
import threading
import time

QUIET = ("root=/dev/vda rw rootfstype=ext4 console=ttyS0 panic=-1 quiet mitigations=off nokaslr net.ifnames=0 "
         "systemd.show_status=0 no_timer_check random.trust_cpu=on "
         # measured at boot on a busy host, the speed of the time stamp counter is wrong, and the clock can run several times too
         # fast; then everything in the machine that waits gives up too early
         "tsc=unstable clocksource=acpi_pm")
GIB = 1 << 30
PERSON = "tester"  # see image-setup; the password is the usual one of the tests
PASSWORD = "geheim"
NVME, SATA, VIRTIO = "nvme0n1", "sda", "vda"

# Not settings: counters, random numbers, and what the kernel computes at boot from the memory that happens to be free.
NOT_SETTINGS = [
    "/proc/sys/kernel/random/",  # a new number at each read or boot
    "/proc/sys/kernel/ns_last_pid",  # counts processes
    "/proc/sys/kernel/pty/nr",  # counts terminals
    "/proc/sys/kernel/perf_event_max_sample_rate",  # the kernel lowers it when it is slow
    "/proc/sys/kernel/perf_cpu_time_max_percent",
    "/proc/sys/kernel/tainted",  # says what has happened
    "/proc/sys/fs/dentry-state",  # counts of file systems
    "/proc/sys/fs/file-nr",
    "/proc/sys/fs/inode-nr",
    "/proc/sys/fs/inode-state",
    "/proc/sys/fs/aio-nr",
    "/proc/sys/fs/quota/",
    "/proc/sys/fs/binfmt_misc",  # mounted as soon as somebody looks
    "/proc/sys/net/netfilter/nf_conntrack_count",
    "/proc/sys/vm/stat_refresh",  # only to be written
    "/proc/sys/vm/user_reserve_kbytes",  # from free memory at boot
    "/proc/sys/net/ipv4/tcp_mem",
    "/proc/sys/net/ipv4/udp_mem",
    "/etc/.pwd.lock",
]
STATE = r'''
import hashlib, json, os, stat
skip = tuple(json.loads("""@SKIP@"""))
found = {}
def look(top, value):
    for folder, folders, files in os.walk(top):
        for name in folders + files if value is content else files:
            path = os.path.join(folder, name)
            if not path.startswith(skip):
                try:
                    found[path] = value(path)
                except OSError as e:
                    found[path] = e.strerror
def setting(path):
    return open(path, errors="replace").read().strip()
def content(path):
    s = os.lstat(path)
    what = f"{stat.filemode(s.st_mode)} {s.st_uid}:{s.st_gid}"
    if stat.S_ISLNK(s.st_mode):
        return f"{what} -> {os.readlink(path)}"
    if stat.S_ISREG(s.st_mode):
        return f"{what} {hashlib.sha256(open(path, 'rb').read()).hexdigest()[:16]}"
    return what
look("/proc/sys", setting)
for disk in os.listdir("/sys/block"):
    look(f"/sys/block/{disk}/queue", setting)
for top in ("/etc", "/run/udev/rules.d", "/run/sysctl.d"):
    look(top, content)
for line in open("/proc/swaps").read().splitlines()[1:]:
    name, kind, size, used, priority = line.split()
    found["swap " + name] = f"{kind} {size} priority {priority}"
print(json.dumps(found))
'''


class CommandFailed(AssertionError):
    pass


def difference(before, after):
    """What differs between two states, as {name: (before, after)}."""
    return {k: (before.get(k), after.get(k)) for k in sorted(before.keys() | after.keys()) if before.get(k) != after.get(k)}


SLOW = ["-accel", "tcg,thread=multi,tb-size=256", "-cpu", "qemu64"]
FAST = ["-accel", "kvm", "-cpu", "max,-arch-capabilities"]  # some hosts refuse to set that register
_accelerator = None
_accelerator_lock = threading.Lock()


def accelerator(image):
    """The options of qemu: kvm where a kernel of the image really comes up under it, else the slow way. The only place that
    decides this."""
    global _accelerator
    with _accelerator_lock:
        if _accelerator is None:
            _accelerator = FAST if os.access("/dev/kvm", os.R_OK | os.W_OK) and _boots(image, FAST) else SLOW
        return _accelerator


def _boots(image, options):
    """Without a root file system the kernel's last word is a panic, after which qemu leaves."""
    try:
        said = subprocess.run(
            ["qemu-system-x86_64", "-nodefaults", "-no-user-config", "-machine", "q35", *options, "-m", "512", "-display", "none",
             "-no-reboot", "-serial", "stdio", "-kernel", f"{image}/vmlinuz", "-append", "console=ttyS0 panic=-1"],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=15)
    except subprocess.TimeoutExpired:
        return False
    return said.returncode == 0 and b"VFS: Unable to mount root" in said.stdout


class Machine:
    """image: the folder that tests/vm/image has made; folder: for the drives, made anew.

    cpus is also the number of the NVMe's queues; memory in MiB; nvme: bytes of each NVMe drive (nvme0n1, nvme1n1, ...).
    times has (what, seconds) of everything that took long.
    """

    def __init__(self, image, folder, suite="", cpus=1, memory=1024, nvme=(GIB,), package=None, options=()):
        self.image, self.folder = pathlib.Path(image).resolve(), pathlib.Path(folder).resolve()
        self.suite, self.cpus, self.memory, self.package = suite, cpus, memory, package
        self.options = list(options)
        self.process = self.agent = None
        self.times = []
        self.installed = self.patient = False
        self._jobs = itertools.count()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.root = self.folder / "root.qcow2"
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", self.image / "root.ext4", self.root], check=True)
        self.nvme = [self._drive(f"nvme{i}", size) for i, size in enumerate(nvme)]
        self.sata = self._drive("sata", GIB // 4)

    def _drive(self, name, size):
        path = self.folder / f"{name}.raw"
        path.unlink(missing_ok=True)
        with open(path, "wb") as f:
            f.truncate(size)
        return path

    def _arguments(self):
        def drive(name, path, kind="raw"):
            return ["-drive", f"if=none,id={name},file={path},format={kind},cache=writeback,discard=unmap,detect-zeroes=off"]

        arguments = ["qemu-system-x86_64", "-nodefaults", "-no-user-config", "-machine", "q35", *accelerator(self.image),
                     "-smp", str(self.cpus), "-m", str(self.memory), "-display", "none",
                     "-kernel", str(self.image / "vmlinuz"), "-initrd", str(self.image / "initrd"), "-append", QUIET,
                     "-serial", f"file:{self.folder}/console.log", "-device", "virtio-rng-pci",
                     *drive("root", self.root, "qcow2"), "-device", "virtio-blk-pci,drive=root",
                     *drive("sata", self.sata), "-device", "ide-hd,bus=ide.0,drive=sata,serial=RFSATA0001",
                     "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0",
                     "-chardev", f"socket,id=agent,path={self.folder}/agent.sock,server=on,wait=off",
                     "-qmp", f"unix:{self.folder}/qmp.sock,server=on,wait=off"]
        for i, path in enumerate(self.nvme):
            arguments += [*drive(f"nvme{i}", path), "-device",
                          f"nvme,serial=RFNVME000{i + 1},drive=nvme{i},max_ioqpairs={max(self.cpus, 1)}"]
        return arguments + self.options

    # --- on and off ------------------------------------------------------------------------------------------------------

    def start(self, timeout=900):
        """Powers it on and waits until it has come up. Returns self."""
        begin = time.monotonic()
        for name in ("agent.sock", "qmp.sock"):
            (self.folder / name).unlink(missing_ok=True)
        with open(self.folder / "qemu.log", "ab") as log:
            self.process = subprocess.Popen(self._arguments(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._wait_for_agent(timeout)
        self._settle(timeout)
        if not self.patient:
            # the bus gives a service 25 s to start, which an emulated processor that shares this machine may need
            self.put(b'<busconfig><limit name="service_start_timeout">600000</limit></busconfig>\n', "/etc/dbus-1/system-local.conf")
            self.sh("systemctl reload dbus.service")
            self.patient = True
        self._took("boot", begin)
        return self

    def reboot(self, timeout=900):
        """A clean restart of the system; qemu stays."""
        begin = time.monotonic()
        old = self.boot_id()
        self._send("guest-exec", path="/usr/bin/systemctl", arg=["reboot"])
        self.wait_boot(old, timeout)
        self._took("reboot", begin)

    def boot_id(self, timeout=300):
        return self.get("/proc/sys/kernel/random/boot_id", timeout).decode().strip()

    def wait_boot(self, old, timeout=900):
        """Waits for another boot than the one with the id old, which may be under way already."""
        end = time.monotonic() + timeout
        while True:
            try:
                self._wait_for_agent(max(1, end - time.monotonic()))
                # An agent that is still the old one may die with our question, and qemu keeps the socket open: then nobody
                # answers, and the next one is asked.
                if self.boot_id(15) != old:
                    break
            except (OSError, ValueError, CommandFailed):
                self._assert_runs()
            if time.monotonic() > end:
                raise AssertionError(f"no new boot in {timeout} s")
            time.sleep(0.5)
        self._settle(timeout)

    def kill(self):
        """A power cut: what the system has not flushed to its drives is gone. Afterwards start()."""
        self.process.kill()
        self.process.wait()
        self.agent = None

    def stop(self, timeout=120):
        """Powers it off."""
        if self.process is None or self.process.poll() is not None:
            return
        try:
            self.agent.sendall(b'{"execute":"guest-shutdown"}\n')
            self.process.wait(timeout)
        except (OSError, AttributeError, subprocess.TimeoutExpired):
            self.kill()

    def _took(self, what, begin):
        self.times.append((what, time.monotonic() - begin))

    def _assert_runs(self):
        if self.process.poll() is not None:
            raise AssertionError(f"qemu ended with {self.process.returncode}: {(self.folder / 'qemu.log').read_text()[-1000:]}")

    def _settle(self, timeout):
        # The agent answers before all drives have been found and before the person is logged in.
        self.sh("systemctl is-system-running --wait; udevadm settle; "
                f"until [ -p /run/user/$(id -u {PERSON})/jobs/next ]; do sleep .2; done", check=False, timeout=timeout)

    # --- the guest agent -------------------------------------------------------------------------------------------------

    def _wait_for_agent(self, timeout):
        end = time.monotonic() + timeout
        number = time.monotonic_ns() & 0x7fffffff
        while time.monotonic() < end:
            self._assert_runs()
            try:
                if self.agent:
                    self.agent.close()
                self.agent = socket.socket(socket.AF_UNIX)
                self.agent.settimeout(10)
                self.agent.connect(str(self.folder / "agent.sock"))
                self.received = b""
                number += 1
                # the byte ff makes the agent forget what came before
                self.agent.sendall(b"\xff" + json.dumps({"execute": "guest-sync-delimited", "arguments": {"id": number}}).encode() + b"\n")
                while self._receive(10).get("return") != number:
                    pass
                return
            except (OSError, ValueError):
                time.sleep(0.5)
        raise AssertionError(f"no answer from the machine in {timeout:.0f} s; its last words: "
                             + (self.folder / "console.log").read_text(errors="replace")[-2000:])

    def _receive(self, timeout):
        self.agent.settimeout(timeout)
        while b"\n" not in self.received:
            data = self.agent.recv(1 << 16)
            if not data:
                raise ConnectionError("the agent's socket was closed")
            self.received += data
        line, self.received = self.received.split(b"\n", 1)
        return json.loads(line.lstrip(b"\xff"))

    def _send(self, command, **arguments):
        self.agent.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")

    def _ask(self, command, timeout=300, **arguments):
        self._send(command, **arguments)
        answer = self._receive(timeout)
        if "error" in answer:
            raise CommandFailed(f"{command}: {answer['error'].get('desc')}")
        return answer.get("return")

    def begin(self, script, user=None):
        """Starts a shell script without waiting for it, as root outside any session or as another user, likewise. Returns what
        end() and running() want."""
        argv = ["runuser", "-u", user, "--", "bash", "-c", script] if user else ["bash", "-c", script]
        environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8"]
        return self._ask("guest-exec", path="/usr/bin/env", arg=argv, env=environment, **{"capture-output": True})["pid"]

    def end(self, pid, timeout=600, check=True, what=""):
        """Waits for a script that was begun; (exit code, what it said). Whatever holds its stdout keeps it going."""
        end, pause = time.monotonic() + timeout, 0.02
        while not (answer := self._ask("guest-exec-status", pid=pid))["exited"]:
            if time.monotonic() > end:
                raise AssertionError(f"still running after {timeout} s: {what}")
            time.sleep(pause)
            pause = min(pause * 1.5, 0.5)
        said = "".join(base64.b64decode(answer.get(k, "")).decode(errors="replace") for k in ("out-data", "err-data"))
        code = answer.get("exitcode", 128 + answer.get("signal", 0))
        if check and code != 0:
            raise CommandFailed(f"exit code {code}: {what}\n{said}")
        return code, said

    def sh(self, script, check=True, user=None, timeout=600):
        """Runs a shell script, as root outside any session or as another user, likewise; (exit code, what it said)."""
        return self.end(self.begin(script, user), timeout, check, script)

    def put(self, data, path):
        handle = self._ask("guest-file-open", path=path, mode="w")
        for i in range(0, len(data), 1 << 20):
            self._ask("guest-file-write", handle=handle, **{"buf-b64": base64.b64encode(data[i:i + (1 << 20)]).decode()})
        self._ask("guest-file-close", handle=handle)

    def get(self, path, timeout=300):
        handle, data, last = self._ask("guest-file-open", timeout, path=path, mode="r"), b"", False
        while not last:
            answer = self._ask("guest-file-read", timeout, handle=handle, count=1 << 20)
            data += base64.b64decode(answer["buf-b64"])
            last = answer["eof"]
        self._ask("guest-file-close", timeout, handle=handle)
        return data

    # --- people ----------------------------------------------------------------------------------------------------------

    def begin_in_session(self, script):
        """Starts a script as the person who sits at the machine: local, active session on seat0. Returns what
        end_in_session() wants."""
        job = f"/run/user/1000/jobs/{next(self._jobs)}-{time.monotonic_ns()}"
        self.put(script.encode(), job)
        self.sh(f"chown {PERSON}: {job}; echo {job} >/run/user/1000/jobs/next")
        return job

    def end_in_session(self, job, timeout=600, check=True, what=""):
        _, said = self.sh(f"for ((i = 0; i < {timeout} * 5; i++)); do [ ! -s {job}.rc ] || break; sleep .2; done; "
                          f"cat {job}.rc || echo none; cat {job}.out", timeout=timeout + 120)
        code, said = said.split("\n", 1)
        if "none" in code:
            raise AssertionError(f"still running after {timeout} s: {what}\n{said}")
        if check and code != "0":
            raise CommandFailed(f"exit code {code}: {what}\n{said}")
        return int(code), said

    def in_session(self, script, check=True, timeout=600):
        """Runs a shell script as the person who sits at the machine; (exit code, what it said)."""
        return self.end_in_session(self.begin_in_session(script), timeout, check, script)

    def from_elsewhere(self, script, check=True, timeout=600):
        """Runs a shell script as the same person who comes in over ssh: a remote session without a seat."""
        self.sh("systemctl start ssh.service")
        remote = (f"ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR {PERSON}@localhost "
                  + shlex.quote(script))
        return self.sh(remote, check, PERSON, timeout)

    def allow(self, action=""):
        """From now on the person's answer to the dialogs of our actions that begin with this is the right password. (A rule
        of polkit: the dialog itself is tested where there is a desktop.) Only for the local, active session."""
        rule = ('polkit.addRule(function (action, subject) {\n'
                f'    if (action.id.indexOf("io.github.ruckelfrei.{action}") == 0 && subject.user == "{PERSON}" &&\n'
                '        subject.active && subject.local)\n        return polkit.Result.YES;\n});\n')
        self.put(rule.encode(), "/etc/polkit-1/rules.d/00-tests.rules")
        self.sh("chmod 644 /etc/polkit-1/rules.d/00-tests.rules; systemctl restart polkit.service")

    def forbid(self):
        """Undoes allow()."""
        self.sh("rm -f /etc/polkit-1/rules.d/00-tests.rules; systemctl restart polkit.service")

    # --- what we look at -------------------------------------------------------------------------------------------------

    def install(self):
        """Installs the package, unless it is."""
        if not self.installed:
            begin = time.monotonic()
            self.put(pathlib.Path(self.package).read_bytes(), "/var/tmp/ruckelfrei.deb")
            self.sh("DEBIAN_FRONTEND=noninteractive dpkg -i /var/tmp/ruckelfrei.deb && rm /var/tmp/ruckelfrei.deb")
            self.installed = True
            self._took("install", begin)

    def state(self):
        """All settings of the kernel and of all drives, the swap spaces, and all files that could set them, by name."""
        script = STATE.replace("@SKIP@", json.dumps(NOT_SETTINGS))
        return json.loads(self.sh(f"python3 - <<'EOF'\n{script}\nEOF")[1])

    def read(self, *paths):
        """The values of kernel files, without white space at the ends."""
        _, said = self.sh("for f in " + " ".join(map(shlex.quote, paths)) + "; do cat $f; echo @@; done")
        return [v.strip() for v in said.split("@@")[:-1]]
