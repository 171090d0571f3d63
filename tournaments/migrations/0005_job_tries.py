"""A job knows how often it was begun."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_called_off")]

    operations = [
        migrations.AddField(
            model_name="job",
            name="tries",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
