"""What only root can do: look at the kernel's settings, log a person in, start programs as that person, end the helper."""
import ctypes
import os
import pathlib
import pwd
import re
import signal
import struct
import subprocess
import time

LOGS = pathlib.Path(os.environ["RF_LOGS"])
PERSON = pwd.getpwnam(os.environ["RF_PERSON"])
JOURNAL = pathlib.Path("/var/lib/ruckelfrei/journal")
OUR_FILES = ["/etc/sysctl.d/99-zz-ruckelfrei.conf", "/etc/udev/rules.d/99-zz-ruckelfrei.rules",
             "/etc/systemd/zram-generator.conf.d/90-ruckelfrei.conf",
             "/run/udev/rules.d/99-zzz-ruckelfrei-trial.rules"]
HELPER = "io.github.ruckelfrei.Helper1"
# Changes by itself or has no value of its own.
NOT_SETTINGS = re.compile(r"/(stat_refresh|nr_hugepages_mempolicy)$")


def settings():
    """Every setting of memory management, of every drive queue, and the swap spaces."""
    found = {"/proc/swaps": pathlib.Path("/proc/swaps").read_text()}
    files = [p for p in pathlib.Path("/proc/sys/vm").iterdir() if p.is_file()]
    files += [p for q in pathlib.Path("/sys/block").glob("*/queue") for p in q.iterdir() if p.is_file()]
    for path in files:
        if NOT_SETTINGS.search(str(path)):
            continue
        try:
            found[str(path)] = path.read_text()
        except OSError as e:
            found[str(path)] = e.strerror
    return found


def difference(before, after):
    return {k: (before.get(k), after.get(k)) for k in before.keys() | after.keys() if before.get(k) != after.get(k)}


def our_files():
    return [f for f in OUR_FILES if os.path.exists(f)]


def wait(what, condition, seconds=20.0):
    """Waits until condition() is true and returns its value; names what was waited for if it never is."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:g} s in vain for {what}")
        time.sleep(0.05)
    return value


def _cgroup_root():
    for path in ("/sys/fs/cgroup/unified", "/sys/fs/cgroup"):
        if os.path.exists(path + "/cgroup.procs"):
            return pathlib.Path(path)
    return pathlib.Path("/sys/fs/cgroup/systemd")


class Login:
    """A session of the person, as libsystemd (and so polkit) sees it: files below /run/systemd and a cgroup's name."""

    def __init__(self, active):
        self.id = f"rf{os.getpid()}"  # cgroups belong to the machine, not to the namespace
        uid, run = PERSON.pw_uid, pathlib.Path("/run/systemd")
        state = "active" if active else "online"
        self.files = {
            run / "sessions" / self.id: f"UID={uid}\nUSER={PERSON.pw_name}\nACTIVE={int(active)}\nIS_DISPLAY=1\nSTATE={state}\n"
            f"REMOTE=0\nTYPE=x11\nCLASS=user\nSCOPE=session-{self.id}.scope\nSEAT=seat0\n",
            run / "users" / str(uid): f"NAME={PERSON.pw_name}\nSTATE={state}\nDISPLAY={self.id}\nSESSIONS={self.id}\n"
            f"ACTIVE_SESSIONS={self.id}\nONLINE_SESSIONS={self.id}\nSEATS=seat0\n",
            run / "seats" / "seat0": f"IS_SEAT0=1\nCAN_GRAPHICAL=1\nACTIVE={self.id}\nACTIVE_UID={uid}\nSESSIONS={self.id}\nUIDS={uid}\n",
        }
        for path, text in self.files.items():  # the login monitor waits for a rename
            path.with_suffix(".new").write_text(text)
            path.with_suffix(".new").rename(path)
        self.cgroup = _cgroup_root() / f"user.slice/user-{uid}.slice/session-{self.id}.scope"
        self.cgroup.mkdir(parents=True, exist_ok=True)

    def enter(self):
        (self.cgroup / "cgroup.procs").write_text(str(os.getpid()))

    def end(self):
        for path in self.files:
            path.unlink(missing_ok=True)
        wait("an empty session", lambda: not (self.cgroup / "cgroup.procs").read_text())
        for folder in (self.cgroup, self.cgroup.parent, self.cgroup.parent.parent):
            try:
                folder.rmdir()
            except OSError:
                break


