"""Played tournaments for tests of rankings and prizes: games are made for given totals.

A test of a tie gives the total of each player; the games for it are made here, so the program has
to add them up. Every list uses the Romméordnung.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.factories_lists import list_of, make_seated_serie, write_games
from tournaments.models import (
    CashEntry,
    Ranking,
    Receipt,
    Registration,
    Spielliste,
    Team,
    TeamMember,
    Tournament,
)

GAMES = 12
BONUS, HANDROMME = 20, 50  # §§ 3.2.1, 3.2.2 at a table of four


class SeatOutcome(NamedTuple):
    """The result of one seat of a table."""

    points: int  # with all that is taken off
    won: int = 3  # games finished
    hand: int = 0  # of them by Handrommé


def table_of(*seats: SeatOutcome | int) -> list[dict[str, object]]:
    """Return twelve games with the requested results of four seats.

    The games finished must add up to twelve. The finisher of a game is the next seat of its round;
    each other seat gets its points in its first unfinished game, 2 in all others.
    """
    came = [seat if isinstance(seat, SeatOutcome) else SeatOutcome(points=seat) for seat in seats]
    assert sum(seat.won for seat in came) == GAMES
    finishers = [number for number, seat in enumerate(came, start=1) for _game in range(seat.won)]
    games: list[dict[str, object]] = []
    left = [seat.hand for seat in came]
    counted = [
        seat.points + BONUS * seat.won + HANDROMME * seat.hand - 2 * (GAMES - seat.won - 1)
        for seat in came
    ]
    assert min(counted) >= 2, "fewer points than twelve games can have"
    given = [False] * len(came)
    for finisher in finishers:
        minus = []
        for seat in range(1, len(came) + 1):
            if seat == finisher:
                minus.append(0)
                continue
            minus.append(2 if given[seat - 1] else counted[seat - 1])
            given[seat - 1] = True
        handromme = left[finisher - 1] > 0
        left[finisher - 1] -= handromme
        games.append({"finisher": finisher, "handromme": handromme, "minus": minus})
    return games


def play_serie(
    tournament: Tournament,
    rows: Sequence[Sequence[Registration]],
    came: Sequence[Sequence[SeatOutcome | int]],
    *,
    number: int = 1,
    status: str = Spielliste.Status.VERIFIED,
) -> None:
    """Seat a Serie and write lists with the requested results."""
    serie = make_seated_serie(tournament, rows, number=number)
    for table, seats in enumerate(came, start=1):
        write_games(list_of(serie, table), table_of(*seats), status=status)


def make_team(ranking: Ranking, name: str, members: Sequence[Registration]) -> Team:
    """A team or tandem."""
    team = Team.objects.create(ranking=ranking, name=name)
    for member in members:
        TeamMember.objects.create(team=team, ranking=ranking, registration=member)
    return team


def take_money(
    tournament: Tournament,
    amounts: Sequence[tuple[CashEntry.Kind, int, Registration | None]],
    *,
    method: Receipt.Method = Receipt.Method.CASH,
) -> Receipt:
    """A receipt with these entries, stored directly."""
    receipt = Receipt.objects.create(
        tournament=tournament, number=tournament.receipts.count() + 1, method=method
    )
    CashEntry.objects.bulk_create(
        CashEntry(receipt=receipt, kind=kind, amount_cents=cents, registration=registration)
        for kind, cents, registration in amounts
    )
    return receipt


def take_startgeld(tournament: Tournament, cents: int = 1500) -> None:
    """Take the Startgeld of all registrations in cash."""
    kind = CashEntry.Kind.STARTGELD
    take_money(
        tournament, [(kind, cents, registration) for registration in tournament.registrations.all()]
    )
