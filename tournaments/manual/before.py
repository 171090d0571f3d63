"""Before the day: the tournament, its rules, its fees, its people."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.manual.base import ManualChapter, Picture, topic

CHAPTER = ManualChapter(
    slug="vorbereiten",
    title=_("Vor dem Turniertag"),
    who=_("Spielleitung"),
    day=(
        _("Laptop und Router aufstellen, Programm starten, mit einem Handy ausprobieren."),
        _("Drucker prüfen; Spiellisten ohne Namen als Vorrat drucken."),
    ),
    pages=("setup", "people", "seasons", "public", "demo", "trial"),
    paragraphs=(
        topic(
            "probelauf",
            _("Vorher üben"),
            _(
                "Ein Probelauf ist ein Turnier mit acht erfundenen Personen, in zehn Minuten von "
                "der Meldung bis zu den Preisen. Oben auf jeder Seite steht, was als Nächstes zu "
                "tun ist."
            ),
            steps=(
                _("Auf der Startseite oder unter „Meine Turniere“ „Probelauf beginnen“."),
                _("„Alle Schritte“ öffnet die Liste und „Probelauf entfernen“."),
            ),
        ),
        topic(
            "anlegen",
            _("Ein Turnier anlegen"),
            _(
                "Ein neues Turnier ist zuerst ein Entwurf, den nur sieht, wer darin eine Rolle "
                "hat. Wer schon eines hatte, nimmt es unter „Wie ein früheres“ zum Vorbild: Dann "
                "stimmen Regeln, Startgeld und Preise schon."
            ),
            steps=(
                _("„Meine Turniere“, dann „Neues Turnier“."),
                _("Ein Regelwerk aussuchen und „Wählen“."),
                _("Name, Beginn, Zahl der Serien und Startgeld eintragen, „Entwurf anlegen“."),
            ),
        ),
        topic(
            "ausschreibung",
            _("Die Ausschreibung füllen"),
            _(
                "Jeder Teil der Ausschreibung hat seinen eigenen Knopf „Ändern“. Rechts steht "
                "unter „Bis zum Ausschreiben fehlt“, was noch nötig ist, jeweils mit dem Weg "
                "dorthin. Mit „Vorschau“ sieht man die Seite, wie alle sie sehen werden."
            ),
            _(
                "Mit „Turnier ausschreiben“ wird sie öffentlich, und Meldungen können kommen. "
                "Danach lässt sie sich weiter ändern; sobald das Turnier läuft, braucht jede "
                "Änderung einen Grund, und das Regelwerk steht fest."
            ),
            picture=Picture(
                name="announcement",
                alt=_("Die Ausschreibung mit ihren Teilen, jeder mit „Ändern“"),
            ),
        ),
        topic(
            "regelwerk",
            _("Das Regelwerk"),
            _(
                "Wie gespielt und gezählt wird, steht unter „Regeln“ in der Kopfzeile, mit einem "
                "Feld zum Suchen. Wer nach eigenen Zahlen spielt, wählt im Teil „Regelwerk“ der "
                "Ausschreibung „Zahlen anpassen“; „Beispiel rechnen“ zeigt, was dabei herauskommt."
            ),
        ),
        topic(
            "geld",
            _("Startgeld, Bußgeld und Preise"),
            _(
                "Unter „Startgeld und Plätze“ stehen die Gruppen, etwa Erwachsene und Jugend, "
                "Kartengeld und Kaution. Unter „Bußgeld“ steht, was ein nicht beendetes Spiel "
                "kostet."
            ),
            _(
                "Den Preisplan rechnet „Preise vorschlagen“ aus der Zahl der Teilnehmenden; jede "
                "Zeile lässt sich ändern. Ausgezahlt wird später nach dem, was wirklich "
                "eingenommen ist."
            ),
        ),
        topic(
            "personen",
            _("Leute und Vereine"),
            _(
                "Wer einmal da war, ist an der Anmeldung nach wenigen Buchstaben gefunden. Eine "
                "Mitgliederliste aus einer Tabelle kommt unter „Personen“ mit „Liste einlesen“ "
                "herein; vor dem Speichern zeigt eine Vorschau jede Zeile."
            ),
            _(
                "Meldungen über das Internet schaltet der Teil „Meldung und Ablauf“ ein. Was "
                "eingeht, steht unter „Meldungen aus dem Internet“."
            ),
        ),
        topic(
            "saal",
            _("Den Saal vorbereiten"),
            _(
                "Ein eigener WLAN-Router genügt, er braucht kein Internet. Laptop und Handys "
                "kommen in dasselbe Netz, der Laptop am besten mit Kabel und mit einer Adresse, "
                "die sich nicht ändert. Zuklappen und Energiesparen bitte abschalten."
            ),
            _(
                "Zum Ausprobieren ist das Übungsturnier da: Es läuft gerade, und niemand kann "
                "darin etwas verderben."
            ),
        ),
    ),
)
