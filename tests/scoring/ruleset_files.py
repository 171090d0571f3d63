"""Rule sets as JSON, changed, and their problems."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from scoring.errors import Problem, ScoringError
from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.rulesets import ruleset

Data = dict[str, Any]

LEFT_OUT = object()
_STEP = re.compile(r'\[(\d+)\]|\["(.+?)"\]|(\w+)')


def as_json(id_: str = "rommeordnung", **changes: Any) -> Data:
    """Return a rule set of the program with *changes*, each by its place."""
    data: Data = json.loads(json.dumps(ruleset_to_dict(ruleset(id_))))
    for place, value in changes.items():
        put(data, place, value)
    return data


def put(data: Data, place: str, value: object) -> None:
    """Set or remove the value at a place like ``packs["4"].decks``."""
    *way, last = (int(index) if index else key or name for index, key, name in _STEP.findall(place))
    at: Any = data
    for step in way:
        at = at[step]
    if value is LEFT_OUT:
        del at[last]
    else:
        at[last] = value


def refusal(data: object) -> list[Problem]:
    with pytest.raises(ScoringError) as caught:
        ruleset_from_dict(data)
    return list(caught.value.problems)


def places(data: object) -> list[str]:
    return [problem.where for problem in refusal(data)]
