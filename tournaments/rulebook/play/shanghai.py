"""How Shanghai Rommé and its two variants are played: Contract Rommé with other rules."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.rulebook.play import contract
from tournaments.rulebook.play.base import Chapter, Play, changed, rule

CALL = Chapter(
    _("„Shanghai“ rufen"),
    (
        rule(
            "shanghai",
            _("Wann gerufen wird"),
            _(
                "Es geht um eine abgeworfene Karte, die an etwas Ausgelegtes passt. Wer sie "
                "abwirft und dabei „Shanghai“ ruft, schützt sie: Niemand darf sie in diesem Zug "
                "nehmen."
            ),
            _(
                "Ruft er nicht, darf jede andere Person „Shanghai“ rufen, auch wenn sie noch nicht "
                "ausgelegt hat, und die Karte anlegen. Der Abwerfende zieht dann verdeckt eine "
                "Karte aus ihrer Hand, und es geht links von ihm weiter."
            ),
            _("„Shanghai“ geht vor „May I?“."),
        ),
    ),
)

CHAPTERS = (
    *changed(
        contract.CHAPTERS,
        rule(
            "geben",
            _("Geben"),
            _("Zwei Spiele zu 52 Karten mit vier Jokern; jede Person erhält 11 Karten."),
            unclear=(
                _(
                    "„Wie bei Contract Rommé, 11 Karten“ passt nicht zusammen: Dort sind es 10 und "
                    "12. Es gilt die genannte Zahl."
                ),
            ),
        ),
        rule(
            "satz",
            _("Satz"),
            _(
                "Drei Karten von gleichem Wert, gleich welcher Farbe. Zwei Sätze vom selben Wert "
                "gelten nicht als zwei."
            ),
        ),
        rule(
            "folge",
            _("Folge"),
            _(
                "Mindestens vier aufeinanderfolgende Karten einer Farbe. Das Ass steht nur oben, "
                "nach dem König."
            ),
        ),
        rule(
            "anlegen",
            _("Anlegen"),
            _(
                "Angelegt werden darf überall, sobald der Kontrakt liegt: schon im selben Zug oder "
                "später."
            ),
        ),
        rule(
            "may-i",
            _("„May I?“: nehmen außer der Reihe"),
            _(
                "Will, wer an der Reihe ist, die abgeworfene Karte nicht, darf jemand anders sie "
                "nehmen, höchstens zweimal je Spiel, und nimmt zwei vom Stapel dazu. Er legt dabei "
                "nichts aus und wirft nichts ab. Wollen mehrere, geht vor, wer zuerst an die Reihe "
                "kommt. Dann geht der unterbrochene Zug weiter."
            ),
        ),
        rule(
            "joker",
            _("Joker"),
            _(
                "Ein Joker ersetzt jede Karte; in einem Satz oder einer Folge liegt höchstens "
                "einer. Für das Tauschen gilt, was bei Contract Rommé gilt: Aus einer Folge darf "
                "er, wenn der Kontrakt seit einem früheren Zug liegt, gegen die richtige Karte "
                "getauscht werden und muss im selben Zug wieder angelegt werden."
            ),
        ),
        rule(
            "zaehlen",
            _("Beenden und Zählen"),
            _(
                "Wer als Erstes keine Karte mehr hat, beendet. Die anderen zählen: Zwei bis Sieben "
                "5, Acht bis König 10, Ass 20, Joker 50."
            ),
        ),
    ),
    CALL,
)
PLAY = Play(chapters=CHAPTERS)

POWE = Play(
    chapters=changed(
        CHAPTERS[:-1],  # without „Shanghai“
        rule(
            "geben",
            _("Geben"),
            _("Zwei Spiele zu 52 Karten mit vier Jokern; jede Person erhält 10 Karten."),
        ),
        rule(
            "getrennt",
            _("Folgen einer Farbe"),
            _("Niemand legt mehr als eine Folge derselben Farbe aus."),
        ),
        rule(
            "may-i",
            _("Kaufen: nehmen außer der Reihe"),
            _(
                "Will, wer an der Reihe ist, die abgeworfene Karte nicht, darf jemand anders sie "
                "„kaufen“, höchstens zweimal je Spiel, und nimmt zwei vom Stapel dazu. Er legt "
                "dabei nichts aus und wirft nichts ab. Wollen mehrere, geht vor, wer zuerst an die "
                "Reihe kommt. Dann geht der unterbrochene Zug weiter."
            ),
        ),
        rule(
            "letztes",
            _("Ende ohne Abwerfen"),
            _("Wer beendet, hat alle Karten ausgelegt und wirft keine ab, in jedem Spiel."),
        ),
    )
)

KOLSOV = Play(
    chapters=changed(
        CHAPTERS,
        rule(
            "letztes",
            _("Zehn Spiele"),
            _("Nur die Reihe der Kontrakte ist anders als in Shanghai Rommé; es sind zehn."),
            unclear=(
                _("Dass am Ende nicht abgeworfen wird, steht in dieser Reihe bei keinem Spiel."),
            ),
        ),
    )
)
