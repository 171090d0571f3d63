"""The possible hands of a pack: their values, alone and together, and how frequent they are.

Only the value of a card matters: a pack is the number of cards of each value.
All results come from exact counting, not from samples or tables.
Bounds never exclude a hand that can be held. They follow from three facts:

* A player who counts holds at least one card and at most those dealt plus those that the
  rules let a hand grow by. After a Handrommé of the Romméordnung no other player has laid
  out (§ 6.2), so every other hand has at least as many cards as were dealt.
* A hand counts the sum of some such set of cards.
* The hands of one game come from one pack, and each other player has a card of it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from math import comb

from scoring.cards import Pack, Rank
from scoring.ruleset import RuleSet

Cards = tuple[tuple[int, int], ...]
"""Pairs of a value and the number of cards that have it, the lowest value first."""


def count_values(values: Mapping[Rank, int], pack: Pack) -> Cards:
    """Return how many cards of *pack* have each value.

    >>> from scoring.cards import values_by_number
    >>> count_values(values_by_number(ace=11, joker=20), Pack(decks=2, jokers=6))[-3:]
    ((10, 32), (11, 8), (20, 6))
    """
    counted: Counter[int] = Counter()
    for rank, value in values.items():
        counted[value] += pack.count(rank)
    return tuple(sorted((value, number) for value, number in counted.items() if number))


@lru_cache(maxsize=256)
def hand_values(cards: Cards, fewest: int, most: int) -> int:
    """Return every value that a hand of *fewest* to *most* cards can have, as a bit set.

    Bit *v* of the number is set if some such hand counts *v*.

    >>> [v for v in range(9) if hand_values(((2, 2), (3, 1)), 1, 2) >> v & 1]
    [2, 3, 4, 5]
    """
    # by_size[n]: the values of all hands of n cards out of the values looked at so far.
    # From the largest n down, so that the sets read do not include the current value yet.
    by_size = [1] + [0] * most
    for value, number in cards:
        for size in range(most, 0, -1):
            for taken in range(1, min(number, size) + 1):
                by_size[size] |= by_size[size - taken] << value * taken
    values = 0
    for of_one_size in by_size[fewest:]:
        values |= of_one_size
    return values


@lru_cache(maxsize=4096)
def lowest_total(cards: Cards, number: int) -> int:
    """Return the points of the *number* lowest cards together.

    >>> lowest_total(((2, 8), (3, 8)), 10)
    22
    """
    return sum(islice(_one_by_one(cards), number))


@lru_cache(maxsize=4096)
def highest_total(cards: Cards, number: int) -> int:
    """Return the points of the *number* highest cards together, or of all if there are fewer.

    >>> highest_total(((2, 8), (3, 8)), 10)
    28
    """
    return sum(islice(_one_by_one(reversed(cards)), number))


def _one_by_one(cards: Iterable[tuple[int, int]]) -> Iterator[int]:
    for value, number in cards:
        for _ in range(number):
            yield value


@lru_cache(maxsize=256)
def hands_by_value(cards: Cards, size: int) -> tuple[int, ...]:
    """Return how many different hands of *size* cards count 0, 1, 2 … points.

    Cards of the same value are told apart, so each hand is as likely as any other.

    >>> hands_by_value(((2, 2), (3, 1)), 2)
    (0, 0, 0, 0, 1, 2)
    """
    # The counts of one size are kept in one large number, `width` bits for each value:
    # shifting adds a value to all hands at once. No count exceeds the binomial below.
    in_pack = sum(number for _, number in cards)
    width = comb(in_pack, min(size, in_pack // 2)).bit_length()
    by_size = [1] + [0] * size
    for value, number in cards:
        for total in range(size, 0, -1):
            for taken in range(1, min(number, total) + 1):
                rest = by_size[total - taken]
                by_size[total] += comb(number, taken) * rest << width * value * taken
    mask = (1 << width) - 1
    packed = by_size[size]
    return tuple(packed >> shift & mask for shift in range(0, packed.bit_length(), width))


def rarely_above(cards: Cards, size: int, one_in: int) -> int:
    """Return the lowest value that at most one in *one_in* hands of *size* cards exceeds.

    >>> rarely_above(((2, 2), (3, 1)), 2, one_in=2)
    5
    """
    hands = hands_by_value(cards, size)
    return len(hands) - 1 - _tail(reversed(hands), sum(hands), one_in)


def rarely_below(cards: Cards, size: int, one_in: int) -> int:
    """Return the highest value that at most one in *one_in* hands of *size* cards misses.

    >>> rarely_below(((2, 2), (3, 1)), 2, one_in=2)
    5
    """
    hands = hands_by_value(cards, size)
    return _tail(hands, sum(hands), one_in)


def _tail(hands: Iterable[int], all_hands: int, one_in: int) -> int:
    """Return how many values from this end make up at most one in *one_in* hands together."""
    rare = values = 0
    for number in hands:
        rare += number
        if rare * one_in > all_hands:
            break
        values += 1
    return values


# --- The possible hands at a table ----------------------------------------------------

USUAL_EXTRA_CARDS = 4
"""The assumed growth of a hand, in cards, if the rules set no limit.

