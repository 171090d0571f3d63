"""The grid of a paper list: typed values, stored values, and the fields of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.ambiguity import AmbiguousLine, count_line
from scoring.errors import Problem
from scoring.list_rows import played_rows
from scoring.plausibility import LineContext
from scoring.reading.bounds import bounds
from scoring.reading.cells import read_cell, read_row, write_row
from scoring.ruleset import RuleSet
from scoring.spielliste import Adjustment
from tournaments.common.digits import number_in, signed_number_in
from tournaments.common.formats import points
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.loading import load_lists
from tournaments.models import Spielliste

MOST_TEXT = 30  # characters of a cell


@dataclass(slots=True, kw_only=True)
class SheetEntries:
    """The values of a form or a stored list: texts by game and seat, grants, sums."""

    cells: list[list[str]]
    grants: list[set[int]]
    sums: list[str]
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetToCopy:
    """The list that is copied, and its rule set."""

    spielliste: Spielliste
    rule_set: RuleSet
    data: ListData
    stored: list[AmbiguousLine]
    seats: int

    @classmethod
    def of(cls, spielliste: Spielliste) -> SheetToCopy:
        """Return the stored list; *spielliste* was fetched with table, Serie and tournament."""
        tournament = spielliste.table.serie.tournament
        (data,) = load_lists(tournament, only=[spielliste.pk])
        return cls(
            spielliste=spielliste,
            rule_set=rule_set_of(tournament),
            data=data,
            stored=data.lines,
            seats=len(data.seats),
        )

    @property
    def games(self) -> int:
        """Number of games of a complete list."""
        return self.spielliste.games_wanted(self.rule_set.games_at(self.seats))

    def line(self, game: int) -> AmbiguousLine | None:
        """Return the stored line of a game, or None."""
        return self.stored[game - 1] if game <= len(self.stored) else None

    def line_context(self, game: int) -> LineContext:
        """Return the context in which the line of a game is checked."""
        return LineContext(rule_set=self.rule_set, players=self.seats, number=game)

    def texts(self, game: int) -> list[str]:
        """Return the cells of a stored game; empty ones if it is not stored."""
        line = self.line(game)
        return write_row(line, self.line_context(game)) if line is not None else [""] * self.seats

    def possible_grants(self, game: int) -> list[Adjustment]:
        """Return the grants that the rule set offers in a game."""
        return [
            Adjustment(
                seat=self.rule_set.receiver(grant, game, self.seats),
                points=grant.points,
                reason=_(grant.name),
            )
            for grant in self.rule_set.grants
        ]

    def grants(self, game: int) -> set[int]:
        """Return the indexes, in the rule set, of the grants of a stored game."""
        stored = {(grant.seat, grant.points) for grant in self._adjustments(game)}
        return {
            index
            for index, grant in enumerate(self.possible_grants(game))
            if (grant.seat, grant.points) in stored
        }

    def with_grants(self, line: AmbiguousLine, game: int, chosen: set[int]) -> AmbiguousLine:
        """Return *line* with the chosen grants and its other stored adjustments."""
        adjustments = self._adjustments(game)
        if chosen == self.grants(game):
            return replace(line, adjustments=adjustments)
        possible = self.possible_grants(game)
        grants = {(grant.seat, grant.points) for grant in possible}
        others = [
            adjustment
            for adjustment in adjustments
            if (adjustment.seat, adjustment.points) not in grants
        ]
        granted = [possible[index] for index in sorted(chosen)]
        return replace(line, adjustments=(*others, *granted))

    def _adjustments(self, game: int) -> tuple[Adjustment, ...]:
        line = self.line(game)
        return line.adjustments if line is not None else ()

    def stored_entries(self) -> SheetEntries:
        """Return the stored values as the fields show them at first."""
        games = range(1, self.games + 1)
        sums = self.spielliste.paper_sums or [None] * self.seats
        return SheetEntries(
            cells=[self.texts(game) for game in games],
            grants=[self.grants(game) for game in games],
            sums=["" if number is None else str(number) for number in sums],
            version=self.spielliste.version,
        )

    def read(self, entries: SheetEntries) -> list[AmbiguousLine | list[Problem]]:
        """Return the line or the problems of each row, up to the last row with a value."""
        rows = entries.cells
        last = max((game for game, row in enumerate(rows, start=1) if any(row)), default=0)
        lines: list[AmbiguousLine | list[Problem]] = []
        for game in range(1, last + 1):
            row = read_row(rows[game - 1], self.line_context(game), self.line(game))
            if isinstance(row, AmbiguousLine):
                row = self.with_grants(row, game, entries.grants[game - 1])
            lines.append(row)
        return lines

    def readable(self, entries: SheetEntries) -> list[AmbiguousLine]:
        """Return the typed lines up to the first that cannot be read."""
        rows = takewhile(lambda row: isinstance(row, AmbiguousLine), self.read(entries))
        return [row for row in rows if isinstance(row, AmbiguousLine)]


def read_entries(sent: QueryDict, sheet: SheetToCopy) -> SheetEntries:
    """Return the values of a form, cut to the maximum length of a cell."""
    version = number_in(sent.get("version"))
    games, seats = range(1, sheet.games + 1), range(1, sheet.seats + 1)
    return SheetEntries(
        cells=[
            [sent.get(f"c{game}_{seat}", "").strip()[:MOST_TEXT] for seat in seats]
            for game in games
        ],
        grants=[
            {index for index in range(len(sheet.rule_set.grants)) if sent.get(f"g{game}_{index}")}
            for game in games
        ],
        sums=[sent.get(f"sum_{seat}", "").strip()[:MOST_TEXT] for seat in seats],
        # -1 matches no version.
        version=-1 if version is None else version,
    )


def read_sums(entries: SheetEntries) -> tuple[list[int | None], list[str]]:
    """Return the sums of the paper, seat 1 first, and their errors."""
    sums = [signed_number_in(text) for text in entries.sums]
    errors = [
        _("Die Summe von Platz {seat} ist keine Zahl: „{text}“.").format(seat=seat, text=text)
        for seat, (text, number) in enumerate(zip(entries.sums, sums, strict=True), start=1)
        if text and number is None
    ]
    return sums, errors


# --- Fields of the page ---------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class GridField:
    """One field of the grid."""

    name: str
    seat: int
    value: str
    running: int | None
    by_sum: Sequence[str] = ()  # values of an unreadable hand by the sum on the paper
    stored: str = ""  # the different stored value, after a conflict
    problems: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    @property
    def is_finisher(self) -> bool:
        """Whether the player of this seat has finished, or may have."""
        cell = read_cell(self.value)
        return cell is not None and cell.may_have_finished


@dataclass(slots=True, kw_only=True)
class GridFormRow:
    """One game of the grid."""

    number: int
    dealer: int
    sits_out: int | None  # seat without a hand
    highest: int  # highest points of a hand
    unreadable: tuple[Sequence[int], Sequence[int]]  # readings of „?“, and after a Handrommé
    ends_round: bool
    cells: list[GridField]
    grants: list[dict[str, Any]]
    problems: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSum:
    """The sum of one seat on the paper, and those computed from the lines."""

    seat: int
    value: str
    allowed: tuple[int, ...]  # see ``ListData.sums``

    @property
    def minus(self) -> int:
        """The minus points of the seat's player."""
        return self.allowed[0]

    @property
    def total(self) -> int:
        """The result of the seat's player."""
        return self.allowed[1]

    @property
    def is_right(self) -> bool:
        """Whether the typed sum equals one of those allowed."""
        return signed_number_in(self.value) in self.allowed

    @property
    def is_wrong(self) -> bool:
        """Whether the typed sum equals none of them."""
        return bool(self.value) and not self.is_right


