"""Sees to it that there are backups, and something for the laptop that stands by to fetch.

A process beside the server, so that no page waits for it. Each server starts one; they take turns
by a lock on the folder of the backups, and each ends with its server, whose end of a pipe closes.
"""

from __future__ import annotations

import signal
from contextlib import suppress

from django.db import connections

from tournaments.backup import keeping, standby
from tournaments.machine import systems as machine

SECONDS = 1.0
NICE = 10


def watch() -> None:
    """Look every second until standard input ends."""
    machine.step_back(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server; this follows it
    ended = machine.at_end_of_input()
    while not ended.wait(SECONDS):
        with keeping.locked("waechter", wait=False) as is_mine:
            while is_mine and not ended.wait(SECONDS):
                look()


def look() -> None:
    """Do what is due; what cannot be done stands on the page, and is tried again."""
    try:
        keeping.touch("wache")
        if standby.is_followed():
            standby.offer()
        if keeping.take_wish():
            keeping.save_now()
        keeping.save_if_due()
        keeping.copy_to_second()
    except Exception as problem:  # noqa: BLE001 - whatever fails now must not end the watching
        with suppress(OSError):  # the folder itself may be what is broken
            keeping.note_failure(problem)
        connections.close_all()
