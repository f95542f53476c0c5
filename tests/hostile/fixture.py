#!/usr/bin/python3
"""fixture.py HELPER HOLD-TREE RUCKELFREICTL INTERFACE.XML [sanitized]: hostile callers against the helper on a made-up machine, with
a polkit that says no, yes, nothing or is gone. TAP on stdout. RF_ONLY (a pattern) picks some; RF_WEEKLY=yes: more rounds."""
import os
import random
import re
import sys
import threading
import time
import traceback

from rig import Rig
import attack
import generator
from bus import INTERACTIVE, Caller, Raw, message
from gi.repository import GLib

TESTS = []
HELPER, HOLDER, CTL, XML = sys.argv[1:5]
SANITIZED = sys.argv[5:] == ["sanitized"]
# of a program that is built without sanitizers: far above what it needs, far below what hurts
MAX_RSS, MAX_THREADS, MAX_FDS = 48 * 1024, 64, 64
PLAN = [("vm.swappiness", "", 100)]


def test(f):
    TESTS.append(f)
    return f


def apply_body(rows, seconds=60):
    plan = [(i, d, GLib.Variant("x" if isinstance(v, int) else "s", v)) for i, d, v in rows]
    return GLib.Variant("(a(ssv)a{sv})", (plan, {"trial-seconds": GLib.Variant("u", seconds)}))


def apply(caller, rows=PLAN, seconds=60):
    answer = caller.call("Apply", apply_body(rows, seconds), flags=INTERACTIVE)
    assert answer.error is None, f"{answer.error}: {answer.text}"
    return answer.value.unpack()[0]["id"]


def refused(answer, *codes):
    assert answer.code() in codes, f"{answer.code() or 'done'} {answer.text}, and not {codes}"


@test
def every_argument_and_polkit_says_no(rig):
    note = attack.every_argument(rig.caller, generator.interface(XML), rig.targets())
    assert not rig.journal(), "a record without authorisation"
    return note


@test
def every_argument_and_polkit_says_yes(rig):
    """What is carried out is within the table of settings, and goes back to what was there."""
    rig.polkit.answer = "allow"
    carried_out = 0

    def done(method, answer):
        nonlocal carried_out
        if method != "Apply":
            return
        carried_out += 1
        outside = [k for k, v in rig.state().items() if rig.before.get(k) != v
                   and not k.startswith(("proc/sys/vm", "proc/sys/net", "sys/block", "sys/devices", "sys/kernel/mm", "run/udev", "proc/swaps", "sys/class"))]
        assert not outside, f"written to: {outside}"
        rig.calm_revert(answer.value.unpack()[0]["id"])

    note = attack.every_argument(rig.caller, generator.interface(XML), rig.targets(), done)
    return f"{carried_out} trials begun and taken back; {note}"


@test
def wrong_signatures(rig):
    rig.polkit.answer = "allow"
    return attack.wrong_signatures(rig.caller, generator.interface(XML))


@test
def beside_the_interface(rig):
    rig.polkit.answer = "allow"
    return attack.beside_the_interface(rig.caller, generator.interface(XML))


@test
def bytes_that_are_no_message(rig):
    return attack.no_message(rig.address)


@test
def files_attached_to_calls(rig):
    return attack.files_attached(rig.address, rig.caller)


@test
def signals_of_others(rig):
    rig.polkit.answer = "allow"
    apply(rig.caller)
    note = attack.signals(rig.address, rig.caller)
    time.sleep(0.5)
    assert rig.caller.property("TrialId") != "", "a made-up signal has ended the trial"
    return note


@test
def a_crowd_that_reads_nothing(rig):
    rig.polkit.answer = "silent"
    asked = rig.polkit.asked
    note = attack.crowd(rig.address, rig.caller, 1000, 10, lambda: "; meanwhile " + rig.told())
    return f"{note}; polkit was asked {rig.polkit.asked - asked} times"


@test
def a_flood_that_reads_nothing(rig):
    sent = attack.flood(rig.address, 400000 if attack.WEEKLY else 40000)
    note = attack.heard(rig.caller)
    # nothing is still counted as owed to those who are gone: a newcomer gets a whole share, see RF_CALLER_MAX_OWED_NAME
    rig.wait("the last answers", lambda: attack.answered(rig.address, 64) == 64, 300)
    return f"{sent} calls; {note}"


@test
def a_huge_message(rig):
    note = attack.huge(rig.address, rig.caller, 16 if attack.WEEKLY else 1)
    return f"{note}; afterwards {rig.told()}"


