"""Arguments that nobody honest would send, made from the interface's own description: for each argument of each method
every nasty value of its type, with innocent values for the others. A method that is added later is included by itself."""
from gi.repository import Gio, GLib

NAME = "io.github.ruckelfrei.Helper1"
PATH = "/io/github/ruckelfrei/Helper1"
UNKNOWN_ID = "20261130T140300Z-0000000a"
INTS = {"y": 8, "n": -16, "q": 16, "i": -32, "u": 32, "x": -64, "t": 64}

STRINGS = [
    "", " ", ".", "..", "/", "//", "-", "--help", "*", "?", "[", "%", "%s%s%s%n", "%p%x%d", "\\", "\\0", "\\x00", "'", '"', "`", "$(id)",
    "; id", "| id", "& id", "a b", "a\tb", "a\nb", "a\r\nb", "\n", "\x01", "\x1b[2J", "\x7f", "\x85", "\u200b", "\u202e", "\ufeff", "\ufffd",
    "\U0010ffff", "ä", "é" * 40, "../../etc/passwd", "/etc/passwd", "/proc/sys/kernel/core_pattern", "proc/sys/vm/swappiness",
    "kernel.core_pattern", "vm.swappiness\n", "vm.swappiness/", "vm/swappiness", "VM.SWAPPINESS", "vm.swappinesss", "vm.swappines", "vm.",
    "nvme0n1/../../../etc", "nvme0n1\n", "sda", "loop0", "dm-0", "zram0", "nvme99999999999999999999n1", "null", "true", "0", "-1",
    "9223372036854775808", "1e9", "0x10", "ratio", "bytes", "ratio:1", "none", "absent", "[none]", "lz4", UNKNOWN_ID, UNKNOWN_ID + "\n",
    UNKNOWN_ID + ".record", "../" + UNKNOWN_ID, UNKNOWN_ID.lower(), UNKNOWN_ID[:-1], "x" * 63, "x" * 64, "x" * 65, "x" * 256,
    "x" * 4096, "x" * 60000, "x" * 70000, "x" * 1000000, "😀" * 1000,
]


