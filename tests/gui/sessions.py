#!/usr/bin/python3
"""Whole sessions, once in English and once in German. TAP on stdout; RF_ONLY (a pattern) picks some for debugging."""
import os
import re
import subprocess
import sys
import traceback
from contextlib import contextmanager

import checks
import hostile
import machine
import manners
import monitor
import provenance
import states
from window import Person, Window
from words import Words

SESSIONS = []
# as app/client/rf-message.c has them
NOT_AUTHORIZED = "You may not change settings of this system. Please ask somebody who knows an administrator password."
NO_AGENT = ("The password could not be asked for, because no authentication agent is running in this session. Please use the "
            "terminal: sudo ruckelfreictl.")
# the steps as app/advice/rf-tunable-text.c names them
STEPS = [("Memory pressure", "Give the kernel a head start", "memory"),
         ("NVMe", "Let the drive do its work", "nvme"),
         ("Swap", "Keep swapping away from your data", "swap"),
         ("Swap tuning", "Match swapping to the swap you have", "swap-tuning")]
PASSWORD, WRONG = "geheim", "falsch"


def session(f):
    SESSIONS.append(f)
    return f


@contextmanager
def window(person, words, **kwargs):
    """A window; at its end nothing may be left of what was done, and GTK may not have complained."""
    w = Window(person, words, **kwargs)
    w.before = machine.settings()
    try:
        yield w
        complaints = w.complaints()
        assert not complaints, f"the window complained: {complaints}"
    finally:
        w.end()


def changed(w):
    return machine.difference(w.before, machine.settings())


def assert_as_before(w, when):
    assert not changed(w), f"{when} these settings differ: {changed(w)}"
    assert not machine.our_files(), f"{when} these files are there: {machine.our_files()}"


def wait_as_before(w, seconds=30):
    w.wait("every setting as before", lambda: not changed(w), seconds)
    assert_as_before(w, "afterwards")


def open_wizard(w):
    t = w.words
    w.go("Overview")
    w.click(t.any("Fix it step by step", "Look at the settings anyway"))
    w.wait_sees(t("What will happen"))


def walk_to_review(w, pictures=False):
    """Through the wizard to the page before “Apply”, with what is proposed for this machine."""
    t = w.words
    open_wizard(w)
    if pictures:
        w.pictures("wizard-welcome")
    for group, headline, picture in STEPS:
        w.click(t.filled("_Next: %s", group))
        w.wait_sees(t(headline))
        if pictures:
            w.pictures(f"wizard-{picture}")
    w.click(t("_Next: Review"))
    w.wait_sees(t("What will be changed"))
    if pictures:
        w.pictures("wizard-review")
    assert_as_before(w, "before “Apply”")


def apply(w, **kwargs):
    walk_to_review(w, **kwargs)
    w.click(w.words("_Apply"))


def wait_trial(w):
    w.wait_sees(w.words("Keep these settings"))
    assert changed(w), "the trial runs, but no setting has changed"


def keep(w, **kwargs):
    apply(w, **kwargs)
    wait_trial(w)
    if kwargs.get("pictures"):
        w.pictures("wizard-trial")
    assert not [f for f in machine.our_files() if f.startswith("/etc")], "a trial writes nothing below /etc"
    w.click(w.words("Keep these settings"))
    w.wait_sees(w.words("The settings are kept"))
    assert machine.our_files() and changed(w), "kept, but nothing is there"


def refused(w, message):
    """Back before “Apply” with a sentence that says why; nothing has happened."""
    w.wait_sees(message)
    w.wait("“Apply” to be offered again", lambda: w.person.can_click(w.words("_Apply")))
    assert_as_before(w, "after a refusal")


@session
def the_overview_says_how_things_are(person, words):
    with window(person, words) as w:
        w.go("Overview")
        w.wait_sees(words("This machine"))
        w.pictures("overview")


@session
def the_monitor_shows_moving_values(person, words):
    with window(person, words) as w:
        w.go("Monitor")
        w.wait("eight graphs", lambda: len(person.graphs()) >= 8)
        first = dict(person.graphs())
        assert words.raw("Free memory") in first, f"graphs: {sorted(first)}"
        w.wait("three graphs that tell something new", lambda: sum(first.get(k) != v for k, v in person.graphs()) >= 3, 30)
        w.pictures("monitor")


