from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0020_language_of_documents"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="is_trial_run",
            field=models.BooleanField(default=False, editable=False, verbose_name="Probelauf"),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("is_trial_run", False), ("is_demo", True), _connector="OR"),
                name="tournament_trial_run_is_made_up",
            ),
        ),
    ]
