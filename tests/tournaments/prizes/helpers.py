"""Played tournaments with prize plans, and their prizes and payouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.payments.bussgeld import Destination, PerList
from scoring.payments.prizes import PrizeLine, PrizePlan
from tests.factories import COMMAND, make_players, make_tournament
from tests.factories_lists import list_of
from tests.factories_results import SeatOutcome, play_serie, take_money, take_startgeld
from tournaments.models import Bussgeld, BussgeldReceipt, CashEntry, Receipt, Tournament
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.queries.rows import Winner
from tournaments.prizes.services import prizes

Kind = CashEntry.Kind


def line(place: int, **fields: Any) -> PrizeLine:
    return PrizeLine(place=place, **fields)


def played(
    *came: SeatOutcome | int,
    lines: Sequence[PrizeLine] = (),
    second: Sequence[int] = (200, 210, 220, 230),
    **plan: Any,
) -> Tournament:
    """Return a Serie of two tables, 15 € from each, and a plan; the second table ranks behind."""
    tournament = make_tournament(serien=1)
    field = make_players(tournament, 8)
    play_serie(tournament, [field[:4], field[4:]], [came or (100, 110, 120, 130), second])
    take_startgeld(tournament)
    if lines:
        set_plan(tournament, startgeld=PrizePlan(lines=tuple(lines), **plan))
    return tournament


def set_plan(tournament: Tournament, **plans: PrizePlan) -> None:
    tournament.prize_plan = {pot: plan.to_dict() for pot, plan in plans.items()}
    tournament.save()


def won(tournament: Tournament) -> dict[str, int]:
    """Return the prizes by team name or start number."""
    return {
        str(recipient.number or recipient.name): recipient.cents
        for recipient in PrizeSheet(tournament).recipients
    }


SHARES = (
    line(1, share_permille=500),
    line(2, share_permille=300),
    line(3, share_permille=200),
)


def fine(tournament: Tournament, destination: Destination, number: int, cents: int) -> Receipt:
    """Set a tariff, and take the Bußgeld of a player for the list of the first table."""
    tournament.bussgeld = PerList(cents=cents, destination=destination).to_dict()
    tournament.save()
    registration = tournament.registrations.get(number=number)
    receipt = take_money(tournament, [(Kind.BUSSGELD, cents, registration)])
    row = Bussgeld.objects.create(
        spielliste=list_of(tournament.serien.get()), registration=registration, due_cents=cents
    )
    BussgeldReceipt.objects.create(bussgeld=row, receipt=receipt)
    return receipt


def winner(tournament: Tournament, number: int) -> Winner:
    sheet = PrizeSheet(tournament)
    return next(recipient for recipient in sheet.recipients if recipient.number == number)


def pay(tournament: Tournament, number: int, cents: int, **more: Any) -> Receipt:
    registration = tournament.registrations.get(number=number)
    return prizes.pay(
        COMMAND, tournament.pk, recipient=f"r{registration.pk}", expected_cents=cents, **more
    )
