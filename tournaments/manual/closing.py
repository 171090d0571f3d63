"""Closing Serien and the tournament, the cash book at the end, the archive."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.manual.base import ManualChapter, Picture, topic

CHAPTER = ManualChapter(
    slug="abschluss",
    title=_("Abschluss und Kassenbuch"),
    who=_("Spielleitung und Kasse"),
    day=(
        _("Nach jeder Serie abschließen; das Programm nennt, was noch fehlt."),
        _("Kasse zählen, Bericht und Rangliste drucken und unterschreiben."),
        _("Turnier abschließen, als Archiv sichern, Sicherung auf einen Stick."),
    ),
    pages=("closing", "journal", "archive", "cash:count", "cash:report"),
    paragraphs=(
        topic(
            "serie",
            _("Eine Serie abschließen"),
            _(
                "„Abschluss“ nennt zu jeder Serie, was noch fehlt, mit dem Weg dorthin. „Serie 1 "
                "abschließen und Serie 2 auslosen“ tut beides auf einmal; „Nur abschließen“ lässt "
                "Zeit für Karten oder einen Aushang. Danach sind die Listen nur noch zu lesen."
            ),
            picture=Picture(name="closing", alt=_("Der Abschluss nennt, was zu jeder Serie fehlt")),
        ),
        topic(
            "doch",
            _("Doch noch ein Fehler?"),
            _(
                "„Wieder öffnen“ mit einem Grund, berichtigen, mitteilen, wieder abschließen. Auf "
                "derselben Seite steht, welche Plätze und Preise sich geändert haben. Was nicht "
                "mehr gespielt wird, lässt „Entfällt“ weg."
            ),
        ),
        topic(
            "kasse",
            _("Die Kasse zählen"),
            steps=(
                _("„Kassenbuch“, dann „Kasse zählen“."),
                _("Scheine und Münzen eintragen; daneben steht, was da sein müsste."),
                _("„Zählung festhalten“. Fehlt etwas oder ist etwas zu viel: „Differenz buchen“."),
                _("„Kassenbericht“ drucken und unterschreiben."),
            ),
            picture=Picture(name="cash", alt=_("Das Kassenbuch, der neueste Beleg zuerst")),
        ),
        topic(
            "stornieren",
            _("Falsch gebucht"),
            _(
                "Ein Beleg wird nie gelöscht. „Stornieren“ auf seiner Seite, mit einem Grund, "
                "schreibt einen zweiten, der ihn aufhebt; dann richtig buchen."
            ),
        ),
        topic(
            "ende",
            _("Das Turnier abschließen"),
            _(
                "Sind alle Serien abgeschlossen und die Preise ausgegeben, „Turnier abschließen“. "
                "Auf der Seite der Ausschreibung schreibt „Als Archiv sichern“ alles in eine "
                "Datei: für die Unterlagen, und um es anderswo einzulesen."
            ),
            _(
                "Unter „Protokoll“ steht jede Handlung mit Zeit, Person, vorher und nachher. "
                "„Ganze Kette prüfen“ zeigt, dass nichts geändert wurde."
            ),
        ),
    ),
)
