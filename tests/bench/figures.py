#!/usr/bin/python3
"""figures.py PROGRAM EMPTY [SCHEMAS]: what the window costs, beside an empty window and other monitors, in one run. TAP.

Processor time and memory of programs that run at the same time on the same machine, so that what else it does slows all of
them; only ratios, and shares of a core with a wide margin, can fail. RF_SECONDS is how long to watch (20; 60 is better on a
busy machine). Needs Xvfb and xdotool; programs that are not installed are named and left out.
"""
import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, EMPTY = sys.argv[1:3]
SECONDS = float(os.environ.get("RF_SECONDS") or 20)
SETTLE = 8
STARTS = 5
# The figures of the README, and how far a busy machine may be off before it counts as a defect.
WANTED = {"all graphs": 3.0, "another page": 0.3, "minimised": 0.3}
SLACK = 2.0
RESIDENT_MIB = 60
FIRST_FRAME, FIRST_FRAME_LIMIT = 1.5, 4.0  # not reached yet: the words of a page have to be shaped; the second is a defect
OURS = [PROGRAM, "--page"]
PROGRAMS = {
    "empty window": [EMPTY],
    "all graphs": [*OURS, "monitor", "--size", "1100x2400"],
    "monitor": [*OURS, "monitor", "--size", "1100x760"],
    "overview": [*OURS, "overview", "--size", "1100x760"],
    "another page": [*OURS, "changes", "--size", "1100x760"],
    "minimised": [*OURS, "monitor", "--size", "1100x760"],
    "gnome-system-monitor": ["gnome-system-monitor", "--show-resources-tab"],
    "mate-system-monitor": ["mate-system-monitor", "--show-resources-tab"],
    "xfce4-taskmanager": ["xfce4-taskmanager"],
    "lxtask": ["lxtask"],
}
number = failed = 0


def say(text):
    print("# " + text, flush=True)


def result(good, name):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}", flush=True)


