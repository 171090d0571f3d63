"""Goes back to the tables of an earlier migration, and forth again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def migrated_to(name: str) -> Any:
    """Carry migrations out or take them back; return the models of then."""
    executor = MigrationExecutor(connection)
    executor.migrate([("tournaments", name)])
    return executor.loader.project_state([("tournaments", name)]).apps


@contextmanager
def models_of(name: str) -> Iterator[Any]:
    """Give the models of an earlier migration; afterwards all are carried out again."""
    yield migrated_to(name)
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes("tournaments"))
