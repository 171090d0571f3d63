"""Journal and cash book only ever grow: the database itself refuses the rest.

Besides UPDATE and DELETE there are two ways to lose a row, which neither database counts among
them: PostgreSQL empties a table with TRUNCATE, SQLite puts a row in the place of another with
INSERT OR REPLACE.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

# Each table, and what may stand there once only besides the primary key: a row with the same
# would take the other's place.
TABLES = {
    "tournaments_journalentry": ("chain_id", "number"),
    "tournaments_receipt": ("tournament_id", "number"),
    "tournaments_cashentry": (),
    "tournaments_cashcount": (),
}
FUNCTION = """
CREATE OR REPLACE FUNCTION romme_append_only() RETURNS trigger AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation',
        MESSAGE = 'append-only: ' || TG_TABLE_NAME || ' is never changed or deleted';
END;
$$ LANGUAGE plpgsql
"""


def refuse_changes(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Add triggers against every way to change or lose a row to each table."""
    if editor.connection.vendor == "postgresql":
        editor.execute(FUNCTION)
        for table in TABLES:
            for name, event, level in (
                ("append_only", "UPDATE OR DELETE", "ROW"),
                ("no_truncate", "TRUNCATE", "STATEMENT"),
            ):
                editor.execute(
                    f"CREATE TRIGGER {table}_{name} BEFORE {event} ON {table}"
                    f" FOR EACH {level} EXECUTE FUNCTION romme_append_only()"
                )
        return
    for table, unique in TABLES.items():
        same = " AND ".join(f"{column} = NEW.{column}" for column in unique) or "FALSE"
        replaces = f" WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id OR {same})"  # noqa: S608 - names
        for name, event, condition in (
            ("no_update", "UPDATE", ""),
            ("no_delete", "DELETE", ""),
            ("no_replace", "INSERT", replaces),
        ):
            editor.execute(
                f"CREATE TRIGGER {table}_{name} BEFORE {event} ON {table}{condition}"
                f" BEGIN SELECT RAISE(ABORT, 'append-only: {table} is never changed or deleted'); END"
            )


def allow_changes(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away again."""
    if editor.connection.vendor == "postgresql":
        # Its triggers go with the function.
        editor.execute("DROP FUNCTION romme_append_only() CASCADE")
        return
    for table in TABLES:
        for name in ("no_update", "no_delete", "no_replace"):
            editor.execute(f"DROP TRIGGER {table}_{name}")


class Migration(migrations.Migration):
    # An installation that carried out both of these has every trigger already.
    replaces = [("tournaments", "0002_append_only"), ("tournaments", "0022_nothing_replaced")]

    dependencies = [("tournaments", "0001_initial")]

    operations = [migrations.RunPython(refuse_changes, allow_changes)]
