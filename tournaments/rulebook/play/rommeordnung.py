"""Romméordnung, part II up to laying out (§§ 3-6) and the whole of it as a text."""

from __future__ import annotations

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.rulebook.play import rommeordnung_end, spielordnung
from tournaments.rulebook.play.base import Chapter, Play, paragraph

OBJECTIONS = paragraph(
    "3.1",
    _("Verstöße sofort beanstanden"),
    _(
        "Wer einen Verstoß bemerkt, beanstandet ihn sofort; das darf jede Person im Turnier. Zur "
        "Klärung kommt ein Schiedsrichter oder die Spielleitung."
    ),
)

LIST = Chapter(
    _("§ 3 Allgemeines"),
    (
        OBJECTIONS,
        paragraph(
            "3.2",
            _("Bonus"),
            _("Wer ein Spiel beendet, dem wird es in der Liste gutgeschrieben."),
        ),
        paragraph(
            "3.2.1",
            _("Bonus am Ende der Liste"),
            _(
                "Nach zwölf Spielen werden je beendetem Spiel am Vierertisch 20, am Dreiertisch 15 "
                "Punkte abgezogen."
            ),
            unclear=(
                _(
                    "Dass der Abzug je beendetem Spiel gilt, steht nicht ausdrücklich da. Nur so "
                    "gleicht er Vierer- und Dreiertisch aus."
                ),
            ),
        ),
        paragraph(
            "3.2.2",
            _("Bonus für Handrommé"),
            _("Ein Handrommé wird in der Liste gekennzeichnet und bringt 50 Punkte Bonus dazu."),
        ),
    ),
)

CARDS = Chapter(
    _("§ 4 Spielkarten"),
    (
        paragraph(
            "4.1",
            _("Karten"),
            _("Zwei Spiele zu 52 Karten mit je drei Jokern, zusammen 110 Karten."),
        ),
        paragraph(
            "4.2",
            _("Augen"),
            _("Zwei bis Zehn zählen ihre Zahl, Bube, Dame und König 10, das Ass 11."),
            _(
                "Liegt ein Ass am Anfang einer Sequenz ohne König, zählt es dort 1; auf der Hand "
                "zählt es immer 11."
            ),
        ),
        paragraph(
            "4.3",
            _("Was ausgelegt wird"),
            _("Ausgelegt werden Sequenzen und Sätze. Beispiele stehen in Teil III."),
        ),
        paragraph(
            "4.3.1",
            _("Sequenz"),
            _("Eine Sequenz sind mindestens drei Karten einer Farbe, die aufeinander folgen."),
            _("Sie geht über das Ass weiter: König, Ass, Zwei ist eine Sequenz."),
            unclear=(
                _(
                    "Wörtlich heißt es, dass eine Sequenz nicht mit einem Ass endet oder beginnt. "
                    "Gemeint ist: Das Ass ist keine Grenze. Denn § 4.2 nennt den Wert eines Asses "
                    "am Anfang, und die Beispiele III.1 und III.3 beginnen mit ihm."
                ),
                _(
                    "Wie lang eine Sequenz werden darf, steht nicht da. Nach § 6.7 liegt keine "
                    "Karte zweimal in ihr, also hat sie höchstens 13."
                ),
            ),
        ),
        paragraph(
            "4.3.2",
            _("Satz"),
            _("Ein Satz sind drei oder vier gleichwertige Karten, jede von einer anderen Farbe."),
        ),
        paragraph(
            "4.4",
            _("Joker"),
            _("Ein Joker steht für jede beliebige Karte und zählt ausgelegt, was sie zählt."),
        ),
        paragraph(
            "4.4.1",
            _("Joker in der Sequenz"),
            _("In einer Sequenz liegen nie zwei Joker nebeneinander."),
            unclear=(
                _(
                    "Das Verbot gilt auch für späteres Anlegen: Liegt am Ende ein Joker, kommt "
                    "kein zweiter daneben."
                ),
            ),
        ),
        paragraph(
            "4.4.2",
            _("Joker im Satz"),
            _("In einem Satz liegt höchstens ein Joker, mit zwei oder drei anderen Karten."),
        ),
        paragraph(
            "4.4.3",
            _("Joker auf der Hand"),
            _("Wer am Ende des Spiels einen Joker auf der Hand hat, zählt 20 für ihn."),
        ),
    ),
)

