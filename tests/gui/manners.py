"""What a person expects of every program: help, a way to report a problem, and only one window."""
import shutil
import socket
import subprocess
import time

import machine
from window import LOCALES, Window


def menu(w, item):
    w.click(w.words("Main menu"))
    label = w.words.raw(item)
    letter = label[label.index("_") + 1].lower()
    # GTK 4.18 tells no names of what is in a menu; then by its letter
    w.wait(f"“{label}” in the menu", lambda: w.person.click(w.words(item)) or (w.person.in_nameless_menu() and w.person.keys(letter)))


def ended(w, leave):
    """Looks whether GTK complained, and leaves."""
    try:
        complaints = w.complaints()
        assert not complaints, f"the window complained: {complaints}"
    finally:
        leave()


def the_menu_leads_to_help(person, words):
    w = Window(person, words)
    try:
        w.go("Monitor")
        menu(w, "_Help")
        # the topic of the page that is shown; the way back is gone as soon as it has been taken, so the click may find nothing
        w.wait("a topic", lambda: person.can_click(words("All topics")))
        w.wait_sees(words("The newest moment is at the end of each line. The number beside the title is the value now, and the "
                          "small print says in one sentence what the graph shows."))
        person.click(words("All topics"))
        w.wait("the list of topics", lambda: not person.can_click(words("All topics")))
        w.wait_sees(words("What can go wrong"))
        w.wait_sees(words("The graphs of the monitor"))
    finally:
        ended(w, w.end)


def about_is_in_the_menu(person, words):
    w = Window(person, words)
    try:
        menu(w, "_About Ruckelfrei")
        w.wait_sees(words("Website"))
        w.wait_sees(words("© 2026 The Ruckelfrei developers"))
    finally:
        ended(w, w.end)


def a_problem_can_be_reported(person, words):
    w = Window(person, words)
    try:
        menu(w, "_Report a problem")
        w.wait("the whole text", lambda: "Last messages" in (person.text_of(words("Text of the report")) or ""))
        text = person.text_of(words("Text of the report"))
        assert "Versions\n  ruckelfrei: " in text and "  helper: " in text and "vm.swappiness: " in text, text
        private = [machine.PERSON.pw_name, socket.gethostname() if len(socket.gethostname()) > 3 else None]
        for word in filter(None, private):
            assert word not in text, f"“{word}” is in the report:\n{text}"
        w.click(words("_Copy"))
        w.wait_sees(words("Copied. Paste it into your report."))
    finally:
        ended(w, w.end)


def the_program_runs_once(person, words):
    w = Window(person, words)
    try:
        locale = LOCALES[words.language]
        for arguments, seen in (([], "Overview"), (["--page", "monitor"], "Free memory")):
            second = machine.Program(["/usr/bin/ruckelfrei", *arguments], f"second-{time.monotonic_ns()}.txt", w.login,
                                     LC_ALL=locale, LANG=locale, LANGUAGE="")
            assert second.process.wait(20) == 0, second.said()
            w.wait_sees(words(seen))
            assert person.count_windows() == 1, "the second start opened a window of its own"
        # a picture is of a window of its own
        picture = machine.Program(["/usr/bin/ruckelfrei", "--screenshot", "/tmp/once.png", "--seconds", "1"],
                                  f"picture-{time.monotonic_ns()}.txt", w.login, LC_ALL=locale, LANG=locale, LANGUAGE="")
        assert picture.process.wait(60) == 0, picture.said()
        assert person.count_windows() == 1
    finally:
        ended(w, w.end)


def size_and_page_are_remembered(person, words):
    """Only a window that is closed by its person remembers; this one has a memory of its own."""
    memory = {"GSETTINGS_BACKEND": "keyfile"}
    kept = (843, 712)
    for start in ("first", "second"):
        w = Window(person, words, **memory)
        try:
            if start == "second":
                w.wait("the page of last time", lambda: words.raw("Free memory") in dict(person.graphs()))
                w.wait("the size of last time", lambda: tuple(person.size()) == kept)
            else:
                w.go("Monitor")
                w.wait("another size", lambda: person.resize(*kept))
            person.keys("ctrl+q")
            assert w.program.process.wait(20) == 0, w.program.said()
        finally:
            ended(w, w.end)
    shutil.rmtree(machine.LOGS / "home" / ".config" / "glib-2.0")


def the_shortcuts_are_shown(person, words):
    w = Window(person, words)
    try:
        menu(w, "_Keyboard shortcuts")
        w.wait("a window of its own", lambda: person.count_windows() == 2)
        w.wait("a shortcut of the Monitor page", lambda: person.tells(words("Show a shorter time")))
        w.picture("shortcuts")
        person.keys("Escape")
        w.wait("one window", lambda: person.count_windows() == 1)
    finally:
        ended(w, w.end)


SESSIONS = [size_and_page_are_remembered, the_shortcuts_are_shown, the_menu_leads_to_help, about_is_in_the_menu, a_problem_can_be_reported, the_program_runs_once]
