"""A receipt knows the count of the till whose difference it books."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_pays_later")]

    operations = [
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
