"""The forms of the table's page without scripts, as fields for ``services.acts``.

Nothing is validated here: the act refuses an empty or invalid field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import QueryDict

from tournaments.common.digits import number_in

NOBODY = "none"

Body = dict[str, Any]


def body_of(kind: str, fields: QueryDict, rules: Mapping[str, Any]) -> Body:
    """Return the fields of a form for an act; fields unknown to the act are left out.

    Args:
        kind: name of the act.
        fields: the submitted fields.
        rules: of the list, from ``table.queries.rules``.
    """
    make = _BODIES.get(kind)
    body = make(fields, rules) if make else {}
    return (
        body
        if kind not in _WITH_VERSION
        else {**body, "version": _number(fields.get("version", ""))}
    )


def _number(text: str) -> int | str:
    number = number_in(text)
    return text.strip() if number is None else number


def _seat_or_nobody(text: str) -> int | str | None:
    return None if text == NOBODY else _number(text)


def _line(fields: QueryDict, rules: Mapping[str, Any]) -> Body:
    finisher = _seat_or_nobody(fields.get("finisher", ""))
    number = _number(fields.get("number", ""))
    seats = range(1, rules["players"] + 1)
    resting = dict(enumerate(rules.get("sits_out", ()), start=1))
    sits_out = resting.get(number) if isinstance(number, int) else None
    line: Body = {
        "finisher": finisher,
        # Each seat has its own checkbox; only that of the finisher counts.
        "handromme": str(finisher) in fields.getlist("handromme"),
        "minus": [
            None
            if seat == sits_out and not fields.get(f"minus_{seat}")
            else _number(fields.get(f"minus_{seat}", "") or ("0" if seat == finisher else ""))
            for seat in seats
        ],
    }
    granted = [
        {"seat": grant["seats"][number - 1], "points": grant["points"], "reason": grant["name"]}
        for at, grant in enumerate(rules["grants"])
        if f"grant_{at}" in fields and isinstance(number, int) and 0 < number <= rules["games"]
    ]
    return {**line, "adjustments": granted} if granted else line


def _game(fields: QueryDict, rules: Mapping[str, Any]) -> Body:
    return {
        "number": _number(fields.get("number", "")),
        "line": _line(fields, rules),
        "confirmed": "confirmed" in fields,
    }


def _change(fields: QueryDict, rules: Mapping[str, Any]) -> Body:
    return {
        "number": _number(fields.get("number", "")),
        "line": None if "take_back" in fields else _line(fields, rules),
        "consents": [_number(seat) for seat in fields.getlist("consents")],
        "confirmed": "confirmed" in fields,
    }


def _keeper(fields: QueryDict, _rules: Mapping[str, Any]) -> Body:
    return {"seat": _number(fields.get("seat", ""))}


def _paper(fields: QueryDict, _rules: Mapping[str, Any]) -> Body:
    return {"on_paper": fields.get("on_paper") == "1"}


def _bought(fields: QueryDict, rules: Mapping[str, Any]) -> Body:
    seats = range(1, rules["players"] + 1)
    return {"bought": [_number(fields.get(f"bought_{seat}", "") or "0") for seat in seats]}


def _call(fields: QueryDict, _rules: Mapping[str, Any]) -> Body:
    return {"call_kind": fields.get("call_kind", "")}


def _case(fields: QueryDict, _rules: Mapping[str, Any]) -> Body:
    game = fields.get("game", "")
    return {"game": _number(game) if game else None, "text": fields.get("text", "")}


_BODIES: Mapping[str, Callable[[QueryDict, Mapping[str, Any]], Body]] = {
    "game": _game,
    "change": _change,
    "keeper": _keeper,
    "paper": _paper,
    "bought": _bought,
    "call": _call,
    "case": _case,
}
_WITH_VERSION = frozenset({"game", "change", "sign_paper"})
