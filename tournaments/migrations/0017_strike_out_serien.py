from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0016_end_lists_early")]

    operations = [
        migrations.AddField(
            model_name="serie",
            name="struck_out",
            field=models.CharField(
                blank=True,
                default="",
                editable=False,
                max_length=500,
                verbose_name="entfällt, weil",
            ),
            preserve_default=False,
        ),
    ]
