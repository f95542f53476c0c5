#!/usr/bin/python3
"""Whole sessions, once in English and once in German. TAP on stdout; RF_ONLY (a pattern) picks some for debugging."""
import os
import pathlib
import re
import subprocess
import sys
import time
import traceback

import machine
from window import Person, Window
from words import Words

SESSIONS = []
PASSWORD, WRONG = "geheim", "falsch"


def session(f):
    SESSIONS.append(f)
    return f


def as_before(before, what="afterwards"):
    changed = machine.difference(before, machine.settings())
    assert not changed, f"{what} these settings differ: {changed}"
    assert not machine.our_files(), f"{what} these files are left: {machine.our_files()}"


def wait_as_before(window, before):
    window.wait("every setting as before", lambda: not machine.difference(before, machine.settings()), 30)
    as_before(before)


def walk_to_review(w, pictures=False):
    """From the overview through the wizard to the page before “Apply”."""
    raise NotImplementedError
