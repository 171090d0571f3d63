"""Romméordnung, part I: what holds for every tournament, whatever is played (§§ 1, 2)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.rulebook.play.base import Chapter, changed, paragraph

GENERAL = Chapter(
    _("§ 1 Allgemeines"),
    (
        paragraph(
            "1.1",
            _("Offen oder geschlossen"),
            _("Ein Turnier ist offen für alle oder für einen benannten Kreis (Meisterschaft)."),
            _(
                "Startgeld und Bußgeld stehen in der Ausschreibung, ebenso, ob es Einzel- oder "
                "Mannschaftspreise gibt und ob sie aus Geld oder Sachen bestehen."
            ),
        ),
        paragraph(
            "1.2",
            _("Wer entscheidet"),
            _(
                "Der Veranstalter aus der Ausschreibung richtet das Turnier aus und bestellt die "
                "Spielleitung. Sie entscheidet in Streitfällen und kann Schiedsrichter einsetzen; "
                "wer Schiedsrichter ist, muss diese Regeln genau kennen."
            ),
        ),
        paragraph(
            "1.3",
            _("Wer mitspielt"),
            _(
                "Melden muss man sich spätestens eine Viertelstunde vor Beginn. Mitspielen darf "
                "und muss, wer das Startgeld bezahlt hat."
            ),
        ),
        paragraph(
            "1.4",
            _("Verhalten und Ausschluss"),
            _("Wer mitspielt, hält die Regeln ein und stört das Turnier nicht."),
            _(
                "Ist ein grober Verstoß nachgewiesen, kann die Spielleitung die Person "
                "ausschließen und künftig abweisen. Das Startgeld gibt es dann nicht zurück."
            ),
        ),
        paragraph(
            "1.5",
            _("Rangfolge"),
            _("Die Punkte aller Serien werden addiert; die wenigsten gewinnen."),
            _(
                "Bei gleicher Punktzahl gehen mehr selbst beendete Spiele vor, dann mehr "
                "Handrommés, zuletzt entscheidet ein Entscheidungsspiel."
            ),
        ),
    ),
)

CONDUCT = Chapter(
    _("§ 2 Durchführung eines Turniers"),
    (
        paragraph(
            "2.1.1",
            _("Plätze"),
            _(
                "Wer wo sitzt, legt die Spielleitung fest, indem Startkarten gezogen werden. An "
                "jedem Tisch sitzen vier, nur ausnahmsweise drei."
            ),
        ),
        paragraph(
            "2.1.2",
            _("Platz für eine Serie"),
            _(
                "Ein Platz gilt für eine Serie und wird in ihr nicht gewechselt. Mitglieder eines "
                "Clubs sitzen sich am Tisch gegenüber."
            ),
        ),
        paragraph(
            "2.1.3",
            _("Zuschauen"),
            _("Wer nicht mitspielt, darf sich nicht am Spieltisch aufhalten."),
        ),
        paragraph(
            "2.2.1",
            _("Zwölf Spiele"),
            _("Eine Liste hat zwölf Spiele, am Vierer- wie am Dreiertisch."),
        ),
        paragraph(
            "2.2.2",
            _("Listenführung"),
            _("Wer die Liste führt, trägt jedes Spiel richtig, vollständig und eindeutig ein."),
        ),
        paragraph(
            "2.2.3",
            _("Einsicht und Änderungen am Tisch"),
            _(
                "Alle am Tisch können die Liste jederzeit sehen und prüfen sie laufend. Wer gibt, "
                "achtet darauf, dass er an der Reihe ist und das vorige Spiel richtig dasteht."
            ),
            _(
                "Geändert wird nur durch die Listenführung, nur bis zum Ende der Serie und nur, "
                "wenn alle einverstanden sind, die es betrifft."
            ),
        ),
        paragraph(
            "2.2.4",
            _("Unterschriften"),
            _("Nach der Serie prüfen und unterschreiben alle; dann ist die Liste eine Urkunde."),
        ),
        paragraph(
            "2.2.5",
            _("Prüfung"),
            _(
                "Die Spielleitung muss jede Liste prüfen, Fehler berichtigen und es allen sagen, "
                "die es betrifft."
            ),
        ),
        paragraph(
            "2.2.6",
            _("Einsicht und mangelhafte Listen"),
            _("Die Spielleitung darf jede Liste jederzeit einsehen."),
            _(
                "Eine schlecht geführte, unleserliche oder lückenhafte Liste kann sie für ungültig "
                "erklären oder so berichtigen, dass für alle die ungünstigste Zahl gilt."
            ),
            _("Darum ist bei jedem Streit ein Schiedsrichter zu rufen."),
        ),
        paragraph(
            "2.3.1",
            _("Was gilt"),
            _("Gespielt wird nach der Romméordnung und ihren Spielregeln."),
        ),
        paragraph(
            "2.3.2",
            _("Zweifel und Streit"),
            _(
                "Die Spielleitung oder die von ihr benannten Schiedsrichter entscheiden nach "
                "diesen Regeln."
            ),
        ),
        paragraph(
            "2.3.3",
            _("Abgabe"),
            _(
                "Nach der Serie bekommt die Spielleitung die fertige Liste, die Startkarten und "
                "das Bußgeld."
            ),
        ),
        paragraph(
            "2.3.4",
            _("Schluss"),
            _("Nach der letzten Serie werden die Rangfolge festgestellt und die Preise verteilt."),
        ),
        paragraph(
            "2.3.5",
            _("Unterlagen"),
            _("Listen, Startkarten und alle anderen Unterlagen behält der Veranstalter."),
        ),
    ),
)

CHAPTERS = (GENERAL, CONDUCT)
# Where something else is played, its own text says how many sit at a table and play how often.
ELSEWHERE = changed(
    CHAPTERS,
    paragraph(
        "2.1.1",
        _("Plätze"),
        _(
            "Wer wo sitzt, legt die Spielleitung fest, indem Startkarten gezogen werden. Wie viele "
            "an einem Tisch sitzen, sagt das Regelwerk."
        ),
    ),
    paragraph(
        "2.2.1",
        _("Zahl der Spiele"),
        _("Wie viele Spiele eine Liste hat, sagt das Regelwerk."),
    ),
    paragraph("2.3.1", _("Was gilt"), _("Gespielt wird nach dem Regelwerk des Turniers.")),
)
