"""Every chain gets its seal, so that from now on one without is a chain that was bent."""

import hmac

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def seal(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Seal the last entry of each chain as ``journal.services.end_mac`` does."""
    for chain in apps.get_model("tournaments", "JournalChain").objects.all():
        text = f"hash:journal:{chain.scope}:{chain.last_number}:{chain.last_hash}"
        chain.mac = hmac.digest(settings.INSTALLATION_KEY(), text.encode(), "sha256").hex()
        chain.save(update_fields=["mac"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_sealed_journal")]

    operations = [migrations.RunPython(seal, migrations.RunPython.noop)]
