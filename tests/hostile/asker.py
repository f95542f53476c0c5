#!/usr/bin/python3
"""asker.py ADDRESS VALUE: asks for vm.swappiness = VALUE as a trial, with a password dialog if need be; says what came of it and
stays until it is ended."""
import sys
import time

from bus import INTERACTIVE, Caller, message
from gi.repository import GLib

caller = Caller(sys.argv[1])
plan = [("vm.swappiness", "", GLib.Variant("x", int(sys.argv[2])))]
answer = caller.send(message("Apply", GLib.Variant("(a(ssv)a{sv})", (plan, {})), flags=INTERACTIVE), 600)
print("answer:", answer.code() or "on trial", answer.text, flush=True)
while True:
    time.sleep(60)
