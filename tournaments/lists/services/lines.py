"""One line of a Spielliste as entered: read, checked, and compared with the old one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.ambiguity import AmbiguousLine, count_line
from scoring.checks import has_hands_of_players
from scoring.errors import Problem
from scoring.list_findings import Frame, ListFindings
from scoring.reading.interchange import lines_to_json, read_line
from scoring.reading.strict_json import Node
from scoring.ruleset import RuleSet
from tournaments.common.errors import DoubtfulInput, InvalidInput

LARGEST_HAND = 999  # the most that fits into a cell of the list, even when overridden


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedLine:
    """A line with its problems and doubts; places are relative to the line."""

    line: AmbiguousLine
    problems: tuple[Problem, ...]
    doubts: tuple[Problem, ...]
    can_be_stored: bool  # all entries exist and are legible, even if a hand is impossible

    def to_json(self) -> dict[str, Any]:
        """Return the line as it is stored and sent."""
        return lines_to_json([self.line])[0]

    def demand(self, *, confirmed: bool, override: bool) -> None:
        """Check that the line may be stored.

        Args:
            confirmed: the doubts were shown and confirmed.
            override: the Spielleitung accepts impossible hands.

        Raises:
            InvalidInput: if it is impossible.
            DoubtfulInput: if it has doubts that were not confirmed.
        """
        if self.problems and not (override and self.can_be_stored):
            raise InvalidInput(self.problems)
        if self.doubts and not confirmed and not override:
            raise DoubtfulInput(self.doubts)


def judge(
    data: Mapping[str, Any],
    *,
    rule_set: RuleSet,
    seats: int,
    number: int,
    earlier: Sequence[AmbiguousLine] = (),
) -> CheckedLine:
    """Read a line in the interchange format and check it against the rules.

    Args:
        data: the line as received; untrusted.
        seats: number of people at the table.
        number: of the game in the list, counted from 1.
        earlier: the lines before it.
    """
    where = f"games[{number - 1}]"
    node = Node(dict(data), where, [])
    findings = ListFindings()
    frame = Frame(rule_set=rule_set, seats=seats)
    line = read_line(node, number, frame, findings, earlier)
    problems = [*node.problems, *findings.problems]
    return CheckedLine(
        line=line,
        problems=tuple(_inside(where, problems)),
        doubts=tuple(_inside(where, findings.warnings)),
        can_be_stored=not node.problems
        and len(line.minus) == seats
        and all(problem.where.startswith(f"{where}.minus") for problem in findings.problems)
        and has_hands_of_players(line, number, frame)
        and all(0 <= points <= LARGEST_HAND for hand in line.minus for points in hand),
    )


def _inside(where: str, problems: Iterable[Problem]) -> Iterable[Problem]:
    for problem in problems:
        yield Problem(problem.where.removeprefix(where).removeprefix("."), problem.message)


def concerned_seats(
    before: AmbiguousLine, after: AmbiguousLine | None, rule_set: RuleSet
) -> tuple[int, ...]:
    """Return the seats that a changed line concerns (§ 2.2.3).

    These are the seats whose points, finish, grants or written hand differ. A line that is
    taken back concerns every seat for which it had an entry.

    >>> from scoring.rulesets import ruleset
    >>> before = Line(finisher=(1,), minus=((0,), (23,), (45,), (12,)))
    >>> after = Line(finisher=(1,), minus=((0,), (32,), (45,), (12,)))
    >>> concerned_seats(before, after, ruleset("rommeordnung"))
    (2,)
    >>> concerned_seats(before, None, ruleset("rommeordnung"))
    (1, 2, 3, 4)
    """
    old = count_line(before, rule_set)
    if after is None:
        return tuple(
            count.seat for count in old if count.minus or count.finished or count.adjustment
        )
    both = zip(old, count_line(after, rule_set), before.minus, after.minus, strict=True)
    return tuple(
        was.seat for was, becomes, hand, new_hand in both if was != becomes or hand != new_hand
    )


def demand_consents(concerned: Collection[int], consents: Collection[int]) -> None:
    """Check that every seat concerned has given its consent.

    Raises:
        InvalidInput: naming the seats whose consent is missing.
    """
    missing = sorted(set(concerned) - set(consents))
    if missing:
        raise InvalidInput(
            Problem(
                "consents",
                _("Es fehlt das Einverständnis von Platz {seat} (§ 2.2.3).").format(seat=seat),
            )
            for seat in missing
        )
