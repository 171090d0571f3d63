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
    operations.sql_flush = _delete_all  # type: ignore[method-assign,assignment]
    operations.execute_sql_flush = _execute  # type: ignore[method-assign,assignment]


def _delete_all(
    self: BaseDatabaseOperations, _style: Style, tables: Iterable[str], **_options: bool
) -> list[str]:
    """Return the statements that empty the *tables*; numbers go on where they are."""
    names = {table: self.quote_name(table) for table in tables}
    asked = (f"SELECT '{at}' WHERE EXISTS (SELECT 1 FROM {to})" for at, to in names.items())  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        return [f"DELETE FROM {names[table]}" for (table,) in cursor.fetchall()]  # noqa: S608


def _execute(_self: BaseDatabaseOperations, statements: Sequence[str]) -> None:
    with transaction.atomic(), _unguarded(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _unguarded() -> AbstractContextManager[None]:
    if connection.vendor != "postgresql":
        return triggers_off()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
    return nullcontext()
