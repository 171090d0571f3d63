"""The games that the rehearsal sends, and the expected lists, ranking and money.

These are computed from the games without ``scoring``; the ranking and the till of the program must
be the same.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import groupby
from random import Random
from typing import Any, NamedTuple

from openpyxl import Workbook

GAMES = 12
BONUS, HANDROMME = {4: 20, 3: 15}, 50  # §§ 3.2.1, 3.2.2
STARTGELD, BUSSGELD = 1500, 50  # cents of a person, and of a game that a player did not finish
KEPT, SHARES = 200, (300, 200, 150, 100, 80, 70, 50, 50)  # thousandths of the pot, by place


class Line(NamedTuple):
    """A line of the ranking, without its rank."""

    number: int
    points: tuple[int, ...]  # of each Serie with a result
    won: int
    handromme: int

    @property
    def criteria(self) -> tuple[int, ...]:
        """The key of the ranking, the smaller the better (§ 1.5)."""
        return -len(self.points), sum(self.points), -self.won, -self.handromme


@dataclass
class Sheet:
    """A list as it was sent: its players, by seat, and the games."""

    numbers: Sequence[int]
    lines: list[dict[str, Any]]
    penalties: dict[int, int] = field(default_factory=dict)  # by start number

    @classmethod
    def played(cls, numbers: Sequence[int], chance: Random, games: int = GAMES) -> Sheet:
        """Make up the games of a table: everybody finishes as many, now and then by Handrommé."""
        order = chance.sample(range(len(numbers)), len(numbers))
        lines: list[dict[str, Any]] = []
        for game in range(games):
            finisher = order[game % len(numbers)]
            hands = [chance.randrange(5, 95) for _seat in numbers]
            hands[finisher] = 0
            lines.append({"finisher": finisher + 1, "handromme": False, "minus": hands})
        if chance.random() < 0.3:
            line = chance.choice(lines)
            line["handromme"] = True
            line["minus"] = [hand and hand + 60 for hand in line["minus"]]
        return cls(numbers, lines)

    def cells(self) -> Iterator[tuple[str, str]]:
        """Yield the fields of the grid with their typed values."""
        for game, line in enumerate(self.lines, start=1):
            won = "H" if line["handromme"] else "0"
            for seat, hand in enumerate(line["minus"], start=1):
                yield f"c{game}_{seat}", won if seat == line["finisher"] else str(hand)
        for seat, hands in enumerate(self._hands(), start=1):
            yield f"sum_{seat}", str(sum(hands))

    def _hands(self) -> Iterator[tuple[int, ...]]:
        return zip(*(line["minus"] for line in self.lines), strict=True)

    @property
    def bussgeld(self) -> int:
        """Return the Bußgeld for the games not finished, in cents."""
        return BUSSGELD * (len(self.numbers) - 1) * len(self.lines)

    def results(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield start number, points, games finished, and Handrommés among them."""
        for seat, (number, hands) in enumerate(zip(self.numbers, self._hands(), strict=True), 1):
            finished = [line for line in self.lines if line["finisher"] == seat]
            handromme = sum(line["handromme"] for line in finished)
            points = sum(hands) - BONUS[len(self.numbers)] * len(finished) - HANDROMME * handromme
            whole = -(-points * GAMES // len(self.lines))  # of a list that was ended early
            yield number, whole + self.penalties.get(number, 0), len(finished), handromme


def ranked(sheets: Iterable[Sheet]) -> list[Line]:
    """Return the ranking of all lists, the best first; equals in the order of their numbers."""
    by_number: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for sheet in sheets:
        for number, points, won, handromme in sheet.results():
            by_number[number].append((points, won, handromme))
    lines = []
    for number, results in by_number.items():
        each, all_won, all_handromme = zip(*results, strict=True)
        lines.append(Line(number, each, sum(all_won), sum(all_handromme)))
    return sorted(lines, key=lambda line: (*line.criteria, line.number))


def with_ranks(
    lines: Sequence[Line], played_off: Collection[int] = ()
) -> Iterator[tuple[int, Line]]:
    """Yield each line with its rank, which equals share unless they have *played_off*."""
    at = 1
    for _criteria, group in groupby(lines, key=lambda line: line.criteria):
        alike = list(group)
        is_decided = alike[0].number in played_off
        yield from ((at + place * is_decided, line) for place, line in enumerate(alike))
        at += len(alike)


def to_play_off(lines: Sequence[Line]) -> Iterator[tuple[int, list[int]]]:
    """Yield rank and start numbers of the equals whose places have prizes."""
    for rank, group in groupby(with_ranks(lines), key=lambda ranked_line: ranked_line[0]):
        alike = [line.number for _rank, line in group]
        if len(alike) > 1 and rank <= len(SHARES):
            yield rank, alike


def strafpunkte(lines: Sequence[Line]) -> tuple[int, int]:
    """Return the start number of the first, and how many points make it equal to another one.

    That is the next one with as many games finished and Handrommés; 0 points if there is none.
    """
    first, *others = lines
    won = first.won, first.handromme
    alike = next((line for line in others if (line.won, line.handromme) == won), first)
    return first.number, sum(alike.points) - sum(first.points)


def prizes(people: int) -> Mapping[int, int]:
    """Return the prizes in cents, by place; in whole euros."""
    pot = people * STARTGELD * (1000 - KEPT) // 1000
    return {place: pot * share // 100_000 * 100 for place, share in enumerate(SHARES, start=1)}


def table_of(people: Iterable[tuple[str, str]]) -> BytesIO:
    """Return people as a file of Excel."""
    book, file = Workbook(), BytesIO()
    for row in (("Vorname", "Nachname"), *people):
        book.active.append(row)
    book.save(file)
    return named("meldungen.xlsx", file.getvalue())


def named(name: str, content: bytes) -> BytesIO:
    """Return a file as a form sends it."""
    file = BytesIO(content)
    file.name = name
    return file


def plan_of_prizes() -> dict[str, Any]:
    """Return the prize plan whose amounts :func:`prizes` reckons."""
    from scoring.payments.prizes import PrizeLine, PrizePlan, TieRule

    lines = [PrizeLine(place=at, share_permille=share) for at, share in enumerate(SHARES, start=1)]
    plan = PrizePlan(lines=tuple(lines), kept_permille=KEPT, ties=TieRule.PLAYOFF, whole_euros=True)
    return plan.to_dict()
