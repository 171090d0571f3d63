"""Matching names from the internet with stored persons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from tournaments.common import names
from tournaments.common.club_names import club_key
from tournaments.common.person_names import person_key
from tournaments.models import Person, Tournament
from tournaments.people.queries.people import living_persons


class TypedPerson(Protocol):
    """The identifying fields of a person, typed now or stored with an entry."""

    @property
    def first_name(self) -> str: ...
    @property
    def last_name(self) -> str: ...
    @property
    def club_name(self) -> str: ...
    @property
    def birth_year(self) -> int | None: ...
    @property
    def member_number(self) -> str: ...


def candidates(tournament: Tournament, typed_persons: Iterable[TypedPerson]) -> list[Person]:
    """Return the stored persons with one of the names, with their clubs; one query."""
    keys = {person_key(person.last_name, person.first_name) for person in typed_persons}
    persons = living_persons(tournament.owner_id, lent=True).filter(sort_key__in=keys)
    return list(persons.select_related("club").order_by("pk"))


def matching_person(
    tournament: Tournament, typed: TypedPerson, persons: Sequence[Person]
) -> tuple[Person | None, bool]:
    """Return the matching person of *persons*, and whether a pass identified it.

    A pass is looked up only if the tournament asks for it, and only among persons with the typed
    name, so that a number reveals no name.
    """
    holder = _holder(typed, persons) if tournament.asks_pass else None
    return holder or match_person(typed, persons), holder is not None


def _holder(typed: TypedPerson, persons: Iterable[Person]) -> Person | None:
    """Return the only person with the name and pass number; without a number, year of birth."""
    name, number = person_key(typed.last_name, typed.first_name), typed.member_number
    holders = [
        person
        for person in persons
        if person.sort_key == name
        and person.member_number
        and (
            names.sort_key(person.member_number) == names.sort_key(number)
            if number
            else person.birth_year is not None and person.birth_year == typed.birth_year
        )
    ]
    return holders[0] if len(holders) == 1 else None


def match_person(typed: TypedPerson, persons: Iterable[Person]) -> Person | None:
    """Return the only person of *persons* with the same name, club and year of birth.

    A missing year fits any year if only one person matches. If several match, the
    result is None, and a new person is stored.
    """
    name = person_key(typed.last_name, typed.first_name)
    club = club_key(typed.club_name)
    namesakes = [
        person
        for person in persons
        if person.sort_key == name
        and (club_key(person.club.name) if person.club else "") == club
        and (None in (person.birth_year, typed.birth_year) or person.birth_year == typed.birth_year)
    ]
    exact = [person for person in namesakes if person.birth_year == typed.birth_year]
    for matches in (exact, namesakes):
        if len(matches) == 1:
            return matches[0]
    return None
