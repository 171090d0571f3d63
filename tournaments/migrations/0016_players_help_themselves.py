"""Players check in on their own phones, and are told their seats by mail, where the club wants."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0015_history")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="self_check_in",
            field=models.BooleanField(default=False, verbose_name="Selbst abhaken am Turniertag"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="mails_seats",
            field=models.BooleanField(default=False, verbose_name="Plätze per E-Mail"),
        ),
        migrations.RenameField(model_name="codeguess", old_name="table_number", new_name="number"),
        migrations.AddField(
            model_name="codeguess",
            name="for_player",
            field=models.BooleanField(default=False),
        ),
    ]
