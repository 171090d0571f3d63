"""Keys of rows inside JSON values, translated to positions in a file and back.

A shape describes where they are: a model for a key of its rows, a list for a list of one shape,
a dictionary for named values of an object, and a function for everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Model

from scoring.payments.prizes import Recipient
from tournaments.common.ranking_names import ranking_of
from tournaments.models import Penalty, Registration, Spielliste, Team

Row = dict[str, Any]
Translate = Callable[[type[Model], Any], int | None]
"""Returns the position of a row by its key, or its key by its position; None for None, and for
the key of a deleted row. A position without a row is a LookupError."""
Shape = Any
DISSOLVED = 0  # placeholder of a team that existed at the closing and was deleted
MOST_SEATS = 8  # at any table


def translated(value: Any, shape: Shape, to: Translate, row: Row) -> Any:
    """Return a value of a *row* with its keys translated, as its shape describes."""
    if isinstance(shape, type):
        return to(shape, value)
    if isinstance(shape, list):
        return [translated(entry, shape[0], to, row) for entry in value]
    if isinstance(shape, dict):
        return {
            name: translated(entry, shape[name], to, row) if name in shape else entry
            for name, entry in value.items()
        }
    return shape(value, to, row)


def _by_key(model: type[Model]) -> Shape:
    """Return the shape of an object whose names are keys of rows of *model*."""

    def shape(entries: Mapping[str, Any], to: Translate, _row: Row) -> dict[str, Any]:
        pairs = ((to(model, int(key)), entry) for key, entry in entries.items())
        return {str(key): entry for key, entry in pairs if key is not None}

    return shape


def _tables(tables: Mapping[str, Any], to: Translate, row: Row) -> dict[str, Any]:
    return {number: translated(seats, [Registration], to, row) for number, seats in tables.items()}


def _crossing(crossing: list[int], to: Translate, _row: Row) -> list[int | None]:
    return [to(Registration, crossing[0]), *crossing[1:]]


def _seat(seat: int, _to: Translate, _row: Row) -> int:
    if type(seat) is not int or not 1 <= seat <= MOST_SEATS:
        raise ValueError
    return seat


def _order(order: list[int], to: Translate, row: Row) -> list[int | None]:
    """Translate keys of teams; an order of players has start numbers, which stay unchanged."""
    return list(order) if row["ranking"] is None else [to(Team, team) for team in order]


def _list_of(kind: type) -> Shape:
    """Return the shape of a list of values of *kind* without keys."""

    def shape(values: Any, _to: Translate, _row: Row) -> list[Any]:
        if type(values) is not list or any(type(value) is not kind for value in values):
            raise ValueError
        return values

    return shape


def _content(content: Mapping[str, Any], to: Translate, _row: Row) -> dict[str, Any]:
    """Translate the keys of teams in the content of a closing.

    Its hash in the journal is not changed: it covers the content with the keys of the
    installation where the tournament was closed.
    """
    rankings = content["rankings"].items()
    return {
        **content,
        "rankings": {slug: [_line(slug, line, to) for line in lines] for slug, lines in rankings},
        "prizes": [_line(line["ranking"], line, to) for line in content["prizes"]],
    }


def _line(slug: str, line: Mapping[str, Any], to: Translate) -> dict[str, Any]:
    ranking = ranking_of(slug)
    if ranking is None or ranking.recipient is Recipient.PLAYER:
        return dict(line)
    return {**line, "number": to(Team, line["number"] or None) or DISSOLVED}


# By the names of the JSON fields of a section.
DRAW: Mapping[str, Shape] = {"seats": [[Registration]], "crossings": [_crossing]}
LIST: Mapping[str, Shape] = {"ended_left": [_seat]}
PLAYOFF: Mapping[str, Shape] = {"order": _order}
LOTTERY: Mapping[str, Shape] = {"field": _list_of(int), "things": _list_of(str)}
CLOSING: Mapping[str, Shape] = {"content": _content}
CORRECTION: Mapping[str, Shape] = {
    "before": {"versions": _by_key(Spielliste), "tables": _tables},
    "after": {
        "places": _by_key(Registration),
        "registration": Registration,
        "penalty": Penalty,
    },
    "effects": {"persons": [{"registration": Registration}]},
}
