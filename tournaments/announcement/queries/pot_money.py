"""The money of the pots: Startgeld, stakes and Bußgeld.

Payments are allocated to dues, regardless of the kind of receipt: refunds and overpayments do not
count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import F, Sum
from django.utils import timezone

from scoring.money import split_evenly
from scoring.payments.bussgeld import Destination
from scoring.payments.prizes import PrizeFund, PrizePlan
from tournaments.announcement.queries.tournaments import STARTGELD_POT
from tournaments.cash.queries.balances import gets_back_condition, paid_by_registration
from tournaments.common.rules import bussgeld_tariff, prize_plans
from tournaments.models import BussgeldReceipt, CashEntry, Tournament

SERIEN_POT = "serienpreise"  # the part of each Startgeld that the single Serien divide
_KARTENGELD = "kartengeld"


@dataclass(frozen=True, slots=True, kw_only=True)
class PotMoney:
    """The money of a pot, in cents."""

    takings_cents: int
    extra_cents: int  # Bußgeld that is added to the pot

    def fund(self, plan: PrizePlan) -> PrizeFund:
        """Return the amounts of the plan; raises ScoringError if the money is not enough."""
        return plan.fund(takings_cents=self.takings_cents, extra_cents=self.extra_cents)


def money_by_pot(tournament: Tournament) -> Mapping[str, PotMoney]:
    """Return the money of each pot that has a prize plan, and of the Serien; five queries."""
    cents_by_pot = takings(tournament)
    is_extra = bussgeld_tariff(tournament).destination is Destination.PRIZES
    extra = bussgeld_cents(tournament) if is_extra else 0
    return {
        name: PotMoney(
            takings_cents=cents_by_pot[name], extra_cents=extra if name == STARTGELD_POT else 0
        )
        for name in (*tournament.prize_plan, SERIEN_POT)
    }


def takings(tournament: Tournament) -> Counter[str]:
    """Return the money of each pot of the prize plan, in cents; four queries.

    Pots are "startgeld" and the kinds of the rankings with stakes, and "serienpreise" for the part
    of each paid Startgeld that the plan sets apart. A payment counts for the
    Startgeld first, then Kartengeld, then the stakes. Registrations that are waiting or were
    withdrawn in time get the money back: it does not count. After a late withdrawal, a no-show
    or an exclusion it is lost (§ 1.4) and counts.
    """
    gets_back = gets_back_condition(tournament, timezone.now())
    paid = paid_by_registration(tournament)
    plan = prize_plans(tournament).get(STARTGELD_POT)
    sums: Counter[str] = Counter()
    everybody = tournament.registrations.select_related("category").prefetch_related("rankings")
    for registration in everybody.filter(pk__in=paid).annotate(gets_back=gets_back):
        left = 0 if registration.gets_back else paid[registration.pk]
        # In the order of ``registrations.dues``.
        dues = [(STARTGELD_POT, registration.startgeld_cents)]
        dues += [(_KARTENGELD, tournament.kartengeld_cents)]
        dues += [(ranking.kind, ranking.stake_cents) for ranking in registration.rankings.all()]
        for pot, due_cents in dues:
            part = min(max(left, 0), due_cents)
            left -= part
            of_serien = plan.serie_part(part) if plan and pot == STARTGELD_POT else 0
            sums[pot] += part - of_serien
            sums[SERIEN_POT] += of_serien
    return sums


def by_serie(cents: int, serien: Iterable[int]) -> dict[int, int]:
    """Return the part of the Serienpreise for each Serie; odd cents go to the first ones."""
    numbers = sorted(serien)
    return dict(zip(numbers, split_evenly(cents, len(numbers)), strict=True)) if numbers else {}


def bussgeld_cents(tournament: Tournament) -> int:
    """Return the Bußgeld in the till, booked with a list or freely; one query."""
    entries = CashEntry.objects.filter(receipt__tournament=tournament, kind=CashEntry.Kind.BUSSGELD)
    return entries.aggregate(total=Sum("amount_cents"))["total"] or 0


def bussgeld_by_serie(tournament: Tournament) -> dict[int, int]:
    """Return the Bußgeld that was paid with the lists of each Serie, in cents; one query.

    Refunds are deducted; waived amounts and reversed receipts do not count.
    """
    rows = (
        BussgeldReceipt.objects.filter(
            bussgeld__spielliste__table__serie__tournament=tournament,
            receipt__reversed_by__isnull=True,
            receipt__entries__kind=CashEntry.Kind.BUSSGELD,
            receipt__entries__registration=F("bussgeld__registration"),
        )
        .order_by("bussgeld__spielliste__table__serie__number")
        .values_list("bussgeld__spielliste__table__serie__number")
        .annotate(total=Sum("receipt__entries__amount_cents"))
    )
    return {serie: total for serie, total in rows if total > 0}
