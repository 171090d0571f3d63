"""The acts of the program and their parameters."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from tournaments.journal.acts import ACTS, ActFunction


def acts_of_the_program() -> dict[str, ActFunction[Any, Any]]:
    """Return all acts except those defined by tests."""
    return {
        name: doing for name, doing in ACTS.items() if doing.__module__.startswith("tournaments.")
    }


@cache
def parameters_of(doing: ActFunction[Any, Any]) -> dict[str, inspect.Parameter]:
    """Return the parameters of an act beside its row, by name; the time only if required."""
    _act, *others = inspect.signature(doing, eval_str=True).parameters.values()
    return {each.name: each for each in others if each.name != "now" or each.default is each.empty}
