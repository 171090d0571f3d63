"""Checking score sheets, correcting them, and telling whom it concerns."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.manual.base import ManualChapter, Picture, topic

CHAPTER = ManualChapter(
    slug="pruefung",
    title=_("Prüfen und berichtigen"),
    who=_("Spielleitung und Schiedsrichter"),
    day=(
        _("Jede Liste mit dem Papier vergleichen; stimmt sie: F2, die nächste kommt von selbst."),
        _("Berichtigungen mitteilen, Einsprüche entscheiden."),
    ),
    pages=("checking", "notices"),
    paragraphs=(
        topic(
            "pruefen",
            _("Eine Liste prüfen"),
            _(
                "Unter „Prüfung“ stehen die abgegebenen Listen. Papier daneben legen, vergleichen, "
                "dann „Geprüft, nächste Liste“ oder F2. Was auffällt, steht neben der Liste. "
                "Prüfen heißt bestätigen: Das tut die Spielleitung."
            ),
            picture=Picture(name="checking", alt=_("Eine Liste in der Prüfung, Spiel für Spiel")),
        ),
        topic(
            "berichtigen",
            _("Eine Zahl berichtigen"),
            steps=(
                _("In das Feld über der Liste 5 3 45 tippen: Spiel 5, Platz 3, 45 Punkte."),
                _("Den Grund angeben, mit Paragraph."),
                _("Lesen, was sich an Punkten und Plätzen ändert, dann bestätigen."),
            ),
        ),
        topic(
            "weiteres",
            _("Was sich noch berichtigen lässt"),
            _(
                "Neben der Liste stehen „Tischgröße für den Bonus“, „Plätze“, „Strafpunkte“, „Für "
                "ungültig erklären“ und „Ausschließen (§ 1.4)“. „Verlauf“ zeigt alles, was mit der "
                "Liste geschah, „Fassungen vergleichen“ zwei Stände nebeneinander."
            ),
            _(
                "Braucht eine Berichtigung zwei Personen, wird sie der zweiten vorgeschlagen. Was "
                "auf sie wartet, steht oben auf der Seite „Prüfung“."
            ),
        ),
        topic(
            "mitteilen",
            _("Mitteilen (§ 2.2.5)"),
            _(
                "Unter „Mitteilungen“ steht, wer noch etwas erfahren muss. Mündlich, als Zettel "
                "oder als E-Mail: Wer es wie erfahren hat, hält ein Klick fest, und von da an "
                "läuft die Frist für einen Einspruch."
            ),
            picture=Picture(name="notices", alt=_("Mitteilungen: wer was wann erfahren hat")),
        ),
        topic(
            "faelle",
            _("Einsprüche und Bitten"),
            _(
                "Was Tische und Einzelne schreiben, steht unter „Fälle“, mit der Liste daneben. "
                "Die Spielleitung entscheidet, berichtigt wenn nötig und teilt die Entscheidung "
                "mit."
            ),
        ),
    ),
)
