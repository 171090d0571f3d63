"""Which of several hosts with one PostgreSQL makes the backups."""

from __future__ import annotations

from contextlib import suppress

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

LOCK = 76_663  # a key that nobody else asks for: „ROMME“ on the keys of a phone
SILENCE = "5min"  # after which the server lets another host have it; longer than a backup takes


class OneOfAll:
    """An advisory lock on the database; one process of all hosts holds it.

    It belongs to a transaction on a connection of its own, which no pooler shares with others.
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
                    cursor.execute("SELECT 1")  # a sign of life
            except DatabaseError:
                self.release()
        if not self._is_mine:
            self._is_mine = self._take()
        return self._is_mine

    def _take(self) -> bool:
        self._line.set_autocommit(False)
        with self._line.cursor() as cursor:
            cursor.execute(f"SET LOCAL idle_in_transaction_session_timeout = '{SILENCE}'")
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
            (is_mine,) = cursor.fetchone()
        if not is_mine:
            self._line.rollback()
        return bool(is_mine)

    def release(self) -> None:
        """Let another process have the lock."""
        self._is_mine = False
        with suppress(DatabaseError):
            self._line.rollback()  # at once; the server sees only later that a connection is closed
        with suppress(DatabaseError):
            self._line.close()