def numbers(code):
    bits = INTS[code]
    low, high = (-(1 << -bits - 1), (1 << -bits - 1) - 1) if bits < 0 else (0, (1 << bits) - 1)
    wanted = [low, low + 1, -1, 0, 1, 2, 14, 15, 16, 100, 101, 255, 1800, 1801, 4096, 65535, 1 << 20, (1 << 31) - 1, 1 << 31, (1 << 32) - 1,
              1 << 32, 1 << 40, high // 1024, high - 1, high]
    return sorted({n for n in wanted if low <= n <= high})


def basic(code):
    """The values of one basic type as variants."""
    values = (numbers(code) if code in INTS else STRINGS if code == "s" else [False, True] if code == "b"
              else [0.0, -1.0, 1e308, float("inf"), float("nan")] if code == "d"
              else ["/", PATH, "/" + "a/" * 500 + "a"] if code == "o"
              else ["", "s", "a{sv}", "(" * 30 + "s" + ")" * 30] if code == "g" else [])
    return [GLib.Variant(code, v) for v in values]


def deep(levels):
    v = GLib.Variant("s", "deep")
    for _ in range(levels):
        v = GLib.Variant.new_variant(v)
    return v


def loose():
    """Values of all types, as a variant may hold them."""
    for code in (*INTS, "b", "d", "o", "g", "s"):
        yield from basic(code)
    pairs = [("(sx)", (s, n)) for s in ("ratio", "bytes", "percent", "", "\n") for n in numbers("x")]
    triples = [("(xxx)", (n, 1, 1)) for n in numbers("x")] + [("(xxx)", (1, 1, n)) for n in numbers("x")]
    zrams = [("(xsx)", (n, "lz4", 100)) for n in numbers("x")] + [("(xsx)", (1 << 30, "lz4", n)) for n in numbers("x")]
    zrams += [("(xsx)", (1 << 30, s, 100)) for s in STRINGS if len(s) < 300]
    rest = [("ay", b""), ("ay", b"\xff" * 5000), ("as", []), ("as", ["x"] * 5000), ("av", []), ("a{sv}", {}), ("(s)", ("x",)),
            ("(sxs)", ("bytes", 1, "x")), ("(xx)", (1, 1)), ("aai", [[]] * 2000)]
    for code, value in (*pairs, *triples, *zrams, *rest):
        yield GLib.Variant(code, value)
    yield deep(1)
    yield deep(50)


def members(signature):
    """The complete types that a signature consists of."""
    found, at = [], 0
    while at < len(signature):
        end = at
        while signature[end] == "a":
            end += 1
        if signature[end] in "({":
            depth = 0
            while True:
                depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(signature[end], 0)
                if depth == 0:
                    break
                end += 1
        found.append(signature[at:end + 1])
        at = end + 1
    return found


GOOD = {"plan": GLib.Variant("a(ssv)", [("vm.swappiness", "", GLib.Variant("x", 100))]), "id": GLib.Variant("s", UNKNOWN_ID),
        "seconds": GLib.Variant("u", 60), "tunable": GLib.Variant("s", "vm.swappiness")}


def good(name, signature):
    """An innocent value; of an argument that we do not know, the empty one of its type."""
    if name in GOOD and GOOD[name].get_type_string() == signature:
        return GOOD[name]
    if signature == "v":
        return GLib.Variant("v", GLib.Variant("x", 0))
    if signature[0] == "a":
        return GLib.Variant.new_array(GLib.VariantType(signature[1:]), [])
    if signature[0] == "{":
        return GLib.Variant.new_dict_entry(*(good("", s) for s in members(signature[1:-1])))
    if signature[0] == "(":
        return GLib.Variant.new_tuple(*(good("", s) for s in members(signature[1:-1])))
    return GLib.Variant(signature, {"s": "", "o": "/", "g": "", "b": False, "d": 0.0}.get(signature, 0))


def nasty(signature, innocent):
    if signature == "v":
        yield from (GLib.Variant.new_variant(v) for v in loose())
    elif signature[0] == "a":
        item, kind = signature[1:], GLib.VariantType(signature[1:])
        one = innocent.get_child_value(0) if innocent.n_children() else good("", item)
        yield GLib.Variant.new_array(kind, [])
        for v in nasty(item, one):
            yield GLib.Variant.new_array(kind, [v])
        for n in (2, 63, 64, 65, 1000, 20000):
            yield GLib.Variant.new_array(kind, [one] * n)
    elif signature[0] in "({":
        inner = members(signature[1:-1])
        rest = [innocent.get_child_value(i) for i in range(len(inner))]
        join = GLib.Variant.new_dict_entry if signature[0] == "{" else GLib.Variant.new_tuple
        for i, s in enumerate(inner):
            for v in nasty(s, rest[i]):
                yield join(*rest[:i], v, *rest[i + 1:])
    else:
        yield from basic(signature)


def arguments(method):
    """(what is tried, body) for each nasty value of each argument; without arguments once."""
    args = method.in_args or []
    innocent = [good(a.name, a.signature) for a in args]
    yield "as it should be", GLib.Variant.new_tuple(*innocent)
    for i, a in enumerate(args):
        for n, v in enumerate(nasty(a.signature, innocent[i])):
            yield f"{a.name} #{n}", GLib.Variant.new_tuple(*innocent[:i], v, *innocent[i + 1:])
    names = [a.name for a in args]
    if "options" in names:
        for key, value in (("trial-seconds", v) for c in ("u", "i", "s", "x") for v in basic(c) if v.get_size() < 100):
            changed = [*innocent]
            changed[names.index("options")] = GLib.Variant("a{sv}", {key: value})
            yield f"{key} {value.print_(True)}", GLib.Variant.new_tuple(*changed)


def known_targets(method, targets):
    """Settings and devices that exist, with every value that a variant can hold: what a type alone does not know.
    @targets: (setting, instance)"""
    names = [a.name for a in method.in_args or []]
    innocent = [good(a.name, a.signature) for a in method.in_args or []]
    if "plan" not in names:
        return
    for setting, instance in targets:
        for n, v in enumerate(loose()):
            changed = [*innocent]
            changed[names.index("plan")] = GLib.Variant("a(ssv)", [(setting, instance, v)])
            yield f"{setting}@{instance} #{n}", GLib.Variant.new_tuple(*changed)


def wrong_signatures(method):
    """(what is tried, body or None) with the right name and other types."""
    args = method.in_args or []
    innocent = [good(a.name, a.signature) for a in args]
    if args:
        yield "no body", None
        yield "one less", GLib.Variant.new_tuple(*innocent[:-1]) if len(args) > 1 else GLib.Variant.new_tuple(deep(1))
    yield "one more", GLib.Variant.new_tuple(*innocent, GLib.Variant("s", "x"))
    yield "all in one", GLib.Variant.new_tuple(GLib.Variant.new_tuple(*innocent, GLib.Variant("s", "x")))
    yield "bytes", GLib.Variant("(ay)", (b"\0" * 100,))
    for i, a in enumerate(args):
        for other in (GLib.Variant("x", 1), GLib.Variant("s", "x"), GLib.Variant("as", ["x"]), deep(2), GLib.Variant("o", "/")):
            if other.get_type_string() != a.signature:
                yield f"{a.name} as {other.get_type_string()}", GLib.Variant.new_tuple(*innocent[:i], other, *innocent[i + 1:])


def interface(path):
    with open(path) as f:
        return Gio.DBusNodeInfo.new_for_xml(f.read()).interfaces[0]