def grid_rows(
    sheet: SheetToCopy,
    entries: SheetEntries,
    problems: Sequence[Problem],
    doubts: Sequence[Problem],
    *,
    sums: Sequence[PaperSum],
    show_stored: bool,
) -> list[GridFormRow]:
    """Return the games as fields, with problems and doubts of each.

    Args:
        problems: impossible entries, with their places on the list.
        doubts: unlikely entries.
        sums: the sums on the paper, with those of the typed lines.
        show_stored: whether to show differing stored values.
    """
    lines = sheet.readable(entries)
    size = sheet.data.bonus_size
    played = played_rows(lines, sheet.rule_set, sheet.seats, bonus_size=size)
    by_sum = _hints_by_sum(sheet, lines, sums)
    rows = []
    for game in range(1, sheet.games + 1):
        texts, stored = entries.cells[game - 1], sheet.texts(game)
        cells = [
            GridField(
                name=f"c{game}_{seat}",
                seat=seat,
                value=texts[seat - 1],
                running=played[game - 1].cells[seat - 1].running if game <= len(played) else None,
                by_sum=by_sum.get((game, seat), ()),
                stored=stored[seat - 1]
                if show_stored and stored[seat - 1] != texts[seat - 1]
                else "",
            )
            for seat in range(1, sheet.seats + 1)
        ]
        rows.append(
            GridFormRow(
                number=game,
                dealer=sheet.rule_set.dealer(game, sheet.seats),
                sits_out=sheet.rule_set.sits_out(game, sheet.seats),
                unreadable=(_unreadable(sheet, game, False), _unreadable(sheet, game, True)),
                highest=bounds(sheet.rule_set, sheet.seats, game)["hand"]["max"],
                ends_round=sheet.rule_set.ends_round(game, sheet.seats),
                cells=cells,
                grants=[
                    {
                        "name": f"g{game}_{index}",
                        "given": grant,
                        "checked": index in entries.grants[game - 1],
                    }
                    for index, grant in enumerate(sheet.possible_grants(game))
                ],
            )
        )
    for name, findings in (("problems", problems), ("doubts", doubts)):
        for problem in findings:
            game, seat = problem.place
            if game:
                target = rows[game - 1].cells[seat - 1] if seat else rows[game - 1]
                getattr(target, name).append(problem.message)
    return rows


