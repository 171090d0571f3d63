"""What is printed, and what is signed."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.manual.base import ManualChapter, Picture, topic

CHAPTER = ManualChapter(
    slug="drucken",
    title=_("Drucken und unterschreiben"),
    who=_("Alle Helfer"),
    pages=("printing",),
    paragraphs=(
        topic(
            "drucken",
            _("Drucken"),
            _(
                "„Drucken“ in der Kopfzeile führt zu allen Dokumenten, nach den Schritten des "
                "Tages geordnet; unter „Jetzt dran“ steht, was gerade gebraucht wird. Auf den "
                "anderen Seiten druckt der Knopf „Drucken“, was dazugehört."
            ),
            _(
                "Jedes Dokument öffnet sich als PDF in einem neuen Fenster. Gedruckt wird auf A4 "
                "und in tatsächlicher Größe, sonst passen die Startkarten nicht zu den "
                "Schnittlinien."
            ),
            picture=Picture(name="printing", alt=_("Alle Dokumente nach den Schritten des Tages")),
        ),
        topic(
            "wann",
            _("Was wann gebraucht wird"),
            cases=(
                (_("Vor dem Tag"), _("„Ausschreibung“, „Spielregeln“, „Spiellisten ohne Namen“.")),
                (_("An der Anmeldung"), _("„Teilnehmerliste“, „Startkarten“.")),
                (
                    _("Nach jeder Auslosung"),
                    _("„Druckpaket“: Sitzpläne, Tischkarten und Spiellisten auf einmal."),
                ),
                (
                    _("Nach jeder Serie"),
                    _("„Berichtigungsmitteilungen“, „Rangliste zum Aushängen“."),
                ),
                (_("Zur Siegerehrung"), _("„Preisliste“, „Urkunden“.")),
                (
                    _("Zum Schluss"),
                    _("„Rangliste für die Unterlagen“, „Kassenbericht“, „Protokoll“."),
                ),
            ),
        ),
        topic(
            "codes",
            _("Die Codes auf dem Papier"),
            _(
                "Sie führen zu der Adresse, unter der das Programm im Saal zu erreichen ist. "
                "Wechselt der Laptop das Netz, stimmen sie nicht mehr: neu drucken. Die sechs "
                "Zeichen auf der Tischkarte gelten weiter."
            ),
        ),
        topic(
            "unterschreiben",
            _("Was unterschrieben wird"),
            _(
                "Jede Spielliste von allen am Tisch. Die Preisliste von denen, die etwas bekommen. "
                "Rangliste für die Unterlagen, Kassenbericht und Protokoll von der Spielleitung: "
                "Unten stehen Prüfsumme und Siegel. Dieses Blatt gilt, wenn später gefragt wird."
            ),
            picture=Picture(
                name="list", alt=_("Eine gespielte Liste auf Papier, unterschrieben"), kind="paper"
            ),
        ),
    ),
)
