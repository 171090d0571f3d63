"""Each member number belongs to one person of an organiser; of others it becomes a remark."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

_LONGEST_NOTE = 300


def move_repeated_numbers(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Leave a number to the person stored first; the others get it as the end of their remark."""
    persons = apps.get_model("tournaments", "Person").objects
    there: set[tuple[int, str]] = set()
    for person in persons.exclude(member_number="").filter(merged_into=None).order_by("pk"):
        key = (person.owner_id, person.member_number)
        if key in there:
            said = f"Mitgliedsnummer doppelt: {person.member_number}"
            kept = person.note[: _LONGEST_NOTE - len(said) - 2]
            person.note = "; ".join(filter(None, [kept, said]))
            person.member_number = ""
            person.save(update_fields=["note", "member_number"])
        there.add(key)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0021_honours")]

    operations = [migrations.RunPython(move_repeated_numbers, migrations.RunPython.noop)]
