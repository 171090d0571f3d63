"""Rule sets as JSON, changed, and what is wrong with them then."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from scoring.errors import Problem, ScoringError
from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.rulesets import ruleset

Data = dict[str, Any]


def as_json(id_: str = "rommeordnung") -> Data:
    data: Data = json.loads(json.dumps(ruleset_to_dict(ruleset(id_))))
    return data


def refusal(data: object) -> list[Problem]:
    with pytest.raises(ScoringError) as caught:
        ruleset_from_dict(data)
    return list(caught.value.problems)


def places(data: object) -> list[str]:
    return [problem.where for problem in refusal(data)]


def set_to(*path: str | int, value: object) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        place: Any = data
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


def changes(*several: Callable[[Data], None]) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        for each in several:
            each(data)

    return change


def without(*path: str | int) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        place: Any = data
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return change
