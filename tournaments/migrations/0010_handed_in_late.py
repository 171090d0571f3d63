"""A list can be handed in late, which the tariff of the Bußgeld may put a price on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_prize_parts")]

    operations = [
        migrations.AddField(
            model_name="spielliste",
            name="is_late",
            field=models.BooleanField(default=False, verbose_name="zu spät abgegeben"),
        ),
    ]
