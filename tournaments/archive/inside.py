"""Keys of rows inside JSON values: each function puts other ones in their places.

They go both ways: keys become positions when an archive is written, positions keys when it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Model

from scoring.payments.prizes import Recipient
from tournaments.archive.rows import Row, Translate
from tournaments.common.ranking_names import ranking_of
from tournaments.models import Penalty, Registration, Spielliste, Team

Facts = Mapping[str, Any]
Inside = Callable[[Any, Translate, Row], Any]
DISSOLVED = 0  # stands for a team that was there at the closing and is no more
MOST_SEATS = 8  # at any table


def _drawn_seats(tables: list[list[int]], to: Translate, _row: Row) -> list[list[int | None]]:
    return [[to(Registration, one) for one in table] for table in tables]


def _drawn_crossings(crossings: list[list[int]], to: Translate, _row: Row) -> list[Any]:
    return [[to(Registration, one), *rest] for one, *rest in crossings]


DRAW: Mapping[str, Inside] = {"seats": _drawn_seats, "crossings": _drawn_crossings}


def _seats_left(seats: list[int], _to: Translate, _row: Row) -> list[int]:
    if not all(type(seat) is int and 1 <= seat <= MOST_SEATS for seat in seats):
        raise ValueError
    return seats


LIST: Mapping[str, Inside] = {"ended_left": _seats_left}


def _playoff_order(order: list[int], to: Translate, row: Row) -> list[int | None]:
    """Between players an order has start numbers, between teams their keys."""
    return list(order) if row["ranking"] is None else [to(Team, one) for one in order]


PLAYOFF: Mapping[str, Inside] = {"order": _playoff_order}


def _correction_before(facts: Facts, to: Translate, _row: Row) -> dict[str, Any]:
    found = dict(facts)
    if "versions" in facts:
        found["versions"] = _by_key(facts["versions"], Spielliste, to)
    if "tables" in facts:
        found["tables"] = {
            number: [to(Registration, one) for one in row]
            for number, row in facts["tables"].items()
        }
    return found


def _correction_after(facts: Facts, to: Translate, _row: Row) -> dict[str, Any]:
    found = dict(facts)
    if "places" in facts:
        found["places"] = _by_key(facts["places"], Registration, to)
    for name, model in (("registration", Registration), ("penalty", Penalty)):
        if name in facts:
            found[name] = to(model, facts[name])
    return found


def _correction_effects(facts: Facts, to: Translate, _row: Row) -> dict[str, Any]:
    if "persons" not in facts:
        return dict(facts)
    persons = [
        {**one, "registration": to(Registration, one["registration"])} for one in facts["persons"]
    ]
    return {**facts, "persons": persons}


def _by_key(values: Facts, model: type[Model], to: Translate) -> dict[str, Any]:
    translated = ((to(model, int(one)), value) for one, value in values.items())
    return {str(one): value for one, value in translated if one is not None}


CORRECTION: Mapping[str, Inside] = {
    "before": _correction_before,
    "after": _correction_after,
    "effects": _correction_effects,
}


def _closing_content(content: Facts, to: Translate, _row: Row) -> dict[str, Any]:
    """Put other keys of teams into what a closing keeps.

    Its hash stays the one that the journal of the closing has: it is of the content with the
    keys of the installation where the tournament was closed.
    """
    rankings = content["rankings"].items()
    return {
        **content,
        "rankings": {slug: [_line(slug, one, to) for one in lines] for slug, lines in rankings},
        "prizes": [_line(one["ranking"], one, to) for one in content["prizes"]],
    }


def _line(slug: str, line: Facts, to: Translate) -> dict[str, Any]:
    ranking = ranking_of(slug)
    if ranking is None or ranking.recipient is Recipient.PLAYER:
        return dict(line)
    return {**line, "number": to(Team, line["number"] or None) or DISSOLVED}


CLOSING: Mapping[str, Inside] = {"content": _closing_content}
