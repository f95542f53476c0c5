#!/usr/bin/python3
"""attack.py ADDRESS INTERFACE.XML TARGETS [PATTERN]: what a hostile program without any right does to the helper on a real bus.
Prints one JSON object for each attack: name, whether it went as it should, and what is worth knowing. TARGETS: [[setting, instance]...]

The attacks themselves only look at the answers. Whether the machine is as before is for somebody else to see."""
import collections
import json
import os
import re
import resource
import sys
import tempfile
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

import generator
from bus import INTERACTIVE, OURS, Caller, Raw, message
from generator import NAME, PATH

PROPERTIES = "org.freedesktop.DBus.Properties"
WEEKLY = os.environ.get("RF_WEEKLY") == "yes"


class Book:
    """What was answered."""

    def __init__(self):
        self.codes = collections.Counter()
        self.bad = []

    def note(self, what, answer):
        self.codes[answer.code() or "done"] += 1
        if complaint := answer.complaint():
            self.bad.append(f"{what}: {complaint}")

    def check(self):
        assert not self.bad, f"{len(self.bad)} bad answers, the first: " + "; ".join(self.bad[:5])
        return f"{sum(self.codes.values())} calls: " + ", ".join(f"{n} {c}" for c, n in self.codes.most_common())


def nothing(method, answer):
    pass


def every_argument(caller, interface, targets, done=nothing):
    """@done: told of each call that was carried out"""
    book = Book()
    for method in interface.methods:
        for what, body in (*generator.arguments(method), *generator.known_targets(method, targets)):
            answer = caller.call(method.name, body)
            book.note(f"{method.name} {what}", answer)
            if answer.error is None:
                done(method.name, answer)
    return book.check()


def wrong_signatures(caller, interface):
    book = Book()
    for method in interface.methods:
        for what, body in generator.wrong_signatures(method):
            answer = caller.call(method.name, body)
            book.note(f"{method.name} {what}", answer)
            if answer.error is None:
                book.bad.append(f"{method.name} {what}: was carried out")
    return book.check()


def beside_the_interface(caller, interface):
    """Properties, introspection, other objects and interfaces, members that do not exist."""
    book = Book()
    names = [p.name for p in interface.properties] + ["", "Nonsense", "busy", "x" * 200, "../Busy", "a\nb"]
    for name in names:
        for other in (NAME, "", "org.freedesktop.DBus.Peer", "x" * 200, "a b"):
            for method, body in (("Get", GLib.Variant("(ss)", (other, name))), ("GetAll", GLib.Variant("(s)", (other,))),
                                 *(("Set", GLib.Variant("(ssv)", (other, name, v)))
                                   for v in (GLib.Variant("b", True), GLib.Variant("s", "x"), GLib.Variant("u", 7), generator.deep(50)))):
                answer = caller.call(method, body, interface=PROPERTIES)
                book.note(f"{method} {other} {name}", answer)
                if method == "Set" and answer.error is None:
                    book.bad.append(f"{method} {other}.{name} was carried out")
    for path in ("/", PATH, PATH + "/x", "/io", "/io/github/ruckelfrei", "/" + "a/" * 200 + "a", "/org/freedesktop/DBus"):
        for face in (None, NAME, NAME + "2", "org.freedesktop.DBus", "org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Peer",
                     "org.freedesktop.DBus.ObjectManager", "org.freedesktop.systemd1.Manager", "a.b"):
            for member in ("Introspect", "Ping", "GetMachineId", "GetManagedObjects", "ListRecords2", "listrecords", "Reboot", "x" * 200,
                           "_", "StartUnit"):
                answer = caller.call(member, path=path, interface=face)
                book.note(f"{face}.{member} of {path}", answer)
    return book.check()


def no_message(address):
    """Bytes that no library would send: the bus itself ends the connection, and the helper never sees them."""
    base = message("Revert", GLib.Variant("(sb)", ("AAAAAAAA", True)))
    spoils = {"NUL in a string": (b"AAAAAAAA", b"AAA\0AAAA"), "not UTF-8": (b"AAAAAAAA", b"\xff\xfe\xc0\x80AAAA"),
              "half a surrogate": (b"AAAAAAAA", b"\xed\xa0\x80AAAAA"), "a boolean of 2": (b"\x01\0\0\0", None), "no end of the string":
              (b"AAAAAAAA\0", b"AAAAAAAAA"), "a length of 4 GiB": (b"\x08\0\0\0AAAA", b"\xff\xff\xff\xffAAAA")}
    for what, (old, new) in spoils.items():
        raw = Raw(address)
        blob = raw.blob(base)
        at = blob.rindex(old)
        raw.socket.sendall(blob[:at] + (new if new is not None else b"\x02\0\0\0") + blob[at + len(old):])
        assert raw.cut_off(), f"{what}: the bus let it pass"
        raw.close()
    return f"{len(spoils)} kinds of bytes"


