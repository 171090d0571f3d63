"""A prize may have several payouts: what a correction adds, or takes back."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0008_late_startgeld"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="prizepayout",
            name="prize_once_per_player",
        ),
        migrations.RemoveConstraint(
            model_name="prizepayout",
            name="prize_once_per_team",
        ),
        migrations.RemoveConstraint(
            model_name="prizepayout",
            name="prize_money_has_receipt",
        ),
        migrations.AddField(
            model_name="prizepayout",
            name="part",
            field=models.PositiveSmallIntegerField(default=1, verbose_name="Teil"),
        ),
        migrations.AlterField(
            model_name="prizepayout",
            name="amount_cents",
            field=models.IntegerField(default=0, verbose_name="ausgezahlt"),
        ),
        migrations.AddConstraint(
            model_name="prizepayout",
            constraint=models.UniqueConstraint(
                fields=("tournament", "pot", "ranking", "registration", "part"),
                name="prize_once_per_player",
                violation_error_message="Dieser Preis ist schon ausgegeben.",
            ),
        ),
        migrations.AddConstraint(
            model_name="prizepayout",
            constraint=models.UniqueConstraint(
                fields=("tournament", "pot", "ranking", "team", "part"),
                name="prize_once_per_team",
                violation_error_message="Dieser Preis ist schon ausgegeben.",
            ),
        ),
        migrations.AddConstraint(
            model_name="prizepayout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("amount_cents", 0), ("receipt__isnull", True)),
                    models.Q(
                        models.Q(("amount_cents", 0), _negated=True), ("receipt__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="prize_money_has_receipt",
                violation_error_message="Ausgezahltes Geld braucht einen Beleg.",
            ),
        ),
    ]
