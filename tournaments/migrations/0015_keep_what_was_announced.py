"""Tournaments announced before there was a word about the hall named nobody there unasked."""

from django.db import migrations


def keep_what_was_announced(apps, _editor):
    tournaments = apps.get_model("tournaments", "Tournament")
    tournaments.objects.exclude(status="draft").update(names_in_hall=False)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0014_names_in_the_hall")]

    operations = [migrations.RunPython(keep_what_was_announced, migrations.RunPython.noop)]
