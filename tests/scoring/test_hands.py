"""Possible values of hands of a pack, alone and together, against brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards import Pack, Rank, values_by_number
from scoring.hands import (
    Cards,
    PossibleHands,
    count_values,
    hand_values,
    hands_by_value,
    highest_total,
    lowest_total,
    possible_hands,
    rarely_above,
    rarely_below,
)
from scoring.ruleset import OptionField
from scoring.rulesets import ruleset
from tests.scoring.hand_strategies import holdings

ROMME = count_values(values_by_number(ace=11, joker=20), Pack(decks=2, jokers=6))


def one_by_one(cards: Cards) -> list[int]:
    return [value for value, number in cards for _copy in range(number)]


def values_of(bits: int) -> set[int]:
    return {value for value in range(bits.bit_length()) if bits >> value & 1}


small_packs = st.dictionaries(st.integers(1, 9), st.integers(1, 3), min_size=1, max_size=4).map(
    lambda counted: tuple(sorted(counted.items()))
)


# --- Counting cards -------------------------------------------------------------------


def test_cards_of_the_romme_pack_are_counted_by_value() -> None:
    # § 4.2: 2 to 9 eight times each, 10 with the court cards, aces; § 4.1: six jokers
    assert dict(ROMME) == dict.fromkeys(range(2, 10), 8) | {10: 32, 11: 8, 20: 6}
    assert sorted(ROMME) == list(ROMME)


def test_ranks_of_equal_value_are_counted_together() -> None:
    rules = ruleset("progressiv")

    # 3 to 10 count 5, court cards 10, aces 15, twos and four jokers 20
    assert count_values(rules.card_values, rules.packs[4]) == ((5, 64), (10, 24), (15, 8), (20, 12))


def test_value_that_no_card_of_the_pack_has_is_left_out() -> None:
    counted = count_values(values_by_number(ace=15, joker=25), Pack(decks=1, jokers=0))

    assert counted[-1] == (15, 4)


def test_single_rank_is_counted() -> None:
    assert count_values({Rank.ASS: 11}, Pack(decks=2, jokers=6)) == ((11, 8),)


# --- Values of one hand ---------------------------------------------------------------


@given(small_packs, st.data())
def test_values_of_a_hand_agree_with_trying_every_hand(cards: Cards, data: st.DataObject) -> None:
    deck = one_by_one(cards)
    fewest = data.draw(st.integers(0, len(deck)))
    most = data.draw(st.integers(fewest, len(deck)))

    tried = {sum(hand) for size in range(fewest, most + 1) for hand in combinations(deck, size)}

    assert values_of(hand_values(cards, fewest, most)) == tried


def test_one_card_counts_the_value_of_its_rank() -> None:
    assert values_of(hand_values(ROMME, 1, 1)) == {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20}


def test_hand_of_more_cards_than_the_pack_has_does_not_exist() -> None:
    assert hand_values(((2, 2),), 3, 5) == 0


# --- Bounds ---------------------------------------------------------------------------


@given(small_packs, st.integers(0, 14))
def test_totals_of_the_lowest_and_highest_cards(cards: Cards, number: int) -> None:
    deck = one_by_one(cards)

    assert lowest_total(cards, number) == sum(sorted(deck)[:number])
    assert highest_total(cards, number) == sum(sorted(deck, reverse=True)[:number])


def test_a_hand_larger_than_the_pack_counts_the_whole_pack() -> None:
    assert lowest_total(ROMME, 111) == highest_total(ROMME, 111) == 880


# --- How often ------------------------------------------------------------------------


@given(small_packs, st.data())
def test_hands_are_counted_as_trying_every_hand_counts_them(
    cards: Cards, data: st.DataObject
) -> None:
    deck = one_by_one(cards)
    size = data.draw(st.integers(0, len(deck)))

    counted = hands_by_value(cards, size)

    tried = Counter(sum(hand) for hand in combinations(deck, size))
    assert {value: number for value, number in enumerate(counted) if number} == dict(tried)
    assert counted[-1] > 0


def test_hands_of_the_rommeordnung_are_counted_as_card_by_card() -> None:
    ways: Counter[tuple[int, int]] = Counter({(0, 0): 1})  # cards, points
    for value in one_by_one(ROMME):
        ways.update(
            {(held + 1, points + value): n for (held, points), n in ways.items() if held < 13}
        )

    counted = hands_by_value(ROMME, 13)

    assert {value: number for value, number in enumerate(counted) if number} == {
        points: number for (held, points), number in ways.items() if held == 13
    }
    assert sum(counted) == comb(110, 13)


def test_one_in_10000_romme_hands_counts_below_60_or_above_160() -> None:
    counted = hands_by_value(ROMME, 13)  # agrees with counting card by card, see above

    def is_rare(hands: int) -> bool:
        return hands * 10_000 <= comb(110, 13)

    assert is_rare(sum(counted[161:]))
    assert not is_rare(sum(counted[160:]))
    assert is_rare(sum(counted[:60]))
    assert not is_rare(sum(counted[:61]))


@given(small_packs, st.integers(1, 20), st.data())
def test_rare_values_are_exceeded_by_few_hands(
    cards: Cards, one_in: int, data: st.DataObject
) -> None:
    deck = one_by_one(cards)
    size = data.draw(st.integers(1, len(deck)))
    hands = [sum(hand) for hand in combinations(deck, size)]

    above = rarely_above(cards, size, one_in)
    below = rarely_below(cards, size, one_in)

    def is_rare(number: int) -> bool:
        return number * one_in <= len(hands)

    # one in 1 allows all hands, so nothing more can be asked of the value itself
    if one_in > 1:
        assert is_rare(sum(hand > above for hand in hands))
        assert not is_rare(sum(hand > above - 1 for hand in hands))
        assert is_rare(sum(hand < below for hand in hands))
        assert not is_rare(sum(hand < below + 1 for hand in hands))


def test_the_bound_of_rare_values_is_exact() -> None:
    # of the ten hands of two cards one counts 4 and one counts 18
    cards = ((2, 2), (5, 1), (9, 2))

    assert rarely_above(cards, 2, one_in=10) == 14
    assert rarely_above(cards, 2, one_in=11) == 18
    assert rarely_below(cards, 2, one_in=10) == 7
    assert rarely_below(cards, 2, one_in=11) == 4


def test_a_rarity_of_one_in_one_covers_every_hand() -> None:
    # the hands of two cards count 4 to 18
    cards = ((2, 2), (5, 1), (9, 2))

    assert rarely_above(cards, 2, one_in=1) == -1
    assert rarely_below(cards, 2, one_in=1) == 18 + 1


# --- At the table ---------------------------------------------------------------------


def test_a_loser_holds_at_most_the_dealt_cards() -> None:
    hands = possible_hands(ruleset("rommeordnung"), players=4, game=12)

    assert (hands.fewest, hands.most, hands.usual) == (1, 13, 13)
    assert not hands.nobody_laid_out


def test_no_loser_has_laid_out_before_a_handromme() -> None:
    hands = possible_hands(ruleset("rommeordnung"), players=3, game=1, after_handromme=True)

    assert (hands.fewest, hands.most, hands.nobody_laid_out) == (13, 13, True)  # § 6.2


@pytest.mark.parametrize(
    ("after_handromme", "possible"),
    [
        pytest.param(False, range(2, 198), id="§ 4.2 one to thirteen cards"),
        pytest.param(True, range(31, 198), id="§ 6.2 thirteen cards"),
    ],
)
def test_a_loser_counts_the_value_of_a_possible_hand(
    after_handromme: bool, possible: range
) -> None:
    held = possible_hands(
        ruleset("rommeordnung"), players=4, game=1, after_handromme=after_handromme
    )

    assert [points for points in range(250) if held.can_be(points)] == list(possible)


@pytest.mark.parametrize("id_", ["hausregel", "preisromme-1987", "traditionell", "contract"])
def test_others_may_have_laid_out_by_other_rules(id_: str) -> None:
    rules = ruleset(id_)

    assert possible_hands(rules, players=4, game=1, after_handromme=True) == possible_hands(
        rules, players=4, game=1
    )


@pytest.mark.parametrize(
    ("id_", "players", "game", "most", "usual"),
    [
        pytest.param("traditionell", 4, 1, 10, 10, id="traditionell"),
        pytest.param("progressiv", 4, 8, 11, 11, id="progressiv 8: nothing bought"),
        pytest.param("progressiv", 4, 9, 12, 12, id="progressiv 9: one bought"),
        pytest.param("progressiv", 4, 13, 15, 15, id="progressiv 13: two bought, two taken"),
        pytest.param("shanghai-powe", 4, 1, 16, 16, id="shanghai-powe: two takes of three"),
        pytest.param("preisromme-1987", 4, 1, 107, 17, id="preisromme-1987: all but three cards"),
        pytest.param("preisromme-1987", 3, 1, 108, 17, id="preisromme-1987: all but two cards"),
        pytest.param("contract", 5, 4, 104, 16, id="contract: 108 less four"),
        pytest.param("may-i", 5, 1, 158, 14, id="may-i: 162 less four"),
    ],
)
def test_hand_grows_as_far_as_the_rules_and_the_pack_allow(
    id_: str, players: int, game: int, most: int, usual: int
) -> None:
    hands = possible_hands(ruleset(id_), players=players, game=game)

    assert (hands.most, hands.usual) == (most, usual)


def test_hand_cannot_grow_beyond_the_pack() -> None:
    rules = ruleset("hausregel").with_option(OptionField.EXTRA_CARDS, None)

    assert possible_hands(rules, players=3, game=1).most == 110 - 2


def disjoint(deck: list[int], held: PossibleHands, hands: int) -> Iterator[tuple[int, ...]]:
    """Yield the values of every way to give out so many hands of one pack."""
    others = held.players - hands
    for owners in product(range(hands + 1), repeat=len(deck)):
        sizes = Counter(owners)
        if sizes[hands] >= others and all(
            held.fewest <= sizes[hand] <= held.most for hand in range(hands)
        ):
            yield tuple(
                sum(value for value, owner in zip(deck, owners, strict=True) if owner == hand)
                for hand in range(hands)
            )


@settings(deadline=None)
@given(holdings(most_players=3), st.integers(1, 2))
def test_bounds_of_several_hands_are_reached_and_never_passed(
    held: PossibleHands, hands: int
) -> None:
    deck = one_by_one(held.cards)

    sums = {sum(values) for values in disjoint(deck, held, hands)}

    if sums:
        assert min(sums) == held.lowest(hands)
        assert max(sums) == held.highest(hands)


@pytest.mark.parametrize(
    ("nobody_laid_out", "below"),
    [
        pytest.param(False, 0, id="a single card may be left"),
        pytest.param(True, 7, id="of ten hands of two cards one counts 4"),
    ],
)
def test_rare_values_follow_from_the_usual_hand(nobody_laid_out: bool, below: int) -> None:
    held = PossibleHands(
        cards=((2, 2), (5, 1), (9, 2)),
        fewest=2 if nobody_laid_out else 1,
        most=2 if nobody_laid_out else 4,
        usual=2,
        players=2,
        nobody_laid_out=nobody_laid_out,
    )

    assert held.rare_above(10) == 14  # of ten hands of two cards one counts 18
    assert held.rare_below(10) == below
