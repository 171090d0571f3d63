"""Files with a list, valid and changed, and the results of reading them."""

from __future__ import annotations

import json

import pytest

from scoring.errors import ScoringError
from scoring.reading.interchange import read_list

LEFT_OUT = object()


def good(**changes):
    """Return a list that is accepted, with *changes*."""
    data = {
        "rule_set": "rommeordnung",
        "players": ["Anna", "Bernd", "Clara", "Dieter"],
        "games": [good_game()],
        "penalties": [{"seat": 2, "points": 100, "reason": "§ 8.3"}],
    } | changes
    return {key: value for key, value in data.items() if value is not LEFT_OUT}


def good_game(**changes):
    data = {"finisher": 1, "handromme": False, "minus": [0, 23, 45, 12]} | changes
    return {key: value for key, value in data.items() if value is not LEFT_OUT}


def read(data):
    return read_list(json.dumps(data).encode())


def refusals(data):
    with pytest.raises(ScoringError) as caught:
        read(data)
    return [problem.where for problem in caught.value.problems]


def totals(data):
    return [result.total for result in read(data).score()]
