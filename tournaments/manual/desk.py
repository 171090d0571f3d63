"""At the desk: registering people, taking their money, who is here."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.manual.base import ManualChapter, Picture, topic

CHAPTER = ManualChapter(
    slug="anmeldung",
    title=_("Anmeldung und Kasse"),
    who=_("Anmeldung"),
    day=(
        _("Wechselgeld zählen, Kasse eröffnen."),
        _("Namen tippen, Enter: gemeldet und bezahlt. Wer schon bezahlt hat: Enter hakt ab."),
        _("Startkarten ausgeben."),
    ),
    pages=("desk", "entry", "cash", "teams"),
    paragraphs=(
        topic(
            "eroeffnen",
            _("Die Kasse eröffnen"),
            _(
                "Vor dem ersten Geld „Wechselgeld zählen und eröffnen“: Scheine und Münzen zählen, "
                "die Summe wird als erster Beleg gebucht. Von da an weiß das Programm zu jeder "
                "Zeit, was in der Kasse liegen muss."
            ),
        ),
        topic(
            "bekannt",
            _("Wer schon bekannt ist"),
            _(
                "Alles geschieht in einem Feld. Einige Buchstaben des Namens oder die Startnummer "
                "tippen; der Name, der hervorgehoben ist, wird mit Enter gemeldet und hat bezahlt. "
                "Der nächste Name kann sofort getippt werden, niemand wartet auf das Programm."
            ),
            _(
                "Wer nur so ähnlich heißt, steht unter „Meinten Sie …?“ und wird mit F4 genommen, "
                "nie mit Enter. Was gerade gebucht wurde, steht unter „Zuletzt“ und lässt sich "
                "dort zurücknehmen."
            ),
            picture=Picture(
                name="desk",
                alt=_("Die Anmeldung: das Feld für den Namen, rechts Bezahlte und Kasse"),
            ),
        ),
        topic(
            "neu",
            _("Wer zum ersten Mal kommt"),
            steps=(
                _("„Nachname, Vorname, Verein“ tippen, mit Kommas, dann Enter."),
                _("Das Formular ist ausgefüllt; ansehen und noch einmal Enter."),
                _("Wer erst später zahlt: „Nur melden“ statt „Melden und kassieren“."),
            ),
            cases=(
                (_("Vor- und Nachname sind vertauscht"), _("F8 tauscht sie.")),
                (_("Gefunden ist jemand anderes"), _("F2 legt trotzdem neu an.")),
                (_("Es war ein Versehen"), _("Esc verlässt das Formular, gespeichert ist nichts.")),
            ),
        ),
        topic(
            "da",
            _("Wer ist da?"),
            _(
                "Wer am Turniertag meldet oder zahlt, ist damit abgehakt. Alle anderen hakt die "
                "Anmeldung ab: mit dem Namen im Feld, mit dem Code der Startkarte oder in der "
                "Liste „Alle Meldungen“, in der „noch nicht da“ nur die Fehlenden zeigt."
            ),
            _(
                "Vor der Auslosung fragt das Programm nach denen, die bezahlt haben und nicht "
                "abgehakt sind."
            ),
        ),
        topic(
            "karten",
            _("Startkarten"),
            _(
                "Mit „Startkarten“ im Menü „Drucken“ kommen acht auf ein Blatt. Der Code darauf "
                "öffnet die eigene Seite: Platz, Listen, Stand und Berichtigungen. Geht eine Karte "
                "verloren, druckt „Startkarte“ auf der Seite der Meldung sie noch einmal."
            ),
        ),
        topic(
            "spaet",
            _("Nachzügler, Abmeldungen, Einspringen"),
            cases=(
                (
                    _("Nach dem Meldeschluss"),
                    _("Die Spielleitung meldet nach, mit einem Grund (§ 1.3)."),
                ),
                (
                    _("Jemand kommt nicht"),
                    _(
                        "Auf der Seite der Meldung „Abmelden“ oder „Nicht erschienen“; bezahltes "
                        "Geld wird dort zurückgegeben."
                    ),
                ),
                (
                    _("Jemand springt ein"),
                    _(
                        "„Einwechseln“ auf der Seite der Meldung; wer einspringt, bekommt eine "
                        "neue Startkarte."
                    ),
                ),
                (
                    _("Alles belegt"),
                    _(
                        "Weitere kommen auf die „Warteliste“ und rücken mit „Nachrücken lassen“ "
                        "nach."
                    ),
                ),
            ),
        ),
        topic(
            "ueberweisungen",
            _("Überweisungen und Tandems"),
            _(
                "Unter „Kassenbuch“ und „Überweisungen“ liest „Kontoauszug einlesen“ die Datei der "
                "Bank. Was eindeutig ist, wird auf einmal gebucht; beim Rest fragt die Seite, für "
                "wen es ist."
            ),
            _(
                "Wer mit wem spielt, steht unter „Mannschaften und Tandems“. Dort erscheinen auch "
                "die Wünsche aus den Meldungen."
            ),
        ),
    ),
)
