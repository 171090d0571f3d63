"""Recognising the columns of a file of persons by German headings and their variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.common import names
from tournaments.machine.columns import Headings
from tournaments.machine.sheets import Row

# The targets of a column, in the order in which a page offers them.
LAST_FIRST, FIRST_LAST = "last_first", "first_last"
TARGETS = {
    "last_name": _("Nachname"),
    "first_name": _("Vorname"),
    LAST_FIRST: _("Nachname und Vorname in einer Spalte"),
    FIRST_LAST: _("Vorname und Nachname in einer Spalte"),
    "club": _("Verein"),
    "birth_year": _("Geburtsjahr oder -datum"),
    "gender": _("Geschlecht"),
    "email": _("E-Mail"),
    "phone": _("Telefon"),
    "member_number": _("Pass- oder Mitgliedsnummer"),
    "member_until": _("Pass gültig bis"),
    "note": _("Bemerkung"),
    "publish_consent": _("Darf öffentlich mit Namen genannt werden"),
}
NAMES = ("last_name", LAST_FIRST, FIRST_LAST)

# Known headings, folded by names.sort_key().
_HEADINGS = {
    "last_name": "nachname, name, familienname, zuname, last name, lastname, surname",
    "first_name": "vorname, rufname, first name, firstname, given name",
    LAST_FIRST: "name vorname, nachname vorname, familienname vorname",
    FIRST_LAST: (
        "vorname name, vorname nachname, vor und nachname, vor und zuname, spieler, "
        "spielername, spielerin, teilnehmer, teilnehmerin, teilnehmername, mitglied, person, "
        "full name"
    ),
    "club": "verein, vereinsname, club, clubname, klub, klubname, ortsverein, spielgemeinschaft",
    "birth_year": (
        "geburtsjahr, geburtsdatum, geburtsjahr datum, geburtstag, jahrgang, jg, geb, geb datum, "
        "geb jahr, geb am, gebdat, geboren, geboren am, birth year, year of birth, birth date, "
        "date of birth, dob"
    ),
    "gender": "geschlecht, anrede, m w, w m, m w d, w m d, gender, sex",
    "email": (
        "e mail, email, mail, e mail adresse, email adresse, emailadresse, mailadresse, "
        "e mail address"
    ),
    "phone": (
        "telefon, tel, tel nr, telefonnummer, telefonnr, telefon nr, handy, handynummer, mobil, "
        "mobiltelefon, mobilnummer, rufnummer, festnetz, phone, mobile"
    ),
    "member_number": (
        "mitgliedsnummer, mitgliedsnr, mitglieds nr, mitgliedernummer, mitgliednr, mitglied nr, "
        "mitglieds nummer, mitgl nr, mitglnr, mgl nr, passnummer, pass nr, passnr, pass nummer, "
        "pass oder mitgliedsnummer, pass or member number, spielerpass, spielerpassnummer, pass, "
        "spielernummer, spieler nr, spieler id, lizenznummer, lizenznr, lizenz nr, verbandsnummer, "
        "verbands nr, ausweisnummer, member number, member no, member id, membership number, "
        "membership no"
    ),
    "member_until": (
        "pass gueltig bis, pass gueltig, pass bis, gueltig bis, gueltigkeit, gueltig, "
        "passgueltigkeit, mitglied bis, ablauf, ablaufdatum, laeuft ab am, pass valid until, "
        "valid until, valid to, expires, "
        "expiry date"
    ),
    "note": (
        "bemerkung, bemerkungen, notiz, notizen, anmerkung, anmerkungen, hinweis, kommentar, "
        "remarks, notes, comment, comments"
    ),
    "publish_consent": (
        "darf oeffentlich mit namen genannt werden, namensnennung, einwilligung, "
        "veroeffentlichung, veroeffentlichen, darf, name veroeffentlichen, einverstanden, "
        "zustimmung, datenschutz, dsgvo, consent"
    ),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """The targets of the columns of a kind of file, and their known headings."""

    targets: Mapping[str, str | Promise]
    known: Headings


PERSONS = Columns(TARGETS, Headings(_HEADINGS))


def with_persons(targets: Mapping[str, str | Promise], headings: Mapping[str, str]) -> Columns:
    """Return the columns of persons with further targets."""
    return Columns({**TARGETS, **targets}, Headings({**_HEADINGS, **headings}))


def recognise(heading: str) -> str:
    """Return the target of a heading, or ""; words after the first may be unknown.

    >>> recognise("Name, Vorname"), recognise("Telefon privat"), recognise("Kontostand")
    ('last_first', 'phone', '')
    """
    return PERSONS.known.recognise(heading)


def heading_row(rows: Sequence[Row], columns: Columns = PERSONS) -> int:
    """Return the number of the row with the headings, 0 if there is none."""
    return columns.known.row(rows, NAMES)


def join_headings(rows: Sequence[Row], columns: Columns = PERSONS) -> list[Row]:
    """Return the rows, with headings in two rows joined to one."""
    return columns.known.joined(rows, NAMES)


def guess(headings: Sequence[str], columns: Columns = PERSONS) -> list[str]:
    """Return the target of each column; "" for unknown and repeated ones.

    >>> guess(["Nr.", "Name", "Vorname", "Telefon", "Handy"])
    ['', 'last_name', 'first_name', 'phone', '']
    >>> guess(["Name", "Verein"])
    ['first_last', 'club']
    """
    targets = columns.known.guess(headings)
    if "last_name" in targets and "first_name" not in targets:
        # A single column „Name“ has both names.
        at = targets.index("last_name")
        targets[at] = FIRST_LAST if names.sort_key(headings[at]) == "name" else "last_name"
    return targets
