"""What the operator writes on every receipt: an address, and a line about tax."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0011_floor")]

    operations = [
        migrations.AlterField(
            model_name="legaltext",
            name="name",
            field=models.CharField(
                choices=[
                    ("impressum", "Impressum"),
                    ("datenschutz", "Datenschutz"),
                    ("belege", "Angaben auf Belegen"),
                ],
                max_length=20,
                unique=True,
            ),
        ),
    ]
