"""A rule set: every number that scoring needs, as data.

``scoring.rulesets`` has the numbers of the rule sets that come with the program, one file
each. A tournament keeps a frozen copy of its rule set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated

from scoring.cards import Pack, Rank
from scoring.errors import ScoringError
from scoring.ordering import Order
from scoring.payments.settlement import AnySettlement
from scoring.reading.records import BoundFunction, KeyedByEnum, NonEmpty, WholeNumber
from scoring.reading.ruleset_types import (
    LONGEST_NAME,
    MOST_CARD_POINTS,
    MOST_DEALT,
    MOST_EXTRA_CARDS,
    MOST_GAMES,
    MOST_HELD,
    MOST_PENALTY,
    MOST_POINTS,
    MOST_SERIEN,
    ExtraCards,
    Games,
    Held,
    Melds,
    Name,
    Players,
    Points,
    Sentence,
)
from scoring.texts import _
from scoring.valuation import Valuation


def _identifier(text: str) -> str:
    """Return a text that is allowed in addresses and in names of files."""
    if len(text) <= LONGEST_NAME and re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", text):
        return text
    raise ValueError(
        _(
            "Die Kennung besteht aus kleinen Buchstaben von a bis z und Ziffern, "
            "dazwischen einzelne Bindestriche."
        )
    )


def gettext_noop(message: str) -> str:
    """Return *message* unchanged; marks a text in data for the translators."""
    return message


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """The first melds of a game: sizes of the required groups and runs."""

    groups: Melds = ()
    runs: Melds = ()
    pairs: Annotated[int, WholeNumber(0, MOST_DEALT)] = 0
    discard: bool = True  # whether the last card may go onto the discard pile

    @property
    def cards(self) -> int:
        """Number of cards that the contract requires.

        >>> Contract(groups=(5,), runs=(5,), pairs=1).cards
        12
        """
        return sum(self.groups) + sum(self.runs) + 2 * self.pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The numbers that differ from game to game within one list."""

    cards_dealt: Annotated[int, WholeNumber(1, MOST_DEALT)]
    contract: Contract | None = None
    extra_cards: ExtraCards | None = 0  # most a hand can grow beyond the deal; None: no limit
    purchases: ExtraCards = 0  # cards a player may buy into the pot


@dataclass(frozen=True, slots=True, kw_only=True)
class Handromme:
    """The effect on the points of finishing in one turn, without having laid out before."""

    bonus: Points = 0  # deducted for the finisher, given as a positive number
    factor: Annotated[int, WholeNumber(1, 10)] = 1  # multiplies the hands of the others
    surcharge: Points = 0  # added to each hand of the others
    full_hands: bool = False  # no other player has laid out, so all hold the cards dealt


class Receiver(StrEnum):
    """The seats that may receive a grant."""

    RIGHT_OF_DEALER = "right_of_dealer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Points beyond the hand that the rules grant for a special play; negative is good."""

    name: Sentence
    points: Annotated[int, WholeNumber(-MOST_POINTS, MOST_POINTS)]
    receiver: Receiver


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer to an :class:`Option`."""

    value: Held | None
    label: Sentence  # German, a message id


class OptionField(StrEnum):
    """The numbers that an :class:`Option` can set."""

    FINISHER_MAY_HOLD = "finisher_may_hold"
    EXTRA_CARDS = "extra_cards"  # in every game of the list

    def can_be(self, value: int | None) -> bool:
        """Return whether a rule set can have *value* here; None: no limit."""
        if self is OptionField.EXTRA_CARDS:
            return value is None or 0 <= value <= MOST_EXTRA_CARDS
        return value is not None and 0 <= value <= MOST_HELD


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A number that the source leaves to the organiser; a form offers it."""

    field: OptionField
    label: Sentence
    choices: Annotated[tuple[Choice, ...], NonEmpty()]
    free: bool = False  # whether any other number may also be chosen

    def offers(self, value: int | None) -> bool:
        """Return whether *value* can be chosen.

        >>> seven = Choice(value=7, label="7 oder weniger")
        >>> option = Option(field=OptionField.FINISHER_MAY_HOLD, label="…", choices=(seven,))
        >>> [option.offers(7), option.offers(8), replace(option, free=True).offers(8)]
        [True, False, True]
        """
        if any(choice.value == value for choice in self.choices):
            return True
        return self.free and self.field.can_be(value)