@session
def keep_and_take_everything_back(person, words):
    with window(person, words) as w:
        agent = w.answer(PASSWORD)
        keep(w, pictures=True)
        w.pictures("wizard-kept")
        said = agent.said()
        asked = re.search(r"^asked io\.github\.ruckelfrei\.(\w+): (.*)$", said, re.M)
        assert asked, f"the password dialog said: {said}"
        assert re.match(words.policy(asked[1]), asked[2]) and "vm." in asked[2], f"the password dialog said: {asked[2]}"
        w.click(words("_Done"))
        w.go("Changes")
        w.wait_sees(words("Take everything back"))
        w.pictures("changes")
        w.click(words("Take everything back"))
        confirm_take_back(w)
        wait_as_before(w)
        assert said == agent.said(), "taking back needs no password for whoever sits at the machine"
        w.pictures("changes-none")


def confirm_take_back(w):
    """The page may ask once more; then the same words stand on a button of the question."""


@session
def a_wrong_password_changes_nothing(person, words):
    with window(person, words) as w:
        agent = w.answer(WRONG)
        apply(w)
        w.wait("a refusal", lambda: "refused" in agent.said())
        refused(w, words(NOT_AUTHORIZED))


@session
def a_closed_dialog_changes_nothing(person, words):
    with window(person, words) as w:
        agent = w.answer(None)
        apply(w)
        w.wait("the dialog to be closed", lambda: "closed" in agent.said())
        refused(w, words("What will be changed"))


@session
def nobody_can_be_asked(person, words):
    with window(person, words) as w:
        apply(w)
        refused(w, words(NO_AGENT))


@session
def taken_back_by_the_person_in_the_trial(person, words):
    with window(person, words) as w:
        w.answer(PASSWORD)
        apply(w)
        wait_trial(w)
        w.click(words("Take everything back"))
        wait_as_before(w)
        w.wait_sees(words("Everything is as it was before"))


def look_away(w):
    """The window is minimised, and shortly before the end of the trial the desktop says so. Returns: what asks for another
    notification by its title, and what brings the window back."""
    def told(title):
        return next((n for n in w.person.notifications() if n[0] == title), None)

    windows = w.person.look_away()
    assert windows, "there is no window on the screen"
    w.wait("a notification", lambda: told(w.words.raw("The trial is about to end")), 130)
    _, body, buttons = told(w.words.raw("The trial is about to end"))
    assert re.search(w.words.plural("%1$u setting goes back to what it was before in %2$s, unless you keep it.",
                                    "%1$u settings go back to what they were before in %2$s, unless you keep them."), body), body
    wanted = [w.words.raw(b, "notification") for b in ("Keep", "Take back", "Show")]
    assert [b for b in buttons if b in wanted] == wanted, f"the notification has the buttons {buttons}"
    return told, lambda: w.person.look_back(windows)


@session
def the_countdown_runs_out(person, words):
    with window(person, words) as w:
        w.answer(PASSWORD)
        apply(w)
        wait_trial(w)
        told, look_back = look_away(w)
        wait_as_before(w, 120)
        w.wait("to be told that they went back", lambda: told(words.raw("The settings went back")))
        look_back()
        w.wait_sees(words("Everything is as it was before"))
        w.pictures("wizard-taken-back")


@session
def the_window_ends_in_the_trial(person, words):
    with window(person, words) as w:
        w.answer(PASSWORD)
        apply(w)
        wait_trial(w)
        w.program.process.kill()
        w.program.process.wait()
        wait_as_before(w)


@session
def the_helper_ends_in_mid_apply(person, words):
    with window(person, words) as w:
        w.answer(PASSWORD)
        machine.JOURNAL.mkdir(mode=0o700, parents=True, exist_ok=True)
        walk_to_review(w)
        death = machine.KillInMidApply()
        w.click(words("_Apply"))
        half = death.run()
        assert half, "the helper ended before it had written anything"
        # the next one who asks starts a new helper, and that one puts everything back first
        w.wait("“Apply” to be offered again", lambda: person.can_click(words("_Apply")))
        machine.helper_records()
        wait_as_before(w)


