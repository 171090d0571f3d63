"""Derive the keys of persons anew: titles and additions no longer hide a namesake."""

from __future__ import annotations

from django.db import migrations

from tournaments.common.person_names import bare, person_key


def derive(apps, schema_editor):
    Person = apps.get_model("tournaments", "Person")
    changed = []
    for person in Person.objects.only("first_name", "last_name", "sort_key").iterator():
        if any(bare(name) != name for name in (person.first_name, person.last_name)):
            person.sort_key = person_key(person.last_name, person.first_name)
            changed.append(person)
    Person.objects.bulk_update(changed, ["sort_key"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_keep_choices_of_rankings")]

    operations = [migrations.RunPython(derive, migrations.RunPython.noop)]
