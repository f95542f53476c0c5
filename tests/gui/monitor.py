"""The Monitor page as a person uses it: range, pause, cursor, full size, choice and order, compact view, saving."""
import csv
import os
import pathlib
import re
import struct

HOME = pathlib.Path(os.environ["RF_LOGS"]) / "home"
TITLES = ["Programs waiting for memory", "Free memory", "Clearing memory", "Pressure", "Waiting to be written", "Drive latency",
          "Drive throughput", "Swap traffic", "Processor", "TLB shootdowns"]


def titles(w):
    """The cards that can be seen, in their order, by the names in the sources; a card that has nothing to show is one, too."""
    ours = {w.words.raw(t): t for t in TITLES}
    return [ours[name] for role, name, _ in w.person.tree() if role in ("panel", "grouping") and name in ours]


def graphs(w):
    """The same for the graphs themselves: the card of a group is called by its line."""
    ours = {w.words.raw(t): t for t in TITLES}
    return [ours[name] for name, _ in w.person.graphs() if name in ours]


def range_title(w, minutes):
    many = w.words.messages["Last minute", 1] if w.words.german else "Last %u minutes"
    return "^" + re.escape(many % minutes) + "$"


def open_monitor(w):
    w.go("Monitor")
    w.wait("all graphs", lambda: titles(w) == TITLES)


def description(w, title):
    return dict(w.person.graphs()).get(w.words.raw(title), "")


def range_and_pause(w):
    t = w.words
    open_monitor(w)
    w.wait_sees(range_title(w, 5))
    w.click(re.escape(t.raw("%u min") % 15))
    w.wait_sees(range_title(w, 15))
    w.person.keys("ctrl+minus")
    w.wait_sees(range_title(w, 60))
    for _ in range(3):
        w.person.keys("ctrl+plus")
    w.wait_sees(t("Last minute"))
    w.click(t("_Pause"))
    w.wait_sees(t("Paused at %s"))
    w.pictures("monitor-paused")
    still = [x for x in w.person.texts() if re.search(r"\d", x)]
    w.person.keys("ctrl+p")
    w.wait("time to go on", lambda: not w.person.sees(t("Paused at %s")))
    w.wait("values that move again", lambda: [x for x in w.person.texts() if re.search(r"\d", x)] != still)


def compact(w):
    t = w.words
    open_monitor(w)
    w.person.keys("ctrl+m")
    w.wait("one graph a group", lambda: graphs(w) == ["Programs waiting for memory", "Drive latency", "Processor"])
    w.wait_sees(t.any("Memory: calm", "Memory: having a look…", "Memory: this kernel does not tell",
                      "Programs are waiting for memory: %1$.0f stall in %2$s", "Programs are waiting for memory: %1$s in %2$s"))
    w.wait("a judgement", lambda: not w.person.sees(t("Memory: having a look…")), 30)
    w.pictures("monitor-compact")
    w.person.keys("ctrl+m")
    w.wait("all graphs", lambda: titles(w) == TITLES)


def cursor_and_full_size(w):
    t = w.words
    open_monitor(w)
    w.click(t.filled("Full size: %s", "Free memory"))
    w.wait("one graph", lambda: titles(w) == ["Free memory"])
    w.pictures("monitor-full-size")
    ago = t("%s ago", "graph")
    w.wait("a cursor that the keys move", lambda: w.person.keys("Left") and re.search(ago, description(w, "Free memory")))
    w.person.keys("Escape")
    w.wait("the cursor to go", lambda: not re.search(ago, description(w, "Free memory")))
    w.person.keys("Down")
    w.wait("the next graph", lambda: titles(w) == ["Clearing memory"])
    w.person.keys("Up", "Up", "Up")
    w.wait("the last graph, round the corner", lambda: titles(w) == ["TLB shootdowns"])
    w.click(t("The next graph"))
    w.wait("the first graph again", lambda: titles(w) == ["Programs waiting for memory"])
    w.person.keys("Escape")
    w.wait("all graphs", lambda: titles(w) == TITLES)
    # the focus is where it was: Enter leads there once more
    w.person.keys("Return")
    w.wait("the same graph", lambda: titles(w) == ["Programs waiting for memory"])
    w.click(t("_All graphs"))
    w.wait("all graphs", lambda: titles(w) == TITLES)


def choose_and_order(w):
    t = w.words
    open_monitor(w)
    w.person.keys("ctrl+g")
    w.wait_sees(t("Graphs in their order"))
    w.click(t.filled("Move down: %s", "Programs waiting for memory"))
    w.wait("a graph to move", lambda: titles(w)[:2] == ["Free memory", "Programs waiting for memory"])
    # the focus is on the check box of what has been moved
    w.person.keys("alt+Down")
    w.wait("a graph to move by keys", lambda: titles(w)[1:3] == ["Clearing memory", "Programs waiting for memory"])
    w.person.keys("space")
    w.wait("a graph to go", lambda: titles(w) == TITLES[1:])
    w.person.keys("alt+Up")
    w.person.keys("space")
    w.wait("it to come back where it is now", lambda: titles(w)[:3] == ["Free memory", "Programs waiting for memory",
                                                                       "Clearing memory"])
    w.picture("monitor-chooser")
    w.click(t("_Reset"))
    w.wait("the usual order", lambda: titles(w) == TITLES)
    w.click(t("_Done"))
    w.wait("the window to close", lambda: not w.person.sees(t("Graphs in their order")))


def saved(w, pattern):
    before = set(HOME.glob(pattern))
    w.wait("the question for a file", lambda: w.person.can_click(w.words("_Save")))
    w.click(w.words("_Save"))
    w.wait("a file", lambda: set(HOME.glob(pattern)) - before)
    (path,) = set(HOME.glob(pattern)) - before
    w.wait_sees(w.words("Saved as “%s”."))
    w.wait_sees(re.escape(path.name))
    return path


def save(w):
    open_monitor(w)
    w.person.keys("ctrl+shift+s")
    table = saved(w, "ruckelfrei-monitor-*.csv")
    with open(table, newline="", encoding="ascii") as f:
        rows = list(csv.reader(f))
    assert rows[0][0] == "time_utc" and "free_bytes" in rows[0], f"the table begins with {rows[0]}"
    assert len(rows) > 3 and all(len(r) == len(rows[0]) for r in rows), f"the lines of the table: {[len(r) for r in rows]}"
    times = [r[0] for r in rows[1:]]
    assert times == sorted(set(times)), f"the times of the table: {times}"
    free = [float(r[rows[0].index("free_bytes")] or "nan") for r in rows[1:]]
    assert max(f for f in free if f == f) > 1e6, f"free memory in the table: {free}"

    w.person.keys("ctrl+s")
    with open(saved(w, "ruckelfrei-monitor-*.png"), "rb") as f:
        head = f.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n", "not a picture"
    width, height = struct.unpack(">II", head[16:])
    assert width > 600 and height > 900, f"a picture of {width} × {height}: not all graphs are on it"


SESSIONS = [range_and_pause, compact, cursor_and_full_size, choose_and_order, save]
