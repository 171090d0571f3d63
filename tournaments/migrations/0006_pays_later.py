"""A registration can have a seat although its Startgeld is open."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_job_tries")]

    operations = [
        migrations.AddField(
            model_name="registration",
            name="pays_later",
            field=models.BooleanField(default=False, verbose_name="zahlt später"),
        ),
    ]
