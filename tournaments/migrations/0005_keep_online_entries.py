"""Tables for what people send through the public form."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0004_keep_person_imports"),
    ]

    operations = [
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="E-Mail")),
                ("address_hash", models.CharField(blank=True, max_length=64)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "Sendung aus dem Internet",
                "verbose_name_plural": "Sendungen aus dem Internet",
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="EntryLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("registered", "gemeldet"),
                            ("open", "zu klären"),
                            ("dismissed", "nicht angenommen"),
                        ],
                        max_length=10,
                    ),
                ),
                ("first_name", models.CharField(max_length=80, verbose_name="Vorname")),
                ("last_name", models.CharField(max_length=80, verbose_name="Nachname")),
                ("club_name", models.CharField(blank=True, max_length=120, verbose_name="Verein")),
                (
                    "birth_year",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="Jahrgang"
                    ),
                ),
                (
                    "gender",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("f", "weiblich"),
                            ("m", "männlich"),
                            ("d", "divers"),
                            ("", "keine Angabe"),
                        ],
                        max_length=1,
                        verbose_name="Geschlecht",
                    ),
                ),
                (
                    "publish_consent",
                    models.BooleanField(
                        default=False, verbose_name="darf öffentlich mit Namen genannt werden"
                    ),
                ),
                ("is_new_person", models.BooleanField(default=False)),
                (
                    "withdrawn_at",
                    models.DateTimeField(
                        blank=True, null=True, verbose_name="über den Link abgemeldet"
                    ),
                ),
                (
                    "category",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tournaments.category",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lines",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "rankings",
                    models.ManyToManyField(blank=True, related_name="+", to="tournaments.ranking"),
                ),
                (
                    "registration",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entry_lines",
                        to="tournaments.registration",
                    ),
                ),
            ],
            options={
                "verbose_name": "Meldung aus dem Internet",
                "verbose_name_plural": "Meldungen aus dem Internet",
                "ordering": ["position"],
            },
        ),
        migrations.CreateModel(
            name="TeamWish",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=80, verbose_name="Wunsch")),
                (
                    "line",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="wishes",
                        to="tournaments.entryline",
                    ),
                ),
                (
                    "ranking",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="wishes",
                        to="tournaments.ranking",
                    ),
                ),
            ],
            options={
                "verbose_name": "Mannschaftswunsch",
                "verbose_name_plural": "Mannschaftswünsche",
                "ordering": ["pk"],
            },
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["tournament", "created_at"], name="entry_by_time"),
        ),
        migrations.AddConstraint(
            model_name="entryline",
            constraint=models.UniqueConstraint(
                fields=("entry", "position"), name="entry_line_position_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="entryline",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("registration__isnull", False), ("status", "registered")),
                    models.Q(("registration__isnull", True), ("status__in", ["open", "dismissed"])),
                    _connector="OR",
                ),
                name="entry_line_registered_has_registration",
            ),
        ),
        migrations.AddConstraint(
            model_name="teamwish",
            constraint=models.UniqueConstraint(fields=("line", "ranking"), name="team_wish_once"),
        ),
        migrations.AddConstraint(
            model_name="teamwish",
            constraint=models.CheckConstraint(
                condition=models.Q(("text", ""), _negated=True), name="team_wish_has_text"
            ),
        ),
    ]
