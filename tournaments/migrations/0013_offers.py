"""Places that are offered to the waiting list, and for how many hours."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0012_receipt_text"),
    ]

    operations = [
        migrations.AddField(
            model_name="registration",
            name="ask_by_phone",
            field=models.BooleanField(default=False, verbose_name="telefonisch fragen"),
        ),
        migrations.AddField(
            model_name="registration",
            name="offered_until",
            field=models.DateTimeField(blank=True, null=True, verbose_name="Platz angeboten bis"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="offer_hours",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(336),
                ],
                verbose_name="Wer nachrückt, wird gefragt und hat so viele Stunden",
            ),
        ),
        migrations.AddConstraint(
            model_name="registration",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ask_by_phone", False), ("offered_until__isnull", True)),
                    models.Q(
                        ("approval", ""), ("offered_until__isnull", False), ("status", "waiting")
                    ),
                    _connector="OR",
                ),
                name="registration_offer_is_for_who_waits",
            ),
        ),
    ]
