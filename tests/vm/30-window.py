"""The window comes up once on the machine as it is: in the person's session, with what the package depends on and no more."""
import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PICTURES = HERE.parent.parent / "_build-test/pictures"
# A display and a session's bus of their own; tests/gui/person.py reads what the window tells to those who cannot see it.
LOOK = r'''
import json, os, subprocess, sys, time
import gi
from gi.repository import Gio, GLib
display_in, display_out = os.pipe()
server = subprocess.Popen(["Xvfb", "-displayfd", str(display_out), "-screen", "0", "1100x760x24", "-nolisten", "tcp", "-noreset"],
                          pass_fds=[display_out], stderr=subprocess.DEVNULL)
os.environ["DISPLAY"] = ":" + os.read(display_in, 20).decode().strip()
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
bus.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set",
              GLib.Variant("(ssv)", ("org.a11y.Status", "IsEnabled", GLib.Variant("b", True))), None, 0, 120000, None)
bus.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, 120000, None)
window = subprocess.Popen(["ruckelfrei"], stderr=open("/var/tmp/window.err", "w"))
# half a second, the usual patience of a screen reader, is not enough for an emulated processor
patient = """import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi
Atspi.set_timeout(60000, 60000)
exec(open("/var/tmp/person.py").read())"""
person = subprocess.Popen([sys.executable, "-W", "ignore", "-c", patient], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def ask(verb, *args):
    person.stdin.write(json.dumps([verb, args]) + "\n")
    person.stdin.flush()
    return json.loads(person.stdout.readline())
begin = time.monotonic()
while True:
    tree = ask("tree")
    if any(t == "Changes" for _, *texts in tree.get("value") or [] for t in texts):
        break
    if time.monotonic() > begin + 400 or window.poll() is not None:
        sys.exit(f"no window: {tree}, {window.poll()}, " + open("/var/tmp/window.err").read())
    time.sleep(1)
seconds = time.monotonic() - begin
subprocess.run(["xwd", "-root", "-silent", "-out", "/var/tmp/window.xwd"], check=True)
print(json.dumps({"seconds": seconds, "tree": tree["value"], "runs": window.poll() is None, "said": open("/var/tmp/window.err").read()}))
window.terminate()
window.wait()
person.terminate()
server.terminate()
'''


def test_the_window_shows_how_things_are(vm):
    before = vm.state()
    vm.put(LOOK.encode(), "/var/tmp/look.py")
    vm.put((HERE.parent / "gui/person.py").read_bytes(), "/var/tmp/person.py")
    _, said = vm.in_session("export GDK_BACKEND=x11 GSK_RENDERER=cairo GDK_DEBUG=gl-disable GDK_DISABLE=gl,vulkan GTK_A11Y=atspi "
                            "LC_ALL=C.UTF-8; dbus-run-session -- python3 -W ignore /var/tmp/look.py 2>/var/tmp/look.err || "
                            "{ cat /var/tmp/look.err; exit 1; }", timeout=900)
    seen = json.loads([line for line in said.splitlines() if line.startswith("{")][-1])
    texts = [t for _, *texts in seen["tree"] for t in texts]
    picture = PICTURES / f"vm-{vm.suite}-window.png"
    os.makedirs(PICTURES, exist_ok=True)
    subprocess.run(["convert", "xwd:-", picture], input=vm.get("/var/tmp/window.xwd"), check=True)
    vm.sh("rm /var/tmp/look.* /var/tmp/person.py /var/tmp/window.*")
    assert seen["runs"], f"the window is gone: {seen}"
    for what in ("Overview", "Monitor", "Changes", "None. The system runs with its own settings."):
        assert what in texts, f"“{what}” cannot be seen in {texts}"
    verdicts = ("Everything is calm", "Having a look…", "Programs are waiting for", "Programs wait for memory", "A drive is slow")
    assert any(t.startswith(verdicts) for t in texts), f"no verdict in {texts}"
    colours = int(subprocess.run(["convert", picture, "-format", "%k", "info:"], capture_output=True, text=True, check=True).stdout)
    assert colours > 50, f"the picture has {colours} colours"
    assert "CRITICAL" not in seen["said"] and "WARNING" not in seen["said"], seen["said"]
    assert vm.state() == before
    vm.times.append(("window", seen["seconds"]))
