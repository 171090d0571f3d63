"""Lets the tests' own emptying of the database past the append-only triggers, and quickly.

Tests that need real transactions are cleaned up by emptying all tables, which is just what
the triggers refuse. The emptying, and only it, takes the triggers away and puts them back.
Afterwards Django would write a name and four permissions for each model again, which takes
longer than all the rest; the program has roles instead and asks for neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from django.contrib.contenttypes.management import create_contenttypes
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.models.signals import post_migrate

migration = import_module("tournaments.migrations.0002_refuse_changes")


class _Editor:
    """As much of a schema editor as the migration uses, without its own transaction."""

    connection = connection

    def execute(self, sql: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql)


@contextmanager
def triggers_removed() -> Iterator[None]:
    """Leave the append-only tables unguarded for as long as the block lasts."""
    migration.allow_changes(None, _Editor())
    try:
        yield
    finally:
        migration.refuse_changes(None, _Editor())


def let_flush_pass() -> None:
    """Wrap the emptying of the database for tests; call once per process."""
    operations = type(connection.ops)
    original = operations.execute_sql_flush

    def execute_sql_flush(self: BaseDatabaseOperations, sql_list: Sequence[str]) -> Any:
        with triggers_removed():
            return original(self, sql_list)

    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)
    operations.execute_sql_flush = execute_sql_flush  # type: ignore[method-assign,assignment]
