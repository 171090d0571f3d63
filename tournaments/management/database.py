"""Migration of the database, before the program or one of its commands uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from tournaments.backup.database_copy import BackupError, known_migrations
from tournaments.backup.saving import save_before_update
from tournaments.machine.operating_system import locked

_LOCK = 0x526F6D6D  # a number of its own among the locks of a PostgreSQL server
_LOCK_TIMEOUT = "15min"  # to save and migrate, while this process waits


def bring_up_to_date(
    beginning: Callable[[], None] = lambda: None, *, is_a_copy: bool = False
) -> bool:
    """Run the missing migrations; return whether there was no database before.

    If any is missing, *beginning* is called first, and a backup is made.

    Args:
        beginning: announces the migration.
        is_a_copy: whether the database is that of a backup, which is not saved again.

    Raises:
        CommandError: if the state of an earlier version cannot be migrated or saved; then nothing
            is changed.
    """
    loader = _loader()
    if not _is_behind(loader):
        return not loader.applied_migrations
    with _migration_lock():
        loader = _loader()  # another process may have done it while this one waited
        if _is_behind(loader):
            beginning()
            if not (_is_empty(loader) or is_a_copy):
                _save()
            call_command("migrate", verbosity=0, interactive=False)
    return not loader.applied_migrations


def save_other_version() -> tuple[str, Path] | None:
    """Return the version that ran here last, and the path of the backup of its state.

    None if it is this one, or its database is missing.

    Raises:
        CommandError: if it cannot be saved, or this version cannot use it.
    """
    noted = _version_file()
    before = noted.read_text(encoding="utf-8") if noted.exists() else settings.VERSION
    if before == settings.VERSION or _is_empty(_loader()):
        return None
    return before, _save()


def note_version() -> None:
    """Note that this version runs here, for :func:`save_other_version` of the next one."""
    _version_file().write_text(settings.VERSION, encoding="utf-8")


def _version_file() -> Path:
    return Path(settings.DATA_DIR, "version.txt")


def _save() -> Path:
    try:
        return save_before_update()
    except BackupError as problem:
        raise CommandError(str(problem)) from None


def _loader() -> MigrationLoader:
    loader = MigrationLoader(connection)
    _check_not_newer(loader)
    # Django leaves a migration out that replaces others of which only some were carried out,
    # and would call the database complete.
    if loader.replacements.keys() - loader.graph.nodes.keys():
        raise CommandError(
            _(
                "Diese Datenbank ist von einer früheren Version, von der aus sie sich nicht "
                "umstellen lässt. Bitte mit der früheren Version jedes Turnier als Archiv "
                "sichern und hier in eine neue Datenbank einlesen; docs/operating.md zeigt es "
                "unter „Neue Version“."
            )
        )
    return loader


def _is_empty(loader: MigrationLoader) -> bool:
    return not any(app == "tournaments" for app, _name in loader.applied_migrations)


def _check_not_newer(loader: MigrationLoader) -> None:
    """Refuse a database of a later version: this one would miss columns."""
    applied = {name for app, name in loader.applied_migrations if app == "tournaments"}
    newer = sorted(applied - known_migrations(loader))
    if newer:
        raise CommandError(
            _(
                "Diese Datenbank ist von einer neueren Version des Programms ({names}). Bitte die "
                "neuere benutzen, oder eine Sicherung von vorher zurückholen (Befehl „restore“)."
            ).format(names=", ".join(newer))
        )


def _is_behind(loader: MigrationLoader) -> bool:
    there_are = {
        node for leaf in loader.graph.leaf_nodes() for node in loader.graph.forwards_plan(leaf)
    }
    return not there_are <= loader.applied_migrations.keys()


@contextmanager
def _migration_lock() -> Iterator[None]:
    """Let one process at a time change the tables; the next one waits."""
    if connection.vendor == "sqlite":
        with locked(Path(f"{connection.settings_dict['NAME']}.lock")):
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{_LOCK_TIMEOUT}'")
        cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        cursor.execute("RESET lock_timeout")
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])
