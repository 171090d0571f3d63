"""The played tournament: its people, their expected results, and the games for them.

27 people are registered. Nr. 24 to 27 are absent in the first Serie: 23 play. Nr. 24 joins the
second: 24 play. Nr. 22 leaves before the third, in which a substitute replaces Nr. 18: 23 play.

Worked out by hand. Results of the Serien: Nr. n has 240 + 4n, 250 + 3n and 260 + 2n, which
is 750 + 9n in all and never the same twice, except for five:

* Nr. 5 (180, 210, 240) and Nr. 14 (220, 200, 210) have 630 each and finish three games in
  each Serie: equal at the first place, so an Entscheidungsspiel is needed.
* Nr. 9 (230, 210, 220), Nr. 20 (200, 240, 220) and Nr. 7 (220, 220, 220) have 660 each. Nr. 20
  and Nr. 7 finish three games in each Serie, Nr. 9 in the first one four and never less than three:
  Nr. 9 is third (§ 1.5), and the last prize needs an Entscheidungsspiel too.

The sixth is Nr. 1 with 759. Nr. 22 and Nr. 24 have two Serien and rank behind all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

NEVER_THERE = (25, 26, 27)
LATE = 24  # joins the second Serie; a namesake from another club
LEAVES = 22  # before the third Serie
SUBSTITUTED = 18  # by SUBSTITUTE, before the third Serie
SUBSTITUTE = "Zander"
BY_TRANSFER = 19
FAMILY = (21, 22, 23)
TANDEM = (2, 3)
TEAM = (4, 8, 12)
PLAYERS = (23, 24, 23)  # of each Serie
SERIEN = 3
GAMES = 12
NAMES = (  # noqa: SIM905 - as many quotes would hide the names
    "Adler Böhm Conrad Dietrich Engel Fuchs Groß Haas Illner Jäger Kühn Lang "
    "Müller Neumann Otto Peters Quandt Richter Schäfer Thiel Ulbricht Voß Weiß "
    "Lang Wendt Xylander Yildiz"
).split()
CLUBS = ("SC Altenburg", "Rommé-Freunde Gera", "")
TIED = (5, 14)
SPECIAL = {
    5: (180, 210, 240),
    14: (220, 200, 210),
    9: (230, 210, 220),
    20: (200, 240, 220),
    7: (220, 220, 220),
}
THREE_EACH = (5, 14, 20, 7)
FOUR_IN_THE_FIRST = 9
TIED_AT_LAST_PRIZE = (7, 20)
PLACES = (14, 5, 9, 20, 7)  # after both Entscheidungsspiele; the first four have prizes
TOTALS = (630, 630, 660, 660, 660)
# Nr. 20 was counted ten too low, as is found after the prizes are paid.
CORRECTED = (14, 5, 9, 7, 20)
CORRECTED_TOTALS = (630, 630, 660, 660, 670)
SIXTH = (1, 759)
# The cards of the first Serie, by table: 5 × 4 + 1 × 3 = 23, the three at the last table.
CARDS = (
    (1, 2, 3, 4),
    (5, 6, 7, 8),
    (9, 10, 11, 12),
    (13, 14, 15, 16),
    (17, 18, 19, 20),
    (21, 22, 23),
)
BONUS = {4: 20, 3: 15}  # § 3.2.1
HANDROMME = 50  # § 3.2.2


def wanted(number: int, serie: int) -> int:
    """Return the result a player shall have in a Serie."""
    if number in SPECIAL:
        return SPECIAL[number][serie - 1]
    return (240 + 4 * number, 250 + 3 * number, 260 + 2 * number)[serie - 1]


def finished(players: Sequence[int], serie: int) -> list[int]:
    """Return how many of the twelve games each at a table finishes."""
    counts = {number: 3 for number in players if number in THREE_EACH}
    if serie == 1 and FOUR_IN_THE_FIRST in players:
        counts[FOUR_IN_THE_FIRST] = 4
    free = sorted(set(players) - set(counts), key=lambda player: player != FOUR_IN_THE_FIRST)
    left = GAMES - sum(counts.values())
    for place, number in enumerate(free):
        counts[number] = left // len(free) + (place < left % len(free))
    assert sum(counts.values()) == GAMES
    return [counts[number] for number in players]


def games_of(
    players: Sequence[int], serie: int, *, handromme: int | None = None
) -> list[dict[str, Any]]:
    """Return twelve games that give each player of a table the expected result.

    Args:
        players: start numbers by seat.
        handromme: the player whose first finished game is a Handrommé.
    """
    left = finished(players, serie)
    finishers: list[int] = []
    for seat in cycle(range(len(players))):
        if len(finishers) == GAMES:
            break
        if left[seat]:
            left[seat] -= 1
            finishers.append(seat)
    special = finishers.index(players.index(handromme)) if handromme else -1
    hands = [
        _hands(number, serie, finishers.count(seat), len(players), by_hand=number == handromme)
        for seat, number in enumerate(players)
    ]
    games = []
    for game, finisher in enumerate(finishers):
        # The largest hand comes first; all hold it if no one has laid out.
        minus = [
            0 if seat == finisher else hand.pop(0 if game == special else -1)
            for seat, hand in enumerate(hands)
        ]
        games.append({"finisher": finisher + 1, "handromme": game == special, "minus": minus})
    return games


def _hands(number: int, serie: int, won: int, seats: int, *, by_hand: bool) -> list[int]:
    """Split a total into hands: one of 60 and more, the others nearly equal."""
    minus = wanted(number, serie) + won * BONUS[seats] + by_hand * HANDROMME
    many = GAMES - won - 1
    largest = 60 + number
    each, rest = divmod(minus - largest, many)
    # Up and down in turn, so that a list looks like one; each pair keeps its sum.
    steps = [4, -4, 2, -2] * 3
    others = [
        each + (place < rest) + (steps[place] if place < many // 2 * 2 else 0)
        for place in range(many)
    ]
    assert largest + sum(others) == minus
    return [largest, *others]


def with_change(
    games: Sequence[Mapping[str, Any]], *, game: int, seat: int, points: int
) -> list[dict[str, Any]]:
    """Return the games with one hand miscounted."""
    changed = [{**game, "minus": list(game["minus"])} for game in games]
    changed[game - 1]["minus"][seat - 1] += points
    return changed
