"""How "Romme Regeln" is played, with its variants a to g."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.rulebook.play.base import Chapter, Play, rule

CHAPTERS = (
    Chapter(
        _("Karten und Geben"),
        (
            rule(
                "karten",
                _("Karten"),
                _("Zwei Spiele zu 52 Karten, meist mit je drei Jokern; drei bis sechs Personen."),
            ),
            rule(
                "geben",
                _("Geben"),
                _(
                    "Jede Person erhält 13 Karten, verdeckt und einzeln links herum. Der Rest ist "
                    "der Stapel. Wer zuerst gibt, wird ausgelost."
                ),
                unclear=(
                    _("In diesem Programm gibt zuerst Platz 1; die Plätze sind schon ausgelost."),
                ),
            ),
        ),
    ),
    Chapter(
        _("Was zusammengehört"),
        (
            rule(
                "satz",
                _("Satz"),
                _("Drei oder vier Karten von gleichem Wert und verschiedener Farbe."),
            ),
            rule(
                "folge",
                _("Folge"),
                _(
                    "Mindestens drei aufeinanderfolgende Karten einer Farbe. Das Ass steht nach "
                    "dem König oder vor der Zwei; auch König, Ass, Zwei ist eine Folge."
                ),
            ),
            rule(
                "joker",
                _("Joker"),
                _("Ein Joker steht in Satz und Folge für jede Karte, die gerade fehlt."),
                unclear=(_("Wie viele Joker beieinanderliegen dürfen, sagt die Quelle nicht."),),
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
                    "Links vom Geber wird begonnen. Jede Person nimmt eine Karte vom Stapel oder "
                    "die zuletzt abgelegte und legt eine offen ab. Im ersten Zug gibt es nur den "
                    "Stapel."
                ),
            ),
            rule(
                "auslegen",
                _("Erstes Auslegen mit 40 Punkten"),
                _(
                    "Zuerst müssen mindestens 40 Punkte ausgelegt werden. Das Ass zählt dabei 11, "
                    "in einer Folge ohne König 1, Bilder 10, Zwei bis Zehn ihre Zahl und ein Joker "
                    "wie die Karte, für die er liegt."
                ),
            ),
            rule(
                "danach",
                _("Nach dem ersten Auslegen"),
                _(
                    "Sobald man wieder an der Reihe ist, darf man beliebig wenige Punkte auslegen, "
                    "überall anlegen und einen Joker gegen die Karte tauschen, für die er liegt."
                ),
            ),
            rule(
                "stapel",
                _("Stapel aufgebraucht"),
                _("Die abgelegten Karten werden gemischt und verdeckt neu hingelegt."),
            ),
        ),
    ),
    Chapter(
        _("Beenden"),
        (
            rule(
                "beenden",
                _("Rommé"),
                _(
                    "Es gewinnt, wer zuerst alle Karten aus- oder angelegt hat, dabei „Rommé“ sagt "
                    "und eine Karte abwirft."
                ),
            ),
            rule(
                "hand",
                _("Handrommé"),
                _(
                    "Wer noch nichts ausgelegt hat und alles auf einmal aus- oder anlegt, macht "
                    "Handrommé. 40 Punkte braucht es dafür nicht."
                ),
            ),
            rule(
                "zaehlen",
                _("Zählen"),
                _(
                    "Was auf der Hand bleibt, sind Minuspunkte: Ass 11, Joker 20. Nach einem "
                    "Handrommé zählen sie doppelt."
                ),
            ),
        ),
    ),
)

VARIANTS = {
    "a": (
        rule(
            "folge",
            _("Folge (Variante a)"),
            _(
                "Mindestens drei aufeinanderfolgende Karten einer Farbe. Das Ass steht am Ende "
                "nach dem König oder am Anfang vor der Zwei; über das Ass hinweg geht es nicht."
            ),
        ),
    ),
    "b": (
        rule(
            "satz",
            _("Satz (Variante b)"),
            _(
                "Alle Karten von gleichem Wert dürfen zusammenliegen, auch dieselbe Karte zweimal "
                "und mehr als vier."
            ),
        ),
    ),
    "c": (
        rule(
            "beenden",
            _("Rommé (Variante c)"),
            _(
                "„Rommé“ sagen darf auch, wer nur noch wenige Augen auf der Hand hat; wie viele "
                "höchstens, steht unter „So wird gezählt“. Diese Punkte zählen dann für ihn."
            ),
        ),
    ),
    "d": (
        rule(
            "hand",
            _("Handrommé (Variante d)"),
            _(
                "Handrommé gilt nur mit den Karten, die gegeben wurden: Wer schon eine Karte vom "
                "Stapel genommen hat, kann keines mehr machen."
            ),
        ),
    ),
    "e": (
        rule(
            "e",
            _("Abgelegte Karte (Variante e)"),
            _(
                "Die abgelegte Karte darf nur nehmen, wer mit ihr einen Satz oder eine Folge von "
                "mindestens 40 Punkten auslegt."
            ),
        ),
    ),
    "f": (
        rule(
            "f",
            _("Joker beim Abheben (Variante f)"),
            _(
                "Ist die unterste Karte des abgehobenen Teils ein Joker, darf ihn, wer abhebt, "
                "gegen eine Karte aus der eigenen Hand eintauschen."
            ),
        ),
    ),
    "g": (
        rule(
            "g",
            _("Drei Karten je Zug (Variante g)"),
            _(
                "Zu zweit oder zu dritt nimmt man in jedem Zug die abgelegte Karte und noch zwei "
                "vom Stapel."
            ),
        ),
    ),
}

PLAY = Play(chapters=CHAPTERS, variants=VARIANTS)