# said by the bus itself when a slow helper has not yet read what others have sent
QUEUE_FULL = "org.freedesktop.DBus.Error.LimitsExceeded"


def files_attached(address, caller):
    """No method takes a file: a call that brings some is refused at once, so that they do not pile up."""
    raws = [Raw(address, files=True) for _ in range(8)]
    with tempfile.TemporaryFile() as f:
        for raw in raws:
            for _ in range(64):
                raw.send_files(message("ListRecords"), [f.fileno()] * 16)
        # an honest library, so that the answer can be read
        answer = None
        start = time.monotonic()
        while answer is None or (answer.error == QUEUE_FULL and time.monotonic() < start + 120):
            m = message("ListRecords")
            m.set_unix_fd_list(Gio.UnixFDList.new_from_array([os.dup(f.fileno())]))
            answer = caller.send(m)
    for raw in raws:
        raw.close()
    assert answer.code() == "Limit", f"a call with a file attached: {answer.error} {answer.text}"
    return f"{8 * 64 * 16} files sent"


def heard(caller, seconds=120):
    """Somebody honest, who tries again when there is too much to do."""
    start = time.monotonic()
    tries = 1
    while (answer := caller.call("ListRecords")).code() in ("Limit", QUEUE_FULL) and time.monotonic() < start + seconds:
        tries += 1
        time.sleep(0.05)
    assert answer.error is None, f"nobody else is heard: {answer.error} {answer.text}"
    return f"another caller heard after {time.monotonic() - start:.1f} s and {tries} tries"


def crowd(address, caller, connections, each, during=lambda: ""):
    """Many connections with many calls each, and nobody reads an answer. @caller is heard all the same; @during: what to
    look at while they are all there"""
    raws = []
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, connections + 200)), hard))
    stopped = ""
    try:
        for _ in range(connections):
            raws.append(Raw(address))
    except (ConnectionError, OSError) as e:
        stopped = f", then the bus said no ({type(e).__name__})"
    calls = [lambda: message("ListRecords"), lambda: message("Check"), lambda: message("GetAll", GLib.Variant("(s)", (NAME,)),
             interface=PROPERTIES), lambda: message("Apply", GLib.Variant.new_tuple(generator.GOOD["plan"], GLib.Variant("a{sv}", {})),
             flags=INTERACTIVE), lambda: message("RevertAll", GLib.Variant("(b)", (True,)))]
    sent = 0
    for n in range(each):
        for i, raw in enumerate(raws):
            try:
                raw.send(calls[(n + i) % len(calls)]())
                sent += 1
            except OSError:
                pass
    note = heard(caller) + during()
    for raw in raws:
        raw.close()
    return f"{len(raws)} connections{stopped}, {sent} calls that nobody waits for; {note}"


def flood(address, calls, connections=20, stop=lambda: False):
    """Calls without end from few connections; nobody reads an answer, so the bus takes those of the helper last."""
    raws = [Raw(address) for _ in range(connections)]
    # GIO also answers those who say that they do not wait, and of these the bus does not keep count
    silent = Gio.DBusMessageFlags.NO_REPLY_EXPECTED
    kinds = [lambda: message("Nonsense", flags=silent), lambda: message("ListRecords"), lambda: message("Nonsense", flags=silent),
             lambda: message("Check"), lambda: message("GetAll", GLib.Variant("(s)", (NAME,)), interface=PROPERTIES, flags=silent)]
    sent = 0
    try:
        while sent < calls and not stop():
            for raw in raws:
                for n in range(25):
                    raw.send(kinds[n % len(kinds)]())
                sent += 25
    except OSError:
        pass  # the bus has had enough of us
    for raw in raws:
        raw.close()
    return sent


def answered(address, calls):
    """How many of so many calls sent at once are answered, be it with a refusal."""
    caller = Caller(address)
    answers = []

    def done(bus, result):
        try:
            answers.append(bus.send_message_with_reply_finish(result))
        except GLib.Error:
            answers.append(None)

    for _ in range(calls):
        caller.bus.send_message_with_reply(message("ListRecords"), Gio.DBusSendMessageFlags.NONE, 60000, None, done)
    while len(answers) < calls:
        GLib.MainContext.default().iteration(True)
    caller.close()
    return sum(a is not None for a in answers)


