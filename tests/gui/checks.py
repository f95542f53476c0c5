"""The Check page. Each session gets an open window; what it lays below /etc is in the overlay of the run, see run."""
import pathlib

OLD = pathlib.Path("/etc/sysctl.d/50-old-advice.conf")
LINES = "# from a guide\nnet.ipv4.tcp_tw_recycle = 1\nvm.swappiness=\"10\"\n"


def _looked(w):
    """The page has looked: it offers to do so again."""
    w.wait("“Look again” to be offered", lambda: w.person.can_click(w.words("Look again")), 60)


def _look_again(w):
    w.click(w.words("Look again"))
    _looked(w)


def the_check_page_explains_old_advice(w):
    t = w.words
    w.go("Check")
    _looked(w)
    w.wait_sees(t.plural("%u thing to look at first", "%u things to look at first") + "|" +
                t("Nothing stands in the way of tuning"))
    quotes = t("Quotation marks around a value")
    assert not w.person.sees(quotes), "there is old advice before any was given"
    OLD.write_text(LINES)
    try:
        _look_again(w)
        w.wait_sees(quotes)
        w.wait_sees("tcp_tw_recycle")
        w.wait_sees(r"/etc/sysctl\.d/50-old-advice\.conf:2: net\.ipv4\.tcp_tw_recycle = 1")
        w.wait_sees(r"/etc/sysctl\.d/50-old-advice\.conf:3: ")
        w.wait_sees(t("The kernel gets the marks as part of the value and refuses it, so this setting is not in force."))
        w.pictures("check")
    finally:
        OLD.unlink()
    _look_again(w)
    w.wait("the advice to be gone", lambda: not w.person.sees(quotes))


def what_is_fine_is_folded_away(w):
    t = w.words
    w.go("Check")
    _looked(w)
    clock = t("Clock of the kernel")
    assert not w.person.sees(clock), "what is fine is seen before anybody unfolds it"
    w.click(t.plural("%u check is fine", "%u checks are fine"))
    w.wait_sees(clock)


def the_overview_names_what_to_check(w):
    t = w.words
    OLD.write_text(LINES)
    try:
        w.go("Overview")
        w.wait_sees(t("Check before tuning"))
        w.wait_sees(t.plural("%1$u thing to look at first: %2$s", "%1$u things to look at first: %2$s"))
        w.go("Check")
        w.wait_sees(t("Looked at %s."))
    finally:
        OLD.unlink()


SESSIONS = [the_check_page_explains_old_advice, what_is_fine_is_folded_away, the_overview_names_what_to_check]
