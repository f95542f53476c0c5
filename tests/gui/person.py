"""The person's eyes and hands: reads and drives the window through the accessibility tree. Runs as the person, because the
session's bus lets nobody else in; one JSON request a line on stdin, one answer a line on stdout."""
import json
import re
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
gi.require_version("Gio", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

# Its 0.8 s are too short for a busy machine: a click that is done but not answered in time would be tried once more.
Atspi.set_timeout(15000, 15000)

APP = "ruckelfrei"
BUTTONS = {"push button", "button", "toggle button", "check box", "switch", "radio button", "menu item", "list item", "link"}


def size(node):
    e = node.get_extents(Atspi.CoordType.WINDOW)
    return e.width, e.height


class Ambiguous(Exception):
    """Several pages of a stack could be the one that is seen."""


def seen_children(node, hidden):
    """GTK before 4.10 calls the hidden pages of a stack visible. Only the seen one gets the size of the stack; the others keep
    the size they had when they were last seen, so after a resize to a size of its own there is no doubt."""
    children = [c for c in (node.get_child_at_index(i) for i in range(node.get_child_count())) if c is not None]
    pages = [c for c in children if c.get_name() == "GtkStackPage"]
    if hidden or len(pages) < 2:
        return children
    whole = size(node)
    fitting = [p for p in pages if p.get_child_count() and (c := p.get_child_at_index(0)) is not None and size(c) == whole]
    if len(fitting) > 1:
        raise Ambiguous
    return fitting


def walk(node, hidden=False):
    try:
        # GTK 4.8 has no SHOWING below the window, but what is not visible has no VISIBLE either
        if not hidden and node.get_role_name() != "application" and not node.get_state_set().contains(Atspi.StateType.VISIBLE):
            return
        yield node
        for child in seen_children(node, hidden):
            yield from walk(child, hidden)
    except GLib.Error:
        return  # gone meanwhile


def app():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(i)
        if child is not None and APP in (child.get_name() or "").lower():
            child.clear_cache()
            return child
    return None


def plain(name):
    """GTK 4.8 names a button with a mnemonic "_Apply Apply"."""
    name = name or ""
    half = len(name) // 2
    if name.startswith("_") or "_" in name:
        words = name.split(" ")
        for i in range(1, len(words)):
            if " ".join(words[:i]).replace("_", "") == " ".join(words[i:]):
                return " ".join(words[i:])
        if name[:half].strip().replace("_", "") == name[half:].strip():
            return name[half:].strip()
    return name.replace("_", "") if name.count("_") == 1 else name


def nodes():
    for _ in range(3):
        root = app()
        try:
            return list(walk(root)) if root else []
        except Ambiguous:
            nudge()
    return []


def describe(node):
    return [node.get_role_name(), plain(node.get_name()), node.get_description() or ""]


def tree():
    described = []
    for n in nodes():
        try:
            described.append(describe(n))
        except GLib.Error:
            continue  # taken down while we look
    return described


def texts():
    return [t for _, *words in tree() for t in words if t]


def tells(pattern):
    """Like sees(), for a window whose stack has no page of its own size: what is hidden counts as well."""
    root = app()
    found = [n.get_name() or "" for n in walk(root, hidden=True)] if root else []
    return any(re.search(pattern, name, re.S) for name in found)


def sensitive(node):
    return node.get_state_set().contains(Atspi.StateType.SENSITIVE)


def find(pattern, roles=None):
    """The first node whose whole name matches. Titles in the sources may hold what only the run knows, hence patterns."""
    for n in nodes():
        try:
            if (roles is None or n.get_role_name() in roles) and re.fullmatch(pattern, plain(n.get_name()), re.S):
                return n
        except GLib.Error:
            continue
    return None


def actions(node):
    iface = node.get_action_iface()
    return [Atspi.Action.get_action_name(iface, i) for i in range(Atspi.Action.get_n_actions(iface))] if iface else []


def act(node):
    """Clicks the node, or what lies inside it (menu buttons nest the real one), or the row around it."""
    nodes = [node, *walk(node, hidden=True)]
    # GTK 4.18 offers to click what a menu button is made of, too, and only the innermost one opens the menu
    for n in [n for n in nodes if n.get_role_name() == "toggle button"] + nodes:
        for name in ("click", "toggle", "activate"):
            names = actions(n)
            if name in names:
                return Atspi.Action.do_action(n.get_action_iface(), names.index(name))
    return False


def click(pattern, roles=None):
    node = find(pattern, set(roles) if roles else BUTTONS)
    if node is None or not sensitive(node):
        return False
    return act(node)


def in_nameless_menu():
    return any(role == "menu item" and not name for role, name, _ in tree())


def select_row(pattern):
    """Rows of a list box are chosen by the list, as a click does it."""
    node = find(pattern, {"list item"})
    if node is None:
        return False
    parent = node.get_parent()
    iface = parent.get_selection_iface()
    if iface is not None and Atspi.Selection.select_child(iface, node.get_index_in_parent()):
        return True
    return act(node)


def can_click(pattern):
    node = find(pattern, BUTTONS)
    return node is not None and sensitive(node)


def sees(pattern):
    return any(re.search(pattern, t, re.S) for t in texts())


def graphs():
    """Name and spoken description of every graph that can be seen."""
    return [words for role, *words in tree() if role in ("image", "graphic")]


def frame():
    return subprocess.run(["xdotool", "search", "--onlyvisible", "--class", APP], capture_output=True,
                          text=True).stdout.split()[-1:]


def content():
    """The size of the window without the frame that GTK draws around it where no window manager does. Since GTK 4.10 the
    window is told with its frame, which is as wide at the sides as below."""
    root = app()
    if not root or not root.get_child_count():
        return 0, 0
    window = root.get_child_at_index(0)
    width, height = size(window)
    inside = max((size(window.get_child_at_index(i))[0] for i in range(window.get_child_count())), default=width)
    return (inside, height - (width - inside) // 2) if 0 < inside < width else (width, height)


def outer(window):
    text = subprocess.run(["xdotool", "getwindowgeometry", "--shell", window], capture_output=True, text=True, check=True).stdout
    return tuple(int(re.search(rf"^{k}=(\d+)$", text, re.M)[1]) for k in ("WIDTH", "HEIGHT"))


def text_of(pattern):
    """What stands in the text field of that name."""
    for n in nodes():
        iface = n.get_text_iface()
        if iface is not None and re.fullmatch(pattern, plain(n.get_name()), re.S) and n.get_role_name() in ("text", "entry"):
            return Atspi.Text.get_text(iface, 0, Atspi.Text.get_character_count(iface))
    return None


def count_windows():
    root = app()
    return root.get_child_count() if root else 0


def resize(width, height):
    for window in frame():
        border = [o - c for o, c in zip(outer(window), content())]
        wanted = [str(v + b) for v, b in zip((width, height), border)]
        subprocess.run(["xdotool", "windowmove", window, "0", "0", "windowsize", window, *wanted], check=True)
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            if content() == (width, height):
                return True
            time.sleep(0.05)
    return False


def nudge():
    """To a height that the window never had."""
    global heights
    heights += 1
    width, _ = content()
    resize(width, 700 + heights)


heights = 0


def picture(path):
    for window in frame():
        dump = subprocess.run(["xwd", "-silent", "-id", window], capture_output=True, check=True).stdout
        subprocess.run(["convert", "xwd:-", "png:" + path], input=dump, check=True)
        return True
    return False


def keys(*names):
    subprocess.run(["xdotool", "key", *names], check=True)
    return True


class Portal:
    """The desktop's wish for light or dark, as a real desktop tells it; changed live."""
    XML = """<node><interface name="org.freedesktop.portal.Settings">
        <method name="ReadAll"><arg type="as" direction="in"/><arg type="a{sa{sv}}" direction="out"/></method>
        <signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal></interface></node>"""
    SPACE = "org.freedesktop.appearance"

    def __init__(self):
        self.dark = False
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        info = Gio.DBusNodeInfo.new_for_xml(self.XML).interfaces[0]
        self.bus.register_object("/org/freedesktop/portal/desktop", info, self.called, None, None)
        Gio.bus_own_name_on_connection(self.bus, "org.freedesktop.portal.Desktop", Gio.BusNameOwnerFlags.NONE, None, None)

    def scheme(self):
        return GLib.Variant("u", 1 if self.dark else 2)

    def called(self, bus, sender, path, interface, method, parameters, call):
        call.return_value(GLib.Variant("(a{sa{sv}})", ({self.SPACE: {"color-scheme": self.scheme()}},)))

    def set_dark(self, dark):
        self.dark = dark
        self.bus.emit_signal(None, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", "SettingChanged",
                             GLib.Variant("(ssv)", (self.SPACE, "color-scheme", self.scheme())))
        return True


class Desk:
    """Where notifications arrive, as a desktop has it."""
    NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
    XML = """<node><interface name="org.freedesktop.Notifications">
        <method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
            <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
            <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
        <method name="CloseNotification"><arg type="u" direction="in"/></method>
        <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
        <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal></interface></node>"""

    def __init__(self, bus):
        self.bus, self.lying, self.last = bus, {}, 0
        bus.register_object(self.PATH, Gio.DBusNodeInfo.new_for_xml(self.XML).interfaces[0], self.called, None, None)
        Gio.bus_own_name_on_connection(bus, self.NAME, Gio.BusNameOwnerFlags.NONE, None, None)

    def called(self, bus, sender, path, interface, method, parameters, call):
        if method == "CloseNotification":
            self.lying.pop(parameters.unpack()[0], None)
            call.return_value(None)
            return
        _, replaces, _, title, body, actions, _, _ = parameters.unpack()
        if not replaces:
            self.last += 1
        number = replaces or self.last
        self.lying[number] = [title, body, dict(zip(actions[1::2], actions[::2]))]
        call.return_value(GLib.Variant("(u)", (number,)))

    def notifications(self):
        """Title, text and the names of the buttons of what lies there."""
        return [[title, body, list(actions)] for title, body, actions in self.lying.values()]

    def press(self, label):
        for number, (_, _, actions) in self.lying.items():
            if label in actions:
                self.bus.emit_signal(None, self.PATH, self.NAME, "ActionInvoked", GLib.Variant("(us)", (number, actions[label])))
                # who has answered a notification does not see it any more, says its specification
                self.bus.emit_signal(None, self.PATH, self.NAME, "NotificationClosed", GLib.Variant("(uu)", (number, 2)))
                del self.lying[number]
                return True
        return False


def look_away():
    """The window leaves the screen, as when it is minimised. Returns: what brings it back."""
    windows = frame()
    for window in windows:
        subprocess.run(["xdotool", "windowunmap", "--sync", window], check=True)
    return windows


def look_back(windows):
    for window in windows:
        subprocess.run(["xdotool", "windowmap", "--sync", window], check=True)


def main():
    portal = Portal()
    desk = Desk(portal.bus)
    verbs = {f.__name__: f for f in (tree, texts, click, select_row, can_click, sees, graphs, resize, picture, keys, text_of,
                                             count_windows, look_away, look_back,
                                             tells, in_nameless_menu)}
    verbs |= {"set_dark": portal.set_dark, "notifications": desk.notifications, "press": desk.press}
    verbs["size"] = content
    loop = GLib.MainLoop()

    def request(channel, condition):
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        verb, args = json.loads(line)
        try:
            answer = {"value": verbs[verb](*args)}
        except (GLib.Error, subprocess.CalledProcessError, AttributeError) as e:
            answer = {"error": f"{type(e).__name__}: {e}"}
        print(json.dumps(answer), flush=True)
        return True

    GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, request)
    loop.run()


main()