def huge(address, caller, megabytes):
    """One message as long as the bus lets through, of values that are as small as can be: what takes most to unpack."""
    raw = Raw(address)
    count = megabytes * 1024 * 1024 // 8
    one = GLib.Variant.new_variant(GLib.Variant("y", 1))
    many = GLib.Variant.new_array(GLib.VariantType("v"), [one] * count)
    raw.send(message("Keep", GLib.Variant.new_tuple(many)))
    answer = caller.call("ListRecords")
    raw.close()
    return f"{count} values in {megabytes} MiB; another caller afterwards: {answer.code() or 'heard'}"


def squat(address):
    """Taking the helper's name, or one beside it."""
    caller = Caller(address)
    answer = caller.send(message("RequestName", GLib.Variant("(su)", (NAME, 7)), path="/org/freedesktop/DBus",
                                 interface="org.freedesktop.DBus", destination="org.freedesktop.DBus"))
    caller.close()
    assert answer.error == "org.freedesktop.DBus.Error.AccessDenied", f"the name could be taken: {answer.error}"
    return answer.error


def signals(address, caller):
    """Signals that pretend to come from the bus or from polkit, sent to everybody and to the helper alone."""
    fakes = [("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
              GLib.Variant("(sss)", (caller.bus.get_unique_name(), caller.bus.get_unique_name(), ""))),
             ("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameLost", GLib.Variant("(s)", (NAME,))),
             ("/org/freedesktop/DBus/Local", "org.freedesktop.DBus.Local", "Disconnected", None),
             ("/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority", "Changed", None),
             (PATH, NAME, "TrialEnded", GLib.Variant("(ss)", (generator.UNKNOWN_ID, "user"))),
             (PATH, NAME, "RecordsChanged", GLib.Variant("(s)", ("x" * 100000,)))]
    for path, face, member, body in fakes:
        for destination in (None, NAME):
            raw = Raw(address)
            m = Gio.DBusMessage.new_signal(path, face, member)
            m.set_destination(destination)
            if body is not None:
                m.set_body(body)
            try:
                raw.send(m)
            except GLib.Error:
                pass  # a name that no library lets pass
            raw.close()
    return f"{2 * len(fakes)} signals"


def forged_answers(address):
    """Answers in the helper's place. GIO believes whoever knows the serial; it is the system bus that lets nobody answer what
    he was not asked. (A session bus does.)"""
    victim, stranger = Raw(address), Caller(address)
    hello = b""
    while not (name := re.search(rb":1\.\d+", hello)):
        hello += victim.socket.recv(4096)
    for serial in range(1, 100):
        m = Gio.DBusMessage()
        m.set_message_type(Gio.DBusMessageType.METHOD_RETURN)
        m.set_reply_serial(serial)
        m.set_destination(name[0].decode())
        m.set_body(GLib.Variant("(s)", ("FORGED",)))
        stranger.bus.send_message(m, Gio.DBusSendMessageFlags.NONE)
    stranger.call("GetId", path="/org/freedesktop/DBus", interface="org.freedesktop.DBus", destination="org.freedesktop.DBus")
    victim.send(message("GetId", path="/org/freedesktop/DBus", interface="org.freedesktop.DBus", destination="org.freedesktop.DBus"))
    seen = b""
    while not re.search(rb"[0-9a-f]{32}", seen):
        seen += victim.socket.recv(4096)
    victim.close()
    stranger.close()
    assert b"FORGED" not in seen, "a forged answer has come through"
    return "99 answers that nobody had asked for, none delivered"


def main():
    address, xml, targets = sys.argv[1], generator.interface(sys.argv[2]), json.loads(sys.argv[3])
    caller = Caller(address)
    attacks = {
        "every argument of every method": lambda: every_argument(caller, xml, targets),
        "wrong signatures": lambda: wrong_signatures(caller, xml),
        "beside the interface": lambda: beside_the_interface(caller, xml),
        "bytes that are no message": lambda: no_message(address),
        "files attached": lambda: files_attached(address, caller),
        "taking the name": lambda: squat(address),
        "forged answers": lambda: forged_answers(address),
        "signals of others": lambda: signals(address, caller),
        "a crowd that reads nothing": lambda: crowd(address, caller, 250, 10),
        "a flood that reads nothing": lambda: f"{flood(address, 400000 if WEEKLY else 20000)} calls; {heard(caller)}",
    }
    for name, attack in attacks.items():
        if not re.search(sys.argv[4] if len(sys.argv) > 4 else ".", name):
            continue
        try:
            result = {"name": name, "ok": True, "note": attack()}
        except (AssertionError, GLib.Error, OSError) as e:
            result = {"name": name, "ok": False, "note": f"{type(e).__name__}: {e}"}
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
