"""Clubs and persons of an archive: those that are there already are not stored a second time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from tournaments.archive.rows import BATCH
from tournaments.models import Club, Person

_Row = TypeVar("_Row", bound=Model)
# What tells nobody apart: the same person may have been stored here at another time.
_OF_THE_RECORD = frozenset({"created_at", "note"})


def store_clubs(spelt: Sequence[str]) -> list[Club]:
    """Return a stored club for each name; one that is there may be spelt differently."""
    clubs = [Club(name=name) for name in spelt]
    for club in clubs:
        club.tidy()
    keys = [club.sort_key for club in clubs]
    there = {club.sort_key: club for club in _among(Club.objects.all(), keys)}
    Club.objects.bulk_create(
        [club for club in clubs if club.sort_key not in there], batch_size=BATCH
    )
    return [there.get(club.sort_key, club) for club in clubs]


def store_persons(rows: Sequence[Mapping[str, Any]], clubs: Sequence[Club]) -> list[Person]:
    """Return a stored person for each row of values, of which ``club_id`` is one of *clubs*.

    A person is known who alone has all the values of a row; nobody is taken for two of them.
    """
    club_of = {club.pk: club for club in clubs}
    made = []
    for values in rows:
        person = Person(**values)
        person.club = club_of.get(values.get("club_id") or 0)
        person.tidy()
        made.append(person)
    living = Person.objects.filter(
        merged_into__isnull=True, anonymised_at__isnull=True, is_demo=False
    )
    there: dict[str, list[Person]] = {}
    for known in _among(living, [person.sort_key for person in made]):
        there.setdefault(known.sort_key, []).append(known)
    kept: list[Person] = []
    taken: set[int] = set()
    for person, values in zip(made, rows, strict=True):
        found = _the_same(values, there.get(person.sort_key, []))
        if found is None or found.pk in taken:
            kept.append(person)
        else:
            taken.add(found.pk)
            kept.append(found)
    Person.objects.bulk_create([person for person in kept if person.pk is None], batch_size=BATCH)
    return kept


def _the_same(values: Mapping[str, Any], stored: Sequence[Person]) -> Person | None:
    """Names alone are not enough where the file has more to tell persons apart by."""
    told_apart = values.keys() - _OF_THE_RECORD
    found = [one for one in stored if all(getattr(one, key) == values[key] for key in told_apart)]
    return found[0] if len(found) == 1 else None


def _among(rows: QuerySet[_Row], sort_keys: Sequence[str]) -> Iterator[_Row]:
    """Return the rows that have one of the keys, asked for some hundred keys at a time."""
    for begin in range(0, len(sort_keys), BATCH):
        yield from rows.filter(sort_key__in=set(sort_keys[begin : begin + BATCH]))
