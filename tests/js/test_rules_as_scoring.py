"""The table page computes like the scoring, for lists of every rule set and size."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

import pytest

from scoring.ambiguity import count_line
from scoring.hand_checks import ONE_IN, finisher_objection, hand_objection
from scoring.hands import PossibleHands, possible_hands
from scoring.plausibility import LineContext, doubts, impossible_readings, misfit
from scoring.reading.interchange import line_from_json
from scoring.ruleset import Contract, Round, RuleSet
from scoring.rulesets import offered_rulesets, ruleset
from scoring.spielliste import Penalty, SeatResult, running_sums, sum_up
from scoring.valuation import Valuation
from tests.js.node import ask_node
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.seat_moves import seat_moves
from tournaments.table.queries.rules import table_rules

SEED = 2030
NUMBER_OF_LISTS = 8  # of each rule set and size
# No hand of any rule set counts as much.
MOST = 999

RULE_SETS = (
    *offered_rulesets(),
    # Options that no rule set combines.
    replace(ruleset("hausregel"), id="invented", finisher_may_hold=7, ends_without_finisher=True),
    # The dealer sits out; a Handrommé doubles; a game may end without a finisher.
    replace(ruleset("rommeordnung"), id="sits-out", games=15, dealer_sits_out={4: 20}),
    replace(
        ruleset("hausregel"),
        id="sits-out-at-all",
        finisher_may_hold=7,
        ends_without_finisher=True,
        games_free=False,
        dealer_sits_out={3: 9, 4: 12, 5: 10, 6: 12},
    ),
    # Options of rule sets with a contract for each game.
    replace(
        ruleset("liverpool"),
        id="chosen",
        games=3,
        rounds=(
            Round(cards_dealt=9, contract=Contract(groups=(3,)), extra_cards=2, purchases=2),
            Round(cards_dealt=14, contract=Contract(runs=(5,), pairs=1), extra_cards=None),
            Round(cards_dealt=7, contract=Contract(groups=(4,), discard=False)),
        ),
        grants=tuple(replace(each, points=-30) for each in ruleset("liverpool").grants),
    ),
)
MANY_LISTS = 1000  # of each size, in Wertpunkten
VALUED = replace(
    ruleset("wertpunkte"),
    id="valued",
    valuation=Valuation(
        finish={4: 5, 3: 4},
        handromme={4: 8, 3: 6},
        steps=ruleset("wertpunkte").valuation.steps,
        penalty_per=40,
    ),
)
SITS_OUT = replace(
    VALUED, id="valued-sits-out", games=15, games_free=False, dealer_sits_out={4: 20}
)
TABLES = [(rule_set, players) for rule_set in RULE_SETS for players in rule_set.table_sizes]
EACH_TABLE = pytest.mark.parametrize(
    "at", [pytest.param(at, id=f"{rules.id} {size}") for at, (rules, size) in enumerate(TABLES)]
)


def some_lines(rule_set: RuleSet, players: int, chance: random.Random) -> list[dict[str, Any]]:
    """Return a whole list: hands of all kinds, possible or not; some unclear, some twice."""
    lines: list[dict[str, Any]] = []
    for game in range(1, rule_set.games_at(players) + 1):
        # Grants belong to one game, and so does the dealer who sits out.
        again = lines and "adjustments" not in lines[-1] and chance.random() < 0.05
        again = again and rule_set.sits_out(game, players) is None
        lines.append(lines[-1] if again else some_line(rule_set, players, game, chance))
    return lines


def some_line(rule_set: RuleSet, players: int, game: int, chance: random.Random) -> dict[str, Any]:
    sits_out = rule_set.sits_out(game, players)
    playing = [seat for seat in range(1, players + 1) if seat != sits_out]
    finishers = [*playing, *([None] if rule_set.ends_without_finisher else [])]
    finisher = chance.choice(finishers)
    handromme = bool(rule_set.handromme and finisher and chance.random() < 0.2)
    hands = possible_hands(rule_set, players=players, game=game, after_handromme=handromme)
    minus: list[Any] = [some_hand(hands, chance) for _seat in range(players)]
    if finisher is not None:
        # More can only be typed for a finisher who may keep points.
        may_hold = 0 if handromme else rule_set.finisher_may_hold
        minus[finisher - 1] = chance.randint(0, 2 * may_hold)
    if sits_out is not None:
        minus[sits_out - 1] = None
    line: dict[str, Any] = {"finisher": finisher, "handromme": handromme, "minus": minus}
    kind = chance.choice(["clear"] * 5 + ["points", "finisher", "handromme", "granted"])
    if kind == "points":
        minus[chance.choice(playing) - 1] = chance.sample(range(hands.highest()), 2)
    elif kind == "finisher":
        line["finisher"] = chance.sample(finishers, 2)
    elif kind == "handromme" and rule_set.handromme and finisher:
        line["handromme"] = [True, False]
    elif kind == "granted" and rule_set.grants:
        grant = rule_set.grants[0]
        seat = rule_set.receiver(grant, game, players)
        line["adjustments"] = [{"seat": seat, "points": grant.points, "reason": grant.name}]
    return line


def some_hand(hands: PossibleHands, chance: random.Random) -> int:
    """Return points as they are usual, or close to where they become doubtful or impossible."""
    bounds = (hands.lowest(), hands.highest(), hands.rare_below(ONE_IN), hands.rare_above(ONE_IN))
    usual = chance.randint(hands.lowest(), hands.highest() // 3)
    return max(
        0, chance.choice([*[usual] * 12, *(each + chance.choice((-1, 0, 1)) for each in bounds)])
    )


def some_lists(
    rule_set: RuleSet, players: int, number: int = NUMBER_OF_LISTS
) -> list[dict[str, Any]]:
    chance = random.Random(f"{SEED} {rule_set.id} {players}")  # noqa: S311 - the same lists each time
    lists = [
        {
            "lines": some_lines(rule_set, players, chance),
            "penalties": [chance.choice([0, 0, 50]) for _seat in range(players)],
        }
        for _list in range(number)
    ]
    for written in lists:
        written.update(some_moves(players, len(written["lines"]), chance))
        data = list_data(written)
        moves = seat_moves(data, lambda key: (key, "X"), data.as_played(rule_set))
        written["moved"] = [asdict(games) for games in moves.games]
    return lists


def some_moves(players: int, games: int, chance: random.Random) -> dict[str, Any]:
    """Return the last seats and the spans: two changes of seats, with a player leaving and
    returning.
    """
    spans, people = [], list(range(1, players + 2))
    for last in sorted(chance.sample(range(1, games + 1), 2)):
        before = people
        people = chance.sample(people, len(people))
        pairs = zip(before[:players], people, strict=False)
        spans += [(seat, last, old) for seat, (old, new) in enumerate(pairs, start=1) if old != new]
    return {"seats": people[:players], "spans": spans}


def list_data(written: Mapping[str, Any]) -> ListData:
    data = ListData(pk=0, status="open", serie=1, table=1, bonus_size=None)
    data.lines = [line_from_json(line) for line in written["lines"]]
    data.seats = dict(enumerate(written["seats"], start=1))
    data.spans = list(written["spans"])
    data.penalties = dict(zip(written["seats"], written["penalties"], strict=True))
    return data


LISTS = [some_lists(rule_set, players) for rule_set, players in TABLES]


@pytest.fixture(scope="module")
def reckoned() -> list[dict[str, Any]]:
    """Return the results of the page scripts for the lists of each table."""
    tables = [
        {"rules": table_rules(rule_set, players=players), "lists": lists}
        for (rule_set, players), lists in zip(TABLES, LISTS, strict=True)
    ]
    answer: list[dict[str, Any]] = ask_node("reckon.js", {"most": MOST, "tables": tables})
    return answer


def as_shown(results: Iterable[SeatResult]) -> list[dict[str, int]]:
    parts = ("minus", "games_won", "bonus", "handromme", "handromme_bonus", "penalty", "adjustment")
    valued = ("steps", "penalty_cost", "augen")
    sums = [
        {part: getattr(seat, part) for part in (*parts, "total")}
        | ({part: getattr(seat, part) for part in valued} if seat.steps is not None else {})
        for seat in results
    ]
    order = sorted(by_rank(seat) for seat in sums)
    return [
        {"seat": seat, **mine, "place": 1 + order.index(by_rank(mine))}
        for seat, mine in enumerate(sums, start=1)
    ]


def by_rank(sums: Mapping[str, int]) -> tuple[int, ...]:
    ties = -sums["games_won"], -sums["handromme"]
    if "augen" in sums:  # the most Wertpunkte, then the fewest Augen
        return -sums["total"], sums["augen"], *ties
    return sums["total"], *ties


@EACH_TABLE
def test_the_page_counts_and_refuses_as_the_scoring_does(at: int, reckoned: list[dict[str, Any]]):
    rule_set, players = TABLES[at]

    for written, shown in zip(LISTS[at], reckoned[at]["lists"], strict=True):
        lines = [line_from_json(line) for line in written["lines"]]
        counts = [count_line(line, rule_set) for line in lines]
        penalties = [
            Penalty(seat=seat, points=points, reason="§ 8.3")
            for seat, points in enumerate(written["penalties"], start=1)
        ]
        results = sum_up(counts, rule_set=rule_set, players=players, penalties=penalties)
        dealers = [rule_set.dealer(game, players) for game in range(1, len(lines) + 1)]
        points = [[count.minus for count in game] for game in counts]
        running = map(list, running_sums(counts, rule_set, players))

        assert shown["games"] == list(map(list, zip(dealers, points, running, strict=True)))
        assert [without_money(seat) for seat in shown["totals"]] == as_shown(results)
        assert shown["takenBack"] == [
            [count.seat for count in game if count.minus or count.finished or count.adjustment]
            for game in counts
        ]
        for number, line in enumerate(lines, start=1):
            if line.is_clear:
                game = LineContext(number=number, rule_set=rule_set, players=players)
                said = shown["lines"][number - 1]
                assert said == judged(line, lines[: number - 1], game), line


@EACH_TABLE
def test_the_page_counts_by_person_after_a_change_of_seats(at: int, reckoned: list[dict[str, Any]]):
    rule_set, _players = TABLES[at]

    for written, shown in zip(LISTS[at], reckoned[at]["lists"], strict=True):
        results = list_data(written).as_played(rule_set)
        expected = as_shown([results[owner] for owner in written["seats"]])
        assert [without_money(seat) for seat in shown["parted"]] == expected


@pytest.mark.parametrize("players", [4, 3])
@pytest.mark.parametrize("rules", [VALUED, SITS_OUT], ids=["all play", "the dealer sits out"])
def test_the_page_counts_wertpunkte_as_the_scoring_does(rules: RuleSet, players: int):
    lists = some_lists(rules, players, MANY_LISTS)
    table = {"rules": table_rules(rules, players=players), "lists": lists}
    (answer,) = ask_node("reckon.js", {"most": 1, "tables": [table]})

    for written, shown in zip(lists, answer["lists"], strict=True):
        lines = [line_from_json(line) for line in written["lines"]]
        counts = [count_line(line, rules) for line in lines]
        penalties = [
            Penalty(seat=seat, points=points, reason="§ 8.3")
            for seat, points in enumerate(written["penalties"], start=1)
        ]
        results = sum_up(counts, rule_set=rules, players=players, penalties=penalties)
        running = running_sums(counts, rules, players)

        assert [game[2] for game in shown["games"]] == list(map(list, running))
        assert [without_money(seat) for seat in shown["totals"]] == as_shown(results)
        assert running[-1] == tuple(seat.total + seat.penalty_cost for seat in results)
        expected = list_data(written).as_played(rules)
        assert [without_money(seat) for seat in shown["parted"]] == as_shown(
            expected[owner] for owner in written["seats"]
        )


def without_money(seat: dict[str, Any]) -> dict[str, Any]:
    assert seat.pop("bussgeld_cents") is None  # only the server knows it
    return seat


def judged(line: Any, earlier: Any, game: LineContext) -> dict[str, Any]:
    """Return the refusals and doubts of the scoring for a clear line."""
    wrong = [seat for seat, _points, _why in impossible_readings(line, game)]
    joint = not wrong and misfit(line, game) is not None
    asked = 0 if wrong or joint else len(doubts(line, game, earlier))
    return {"wrong": wrong, "joint": joint, "doubts": asked}


@EACH_TABLE
def test_the_page_refuses_the_same_numbers(at: int, reckoned: list[dict[str, Any]]):
    rule_set, players = TABLES[at]

    for game, (plain, after_handromme) in enumerate(reckoned[at]["impossible"], start=1):
        hands = possible_hands(rule_set, players=players, game=game)
        assert plain == refused(rule_set.finisher_may_hold, hands, hands)
        if rule_set.handromme:
            others = possible_hands(rule_set, players=players, game=game, after_handromme=True)
            assert after_handromme == refused(0, others, hands)


def refused(may_hold: int, others: Any, hands: Any) -> dict[str, list[int]]:
    numbers = range(MOST + 1)
    return {
        "hand": [each for each in numbers if hand_objection(each, others)],
        "finisher": [each for each in numbers if finisher_objection(each, may_hold, hands)],
    }
