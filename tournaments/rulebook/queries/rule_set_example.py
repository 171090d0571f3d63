"""An example for the numbers of a rule set: the points of a hand, a finish and a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.ambiguity import AmbiguousLine, count_line
from scoring.cards import Rank
from scoring.money import split_by_weights
from scoring.ordering import SeatStanding
from scoring.payments.settlement import balance
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatCount, added_for_handromme, points_of_game, sum_up_seat
from tournaments.common.formats import points
from tournaments.rulebook.queries.rule_set_text import MINUS, NamedFact, rank_name

HAND = (Rank.ASS, Rank.KOENIG, Rank.SEVEN, Rank.JOKER)
FINISHED = 3  # games, the last one by Handrommé if the rules have it
BOUGHT = 6  # cards at the table
COUNTED = (28, 55, 90, 41, 17, 63, 120)  # in the hands of a game

# A typical table, best first: shares of finished games and the points with them.
_WEIGHTS = (5, 3, 2, 2, 1, 1, 1, 1)
_POINTS = (85, 214, 356, 402, 467, 510, 563, 604)
_CLOSE = (85, 125, 145, 214, 240, 267, 291, 316)  # so that several have a part of a pot


def rules_example(rule_set: RuleSet) -> dict[str, Any]:
    """Return an example for *rule_set*: points, and the settlement of a table.

    The table has the preferred size; the best seat comes first, with its amount in cents.
    """
    bought = BOUGHT if rule_set.purchases else 0
    settled: list[tuple[SeatStanding, int]] = []
    if rule_set.settlement is not None:
        seats = _table(rule_set, _CLOSE)
        amounts = balance(rule_set.settlement, seats, cards=bought)
        settled = list(zip(seats, amounts, strict=True))
    return {"lines": list(_lines(rule_set)), "settled": settled, "bought": bought}


def _lines(rule_set: RuleSet) -> Iterator[NamedFact]:
    values = [rule_set.card_values[rank] for rank in HAND]
    hand = sum(values)
    yield (
        ", ".join(map(rank_name, HAND)),
        _("{sum} = {points} Punkte").format(sum=" + ".join(map(str, values)), points=hand),
    )
    yield from _sitting_out(rule_set)
    if rule_set.valuation:
        yield from _valued(rule_set)
        return
    if added := added_for_handromme(hand, rule_set):
        yield (
            _("Dieselben Karten nach dem Handrommé einer anderen Person"),
            _("{hand} + {added} = {points} Punkte").format(
                hand=hand, added=added, points=hand + added
            ),
        )
    yield from _finished(rule_set)
    for grant in rule_set.grants:
        yield (
            _("Dieselben Karten, {grant}").format(grant=_(grant.name)),
            _("{hand} {sign} {granted} = {points} Punkte").format(
                hand=hand,
                sign=MINUS if grant.points < 0 else "+",
                granted=abs(grant.points),
                points=points(hand + grant.points),
            ),
        )


def _sitting_out(rule_set: RuleSet) -> Iterator[NamedFact]:
    """Yield the games of place 1 at tables where the dealer sits out."""
    for size, games in rule_set.dealer_sits_out.items():
        out = [game for game in range(1, games + 1) if rule_set.sits_out(game, size) == 1]
        yield (
            _("Platz 1 am Tisch zu {size}").format(size=size),
            _("gibt Spiel {games}, setzt da aus und spielt {own} von {all}").format(
                games=", ".join(map(str, out)), own=rule_set.own_games(size), all=games
            ),
        )


def _valued(rule_set: RuleSet) -> Iterator[NamedFact]:
    """Yield the Wertpunkte of games at a table of the preferred size, by scoring them."""
    size = rule_set.table_sizes[0]
    counted = COUNTED[: rule_set.players_of_game(size) - 1]
    for by_handromme in (False, True) if rule_set.handromme else (False,):
        line = AmbiguousLine(
            finisher=(1,), minus=((0,), *((hand,) for hand in counted)), handromme=(by_handromme,)
        )
        brings = [points_of_game(count, rule_set, size) for count in count_line(line, rule_set)]
        label = (
            _("Handrommé, die anderen zählen {hands} Augen")
            if by_handromme
            else _("Beendet, die anderen zählen {hands} Augen")
        )
        yield (
            label.format(hands=" / ".join(map(str, counted))),
            _("{points} Wertpunkte").format(points=" / ".join(map(str, brings))),
        )


def _finished(rule_set: RuleSet) -> Iterator[NamedFact]:
    """Return the points that finished games deduct at a table of the preferred size."""
    size = rule_set.table_sizes[0]
    won = [
        SeatCount(seat=1, hand=0, finished=True, handromme=bool(rule_set.handromme) and last)
        for last in (False,) * (FINISHED - 1) + (True,)
    ]
    result = sum_up_seat(won, seat=1, rule_set=rule_set, bonus_size=size)
    if result.bonus or result.handromme_bonus:
        yield (
            _("{games} Spiele am Tisch zu {size} beendet, eines durch Handrommé").format(
                games=FINISHED, size=size
            )
            if result.handromme
            else _("{games} Spiele am Tisch zu {size} beendet").format(games=FINISHED, size=size),
            _("{points} Punkte").format(points=points(result.total)),
        )
    if rule_set.finisher_may_hold:
        yield (
            _("Beendet mit {points} Punkten in der Hand").format(points=rule_set.finisher_may_hold),
            _("{points} Punkte").format(points=rule_set.finisher_may_hold),
        )


def everyday_table(rule_set: RuleSet) -> list[SeatStanding]:
    """Return a typical result of a table of the preferred size, the best seat first."""
    return _table(rule_set, _POINTS)


def _table(rule_set: RuleSet, of_seats: Sequence[int]) -> list[SeatStanding]:
    players = rule_set.table_sizes[0]
    finished = split_by_weights(rule_set.games_at(players), _WEIGHTS[:players])
    return [
        SeatStanding(points=points, rank=rank, games_won=games)
        for rank, (points, games) in enumerate(
            zip(of_seats[:players], finished, strict=True), start=1
        )
    ]