DEALING = Chapter(
    _("§ 5 Geben der Karten"),
    (
        paragraph(
            "5.1",
            _("Verdeckt geben"),
            _("Beim Geben darf niemand die Vorderseite einer Karte sehen können."),
        ),
        paragraph(
            "5.2",
            _("Karte umgedreht"),
            cases=(
                (_("Wer gibt, dreht versehentlich eine Karte um"), _("Es wird neu gegeben.")),
                (
                    _("Wer die Karte erhält, deckt sie selbst auf"),
                    _("Es wird nicht neu gegeben."),
                ),
            ),
        ),
        paragraph(
            "5.3",
            _("Vergeben"),
            _(
                "Hat jemand zu viele oder zu wenige Karten erhalten oder stimmte die Reihenfolge "
                "nicht, wird neu gegeben."
            ),
        ),
        paragraph(
            "5.4",
            _("Mischen und Abheben"),
            _(
                "Wer gibt, mischt gründlich und lässt einmal abheben, und zwar die Person zur "
                "Rechten."
            ),
        ),
        paragraph(
            "5.5",
            _("Joker beim Abheben"),
            _(
                "Abheben ist Pflicht. Ist die unterste Karte des abgehobenen Teils ein Joker, darf "
                "ihn behalten, wer abhebt, und muss ihn offen zeigen. Weitere Joker darunter "
                "bleiben liegen."
            ),
            _("Wer einen Joker genommen hat, bekommt in der ersten Runde des Gebens keine Karte."),
            cases=(
                (
                    _("Danach wird neu gegeben, weil falsch gegeben wurde"),
                    _(
                        "Der Joker bleibt, wo er ist. Abgehoben wird noch einmal, ein weiterer "
                        "Joker darf dabei nicht genommen werden."
                    ),
                ),
            ),
            unclear=(
                _(
                    "Was mit dem Joker wird, wenn die falsche Person gegeben hat und das Spiel "
                    "abgebrochen wird (§ 5.9), steht nicht da. Dann gehen alle Karten zurück, auch "
                    "er: Auch abgehoben hat die falsche Person."
                ),
            ),
        ),
        paragraph(
            "5.6",
            _("Gestochene Karten"),
            _(
                "Hat, wer gibt, die Karten beim Mischen ineinandergesteckt („gestochen“), muss vor "
                "dem Abheben noch einmal durchgemischt werden."
            ),
        ),
        paragraph(
            "5.7",
            _("Austeilen"),
            _(
                "Gegeben wird einzeln im Uhrzeigersinn, zuerst nach links: jeder Person 13 Karten, "
                "der ersten 14. Der Rest liegt verdeckt in der Mitte."
            ),
            _("Alle zählen ihre Karten sofort nach."),
        ),
        paragraph(
            "5.8",
            _("Einspruch gegen das Geben"),
            _("Was am Mischen, Abheben oder Geben falsch war, muss sofort beanstandet werden."),
            unclear=(
                _(
                    "Bis wann „sofort“ ist, steht nicht da. Das Spiel beginnt mit der ersten "
                    "abgelegten oder ausgelegten Karte (§ 7.1); danach ist es zu spät."
                ),
                _(
                    "Fällt erst im Spiel auf, dass jemand zu viele oder zu wenige Karten hält, "
                    "entscheidet die Spielleitung (§ 1.2); eine Folge nennt die Ordnung nicht."
                ),
            ),
        ),
        paragraph(
            "5.9",
            _("Die falsche Person hat gegeben"),
            cases=(
                (
                    _("Es fällt während des Spiels auf"),
                    _("Das Spiel wird abgebrochen, und es gibt, wer an der Reihe ist."),
                ),
                (
                    _("Das Spiel ist schon durch Rommé beendet"),
                    _(
                        "Es gilt, auch wenn noch nichts gezählt oder eingetragen ist. Frühere "
                        "Spiele, die so gegeben wurden, gelten ebenso. Das nächste gibt, wer nach "
                        "der Liste an der Reihe ist."
                    ),
                ),
                (
                    _("Es fällt noch später auf"),
                    _("Die Runde muss nicht wiederholt werden."),
                ),
            ),
            unclear=(
                _(
                    "Wer das erste Spiel gibt, steht nicht da. Es ist Platz 1, dann geht es im "
                    "Uhrzeigersinn weiter."
                ),
            ),
        ),
        paragraph(
            "5.10",
            _("Karten verdeckt halten"),
            _("Alle nehmen ihre Karten so auf und halten sie so, dass niemand hineinsehen kann."),
        ),
        paragraph(
            "5.11",
            _("Nicht in fremde Karten sehen"),
            _("In die Karten der anderen zu sehen ist nicht erlaubt."),
        ),
    ),
)

# Tournaments are held by the order whatever is played, and it alone has Strafpunkte.
ELSEWHERE = tuple(
    Chapter(format_lazy("{}: {}", _("Romméordnung"), one.title), one.paragraphs)
    for one in (
        *spielordnung.ELSEWHERE,
        Chapter(_("Verstöße"), (OBJECTIONS, rommeordnung_end.PENALTIES_ELSEWHERE)),
    )
)
PLAY = Play(
    chapters=(
        LIST,
        CARDS,
        DEALING,
        *rommeordnung_end.CHAPTERS,
        *spielordnung.CHAPTERS,
    )
)
