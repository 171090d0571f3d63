"""Connections are set up for what tables send, and seen from this side whether they still serve.

Django tries a connection at each request by a statement: a way there and back, which for an open
page that asks takes as long as its question. A server that ends, or a proxy before it, says so to
each connection, and that can be seen for nothing. Only of one that has not been used for a while
may the server be gone without a word; that one is asked.

What is asked hundreds of times in a second finds a few rows by their keys. PostgreSQL reckons with
disks that turn, where reading a table of some pages whole is cheaper than an index, and so it read
all tables of a hall for one of them. And it may plan a prepared statement anew at each execution,
which for joins that find one row takes several times as long as the answer.
"""

from __future__ import annotations

import selectors
from time import monotonic
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Cursor

ASKED_AFTER = 5.0  # seconds; no machine is down and up again within them

_FOR_FEW_ROWS = "SET random_page_cost = 1.1; SET plan_cache_mode = force_generic_plan"

_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)  # Windows has no poll


class _Kept(Cursor[Any]):
    """Takes one statement after the other: to make a cursor takes half as long as to use it."""

    def close(self) -> None:
        """Stay open for the next statement."""


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection of a thread; its backend is found by this name."""

    kept: _Kept  # its statements have their values beside them
    _tried_at = float("-inf")

    def init_connection_state(self) -> None:
        """Say what holds for all statements of a new connection."""
        super().init_connection_state()
        self.connection.execute(_FOR_FEW_ROWS)
        self.kept = _Kept(self.connection)

    def is_usable(self) -> bool:
        """Whether the connection serves; asks the server only if there is a reason."""
        quiet, self._tried_at = monotonic() - self._tried_at, monotonic()
        if quiet < ASKED_AFTER and not self._has_said_something():
            return True
        return super().is_usable()

    def _has_said_something(self) -> bool:
        """Whether there is something to read: the end, or a word nobody asked for."""
        with _Selector() as selector:
            selector.register(self.connection.fileno(), selectors.EVENT_READ)
            return bool(selector.select(0))
