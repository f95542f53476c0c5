"""One run of the window by one person in one login session."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import machine

PICTURES = pathlib.Path(os.environ["RF_PICTURES"])
LOCALES = {"en": "C.UTF-8", "de": "de_DE.UTF-8"}


class Person:
    """The other end of person.py. Every verb of it is a method here; wait_… repeats until it is true."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-W", "ignore", str(pathlib.Path(__file__).with_name("person.py"))],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
                                        preexec_fn=machine._become_person, cwd="/")

    def __getattr__(self, verb):
        def call(*args):
            self.process.stdin.write(json.dumps([verb, args]) + "\n")
            answer = json.loads(self.process.stdout.readline())
            if "error" in answer:
                raise AssertionError(f"{verb}{args}: {answer['error']}")
            return answer["value"]

        return call

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


class Window:
    def __init__(self, person, words, active=True, args=(), **env):
        self.person, self.words = person, words
        self.login = machine.Login(True) if active else None
        locale = LOCALES[words.language]
        self.agent = None
        self.program = machine.Program(["/usr/bin/ruckelfrei", *args], f"window-{time.monotonic_ns()}.txt", self.login,
                                       LC_ALL=locale, LANG=locale, LANGUAGE="", **env)
        self.wait_sees(words("Overview"))

    def answer(self, password):
        """From now on somebody sits at the password dialog."""
        self.agent = machine.Agent(self.program, password, LOCALES[self.words.language])
        return self.agent

    def wait(self, what, condition, seconds=20.0):
        try:
            return machine.wait(what, condition, seconds)
        except AssertionError as e:
            seen = "\n".join(f"    {role} “{name}” {description}" for role, name, description in self.person.tree()
                             if name or description)
            raise AssertionError(f"{e}\n  the window shows:\n{seen}\n  it said: {self.program.said()[-2000:]}") from None

    def wait_sees(self, pattern, seconds=20.0):
        self.wait(f"“{pattern}”", lambda: self.person.sees(pattern), seconds)

    def click(self, pattern, seconds=20.0):
        self.wait(f"a button “{pattern}” to click", lambda: self.person.click(pattern), seconds)

    def go(self, page):
        """By the list of pages at the side."""
        self.wait(f"the page “{page}” in the list", lambda: self.person.select_row(self.words(page)))

    def pictures(self, name):
        """Wide and narrow, light and dark: the window follows the desktop while it runs. Only X lets us look at it."""
        if "DISPLAY" not in os.environ:
            return
        PICTURES.mkdir(parents=True, exist_ok=True)
        nameless = [role for role, name, _ in self.person.tree() if role in ("push button", "button") and name in ("GtkButton", "")]
        assert not nameless, f"{len(nameless)} buttons have no name for whoever hears the window"
        for width, height in ((1100, 760), (360, 820)):
            self.wait("the new size", lambda: self.person.resize(width, height))
            for dark in (False, True):
                self.person.set_dark(dark)
                time.sleep(0.25)  # that everything has been drawn again is nothing one could wait for
                kind = f"{self.words.language}-{name}-{'dark' if dark else 'light'}-{width}.png"
                self.wait("a picture", lambda: self.person.picture(f"/tmp/{kind}"))
                shutil.move(f"/tmp/{kind}", PICTURES / kind)
        self.person.set_dark(False)
        self.wait("the usual size", lambda: self.person.resize(1100, 760))

    def picture(self, name):
        """Of what is seen now, in the size and the colours that it has: a window of its own does not follow pictures()."""
        kind = f"{self.words.language}-{name}.png"
        self.wait("a picture", lambda: self.person.picture(f"/tmp/{kind}"))
        shutil.move(f"/tmp/{kind}", PICTURES / kind)

    def complaints(self):
        return [line for line in self.program.said().splitlines() if "WARNING" in line or "CRITICAL" in line]

    def end(self):
        if self.agent:
            self.agent.end()
        self.program.end()
        if self.login:
            self.login.end()
