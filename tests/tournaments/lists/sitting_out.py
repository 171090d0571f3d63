"""A tournament with dealers sitting out at tables of four, and lists worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scoring.reading.ruleset_json import ruleset_to_dict
from tests.factories import make_players, make_tournament
from tests.factories_lists import make_seated_serie
from tests.scoring.sitting_out_lists import (
    FOUR,
    RULES,
    THREE,
    VALUED_FOUR,
    VALUED_THREE,
    of_four,
    valued_four,
)
from tournaments.models import Serie, Tournament

# Of the Romméordnung; at a table of four 20 games, of which each plays 15, at one of three 15.
OWN = replace(RULES, id="verband", name="Verbandsregel")

__all__ = [
    "FOUR",
    "OWN",
    "THREE",
    "VALUED_FOUR",
    "VALUED_THREE",
    "of_four",
    "sitting_out",
    "valued_four",
]


def sitting_out(sizes: Sequence[int] = (4,), **fields: Any) -> Serie:
    """Return a seated Serie with tables of these sizes."""
    values = {"status": Tournament.Status.RUNNING, "rule_set": ruleset_to_dict(OWN), **fields}
    tournament = make_tournament(**values)
    return make_seated_serie(tournament, [make_players(tournament, size) for size in sizes])
