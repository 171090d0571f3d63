"""A tournament can be called off, with a reason."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_journal_rows")]

    operations = [
        migrations.RemoveConstraint(model_name="tournament", name="tournament_status_known"),
        migrations.AddField(
            model_name="tournament",
            name="called_off_reason",
            field=models.CharField(
                blank=True,
                editable=False,
                max_length=500,
                verbose_name="abgesagt, weil",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="status",
            field=models.CharField(
                choices=[
                    ("draft", "Entwurf"),
                    ("announced", "ausgeschrieben"),
                    ("running", "läuft"),
                    ("closed", "abgeschlossen"),
                    ("called_off", "abgesagt"),
                ],
                default="draft",
                max_length=10,
                verbose_name="Stand",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    status__in=["draft", "announced", "running", "closed", "called_off"]
                ),
                name="tournament_status_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(models.Q(status="called_off"), ~models.Q(called_off_reason=""))
                | models.Q(~models.Q(status="called_off"), called_off_reason=""),
                name="tournament_called_off_has_reason",
            ),
        ),
    ]
