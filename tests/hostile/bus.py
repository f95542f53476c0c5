"""Callers of a message bus: an ordinary one, and one that speaks to the socket itself, so that it can leave out what an
honest library does: reading answers, waiting, sending whole messages."""
import os
import socket
import time

from gi.repository import Gio, GLib

from generator import NAME, PATH

OURS = "io.github.ruckelfrei.Error."
# of the bus or of GIO, before our own code has seen the call
BUS = {"org.freedesktop.DBus.Error." + e for e in ("InvalidArgs", "UnknownMethod", "UnknownInterface", "UnknownObject", "UnknownProperty",
                                                   "PropertyReadOnly", "AccessDenied", "LimitsExceeded", "InvalidSignature")}
FLAGS = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
INTERACTIVE = Gio.DBusMessageFlags.ALLOW_INTERACTIVE_AUTHORIZATION


def message(method, body=None, path=PATH, interface=NAME, destination=NAME, flags=None):
    m = Gio.DBusMessage.new_method_call(destination, path, interface, method)
    if body is not None:
        m.set_body(body)
    if flags is not None:
        m.set_flags(flags)
    return m


class Answer:
    def __init__(self, reply):
        self.error = reply.get_error_name() if reply.get_message_type() == Gio.DBusMessageType.ERROR else None
        body = reply.get_body()
        if self.error:
            self.text = body.get_child_value(0).get_string() if body is not None and body.n_children() else ""
        else:
            self.text, self.value = "", body

    def code(self):
        return self.error[len(OURS):] if self.error and self.error.startswith(OURS) else self.error

    def complaint(self):
        """What is wrong with this answer as an answer; None if it is a good one."""
        if self.error is None:
            return None
        if not self.error.startswith(OURS) and self.error not in BUS:
            return f"an error that is not ours: {self.error} {self.text!r}"
        if not self.text.strip() or len(self.text) > 600:
            return f"a message of {len(self.text)} characters: {self.error} {self.text[:80]!r}"
        if self.error.startswith(OURS) and not self.text.isprintable():
            return f"a message with control characters: {self.error} {self.text!r}"
        return None


class Caller:
    def __init__(self, address):
        self.bus = Gio.DBusConnection.new_for_address_sync(address, FLAGS, None, None)
        self.bus.set_exit_on_close(False)

    def send(self, m, seconds=120):
        reply, _ = self.bus.send_message_with_reply_sync(m, Gio.DBusSendMessageFlags.NONE, seconds * 1000, None)
        return Answer(reply)

    def call(self, method, body=None, **kwargs):
        return self.send(message(method, body, **kwargs))

    def property(self, name):
        a = self.call("Get", GLib.Variant("(ss)", (NAME, name)), interface="org.freedesktop.DBus.Properties")
        return a.value.get_child_value(0).get_variant().unpack() if a.error is None else None

    def close(self):
        self.bus.close_sync(None)


class Raw:
    """Never reads unless told to."""

    def __init__(self, address, files=False):
        key, _, where = address.split(",")[0].removeprefix("unix:").partition("=")
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect("\0" + where if key == "abstract" else where)
        self.serial = 0
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.geteuid()).encode().hex().encode() + b"\r\n")
        self._line(b"OK")
        if files:
            self.socket.sendall(b"NEGOTIATE_UNIX_FD\r\n")
            self._line(b"AGREE_UNIX_FD")
        self.socket.sendall(b"BEGIN\r\n")
        self.send(message("Hello", path="/org/freedesktop/DBus", interface="org.freedesktop.DBus", destination="org.freedesktop.DBus"))
        self.socket.recv(1)  # accepted by the bus

    def _line(self, start):
        line = b""
        while not line.endswith(b"\r\n"):
            got = self.socket.recv(1)
            if not got:
                raise ConnectionError("refused by the bus")
            line += got
        if not line.startswith(start):
            raise ConnectionError(line.decode())

    def blob(self, m):
        self.serial += 1
        m.set_serial(self.serial)
        return m.to_blob(Gio.DBusCapabilityFlags.UNIX_FD_PASSING)

    def send(self, m):
        self.socket.sendall(self.blob(m))

    def send_files(self, m, fds):
        m.set_unix_fd_list(Gio.UnixFDList.new_from_array([os.dup(fd) for fd in fds]))
        socket.send_fds(self.socket, [self.blob(m)], fds)

    def cut_off(self, seconds=20):
        """Whether the bus has closed the connection."""
        end = time.monotonic() + seconds
        self.socket.settimeout(1)
        while time.monotonic() < end:
            try:
                if not self.socket.recv(65536):
                    return True
            except TimeoutError:
                continue
            except ConnectionError:
                return True
        return False

    def close(self):
        self.socket.close()
