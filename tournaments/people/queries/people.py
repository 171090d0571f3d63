"""Searching persons: any spelling of umlauts, any order, beginnings of words, typing errors.

A search has two steps. The first finds persons with a word (name, club or member number) that
begins with each typed word. If there is none, the second allows one typing error per word: it reads
persons with an intact part of each word.
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
from tournaments.common.typing_errors import begins_with_typo, parts_beside_typo
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
# With a typing error, a word of two letters would match all persons.
SHORTEST_WITH_SLIP = 3

_WORD = re.compile(r"[^\W_]+")
# The number of a pass; its QR code contains the number, or a URL that ends with it.
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

    With *lent* it includes persons that the parent shares.

    Each person has the club loaded, ``ban_reason``: why the person may not play today
    (§ 1.4), and ``last_played``: when the latest tournament began; both may be None.
    Merged and anonymised persons are left out, and those with keys in *exclude*. Takes two
    queries, three if the first step finds no person.
    """
    keys = [key for key in search_keys(text, owner, lent=lent) if key not in set(exclude)]
    return persons_by_keys(keys[:limit])


def search_keys(text: str, owner: Organiser | int, *, lent: bool = False) -> list[int]:
    """Return the keys of all persons of *owner* who match *text*, the best match first.

    Matches in the last name come before those in the first name, these before those in
    the club or member number; among equals a whole word comes before a beginning, then
    the person who played last.
    """
    words = typed_words(text)
    if not words:
        return []
    persons = everybody = living_persons(owner, lent=lent)
    for spellings in words:
        persons = persons.filter(Q(search_key__contains=f" {spellings[0]}"))
    hits = _ranked_keys(_candidates(persons), [spellings[:1] for spellings in words], slips=False)
    return hits or _ranked_keys(_candidates(_near_persons(everybody, words)), words, slips=True)


def _near_persons(persons: QuerySet[Person], words: Sequence[Sequence[str]]) -> QuerySet[Person]:
    """Return the persons who can match with one typing error per word."""
    near_persons = persons.annotate(joined=Replace("sort_key", Value(" "), Value("")))
    for spellings in words:
        if min(map(len, spellings)) >= SHORTEST_WITH_SLIP:
            near = Q()
            for spelling in spellings:
                in_one = Q(sort_key__contains=" ") & nearly_contains("joined", spelling)
                near |= nearly_contains("search_key", spelling, " ") | in_one
            near_persons = near_persons.filter(near)
    return near_persons


def nearly_contains(field: str, word: str, before: str = "") -> Q:
    """Return a condition for texts that contain *word*, with one typing error at most."""
    condition = Q()
    for begin, end in parts_beside_typo(word):
        pair = Q(**{f"{field}__contains": before + begin}) if begin else Q()
        condition |= pair & Q(**{f"{field}__contains": end}) if end else pair
    return condition


def typed_words(text: str) -> list[list[str]]:
    """Return the words of *text*, each in its spellings: ä as ae first, then as a.

    >>> typed_words("Kühn, Anna")
    [['kuehn', 'kuhn'], ['anna']]
    """
    words = _WORD.findall(unicodedata.normalize("NFC", text))
    return [names.search_words(word) for word in words[:MAX_WORDS]]


def has_words(person: Person, words: Iterable[Iterable[str]]) -> bool:
    """Whether words of name or club begin with every one of the typed words."""
    return all(any(f" {spelling}" in person.search_key for spelling in word) for word in words)


def is_surely_meant(person: Person, text: str) -> bool:
    """Whether *text* can mean *person* only, and no person with nearly the same name.

    A single word may be a beginning. Of several words none may lack only its last letter, like
    „Brand Erik“ for Brandt, Erika. With a comma the last name is written in full,
    the first name in full or as an initial. Umlauts are written as such or as ae, oe, ue.
    """
    last, comma, first = text.partition(",")
    last_words, first_words = _folded(person.last_name), _folded(person.first_name)
    if comma:
        first, _comma, rest = first.partition(",")
        begins = _folded(first)
        return (
            _folded(last) == last_words
            and all(
                word in first_words or word in {name_word[0] for name_word in first_words}
                for word in begins
            )
            and _all_begin(_folded(rest), person.search_key.split())
        )
    text_words = _folded(text)
    if len(text_words) == 1:
        return _all_begin(text_words, person.search_key.split())
    words = [*last_words, *first_words, *_folded(f"{person.club or ''} {person.member_number}")]
    return all(
        word in words
        or any(
            person_word.startswith(word) and len(person_word) > len(word) + 1
            for person_word in words
        )
        for word in text_words
    )


