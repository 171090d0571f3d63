"""Who may play in a closed tournament (§ 1.1): the clubs and persons on its lists."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.common import names
from tournaments.models import Person, Tournament

# „Kühn, Anna“ or „Anna Kühn (1950)“
_LINE = re.compile(r"(?P<name>.*?)\s*(?:\(\s*(?P<year>\d{4})\s*\))?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A person who wants to play, as stored or as typed into the public form."""

    full_name: str
    club_name: str = ""
    birth_year: int | None = None

    @classmethod
    def stored(cls, person: Person) -> Asking:
        """Return the data of a stored person; the club costs a query unless it was fetched."""
        return cls(
            full_name=person.full_name,
            club_name=person.club.name if person.club else "",
            birth_year=person.birth_year,
        )


def ground(tournament: Tournament, asking: Asking) -> str:
    """Return the list of a closed tournament that has the person, in German, or "".

    Spaces, capitals, umlauts and the order of the names are ignored. A year of birth counts
    if both, list and person, have one.
    """
    club = names.sort_key(asking.club_name)
    if club and club in {names.sort_key(line) for line in tournament.circle_clubs.splitlines()}:
        return _("Mitglied von {club}").format(club=asking.club_name)
    if any(is_named(line, asking) for line in tournament.circle_persons.splitlines()):
        return _("steht auf der Liste der Personen")
    return ""


def is_named(line: str, asking: Asking) -> bool:
    """Whether a line of the list of persons fits the person.

    >>> anna = Asking(full_name="Anna Kühn", birth_year=1950)
    >>> [is_named(line, anna) for line in ("KUEHN, Anna", "Anna Kühn (1950)", "Kühn, Anna (1951)")]
    [True, True, False]
    """
    found = _LINE.fullmatch(line)
    if found is None or not found["name"]:
        return False
    if found["year"] and asking.birth_year not in {None, int(found["year"])}:
        return False
    return _words(found["name"]) == _words(asking.full_name)


def _words(name: str) -> list[str]:
    return sorted(names.sort_key(name).split())


def admission_in_words(tournament: Tournament) -> list[str]:
    """Return sentences on who can register for a closed tournament, without names."""
    if not tournament.admission:
        return []
    said = []
    clubs = [line.strip() for line in tournament.circle_clubs.splitlines() if line.strip()]
    if clubs:
        said.append(_("Melden können sich Mitglieder von: {clubs}.").format(clubs=", ".join(clubs)))
    if tournament.circle_persons:
        said.append(_("Melden kann sich, wen der Veranstalter eingeladen hat."))
    if not said:
        return [_("Über jede Meldung entscheidet die Spielleitung.")]
    if tournament.admission == Tournament.Admission.APPROVAL:
        return [*said, _("Bei anderen entscheidet die Spielleitung.")]
    return [*said, _("Andere können sich nicht melden.")]
