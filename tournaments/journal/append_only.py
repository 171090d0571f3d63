"""The only way past the triggers that make journal and cash book append-only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

_SQLITE = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
_POSTGRESQL = """
SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
"""


@contextmanager
def triggers_off() -> Iterator[None]:
    """Allow changing and deleting rows of any table for the duration of the block.

    Both databases do this within the transaction: no other transaction sees tables without
    triggers, and a killed process leaves them in place. Used by ``deletion.py``
    and by ``operator/services.py`` for names on receipts after their retention period.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A table with pending deferred constraints cannot be altered.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(_POSTGRESQL)
            tables = [table for (table,) in cursor.fetchall()]
            for table in tables:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            yield
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for table in tables:
                cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
            return
        cursor.execute(_SQLITE)
        triggers = cursor.fetchall()
        for name, _sql in triggers:
            cursor.execute(f'DROP TRIGGER "{name}"')
        yield
        for _name, sql in triggers:
            cursor.execute(sql)
