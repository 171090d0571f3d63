"""A table for files of persons on their way in."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0003_substitution_without_account"),
    ]

    operations = [
        migrations.CreateModel(
            name="PersonImport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("file_name", models.CharField(max_length=120, verbose_name="Datei")),
                ("rows", models.JSONField()),
                ("choices", models.JSONField(blank=True, default=dict)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "Einlesevorgang",
                "verbose_name_plural": "Einlesevorgänge",
                "ordering": ["-created_at"],
            },
        ),
    ]
