"""The process that makes backups when due.

It runs beside the server, so that no request waits for it. Each server starts one; a lock on the
folder of the backups lets one at a time work, and each ends when its server closes the pipe.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from multiprocessing.connection import Connection

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from tournaments.backup import generations, saving, second_folder, standby, status_file
from tournaments.machine import jobs, operating_system

LOCK = 76_663  # a key of its own: „ROMME“ on the keys of a phone
IDLE_TIMEOUT = "5min"  # after which PostgreSQL releases the lock; longer than a backup takes


class HostLock:
    """An advisory lock on the database; one process of all hosts holds it.

    It belongs to a transaction on a connection of its own, which no pooler shares.
    """

    def __init__(self) -> None:
        self._line = connections.create_connection(DEFAULT_DB_ALIAS)
        self._is_mine = False

    def is_this_one(self) -> bool:
        """Whether this process holds the lock, now or from now on; SQLite has one host only."""
        if self._line.vendor == "sqlite":
            return True
        if self._is_mine:
            try:
                with self._line.cursor() as cursor:
                    cursor.execute("SELECT 1")  # a heartbeat
            except DatabaseError:
                self.release()
        if not self._is_mine:
            self._is_mine = self._take()
        return self._is_mine

    def _take(self) -> bool:
        self._line.set_autocommit(False)
        with self._line.cursor() as cursor:
            cursor.execute(f"SET LOCAL idle_in_transaction_session_timeout = '{IDLE_TIMEOUT}'")
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
            (is_mine,) = cursor.fetchone()
        if not is_mine:
            self._line.rollback()
        return bool(is_mine)

    def release(self) -> None:
        """Let another process have the lock."""
        self._is_mine = False
        with suppress(DatabaseError):
            self._line.rollback()  # PostgreSQL notices a closed connection only later
        with suppress(DatabaseError):
            self._line.close()


SECONDS = 1.0
TAKEOVER_SECONDS = 5.0  # between questions whether another laptop has taken over
JOBS_INTERVAL = timedelta(seconds=10)
NICE = 10


def run(server: Connection, regularly: Sequence[Callable[[], object]] = ()) -> None:
    """Call :func:`run_due` every second until the server ends.

    Args:
        server: a pipe; the server holds its other end.
        regularly: further functions to call every ten seconds, unless the laptop is replaced.
    """
    operating_system.lower_priority(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the server, and this process with it
    ended = operating_system.closed_event(server)
    threading.Thread(target=_poll_takeover, args=(ended,), daemon=True).start()
    is_over = False
    while not is_over:
        with status_file.locked("waechter", wait=False) as is_mine:
            hosts = HostLock()
            while is_mine and not is_over:
                run_due(hosts, regularly)
                is_over = ended.wait(SECONDS)
        is_over = is_over or ended.wait(SECONDS)


def _poll_takeover(ended: threading.Event) -> None:
    """Poll for a takeover by the standby laptop, in a thread of its own: timeouts are long."""
    while not ended.wait(TAKEOVER_SECONDS):
        with suppress(DatabaseError, OSError):
            standby.check_takeover()
        connections.close_all()


def run_due(hosts: HostLock | None = None, regularly: Sequence[Callable[[], object]] = ()) -> None:
    """Do all due work; a failure is stored for the page, and retried."""
    try:
        status_file.touch("wache")
        is_looked_for = status_file.happened_within("auftraege", JOBS_INTERVAL)
        if not is_looked_for and not generations.is_replaced():
            status_file.touch("auftraege")
            for due in (jobs.respawn, *regularly):
                due()
        if saving.is_requested():
            saving.save_requested()
        if settings.SAVES_ITSELF:
            if hosts is not None and not hosts.is_this_one():
                status_file.touch("anderswo")
            else:
                saving.save_if_due()
        second_folder.copy_to_second()
    except Exception as problem:  # noqa: BLE001 - no failure may end the watching
        with suppress(OSError):  # the folder itself may be broken
            status_file.note_failure(problem)
        connections.close_all()
