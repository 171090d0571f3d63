"""The organiser says once where the tables stand in the hall."""

from django.db import migrations, models

import tournaments.models.floor


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_handed_in_late")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="floor",
            field=models.JSONField(
                blank=True,
                default=list,
                validators=[tournaments.models.floor.check_floor],
                verbose_name="Aufstellung der Tische",
            ),
        ),
    ]
