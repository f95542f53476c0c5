"""Who set this: files of somebody else that overrule ours are named before anything is applied, and after it."""
import os
import pathlib
import re
from contextlib import contextmanager

FOLDER = pathlib.Path("/etc/sysctl.d")
# after ours in the order of names; the second one is root's alone
FOREIGN, SECRET = FOLDER / "zz-rf-foreign.conf", FOLDER / "zz-rf-secret.conf"
SETTING = "Distance at which clearing starts"


@contextmanager
def foreign_files():
    try:
        FOREIGN.write_text("# somebody's\nvm.watermark_scale_factor = 33\n")
        os.chmod(FOREIGN, 0o644)
        SECRET.touch(0o600)
        SECRET.write_text("vm.swappiness = 1\n")
        yield
    finally:
        FOREIGN.unlink(missing_ok=True)
        SECRET.unlink(missing_ok=True)


def is_named(w):
    """The sentence that says what the next start would do, and the one about what cannot be read."""
    t = w.words
    place = t.raw("line %1$u of %2$s").replace("%1$u", "2").replace("%2$s", str(FOREIGN))
    would = t.raw("At the next start %1$s would set this to %2$s.").replace("%1$s", place).split("%2$s")[0]
    w.wait_sees(re.escape(would))
    w.wait_sees(re.escape(t.raw("%s may set this at the next start; this user cannot read it.") % SECRET))


def ask(w, kept):
    """Opens "Who set this?" and reads what it says."""
    t = w.words
    assert not w.person.sees(t("This is what counts.")), "nothing of it is told before it is asked for"
    w.click(t.filled("Who set this? %s", SETTING))
    w.wait_sees(t("This is what counts."))
    w.wait_sees(re.escape(t.raw("%1$s, line %2$u").replace("%1$s", str(FOREIGN)).replace("%2$u", "2")))
    w.wait_sees(r"vm\.watermark_scale_factor = 33")
    w.wait_sees(t("Cannot be read by this user, so what it sets is not known."))
    if kept:
        w.wait_sees(t("Written by Ruckelfrei. %s"))
