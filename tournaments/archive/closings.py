"""What a closing keeps as JSON names teams by key: out and back by position.

Its hash stays the one that the journal of the closing has: it is of the content with the
keys of the installation where the tournament was closed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models

from scoring.payments.prizes import Recipient
from tournaments.archive.rows import Pointers, Positions
from tournaments.common.ranking_names import ranking_of
from tournaments.models import Team

DISSOLVED = 0  # a team that was there at the closing and is no more


def _content(content: Mapping[str, Any], to: Callable[[int], int | None]) -> dict[str, Any]:
    return {
        **content,
        "rankings": {
            slug: [_line(slug, line, to) for line in lines]
            for slug, lines in content["rankings"].items()
        },
        "prizes": [_line(line["ranking"], line, to) for line in content["prizes"]],
    }


def _line(slug: str, line: Mapping[str, Any], to: Callable[[int], int | None]) -> dict[str, Any]:
    ranking = ranking_of(slug)
    if ranking is None or ranking.recipient is Recipient.PLAYER:
        return dict(line)
    return {**line, "number": to(line["number"]) or DISSOLVED}


def _out(content: Mapping[str, Any], at: Positions, _row: models.Model) -> dict[str, Any]:
    return _content(content, lambda key: at.place(Team, key))


def _back(content: Mapping[str, Any], at: Positions, _row: Mapping[str, Any]) -> dict[str, Any]:
    return _content(content, lambda place: None if place == DISSOLVED else at.key(Team, place))


POINTERS: Mapping[str, Pointers] = {"content": Pointers(out=_out, back=_back)}
