"""What is there belongs to one organiser from now on, and what is made up to another one.

Chains of the journal stay as they are; a chain of an organiser begins with its first entry.
"""

from collections import Counter

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

_RIGHTS = [
    ("all", "alles"),
    ("persons", "Personen"),
    ("money", "Kasse"),
    ("named", "nur Turniere, in denen das Konto eine Rolle hat"),
]
_OWNED = {
    "tournament": "tournaments",
    "person": "persons",
    "club": "clubs",
    "season": "seasons",
    "personimport": "+",
}


def give_owners(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Give every tournament, person, club, season and file of persons to its organiser."""

    def rows(name: str) -> models.QuerySet:
        return models.QuerySet(apps.get_model("tournaments", name))

    tournaments, persons, clubs = rows("Tournament"), rows("Person"), rows("Club")
    accounts = rows("User").order_by("pk")
    organiser = apps.get_model("tournaments", "Organiser")
    made_up = {"is_demo": True}
    if any(found.filter(**made_up).exists() for found in (tournaments, persons, accounts)):
        practice = organiser.objects.create(name="Übungsturnier", is_practice=True)
        tournaments.filter(**made_up).update(owner=practice)
        persons.filter(**made_up).update(owner=practice)
        # A club of real persons, too, stays with them.
        clubs.filter(persons__is_demo=True).exclude(
            pk__in=persons.filter(is_demo=False, club__isnull=False).values("club")
        ).update(owner=practice)
        rows("PersonImport").filter(created_by__is_demo=True).update(owner=practice)
        _belong(apps, practice, accounts.filter(**made_up))
    real = accounts.filter(is_demo=False)
    rest = [rows(name).filter(owner=None) for name in _OWNED]
    if not any(found.exists() for found in (real, *rest)):
        return
    names = Counter(tournaments.filter(owner=None).values_list("organiser", flat=True))
    names.pop("", None)
    name = names.most_common(1)[0][0] if names else "Veranstalter"
    home = organiser.objects.create(name=name)
    for found in rest:
        found.update(owner=home)
    _belong(apps, home, real)


def _belong(apps: StateApps, organiser: models.Model, accounts: models.QuerySet) -> None:
    belonging = apps.get_model("tournaments", "OrganiserAccount")
    belonging.objects.bulk_create(
        belonging(organiser=organiser, user=user, right="all" if user.is_admin else "named")
        for user in accounts
    )


def check_at_once(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Check the new keys now: PostgreSQL changes no table that still has rows to check."""
    if editor.connection.vendor == "postgresql":
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0016_players_help_themselves")]

    operations = [
        migrations.CreateModel(
            name="Organiser",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=120, verbose_name="Name")),
                ("is_practice", models.BooleanField(default=False, editable=False)),
                (
                    "shares_members",
                    models.BooleanField(
                        default=False,
                        help_text="Sie finden und melden sie in ihren Turnieren; ändern können "
                        "sie nichts.",
                        verbose_name="Unsere Personen stehen unseren Vereinen zum Melden bereit",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="members",
                        to="tournaments.organiser",
                        verbose_name="gehört zu",
                        help_text="sieht die Ergebnisse der Turniere",
                    ),
                ),
            ],
            options={
                "verbose_name": "Veranstalter",
                "ordering": ["name", "pk"],
            },
        ),
        migrations.CreateModel(
            name="OrganiserAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "right",
                    models.CharField(
                        choices=_RIGHTS,
                        default="named",
                        max_length=10,
                        verbose_name="Recht",
                    ),
                ),
                (
                    "organiser",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="accounts",
                        to="tournaments.organiser",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="organisers",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "Konto eines Veranstalters",
                "constraints": [
                    models.UniqueConstraint(
                        fields=["organiser", "user"], name="organiser_account_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(right__in=["all", "persons", "money", "named"]),
                        name="organiser_right_known",
                    ),
                ],
            },
        ),
        migrations.AddField(
            "invitation",
            "organiser",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="invitations",
                to="tournaments.organiser",
            ),
        ),
        migrations.AddField(
            "invitation",
            "right",
            models.CharField(
                blank=True,
                choices=_RIGHTS,
                default="",
                max_length=10,
                verbose_name="Recht",
            ),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            "invitation",
            models.CheckConstraint(
                condition=models.Q(organiser__isnull=True, right="")
                | models.Q(
                    organiser__isnull=False,
                    right__in=["all", "persons", "money", "named"],
                    tournament=None,
                ),
                name="invitation_right_needs_organiser",
            ),
        ),
        migrations.AddField(
            "journalchain",
            "owner",
            models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="journal_chain",
                to="tournaments.organiser",
            ),
        ),
        *(
            migrations.AddField(
                model,
                "owner",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name=plural,
                    to="tournaments.organiser",
                ),
            )
            for model, plural in _OWNED.items()
        ),
        migrations.AlterField("club", "sort_key", models.CharField(editable=False, max_length=260)),
        migrations.AddConstraint(
            "club",
            models.UniqueConstraint(fields=["owner", "sort_key"], name="club_name_once"),
        ),
        migrations.RunPython(give_owners, migrations.RunPython.noop),
        migrations.RunPython(check_at_once, check_at_once),
        *(
            migrations.AlterField(
                model,
                "owner",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name=plural,
                    to="tournaments.organiser",
                ),
            )
            for model, plural in _OWNED.items()
        ),
        migrations.RemoveConstraint("tournament", "tournament_trial_run_is_made_up"),
        migrations.RemoveField("tournament", "is_demo"),
        migrations.RemoveField("person", "is_demo"),
    ]
