"""Lets the tests' own emptying of the database past the append-only triggers, and quickly.

Tests that need real transactions are cleaned up by emptying all tables, which is just what
the triggers refuse. The emptying, and only it, goes without them. It deletes from what holds
anything: a test fills few tables, and PostgreSQL makes new files for each that is truncated.
Afterwards Django would write a name and four permissions for each model again, which takes
longer than all the rest; the program has roles instead and asks for neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

from django.contrib.contenttypes.management import create_contenttypes
from django.core.management.color import Style
from django.db import connection, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.models.signals import post_migrate

from tournaments.journal.append_only import triggers_off


def let_flush_pass() -> None:
    """Replace the emptying of the database for tests; call once per process."""
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)
    operations = type(connection.ops)
    operations.sql_flush = _quoted  # type: ignore[method-assign,assignment]
    operations.execute_sql_flush = _empty  # type: ignore[method-assign,assignment]


def _quoted(
    self: BaseDatabaseOperations, _style: Style, tables: Iterable[str], **_options: bool
) -> list[str]:
    """Return what is emptied; Django hands it on to what it calls next."""
    return [self.quote_name(table) for table in tables]


def _empty(_self: BaseDatabaseOperations, tables: Sequence[str]) -> None:
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
