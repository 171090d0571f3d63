"""Searching persons: any spelling of umlauts, any order, beginnings of words, typing errors.

A search has two steps. The first asks the database for persons of whom every typed word
begins some word (name, club or member number). Only if it finds no person, the second
allows one typing error per word, and reads the words of all who have what it leaves of each.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Replace

from tournaments.common import names
from tournaments.common.organisers import lending_to
from tournaments.common.typing_errors import begins_with_slip, left_by_slip
from tournaments.models import Organiser, Person, Registration, Tournament
from tournaments.people.queries import bans

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Facts(TypedDict):
        ban_reason: str | None
        last_played: datetime | None

    FoundPerson = WithAnnotations[Person, _Facts]
else:
    FoundPerson = Person

MAX_WORDS = 8
# With one typing error a word of two letters would match all persons.
SHORTEST_WITH_SLIP = 3

_WORD = re.compile(r"[^\W_]+")
# The number of a pass; the QR code of a pass has it alone or as the last part of an address.
_PASS = re.compile(r"(?:\S+://\S*[/=])?([^\s/=]*\d[^\s/=]*)/?")


def search_persons(
    text: str,
    owner: Organiser | int,
    *,
    limit: int = 8,
    exclude: Collection[int] = (),
    lent: bool = False,
) -> list[FoundPerson]:
    """Return the persons of *owner* who match *text*, best match first; none for an empty text.

    With *lent*, those that its parent shares, too.

    Each person has the club loaded, ``ban_reason``: why the person may not play today
    (§ 1.4), and ``last_played``: when the latest tournament began; both may be None.
    Merged and anonymised persons are never found, nor those whose keys are in *exclude*.
    Takes two queries, three if the first step finds no person.
    """
    keys = [key for key in search_keys(text, owner, lent=lent) if key not in set(exclude)]
    return persons_by_keys(keys[:limit])


def search_keys(text: str, owner: Organiser | int, *, lent: bool = False) -> list[int]:
    """Return the keys of all persons of *owner* who match *text*, the best match first.

    Matches in the last name come before those in the first name, these before those in
    the club or member number; among equals a whole word comes before a beginning, then
    the person who played last.
    """
    wanted = typed_words(text)
    if not wanted:
        return []
    found = everybody = living_persons(owner, lent=lent)
    for spellings in wanted:
        found = found.filter(Q(search_key__contains=f" {spellings[0]}"))
    hits = _ranked(_candidates(found), [spellings[:1] for spellings in wanted], slips=False)
    return hits or _ranked(_candidates(_nearly(everybody, wanted)), wanted, slips=True)


def _nearly(persons: QuerySet[Person], wanted: Sequence[Sequence[str]]) -> QuerySet[Person]:
    """Leave out persons who cannot be meant, even with one typing error per word."""
    found = persons.annotate(joined=Replace("sort_key", Value(" "), Value("")))
    for spellings in wanted:
        if min(map(len, spellings)) >= SHORTEST_WITH_SLIP:
            near = Q()
            for spelling in spellings:
                in_one = Q(sort_key__contains=" ") & has_nearly("joined", spelling)
                near |= has_nearly("search_key", spelling, " ") | in_one
            found = found.filter(near)
    return found


def has_nearly(field: str, word: str, before: str = "") -> Q:
    """Return a condition that all texts meet with *word*, one typing error in it or not."""
    found = Q()
    for begin, end in left_by_slip(word):
        pair = Q(**{f"{field}__contains": before + begin}) if begin else Q()
        found |= pair & Q(**{f"{field}__contains": end}) if end else pair
    return found


def typed_words(text: str) -> list[list[str]]:
    """Return the words of *text*, each in its spellings: ä as ae first, then as a.

    >>> typed_words("Kühn, Anna")
    [['kuehn', 'kuhn'], ['anna']]
    """
    words = _WORD.findall(unicodedata.normalize("NFC", text))
    return [names.search_words(word) for word in words[:MAX_WORDS]]


def has_words(person: Person, wanted: Iterable[Iterable[str]]) -> bool:
    """Whether words of name or club begin with every one of the typed words."""
    return all(any(f" {one}" in person.search_key for one in word) for word in wanted)


def is_surely_meant(person: Person, text: str) -> bool:
    """Whether *text* can mean *person* only, and no person with nearly the same name.

    A single word may be a beginning. Of several words none may lack just its last letter, as
    „Brand Erik“ does for Brandt, Erika; and with a comma the last name is written in full,
    the first name too or as an initial. Umlauts are written as such or as ae, oe, ue.
    """
    last, comma, first = text.partition(",")
    name, given = _folded(person.last_name), _folded(person.first_name)
    if comma:
        first, _comma, rest = first.partition(",")
        begins = _folded(first)
        return (
            _folded(last) == name
            and all(word in given or word in {one[0] for one in given} for word in begins)
            and _all_begun(_folded(rest), person.search_key.split())
        )
    typed = _folded(text)
    if len(typed) == 1:
        return _all_begun(typed, person.search_key.split())
    words = [*name, *given, *_folded(f"{person.club or ''} {person.member_number}")]
    return all(
        word in words or any(one.startswith(word) and len(one) > len(word) + 1 for one in words)
        for word in typed
    )


def has_name(person: Person, text: str) -> tuple[bool, bool]:
    """Whether all words of *text* are words of *person*, and one is of the last name.

    >>> kuehn = Person(last_name="Kühn", first_name="Anna")
    >>> [has_name(kuehn, text) for text in ("kühn, anna", "anna", "kü")]
    [(True, True), (True, False), (False, False)]
    """
    typed, last = _folded(text), _folded(person.last_name)
    rest = f"{person.first_name} {person.club or ''} {person.member_number}"
    is_whole = set(typed) <= {*last, *_folded(rest)}
    return is_whole, is_whole and any(word in last for word in typed)


def namesakes(
    found: Collection[Person], text: str, tournament: Tournament, *, limit: int
) -> list[FoundPerson]:
    """Return further persons with the name of one in *found*, or with the typed name.

    The name is read from *text* if a club stands after it: „Kühn, Anna, SC Gera“. As
    :func:`search_persons`, in two queries.
    """
    wanted = {one.sort_key for one in found}
    last, _comma, rest = text.partition(",")
    first, _comma, club = rest.partition(",")
    if club.strip():
        wanted.add(names.sort_key(last, first))
    if not wanted:
        return []
    others = living_persons(tournament.owner_id, lent=True).filter(sort_key__in=wanted)
    others = others.exclude(pk__in=[one.pk for one in found]).order_by("sort_key", "pk")
    return persons_by_keys(list(others.values_list("pk", flat=True)[:limit]))


def _folded(text: str) -> list[str]:
    return _WORD.findall(names.fold(text))


def _all_begun(typed: Sequence[str], words: Sequence[str]) -> bool:
    return all(any(one.startswith(word) for one in words) for word in typed)


def persons_by_pass(text: str, owner: Organiser | int) -> list[FoundPerson]:
    """Return those of *owner* and lent to it whose pass has the number typed or scanned.

    As :func:`search_persons`, in two queries; none for a text that can be no number.
    """
    found = _PASS.fullmatch(text.strip())
    if found is None:
        return []
    persons = living_persons(owner, lent=True).filter(member_number__iexact=found[1])
    return persons_by_keys(list(persons.order_by("pk").values_list("pk", flat=True)))


def living_persons(*owners: Organiser | int, lent: bool = False) -> QuerySet[Person]:
    """Return the persons of *owners* who can be chosen: neither merged nor anonymised.

    With *lent*, those that their parents share, too.
    """
    whose: Any = lending_to(*owners) if lent else owners
    return Person.objects.filter(
        owner__in=whose, merged_into__isnull=True, anonymised_at__isnull=True
    )


def persons_for(tournament: Tournament) -> QuerySet[Person]:
    """Return the persons who may play in a tournament, the merged and anonymised ones, too."""
    return Person.objects.filter(owner__in=lending_to(tournament.owner_id))


def persons_by_keys(keys: Sequence[int]) -> list[FoundPerson]:
    """Return the persons with *keys* in that order, as :func:`search_persons` does."""
    if not keys:
        return []
    ban = bans.current().filter(person=OuterRef("pk")).order_by("pk")
    played = Registration.objects.filter(
        person=OuterRef("pk"), status__in=Registration.TAKING_PART
    ).order_by("-tournament__starts_at")
    persons = (
        Person.objects.filter(pk__in=keys)
        .select_related("club")
        .annotate(
            ban_reason=Subquery(ban.values("reason")[:1]),
            last_played=Subquery(played.values("tournament__starts_at")[:1]),
        )
    )
    place = {key: number for number, key in enumerate(keys)}
    return sorted(persons, key=lambda person: place[person.pk])


@dataclass(frozen=True, slots=True)
class _Candidate:
    """The data of a person that ``_rank`` needs."""

    key: int
    groups: tuple[list[str], ...]  # words of last name, first name, everything
    sort_key: str
    last_played: datetime | None


def _candidates(persons: QuerySet[Person]) -> Iterable[_Candidate]:
    last_played = Max(
        "registrations__tournament__starts_at",
        filter=Q(registrations__status__in=Registration.TAKING_PART),
    )
    rows = (
        persons.order_by()
        .annotate(last_played=last_played)
        .values_list("pk", "last_name", "first_name", "sort_key", "search_key", "last_played")
    )
    for key, last_name, first_name, sort_key, search_key, played in rows:
        last, _separator, first = sort_key.partition("\x01")
        groups = (_spelt(last_name, last), _spelt(first_name, first), search_key.split())
        yield _Candidate(key, groups, sort_key, played)


def _spelt(name: str, folded: str) -> list[str]:
    """Return the words of *name*, and "annalena" for Anna-Lena.

    Most names are ASCII, and then the sort key has their words already.
    """
    words = folded.split() if name.isascii() else names.search_words(name)
    return [*words, folded.replace(" ", "")]


def _ranked(
    candidates: Iterable[_Candidate], wanted: Sequence[Sequence[str]], *, slips: bool
) -> list[int]:
    ranks = []
    for candidate in candidates:
        rank = _rank(candidate, wanted, slips=slips)
        if rank is not None:
            played = candidate.last_played
            recency = -played.timestamp() if played else 0.0
            ranks.append((rank, recency, candidate.sort_key, candidate.key))
    return [key for *_order, key in sorted(ranks)]


def _rank(
    candidate: _Candidate, wanted: Sequence[Sequence[str]], *, slips: bool
) -> tuple[int, int, int] | None:
    """Return typing errors, distance from the last name and beginnings; None for no match."""
    total = (0, 0, 0)
    for spellings in wanted:
        best = _best_match(candidate, spellings, slips=slips)
        if best is None:
            return None
        total = (total[0] + best[0], total[1] + best[1], total[2] + best[2])
    return total


def _best_match(
    candidate: _Candidate, spellings: Sequence[str], *, slips: bool
) -> tuple[int, int, int] | None:
    matches = [
        (0, group, int(typed != word))
        for group, words in enumerate(candidate.groups)
        for word in words
        for typed in spellings
        if word.startswith(typed)
    ]
    if not matches and slips:
        matches = [
            (1, group, int(len(word) > len(typed) + 1))
            for group, words in enumerate(candidate.groups)
            for word in words
            for typed in spellings
            if len(typed) >= SHORTEST_WITH_SLIP and begins_with_slip(word, typed)
        ]
    return min(matches, default=None)
