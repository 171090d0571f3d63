"""What the words mean that a newcomer does not know, in a sentence or two, for all pages.

``{% help "startkarte" %}`` shows one behind a „?“ (``templatetags/help_html.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Word:
    """A question and its answer."""

    asks: Promise
    says: Promise


WORDS = {
    "abgabe": Word(
        _("Was ist die Abgabe?"),
        _(
            "Nach dem letzten Spiel bringt der Tisch seine Liste und die Startkarten zur "
            "Spielleitung und zahlt das Bußgeld, wo es eines gibt. Danach wird die Liste geprüft."
        ),
    ),
    "abschluss": Word(
        _("Was heißt abschließen?"),
        _(
            "Eine abgeschlossene Serie nimmt keine Änderung mehr an, und die Codes ihrer Tische "
            "enden. Ist das Turnier abgeschlossen, ist alles nur noch zu lesen. Beides lässt sich "
            "mit einem Grund wieder öffnen."
        ),
    ),
    "auslosung": Word(
        _("Wie wird ausgelost?"),
        _(
            "Entweder zieht jede Person eine Karte mit Tisch und Platz, oder das Programm lost "
            "aus oder setzt nach der Rangliste. Bis zum Bekanntgeben ist alles ein Entwurf, den "
            "nur das Team sieht."
        ),
    ),
    "berichtigung": Word(
        _("Was ist eine Berichtigung?"),
        _(
            "Eine unterschriebene Liste ändert nur die Spielleitung, mit Grund. Was vorher "
            "dastand, bleibt erhalten, und wen es angeht, der erfährt davon."
        ),
    ),
    "bussgeld": Word(
        _("Was ist Bußgeld?"),
        _(
            "Ein kleiner Betrag für jedes Spiel, das jemand nicht beendet hat. Das Programm "
            "rechnet es aus der Liste; bezahlt wird es bei der Abgabe. Punkte kostet es keine."
        ),
    ),
    "kassenbuch": Word(
        _("Was steht im Kassenbuch?"),
        _(
            "Jeder Euro, der kommt oder geht, mit fortlaufendem Beleg. Gelöscht wird nichts: Was "
            "falsch ist, wird storniert und neu gebucht."
        ),
    ),
    "preisplan": Word(
        _("Was ist der Preisplan?"),
        _(
            "Er sagt, welcher Teil des Geldes ausgespielt wird und wie er sich auf die Plätze "
            "verteilt. Die Beträge rechnet das Programm aus dem, was eingenommen ist."
        ),
    ),
    "protokoll": Word(
        _("Was ist das Protokoll?"),
        _(
            "Jede Handlung mit Zeit und Namen, in ihrer Reihenfolge. Die Einträge sind versiegelt: "
            "Nachträglich lässt sich keiner unbemerkt ändern."
        ),
    ),
    "regelwerk": Word(
        _("Was ist ein Regelwerk?"),
        _(
            "Die Zahlen, nach denen gezählt wird: Werte der Karten, Bonus, Spiele je Liste, Größe "
            "der Tische. Mit dem Beginn des Turniers steht es fest."
        ),
    ),
    "rollen": Word(
        _("Was ist eine Rolle?"),
        _(
            "Was ein Konto in diesem Turnier darf. Eine Person kann mehrere Rollen haben; wer "
            "spielt, braucht keine. Was jede darf, steht unten in der Tabelle."
        ),
    ),
    "serien": Word(
        _("Was ist eine Serie?"),
        _(
            "Ein Durchgang des Turniers: Alle sitzen an ausgelosten Tischen und spielen eine "
            "Liste, meist zwölf Spiele. Danach wird für die nächste Serie neu gesetzt."
        ),
    ),
    "spielliste": Word(
        _("Was ist eine Spielliste?"),
        _(
            "Der Bogen eines Tisches für eine Serie: in jeder Zeile ein Spiel, wer es beendet hat "
            "und wie viele Punkte die anderen in der Hand hatten. Unterschrieben ist sie ein "
            "Dokument."
        ),
    ),
    "startgeld": Word(
        _("Was ist Startgeld?"),
        _(
            "Was die Teilnahme kostet, vielleicht je nach Alter verschieden. Erst wer bezahlt hat, "
            "wird gesetzt. Kartengeld und Kaution kommen dazu, wo es sie gibt."
        ),
    ),
    "startkarte": Word(
        _("Was ist eine Startkarte?"),
        _(
            "Die Karte einer Person für den Tag, mit Startnummer und einem Code für ihre eigene "
            "Seite. Tisch, Platz und Ergebnis jeder Serie werden darauf eingetragen; bei der "
            "Abgabe kommt sie mit."
        ),
    ),
    "strafpunkte": Word(
        _("Was sind Strafpunkte?"),
        _(
            "Punkte, die für einen Verstoß zum Ergebnis dazukommen. Der Schiedsrichter schlägt sie "
            "vor, die Spielleitung entscheidet."
        ),
    ),
    "wechselgeld": Word(
        _("Warum wird gezählt?"),
        _(
            "Am Anfang liegt Wechselgeld in der Kasse. Wer es zählt und später noch einmal zählt, "
            "sieht sofort, ob stimmt, was im Kassenbuch steht."
        ),
    ),
    "wertungen": Word(
        _("Was ist eine Wertung?"),
        _(
            "Eine eigene Rangliste: alle zusammen, Damen, Junioren, Senioren, Tandems oder "
            "Mannschaften. Manche kostet einen Einsatz, der dann ausgespielt wird."
        ),
    ),
}
