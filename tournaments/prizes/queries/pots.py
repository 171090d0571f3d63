"""The pots of a tournament with their money and their prizes, to the cent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from scoring.errors import ScoringError
from scoring.payments import prizes
from scoring.payments.bussgeld import Destination
from scoring.payments.payouts import PrizeList, RankedNumber, award, ranks_from_last
from scoring.payments.prizes import PrizeFund, PrizePlan, RankingCategory, winner_takes_all
from tournaments.announcement.queries import pot_money
from tournaments.announcement.queries.pot_money import SERIEN_POT
from tournaments.announcement.queries.tournaments import STARTGELD_POT, pots
from tournaments.common.rules import bussgeld_tariff, prize_plans
from tournaments.models import Tournament
from tournaments.results.queries.rankings import Rankings

BUSSGELD_POT = "bussgeld"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """Money for prizes, with its plan and winners."""

    name: str  # as in ``Tournament.prize_plan``, or "bussgeld"
    label: str
    plan: PrizePlan
    takings_cents: int
    extra_cents: int
    fund: PrizeFund | None  # None: the plan needs more money than there is
    refusal: str  # German, the problem of the plan
    prizes: PrizeList | None


class PrizePots:
    """The pots of a tournament; a fixed number of queries."""

    def __init__(self, tournament: Tournament, *, rankings: Rankings | None = None) -> None:
        self.tournament = tournament
        self.rankings = rankings or Rankings(tournament)

    @cached_property
    def pots(self) -> list[Pot]:
        """All pots: the Startgeld, the Serienpreise, the stakes, and the Bußgeld of Serien last."""
        return [*self._planned_pots(), *self._bussgeld_pots()]

    @property
    def paying_pots(self) -> list[Pot]:
        """The pots with prizes for places, or with a plan that cannot be paid."""
        return [pot for pot in self.pots if pot.plan.lines or pot.refusal]

    def _planned_pots(self) -> Iterable[Pot]:
        plans = prize_plans(self.tournament)
        if not plans:
            return
        money = pot_money.money_by_pot(self.tournament)
        labels = {pot.name: pot.label for pot in pots(self.tournament)}
        for name, plan in plans.items():
            label = labels.get(name, name)
            yield self._pot(
                name=name,
                label=_("Startgeld ohne Serienpreise") if plan.serie_cents else label,
                plan=plan,
                takings_cents=money[name].takings_cents,
                extra_cents=money[name].extra_cents,
            )
            if name == STARTGELD_POT and plan.serie_cents:
                yield from self._serie_pots(plan, money[SERIEN_POT].takings_cents)

    def _serie_pots(self, plan: PrizePlan, together_cents: int) -> Iterable[Pot]:
        parts = pot_money.by_serie(together_cents, self.rankings.played_serien)
        for serie, cents in parts.items():
            yield self._pot(
                name=SERIEN_POT,
                label=_("Serienpreise der Serie {number}").format(number=serie),
                plan=plan.of_serie(serie),
                takings_cents=cents,
                extra_cents=0,
            )

    def _bussgeld_pots(self) -> Iterable[Pot]:
        if bussgeld_tariff(self.tournament).destination is not Destination.BEST_OF_SERIE:
            return
        for serie, cents in pot_money.bussgeld_by_serie(self.tournament).items():
            ranking = prizes.PrizeRanking(category=RankingCategory.SERIE, serie=serie)
            yield self._pot(
                name=BUSSGELD_POT,
                label=_("Bußgeld der Serie {number}").format(number=serie),
                plan=winner_takes_all(ranking),
                takings_cents=0,
                extra_cents=cents,
            )

    def _pot(
        self, *, name: str, label: str, plan: PrizePlan, takings_cents: int, extra_cents: int
    ) -> Pot:
        fund: PrizeFund | None = None
        refusal = ""
        try:
            fund = plan.fund(takings_cents=takings_cents, extra_cents=extra_cents)
        except ScoringError as error:
            refusal = str(error)
        return Pot(
            name=name,
            label=label,
            plan=plan,
            takings_cents=takings_cents,
            extra_cents=extra_cents,
            fund=fund,
            refusal=refusal,
            prizes=award(
                fund,
                self._settled({line.ranking for line in plan.lines}),
                by_lot=self.tournament.ties_by_lot,
            )
            if fund
            else None,
        )

    def _settled(
        self, rankings: Iterable[prizes.PrizeRanking]
    ) -> Mapping[prizes.PrizeRanking, list[RankedNumber]]:
        """Return the places in those of the *wanted* rankings that are settled."""
        return {
            ranking: self._placed_in(ranking)
            for ranking in rankings
            if self.rankings.has(ranking.from_first)
            and self.rankings.is_settled(ranking.from_first)
        }

    def _placed_in(self, ranking: prizes.PrizeRanking) -> list[RankedNumber]:
        standings = self.rankings.standings(ranking.from_first)
        if ranking.from_last:
            whole = (line for line in standings if not line.lacks)
            return ranks_from_last({line.number: line.rank for line in whole})
        return [
            RankedNumber(number=line.number, rank=line.rank) for line in standings if line.has_place
        ]
