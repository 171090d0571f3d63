"""How Progressives Rommé is played: Contract Rommé with wild cards and bought ones."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.rulebook.play import contract
from tournaments.rulebook.play.base import Play, changed, rule

PLAY = Play(
    chapters=changed(
        contract.CHAPTERS,
        rule(
            "geben",
            _("Geben"),
            _("Zwei Spiele zu 52 Karten mit vier Jokern; jede Person erhält 11 Karten."),
        ),
        rule(
            "satz",
            _("Gruppe und Paar"),
            _(
                "Eine Gruppe sind drei oder mehr Karten von gleichem Wert, auch gleiche darunter; "
                "ein Paar sind zwei. Zwei Gruppen vom selben Wert sind erlaubt."
            ),
        ),
        rule(
            "folge",
            _("Lauf"),
            _(
                "Aufeinanderfolgende Karten einer Farbe, so viele der Kontrakt verlangt. Das Ass "
                "steht nach dem König oder vor der Zwei, nicht dazwischen."
            ),
        ),
        rule(
            "getrennt",
            _("Läufe einer Farbe"),
            _(
                "Zwei Läufe einer Farbe dürfen aneinander anschließen. Liegen sie, bleiben sie "
                "getrennt; Läufe werden nicht verbunden und nicht geteilt."
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
            _("Kaufen"),
            _(
                "In den Spielen 9 bis 11 und 14 darf jede Person einmal, in 12 und 13 zweimal eine "
                "abgeworfene Karte kaufen. Sie kostet einen Cent in die Kasse; in 12 und 13 kommt "
                "eine Karte vom Stapel dazu."
            ),
            _(
                "Wer an der Reihe ist, kauft zuerst, wenn er will, und spielt dann wie sonst. Wer "
                "nicht an der Reihe ist, meldet es an; verhindern kann es nur, wer an der Reihe ist"
                " und die Karte selbst nimmt oder kauft. Wollen mehrere, geht vor, wer zuerst an "
                "die Reihe kommt. Danach kann die Karte darunter gekauft werden."
            ),
        ),
        rule(
            "joker",
            _("Joker und Zweien"),
            _(
                "Beide ersetzen jede fehlende Karte, beliebig viele auf einmal. Ist es nicht klar, "
                "sagt, wer auslegt, ob es Gruppe oder Lauf ist und wofür sie stehen. Was liegt, "
                "wird nicht mehr getauscht."
            ),
        ),
        rule(
            "letztes",
            _("Beenden"),
            _("Beendet wird durch Auslegen aller Karten oder mit einem letzten Abwurf."),
        ),
        rule(
            "zaehlen",
            _("Zählen"),
            _("Joker und Zwei 20, Ass 15, Bilder 10, Drei bis Zehn 5."),
        ),
    )
)