Two cards taken out of turn, each with one from the stock: rules with a limit to buying or taking
set it at twice.
"""


@dataclass(frozen=True, kw_only=True)
class PossibleHands:
    """The possible hands of players who did not finish, each of *fewest* to *most* cards."""

    cards: Cards
    fewest: int
    most: int
    usual: int  # cards of a large hand that is still ordinary
    players: int
    nobody_laid_out: bool  # so every hand has at least the cards dealt

    def can_be(self, points: int) -> bool:
        """Return whether one hand can count *points*, from 0 up."""
        return bool(hand_values(self.cards, self.fewest, self.most) >> points & 1)

    @cached_property
    def values(self) -> int:
        """Every value from the lowest to the highest that one hand can count, as a bit set."""
        up_to_highest = hand_values(self.cards, self.fewest, self.most) & (2 << self.highest()) - 1
        return up_to_highest >> self.lowest() << self.lowest()

    def lowest(self, hands: int = 1) -> int:
        """Return the least points that *hands* hands can count together."""
        return lowest_total(self.cards, hands * self.fewest)

    def highest(self, hands: int = 1) -> int:
        """Return the most points that *hands* hands can count together.

        Each of the other players has at least one card of the pack, in hand or laid out:
        otherwise the game would not be over.
        """
        in_pack = sum(number for _, number in self.cards)
        others = self.players - hands
        return highest_total(self.cards, min(hands * self.most, in_pack - others))

    def rare_above(self, one_in: int) -> int:
        """Return the value that at most one in *one_in* random hands exceeds."""
        return rarely_above(self.cards, self.usual, one_in)

    def rare_below(self, one_in: int) -> int:
        """Return the value that at most one in *one_in* random hands is below.

        0 if cards may have been laid out, because then every low hand is plausible.
        """
        return rarely_below(self.cards, self.fewest, one_in) if self.nobody_laid_out else 0


@lru_cache(maxsize=1024)
def possible_hands(
    rule_set: RuleSet, *, players: int, game: int, after_handromme: bool = False
) -> PossibleHands:
    """Return the possible hands of players who did not finish *game*, at its end.

    >>> from scoring.rulesets import ruleset
    >>> hands = possible_hands(ruleset("rommeordnung"), players=4, game=1)
    >>> [hands.lowest(), hands.highest(), hands.highest(2), hands.highest(3)]
    [2, 197, 328, 458]
    """
    pack = rule_set.packs[players]
    round_ = rule_set.round(game)
    dealt, extra = round_.cards_dealt, rule_set.extra_cards(game, players)
    playing = rule_set.players_of_game(players)
    most = pack.size - (playing - 1)
    if extra is not None:
        most = min(most, dealt + extra)
    usual = min(most, dealt + (USUAL_EXTRA_CARDS if extra is None else extra))
    handromme = rule_set.handromme
    nobody_laid_out = after_handromme and handromme is not None and handromme.full_hands
    return PossibleHands(
        cards=count_values(rule_set.card_values, pack),
        fewest=dealt if nobody_laid_out else 1,
        most=most,
        usual=usual,
        players=playing,
        nobody_laid_out=nobody_laid_out,
    )
