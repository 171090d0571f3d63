"""Journal and cash book only ever grow: the database itself refuses the rest."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

TABLES = (
    "tournaments_journalentry",
    "tournaments_receipt",
    "tournaments_cashentry",
    "tournaments_cashcount",
)
FUNCTION = """
CREATE OR REPLACE FUNCTION romme_append_only() RETURNS trigger AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation',
        MESSAGE = 'append-only: ' || TG_TABLE_NAME || ' is never changed or deleted';
END;
$$ LANGUAGE plpgsql
"""


def refuse_changes(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Add one trigger against UPDATE and one against DELETE to each table."""
    if editor.connection.vendor == "postgresql":
        editor.execute(FUNCTION)
        for table in TABLES:
            editor.execute(
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table}"
                " FOR EACH ROW EXECUTE FUNCTION romme_append_only()"
            )
        return
    for table in TABLES:
        for act in ("UPDATE", "DELETE"):
            editor.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} BEGIN"
                f" SELECT RAISE(ABORT, 'append-only: {table} is never changed or deleted'); END"
            )


def allow_changes(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away again."""
    if editor.connection.vendor == "postgresql":
        for table in TABLES:
            editor.execute(f"DROP TRIGGER {table}_append_only ON {table}")
        editor.execute("DROP FUNCTION romme_append_only()")
        return
    for table in TABLES:
        for act in ("update", "delete"):
            editor.execute(f"DROP TRIGGER {table}_no_{act}")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_people_registrations_cash_journal")]

    operations = [migrations.RunPython(refuse_changes, allow_changes)]
