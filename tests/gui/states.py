"""What is not as it should be: a sentence says so, and the button beside it helps. Each state is made real in the overlay of
the run; what belongs to the kernel is put back at the end."""
import hashlib
import pathlib
import platform
import re
import shutil
import subprocess
import time
from contextlib import contextmanager

import machine

ACTIVATION = pathlib.Path("/usr/share/dbus-1/system-services/io.github.ruckelfrei.Helper1.service")
PROGRAM = pathlib.Path("/usr/libexec/ruckelfrei-helper")
SWAPPINESS = pathlib.Path("/proc/sys/vm/swappiness")
HEAD_START = pathlib.Path("/proc/sys/vm/watermark_scale_factor")
# the kernel takes 0 and 1 only
NARROW = pathlib.Path("/proc/sys/vm/compact_unevictable_allowed")
MISSING = ("The helper that changes settings is not installed, so Ruckelfrei can only look. Please install the package "
           "“ruckelfrei” completely.")
OLDER = "An older helper is still running: it is version %1$s, this program is %2$s."
WAITING = "Waiting until the old helper has nothing to do and leaves…"
NEWER = "This program is older than the helper: it is version %2$s, the helper is %1$s."
CONTAINER = "This system runs in a container (%s), so Ruckelfrei can look here but change nothing."
RECOVERED = "A change was interrupted, and the helper has put everything back as it was before."
HALF = "An earlier change has stopped half-way, and not everything could be put back yet."
DRIFT = "Since you kept this the kernel has changed from %1$s to %2$s, and not everything is as you kept it."
NIXOS = "On %s settings can be tried here, but are kept in the configuration of the system."
REFUSED = ("The kernel refused the value, and everything is as it was before. Please choose another value or leave this "
           "setting out.")


def run(*argv):
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def reload_bus():
    run("gdbus", "call", "--system", "-d", "org.freedesktop.DBus", "-o", "/", "-m", "org.freedesktop.DBus.ReloadConfig")


@contextmanager
def file_with(path, text):
    path = pathlib.Path(path)
    path.write_text(text)
    try:
        yield
    finally:
        path.unlink()


@contextmanager
def bound(source, target, *options):
    """@source is seen in the place of @target, until the end or until what is yielded is called."""
    run("mount", "--bind", source, target)
    over = []

    def unbind():
        if not over:
            run("umount", target)
            over.append(True)

    try:
        if options:
            run("mount", "-o", "remount,bind," + ",".join(options), target)
        yield unbind
    finally:
        unbind()


