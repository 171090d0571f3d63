"""The Startgeld of who registers after the first Serie is full, a share, or nothing."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_till")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="late_startgeld",
            field=models.CharField(
                choices=[
                    ("full", "das ganze Startgeld"),
                    ("share", "den Anteil der Serien, die noch kommen"),
                    ("none", "kein Startgeld"),
                ],
                default="full",
                max_length=10,
                verbose_name="Wer nach der ersten Serie kommt, zahlt",
            ),
        ),
        migrations.AddField(
            model_name="registration",
            name="late_startgeld_cents",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="Startgeld nach der ersten Serie"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(late_startgeld__in=["full", "share", "none"]),
                name="tournament_late_startgeld_known",
            ),
        ),
    ]
