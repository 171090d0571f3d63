"""Mark the tournament to look at and its persons where they are from before the mark."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def find(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Take the one its accounts were made for; they end if somebody has one of their own."""
    users = apps.get_model("tournaments", "User").objects
    memberships = apps.get_model("tournaments", "Membership").objects
    persons = apps.get_model("tournaments", "Person").objects
    first = memberships.filter(user__is_demo=True).order_by("pk").first()
    if first is not None:
        demo = first.tournament
        demo.is_demo = True
        demo.save(update_fields=["is_demo"])
        registrations = apps.get_model("tournaments", "Registration").objects
        elsewhere = registrations.exclude(tournament=demo).values("person")
        there = registrations.filter(tournament=demo).values("person")
        persons.filter(pk__in=there).exclude(pk__in=elsewhere).update(is_demo=True)
    if users.filter(is_demo=False).exists():
        users.filter(is_demo=True).update(is_active=False)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_mark_the_demo")]

    operations = [migrations.RunPython(find, migrations.RunPython.noop)]
