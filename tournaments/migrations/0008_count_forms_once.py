"""What forms sent is kept beside what tables sent, for a day, so that it counts once."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

OF_FORMS = models.Q(spielliste__isnull=True)


class Migration(migrations.Migration):
    """Let a submission be of no list, and find those of forms by key and by age."""

    dependencies = [("tournaments", "0007_seal_chains")]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="submissions",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="submission",
            name="spielliste",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="submissions",
                to="tournaments.spielliste",
            ),
        ),
        migrations.AddIndex(
            model_name="submission",
            index=models.Index(
                condition=OF_FORMS, fields=["created_at"], name="submission_of_forms"
            ),
        ),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.UniqueConstraint(
                condition=OF_FORMS, fields=("key",), name="submission_form_key_once"
            ),
        ),
    ]
