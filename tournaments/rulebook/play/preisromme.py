"""How Preisrommé of 1987 is played, by the numbers of its sheet."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.rulebook.play.base import Chapter, Play, paragraph

_nr = partial(paragraph, sign=_("Nr."))


CHAPTERS = (
    Chapter(
        _("Tisch und Geben"),
        (
            _nr(
                "1",
                _("Zwei Durchgänge"),
                _(
                    "Gespielt wird möglichst zu viert, in zwei Durchgängen zu acht Spielen. Platz "
                    "und Tisch werden für jeden Durchgang neu gelost."
                ),
            ),
            _nr(
                "2",
                _("Platz 1 schreibt und gibt zuerst"),
                _("Platz 1 schreibt die Ergebnisse auf, addiert gleich und gibt das erste Spiel."),
            ),
            _nr(
                "3",
                _("Geben"),
                _(
                    "Jede Person erhält einzeln 13 Karten. Haben alle aufgenommen, deckt, wer "
                    "gegeben hat, die oberste Karte des Stapels auf."
                ),
            ),
        ),
    ),
    Chapter(
        _("Karten erwerben"),
        (
            _nr(
                "4",
                _("Klopfen"),
                _(
                    "Die aufgedeckte und jede abgeworfene Karte steht zuerst der Person zu, die "
                    "als Nächste an der Reihe ist; sie muss nicht klopfen. Will sie die Karte "
                    "nicht, bekommt sie, wer zuerst auf den Tisch geklopft hat."
                ),
                _(
                    "Haben mehrere zugleich geklopft, bekommt sie von ihnen, wer nach der "
                    "abwerfenden Person zuerst an die Reihe kommt."
                ),
                unclear=(
                    _(
                        "Wie lange die nächste Person überlegen darf, steht nicht da. Geklopft "
                        "wird, bevor sie vom Stapel zieht."
                    ),
                ),
            ),
            _nr(
                "5",
                _("Eine Karte vom Stapel dazu"),
                _(
                    "Wer eine Karte durch Klopfen bekommt, nimmt eine vom Stapel dazu. Die Person, "
                    "die als Nächste an der Reihe ist, braucht das nicht."
                ),
            ),
        ),
    ),
    Chapter(
        _("Auslegen"),
        (
            _nr(
                "6",
                _("Erstes Auslegen mit 40 Punkten"),
                _(
                    "Zuerst müssen 40 Punkte liegen, wenn man an der Reihe ist und alle schon "
                    "einmal abgeworfen haben. Joker dürfen dabei sein."
                ),
                _(
                    "Beispiele: Sechs bis Zehn oder Zehn bis König oder Bube bis Ass in einer "
                    "Farbe; vier Zehnen, Buben, Damen, Könige oder Asse."
                ),
                _("In einer Folge zählt das Ass nur mit dem König 10, vor der Zwei 1."),
                unclear=(
                    _(
                        "Die Regel spricht von 40 Punkten „in Reihenfolge“, die Beispiele nennen "
                        "auch Sätze. Beides gilt, auch zusammen."
                    ),
                ),
            ),
            _nr(
                "7",
                _("Danach"),
                _(
                    "Danach reichen drei Karten; man darf anlegen und Joker eintauschen, aber nur "
                    "die, die andere ausgelegt haben."
                ),
            ),
            _nr(
                "8",
                _("Zwei Joker nebeneinander"),
                _(
                    "Zwei Joker dürfen nicht nebeneinanderliegen. Zehn, Joker, Dame, Joker geht; "
                    "Zehn, Joker, Joker, König geht nicht."
                ),
            ),
            _nr(
                "9",
                _("Was liegt, liegt"),
                _("Ausgelegte Karten werden nicht zurückgenommen und nicht umgelegt."),
                _(
                    "Wer falsch auslegt, etwa in falscher Reihenfolge oder mit weniger als 40 "
                    "Punkten, nimmt die Karten zurück und darf erst im nächsten eigenen Zug wieder "
                    "auslegen."
                ),
            ),
            _nr(
                "10",
                _("Reihenfolge der Farben"),
                _(
                    "Kreuz, Pik, Herz, Karo. Ein Joker im Satz steht für die erste Farbe, die "
                    "fehlt: Liegen Kreuz-Ass, Joker, Karo-Ass, holt ihn das Pik-Ass, nicht das "
                    "Herz-Ass."
                ),
            ),
        ),
    ),
    Chapter(
        _("Beenden und Zählen"),
        (
            _nr(
                "11",
                _("Handrommé"),
                _(
                    "Handrommé macht, wer frühestens nach einem Umlauf ohne früheres Auslegen alles"
                    " auf einmal auslegt, davon mindestens 40 Punkte, und die letzte Karte abwirft."
                ),
                _("Auch sonst wird jedes Spiel mit einem Abwurf beendet."),
            ),
            _nr(
                "12",
                _("Laut zählen"),
                _("Nach dem Spiel zählen alle ihre Karten den anderen laut vor."),
            ),
            _nr(
                "13",
                _("Kartenwerte"),
                _("Ass, König, Dame und Bube 10, Joker 20, die anderen ihre Zahl."),
                _("Nach einem Handrommé zählt alles doppelt."),
            ),
        ),
    ),
)
PLAY = Play(chapters=CHAPTERS)