class Display:
    """An X server of our own, and the moment in which somebody draws on it."""

    class Damage(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                    ("drawable", ctypes.c_ulong), ("damage", ctypes.c_ulong), ("level", ctypes.c_int), ("more", ctypes.c_int),
                    ("timestamp", ctypes.c_ulong), ("x", ctypes.c_short), ("y", ctypes.c_short), ("width", ctypes.c_ushort),
                    ("height", ctypes.c_ushort), ("rest", ctypes.c_char * 256)]

    def __init__(self):
        out, into = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(into), "-br", "-screen", "0", "1400x2500x24", "-nolisten", "tcp",
                                        "-noreset"], pass_fds=[into], stderr=subprocess.DEVNULL)
        os.close(into)
        self.name = ":" + os.read(out, 16).decode().strip()
        self.x, xdamage = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXdamage.so.1")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.connection = ctypes.c_void_p(self.x.XOpenDisplay(self.name.encode()))
        base, error = ctypes.c_int(), ctypes.c_int()
        if not xdamage.XDamageQueryExtension(self.connection, ctypes.byref(base), ctypes.byref(error)):
            raise OSError("this X server does not tell of drawing")
        self.damage_type = base.value
        self.root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.connection))
        self.x.XGetImage.restype = ctypes.c_void_p
        self.x.XGetPixel.restype = ctypes.c_ulong
        xdamage.XDamageCreate.restype = ctypes.c_ulong
        xdamage.XDamageCreate(self.connection, self.root, 0)  # every rectangle
        self.x.XFlush(self.connection)

    def next_drawing(self):
        """Whether something larger than an icon was drawn since the last call."""
        drawn, event = False, self.Damage()
        while self.x.XPending(self.connection):
            self.x.XNextEvent(self.connection, ctypes.byref(event))
            drawn |= (event.type == self.damage_type and event.width >= 100 and event.height >= 20
                      and self.is_lit(event.x + event.width // 2, event.y + event.height // 2))
        return drawn

    def is_lit(self, x, y):
        """A window that has come but has drawn nothing yet is as black as the screen behind it."""
        image = ctypes.c_void_p(self.x.XGetImage(self.connection, self.root, x, y, 1, 1, ctypes.c_ulong(0xffffff), 2))
        if not image:
            return False
        lit = self.x.XGetPixel(image, 0, 0) & 0xffffff != 0
        self.x.XDestroyImage(image)
        return lit

    def wait_for_drawing(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.next_drawing():
                return True
            select.select([self.x.XConnectionNumber(self.connection)], [], [], 0.05)
        return False

    def end(self):
        self.x.XCloseDisplay(self.connection)
        self.server.terminate()
        self.server.wait()


class Run:
    """A program with a session bus of its own, so that two windows of one program do not become one."""

    def __init__(self, display, argv, home):
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"],
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={"XDG_RUNTIME_DIR": home})
        keep = {k: v for k, v in os.environ.items() if not k.startswith(("DBUS_", "GTK_", "GDK_", "GSK_", "WAYLAND_", "XDG_"))}
        self.process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={
            **keep, "DISPLAY": display.name, "GDK_BACKEND": "x11", "HOME": home, "XDG_RUNTIME_DIR": home, "LC_ALL": "C.UTF-8",
            "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none",
            "DBUS_SESSION_BUS_ADDRESS": self.bus.stdout.readline().strip(), "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent",
            **({"GSETTINGS_SCHEMA_DIR": sys.argv[3]} if len(sys.argv) > 3 else {})})

    def cpu(self):
        """Seconds on a processor, of all threads, those that have ended included: clock_getcpuclockid(3)."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def status(self, field):
        with open(f"/proc/{self.process.pid}/status") as f:
            return next(int(line.split()[1]) for line in f if line.startswith(field + ":"))

    def own(self):
        """MiB that would be free again were it gone: pages of libraries that others use, too, are nobody's own."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as f:
            return sum(int(line.split()[1]) for line in f if line.startswith("Private_")) / 1024

    def end(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()
        self.bus.terminate()
        self.bus.wait()


def first_frame(display, argv, home):
    """Processor time until something is seen."""
    while display.wait_for_drawing(0.5):
        pass  # what the one before has left
    run = Run(display, argv, home)
    try:
        if not display.wait_for_drawing(30):
            return None
        run.process.send_signal(signal.SIGSTOP)
        return run.cpu()
    finally:
        run.end()


def minimise(display, run):
    """As a window manager does; here is none."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(run.process.pid)], capture_output=True, text=True,
                           env={**os.environ, "DISPLAY": display.name}).stdout.split()
    for window in found:
        subprocess.run(["xdotool", "windowunmap", window], env={**os.environ, "DISPLAY": display.name}, check=False)
    return bool(found)


def watch(display, installed, home):
    runs = {}
    try:
        for name, argv in installed.items():
            runs[name] = Run(display, argv, home)
            time.sleep(0.5)
        time.sleep(SETTLE / 2)
        if not minimise(display, runs["minimised"]):
            say("nothing was found to be minimised")
        time.sleep(SETTLE / 2)
        before = {name: (run.cpu(), run.status("voluntary_ctxt_switches")) for name, run in runs.items()}
        start = time.monotonic()
        time.sleep(SECONDS)
        seconds = time.monotonic() - start
        return {name: {"share": (run.cpu() - before[name][0]) / seconds * 100,
                       "wakeups": (run.status("voluntary_ctxt_switches") - before[name][1]) / seconds,
                       "resident": run.status("VmRSS") / 1024, "own": run.own()} for name, run in runs.items()}
    finally:
        for run in runs.values():
            run.end()


def main():
    missing = [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]
    if missing:
        print(f"1..0 # SKIP {' and '.join(missing)} not installed")
        return
    installed = {name: argv for name, argv in PROGRAMS.items() if shutil.which(argv[0])}
    display = Display()
    try:
        with tempfile.TemporaryDirectory() as home:
            frames = {name: [] for name in installed if name in ("empty window", "overview") or name == installed[name][0]}
            for _ in range(STARTS):
                for name, times in frames.items():
                    times.append(first_frame(display, installed[name], home))
            figures = watch(display, installed, home)
    finally:
        display.end()
    empty = min(t for t in frames["empty window"] if t)
    say(f"{'':22}{'% of a core':>12}{'wake-ups/s':>12}{'resident MiB':>14}{'own MiB':>9}{'first frame s':>15}{'ratio':>7}")
    for name in PROGRAMS:
        if name not in installed:
            say(f"{name:22} not installed")
            continue
        f = figures[name]
        seen = [t for t in frames.get(name, []) if t]
        frame = f"{min(seen):>15.3f}{min(seen) / empty:>7.2f}" if seen else ""
        say(f"{name:22}{f['share']:>12.2f}{f['wakeups']:>12.1f}{f['resident']:>14.1f}{f['own']:>9.1f}{frame}")
    for name, wanted in WANTED.items():
        result(figures[name]["share"] <= wanted * SLACK, f"{name}: {figures[name]['share']:.2f} % of a core, wanted {wanted} %")
    ratio = min(frames["overview"]) / empty
    result(ratio <= FIRST_FRAME_LIMIT, f"first frame: {ratio:.2f} times an empty window's, wanted {FIRST_FRAME}")
    resident = figures["monitor"]["resident"]
    result(resident <= RESIDENT_MIB * SLACK, f"resident: {resident:.1f} MiB, wanted {RESIDENT_MIB}")
    print(f"1..{number}")
    sys.exit(failed > 0)


main()