class TieBreak(StrEnum):
    """A criterion between entries with the same points, before the Entscheidungsspiel."""

    AUGEN = "augen"  # fewer Augen; always the first with Wertpunkte, never without
    GAMES = "games"  # more games finished, § 1.5
    HANDROMME = "handromme"  # more games finished by Handrommé, § 1.5
    BEST_SERIE = "best_serie"  # the better best Serie
    LAST_SERIE = "last_serie"  # the better last Serie


USUAL_TIES = (TieBreak.GAMES, TieBreak.HANDROMME)


class Variant(StrEnum):
    """An agreement that "Romme Regeln" leaves to the table and that changes no number.

    Its other two are numbers: c is ``finisher_may_hold``, g is ``extra_cards``.
    """

    ACE_AT_ONE_END = "a"  # no run goes on over the Ass
    EQUAL_CARDS = "b"  # a group may hold the same card twice
    AS_DEALT = "d"  # Handrommé only with the cards that were dealt
    DISCARD_FOR_FORTY = "e"  # a discard may only be taken to lay out 40 points with it
    JOKER_OF_THE_CUT = "f"  # the player who cuts may take a Joker found there for a card


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """All rules of scoring at a table; ``rounds`` has one entry for all games or one each."""

    id: Annotated[str, BoundFunction(_identifier)]
    name: Name
    source: Sentence
    table_sizes: Annotated[tuple[Players, ...], NonEmpty()]  # allowed ones, the preferred one first
    games: Games
    games_free: bool = False  # the organiser may set another number of games
    series: Annotated[int, WholeNumber(1, MOST_SERIEN)] | None = (
        None  # number of Serien, where the source names one
    )
    card_values: Annotated[
        Mapping[Rank, Annotated[int, WholeNumber(1, MOST_CARD_POINTS)]], KeyedByEnum(Rank)
    ]
    packs: Mapping[Players, Pack]  # players at the table -> cards they play with
    rounds: Annotated[tuple[Round, ...], NonEmpty()]
    bonus_per_game: Mapping[Players, Points]  # points off per finished game
    handromme: Handromme | None = None  # None: the rules know no Handrommé
    ends_without_finisher: bool = False  # a game may end with all players counting
    finisher_may_hold: Held = 0  # points that the finisher may keep; they count
    grants: tuple[Grant, ...] = ()
    penalties: tuple[
        Annotated[int, WholeNumber(1, MOST_PENALTY)], ...
    ] = ()  # Strafpunkte the rules name
    options: tuple[Option, ...] = ()
    settlement: AnySettlement | None = None  # converts the points of a list into money
    variants: tuple[Variant, ...] = ()
    tie_breaks: tuple[TieBreak, ...] = USUAL_TIES  # in their order
    growing_at: tuple[Players, ...] = ()  # sizes of table where a hand grows; empty: at all
    valuation: Valuation | None = None  # None: Minuspunkte, of which the fewest win
    # Sizes of table where the dealer of a game has no hand in it -> games of a list there.
    dealer_sits_out: Mapping[Players, Games] = field(default_factory=dict)

    def __hash__(self) -> int:
        """Make the rule set usable as a cache key, because mappings have no hash."""
        return hash((self.id, self.name, self.games))

    def round(self, game: int) -> Round:
        """Return the numbers that apply in *game*, counted from 1."""
        return self.rounds[0] if len(self.rounds) == 1 else self.rounds[game - 1]

    def extra_cards(self, game: int, players: int) -> int | None:
        """Return the most cards that a hand can grow by in *game*; None if there is no limit.

        >>> from scoring.rulesets import ruleset
        >>> chosen = ruleset("hausregel").with_option(OptionField.EXTRA_CARDS, None)
        >>> [chosen.extra_cards(1, players) for players in (2, 3, 4)]
        [None, None, 0]
        """
        grows = not self.growing_at or players in self.growing_at
        return self.round(game).extra_cards if grows else 0

    @property
    def order(self) -> Order:
        """Which of two results is better."""
        return Order.FEWEST if self.valuation is None else Order.MOST

    def rates(self, players: int) -> tuple[int, int]:
        """Return the points of a finished game and the addition of a Handrommé, with their signs.

        >>> from scoring.rulesets import ruleset
        >>> ruleset("rommeordnung").rates(4), ruleset("wertpunkte").rates(4)
        ((-20, -50), (5, 3))
        """
        if self.valuation is None:
            handromme = self.handromme.bonus if self.handromme else 0
            return -self.bonus_per_game[players], -handromme
        finish = self.valuation.finish[players]
        return finish, self.valuation.handromme.get(players, finish) - finish

    @property
    def purchases(self) -> int:
        """Most cards that one player may buy in a whole list; 0 if none can be bought."""
        return sum(self.round(game).purchases for game in range(1, self.games + 1))

    def dealer(self, game: int, players: int) -> int:
        """Return the seat that deals *game* at a table of *players* (§ 5.9)."""
        return (game - 1) % players + 1

    def sits_out(self, game: int, players: int) -> int | None:
        """Return the seat that does not play *game*; None if all play.

        >>> from scoring.rulesets import ruleset
        >>> rules = replace(ruleset("rommeordnung"), dealer_sits_out={4: 20})
        >>> [rules.sits_out(game, 4) for game in (1, 4, 5)], rules.sits_out(1, 3)
        ([1, 4, 1], None)
        """
        return self.dealer(game, players) if players in self.dealer_sits_out else None

    def players_of_game(self, players: int) -> int:
        """Return how many play each game at a table of *players*."""
        return players - (players in self.dealer_sits_out)

    def games_at(self, players: int) -> int:
        """Return the number of games of a list at a table of *players*."""
        return self.dealer_sits_out.get(players, self.games)

    def own_games(self, players: int, *, seat: int = 1, games: int | None = None) -> int:
        """Return how many of the first *games* a seat plays; the same for all on a whole list.

        >>> from scoring.rulesets import ruleset
        >>> rules = replace(ruleset("rommeordnung"), games=15, dealer_sits_out={4: 20})
        >>> [rules.own_games(players) for players in (4, 3)]
        [15, 15]
        >>> [rules.own_games(4, seat=seat, games=9) for seat in (1, 2, 3, 4)]
        [6, 7, 7, 7]
        """
        listed = self.games_at(players) if games is None else games
        if players not in self.dealer_sits_out:
            return listed
        return listed - (listed + players - seat) // players

    @property
    def most_own_games(self) -> int:
        """The most games that a player plays on a whole list."""
        return max(map(self.own_games, self.table_sizes))

    def ends_round(self, game: int, players: int) -> bool:
        """Return whether *game* ends a round, in which each of the *players* deals once."""
        return self.dealer(game, players) == players

    def receiver(self, grant: Grant, game: int, players: int) -> int:
        """Return the seat that may receive *grant* in *game*; deals go clockwise.

        >>> from scoring.rulesets import ruleset
        >>> liverpool = ruleset("liverpool")
        >>> [liverpool.receiver(liverpool.grants[0], game, players=4) for game in (1, 2)]
        [4, 1]
        """
        steps_clockwise = {Receiver.RIGHT_OF_DEALER: -1}[grant.receiver]
        return (self.dealer(game, players) - 1 + steps_clockwise) % players + 1

    def with_option(self, field: OptionField, value: int | None) -> RuleSet:
        """Return a copy in which the number of an option is *value*.

        >>> from scoring.rulesets import ruleset
        >>> ruleset("hausregel").with_option(OptionField.FINISHER_MAY_HOLD, 7).finisher_may_hold
        7

        Raises:
            ScoringError: if the rule set does not offer this option or this value.
        """
        option = next((option for option in self.options if option.field is field), None)
        if option is None:
            raise ScoringError(
                _("Das Regelwerk „{name}“ lässt hier keine Wahl.").format(name=self.name)
            )
        if not option.offers(value):
            raise ScoringError(
                _("„{label}“: {value} steht nicht zur Wahl.").format(
                    label=_(option.label), value="–" if value is None else value
                )
            )
        if field is OptionField.EXTRA_CARDS:
            rounds = tuple(replace(each, extra_cards=value) for each in self.rounds)
            return replace(self, rounds=rounds)
        return replace(self, finisher_may_hold=value or 0)

    def with_variants(self, variants: Iterable[Variant]) -> RuleSet:
        """Return a copy that is played with these variants, in the order of their letters.

        >>> from scoring.rulesets import ruleset
        >>> chosen = ruleset("hausregel").with_variants([Variant("e"), Variant("a")])
        >>> [variant.value for variant in chosen.variants]
        ['a', 'e']
        """
        return replace(self, variants=tuple(sorted(set(variants))))

    def with_games(self, games: int) -> RuleSet:
        """Return a copy with another number of games to the list.

        Raises:
            ScoringError: if the rule set fixes the number, or there are too many.
        """
        if not self.games_free and games != self.games:
            raise ScoringError(
                _("Nach „{name}“ hat eine Liste {games} Spiele.").format(
                    name=self.name, games=self.games
                )
            )
        if not 1 <= games <= MOST_GAMES:
            raise ScoringError(
                _("Eine Liste hat 1 bis {most} Spiele, nicht {games}.").format(
                    most=MOST_GAMES, games=games
                )
            )
        return replace(self, games=games)
