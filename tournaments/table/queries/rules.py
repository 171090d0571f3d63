"""The rules of a list as numbers for the page at the table, which counts offline."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.cards import Rank
from scoring.hands import possible_hands
from scoring.reading.bounds import bounds
from scoring.ruleset import RuleSet
from tournaments.rulebook.queries.rule_set_text import (
    card_values,
    contract,
    handromme_effect,
    rank_name,
)

# The order of the card keys, the highest values first.
_ORDER = tuple(reversed(Rank))


def table_rules(
    rule_set: RuleSet, *, players: int, bonus_size: int | None = None
) -> dict[str, Any]:
    """Return the rules by which the page counts and checks, as JSON values.

    ``rounds`` has one entry for all games, or one for each: the contract (a text or ""), the
    largest number of cards in a hand, and the bounds of ``scoring.reading.bounds``.

    Args:
        rule_set: of the tournament.
        players: number of players at the table.
        bonus_size: the table size that counts for the bonus, if not *players*.
    """
    pack = rule_set.packs[players]
    handromme = rule_set.handromme
    size = bonus_size or players
    return {
        "games": rule_set.games_at(players),
        "players": players,
        "bonus": abs(rule_set.rates(size)[0]),
        "handromme": handromme
        and {
            "bonus": handromme.bonus,
            "factor": handromme.factor,
            "surcharge": handromme.surcharge,
            "note": _handromme_note(rule_set),
        },
        "ends_without_finisher": rule_set.ends_without_finisher,
        **_sits_out(rule_set, players),
        "grants": [
            {
                "name": _(grant.name),
                "points": grant.points,
                "seats": [
                    rule_set.receiver(grant, game, players)
                    for game in range(1, rule_set.games_at(players) + 1)
                ],
            }
            for grant in rule_set.grants
        ],
        "card_values": card_values(rule_set.card_values),
        "cards": [
            {
                "rank": rank.value,
                "short": _short(rank),
                "name": rank_name(rank),
                "value": rule_set.card_values[rank],
                "count": pack.count(rank),
            }
            for rank in _ORDER
            if pack.count(rank)
        ],
        "rounds": [_round(rule_set, players, game) for game in range(1, len(rule_set.rounds) + 1)],
        **({"valuation": valued} if (valued := valuation(rule_set, size)) else {}),
    }


def valuation(rule_set: RuleSet, size: int) -> dict[str, Any] | None:
    """Return the Wertpunkte of a game at a table of *size*; None if the rule set has none."""
    rules = rule_set.valuation
    if rules is None:
        return None
    finish, for_handromme = rule_set.rates(size)
    return {
        "size": size,
        "finish": finish,
        "handromme": finish + for_handromme,
        "steps": [[step.upto, step.points] for step in rules.steps],
        "penalty_per": rules.penalty_per,
    }


def _sits_out(rule_set: RuleSet, players: int) -> dict[str, list[int | None]]:
    """Return the seat that sits out in each game, at tables with such a seat."""
    games = range(1, rule_set.games_at(players) + 1)
    seats = [rule_set.sits_out(game, players) for game in games]
    return {"sits_out": seats} if any(seats) else {}


def _handromme_note(rule_set: RuleSet) -> str:
    """Return the hint that a Handrommé is multiplied automatically; "" if it is not."""
    rules = rule_set.handromme
    if rules is None or (rules.factor == 1 and not rules.surcharge):
        return ""
    return _("Bitte nur die Karten zählen; von selbst gilt: {effect}.").format(
        effect=handromme_effect(rule_set)
    )


def _short(rank: Rank) -> str:
    """Return the label on the key of a card: one letter, or the word for the Joker."""
    return rank_name(rank) if rank is Rank.JOKER else _(rank.value)


def _round(rule_set: RuleSet, players: int, game: int) -> dict[str, Any]:
    round_ = rule_set.round(game)
    parts = [contract(round_.contract)] if round_.contract else []
    if round_.purchases:
        parts.append(
            ngettext(
                "{n} Karte darf gekauft werden",
                "{n} Karten dürfen gekauft werden",
                round_.purchases,
            ).format(n=round_.purchases)
        )
    return {
        "contract": ", ".join(parts),
        "most": possible_hands(rule_set, players=players, game=game).most,
        "bounds": bounds(rule_set, players, game),
    }
