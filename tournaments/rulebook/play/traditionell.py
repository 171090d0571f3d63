"""How "Traditionelles Rommé" is played."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.rulebook.play.base import Chapter, Play, rule

CHAPTERS = (
    Chapter(
        _("Karten"),
        (
            rule(
                "geben",
                _("Geben"),
                _(
                    "Zwei Spiele zu 52 Karten und Joker. Jede Person erhält zehn Karten, der Rest "
                    "ist der verdeckte Stapel."
                ),
                unclear=(
                    _("Wie viele Joker mitspielen, sagt die Quelle nicht. Angenommen sind sechs."),
                ),
            ),
            rule(
                "satz",
                _("Satz"),
                _("Mindestens drei Karten von gleichem Wert."),
                unclear=(
                    _(
                        "Ob eine Farbe doppelt vorkommen darf, sagt die Quelle nicht; sie verbietet"
                        " es nicht."
                    ),
                ),
            ),
            rule(
                "sequenz",
                _("Sequenz"),
                _("Mindestens drei Karten einer Farbe, die aufeinander folgen."),
                unclear=(
                    _(
                        "Zu Ass und Joker sagt die Quelle nichts. Wie in den anderen Texten steht "
                        "das Ass nach dem König oder vor der Zwei und der Joker für jede Karte."
                    ),
                ),
            ),
        ),
    ),
    Chapter(
        _("Spielen"),
        (
            rule(
                "zug",
                _("Zug"),
                _(
                    "Jeder Zug beginnt mit einer Karte vom verdeckten Stapel oder der obersten "
                    "abgeworfenen. Dann darf man Sätze und Sequenzen auslegen und an alles anlegen,"
                    " was liegt. Am Ende wird eine Karte abgeworfen."
                ),
                _("Eine Mindestzahl von Punkten gibt es beim Auslegen nicht."),
            ),
            rule(
                "stapel",
                _("Stapel aufgebraucht"),
                _(
                    "Der offene Stapel wird gemischt und verdeckt hingelegt; die zuletzt "
                    "abgeworfene Karte bleibt offen liegen."
                ),
            ),
            rule(
                "beenden",
                _("Herausgehen"),
                _("Es gewinnt, wer zuerst die letzte Karte ablegt."),
            ),
            rule(
                "romme",
                _("Rommé (hier: Handrommé)"),
                _(
                    "Wer alle Karten auf einmal ablegt, ohne vorher etwas ausgelegt zu haben, macht"
                    " Rommé. Die anderen zählen 25 Punkte mehr."
                ),
            ),
            rule(
                "zaehlen",
                _("Zählen"),
                _("Was auf der Hand bleibt, zählt: Ass 11, Joker 25, Bilder 10, sonst die Zahl."),
            ),
        ),
    ),
)
PLAY = Play(chapters=CHAPTERS)
