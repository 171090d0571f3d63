"""Whether an own page gathers the results of its player."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0014_file_of_registrations"),
    ]

    operations = [
        migrations.AddField(
            model_name="registration",
            name="shows_history",
            field=models.BooleanField(default=False, verbose_name="eigene Turniere zeigen"),
        ),
    ]