def _unreadable(sheet: SheetToCopy, game: int, after_handromme: bool) -> Sequence[int]:
    line = AmbiguousLine(finisher=(1,), minus=(), handromme=(after_handromme,))
    return sheet.line_context(game).unreadable(line)


def _hints_by_sum(
    sheet: SheetToCopy, lines: Sequence[AmbiguousLine], sums: Sequence[PaperSum]
) -> dict[tuple[int, int], list[str]]:
    """Return, by game and seat, the values of a seat's only unreadable hand by the paper's sum."""
    hints = {}
    for paper_sum in sums:
        total = signed_number_in(paper_sum.value)
        unread = [
            game
            for game, line in enumerate(lines, start=1)
            if write_row(line, sheet.line_context(game))[paper_sum.seat - 1] == "?"
        ]
        if total is None or len(unread) != 1:
            continue
        [game] = unread
        line = lines[game - 1]
        hands = sheet.line_context(game).hands(after_handromme=all(line.handromme))
        # The sum on the paper is that of the Minuspunkte, or the result.
        counted = count_line(line, sheet.rule_set)[paper_sum.seat - 1]
        # No hand follows from Wertpunkte.
        allowed = paper_sum.allowed[:1] if sheet.rule_set.valuation else paper_sum.allowed
        rests = dict.fromkeys(sum_ - counted.minus for sum_ in allowed)
        hints[game, paper_sum.seat] = [
            f"{points(total)} − {points(rest)} = {total - rest}?".replace("− −", "+ ")
            for rest in rests
            # If a Handrommé adds points by the hand, the sum does not determine the hand.
            if counted.added == 0 and hands.lowest() <= total - rest <= hands.highest()
        ]
    return hints


def compare_sums(sheet: SheetToCopy, entries: SheetEntries) -> list[PaperSum]:
    """Return the sums of the paper with the sums of the typed lines."""
    data = replace(sheet.data)
    data.lines = sheet.readable(entries)
    sums = zip(entries.sums, data.sums(sheet.rule_set), strict=True)
    return [
        PaperSum(seat=seat, value=text, allowed=allowed)
        for seat, (text, allowed) in enumerate(sums, start=1)
    ]