def has_name(person: Person, text: str) -> tuple[bool, bool]:
    """Whether all words of *text* are words of *person*, and one is of the last name.

    >>> kuehn = Person(last_name="Kühn", first_name="Anna")
    >>> [has_name(kuehn, text) for text in ("kühn, anna", "anna", "kü")]
    [(True, True), (True, False), (False, False)]
    """
    words, last = _folded(text), _folded(person.last_name)
    rest = f"{person.first_name} {person.club or ''} {person.member_number}"
    is_whole = set(words) <= {*last, *_folded(rest)}
    return is_whole, is_whole and any(word in last for word in words)


def namesakes(
    persons: Collection[Person], text: str, tournament: Tournament, *, limit: int
) -> list[FoundPerson]:
    """Return further persons with the name of one of *persons*, or with the typed name.

    *text* has a name if a club follows it: „Kühn, Anna, SC Gera“. The persons are annotated
    like those of :func:`search_persons`; two queries.
    """
    keys = {person.sort_key for person in persons}
    last, _comma, rest = text.partition(",")
    first, _comma, club = rest.partition(",")
    if club.strip():
        keys.add(names.sort_key(last, first))
    if not keys:
        return []
    others = living_persons(tournament.owner_id, lent=True).filter(sort_key__in=keys)
    others = others.exclude(pk__in=[person.pk for person in persons]).order_by("sort_key", "pk")
    return persons_by_keys(list(others.values_list("pk", flat=True)[:limit]))


def _folded(text: str) -> list[str]:
    return _WORD.findall(names.fold(text))


def _all_begin(text_words: Sequence[str], words: Sequence[str]) -> bool:
    return all(any(person_word.startswith(word) for person_word in words) for word in text_words)


def persons_by_pass(text: str, owner: Organiser | int) -> list[FoundPerson]:
    """Return the persons of *owner*, or lent to it, with the typed or scanned pass number.

    The persons are annotated like those of :func:`search_persons`; two queries.
    """
    match = _PASS.fullmatch(text.strip())
    if match is None:
        return []
    persons = living_persons(owner, lent=True).filter(member_number__iexact=match[1])
    return persons_by_keys(list(persons.order_by("pk").values_list("pk", flat=True)))


def living_persons(*owners: Organiser | int, lent: bool = False) -> QuerySet[Person]:
    """Return the persons of *owners* who can be chosen: neither merged nor anonymised.

    With *lent* it includes persons that their parents share.
    """
    owners_reached: Any = lending_to(*owners) if lent else owners
    return Person.objects.filter(
        owner__in=owners_reached, merged_into__isnull=True, anonymised_at__isnull=True
    )


def persons_for(tournament: Tournament) -> QuerySet[Person]:
    """Return the persons who may play in a tournament, including merged and anonymised ones."""
    return Person.objects.filter(owner__in=lending_to(tournament.owner_id))


def persons_by_keys(keys: Sequence[int]) -> list[FoundPerson]:
    """Return the persons with *keys* in that order, annotated as by :func:`search_persons`."""
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
        groups = (_spellings(last_name, last), _spellings(first_name, first), search_key.split())
        yield _Candidate(key, groups, sort_key, played)


def _spellings(name: str, folded: str) -> list[str]:
    """Return the words of *name*, and "annalena" for Anna-Lena.

    Most names are ASCII, and then the sort key has their words already.
    """
    words = folded.split() if name.isascii() else names.search_words(name)
    return [*words, folded.replace(" ", "")]


def _ranked_keys(
    candidates: Iterable[_Candidate], words: Sequence[Sequence[str]], *, slips: bool
) -> list[int]:
    ranks = []
    for candidate in candidates:
        rank = _rank(candidate, words, slips=slips)
        if rank is not None:
            played = candidate.last_played
            recency = -played.timestamp() if played else 0.0
            ranks.append((rank, recency, candidate.sort_key, candidate.key))
    return [key for *_order, key in sorted(ranks)]


def _rank(
    candidate: _Candidate, words: Sequence[Sequence[str]], *, slips: bool
) -> tuple[int, int, int] | None:
    """Return typing errors, distance from the last name and beginnings; None for no match."""
    total = (0, 0, 0)
    for spellings in words:
        best = _best_match(candidate, spellings, slips=slips)
        if best is None:
            return None
        total = (total[0] + best[0], total[1] + best[1], total[2] + best[2])
    return total


def _best_match(
    candidate: _Candidate, spellings: Sequence[str], *, slips: bool
) -> tuple[int, int, int] | None:
    matches = [
        (0, group, int(spelling != word))
        for group, words in enumerate(candidate.groups)
        for word in words
        for spelling in spellings
        if word.startswith(spelling)
    ]
    if not matches and slips:
        matches = [
            (1, group, int(len(word) > len(spelling) + 1))
            for group, words in enumerate(candidate.groups)
            for word in words
            for spelling in spellings
            if len(spelling) >= SHORTEST_WITH_SLIP and begins_with_typo(word, spelling)
        ]
    return min(matches, default=None)
