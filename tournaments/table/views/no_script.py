"""The state of a list for the template of devices without scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.list_rows import PlayedRow, played_rows
from scoring.reading.interchange import line_from_json
from scoring.ruleset import RuleSet
from tournaments.common.digits import number_in
from tournaments.models import Call
from tournaments.table.queries.state import TableState


def page_context(
    rule_set: RuleSet, state: TableState, rules: Mapping[str, Any], typed: QueryDict
) -> dict[str, Any]:
    """Return rows, the dealer, and the possible acts.

    Args:
        state: of the list, from ``table.queries.state``.
        rules: of the list, from ``table.queries.rules``.
        typed: the fields of a refused form, to be corrected.
    """
    following, until = state.next, state.protest_until
    return {
        "rows": list_rows(state, rule_set, (rules.get("valuation") or {}).get("size")),
        "players": [
            {
                **asdict(player),
                "minus": typed.get(f"minus_{player.seat}", ""),
                "handromme": str(player.seat) in typed.getlist("handromme"),
                "agrees": str(player.seat) in typed.getlist("consents"),
            }
            for player in state.players
        ],
        "deals": _deals(state, rule_set),
        "sits_out": following and rule_set.sits_out(following.number, len(state.players)),
        "contract": _contract(rules, following.number) if following else "",
        "grants": [
            {
                "at": at,
                "name": grant["name"],
                "points": grant["points"],
                "is_on": f"grant_{at}" in typed,
            }
            for at, grant in enumerate(rules["grants"])
        ],
        "change_number": _number_typed(typed, "change", "number") or len(state.games),
        "case_number": _number_typed(typed, "case", "game"),
        "may_enter": state.may_change and following is not None,
        "may_change": state.may_change and bool(state.games),
        "may_sign": state.may_change and state.status == "complete",
        "may_ask": until is not None and until > state.now,
        "at_the_table": state.status in {"open", "complete"},
        "ends_at": state.ends_at,
        "protest_until": until,
        "calls": Call.Kind.choices,
        "call": dict(Call.Kind.choices).get(state.call.kind) if state.call else "",
    }


def list_rows(state: TableState, rule_set: RuleSet, size: int | None) -> tuple[PlayedRow, ...]:
    """Return the games of the list as on paper; *size* is the table size for the bonus."""
    lines = [line_from_json(game.line) for game in state.games]
    return played_rows(lines, rule_set, len(state.players), bonus_size=size)


def bought_rows(rule_set: RuleSet, state: TableState, typed: QueryDict) -> list[dict[str, Any]]:
    """Return the bought cards of each seat; empty if the rule set has no buying.

    Values of a refused form are kept.
    """
    if not rule_set.purchases:
        return []
    cards = state.bought
    return [
        {
            **asdict(player),
            "cards": typed.get(f"bought_{player.seat}", cards[at] if at < len(cards) else 0),
        }
        for at, player in enumerate(state.players)
    ]


def _number_typed(typed: QueryDict, kind: str, name: str) -> int | None:
    """Return the number of the game in a refused form of this kind."""
    return number_in(typed.get(name)) if typed.get("kind") == kind else None


def _deals(state: TableState, rule_set: RuleSet) -> str:
    """Return the sentence about the dealer of the next game, who may sit out; "" without one."""
    game = state.next
    if game is None:
        return ""
    sits_out = rule_set.sits_out(game.number, len(state.players))
    sentence = _("{name} gibt und setzt aus") if sits_out else _("{name} gibt")
    name = next(player.name for player in state.players if player.seat == game.dealer)
    return sentence.format(name=name)


def _contract(rules: Mapping[str, Any], game: int) -> str:
    rounds = rules["rounds"]
    return str(rounds[min(game, len(rounds)) - 1]["contract"])
