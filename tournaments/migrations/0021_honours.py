"""Seasons that are over, with their cup, and tournaments that other organisers offer to them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0020_mixed")]

    operations = [
        migrations.AddField(
            model_name="season",
            name="trophy",
            field=models.CharField(blank=True, max_length=80, verbose_name="Wanderpokal"),
        ),
        migrations.AddField(
            model_name="season",
            name="is_over",
            field=models.BooleanField(default=False, verbose_name="Die Saison ist zu Ende"),
        ),
        migrations.AddField(
            model_name="season",
            name="offered",
            field=models.ManyToManyField(
                blank=True, related_name="offered_to", to="tournaments.tournament"
            ),
        ),
    ]
