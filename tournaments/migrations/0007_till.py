"""Money is paid by card too, and a receipt knows the count whose difference it books."""

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
    ]
