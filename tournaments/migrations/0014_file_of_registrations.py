"""Files of registrations stand beside those of persons and of a bank."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_offers")]

    operations = [
        migrations.AddField(
            model_name="personimport",
            name="holds_registrations",
            field=models.BooleanField(default=False),
        ),
    ]
