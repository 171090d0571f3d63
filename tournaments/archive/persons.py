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

RowT = TypeVar("RowT", bound=Model)
MatchedRow = tuple[RowT, bool]
"""A row, and whether it is a stored one that is written differently."""
BATCH = 500
# Fields that may differ between two records of the same person.
_RECORD_FIELDS = frozenset({"created_at", "note", "member_until"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountPart:
    """An account in the journal, by name only, without password and e-mail address."""

    username: Annotated[str, Text(60)]
    name: Annotated[str, Text(120)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganiserPart:
    """The organiser that a tournament belonged to, by name."""

    name: Annotated[str, Text(120)]


def get_or_create_accounts(
    parts: Sequence[AccountPart], owner: Organiser, importer: User | None
) -> list[User]:
    """Return an account for each part: one of *owner* by both names, or one that cannot log in.

    Accounts of other organisers are ignored, so a file neither gives them anything nor
    tells whether they exist. A stored account matches at most one account of the file.
    """
    belonging = {user.pk: user for user in User.objects.filter(organisers__organiser=owner)}
    if importer is not None:
        belonging[importer.pk] = importer
    by_names = {(user.username, user.name): user for user in belonging.values()}
    names = Counter(user.name.casefold() for user in belonging.values())
    names.update(
        part.name.casefold() for part in parts if (part.username, part.name) not in by_names
    )
    accounts = []
    for part in parts:
        account = by_names.pop((part.username, part.name), None)
        accounts.append(account or _make_account(part, names[part.name.casefold()] > 1))
    return accounts


def _make_account(part: AccountPart, has_namesake: bool) -> User:
    """Return a new account that only names a person of another installation."""
    return User.objects.create_user(
        f"archiv-{secrets.token_hex(8)}",
        None,
        name=part.name,
        archived_as=clean_line(part.username),
        has_namesake=has_namesake,
        is_active=False,
    )


def get_or_create_clubs(
    rows: Sequence[Mapping[str, Any]], owner: Organiser
) -> list[MatchedRow[Club]]:
    """Return a stored club of *owner* for each row; an existing one may be spelt differently."""
    clubs = [Club(owner=owner, **values) for values in rows]
    for club in clubs:
        club.tidy()
    by_sort_key = {
        club.sort_key: club for club in _stored_like(Club.objects.filter(owner=owner), clubs)
    }
    Club.objects.bulk_create(
        [club for club in clubs if club.sort_key not in by_sort_key], batch_size=BATCH
    )
    stored_clubs = [by_sort_key.get(club.sort_key, club) for club in clubs]
    return [
        (stored_club, stored_club.name != club.name)
        for stored_club, club in zip(stored_clubs, clubs, strict=True)
    ]


def get_or_create_persons(
    rows: Sequence[Mapping[str, Any]], owner: Organiser
) -> list[MatchedRow[Person]]:
    """Return a stored person of *owner* for each row.

    A stored person is used, for one row, if it is the only one with all values of the row.
    """
    clubs = Club.objects.in_bulk({values["club_id"] for values in rows} - {None})
    persons = [Person(owner=owner, **values) for values in rows]
    for person in persons:
        person.club = clubs.get(person.club_id or 0)
        person.tidy()
    living = Person.objects.filter(owner=owner, merged_into=None, anonymised_at=None)
    by_sort_key: dict[str, list[Person]] = {}
    for stored in _stored_like(living, persons):
        by_sort_key.setdefault(stored.sort_key, []).append(stored)
    matches: list[Person] = []
    matched_keys: set[int] = set()
    numbers = _used_numbers(living, persons)
    for person, values in zip(persons, rows, strict=True):
        match = _only_match(values, by_sort_key.get(person.sort_key, []))
        if match is None or match.pk in matched_keys:
            match = person
            if person.member_number in numbers:  # another person has it here
                person.member_number, person.member_until = "", None
                person.tidy()
        matches.append(match)
        matched_keys.add(match.pk)
        numbers.update(filter(None, [match.member_number]))
    Person.objects.bulk_create([match for match in matches if match.pk is None], batch_size=BATCH)
    return [
        (match, match.created_at != person.created_at or _has_other_pass(match, values))
        for match, person, values in zip(matches, persons, rows, strict=True)
    ]


def _has_other_pass(person: Person, values: Mapping[str, Any]) -> bool:
    names = [name for name in ("member_number", "member_until") if name in values]
    return any(getattr(person, name) != values[name] for name in names)


def _used_numbers(living: QuerySet[Person], persons: Sequence[Person]) -> set[str]:
    """Return those of the members' numbers that stored persons have."""
    numbers = {person.member_number for person in persons} - {""}
    holders = living.filter(member_number__in=numbers) if numbers else living.none()
    return set(holders.values_list("member_number", flat=True))


def _only_match(values: Mapping[str, Any], stored: Sequence[Person]) -> Person | None:
    """Return the only stored person who has all values of a row, or None."""
    told_apart = values.keys() - _RECORD_FIELDS
    matches = [
        person
        for person in stored
        if all(getattr(person, key) == values[key] for key in told_apart)
    ]
    return matches[0] if len(matches) == 1 else None


def _stored_like(rows: QuerySet[RowT], like: Sequence[Any]) -> Iterator[RowT]:
    """Yield the stored rows with the sort key of one in *like*, queried in batches."""
    for begin in range(0, len(like), BATCH):
        yield from rows.filter(sort_key__in={row.sort_key for row in like[begin : begin + BATCH]})
