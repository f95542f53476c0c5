"""Hostile callers on the real bus, with the real polkit, as users without any right. What they do stands in tests/hostile."""
import json
import os
import pathlib
import pwd
import re
import subprocess
import sys
import threading
import time

import machine

HERE = pathlib.Path(__file__).resolve().parent
ATTACK, ASKER = HERE.parent / "hostile" / "attack.py", HERE.parent / "hostile" / "asker.py"
XML = HERE.parents[1] / "helper" / "core" / "io.github.ruckelfrei.Helper1.xml"
ADDRESS = "unix:path=/run/dbus/system_bus_socket"
# far above what the helper needs, far below what its unit allows
MAX_RSS, MAX_THREADS, MAX_FDS = 48 * 1024, 64, 64


class Watch:
    """Looks at the helper again and again."""

    def __init__(self, pid):
        self.pid, self.peak = pid, {"VmRSS": 0, "Threads": 0, "files open": 0}
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _look(self):
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        now = {k: int(re.search(rf"^{k}:\s+(\d+)", status, re.M)[1]) for k in ("VmRSS", "Threads")}
        now["files open"] = len(os.listdir(f"/proc/{self.pid}/fd"))
        self.peak = {k: max(v, now[k]) for k, v in self.peak.items()}

    def _run(self):
        while not self.over.wait(0.1):
            try:
                self._look()
            except (OSError, TypeError):
                return

    def end(self):
        self.over.set()
        self.thread.join()
        return ", ".join(f"{k} at most {v}" for k, v in self.peak.items())


def targets():
    rows = json.loads(subprocess.run(["/usr/bin/ruckelfreictl", "list", "--json"], capture_output=True, text=True, check=True).stdout)
    return json.dumps(sorted({(r["id"], r.get("instance") or "") for r in rows}))


def start(user, pattern, login=None):
    """attack.py as @user; returns the process."""
    who = pwd.getpwnam(user)

    def become():
        if login:
            login.enter()
        os.setsid()
        os.setgroups([])
        os.setresgid(who.pw_gid, who.pw_gid, who.pw_gid)
        os.setresuid(who.pw_uid, who.pw_uid, who.pw_uid)

    return subprocess.Popen([sys.executable, ATTACK, ADDRESS, XML, targets(), pattern], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, preexec_fn=become, cwd="/")


def finish(process, who):
    output, _ = process.communicate(timeout=900)
    failed = []
    for line in output.splitlines():
        try:
            r = json.loads(line)
            print(f"# {who}: {r['name']}: {r['note']}", flush=True)
            failed += [] if r["ok"] else [f"{r['name']}: {r['note']}"]
        except json.JSONDecodeError:
            failed.append(line)
    assert not failed and process.returncode == 0, f"{who}: {process.returncode} {failed}"


def callers_without_any_right(person, words):
    before = machine.settings()
    records = machine.helper_records()
    pid = machine.helper_pid()
    watch = Watch(pid)
    # nobody sits at the machine; then somebody who may take back, but not change; then many users at once
    finish(start(machine.PERSON.pw_name, "."), "without a session")
    login = machine.Login(True)
    active = start(machine.PERSON.pw_name, "argument|signatures", login)
    finish(active, "at the machine")
    login.end()
    crowd = {user: start(user, "crowd") for user in ("nobody", "games", "mail", "news")}
    for user, process in crowd.items():
        finish(process, user)
    machine.helper_records()
    print(f"# the helper: {watch.end()}", flush=True)
    assert machine.helper_pid() == pid, "the helper is another one than before"
    assert watch.peak["VmRSS"] < MAX_RSS and watch.peak["Threads"] <= MAX_THREADS and watch.peak["files open"] <= MAX_FDS, watch.peak
    assert machine.helper_records() == records, "the records of changes are others than before"
    changed = machine.difference(before, machine.settings())
    assert not changed and not machine.our_files(), f"changed without authorisation: {changed} {machine.our_files()}"
    # while nobody has the name, it is still not to be had
    machine.end_helper()
    finish(start(machine.PERSON.pw_name, "taking the name"), "with no helper there")


def callers_who_vanish_in_the_dialog(person, words):
    """At the dialog, while the password is being checked, and with the trial begun."""
    before = machine.settings()
    now = int(pathlib.Path("/proc/sys/vm/swappiness").read_text())
    wanted = "90" if now != 90 else "80"
    rows = []
    for moment in ("asked", "accepted", "answer: on trial"):
        asker = machine.Program([sys.executable, str(ASKER), ADDRESS, wanted], f"asker-{time.monotonic_ns()}.txt")
        agent = machine.Agent(asker, "geheim", "C.UTF-8")
        said = asker.said if moment.startswith("answer") else agent.said
        machine.wait(f"“{moment}”", lambda: moment in said(), 60)
        asker.process.kill()
        asker.process.wait()
        machine.wait("every setting as before", lambda: not machine.difference(before, machine.settings()), 60)
        agent.end()
        rows.append(moment)
        time.sleep(0.5)  # what is not to happen would happen now
        changed = machine.difference(before, machine.settings())
        assert not changed and not machine.our_files(), f"gone when “{moment}”: {changed} {machine.our_files()}"
    print(f"# gone when: {', '.join(rows)}", flush=True)
