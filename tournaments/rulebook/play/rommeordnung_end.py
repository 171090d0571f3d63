"""Romméordnung, part II from laying out to the end of a game (§§ 6-8), and part III."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from tournaments.rulebook.play.base import Chapter, Proposal, paragraph

LAYING_OUT = Chapter(
    _("§ 6 Auslegen und Ablegen der Karten"),
    (
        paragraph(
            "6",
            _("Ziel"),
            _(
                "Wer als Erstes alle Karten abgelegt hat, ist „Rommé“. Die anderen zählen ihre "
                "Karten als Minuspunkte."
            ),
        ),
        paragraph(
            "6.1",
            _("Nur wer an der Reihe ist"),
            _("Karten aufnehmen und ablegen darf nur, wer an der Reihe ist."),
        ),
        paragraph(
            "6.2",
            _("Handrommé"),
            _(
                "Alle Karten auf einmal abzulegen ist Handrommé, wenn vorher noch niemand etwas "
                "ausgelegt hat. Eine Karte muss dabei auf den offenen Stapel."
            ),
        ),
        paragraph(
            "6.3",
            _("Erstes Auslegen mit 40 Augen"),
            _(
                "Das erste Auslegen muss mindestens 40 Augen zählen, aus Sätzen, Sequenzen oder "
                "beidem."
            ),
            _(
                "Ausnahme: Wer alle 13 Karten auf einmal auslegt und die 14. abwirft, braucht "
                "keine 40 Augen. Anlegen bei den anderen gilt dafür nicht."
            ),
            _("Was liegt, bleibt so liegen; umgelegt wird nicht."),
            unclear=(
                _(
                    "Für die Ausnahme ist nicht verlangt, dass die anderen noch nichts ausgelegt "
                    "haben. Sie gilt also immer; Handrommé ist es nur nach § 6.2."
                ),
            ),
        ),
        paragraph(
            "6.4",
            _("Zu wenig ausgelegt, schon abgeworfen"),
            _(
                "Wer beim ersten Auslegen keine 40 Augen hat und schon abgeworfen hat, nimmt die "
                "ausgelegten Karten zurück. Der Zug ist damit vorbei, und es geht weiter."
            ),
            cases=(
                (
                    _("Die Karte kam vom verdeckten Stapel"),
                    _("Die abgeworfene Karte bleibt liegen."),
                ),
                (
                    _("Die Karte kam vom offenen Stapel"),
                    _(
                        "Sie geht dorthin zurück, und wer schon eine andere abgeworfen hat, nimmt "
                        "diese wieder auf. Vom verdeckten Stapel wird nicht mehr gezogen, und "
                        "weiter abgeworfen wird auch nicht: Am Ende sind 13 Karten auf der Hand."
                    ),
                ),
            ),
            unclear=(
                _(
                    "Hat die nächste Person schon gespielt, bevor es auffällt, nennt die Ordnung "
                    "keine Folge. Es gilt dasselbe wie in § 6.7: Das Spiel ist ungültig, es wird "
                    "neu gegeben. Das bevorzugt niemanden."
                ),
            ),
        ),
        paragraph(
            "6.5",
            _("Zu wenig ausgelegt, noch nicht abgeworfen"),
            _(
                "Dann dürfen weitere Karten dazukommen, bis es 40 Augen sind; umgelegt wird nichts."
                " Danach wird abgeworfen, und es geht weiter."
            ),
            unclear=(
                _(
                    "Wer auch so nicht auf 40 kommt, nimmt alles zurück; für den Rest des Zuges "
                    "gilt § 6.4. Ausdrücklich steht das nicht da."
                ),
            ),
        ),
        paragraph(
            "6.6",
            _("Nur dazulegen"),
            _("Zu dem, was liegt, kann nur etwas dazukommen; weggenommen oder geteilt wird nicht."),
        ),
        paragraph(
            "6.7",
            _("Falsch ausgelegt"),
            _(
                "Falsch sind ein Satz mit zwei Karten einer Farbe und eine Sequenz mit einer Lücke "
                "oder mit zwei gleichen Karten."
            ),
            cases=(
                (_("Noch nicht abgeworfen"), _("Der Fehler darf berichtigt werden.")),
                (
                    _("Schon abgeworfen"),
                    _(
                        "Die falschen Karten gehen auf die Hand zurück. Liegen bleibt nur, was "
                        "richtig ist und 40 Augen zählt. Dann geht es weiter."
                    ),
                ),
                (
                    _("Es wurde schon weitergespielt, vielleicht auch dort angelegt"),
                    _("Das Spiel ist ungültig, es wird neu gegeben."),
                ),
            ),
            unclear=(
                _(
                    "Die 40 Augen gelten nur für das erste Auslegen (§ 6.3). Wer schon früher "
                    "ausgelegt hatte, lässt liegen, was richtig ist."
                ),
                _(
                    "Zu einer Karte vom offenen Stapel, die falsch ausgelegt wurde, steht hier "
                    "nichts. Sie darf nicht auf der Hand bleiben (§ 7.3); also gilt § 6.4."
                ),
            ),
        ),
        paragraph(
            "6.8",
            _("Joker nicht geholt"),
            _(
                "Liegen zum Beispiel Neun, Joker, Bube, holt die Zehn den Joker. Legt jemand sie "
                "stattdessen an ein Ende und merkt es bis zum Abwerfen nicht selbst, kommt sie auf "
                "den Joker: Er ist gesperrt und kann nicht mehr geholt werden."
            ),
        ),
        paragraph(
            "6.9",
            _("Keine Anleger abwerfen"),
            _(
                "Hat die nächste Person schon ausgelegt, darf keine Karte abgeworfen werden, die "
                "irgendwo angelegt werden könnte."
            ),
            unclear=(
                _(
                    "Ob ein Anleger die letzte Karte sein darf, steht nicht da. Eine Ausnahme wie "
                    "beim Joker (§ 6.10) ist nicht genannt, also bleibt es beim Verbot."
                ),
            ),
        ),
        paragraph(
            "6.10",
            _("Keine Joker abwerfen"),
            _("Ein Joker darf nicht abgeworfen werden, außer als letzte Karte, die beendet."),
        ),
        paragraph(
            "6.11",
            _("Anlegen und Joker holen"),
            _(
                "Wer ausgelegt hat, darf auch bei den anderen anlegen und einen Joker holen, indem "
                "die Karte an seine Stelle kommt, für die er liegt."
            ),
            _("Im Satz holt erst die vierte Karte den Joker."),
            _("Ein geholter Joker darf auf der Hand bleiben."),
            unclear=(
                _(
                    "Ob das schon in dem Zug gilt, in dem jemand zum ersten Mal auslegt, steht "
                    "nicht eigens da. „Sobald“ heißt: ja, wenn die 40 Augen liegen."
                ),
            ),
        ),
    ),
)

BEGINNING = Chapter(
    _("§ 7 Spielbeginn"),
    (
        paragraph(
            "7.1",
            _("Erster Zug"),
            _(
                "Es beginnt die Person links vom Geber, die 14 Karten hat. Sie zieht nicht, "
                "sondern legt mindestens 40 Augen aus oder wirft eine Karte ab."
            ),
            _("Auslegen muss niemand; wer will, wartet auf ein Handrommé."),
            unclear=(
                _("Auch nach dem Auslegen wird abgeworfen: Damit endet jeder Zug (§§ 6.4, 6.5)."),
            ),
        ),
        paragraph(
            "7.2",
            _("Abgeworfen ist abgeworfen"),
            _("Wer die falsche Karte abgeworfen hat, nimmt sie nicht zurück."),
            cases=(
                (
                    _("Es ist ein Anleger, und die nächste Person hat schon ausgelegt"),
                    _("Er muss zurückgenommen werden."),
                ),
                (
                    _("Niemand merkt es, bis die nächste Person gezogen hat"),
                    _("Dann bleibt er ausnahmsweise liegen."),
                ),
            ),
            unclear=(_("Für den zurückgenommenen Anleger wird eine andere Karte abgeworfen."),),
        ),
        paragraph(
            "7.3",
            _("Aufnehmen"),
            _(
                "Nach dem Abwurf nimmt die nächste Person eine Karte: die oberste vom verdeckten "
                "Stapel oder die zuletzt abgeworfene."
            ),
            _(
                "Die abgeworfene muss sofort ausgelegt werden, zusammen mit Karten aus der Hand, "
                "als Satz oder Sequenz. Sie darf nicht auf der Hand bleiben, und wer mit anderen "
                "Karten zum ersten Mal auslegt, darf sie nicht danach bei den anderen anlegen."
            ),
            unclear=(
                _(
                    "III.7 lässt mehr zu: Wer schon ausgelegt hat, nimmt sie, um sie mit "
                    "mindestens einer Karte aus der Hand anzulegen. Das gilt. Sie allein anzulegen "
                    "oder mit ihr einen Joker zu holen nennt keine Stelle; das gilt nicht."
                ),
                _(
                    "Ist der verdeckte Stapel leer, sagt die Ordnung nichts. Wie in den anderen "
                    "Quellen wird der offene Stapel bis auf die letzte Karte gemischt und verdeckt "
                    "hingelegt."
                ),
            ),
        ),
    ),
)

PENALTIES = paragraph(
    "8.3",
    _("Nicht offen gezählt"),
    _(
        "Wer nicht offen zählt oder seine Karten mit anderen zusammenwirft, bevor jemand "
        "nachzählen konnte, bekommt Strafpunkte dazu. Gerufen wird die Spielleitung, und nur sie "
        "vergibt sie."
    ),
    cases=(
        (_("Die Person hatte schon ausgelegt"), _("100 Strafpunkte.")),
        (_("Die Person hatte noch nicht ausgelegt"), _("150 Strafpunkte.")),
    ),
    proposals=(
        Proposal(
            100,
            _("hatte schon ausgelegt"),
            _("Nicht offen gezählt oder Karten zusammengeworfen; hatte schon ausgelegt"),
        ),
        Proposal(
            150,
            _("hatte noch nicht ausgelegt"),
            _("Nicht offen gezählt oder Karten zusammengeworfen; hatte noch nicht ausgelegt"),
        ),
    ),
    unclear=(
        _(
            "Die Strafpunkte kommen zu den Augen der Hand hinzu. Lässt sie sich nicht mehr zählen, "
            "entscheidet die Spielleitung, was eingetragen wird (§§ 1.2, 2.2.6)."
        ),
    ),
)

PENALTIES_ELSEWHERE = replace(
    PENALTIES,
    unclear=(
        *PENALTIES.unclear,
        _(
            "Die Quelle des Regelwerks nennt keine Strafpunkte. Vergibt die Spielleitung welche, "
            "richtet sie sich danach, wenn die Ausschreibung nichts anderes sagt."
        ),
    ),
)

ENDING = Chapter(
    _("§ 8 Beendigung des Spieles"),
    (
        paragraph(
            "8.1",
            _("Letzte Karte"),
            _(
                "Wer beendet, legt die letzte Karte auf den offenen Stapel. Alle 14 auszulegen, "
                "ohne eine abzuwerfen, ist nicht möglich."
            ),
        ),
        paragraph(
            "8.2",
            _("Offen zählen"),
            _(
                "Die anderen zählen ihre Karten offen, in der Reihenfolge der Liste, und sagen die "
                "Zahl der Listenführung. Alle halten ihre Karten, bis eingetragen ist und wer will "
                "nachzählen konnte."
            ),
        ),
        PENALTIES,
    ),
)

EXAMPLES = Chapter(
    _("III Auslegungsmöglichkeiten"),
    (
        paragraph(
            "III.1",
            _("Vom Ass abwärts"),
            _("Ass, König, Dame und so fort bis Zwei, in einer Farbe. Das Ass zählt 11."),
            sign=" ",
        ),
        paragraph(
            "III.2",
            _("Über das Ass hinweg"),
            _("König, Ass, Zwei, Drei in einer Farbe. Das Ass zählt 11."),
            sign=" ",
        ),
        paragraph(
            "III.3",
            _("Vom Ass aufwärts"),
            _("Ass, Zwei, Drei und so fort bis König, in einer Farbe. Das Ass zählt 1."),
            sign=" ",
            unclear=(
                _(
                    "Nach § 4.2 gilt die 1 nur ohne König. In den 13 Karten von III.1 und III.3 "
                    "macht das keinen Unterschied: Beide haben weit mehr als 40 Augen."
                ),
            ),
        ),
        paragraph(
            "III.4",
            _("Sätze"),
            _("Drei oder vier gleichwertige Karten verschiedener Farben, zum Beispiel drei Asse."),
            sign=" ",
        ),
        paragraph(
            "III.5",
            _("Joker"),
            _(
                "Ein Joker ersetzt jede Karte, kann überall angelegt werden und zählt, was die "
                "ersetzte Karte zählt. Zwei liegen nie nebeneinander, und Joker dürfen nicht in "
                "der Mehrzahl sein."
            ),
            sign=" ",
            cases=(
                (_("Ass, Joker, Dame, Joker"), _("möglich")),
                (_("Ass, Joker, Joker, Bube"), _("nicht möglich, zwei nebeneinander")),
                (_("Joker, Ass, Joker"), _("nicht möglich, mehr Joker als andere Karten")),
            ),
        ),
        paragraph(
            "III.6",
            _("Joker aus einem Satz holen"),
            _(
                "Liegen zwei Karten mit einem Joker, holt die dritte ihn noch nicht, erst die "
                "vierte."
            ),
            sign=" ",
        ),
        paragraph(
            "III.7",
            _("Anlegen mit der abgeworfenen Karte"),
            _(
                "An eine Sequenz kann fortlaufend angelegt werden, auch mit der abgeworfenen Karte "
                "zusammen mit einer aus der Hand. Beispiel: Es liegen Ass, Zwei, Drei in Herz. Mit "
                "der Herz-Vier auf der Hand darf die abgeworfene Herz-Fünf genommen und beides "
                "angelegt werden."
            ),
            sign=" ",
        ),
    ),
)

CHAPTERS = (LAYING_OUT, BEGINNING, ENDING, EXAMPLES)
