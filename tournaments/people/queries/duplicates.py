"""Persons who may be stored twice, with the reasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Replace
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.common.person_names import person_key
from tournaments.common.typing_errors import differ_by_typo
from tournaments.models import Organiser, Person
from tournaments.people.queries.people import (
    FoundPerson,
    living_persons,
    nearly_contains,
    persons_by_keys,
)

SAME_NAME = _("gleicher Name")
SWAPPED = _("Vor- und Nachname vertauscht")
SLIP_SAME_CLUB = _("ein Buchstabe anders, gleicher Verein")
SLIP_SAME_YEAR = _("ein Buchstabe anders, gleiches Geburtsjahr")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The keys of two persons, the earlier stored one first."""

    first: int
    second: int
    reason: str | Promise


@dataclass(frozen=True, slots=True)
class _StoredPerson:
    key: int
    last_name: str  # as in the sort key: folded
    first_name: str
    club: int | None
    birth_year: int | None

    @property
    def name(self) -> str:
        return f"{self.last_name} {self.first_name}"


def duplicate_pairs(owner: Organiser | int) -> list[Pair]:
    """Return the pairs of persons of *owner* who may be the same, surest first; one query.

    Persons with different birth years are never a pair.
    """
    pairs: dict[tuple[int, int], Pair] = {}
    people = _stored_persons(living_persons(owner))
    for first, second, reason in _possible_pairs(people):
        key = (first.key, second.key)
        if key not in pairs and not _have_other_birth_years(first, second):
            pairs[key] = Pair(first=first.key, second=second.key, reason=reason)
    return list(pairs.values())


def pairs_with_persons(
    pairs: Sequence[Pair],
) -> list[tuple[FoundPerson, FoundPerson, str | Promise]]:
    """Return the persons of *pairs*, with the reason of each pair; one query."""
    keys = {key for pair in pairs for key in (pair.first, pair.second)}
    persons = {person.pk: person for person in persons_by_keys(sorted(keys))}
    return [(persons[pair.first], persons[pair.second], pair.reason) for pair in pairs]


def look_alikes(
    last_name: str,
    first_name: str,
    *,
    club_id: int | None,
    birth_year: int | None,
    owner: Organiser | int,
) -> list[FoundPerson]:
    """Return stored persons of *owner* who may have a new name already; two queries."""
    new = _StoredPerson(0, *_parts(person_key(last_name, first_name)), club_id, birth_year)
    slip = nearly_contains("name", new.name)
    near = Q(sort_key__in=_name_variants(new))
    if club_id is not None:
        near |= Q(club=club_id) & slip
    if birth_year is not None:
        near |= Q(birth_year=birth_year) & slip
    persons = living_persons(owner).annotate(name=Replace("sort_key", Value("\x01"), Value(" ")))
    likely = [
        person.key
        for person in _stored_persons(persons.filter(near))
        if _reason(new, person) and not _have_other_birth_years(new, person)
    ]
    return persons_by_keys(likely)


def _name_variants(new: _StoredPerson) -> list[str]:
    """Return the sort keys of the name: split at each space, or swapped."""
    spaces = [at for at, letter in enumerate(new.name) if letter == " "]
    same = [f"{new.name[:at]}\x01{new.name[at + 1 :]}" for at in spaces]
    return [*same, f"{new.first_name}\x01{new.last_name}"]


def _stored_persons(persons: QuerySet[Person]) -> list[_StoredPerson]:
    rows = persons.order_by("sort_key", "pk")
    return [
        _StoredPerson(key, *_parts(sort_key), club, birth_year)
        for key, sort_key, club, birth_year in rows.values_list(
            "pk", "sort_key", "club", "birth_year"
        )
    ]


def _parts(sort_key: str) -> tuple[str, str]:
    last, _separator, first = sort_key.partition("\x01")
    return last, first


def _possible_pairs(
    people: Iterable[_StoredPerson],
) -> Iterator[tuple[_StoredPerson, _StoredPerson, str | Promise]]:
    """Yield possible pairs, equal names first; a pair may repeat."""
    same: dict[tuple[str, str], list[_StoredPerson]] = defaultdict(list)
    # Names that differ by one slip are equal without one letter, so only names that share
    # such a form are compared, not all pairs.
    near: dict[str, list[_StoredPerson]] = defaultdict(list)
    for person in people:
        same[person.last_name, person.first_name].append(person)
        for shortened in _without_one_letter(person.name):
            near[shortened].append(person)
    for (last, first), group in same.items():
        yield from _pairs_of(group)
        if last < first:
            yield from _pairs_of([*group, *same.get((first, last), [])])
    for group in near.values():
        yield from _pairs_of(group)


def _without_one_letter(name: str) -> set[str]:
    return {name} | {name[:at] + name[at + 1 :] for at in range(len(name))}


def _pairs_of(
    group: Sequence[_StoredPerson],
) -> Iterator[tuple[_StoredPerson, _StoredPerson, str | Promise]]:
    for first, second in combinations(sorted(group, key=lambda person: person.key), 2):
        reason = _reason(first, second)
        if reason:
            yield first, second, reason


def _reason(first: _StoredPerson, second: _StoredPerson) -> str | Promise | None:
    if first.name == second.name:
        return SAME_NAME
    if (first.last_name, first.first_name) == (second.first_name, second.last_name):
        return SWAPPED
    if not differ_by_typo(first.name, second.name):
        return None
    if first.club is not None and first.club == second.club:
        return SLIP_SAME_CLUB
    if first.birth_year is not None and first.birth_year == second.birth_year:
        return SLIP_SAME_YEAR
    return None


def _have_other_birth_years(first: _StoredPerson, second: _StoredPerson) -> bool:
    return (
        None not in {first.birth_year, second.birth_year} and first.birth_year != second.birth_year
    )
