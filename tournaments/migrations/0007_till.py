"""Cards, the receipt of a difference, and tables of banks whose columns were chosen."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_pays_later")]

    operations = [
        migrations.AlterField(
            model_name="receipt",
            name="method",
            field=models.CharField(
                choices=[
                    ("cash", "bar"),
                    ("card", "Karte"),
                    ("bank", "Überweisung"),
                    ("internal", "Umbuchung"),
                ],
                max_length=10,
                verbose_name="Zahlungsweg",
            ),
        ),
        migrations.AddField(
            model_name="receipt",
            name="difference_of",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="booked_by",
                to="tournaments.cashcount",
            ),
        ),
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
            },
        ),
    ]