@contextmanager
def helper_of(version):
    """A helper that says that it is of another version, and runs already."""
    machine.end_helper()
    program = pathlib.Path("/usr/libexec/rf-other-helper")
    own = run(PROGRAM, "--version").split()[-1]
    assert len(own) == len(version), f"the versions {own} and {version} are not of one length"
    text = PROGRAM.read_bytes()
    assert text.count(own.encode() + b"\0") > 0
    program.write_bytes(text.replace(own.encode() + b"\0", version.encode() + b"\0"))
    program.chmod(0o755)
    process = subprocess.Popen([program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    machine.wait("the other helper", lambda: machine.helper_pid() == process.pid)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)
        program.unlink()


def sees_copied(w, snippet):
    """The text to copy can be copied, and the button says that it has been."""
    w.wait_sees(snippet)
    w.click(w.words("Copy"))
    w.wait_sees(w.words("Copied"))


def the_helper_is_missing(open_window, sessions):
    machine.end_helper()
    away = ACTIVATION.with_suffix(".away")
    ACTIVATION.rename(away)
    reload_bus()
    try:
        with open_window() as w:
            t = w.words
            w.go("Overview")
            w.wait_sees(t(MISSING))
            w.click(t("_Look again"))
            w.wait_sees(t(MISSING))
            sessions.open_wizard(w)
            w.wait_sees(t(MISSING))
            away.rename(ACTIVATION)
            reload_bus()
            # some buses tell by themselves that there is a helper now
            w.wait("the helper to be found", lambda: not w.person.sees(t(MISSING)) or not w.person.click(t("_Look again")))
            w.wait("nothing to complain about", lambda: not w.person.sees(t(MISSING)))
    finally:
        if away.exists():
            away.rename(ACTIVATION)
        reload_bus()


def the_helper_is_older(open_window, sessions):
    with helper_of("0.0.9") as old, open_window() as w:
        t = w.words
        w.go("Overview")
        w.wait_sees(t(OLDER))
        w.click(t("_Restart the helper"))
        w.wait_sees(t(WAITING))
        old.wait(60)  # it has nothing to do
        w.wait("the old helper to be forgotten", lambda: not w.person.sees(t.any(OLDER, WAITING)))
        assert machine.helper_pid() not in (None, old.pid), "no new helper has been started"


def the_window_is_older(open_window, sessions):
    with helper_of("9.9.9"), open_window() as w:
        t = w.words
        w.go("Overview")
        w.wait_sees(t(NEWER))
        maps = pathlib.Path(f"/proc/{w.program.process.pid}/maps")
        before = maps.read_text().splitlines()[0]
        w.click(t("_Restart this window"))
        w.wait("another program", lambda: maps.read_text().splitlines()[0] != before)
        w.wait_sees(t("Overview"))
        w.wait_sees(t(NEWER))


def a_container_is_only_looked_at(open_window, sessions):
    machine.end_helper()
    with file_with("/run/systemd/container", "docker\n"), open_window() as w:
        w.go("Overview")
        w.wait_sees(w.words(CONTAINER))
        w.wait_sees("docker")
        sees_copied(w, "ruckelfreictl plan")
    machine.end_helper()


def nixos_gets_lines_to_paste(open_window, sessions):
    with file_with("/etc/NIXOS", ""), open_window() as w:
        w.go("Overview")
        w.wait_sees(w.words(NIXOS))
        sessions.walk_to_review(w)
        w.wait_sees(w.words(NIXOS))
        sees_copied(w, r"boot\.kernel\.sysctl")
    machine.end_helper()


def write_record(state, entry, before, ours):
    """A note about a change of swappiness, as the helper leaves it when it dies: see helper/core/rf-record.c."""
    now = int(time.time())
    name = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now)) + "-0000002a"
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    text = (f"[record]\nformat=1\nid={name}\nstate={state}\nreason=none\ncreated={now}\nchanged={now}\nboot-id={boot}\n"
            f"kernel={platform.release()}\nentries=1\n\n[entry 0]\ntunable=vm.swappiness\ninstance=\nbefore={before}\n"
            f"ours={ours}\neffective={ours}\nstate={entry}\n")
    write_checked(machine.JOURNAL / f"{name}.record", text)


def write_checked(path, text):
    for folder in (path.parent.parent, path.parent):
        folder.mkdir(0o700, exist_ok=True)
    path.touch(0o600)
    path.write_text(text + "\n[checksum]\nsha256=" + hashlib.sha256(text.encode()).hexdigest() + "\n")


def forget_records():
    """They would be told of on the pages of the next session."""
    machine.end_helper()
    shutil.rmtree(machine.JOURNAL, ignore_errors=True)


def a_change_stopped_half_way(open_window, sessions):
    before = SWAPPINESS.read_text().strip()
    ours = "90" if before != "90" else "80"
    machine.end_helper()
    SWAPPINESS.write_text(ours)
    try:
        write_record("pending", "planned", before, ours)
        with bound(SWAPPINESS, SWAPPINESS, "ro") as unbind, open_window() as w:
            t = w.words
            w.go("Overview")
            w.wait_sees(t(HALF))
            w.click(t("_Look at it"))
            w.click(t("_Put it back now"))
            # before that the helper may not even have begun
            w.wait("what came of it", lambda: any(role == "alert" and name and not re.search(t(HALF), name)
                                                  for role, name, _ in w.person.tree()))
            w.wait("it to be offered again", lambda: w.person.can_click(t("_Put it back now")))
            assert SWAPPINESS.read_text().strip() == ours
            unbind()
            w.click(t("_Put it back now"))
            w.wait("the old value", lambda: SWAPPINESS.read_text().strip() == before)
            w.wait("nothing to complain about", lambda: not w.person.sees(t(HALF)))
    finally:
        SWAPPINESS.write_text(before)
        forget_records()


