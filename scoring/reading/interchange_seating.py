"""The interchange format of the seating: the task of planning, and the plan.

The format is fixed (``docs/formats.md`` 2): other programs rely on it. Four optional keys
go beyond it, so that every draw can be repeated from a file: ``team`` of a player,
``fixed_tables`` as pairs of id and table number, ``apart`` as pairs of ids, and ``starts``, how
many the search may make.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Annotated, Any

from scoring.reading.records import Text, WholeNumber
from scoring.reading.strict_json import Node, parse
from scoring.reading.validation import read, read_fields
from scoring.seating import DEFAULT_SIZES, STARTS, Offer, Plan, Player, Progress, plan
from scoring.seating.refusals import duplicate_id, find_problems
from scoring.texts import _

Tables = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingFile:
    """A task of planning; the fields are the arguments of :func:`scoring.seating.plan`."""

    players: tuple[Player, ...]
    series: int
    seed: str
    allowed: tuple[int, ...] = DEFAULT_SIZES
    history: tuple[Tables, ...] = ()
    fixed_tables: Mapping[int, int] = field(default_factory=dict)
    apart: tuple[tuple[int, int], ...] = ()
    starts: int = STARTS

    def plan(self, progress: Progress | None = None, offer: Offer | None = None) -> Plan:
        """Return the plan, the same for the same file unless the search is stopped early."""
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


# --- Reading ----------------------------------------------------------------------------

Number = Annotated[int, WholeNumber()]
Pairs = tuple[tuple[Number, Number], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seating:
    players: Any
    series: Number
    seed: Annotated[str, Text()] | None = None
    table_sizes: tuple[Number, ...] = ()
    history: tuple[tuple[tuple[Number, ...], ...], ...] = ()
    fixed_tables: Pairs = ()
    apart: Pairs = ()
    starts: Annotated[int, WholeNumber(1, STARTS)] = STARTS


def read_seating(data: bytes) -> SeatingFile:
    """Return the task of planning in a file.

    Without a seed, one is derived from the content of the file, so that the same input
    always gives the same plan.

    Raises:
        ScoringError: with every problem of the file and its place.
    """
    root = parse(data)
    fields = read_fields(root, _Seating)
    players = _players(root.field("players")) if "players" in fields else None
    series, seed = fields.get("series"), fields.get("seed")
    allowed = fields.get("table_sizes", DEFAULT_SIZES)
    history, apart = fields.get("history", ()), fields.get("apart", ())
    fixed_tables = _fixed_tables(root.field("fixed_tables"), fields.get("fixed_tables") or ())
    root.problems += find_problems(
        players, series, allowed, history, fixed_tables=fixed_tables, apart=apart
    )
    root.raise_problems()
    return SeatingFile(
        players=players or (),
        series=fields["series"],
        seed=seed or _seed_from(root.value),
        allowed=allowed,
        history=history,
        fixed_tables=fixed_tables,
        apart=apart,
        starts=fields.get("starts", STARTS),
    )


def _seed_from(value: object) -> str:
    text = json.dumps(value, sort_keys=True)
    return sha256(text.encode()).hexdigest()[:32]


def _players(node: Node) -> tuple[Player, ...] | None:
    """Return the players, each with a number of its own; None if they have a problem."""
    problems_before = len(node.problems)
    players: dict[int, Player] = {}
    for item in node.items() or ():
        player = read(item, Player)
        if player is not None and player.id in players:
            item.field("id").refuse(duplicate_id(player.id))
        elif player is not None:
            players[player.id] = player
    return tuple(players.values()) if len(node.problems) == problems_before else None


def _fixed_tables(node: Node, pairs: Pairs) -> Mapping[int, int]:
    tables: dict[int, int] = {}
    for id_, number in pairs:
        if id_ in tables:
            node.refuse(_("Die Nummer {id} hat zwei feste Tische.").format(id=id_))
        tables[id_] = number
    return tables


# --- Writing ----------------------------------------------------------------------------


def plan_to_json(file: SeatingFile) -> dict[str, Any]:
    """Return the answer of ``plan_seating``; it mentions teams only if there are any."""
    result = file.plan()
    metrics = asdict(result.metrics)
    if all(player.team is None for player in file.players):
        del metrics["teammates_at_table"]
    return {
        "seed": result.seed,
        "series": [{"tables": [list(table) for table in tables]} for tables in result.series],
        "metrics": metrics,
    }
