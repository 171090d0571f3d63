"""The ranking, ties, and prizes."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.manual.base import ManualChapter, Picture, topic

CHAPTER = ManualChapter(
    slug="rangliste",
    title=_("Rangliste und Preise"),
    who=_("Spielleitung und Kasse"),
    day=(
        _("Rangliste aushängen; Gleichstände um Preise ausspielen."),
        _("Preise ausgeben, jede Person quittiert auf der Preisliste."),
    ),
    pages=("results", "results_public", "prizes"),
    paragraphs=(
        topic(
            "rangliste",
            _("Die Rangliste"),
            _(
                "Die wenigsten Punkte gewinnen. Gezeigt wird der Stand nach der letzten Serie, von "
                "der alle Listen da sind; „mit laufenden Spielen“ zeigt mehr. Ein Name führt zu "
                "allen Spielen dieser Person."
            ),
            picture=Picture(name="ranking", alt=_("Die Rangliste nach einer Serie")),
        ),
        topic(
            "oeffentlich",
            _("Was alle sehen"),
            _(
                "Ab wann die Rangliste öffentlich ist, steht in der Ausschreibung unter "
                "„Öffentlichkeit“. Wird sie zurückgehalten, gibt die Spielleitung sie auf der "
                "öffentlichen Rangliste mit „Ergebnisse für alle freigeben“ frei. Im Internet "
                "steht mit Namen nur, wer zugestimmt hat."
            ),
        ),
        topic(
            "gleichstand",
            _("Gleichstand"),
            _(
                "Das Programm trennt Gleiche, wie das Regelwerk es sagt. Sind sie in allem gleich "
                "und hängt ein Preis daran, steht es unter „Entscheidungsspiele“: spielen lassen, "
                "Plätze eintragen."
            ),
        ),
        topic(
            "preise",
            _("Preise"),
            _(
                "Unter „Preise“ steht, wer was gewinnt, sobald alle Listen der Wertung geprüft "
                "sind. Jeder Knopf nennt den Betrag, den er auszahlt; er wird sofort gebucht. Die "
                "„Preisliste“ hat eine Zeile zum Quittieren."
            ),
        ),
        topic(
            "verlauf",
            _("Verlauf und Statistik"),
            _(
                "„Statistik“ zeichnet die „Ränge nach jeder Serie“ und nennt die besten Listen. "
                "Als Tabelle für andere Programme gibt es die Rangliste unten auf ihrer Seite."
            ),
            picture=Picture(name="bump", alt=_("Der Verlauf der Ränge über die Serien")),
        ),
    ),
)
