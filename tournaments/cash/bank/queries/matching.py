"""Matching transfers to registrations: by start number and name; the open amount confirms.

Compares texts and numbers. A match is clear only if no other registration fits; all
others are shown with their reasons, and a person decides.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from tournaments.common import names
from tournaments.models import BankTransaction

# „Nr. 12“, „Startnummer 12 und 13“, „#12“, „Nr.12/13“, „Nr. 12-14“
_NUMBERS = re.compile(
    r"(?:\b(?:start)?-?(?:nummern?|nrn?)(?![^\W\d])\.?:?\s*|#\s*)"
    r"(\d{1,5}(?:\s*(?:,|/|\+|&|und|u\.|bis|[-–])\s*\d{1,5}"
    # Neither a day nor an amount; behind „Nr. 5 und 6 EUR 30,00“ the sum is that of both.
    r"(?!\d|\.\d|(?:,\d\d)?\s*(?:€|euro?)(?!o?\s*(?!\d\d?\.\d\d?\.)\d)))*)(?!\d)",
    re.IGNORECASE,
)
_FROM_TO = re.compile(r"(\d+)(?:\s*(?:bis|[-–])\s*(\d+))?", re.IGNORECASE)
_LONGEST_RANGE = 12
_WORD = re.compile(r"[^\W_]+")
_APOSTROPHE = re.compile(r"(?<=\w)['’`´](?=\w)")
_SUGGESTIONS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """A registration with the facts for matching; 0 cents are open if it no longer pays."""

    key: int
    number: int | None
    first_name: str
    last_name: str
    open_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A registration that may have paid, with the reasons."""

    key: int
    by_number: bool = False
    by_name: bool = False
    by_last_name: bool = False  # only the last name is in the text
    by_amount: bool = False

    @property
    def weight(self) -> int:
        """The strength of the match; higher is likelier."""
        return 8 * self.by_number + 4 * self.by_name + 2 * self.by_last_name + self.by_amount


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The candidates for one transfer; ``clear`` is the key of the certain one, if any."""

    candidates: list[Candidate] = field(default_factory=list)
    clear: int | None = None
    maybe_twice: bool = False  # another transfer of that day, name and amount is known


def match(
    incoming: Sequence[BankTransaction],
    payers: Sequence[Payer],
    known: Iterable[BankTransaction] = (),
) -> dict[int, Match]:
    """Return the match for each of *incoming*, by its key.

    A match is clear if start number and name agree, or without any number name and amount;
    if the name or the number fits no other registration; if that registration still owes money;
    and if no other transfer matches the same registration or looks like this one.

    Args:
        payers: all registrations that a transfer can be for, including withdrawn ones.
        known: other transfers, to notice the same one in another file.
    """
    crowd = _PayerIndex(payers)
    counts = Counter(
        key for transfer in [*incoming, *known] if (key := _duplicate_key(transfer))[2]
    )
    matches_by_key = {
        transfer.pk: crowd.match(transfer, maybe_twice=counts[_duplicate_key(transfer)] > 1)
        for transfer in incoming
    }
    claims = Counter(match.clear for match in matches_by_key.values())
    return {
        key: match
        if match.clear is None or claims[match.clear] == 1
        else Match(candidates=match.candidates, maybe_twice=match.maybe_twice)
        for key, match in matches_by_key.items()
    }


def numbers_in(text: str) -> set[int]:
    """Return the start numbers that *text* names.

    >>> sorted(numbers_in("Startnummern 12 und 13, #7, Rechnung 99"))
    [7, 12, 13]
    >>> sorted(numbers_in("Nr. 3-5 und 9")), sorted(numbers_in("Nr. 12-2026"))
    ([3, 4, 5, 9], [12])
    """
    numbers: set[int] = set()
    for named in _NUMBERS.findall(text):
        for first, last in _FROM_TO.findall(named):
            end = int(last or first)
            is_range = 0 <= end - int(first) < _LONGEST_RANGE
            numbers.update(range(int(first), end + 1) if is_range else [int(first)])
    return numbers


def _duplicate_key(transfer: BankTransaction) -> tuple[date, int, str]:
    return (
        transfer.booked_on,
        transfer.amount_cents,
        "".join(_WORD.findall(names.fold(transfer.remitter))),
    )


class _PayerIndex:
    """All payers, indexed by number, name and amount."""

    def __init__(self, payers: Sequence[Payer]) -> None:
        self.payers = {payer.key: payer for payer in payers}
        self.by_number = {payer.number: payer.key for payer in payers if payer.number}
        # By the first word of the last name, in both spellings of its umlauts.
        self.by_last_name: dict[str, list[int]] = defaultdict(list)
        for payer in payers:
            firsts = [_WORD.findall(name)[:1] for name in _spellings(payer.last_name)]
            spellings = {word for first in firsts for word in names.search_words("".join(first))}
            for spelling in spellings:
                self.by_last_name[spelling].append(payer.key)

    def match(self, transfer: BankTransaction, *, maybe_twice: bool) -> Match:
        candidates = sorted(
            self._candidates(transfer), key=lambda candidate: (-candidate.weight, candidate.key)
        )
        clear = None if maybe_twice else self._clear(transfer, candidates)
        # Candidates named by number are always shown.
        shown = [
            candidate
            for at, candidate in enumerate(candidates)
            if at < _SUGGESTIONS or candidate.by_number
        ]
        return Match(candidates=shown, clear=clear, maybe_twice=maybe_twice)

    def _candidates(self, transfer: BankTransaction) -> Iterator[Candidate]:
        text = f"{transfer.remitter} {transfer.purpose}"
        words = _words(text)
        numbered = {
            self.by_number[number]
            for number in numbers_in(transfer.purpose)
            if number in self.by_number
        }
        last_named = {
            key
            for word in words
            for key in self.by_last_name.get(word, ())
            if _all_in(self.payers[key].last_name, words)
        }
        named = {
            key
            for key in last_named
            if self.payers[key].first_name and _all_in(self.payers[key].first_name, words)
        }
        # An amount alone makes no candidate: most registrations owe the same.
        for key in numbered | last_named:
            yield Candidate(
                key=key,
                by_number=key in numbered,
                by_name=key in named,
                by_last_name=key in last_named and key not in named,
                by_amount=self.payers[key].open_cents == transfer.amount_cents,
            )

    def _clear(self, transfer: BankTransaction, candidates: Sequence[Candidate]) -> int | None:
        if numbers_in(transfer.purpose):
            sure = [candidate for candidate in candidates if candidate.by_number]
            if len(sure) != 1 or not sure[0].by_name:
                return None
        else:
            sure = [candidate for candidate in candidates if candidate.by_name]
            if len(sure) != 1 or not sure[0].by_amount:
                return None
        key = sure[0].key
        return key if self.payers[key].open_cents > 0 else None


def names_person(text: str, full_name: str) -> bool:
    """Whether each word of *full_name* is in *text*, in any order.

    >>> names_person("KUEHN, ANNA", "Anna Kühn"), names_person("Karl Kühn", "Anna Kühn")
    (True, False)
    """
    return _all_in(full_name, _words(text))


def _spellings(name: str) -> tuple[str, ...]:
    """Return a name, and its spelling by banks: „d’Angelo“ in one word."""
    joined = _APOSTROPHE.sub("", name)
    return (name,) if joined == name else (name, joined)


def _words(text: str) -> set[str]:
    return {word for spelling in _spellings(text) for word in names.search_words(spelling)}


def _all_in(name: str, words: set[str]) -> bool:
    """Whether each word of *name* is in *words*, with umlauts in either spelling."""
    return any(
        all(words.intersection(names.search_words(word)) for word in _WORD.findall(spelling))
        for spelling in _spellings(name)
    )
