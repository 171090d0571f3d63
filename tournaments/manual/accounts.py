"""Accounts, roles, and who may do what."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.manual.base import ManualChapter, topic

CHAPTER = ManualChapter(
    slug="konten",
    title=_("Konten und Rechte"),
    who=_("Veranstalter"),
    pages=("account", "operator"),
    paragraphs=(
        topic(
            "einladen",
            _("Leute dazuholen"),
            steps=(
                _("Im Menü hinter dem eigenen Namen „Rollen“ öffnen."),
                _("Unter „Einladen“ Name und Rolle eintragen, „Link erzeugen“."),
                _("Den Link weitergeben; er gilt 14 Tage und nur einmal."),
            ),
        ),
        topic(
            "rollen",
            _("Wer was darf"),
            _(
                "Jede Rolle gilt für ein Turnier, und wer mehrere hat, darf alles davon. Spielende "
                "brauchen kein Konto: Sie öffnen mit dem Code der Startkarte ihre eigene Seite und "
                "mit dem Code der Tischkarte die Liste ihres Tisches."
            ),
            _("„Was jede Rolle darf“ steht als Tabelle unter „Rollen“ und unter „Mein Konto“."),
        ),
        topic(
            "verwalten",
            _("Wer das Programm verwaltet"),
            _(
                "Das erste Konto verwaltet das Programm: Es legt Turniere an und sieht alle "
                "Personen, „Konten“, „Sicherungen“ und „Aufbewahrung“."
            ),
        ),
        topic(
            "daten",
            _("Daten der Leute"),
            _(
                "„Impressum“ und „Datenschutz“ stehen unten auf jeder Seite. „Aufbewahrung“ zeigt, "
                "was nicht mehr gebraucht wird, und löscht es. Wer im Saal nicht mit Namen genannt "
                "werden will, bekommt bei seinen Angaben einen Haken."
            ),
        ),
    ),
)
