"""Mark accounts of one organiser that have the same display name: their log-in names are shown."""

from __future__ import annotations

from collections import Counter

from django.db import migrations


def mark(apps, schema_editor):
    User = apps.get_model("tournaments", "User")
    for organiser in apps.get_model("tournaments", "Organiser").objects.all():
        accounts = User.objects.filter(organisers__organiser=organiser)
        named = accounts.union(User.objects.filter(memberships__tournament__owner=organiser))
        names = dict(named.values_list("pk", "name"))
        often = Counter(name.casefold() for name in names.values())
        alike = [key for key, name in names.items() if often[name.casefold()] > 1]
        User.objects.filter(pk__in=alike).update(has_namesake=True)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_proposal_of_fewer_eyes")]

    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
