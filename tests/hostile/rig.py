"""The helper as a program of its own on a bus of its own, with a made-up machine and a made-up polkit beside it."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

import bus
from generator import NAME

# like the system bus, but with room for a crowd
BUS_CONFIG = """<busconfig><type>session</type><listen>unix:dir={folder}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
<limit name="max_incoming_bytes">133169152</limit><limit name="max_message_size">33554432</limit>
<limit name="max_completed_connections">4000</limit><limit name="max_connections_per_user">4000</limit>
<limit name="max_replies_per_connection">128</limit></busconfig>"""
POLKIT = """<node><interface name="org.freedesktop.PolicyKit1.Authority">
<method name="CheckAuthorization"><arg type="(sa{sv})" direction="in"/><arg type="s" direction="in"/><arg type="a{ss}" direction="in"/>
<arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="(bba{ss})" direction="out"/></method>
<method name="CancelCheckAuthorization"><arg type="s" direction="in"/></method><signal name="Changed"/></interface></node>"""


class Polkit:
    """Says what it is told to. @answer: "allow", "deny" or "silent"; @before: called when it is asked, before it answers."""

    def __init__(self, address):
        self.address, self.answer, self.before, self.asked = address, "deny", None, 0
        self.context = GLib.MainContext()
        self.loop = GLib.MainLoop.new(self.context, False)
        self.start()

    def start(self):
        ready = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self.thread.start()
        assert ready.wait(20)

    def _run(self, ready):
        self.context.push_thread_default()
        self.bus = Gio.DBusConnection.new_for_address_sync(self.address, bus.FLAGS, None, None)
        self.bus.set_exit_on_close(False)
        info = Gio.DBusNodeInfo.new_for_xml(POLKIT).interfaces[0]
        self.bus.register_object("/org/freedesktop/PolicyKit1/Authority", info, self._called, None, None)
        self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                           GLib.Variant("(su)", ("org.freedesktop.PolicyKit1", 4)), None, Gio.DBusCallFlags.NONE, -1, None)
        ready.set()
        self.loop.run()
        self.bus.close_sync(None)
        self.context.pop_thread_default()

    def _called(self, connection, sender, path, interface, method, parameters, invocation):
        if method != "CheckAuthorization":
            invocation.return_value(None)
            return
        self.asked += 1
        if self.before:
            self.before()
        if self.answer != "silent":
            invocation.return_value(GLib.Variant("((bba{ss}))", ((self.answer == "allow", False, {}),)))

    def crash(self):
        """Off the bus at once, with whatever it was asked."""
        self.loop.quit()
        self.thread.join(20)


class Rig:
    def __init__(self, helper, holder, ctl):
        self.folder = tempfile.TemporaryDirectory(prefix="rf-hostile-")
        self.holder = subprocess.Popen([holder, "laptop-8g"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.root = pathlib.Path(self.holder.stdout.readline().strip())
        config = pathlib.Path(self.folder.name) / "bus.conf"
        config.write_text(BUS_CONFIG.format(folder=self.folder.name))
        self.daemon = subprocess.Popen(["dbus-daemon", f"--config-file={config}", "--nofork", "--nopidfile", "--print-address=1"],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.daemon.stdout.readline().strip()
        self.polkit = Polkit(self.address)
        self.ctl = ctl
        # any complaint of GLib's ends the helper, so that it cannot be missed
        env = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.address, "G_DEBUG": "fatal-criticals",
               "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"}
        self.helper = subprocess.Popen([helper, "--sysroot", self.root, "--state", self.root, "--bus", self.address], env=env)
        self.caller = bus.Caller(self.address)
        self.wait("the helper", self.on_bus)
        self.before = self.state()
        self.start = self.resources()

    def on_bus(self):
        a = self.caller.call("NameHasOwner", GLib.Variant("(s)", (NAME,)), path="/org/freedesktop/DBus", interface="org.freedesktop.DBus",
                             destination="org.freedesktop.DBus")
        return a.value.get_child_value(0).get_boolean()

    def wait(self, what, condition, seconds=120):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"waited {seconds} s in vain for {what}"
            assert self.helper.poll() is None, f"the helper ended with {self.helper.returncode} while waiting for {what}"
            time.sleep(0.01)

    def calm(self):
        """Nothing on trial, nothing running."""
        self.wait("the end of everything", lambda: self.caller.property("TrialId") == "" and self.caller.property("Busy") is False)

    def targets(self):
        """Every setting with every device of the made-up machine, as the product lists them."""
        rows = json.loads(subprocess.run([self.ctl, "--sysroot", self.root, "list", "--json"], capture_output=True, text=True, check=True).stdout)
        return sorted({(r["id"], r.get("instance") or "") for r in rows})

    def state(self):
        """The whole machine with its files, but for the journal and the own folder in /run."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            # the module that was loaded for a compressed swap stays loaded
            if name.startswith(("var/lib/ruckelfrei", "run/ruckelfrei", "sys/class/zram-control")):
                continue
            found[name] = (f"-> {os.readlink(path)}" if path.is_symlink() else "folder" if path.is_dir() else path.read_bytes())
        return found

    def journal(self):
        return sorted(p.name for p in (self.root / "var/lib/ruckelfrei/journal").glob("*.record"))

    def check_as_before(self):
        assert self.helper.poll() is None, f"the helper ended with {self.helper.returncode}"
        now = self.state()
        # folders that had to be made for files may stay
        differs = [k for k in self.before.keys() | now.keys() if self.before.get(k) != now.get(k) and now.get(k) != "folder"]
        assert not differs, "changed: " + ", ".join(f"{k}: {self.before.get(k)} -> {now.get(k)}" for k in differs[:5])

    def resources(self):
        pid = self.helper.pid
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        number = lambda field: int(re.search(rf"^{field}:\s+(\d+)", status, re.M)[1])
        return {"VmRSS": number("VmRSS"), "VmHWM": number("VmHWM"), "threads": number("Threads"), "fds": len(os.listdir(f"/proc/{pid}/fd"))}

    def told(self):
        r = self.resources()
        return f"VmRSS {r['VmRSS']} KiB (at most {r['VmHWM']}), {r['threads']} threads, {r['fds']} files open"

    def end(self):
        self.caller.close()
        self.helper.terminate()
        code = self.helper.wait(60)
        self.polkit.crash()
        self.daemon.terminate()
        self.daemon.wait()
        self.holder.stdin.close()
        self.holder.wait()
        self.folder.cleanup()
        return code
