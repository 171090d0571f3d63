"""The types of the required part of an archive (``docs/formats.md`` 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from scoring.reading.records import LARGEST, BoundFunction, Text, WholeNumber, check_word
from scoring.reading.ruleset_json import ruleset_from_dict
from scoring.ruleset import RuleSet
from scoring.rulesets import ruleset
from scoring.texts import _
from tournaments.announcement.services.slugs import reserved_slugs
from tournaments.common import names
from tournaments.models import Registration, Spielliste, Tournament

FORMAT, VERSION = "romme-turnier", 1
MOST_SERIEN = 99
MOST_CENTS = 10**9
# Status words of other programs, with the status that they mean here.
STATUS_WORDS = {"seated": Registration.Status.PAID, "no-show": Registration.Status.NO_SHOW}


def _slug(slug: str) -> str:
    if not re.fullmatch("[-a-zA-Z0-9_]{1,60}", slug):
        raise ValueError(
            _("Der Kurzname hat bis zu 60 Buchstaben ohne Umlaute, Ziffern und Striche.")
        )
    if slug in reserved_slugs():
        raise ValueError(_("„{slug}“ ist eine Adresse des Programms selbst.").format(slug=slug))
    return slug


def _rule_set(value: Any) -> RuleSet:
    """Return the rule set by its name, or as written out in the file."""
    return ruleset(value) if isinstance(value, str) else ruleset_from_dict(value)


def _name_with_letters(name: str) -> str:
    if not names.sort_key(name):
        raise ValueError(_("Ein Name braucht mindestens einen Buchstaben."))
    return name


def _status(word: Any) -> Registration.Status:
    words = {status.value: status for status in Registration.Status} | STATUS_WORDS
    return words[check_word(word if isinstance(word, str) else "", words)]


def _with_result(counts: Tournament.EndedLists) -> Tournament.EndedLists:
    check_word(
        counts.value, [choice.value for choice in Tournament.EndedLists if choice.value != "none"]
    )
    return counts


StartNumber = Annotated[int, WholeNumber(1, LARGEST)]


@dataclass(frozen=True, kw_only=True)
class TournamentPart:
    """The tournament itself; a changed rule set is written out, others are named."""

    slug: Annotated[str, Text(), BoundFunction(_slug)]
    name: Annotated[str, Text(120)]
    date: date
    rule_set: Annotated[Any, BoundFunction(_rule_set)]
    series: Annotated[int, WholeNumber(1, MOST_SERIEN)]


@dataclass(frozen=True, kw_only=True)
class ClubPart:
    """One club."""

    name: Annotated[str, Text(120), BoundFunction(_name_with_letters)]


@dataclass(frozen=True, kw_only=True)
class RegistrationPart:
    """One registration; it has no start number before the Startgeld is paid."""

    number: StartNumber | None
    first_name: Annotated[str, Text(80, may_be_empty=True)]
    last_name: Annotated[str, Text(80), BoundFunction(_name_with_letters)]
    club: Annotated[str, Text()] | None
    team: Annotated[str, Text(80)] | None
    status: Annotated[Any, BoundFunction(_status)]
    paid_cents: Annotated[int, WholeNumber(0, MOST_CENTS)]


@dataclass(frozen=True, kw_only=True)
class EndedListPart:
    """The result of a list that was ended before its last game."""

    games: Annotated[int, WholeNumber(1, 99)]
    # A list that was ended without a result is only marked as invalid.
    counts: Annotated[Tournament.EndedLists, BoundFunction(_with_result)]


@dataclass(frozen=True, kw_only=True)
class ListPart:
    """One Spielliste; games and penalties as in a file with a single list."""

    status: Spielliste.Status
    games: Any
    penalties: Any
    ended: EndedListPart | None = None  # not written if there is none


@dataclass(frozen=True, kw_only=True)
class TablePart:
    """One table; ``seats`` are start numbers."""

    number: Annotated[int, WholeNumber(1, 9999)]
    seats: tuple[StartNumber, ...]
    list: ListPart


@dataclass(frozen=True, kw_only=True)
class SeriePart:
    """One Serie whose seats are drawn."""

    number: Annotated[int, WholeNumber(1, MOST_SERIEN)]
    tables: tuple[Any, ...]  # TablePart, each read by itself


@dataclass(frozen=True, kw_only=True)
class PlayoffPart:
    """One Entscheidungsspiel between players, as start numbers, best first."""

    order: tuple[StartNumber, ...]
