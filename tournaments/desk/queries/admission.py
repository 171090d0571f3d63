"""Admission to a closed tournament (§ 1.1): clubs and persons on its lists, and members."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common import names
from tournaments.common.club_names import club_key
from tournaments.common.formats import short_date
from tournaments.models import Person, Tournament

# „Kühn, Anna“ or „Anna Kühn (1950)“
_LINE = re.compile(r"(?P<name>.*?)\s*(?:\(\s*(?P<year>\d{4})\s*\))?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicant:
    """A person who wants to play, as stored or as typed into the public form."""

    full_name: str
    club_name: str = ""
    birth_year: int | None = None
    has_pass: bool = False

    @classmethod
    def stored(cls, person: Person, tournament: Tournament) -> Applicant:
        """Return the data of a stored person; the club takes a query unless it is prefetched."""
        return cls(
            full_name=person.full_name,
            club_name=person.club.name if person.club else "",
            birth_year=person.birth_year,
            has_pass=_has_pass(tournament, person),
        )


def _has_pass(tournament: Tournament, person: Person) -> bool:
    return person.has_pass_on(timezone.localdate(tournament.starts_at))


def admission_ground(tournament: Tournament, applicant: Applicant) -> str:
    """Return why the person may play in a closed tournament, in German, or "".

    The ground is the list with the person, or the pass if only members play; if there are lists
    as well, both are needed.
    """
    list_ground = _list_ground(tournament, applicant)
    if not tournament.asks_pass:
        return list_ground
    is_in = applicant.has_pass and (list_ground or not has_lists(tournament))
    return "; ".join(filter(None, [_("gültiger Pass"), list_ground])) if is_in else ""


def has_lists(tournament: Tournament) -> bool:
    """Whether a closed tournament names clubs or persons."""
    return bool(tournament.circle_clubs or tournament.circle_persons)


def pass_in_words(tournament: Tournament, person: Person) -> str:
    """Return in a few words whether a pass is valid, "" if the tournament does not ask for it."""
    if not tournament.asks_pass:
        return ""
    if not person.member_number:
        return _("kein Pass")
    if person.member_until is None:
        return _("gültiger Pass")
    valid, expired = _("Pass bis {day}"), _("Pass abgelaufen am {day}")
    sentence = valid if _has_pass(tournament, person) else expired
    return sentence.format(day=short_date(person.member_until))


def lacking_in_words(tournament: Tournament, person: Person) -> str:
    """Return in a few words the reason why a person needs approval."""
    lacks_pass = tournament.asks_pass and not _has_pass(tournament, person)
    return pass_in_words(tournament, person) if lacks_pass else _("auf keiner Liste (§ 1.1)")


def _list_ground(tournament: Tournament, applicant: Applicant) -> str:
    """Return the list that has the person, in German, or "".

    Spaces, capitals, umlauts and the order of the names are ignored. A year of birth counts
    if both, list and person, have one.
    """
    club = club_key(applicant.club_name)
    if club and club in {club_key(line) for line in tournament.circle_clubs.splitlines()}:
        return _("Mitglied von {club}").format(club=applicant.club_name)
    if any(is_named(line, applicant) for line in tournament.circle_persons.splitlines()):
        return _("steht auf der Liste der Personen")
    return ""


def is_named(line: str, applicant: Applicant) -> bool:
    """Whether a line of the list of persons fits the person.

    >>> anna = Applicant(full_name="Anna Kühn", birth_year=1950)
    >>> [is_named(line, anna) for line in ("KUEHN, Anna", "Anna Kühn (1950)", "Kühn, Anna (1951)")]
    [True, True, False]
    """
    match = _LINE.fullmatch(line)
    if match is None or not match["name"]:
        return False
    if match["year"] and applicant.birth_year not in {None, int(match["year"])}:
        return False
    return _words(match["name"]) == _words(applicant.full_name)


def _words(name: str) -> list[str]:
    return sorted(names.sort_key(name).split())


def approval_reason(tournament: Tournament) -> str:
    """Return for the public why a person needs approval, "" without passes.

    The sentence is the same for all, so that it does not reveal the state of a pass.
    """
    if not tournament.asks_pass:
        return ""
    if has_lists(tournament):
        return _("Zu diesen Angaben fehlt die Einladung oder ein Pass, der am Turniertag gilt.")
    return _("Zu diesen Angaben gibt es keinen Pass, der am Turniertag gilt.")


def admission_in_words(tournament: Tournament) -> list[str]:
    """Return sentences on who can register for a closed tournament, without names."""
    if not tournament.admission:
        return []
    sentences = []
    clubs = [line.strip() for line in tournament.circle_clubs.splitlines() if line.strip()]
    if clubs:
        sentences.append(
            _("Melden können sich Mitglieder von: {clubs}.").format(clubs=", ".join(clubs))
        )
    if tournament.circle_persons:
        sentences.append(_("Melden kann sich, wen der Veranstalter eingeladen hat."))
    if tournament.asks_pass:
        sentences.append(_("Wer mitspielt, braucht einen Pass, der am Turniertag gilt."))
    if not sentences:
        return [_("Über jede Meldung entscheidet die Spielleitung.")]
    if tournament.admission != Tournament.Admission.LISTED:
        return [*sentences, _("Bei anderen entscheidet die Spielleitung.")]
    return [*sentences, _("Andere können sich nicht melden.")]
