"""A rule set: every number that scoring needs, as data.

The numbers of the rule sets that come with the program stand in ``scoring.rulesets``,
one file each. A tournament keeps a frozen copy of the one it is played by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.cards import Pack, Rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What must be laid out first in a game: sizes of the groups and runs asked for."""

    groups: tuple[int, ...] = ()
    runs: tuple[int, ...] = ()
    pairs: int = 0
    discard: bool = True  # whether the last card goes onto the discard pile


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What differs from game to game within one list."""

    cards_dealt: int
    contract: Contract | None = None
    extra_cards: int | None = 0  # most a hand can grow beyond the deal; None: no limit
    purchases: int = 0  # cards a player may buy into the pot


@dataclass(frozen=True, slots=True, kw_only=True)
class Handromme:
    """What finishing in one go, without having laid out before, does to the points."""

    bonus: int = 0  # taken off for the finisher, given as a positive number
    factor: int = 1  # what the others' hands are multiplied by
    surcharge: int = 0  # what is added to each of the others
    full_hands: bool = False  # nobody else has laid out, so all hold what was dealt


class Receiver(StrEnum):
    """Who may receive a grant."""

    RIGHT_OF_DEALER = "right_of_dealer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Points beyond the hand that the rules give for a feat; negative is good."""

    name: str
    points: int
    receiver: Receiver


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """All that counts at a table; ``rounds`` has one entry for all games or one each."""

    id: str
    name: str
    source: str
    table_sizes: tuple[int, ...]  # allowed numbers of players, the preferred one first
    games: int
    games_free: bool = False  # the organiser may set another number of games
    series: int | None = None  # number of Serien, where the source names one
    card_values: Mapping[Rank, int]
    packs: Mapping[int, Pack]  # players at the table -> cards they play with
    rounds: tuple[Round, ...]
    bonus_per_game: Mapping[int, int]  # players -> points off per finished game
    handromme: Handromme | None = None  # None: the rules know no Handrommé
    ends_without_finisher: bool = False  # a game may end with everybody counting
    finisher_may_hold: int = 0  # points the finisher may keep, which then count
    grants: tuple[Grant, ...] = ()
    penalties: tuple[int, ...] = ()  # Strafpunkte the rules name

    def round(self, game: int) -> Round:
        """Return what holds in *game*, counted from 1."""
        return self.rounds[0] if len(self.rounds) == 1 else self.rounds[game - 1]

    def dealer(self, game: int, players: int) -> int:
        """Return the seat that deals *game* at a table of *players* (§ 5.9)."""
        return (game - 1) % players + 1
