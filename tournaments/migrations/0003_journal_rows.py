from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_refuse_changes")]

    operations = [
        migrations.AddField("journalentry", "rows", models.JSONField(blank=True, null=True)),
        migrations.DeleteModel("Origin"),
    ]
