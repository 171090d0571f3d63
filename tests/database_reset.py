"""Empties the database after transactional tests, quickly and despite the triggers.

Django would truncate all tables after such a test, which the append-only triggers refuse; so the
tables are emptied before. Only tables with rows are deleted from: a test fills few tables, and
PostgreSQL makes new files for each truncated one. Django would also recreate a name and four
permissions for each model, which takes longer than all the rest; the program uses roles instead.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from django.apps import apps
from django.db import connection, transaction

from tournaments.journal.append_only import triggers_off


class NothingLeft:
    """A database router by which Django finds no tables once all are empty."""

    is_empty = False

    def allow_migrate(self, *_names: str, **_hints: object) -> bool | None:
        return False if self.is_empty else None


def empty_all() -> None:
    """Delete every row of every model."""
    models = apps.get_models(include_auto_created=True)
    tables = sorted({connection.ops.quote_name(model._meta.db_table) for model in models})
    asked = (f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in tables)  # noqa: S608
    # Asked and emptied in one transaction: an open page may still be about to write.
    with transaction.atomic(), _unguarded(), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        for (table,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608


def _unguarded() -> AbstractContextManager[None]:
    if connection.vendor != "postgresql":
        return triggers_off()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
    return nullcontext()
