"""A ranking of pairs that are not of one gender."""

from django.db import migrations, models

_KINDS = [
    ("single", "Einzel"),
    ("team", "Mannschaft"),
    ("tandem", "Tandem"),
    ("mixed", "gemischtes Tandem"),
    ("women", "Damen"),
    ("juniors", "Junioren"),
    ("seniors", "Senioren"),
]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0019_days")]

    operations = [
        migrations.AlterField(
            model_name="ranking",
            name="kind",
            field=models.CharField(choices=_KINDS, max_length=10, verbose_name="Wertung"),
        ),
        migrations.RemoveConstraint(model_name="ranking", name="ranking_size_where_needed"),
        migrations.AddConstraint(
            model_name="ranking",
            constraint=models.CheckConstraint(
                name="ranking_size_where_needed",
                condition=models.Q(kind="team", size__gte=2)
                | models.Q(kind__in=["tandem", "mixed"], size=2)
                | (~models.Q(kind__in=["team", "tandem", "mixed"]) & models.Q(size__isnull=True)),
                violation_error_message=(
                    "Eine Mannschaft hat mindestens zwei Personen, ein Tandem genau zwei."
                ),
            ),
        ),
    ]