def _become_person():
    os.setsid()
    os.initgroups(PERSON.pw_name, PERSON.pw_gid)
    os.setresgid(PERSON.pw_gid, PERSON.pw_gid, PERSON.pw_gid)
    os.setresuid(PERSON.pw_uid, PERSON.pw_uid, PERSON.pw_uid)


class Program:
    """A program of the person; its words go to a log."""

    def __init__(self, argv, log, login=None, **env):
        def prepare():
            if login:
                login.enter()
            _become_person()

        self.log = LOGS / log
        with open(self.log, "ab") as out:
            self.process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=out, preexec_fn=prepare,
                                            cwd="/", env={**os.environ, **env})

    def said(self):
        return self.log.read_text(errors="replace")

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Agent(Program):
    """The person at the password dialog of one program. Without a password the dialog is closed."""

    def __init__(self, program, password, language):
        log = f"agent-{time.monotonic_ns()}.txt"
        # an agent's language is taken from LANG alone
        super().__init__(["/usr/libexec/rf-test-agent", str(program.process.pid), *([password] if password else [])], log,
                         LANG=language)
        wait("the agent", lambda: "ready" in self.said())


def helper_pid():
    r = subprocess.run(["gdbus", "call", "--system", "-d", "org.freedesktop.DBus", "-o", "/", "-m",
                        "org.freedesktop.DBus.GetConnectionUnixProcessID", HELPER], capture_output=True, text=True)
    m = re.search(r"uint32 (\d+)", r.stdout)
    return int(m[1]) if m else None


def end_helper():
    """Asks it to end, as systemd does, and waits."""
    if pid := helper_pid():
        os.kill(pid, signal.SIGTERM)
        wait("the end of the helper", lambda: helper_pid() is None)


def helper_records():
    """Starts the helper if it does not run, as every caller does."""
    return subprocess.run(["gdbus", "call", "--system", "-d", HELPER, "-o", "/io/github/ruckelfrei/Helper1", "-m",
                           HELPER + ".ListRecords"], capture_output=True, text=True, check=True).stdout


class KillInMidApply:
    """Ends the helper at the worst moment: the values are written, the journal does not say so yet. The journal's folder is
    watched by fanotify with permission: whoever opens a file there waits until we have looked at the kernel."""
    FAN_CLASS_CONTENT, FAN_CLOEXEC, FAN_NONBLOCK = 0x4, 0x1, 0x2
    FAN_MARK_ADD, FAN_OPEN_PERM, FAN_EVENT_ON_CHILD, FAN_ALLOW = 0x1, 0x10000, 0x08000000, 1

    def __init__(self):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.before = settings()
        self.fd = self.libc.fanotify_init(self.FAN_CLASS_CONTENT | self.FAN_CLOEXEC | self.FAN_NONBLOCK, os.O_RDONLY)
        mark = self.libc.fanotify_mark
        mark.argtypes = [ctypes.c_int, ctypes.c_uint, ctypes.c_uint64, ctypes.c_int, ctypes.c_char_p]
        if self.fd < 0 or mark(self.fd, self.FAN_MARK_ADD, self.FAN_OPEN_PERM | self.FAN_EVENT_ON_CHILD, -100,
                               os.fsencode(JOURNAL)) != 0:
            raise OSError(ctypes.get_errno(), "fanotify")

    def run(self, seconds=30):
        """Returns what differed at the moment of death."""
        end = time.monotonic() + seconds
        killed = None
        while killed is None and time.monotonic() < end:
            try:
                events = os.read(self.fd, 4096)
            except BlockingIOError:
                time.sleep(0.005)
                continue
            while events:
                length, _, _, _, _, fd, pid = struct.unpack_from("=IBBHQii", events)
                events = events[length:]
                if killed is None and pid != os.getpid() and (changed := difference(self.before, settings())):
                    os.kill(pid, signal.SIGKILL)
                    killed = changed
                os.write(self.fd, struct.pack("=iI", fd, self.FAN_ALLOW))
                os.close(fd)
        os.close(self.fd)
        if killed is None:
            raise AssertionError("the helper never opened its journal with changed values")
        return killed
