from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0022_ties_by_lot"),
    ]

    operations = [
        migrations.AddField(
            model_name="registration",
            name="carried_points",
            field=models.IntegerField(blank=True, null=True, verbose_name="Punkte der Vorrunde"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="carries_points",
            field=models.BooleanField(
                default=False, verbose_name="Die Punkte der Vorrunde werden mitgenommen"
            ),
        ),
    ]