def revert_from_a_rescue_shell(w):
    rescue = subprocess.run(["/usr/bin/ruckelfreictl", "revert", "--all"], capture_output=True, text=True,
                            env={"PATH": "/usr/sbin:/usr/bin", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"})
    assert rescue.returncode == 0, f"{rescue.returncode}: {rescue.stdout}{rescue.stderr}"
    assert_as_before(w, "after “revert --all” without a bus")


def kept_from_the_notification(person, words):
    with window(person, words) as w:
        w.answer(PASSWORD)
        apply(w)
        wait_trial(w)
        _, look_back = look_away(w)
        assert person.press(words.raw("Keep", "notification"))
        w.wait("settings that are kept", machine.our_files)
        w.wait("no notification any more", lambda: not person.notifications())
        look_back()
        w.wait_sees(words("The settings are kept"))
    revert_from_a_rescue_shell(w)


@session
def kept_settings_go_back_from_a_rescue_shell(person, words):
    with window(person, words) as w:
        w.answer(PASSWORD)
        keep(w)
    revert_from_a_rescue_shell(w)


@session
def files_that_overrule_are_named_before_and_after(person, words):
    with provenance.foreign_files(), window(person, words) as w:
        w.answer(PASSWORD)
        open_wizard(w)
        w.click(words.filled("_Next: %s", STEPS[0][0]))
        provenance.is_named(w)
        provenance.ask(w, kept=False)
        w.pictures("wizard-who-set")
        for group, headline, _ in STEPS[1:]:
            w.click(words.filled("_Next: %s", group))
            w.wait_sees(words(headline))
        w.click(words("_Next: Review"))
        w.wait_sees(words("What will be changed"))
        provenance.is_named(w)
        assert_as_before(w, "before “Apply”")
        w.click(words("_Apply"))
        wait_trial(w)
        w.click(words("Keep these settings"))
        w.wait_sees(words("The settings are kept"))
        w.click(words("_Done"))
        w.go("Changes")
        provenance.is_named(w)
        provenance.ask(w, kept=True)
        w.pictures("changes-who-set")
        assert provenance.FOREIGN.exists() and provenance.SECRET.exists(), "files of others were touched"
    revert_from_a_rescue_shell(w)


def in_window(steps, name):
    """A session of another file, which wants no more than a window."""
    def run(person, words):
        with window(person, words) as w:
            steps(w)

    run.__name__ = name
    return run


def with_steps(state):
    """A session of another file, which opens its window itself and takes the steps of this one."""
    def run(person, words):
        state(lambda: window(person, words), sys.modules[__name__])

    run.__name__ = f"state_{state.__name__}"
    return run


SESSIONS += [in_window(f, f"the_monitor_{f.__name__}") for f in monitor.SESSIONS]
SESSIONS += [in_window(f, f.__name__) for f in checks.SESSIONS]
SESSIONS += manners.SESSIONS
SESSIONS += [with_steps(f) for f in states.SESSIONS]

# once is enough: no words are read in these, or the same ones as in others
ONCE = [kept_from_the_notification, hostile.callers_without_any_right,
        hostile.callers_who_vanish_in_the_dialog]


def clean_up():
    """After a failure, so that the next session starts from the system's own settings."""
    machine.end_helper()
    subprocess.run(["/usr/libexec/ruckelfrei-helper", "--revert-all", "--force"], capture_output=True)


def main():
    person = Person()
    number = failed = 0
    only = re.compile(os.environ.get("RF_ONLY") or ".")
    for language in ("en", "de"):
        words = Words(language)
        for run in SESSIONS + (ONCE if language == "en" else []):
            name = f"{language}: {run.__name__.replace('_', ' ')}"
            if not only.search(name):
                continue
            number += 1
            try:
                run(person, words)
                print(f"ok {number} - {name}", flush=True)
            except Exception:
                failed += 1
                print(f"not ok {number} - {name}", flush=True)
                print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()), end="", flush=True)
                clean_up()
    print(f"1..{number}")
    person.end()
    sys.exit(failed > 0)


main()
