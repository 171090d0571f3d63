"""While a Serie runs: clock, calls, devices, beamer, handing in."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.manual.base import ManualChapter, Picture, topic

CHAPTER = ManualChapter(
    slug="saal",
    title=_("Während der Serie"),
    who=_("Spielleitung und Schiedsrichter"),
    day=(
        _("Serie beginnen: Die Uhr läuft auf allen Handys und auf der Leinwand."),
        _("Was jemanden braucht, steht oben; den Ruf übernehmen und hingehen."),
        _("Abgabe: Tischnummer, Enter; Liste, Startkarten und Geld da: noch einmal Enter."),
    ),
    pages=("hall", "screen"),
    paragraphs=(
        topic(
            "tische",
            _("Alle Tische auf einen Blick"),
            _(
                "Unter „Spiellisten“ steht jeder Tisch mit seinem Stand; was jemanden braucht, "
                "steht oben. Die Seite hält sich selbst aktuell. Einen Tisch antippen zeigt seine "
                "Liste, seine Geräte und seine Rufe."
            ),
            picture=Picture(
                name="control", alt=_("Die Tische einer Serie; oben, was jemanden braucht")
            ),
        ),
        topic(
            "uhr",
            _("Die Uhr"),
            _(
                "„Serie 1 beginnen“ startet sie, sonst tut es das erste eingetragene Spiel. War es "
                "ein Versehen, geht „Beginn zurücknehmen“, solange kein Spiel eingetragen ist. "
                "„Zeit zugeben“ gilt für alle oder für einen Tisch."
            ),
            _(
                "Ist die Zeit um und ein Tisch nicht fertig, wird seine Liste vorzeitig beendet. "
                "Was sie dann zählt, steht in der Ausschreibung."
            ),
        ),
        topic(
            "rufe",
            _("Rufe nach dem Schiedsrichter"),
            _(
                "Ein Ruf steht nach wenigen Sekunden oben. „Übernehmen“ zeigt am Tisch, dass "
                "jemand kommt; „Erledigt“ beendet ihn. Auf der Seite des Tisches führt „Regeln“ zu "
                "den Spielregeln, und Strafpunkte lassen sich gleich vorschlagen."
            ),
        ),
        topic(
            "geraete",
            _("Handys am Tisch"),
            cases=(
                (_("Der Code lässt sich nicht scannen"), _("„Code zeigen“ zeigt ihn groß.")),
                (
                    _("Ein Handy fällt aus"),
                    _("„Gerätewechsel erlauben“; das nächste Handy scannt die Karte."),
                ),
                (
                    _("Der Code kam in falsche Hände"),
                    _("„Code zurückziehen und neuen zeigen“; der alte öffnet nichts mehr."),
                ),
                (_("Lieber auf Papier"), _("„auf Papier weiterführen“.")),
            ),
        ),
        topic(
            "abgabe",
            _("Die Abgabe"),
            _(
                "Im Feld von „Abgabe“ die Tischnummer tippen, Enter. Liegen Liste, Startkarten und "
                "Bußgeld da: noch einmal Enter. Sonst wird jedes für sich abgehakt. Das Geld steht "
                "sofort mit Beleg im Kassenbuch."
            ),
            picture=Picture(
                name="hand_in", alt=_("Die Abgabe: was noch fehlt, und wer noch spielt")
            ),
        ),
        topic(
            "leinwand",
            _("Die Leinwand"),
            _(
                "Am Rechner des Beamers einmal „Öffnen“; mehr ist dort nicht zu tun. Was zu sehen "
                "ist, stellt die Spielleitung unter „Leinwand“ ein. „An alle im Saal“ schreibt "
                "eine Durchsage groß auf alle Leinwände und Handys."
            ),
            picture=Picture(name="wall", alt=_("Die Leinwand mit der Rangliste"), kind="wall"),
        ),
    ),
)
