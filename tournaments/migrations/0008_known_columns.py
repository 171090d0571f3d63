"""Tables of banks wait for their columns, and what was chosen is remembered."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_till")]

    operations = [
        migrations.AddField(
            model_name="personimport",
            name="tournament",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tournaments.tournament",
            ),
        ),
        migrations.CreateModel(
            name="KnownColumns",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("headings", models.CharField(max_length=64, unique=True)),
                ("columns", models.JSONField()),
            ],
            options={
                "verbose_name": "Spalten einer Bank",
                "verbose_name_plural": "Spalten von Banken",
            },
        ),
    ]
