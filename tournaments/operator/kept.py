"""What the program keeps of people, as the pages say it, with the figures it goes by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext as _

from tournaments.common.submissions import FORMS_KEPT_FOR
from tournaments.models import PersonImport
from tournaments.operator.queries import LISTS_KEPT, PERSONS_KEPT
from tournaments.table.services.devices import GUESSES_LAST


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One line of the table."""

    what: str
    which: str
    until: str


def lines() -> list[Kept]:
    """Return what is kept, and until when."""
    lists = _("{days} Tage nach Abschluss des Turniers").format(days=LISTS_KEPT.days)
    logins = _("{days} Tage").format(days=LISTS_KEPT.days)
    session = _("{days} Tage").format(days=settings.SESSION_COOKIE_AGE // (24 * 3600))
    minutes = _("bis zum nächsten falschen Code nach {n} Minuten").format(
        n=GUESSES_LAST // timedelta(minutes=1)
    )
    hours = _("{n} Stunden").format(n=PersonImport.KEPT_FOR // timedelta(hours=1))
    years = _("bis man es verlangt, sonst {n} Jahre nach dem letzten Turnier").format(
        n=PERSONS_KEPT.days // 365
    )
    rows = (
        (
            _("Personen"),
            _(
                "Name, Verein, ob der Name im Internet und im Saal stehen darf; wo angegeben auch "
                "Geschlecht, Geburtsjahr, E-Mail, Telefon, Mitgliedsnummer, Bemerkung"
            ),
            years,
        ),
        (
            _("Meldungen und Ergebnisse"),
            _("Startnummer, Verein, Plätze, Spiele und Punkte"),
            _("auf Dauer, als Unterlagen des Turniers; ist die Person gelöscht, ohne Namen"),
        ),
        (_("Gründe und Bedürfnisse"), _("etwa eines festen Tisches oder einer Abmeldung"), lists),
        (_("Unterschriften"), _("am Gerät mit dem Finger gezeichnete"), lists),
        (
            _("Meldungen über das Internet"),
            _("was im Formular steht, mit der E-Mail-Adresse"),
            _("bis zum Abschluss des Turniers"),
        ),
        (
            _("Kassenbuch"),
            _("Belege mit dem Namen, der auf ihnen steht"),
            _("auf Dauer; kein Beleg lässt sich löschen"),
        ),
        (_("Kontoauszüge"), _("Auftraggeber und Zweck der Überweisungen"), lists),
        (_("Gedrucktes und Archive"), _("fertige Dateien mit Namen"), lists),
        (_("Eingelesene Personenlisten"), _("bis sie übernommen sind"), hours),
        (
            _("Gesendete Formulare"),
            _("der Satz, mit dem das Programm geantwortet hat; so zählt nichts doppelt"),
            _("{n} Stunden, gelöscht mit dem nächsten Formular").format(
                n=FORMS_KEPT_FOR // timedelta(hours=1)
            ),
        ),
        (
            _("Protokoll"),
            _("wer im Programm wann was getan hat; Mitspielende stehen nur als Nummer darin"),
            _("auf Dauer, es lässt sich nicht ändern"),
        ),
        (
            _("Konten der Turnierleitung"),
            _("Name, Anmeldename, E-Mail; vom Kennwort nur ein Prüfwert"),
            _("auf Dauer, weil das Protokoll sie nennt"),
        ),
        (
            _("Falsche Codes am Tisch"),
            _("ein Prüfwert der Netzadresse, um Ausprobieren zu stoppen"),
            minutes,
        ),
        (
            _("Anmeldungen der Turnierleitung"),
            _("auch versuchte, mit Anmeldename, Netzadresse und Browser"),
            logins,
        ),
        (
            _("Cookies"),
            _("für Anmeldung, Formulare und das Gerät am Tisch; keine fremden, keine Zählung"),
            session,
        ),
    )
    return [Kept(what=what, which=which, until=until) for what, which, until in rows]
