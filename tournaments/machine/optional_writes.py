"""Optional writes of pages that only read: they do not wait for other writers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import DatabaseError, connection, transaction

from tournaments.common.errors import failure_of

ResultT = TypeVar("ResultT")


def write_if_possible(write: Callable[[], ResultT], *, seconds: float = 0) -> ResultT | None:
    """Return what *write* returns, done in a transaction of its own.

    None if the database is full, read-only, or locked by another writer for *seconds*: the page is
    answered without it. Within a transaction, which has waited already, the usual timeout holds.
    """
    try:
        with _lock_timeout(round(seconds * 1000)):
            return write()
    except DatabaseError as problem:
        if failure_of(problem) is None:
            raise
        return None


@contextmanager
def _lock_timeout(milliseconds: int) -> Iterator[None]:
    """Let the transaction of the block wait no longer for others."""
    if connection.in_atomic_block:
        with transaction.atomic():
            yield
    elif connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            (before,) = cursor.execute("PRAGMA busy_timeout").fetchone()
            cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
        try:
            with transaction.atomic():
                yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute(f"PRAGMA busy_timeout = {before}")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {milliseconds or 1}")  # 0 would be no limit
            yield
