"""The database brought up to date, before the program or one of its commands uses it."""

from __future__ import annotations

from collections.abc import Callable

from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _


def bring_up_to_date(beginning: Callable[[], None] = lambda: None) -> bool:
    """Carry out the migrations that are missing; say whether there was no database before.

    Quick where none is missing; otherwise *beginning* is called first.

    Raises:
        CommandError: if an earlier version has left it at a state there is no way from.
    """
    executor = MigrationExecutor(connection)
    loader = executor.loader
    # Django leaves a migration out that replaces others of which only some were carried out,
    # and would call the database complete.
    if loader.replacements.keys() - loader.graph.nodes.keys():
        raise CommandError(
            _(
                "Diese Datenbank ist von einer früheren Fassung, von der aus sie sich nicht "
                "umstellen lässt. Bitte mit der früheren Fassung jedes Turnier als Archiv "
                "sichern und hier in eine neue Datenbank einlesen; docs/operating.md zeigt es "
                "unter „Neue Fassung“."
            )
        )
    if executor.migration_plan(loader.graph.leaf_nodes()):
        beginning()
        call_command("migrate", verbosity=0, interactive=False)
    return not loader.applied_migrations
