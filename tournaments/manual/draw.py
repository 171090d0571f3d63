"""The draw: from who is here to the published seats."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.manual.base import ManualChapter, Picture, topic

CHAPTER = ManualChapter(
    slug="auslosung",
    title=_("Auslosung"),
    who=_("Spielleitung"),
    day=(
        _("Prüfen, wer bezahlt hat und nicht da ist; auslosen, ansehen, bekannt geben."),
        _("Druckpaket drucken: Sitzpläne aushängen, Tischkarten und Spiellisten verteilen."),
    ),
    pages=("draw", "seating"),
    paragraphs=(
        topic(
            "auslosen",
            _("Eine Serie auslosen"),
            _(
                "Ausgelost wird mit allen, die bezahlt haben und da sind. Wie, steht in der "
                "Ausschreibung und lässt sich hier noch ändern."
            ),
            steps=(
                _("„Auslosung“, dann „Nächste Serie auslosen“."),
                _("Das Verfahren wählen und „Auslosung beginnen“."),
                _(
                    "Wer vorher etwas in der Hand haben will, hängt mit „Aushang: Prüfsumme“ die "
                    "Prüfsumme aus. Dann „Jetzt auslosen“."
                ),
                _("Den Entwurf ansehen: Unter „Was herausgekommen ist“ steht, wer wem begegnet."),
                _("„Bekannt geben“. Danach lässt sich nicht mehr neu auslosen."),
            ),
            picture=Picture(name="draw", alt=_("Die Auslosung einer Serie mit ihren Verfahren")),
        ),
        topic(
            "verfahren",
            _("Die vier Verfahren"),
            cases=(
                (
                    _("„gezogene Startkarten“"),
                    _(
                        "Alle ziehen. Die Anmeldung tippt Startnummer, Enter und 4-2 für Tisch 4, "
                        "Platz 2; oder die Tische tragen sich mit dem Handy selbst ein."
                    ),
                ),
                (
                    _("„elektronische Auslosung“"),
                    _("Der Zufall setzt, und niemand trifft zweimal dieselben, wo das geht."),
                ),
                (
                    _("„gesetzt nach Rangliste“"),
                    _("Die Besten an Tisch 1, oder als Schlange gleich Starke an jeden Tisch."),
                ),
                (
                    _("„vorausgeplant ohne Wiederbegegnung“"),
                    _("Alle Serien werden auf einmal geplant; das rechnet eine Weile."),
                ),
            ),
        ),
        topic(
            "nachpruefen",
            _("Warum man ihr trauen kann"),
            _(
                "Die Prüfsumme wird vor der Auslosung gezeigt, der Startwert danach. Wer beides "
                "hat, kann die Auslosung mit „Auslosung nachprüfen“ auf jedem Rechner wiederholen "
                "und bekommt dieselben Plätze."
            ),
        ),
        topic(
            "aendern",
            _("Wenn danach noch jemand kommt oder geht"),
            _(
                "Auf der Seite der Serie stehen „Nachzügler und Fehlende“. „Folgen zeigen“ sagt "
                "vorher, wen es trifft; erst „So ändern“ ändert etwas. Zwei Plätze tauscht „Zwei "
                "Plätze tauschen“."
            ),
        ),
    ),
)
