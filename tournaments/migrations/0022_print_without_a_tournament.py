import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0021_mark_trial_runs"),
    ]

    operations = [
        migrations.AlterField(
            model_name="printeddocument",
            name="tournament",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="printed_documents",
                to="tournaments.tournament",
            ),
        ),
        migrations.AddConstraint(
            model_name="printeddocument",
            constraint=models.UniqueConstraint(
                condition=models.Q(("tournament", None)),
                fields=("name", "asked"),
                name="printed_document_of_nobody_once",
            ),
        ),
    ]