@test
def a_countdown_in_a_flood(rig):
    """However busy others keep the helper, a trial that nobody keeps ends in time."""
    rig.polkit.answer = "allow"
    apply(rig.caller, seconds=15)
    started = time.monotonic()
    stop = threading.Event()
    sent = []
    thread = threading.Thread(target=lambda: sent.append(attack.flood(rig.address, 1 << 40, stop=stop.is_set)))
    thread.start()
    try:
        value = rig.root / "proc/sys/vm/swappiness"
        rig.wait("the end of the trial", lambda: value.read_text() == "60\n")
    finally:
        stop.set()
        thread.join()
    return f"taken back after {time.monotonic() - started:.1f} s, with {sent[0]} calls of others meanwhile"


@test
def vanishing_before_polkit_has_answered(rig):
    rig.polkit.answer = "silent"
    for _ in range(40 if attack.WEEKLY else 10):
        asked = rig.polkit.asked
        raw = Raw(rig.address)
        raw.send(message("Apply", apply_body(PLAN), flags=INTERACTIVE))
        rig.wait("the question", lambda: rig.polkit.asked > asked)
        raw.close()
    # all slots are free again, long before a dialog would have ended by itself
    rig.polkit.answer = "allow"
    apply(rig.caller, [("vm.page-cluster", "", 0)])


@test
def vanishing_at_the_moment_of_the_answer(rig):
    """The password was right, and the caller is gone when that is known."""
    rig.polkit.answer = "allow"
    rounds = 40 if attack.WEEKLY else 10
    for _ in range(rounds):
        raw = Raw(rig.address)
        rig.polkit.before = raw.close
        asked = rig.polkit.asked
        raw.send(message("Apply", apply_body(PLAN), flags=INTERACTIVE))
        rig.wait("the question", lambda: rig.polkit.asked > asked)
        rig.polkit.before = None
        rig.calm()
        rig.check_as_before()
    return f"{rounds} times"


@test
def vanishing_at_any_instant(rig):
    rig.polkit.answer = "allow"
    rounds = 400 if attack.WEEKLY else 40
    begun = 0
    dice = random.Random(1)
    for i in range(rounds):
        known = len(rig.journal())
        raw = Raw(rig.address)
        raw.send(message("Apply", apply_body(PLAN), flags=INTERACTIVE))
        time.sleep(dice.random() * 0.06)
        raw.close()
        rig.calm()
        begun += len(rig.journal()) > known
    rig.calm()
    return f"{rounds} times, {begun} of them after the trial had begun"


def renamed(rig, change, rows):
    """Between the question and the right password @change happens to the machine."""
    rig.polkit.answer = "allow"

    def happen():
        change()
        rig.before = rig.state()

    rig.polkit.before = happen
    answer = rig.caller.call("Apply", apply_body(rows), flags=INTERACTIVE)
    rig.polkit.before = None
    refused(answer, "Unknown")
    assert not [r for r in rig.caller.call("ListRecords").value.unpack()[0]], "there is a record"
    return answer.text


@test
def a_drive_gets_another_ones_name(rig):
    def change():
        # what was nvme0n1 is gone, and a new one has its name
        (rig.root / "sys/block/nvme0n1/wwid").write_text("eui.00000000000000ff\n")

    return renamed(rig, change, [("block.scheduler", "nvme0n1", "mq-deadline")])


@test
def a_drive_vanishes(rig):
    def change():
        link = rig.root / "sys/block/nvme0n1"
        link.rename(rig.root / "sys/block/nvme7n1")

    return renamed(rig, change, [("block.scheduler", "nvme0n1", "mq-deadline")])


