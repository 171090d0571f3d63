"""The Zeitplan of a tournament, and persons who play on some of its days."""

from django.db import migrations, models

from tournaments.models.schedule import check_schedule

_PLAYS_ON = models.CharField(blank=True, max_length=9, verbose_name="spielt an")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0017_organisers")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="schedule",
            field=models.JSONField(
                blank=True, default=list, validators=[check_schedule], verbose_name="Zeitplan"
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="day_startgeld",
            field=models.BooleanField(default=False, verbose_name="Startgeld nach Tagen"),
        ),
        migrations.AddField(model_name="registration", name="plays_on", field=_PLAYS_ON),
        migrations.AddField(model_name="entryline", name="plays_on", field=_PLAYS_ON.clone()),
        migrations.AlterField(
            model_name="screen",
            name="shows",
            field=models.CharField(default="welcome", max_length=80, verbose_name="zeigt"),
        ),
    ]
