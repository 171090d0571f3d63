"""The interchange format of a single Spielliste, and of the lines and Strafpunkte in it.

Reading finds every problem of a file with its place; writing is its inverse.
The format is fixed (``docs/formats.md`` 1): other programs rely on it. Only this module
translates its names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from scoring import ambiguity
from scoring.ambiguity import AmbiguousLine
from scoring.checks import check_games, check_parsed_line, check_penalty, check_size
from scoring.errors import Problem
from scoring.list_findings import UNREADABLE, Frame, ListFindings
from scoring.reading.records import BoundFunction, Text, WholeNumber, to_json
from scoring.reading.ruleset_json import read_ruleset
from scoring.reading.strict_json import Node, parse, problems_to_json
from scoring.reading.validation import read, read_fields
from scoring.ruleset import RuleSet
from scoring.rulesets import ruleset
from scoring.spielliste import Adjustment, Penalty, SeatResult
from scoring.texts import _

T = TypeVar("T")
SEAT: Any = Annotated[int, WholeNumber()] | None  # None: no seat finished
NUMBER: Any = Annotated[int, WholeNumber()]


@dataclass(frozen=True, slots=True, kw_only=True)
class _List:
    rule_set: Any
    players: tuple[Annotated[str, Text()], ...]
    games: Any
    penalties: Any = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Game:
    finisher: Any
    minus: tuple[Any, ...]
    handromme: Any = False
    adjustments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFile:
    """A Spielliste read from a file without a problem; ``warnings`` are doubts."""

    rule_set: RuleSet
    players: tuple[str, ...]  # names by seat; not unique
    lines: tuple[AmbiguousLine, ...]
    penalties: tuple[Penalty, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether the list has as many games as the rule set requires."""
        return len(self.lines) == self.rule_set.games_at(len(self.players))

    def score(self) -> tuple[SeatResult, ...]:
        """Return the result of the list for each seat, seat 1 first."""
        return ambiguity.score(
            self.lines,
            rule_set=self.rule_set,
            players=len(self.players),
            penalties=self.penalties,
        )


# --- Reading ----------------------------------------------------------------------------


def read_list(data: bytes) -> ListFile:
    """Return the Spielliste of a file.

    Raises:
        ScoringError: with every problem of the file and its place.
    """
    root = parse(data)
    findings = ListFindings(problems=root.problems)
    fields = read_fields(root, _List)
    if "rule_set" in fields:
        fields["rule_set"] = _read_rule_set(root.field("rule_set"))
    rule_set, players = fields.get("rule_set"), fields.get("players")
    if rule_set is not None and players is not None:
        check_size(rule_set, len(players), "players", findings)
    frame = Frame(rule_set=rule_set, seats=len(players) if players else None)
    lines = read_games(root.field("games"), frame, findings) if "games" in fields else ()
    penalties = (
        read_penalties(root.field("penalties"), frame, findings) if "penalties" in fields else ()
    )
    root.raise_problems()
    return ListFile(
        rule_set=fields["rule_set"],
        players=fields["players"],
        lines=lines,
        penalties=penalties,
        warnings=tuple(findings.warnings),
    )


def _read_rule_set(node: Node) -> RuleSet | None:
    """Return a rule set of the program by its name, or one that is included in the file."""
    if isinstance(node.value, dict):
        return read_ruleset(node)
    named: RuleSet | None = read(node, _NAMED)
    return named


_NAMED: Any = Annotated[str, Text(), BoundFunction(ruleset)]


def read_games(node: Node, frame: Frame, findings: ListFindings) -> tuple[AmbiguousLine, ...]:
    """Return the lines of a list; complete only if no problem was noted.

    Args:
        findings: where problems and warnings of the rules are noted; those of the JSON
            are noted at the node.
    """
    items = node.items() or []
    lines = (_read_line(item, number, frame) for number, item in enumerate(items, start=1))
    return check_games(lines, frame, node.where, findings)


def read_line(
    node: Node,
    number: int,
    frame: Frame,
    findings: ListFindings,
    earlier: Sequence[AmbiguousLine] = (),
) -> AmbiguousLine:
    """Return one line of a list; complete only if no problem was noted.

    Args:
        number: which game of the list it is, counted from 1.
        findings: where problems and warnings of the rules are noted; those of the JSON
            are noted at the node.
        earlier: the lines before it; repetitions raise doubts.
    """
    line = _read_line(node, number, frame)
    check_parsed_line(line, frame, findings, number=number, where=node.where, earlier=earlier)
    return line