@test
def replay_of_ids(rig):
    """Keep, Extend and Revert of what is kept, taken back or somebody else's."""
    rig.polkit.answer = "allow"
    other = Caller(rig.address)
    first = apply(rig.caller)
    kept = GLib.Variant("(s)", (first,))
    assert rig.caller.call("Keep", kept).error is None
    state = rig.state()
    for caller in (rig.caller, other):
        refused(caller.call("Keep", kept), "State")
        refused(caller.call("Extend", GLib.Variant("(su)", (first, 60))), "State")
    second = apply(rig.caller, [("vm.page-cluster", "", 0)])
    rig.polkit.answer = "deny"
    for method, body in (("Keep", GLib.Variant("(s)", (second,))), ("Extend", GLib.Variant("(su)", (second, 1800))),
                         ("Revert", GLib.Variant("(sb)", (second, True))), ("Revert", GLib.Variant("(sb)", (first, True))),
                         ("RevertEntry", GLib.Variant("(sssb)", (first, "vm.swappiness", "", True))), ("RevertAll", GLib.Variant("(b)", (True,)))):
        refused(other.call(method, body), "NotAuthorized")
    refused(other.call("Cancel"), "State")
    assert rig.caller.property("TrialId") == second, "somebody else's trial is over"
    rig.polkit.answer = "allow"
    rig.calm_revert(second)
    assert rig.state() == state, "taking the second one back has changed more than it"
    for id in (second, generator.UNKNOWN_ID):
        for method, body in (("Keep", GLib.Variant("(s)", (id,))), ("Extend", GLib.Variant("(su)", (id, 60))),
                             ("Revert", GLib.Variant("(sb)", (id, False))), ("Revert", GLib.Variant("(sb)", (id, True))),
                             ("RevertEntry", GLib.Variant("(sssb)", (id, "vm.page-cluster", "", True)))):
            refused(rig.caller.call(method, body), "State", "Unknown")
    refused(rig.caller.call("RevertEntry", GLib.Variant("(sssb)", (first, "vm.page-cluster", "", True))), "Unknown")
    refused(rig.caller.call("RevertEntry", GLib.Variant("(sssb)", (first, "vm.swappiness", "nvme0n1", True))), "Unknown")
    rig.calm_revert(first)
    refused(rig.caller.call("Revert", GLib.Variant("(sb)", (first, True))), "State")
    other.close()


@test
def polkit_crashes_with_a_question_open(rig):
    rig.polkit.answer = "silent"
    answers = []
    callers = [Caller(rig.address) for _ in range(4)]
    threads = [threading.Thread(target=lambda c=c: answers.append(c.call("Apply", apply_body(PLAN), flags=INTERACTIVE))) for c in callers]
    for t in threads:
        t.start()
    rig.wait("four questions", lambda: rig.polkit.asked >= 4)
    rig.polkit.crash()
    for t in threads:
        t.join(60)
    assert [a.code() for a in answers] == ["AuthorityGone"] * 4, [a.code() for a in answers]
    refused(rig.caller.call("Apply", apply_body(PLAN)), "AuthorityGone")
    rig.check_as_before()
    assert not rig.journal()
    rig.polkit.answer = "allow"
    rig.polkit.start()
    apply(rig.caller)
    for c in callers:
        c.close()


def run(number, f):
    name = f.__name__.replace("_", " ")
    rig = Rig(HELPER, HOLDER, CTL)
    rig.calm_revert = lambda id: calm_revert(rig, id)
    try:
        note = f(rig)
        rig.polkit.answer, rig.polkit.before = "allow", None
        rig.calm_all()
        rig.check_as_before()
        r = rig.resources()
        print(f"# {name}: {note or 'done'}\n# {rig.told()}")
        assert r["threads"] <= MAX_THREADS and r["fds"] <= MAX_FDS, f"too many: {r}"
        assert SANITIZED or r["VmHWM"] < MAX_RSS or f is a_huge_message, f"too much memory: {r}"
        code = rig.end()
        assert code == 0, f"the helper left with {code}"
        print(f"ok {number} - {name}", flush=True)
        return True
    except Exception:
        print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()), end="")
        print(f"not ok {number} - {name}", flush=True)
        rig.helper.kill()
        rig.end()
        return False


def calm_revert(rig, id):
    answer = rig.caller.call("Revert", GLib.Variant("(sb)", (id, False)))
    assert answer.error is None, f"{answer.error}: {answer.text}"


def calm_all(rig):
    answer = rig.caller.call("RevertAll", GLib.Variant("(b)", (True,)))
    deadline = time.monotonic() + 60
    while answer.code() in ("Busy", "Limit") and time.monotonic() < deadline:
        time.sleep(0.05)
        answer = rig.caller.call("RevertAll", GLib.Variant("(b)", (True,)))
    assert answer.error is None, f"{answer.error}: {answer.text}"
    rig.calm()


Rig.calm_all = calm_all


def main():
    only = re.compile(os.environ.get("RF_ONLY") or ".")
    chosen = [f for f in TESTS if only.search(f.__name__.replace("_", " "))]
    results = [run(i + 1, f) for i, f in enumerate(chosen)]
    print(f"1..{len(chosen)}")
    sys.exit(not all(results))


main()
