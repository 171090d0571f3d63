"""The process that makes backups when due.

It runs beside the server, so that no page waits for it. Each server starts one; a lock on the
folder of the backups lets one at a time work, and each ends when its server closes the pipe.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, connections

from tournaments.backup import generations, keeping, standby
from tournaments.backup.hosts import OneOfAll
from tournaments.machine import jobs
from tournaments.machine import systems as machine

SECONDS = 1.0
ASK_SECONDS = 5.0  # between questions whether another laptop has taken over
BETWEEN_LOOKS_AT_JOBS = timedelta(seconds=10)
NICE = 10


def watch(regularly: Sequence[Callable[[], object]] = ()) -> None:
    """Call :func:`look` every second until standard input ends.

    Args:
        regularly: what else is done every ten seconds, on the laptop that has not been replaced.
    """
    machine.step_back(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the server, and this process with it
    ended = machine.at_end_of_input()
    threading.Thread(target=_ask, args=(ended,), daemon=True).start()
    while not ended.wait(SECONDS):
        with keeping.locked("waechter", wait=False) as is_mine:
            hosts = OneOfAll()
            while is_mine and not ended.wait(SECONDS):
                look(hosts, regularly)


def _ask(ended: threading.Event) -> None:
    """Ask whether another laptop has taken over; apart, because nobody may answer there."""
    while not ended.wait(ASK_SECONDS):
        with suppress(DatabaseError, OSError):
            standby.look_for_takeover()
        connections.close_all()


def look(hosts: OneOfAll | None = None, regularly: Sequence[Callable[[], object]] = ()) -> None:
    """Do what is due; a failure is stored for the page, and tried again."""
    try:
        keeping.touch("wache")
        is_looked_for = keeping.happened_within("auftraege", BETWEEN_LOOKS_AT_JOBS)
        if not is_looked_for and not generations.is_replaced():
            keeping.touch("auftraege")
            for due in (jobs.respawn, *regularly):
                due()
        if keeping.take_wish():
            keeping.save_now()
        if settings.SAVES_ITSELF:
            if hosts is not None and not hosts.is_this_one():
                keeping.touch("anderswo")
            else:
                keeping.save_if_due()
        keeping.copy_to_second()
    except Exception as problem:  # noqa: BLE001 - no failure may end the watching
        with suppress(OSError):  # the folder itself may be broken
            keeping.note_failure(problem)
        connections.close_all()
