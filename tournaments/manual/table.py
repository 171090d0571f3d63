"""At the table: the score sheet on a phone, or on paper."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.manual.base import ManualChapter, Picture, topic

CHAPTER = ManualChapter(
    slug="tisch",
    title=_("Am Tisch"),
    who=_("Wer die Liste führt"),
    day=(
        _("Code der Tischkarte scannen, „Die Liste auf diesem Gerät führen“."),
        _("Nach jedem Spiel: wer hat beendet, was zählen die anderen."),
        _("Zum Schluss lesen alle die Liste und unterschreiben."),
    ),
    pages=("table", "player", "hall:grid"),
    paragraphs=(
        topic(
            "oeffnen",
            _("Die Liste öffnen"),
            steps=(
                _("Mit der Kamera des Handys den Code auf der Tischkarte scannen."),
                _("Geht das nicht: die Adresse auf der Karte öffnen, die sechs Zeichen eintippen."),
                _(
                    "Ein Handy am Tisch wählt „Die Liste auf diesem Gerät führen“, die anderen "
                    "„Nur zusehen“."
                ),
                _("Sitzen alle richtig? Wenn nicht, gleich den Schiedsrichter rufen."),
            ),
        ),
        topic(
            "spiel",
            _("Ein Spiel eintragen"),
            _(
                "Oben steht, wer gibt. Erst antippen, wer beendet hat, dann die Punkte der "
                "anderen, mit „Weiter“ von einem zum nächsten. Bei Handrommé vorher „Hand“. Hat "
                "niemand beendet: „Niemand“."
            ),
            _(
                "Was unwahrscheinlich ist, fragt das Handy nach: „Stimmt das?“ Wer nicht rechnen "
                "mag, tippt auf „Karten zählen“ und gibt die Karten ein."
            ),
            _(
                "Oben rechts steht „gespeichert“. Steht dort etwas anderes, geht es trotzdem "
                "weiter: Die Spiele bleiben auf dem Handy und werden nachgereicht. Die Seite bitte "
                "offen lassen."
            ),
            picture=Picture(
                name="phone", alt=_("Ein Spiel am Handy: Wer hat beendet?"), kind="phone"
            ),
        ),
        topic(
            "aendern",
            _("Etwas stimmt nicht"),
            cases=(
                (
                    _("Falsch eingetragen"),
                    _(
                        "Auf die Zeile tippen und ändern. Wen es betrifft, der tippt selbst, dass "
                        "er einverstanden ist (§ 2.2.3)."
                    ),
                ),
                (
                    _("Streit am Tisch"),
                    _(
                        "„Schiedsrichter“ antippen und sagen, worum es geht. Am Tisch steht dann "
                        "„Der Schiedsrichter kommt“."
                    ),
                ),
                (_("Welche Regel gilt?"), _("„Mehr“, dann „Alle Spielregeln“.")),
                (_("Die Schrift ist zu klein"), _("„Mehr“, dann „Schrift auf diesem Gerät“.")),
                (
                    _("Der Akku ist leer"),
                    _(
                        "„Mehr“, „Dieses Gerät freigeben“; ein anderes scannt die Karte. Ist das "
                        "Handy schon aus, erlaubt die Spielleitung den Wechsel."
                    ),
                ),
            ),
        ),
        topic(
            "unterschreiben",
            _("Unterschreiben"),
            _(
                "Nach dem letzten Spiel lesen alle die ganze Liste, und jede Person unterschreibt "
                "selbst mit dem Finger (§ 2.2.4). Wer das nicht möchte, unterschreibt auf Papier. "
                "Danach bringt der Tisch Startkarten und Bußgeld zur Spielleitung."
            ),
            _(
                "Fällt später etwas auf, hilft „Um Berichtigung bitten“: Die Spielleitung "
                "entscheidet und teilt es mit."
            ),
        ),
        topic(
            "papier",
            _("Auf Papier"),
            _(
                "Wer kein Handy nehmen will, schreibt auf die gedruckte Spielliste. Eine Null "
                "steht für das beendete Spiel, H daneben für Handrommé. Alle unterschreiben unten."
            ),
            _(
                "Die Spielleitung tippt sie mit „Papierliste eingeben“ ab: Punkte der Reihe nach, "
                "0 für beendet, H für Handrommé, 17/71 für Unklares. Fertige Zeilen sind sofort "
                "gespeichert; unten werden die Summen vom Papier verglichen."
            ),
            picture=Picture(name="grid", alt=_("Eine Papierliste wird eingegeben")),
        ),
    ),
)
