"""Accounts, clubs and persons of an archive: those already stored are used, the others added."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from django.db.models import Model, QuerySet

from scoring.reading.records import Text
from tournaments.common.short_texts import clean_line
from tournaments.models import Club, Organiser, Person, User

Row = TypeVar("Row", bound=Model)
Found = tuple[Row, bool]
"""A row, and whether one that was there already stands for it and is written differently."""
BATCH = 500
# Fields that may differ between two records of the same person.
_OF_THE_RECORD = frozenset({"created_at", "note", "member_until"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountPart:
    """An account that acted, by name only, without password and e-mail address."""

    username: Annotated[str, Text(60)]
    name: Annotated[str, Text(120)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganiserPart:
    """The organiser that a tournament belonged to, by name."""

    name: Annotated[str, Text(120)]


def find_or_make_accounts(
    parts: Sequence[AccountPart], owner: Organiser, importer: User | None
) -> list[User]:
    """Return an account for each part: one of *owner* by both names, or one that cannot log in.

    Accounts of other organisers are not looked at, so a file neither gives them anything nor
    tells whether they exist. A stored account stands for one account of the file.
    """
    belonging = {one.pk: one for one in User.objects.filter(organisers__organiser=owner)}
    if importer is not None:
        belonging[importer.pk] = importer
    there = {(one.username, one.name): one for one in belonging.values()}
    names = Counter(one.name.casefold() for one in belonging.values())
    names.update(one.name.casefold() for one in parts if (one.username, one.name) not in there)
    found = []
    for part in parts:
        account = there.pop((part.username, part.name), None)
        found.append(account or _make_account(part, names[part.name.casefold()] > 1))
    return found


def _make_account(part: AccountPart, has_namesake: bool) -> User:
    """Return a new account that only names who acted elsewhere."""
    return User.objects.create_user(
        f"archiv-{secrets.token_hex(8)}",
        None,
        name=part.name,
        archived_as=clean_line(part.username),
        has_namesake=has_namesake,
        is_active=False,
    )


def find_or_make_clubs(rows: Sequence[Mapping[str, Any]], owner: Organiser) -> list[Found[Club]]:
    """Return a stored club of *owner* for each row; an existing one may be spelt differently."""
    clubs = [Club(owner=owner, **values) for values in rows]
    for club in clubs:
        club.tidy()
    there = {one.sort_key: one for one in _among(Club.objects.filter(owner=owner), clubs)}
    Club.objects.bulk_create(
        [club for club in clubs if club.sort_key not in there], batch_size=BATCH
    )
    found = [there.get(club.sort_key, club) for club in clubs]
    return [(one, one.name != club.name) for one, club in zip(found, clubs, strict=True)]


def find_or_make_persons(
    rows: Sequence[Mapping[str, Any]], owner: Organiser
) -> list[Found[Person]]:
    """Return a stored person of *owner* for each row.

    An existing person is used if it is the only one with all values of a row, for one row only.
    """
    clubs = Club.objects.in_bulk({values["club_id"] for values in rows} - {None})
    persons = [Person(owner=owner, **values) for values in rows]
    for person in persons:
        person.club = clubs.get(person.club_id or 0)
        person.tidy()
    living = Person.objects.filter(owner=owner, merged_into=None, anonymised_at=None)
    there: dict[str, list[Person]] = {}
    for known in _among(living, persons):
        there.setdefault(known.sort_key, []).append(known)
    kept: list[Person] = []
    taken: set[int] = set()
    numbers = _numbers_there(living, persons)
    for person, values in zip(persons, rows, strict=True):
        found = _the_same(values, there.get(person.sort_key, []))
        if found is None or found.pk in taken:
            found = person
            if person.member_number in numbers:  # somebody else has it here
                person.member_number, person.member_until = "", None
                person.tidy()
        kept.append(found)
        taken.add(found.pk)
        numbers.update(filter(None, [found.member_number]))
    Person.objects.bulk_create([one for one in kept if one.pk is None], batch_size=BATCH)
    return [
        (one, one.created_at != person.created_at or _has_other_pass(one, values))
        for one, person, values in zip(kept, persons, rows, strict=True)
    ]


def _has_other_pass(person: Person, values: Mapping[str, Any]) -> bool:
    given = [name for name in ("member_number", "member_until") if name in values]
    return any(getattr(person, name) != values[name] for name in given)


def _numbers_there(living: QuerySet[Person], persons: Sequence[Person]) -> set[str]:
    """Return those of the members' numbers that stored persons have."""
    wanted = {one.member_number for one in persons} - {""}
    found = living.filter(member_number__in=wanted) if wanted else living.none()
    return set(found.values_list("member_number", flat=True))


def _the_same(values: Mapping[str, Any], stored: Sequence[Person]) -> Person | None:
    """Return the only stored person who has all values of a row, or None."""
    told_apart = values.keys() - _OF_THE_RECORD
    found = [one for one in stored if all(getattr(one, key) == values[key] for key in told_apart)]
    return found[0] if len(found) == 1 else None


def _among(rows: QuerySet[Row], like: Sequence[Any]) -> Iterator[Row]:
    """Yield the stored rows with the sort key of one in *like*, queried in batches."""
    for begin in range(0, len(like), BATCH):
        yield from rows.filter(sort_key__in={one.sort_key for one in like[begin : begin + BATCH]})
