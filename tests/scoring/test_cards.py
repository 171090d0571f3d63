"""Cards: their numbers and their values where numbers count themselves."""

from __future__ import annotations

import pytest

from scoring.cards import COURT_CARDS, Pack, Rank, values_by_number


@pytest.mark.parametrize(
    ("pack", "size"),
    [
        pytest.param(Pack(decks=2, jokers=6), 110, id="§ 4.1: two packs of 55"),
        pytest.param(Pack(decks=2, jokers=3), 107, id="Contract Rommé with four"),
        pytest.param(Pack(decks=3, jokers=6), 162, id="May I? with five"),
        pytest.param(Pack(decks=1, jokers=0), 52, id="one deck without jokers"),
    ],
)
def test_pack_has_whole_decks_and_its_jokers(pack: Pack, size: int) -> None:
    assert pack.size == size


def test_each_rank_comes_once_in_each_suit_of_each_deck() -> None:
    pack = Pack(decks=3, jokers=5)

    assert pack.count(Rank.TWO) == pack.count(Rank.KOENIG) == 12
    assert pack.count(Rank.JOKER) == 5


def test_a_deck_has_thirteen_ranks_beside_the_joker() -> None:
    assert len(Rank) == 14
    assert [rank.value for rank in Rank if rank in COURT_CARDS] == ["B", "D", "K"]


def test_numbers_count_themselves_and_court_cards_ten() -> None:
    values = values_by_number(ace=11, joker=20)

    assert [values[rank] for rank in Rank] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11, 20]


def test_values_of_two_rules_are_independent_of_each_other() -> None:
    first = values_by_number(ace=11, joker=20)
    first[Rank.TWO] = 99

    assert values_by_number(ace=15, joker=15)[Rank.TWO] == 2
