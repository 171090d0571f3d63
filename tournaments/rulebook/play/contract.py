"""How Contract Rommé is played, and Liverpool and May I?, which differ in little."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.rulebook.play.base import Chapter, Play, changed, rule

CHAPTERS = (
    Chapter(
        _("Karten und Kontrakt"),
        (
            rule(
                "geben",
                _("Geben"),
                _(
                    "Zwei Spiele zu 52 Karten und ein Joker weniger, als Personen am Tisch sind. In"
                    " den Spielen 1 bis 3 erhält jede Person 10, danach 12 Karten, einzeln im "
                    "Uhrzeigersinn. Die oberste Karte des Stapels wird aufgedeckt."
                ),
            ),
            rule(
                "satz",
                _("Satz"),
                _("Drei Karten von gleichem Wert, gleich welcher Farbe; später auch mehr."),
            ),
            rule(
                "folge",
                _("Folge"),
                _(
                    "Mindestens vier aufeinanderfolgende Karten einer Farbe. Das Ass steht am "
                    "Anfang oder am Ende, nicht in der Mitte; nur eine Folge aus 14 Karten hätte an"
                    " beiden Enden eines."
                ),
            ),
            rule(
                "kontrakt",
                _("Kontrakt"),
                _(
                    "Jedes Spiel hat seinen Kontrakt. Wer auslegt, legt zuerst genau ihn aus, alles"
                    " auf einmal und ohne eine Karte mehr; das geht einmal je Spiel. Niemand muss "
                    "es, sobald er es kann."
                ),
            ),
            rule(
                "getrennt",
                _("Getrennte Folgen"),
                _(
                    "Verlangt der Kontrakt mehrere Folgen, dürfen zwei einer Farbe nicht "
                    "aneinander anschließen: Drei bis Sechs und Sieben bis Zehn in Herz gelten "
                    "nicht als zwei. Mit einer Lücke oder wenn sie sich überschneiden, gelten sie."
                ),
                _("Durch späteres Anlegen dürfen sie zusammenwachsen."),
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
                    "Begonnen wird links vom Geber. Ein Zug ist: eine Karte vom Stapel oder die "
                    "oberste abgeworfene nehmen, auslegen oder anlegen, eine abwerfen."
                ),
            ),
            rule(
                "anlegen",
                _("Anlegen"),
                _(
                    "Anlegen darf, wer in einem früheren Zug dieses Spiels den Kontrakt ausgelegt "
                    "hat: überall und so viele Karten, wie er will. Im selben Zug noch nicht."
                ),
            ),
            rule(
                "may-i",
                _("„May I?“: nehmen außer der Reihe"),
                _(
                    "Wer an der Reihe ist und vom Stapel ziehen will, fragt erst die anderen. Wer "
                    "die abgeworfene Karte haben will, bekommt sie und nimmt eine vom Stapel als "
                    "Strafkarte dazu. Wollen mehrere, geht vor, wer zuerst an die Reihe kommt."
                ),
                _(
                    "Danach darf jemand anders die nächste abgeworfene nehmen, so oft es gewünscht "
                    "wird, nur nicht dieselbe Person zweimal hintereinander. Dann geht der "
                    "unterbrochene Zug weiter."
                ),
                _(
                    "Nimmt die abgeworfene Karte, wer an der Reihe ist, kostet das nichts, und "
                    "niemand sonst kommt zum Zug."
                ),
            ),
            rule(
                "joker",
                _("Joker"),
                _(
                    "Ein Joker ersetzt jede Karte. Aus einer Folge darf ihn, wer den Kontrakt schon"
                    " in einem früheren Zug ausgelegt hat, beim Anlegen gegen die richtige Karte "
                    "tauschen und muss ihn im selben Zug wieder anlegen. Aus einem Satz wird kein "
                    "Joker geholt."
                ),
            ),
            rule(
                "stapel",
                _("Stapel aufgebraucht"),
                _(
                    "Die abgeworfenen Karten werden gemischt und bilden den neuen Stapel; die "
                    "oberste bleibt offen. Gibt es auch keine abgeworfenen mehr, endet das Spiel "
                    "ohne Sieger, und alle zählen."
                ),
            ),
            rule(
                "letztes",
                _("Siebtes Spiel"),
                _(
                    "Alle Karten müssen auf einmal ausgelegt werden, in drei Folgen, die hier "
                    "länger sein dürfen. Damit ist das Spiel zu Ende; abgeworfen wird nicht."
                ),
            ),
            rule(
                "zaehlen",
                _("Beenden und Zählen"),
                _(
                    "Wer als Erstes keine Karte mehr hat, beendet. Die anderen zählen, was sie "
                    "noch haben: Ass 15, Bilder 10, Zahlen ihre Zahl, Joker 15."
                ),
            ),
        ),
    ),
)
PLAY = Play(chapters=CHAPTERS)

LIVERPOOL = Play(
    chapters=changed(
        CHAPTERS,
        rule(
            "geben",
            _("Abheben und Geben"),
            _(
                "Zwei Spiele zu 52 Karten und ein Joker weniger, als Personen am Tisch sind. In den"
                " Spielen 1 bis 3 erhält jede Person 10, danach 12 Karten, einzeln im "
                "Uhrzeigersinn. Die oberste Karte des Stapels wird aufgedeckt."
            ),
            _(
                "Vor dem Geben hebt ab, wer rechts vom Geber sitzt. Sind es genau so viele Karten, "
                "wie gebraucht werden, mit der aufgedeckten, erhält er 50 Punkte weniger."
            ),
        ),
    )
)

MAY_I = Play(
    chapters=changed(
        CHAPTERS,
        rule(
            "geben",
            _("Geben"),
            _(
                "Je zwei Personen ein Spiel mit 52 Karten und beiden Jokern, aufgerundet. In den "
                "Spielen 1 bis 3 erhält jede Person 10, danach 12 Karten, einzeln im "
                "Uhrzeigersinn. Die oberste Karte des Stapels wird aufgedeckt."
            ),
        ),
        rule(
            "kontrakt",
            _("Kontrakt"),
            _(
                "Jedes Spiel hat seinen Kontrakt. Wer auslegt, legt zuerst ihn aus, alles auf "
                "einmal; Sätze und Folgen dürfen dabei größer sein. Niemand muss es, sobald er es "
                "kann."
            ),
        ),
        rule(
            "getrennt",
            _("Folgen einer Farbe"),
            _("Zwei Folgen einer Farbe dürfen aneinander anschließen."),
        ),
        rule(
            "joker",
            _("Joker"),
            _("Ein Joker ersetzt jede Karte. Liegt er, wird er nicht mehr getauscht."),
        ),
        rule(
            "letztes",
            _("Siebtes Spiel"),
            _(
                "Es hat keine eigene Regel: Wer nach den drei Folgen noch Karten hat, spielt "
                "weiter."
            ),
        ),
        rule(
            "zaehlen",
            _("Beenden und Zählen"),
            _(
                "Wer als Erstes keine Karte mehr hat, beendet. Die anderen zählen, was sie noch "
                "haben: Ass 15, Bilder 10, Zahlen ihre Zahl, Joker 25."
            ),
        ),
    )
)
