"""Let chains that were begun before know their last entry."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def fill(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Take over number and hash of each chain's last entry."""
    for chain in apps.get_model("tournaments", "JournalChain").objects.all():
        last = chain.entries.order_by("-number").first()
        if last is not None:
            chain.last_number, chain.last_hash = last.number, last.hash
            chain.save(update_fields=["last_number", "last_hash"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0020_journal_knows_its_last_entry")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
