"""Refuse the two ways past a trigger on UPDATE and DELETE: emptying, and putting in instead.

PostgreSQL empties a table with TRUNCATE, SQLite replaces a row with INSERT OR REPLACE, and
neither calls the row a changed or deleted one.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

# What may stand there once only, besides the primary key: a row with the same is replaced.
UNIQUE = {
    "tournaments_journalentry": ("chain_id", "number"),
    "tournaments_receipt": ("tournament_id", "number"),
    "tournaments_cashentry": (),
    "tournaments_cashcount": (),
}


def refuse_replacing(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Add one trigger against it to each table."""
    for table, unique in UNIQUE.items():
        if editor.connection.vendor == "postgresql":
            editor.execute(
                f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}"
                " FOR EACH STATEMENT EXECUTE FUNCTION romme_append_only()"
            )
            continue
        same = " AND ".join(f"{column} = NEW.{column}" for column in unique) or "FALSE"
        editor.execute(
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}"  # noqa: S608 - names
            f" WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id OR {same})"
            f" BEGIN SELECT RAISE(ABORT, 'append-only: {table} is never changed or deleted'); END"
        )


def allow_replacing(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away again."""
    for table in UNIQUE:
        if editor.connection.vendor == "postgresql":
            editor.execute(f"DROP TRIGGER {table}_no_truncate ON {table}")
        else:
            editor.execute(f"DROP TRIGGER {table}_no_replace")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0021_fill_last_journal_entries")]

    operations = [migrations.RunPython(refuse_replacing, allow_replacing)]
