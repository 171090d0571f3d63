"""The interchange format of the seating: what is to be planned, and the plan.

The format is fixed (``docs/formats.md`` 2): other programs rely on it. Four optional keys
go beyond it, so that every draw can be repeated from a file: ``team`` of a player,
``fixed_tables`` as pairs of id and table number, ``apart`` as pairs of ids, and ``starts``, how
many the search may make.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from scoring.reading.records import Pair, read, reader
from scoring.reading.strict_json import Node, parse
from scoring.seating import DEFAULT_SIZES, STARTS, Offer, Plan, Player, Progress, plan
from scoring.seating.refusals import find_problems, id_stands_twice
from scoring.texts import _

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")

Tables = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingFile:
    """What is to be planned; the fields are the arguments of :func:`scoring.seating.plan`."""

    players: tuple[Player, ...]
    series: int
    seed: str
    allowed: tuple[int, ...] = DEFAULT_SIZES
    history: tuple[Tables, ...] = ()
    fixed_tables: Mapping[int, int] = field(default_factory=dict)
    apart: tuple[tuple[int, int], ...] = ()
    starts: int = STARTS

    def plan(self, progress: Progress | None = None, offer: Offer | None = None) -> Plan:
        """Return the plan, always the same for the same file unless it is taken early."""
        return plan(
            self.players,
            series=self.series,
            seed=self.seed,
            allowed=self.allowed,
            history=self.history,
            fixed_tables=self.fixed_tables,
            apart=self.apart,
            starts=self.starts,
            progress=progress,
            offer=offer,
        )


_DEFAULTS = SeatingFile(players=(), series=0, seed="")


# --- Reading ----------------------------------------------------------------------------


def read_seating(data: bytes) -> SeatingFile:
    """Return what a file wants to have planned.

    Without a seed one is made from what stands in the file, so that the same input gives
    the same plan in this case too.

    Raises:
        ScoringError: with every problem of the file and its place.
    """
    root = parse(data)
    fields = root.fields(
        required=("players", "series"),
        optional=("seed", "table_sizes", "history", "fixed_tables", "apart", "starts"),
    )
    players = _whole(fields.get("players"), _players)
    series = _whole(fields.get("series"), Node.whole_number)
    seed = _whole(fields.get("seed"), _text_or_none)
    allowed = _whole(fields.get("table_sizes"), _NUMBERS, _DEFAULTS.allowed)
    history = _whole(fields.get("history"), _HISTORY, _DEFAULTS.history)
    fixed_tables = _whole(fields.get("fixed_tables"), _fixed_tables, _DEFAULTS.fixed_tables)
    apart = _whole(fields.get("apart"), _PAIRS, _DEFAULTS.apart)
    starts = _whole(fields.get("starts"), _starts, _DEFAULTS.starts)
    root.problems += find_problems(
        players, series, allowed, history, fixed_tables=fixed_tables, apart=apart
    )
    root.raise_problems()
    assert players is not None and series is not None  # noqa: S101, PT018 - or it was a problem
    return SeatingFile(
        players=players,
        series=series,
        seed=seed or _seed_from(root.value),
        allowed=allowed or (),
        history=history or (),
        fixed_tables=fixed_tables or {},
        apart=apart or (),
        starts=starts or STARTS,
    )


def _whole(
    node: Node | None, read: Callable[[Node], T | None], missing: T | None = None
) -> T | None:
    """Return what *read* makes of a node, or ``None`` if it noted a problem."""
    if node is None:
        return missing
    noted = len(node.problems)
    value = read(node)
    return value if len(node.problems) == noted else None


def _seed_from(value: object) -> str:
    text = json.dumps(value, sort_keys=True)
    return sha256(text.encode()).hexdigest()[:32]


def _text_or_none(node: Node) -> str | None:
    return None if node.is_null else node.text()


def _starts(node: Node) -> int | None:
    return node.whole_number(minimum=1, maximum=STARTS)


def _players(node: Node) -> tuple[Player, ...]:
    players: dict[int, Player] = {}
    for item in node.items() or ():
        player = read(item, Player)
        if player is not None and player.id in players:
            item.field("id").refuse(id_stands_twice(player.id))
        elif player is not None:
            players[player.id] = player
    return tuple(players.values())


def _fixed_tables(node: Node) -> Mapping[int, int]:
    tables: dict[int, int] = {}
    for id_, number in _whole(node, _PAIRS) or ():
        if id_ in tables:
            node.refuse(_("Die Nummer {id} hat zwei feste Tische.").format(id=id_))
        tables[id_] = number
    return tables


_PAIRS = reader(tuple[Annotated[tuple[int, int], Pair()], ...])
_NUMBERS = reader(tuple[int, ...])
_HISTORY = reader(tuple[Tables, ...])


# --- Writing ----------------------------------------------------------------------------


def plan_to_json(file: SeatingFile) -> dict[str, Any]:
    """Return what ``plan_seating`` answers; of teams it speaks only if there are any."""
    result = file.plan()
    metrics = asdict(result.metrics)
    if all(player.team is None for player in file.players):
        del metrics["teammates_at_table"]
    return {
        "seed": result.seed,
        "series": [{"tables": [list(table) for table in tables]} for tables in result.series],
        "metrics": metrics,
    }
