"""When something goes wrong, and what to do first."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.manual.base import ManualChapter, topic

CHAPTER = ManualChapter(
    slug="notfall",
    title=_("Wenn etwas schiefgeht"),
    who=_("Spielleitung"),
    pages=("backup", "operator:requests"),
    paragraphs=(
        topic(
            "strom",
            _("Der Strom ist weg, der Laptop geht aus"),
            _(
                "Was bestätigt war, ist gespeichert. Laptop und Router einschalten, das Programm "
                "wieder starten: Alles ist da. Die Handys am Tisch spielen weiter und reichen "
                "nach, was sie haben; ihre Seite muss offen bleiben."
            ),
        ),
        topic(
            "wlan",
            _("Das WLAN fällt aus"),
            _(
                "Die Tische tragen weiter ein, nur der Ruf nach dem Schiedsrichter geht nicht: "
                "bitte die Hand heben. Kommt das Netz wieder, wird alles übertragen. Dauert es "
                "lange, schreiben die Tische auf Papier weiter."
            ),
            cases=(
                (
                    _("Handys finden den Laptop nicht"),
                    _(
                        "Sind sie im selben Netz? In Gastnetzen muss die Trennung der Geräte aus "
                        "sein. Fragt der Laptop nach eingehenden Verbindungen: erlauben."
                    ),
                ),
                (
                    _("Der Laptop hat eine neue Adresse"),
                    _(
                        "Gedruckte Codes stimmen dann nicht mehr. Die neue Adresse steht beim "
                        "Start; am Tisch dort die sechs Zeichen der Karte eintippen."
                    ),
                ),
            ),
        ),
        topic(
            "zweiter",
            _("Ein zweiter Laptop"),
            _(
                "Unter „Sicherungen“ zeigt „Code anzeigen“ den Befehl, mit dem ein zweiter Laptop "
                "im selben Netz mitliest und bereitsteht. Fällt der erste aus, übernimmt der "
                "zweite in wenigen Sekunden. Der erste bleibt danach aus: Zwei dürfen nicht "
                "zugleich laufen."
            ),
            _(
                "Ohne zweiten Laptop: Gesichert wird alle paar Minuten von selbst, auch auf einen "
                "Stick, wenn er eingetragen ist. Auf jedem anderen Rechner lässt sich die "
                "Sicherung zurückholen. „Jetzt sichern“ macht sofort eine."
            ),
        ),
        topic(
            "handy",
            _("Ein Handy ist weg oder leer"),
            _(
                "Auf der Seite des Tisches „Gerätewechsel erlauben“, dann scannt ein anderes Handy "
                "die Tischkarte. Was eingetragen und übertragen war, ist da. Kennt jemand Falsches "
                "den Code: „Code zurückziehen und neuen zeigen“."
            ),
        ),
        topic(
            "auslosung",
            _("Falsch ausgelost"),
            cases=(
                (
                    _("Noch nicht bekannt gegeben"),
                    _("„Neu auslosen“, mit einem Grund, der im Protokoll steht."),
                ),
                (
                    _("Schon bekannt gegeben"),
                    _(
                        "Neu auslosen geht nicht mehr. „Nachzügler und Fehlende“ und „Zwei Plätze "
                        "tauschen“ ändern einzelne Plätze."
                    ),
                ),
                (
                    _("Leute sitzen falsch, und es ist gespielt"),
                    _("„Prüfung“, dann „Plätze berichtigen“: Die Spiele gehen mit oder bleiben."),
                ),
            ),
        ),
        topic(
            "zugang",
            _("Jemand kommt nicht hinein"),
            cases=(
                (
                    _("Kennwort vergessen"),
                    _("Wer die Konten verwaltet, macht unter „Konten“ einen Link für ein neues."),
                ),
                (
                    _("Fünfmal falsch getippt"),
                    _("Das Konto macht auf diesem Gerät fünf Minuten Pause."),
                ),
                (
                    _("„Kein Zugang“"),
                    _("Die Rolle reicht nicht. Wer das Turnier veranstaltet, vergibt Rollen."),
                ),
            ),
        ),
    ),
)
