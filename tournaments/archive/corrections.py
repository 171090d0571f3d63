"""What a correction keeps as JSON names lists and persons by key: out and back by position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models

from tournaments.archive.rows import Pointers, Positions
from tournaments.models import Penalty, Registration, Spielliste

Facts = Mapping[str, Any]
# Position of a key, or key at a position; None for a row that is there no more.
Translate = Callable[[type[models.Model], Any], int | None]


def _of_before(facts: Facts, to: Translate) -> dict[str, Any]:
    found = dict(facts)
    if "versions" in facts:
        found["versions"] = _by_key(facts["versions"], Spielliste, to)
    if "tables" in facts:
        found["tables"] = {
            number: [to(Registration, key) for key in row]
            for number, row in facts["tables"].items()
        }
    return found


def _of_after(facts: Facts, to: Translate) -> dict[str, Any]:
    found = dict(facts)
    if "places" in facts:
        found["places"] = _by_key(facts["places"], Registration, to)
    for name, model in (("registration", Registration), ("penalty", Penalty)):
        if name in facts:
            found[name] = to(model, facts[name])
    return found


def _of_effects(facts: Facts, to: Translate) -> dict[str, Any]:
    found = dict(facts)
    if "persons" in facts:
        found["persons"] = [
            {**one, "registration": to(Registration, one["registration"])}
            for one in facts["persons"]
        ]
    return found


def _by_key(values: Facts, model: type[models.Model], to: Translate) -> dict[str, Any]:
    translated = ((to(model, int(key)), value) for key, value in values.items())
    return {str(key): value for key, value in translated if key is not None}


def _pointers(of: Callable[[Facts, Translate], dict[str, Any]]) -> Pointers:
    def out(facts: Facts, at: Positions, _row: models.Model) -> dict[str, Any]:
        return of(facts, at.place)

    def back(facts: Facts, at: Positions, _row: Mapping[str, Any]) -> dict[str, Any]:
        return of(facts, lambda model, place: None if place is None else at.key(model, place))

    return Pointers(out=out, back=back)


POINTERS: Mapping[str, Pointers] = {
    "before": _pointers(_of_before),
    "after": _pointers(_of_after),
    "effects": _pointers(_of_effects),
}