def _read_line(node: Node, number: int, frame: Frame) -> AmbiguousLine:
    fields = read_fields(node, _Game)
    finisher: tuple[Any, ...] = (UNREADABLE,)
    handromme: tuple[Any, ...] = (False,)
    minus: tuple[tuple[Any, ...], ...] = ((UNREADABLE,),) * (frame.seats or 0)
    adjustments: tuple[Adjustment, ...] = ()
    if "finisher" in fields:
        finisher = _read_entry(node.field("finisher"), SEAT)
    if fields.get("minus") is not None:
        sits_out = frame.sits_out(number)
        minus = tuple(
            () if seat == sits_out and hand.value is None else _read_entry(hand, NUMBER)
            for seat, hand in enumerate(node.field("minus").items() or (), start=1)
        )
    if "handromme" in fields:
        handromme = _read_entry(node.field("handromme"), bool)
    if fields.get("adjustments"):
        adjustments = _read_points(node.field("adjustments"), Adjustment)
    return AmbiguousLine(
        finisher=finisher, minus=minus, handromme=handromme, adjustments=adjustments
    )


def _read_entry(node: Node, form: Any) -> tuple[Any, ...]:
    """Return the readings of an entry: a single value, or each value of a list."""
    items = (node.items() or []) if node.is_list else [node]
    if not items:
        node.refuse(_("Die Liste der Lesarten ist leer. Ist der Eintrag klar, gib nur ihn an."))
    return tuple(_read_reading(item, form) for item in items) or (UNREADABLE,)


def _read_reading(node: Node, form: Any) -> Any:
    problems_before = len(node.problems)
    value = read(node, form)  # None can be a reading
    return value if len(node.problems) == problems_before else UNREADABLE


def read_penalties(node: Node, frame: Frame, findings: ListFindings) -> tuple[Penalty, ...]:
    """Return the Strafpunkte of a list; complete only if no problem was noted."""
    penalties = _read_points(node, Penalty)
    for index, penalty in enumerate(penalties):
        check_penalty(penalty, f"{node.where}[{index}]", frame, findings)
    return penalties


def _read_points(node: Node, form: type[T]) -> tuple[T, ...]:
    """Return Strafpunkte or adjustments, as far as they can be read."""
    records = []
    for item in node.items() or ():
        fields = read_fields(item, form)
        entries = {name: fields.get(name) for name in ("seat", "points", "reason")}
        records.append(
            form(
                **{name: UNREADABLE if value is None else value for name, value in entries.items()}
            )
        )
    return tuple(records)


# --- Writing ----------------------------------------------------------------------------


def lines_to_json(lines: Iterable[AmbiguousLine]) -> list[dict[str, Any]]:
    """Return lines in the format of the files; a clear entry is its value alone."""
    return [_line_to_json(line) for line in lines]


def _line_to_json(line: AmbiguousLine) -> dict[str, Any]:
    written: dict[str, Any] = {
        "finisher": _entry_to_json(line.finisher),
        "handromme": _entry_to_json(line.handromme),
        "minus": [_entry_to_json(readings) for readings in line.minus],
    }
    if line.adjustments:
        written["adjustments"] = points_to_json(line.adjustments)
    return written


def _entry_to_json(readings: Sequence[object]) -> object:
    if not readings:  # of a seat that sits out
        return None
    return readings[0] if len(readings) == 1 else list(readings)


def line_from_json(data: Mapping[str, Any]) -> AmbiguousLine:
    """Return the line that :func:`lines_to_json` wrote; it was checked when it was stored.

    >>> line_from_json({"finisher": 1, "handromme": False, "minus": [0, [23, 28]]}).minus
    ((0,), (23, 28))
    """
    return AmbiguousLine(
        finisher=_readings(data["finisher"]),
        handromme=_readings(data["handromme"]),
        minus=tuple(() if points is None else _readings(points) for points in data["minus"]),
        adjustments=tuple(Adjustment(**entry) for entry in data.get("adjustments", ())),
    )


def _readings(entry: Any) -> tuple[Any, ...]:
    return tuple(entry) if isinstance(entry, list) else (entry,)


def points_to_json(entries: Iterable[Penalty | Adjustment]) -> list[dict[str, Any]]:
    """Return Strafpunkte or adjustments in the format of the files."""
    return [to_json(entry) for entry in entries]


def result_to_json(list_file: ListFile) -> dict[str, Any]:
    """Return the answer of ``score_list``."""
    return {
        "rule_set": list_file.rule_set.id,
        "complete": list_file.is_complete,
        "seats": [
            _seat_to_json(player, result)
            for player, result in zip(list_file.players, list_file.score(), strict=True)
        ],
        "warnings": problems_to_json(list_file.warnings),
    }


def _seat_to_json(player: str, result: SeatResult) -> dict[str, Any]:
    written = {"seat": result.seat, "player": player, **result._asdict(), "total": result.total}
    del written["added"], written["added_augen"]  # no list ends early in these files
    if result.steps is None:
        del written["steps"], written["penalty_cost"]
    else:
        written["augen"] = result.augen
    return written