def an_interrupted_change_is_told_of(open_window, sessions):
    before = SWAPPINESS.read_text().strip()
    ours = "90" if before != "90" else "80"
    machine.end_helper()
    SWAPPINESS.write_text(ours)
    try:
        write_record("pending", "planned", before, ours)
        with open_window() as w:
            t = w.words
            w.go("Overview")
            w.wait_sees(t(RECOVERED))
            assert SWAPPINESS.read_text().strip() == before, "not put back"
            w.click(t("_Look at it"))
            w.wait_sees(t("Taken back earlier"))
    finally:
        SWAPPINESS.write_text(before)
        forget_records()


def the_kernel_refuses(open_window, sessions):
    machine.end_helper()
    with bound(NARROW, HEAD_START) as unbind, open_window() as w:
        t = w.words
        w.answer(sessions.PASSWORD)
        sessions.apply(w)
        w.wait_sees(t(REFUSED))
        w.wait_sees(t("It is about “%s”."))
        w.wait_sees(re.escape(t.raw("Distance at which clearing starts")))
        sessions.assert_as_before(w, "after a refusal")
        unbind()
        w.before = machine.settings()
        w.click(t("_Try again"))
        sessions.wait_trial(w)
        w.click(t("Take everything back"))
        sessions.wait_as_before(w)
    machine.end_helper()


def nobody_could_be_asked_and_then_somebody_can(open_window, sessions):
    with open_window() as w:
        t = w.words
        sessions.apply(w)
        sessions.refused(w, t(sessions.NO_AGENT))
        w.wait_sees(r"sudo ruckelfreictl apply")
        w.answer(sessions.WRONG)
        w.click(t("_Try again"))
        sessions.refused(w, t(sessions.NOT_AUTHORIZED))
        w.agent.end()
        w.answer(sessions.PASSWORD)
        w.click(t("_Try again"))
        sessions.wait_trial(w)
        w.click(t("Take everything back"))
        sessions.wait_as_before(w)


def the_kernel_has_changed(open_window, sessions):
    before = HEAD_START.read_text().strip()
    ours = "90" if before != "90" else "80"
    trial = subprocess.Popen(["/usr/bin/ruckelfreictl", "apply", "--yes", "--trial", "30", f"vm.watermark_scale_factor={ours}"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        machine.wait("a kept setting", lambda: subprocess.run(["/usr/bin/ruckelfreictl", "keep"], capture_output=True).returncode == 0)
        said, _ = trial.communicate(timeout=30)
        assert HEAD_START.read_text().strip() == ours, said
        machine.end_helper()
        record = max(machine.JOURNAL.glob("*.record"))
        text = re.sub(r"^kernel=.*$", "kernel=5.0.0-test", record.read_text().split("\n[checksum]")[0], flags=re.M)
        write_checked(record, text)
        HEAD_START.write_text(before)  # as the new kernel has it
        with open_window() as w:
            t = w.words
            w.answer(sessions.PASSWORD)
            w.go("Overview")
            w.wait_sees(t(DRIFT))
            w.wait_sees(re.escape("5.0.0-test"))
            w.click(t("_Look at it"))
            w.click(t("_Apply again as a trial"))
            w.click(t("_Apply"))
            sessions.wait_trial(w)
            assert HEAD_START.read_text().strip() == ours
            w.click(t("Keep these settings"))
            w.wait_sees(t("The settings are kept"))
            w.click(t("_Done"))
            w.go("Overview")
            w.wait("nothing to complain about", lambda: not w.person.sees(t(DRIFT)))
        run("/usr/bin/ruckelfreictl", "revert", "--all")
        assert HEAD_START.read_text().strip() == before
    finally:
        trial.kill()
        trial.wait()
        machine.end_helper()
        subprocess.run([PROGRAM, "--revert-all", "--force"], capture_output=True)
        HEAD_START.write_text(before)
        forget_records()


SESSIONS = [the_helper_is_missing, the_helper_is_older, the_window_is_older, a_container_is_only_looked_at,
            nixos_gets_lines_to_paste, a_change_stopped_half_way, an_interrupted_change_is_told_of, the_kernel_refuses,
            nobody_could_be_asked_and_then_somebody_can, the_kernel_has_changed]
