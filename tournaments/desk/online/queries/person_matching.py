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
    """The identifying fields of a person: as typed now, or as kept from a sending."""

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
    """Return the person of *stored* that is meant, and whether as the holder of a pass.

    A pass is looked up only where a tournament asks for it, and only among persons of the typed
    name: so nobody learns a name by a number.
    """
    holder = _holder(typed, persons) if tournament.asks_pass else None
    return holder or match_person(typed, persons), holder is not None


def _holder(typed: TypedPerson, persons: Iterable[Person]) -> Person | None:
    """Return the one with the same name and number of the pass; without one, year of birth."""
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
    """Return the one person of *stored* with the same name, club and year of birth.

    A missing year fits any year, as long as only one person matches. If several match, the
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
