"""Members with a pass, and closed tournaments that ask for it."""

from django.db import migrations, models

_NUMBER = "Pass- oder Mitgliedsnummer"
_ADMISSIONS = [
    ("listed", "Andere werden abgelehnt, außer als Ausnahme mit Grund"),
    ("approval", "Andere warten, bis die Spielleitung zustimmt"),
    ("members", "Nur mit gültigem Pass; andere warten, bis die Spielleitung zustimmt"),
]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0022_member_numbers_once")]

    operations = [
        migrations.AddField(
            model_name="person",
            name="member_until",
            field=models.DateField(blank=True, null=True, verbose_name="Pass gültig bis"),
        ),
        migrations.AlterField(
            model_name="person",
            name="member_number",
            field=models.CharField(blank=True, max_length=40, verbose_name=_NUMBER),
        ),
        migrations.AddField(
            model_name="entryline",
            name="member_number",
            field=models.CharField(blank=True, max_length=40, verbose_name=_NUMBER),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="admission",
            field=models.CharField(
                blank=True,
                choices=_ADMISSIONS,
                max_length=10,
                verbose_name="Wer auf keiner Liste steht",
            ),
        ),
        migrations.RemoveConstraint(model_name="tournament", name="tournament_admission_of_closed"),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                name="tournament_admission_of_closed",
                condition=models.Q(admission="")
                | models.Q(is_open=False, admission__in=["listed", "approval", "members"]),
            ),
        ),
        migrations.AddConstraint(
            model_name="person",
            constraint=models.UniqueConstraint(
                fields=["owner", "member_number"],
                name="person_member_number_once",
                condition=~models.Q(member_number="") & models.Q(merged_into__isnull=True),
                violation_error_message=(
                    "Diese Pass- oder Mitgliedsnummer hat schon jemand anderes. Bitte die Nummer "
                    "prüfen; ist es dieselbe Person, beide zusammenführen."
                ),
            ),
        ),
    ]
