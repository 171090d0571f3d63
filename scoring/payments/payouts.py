"""Payouts: the prizes of each winner once the rankings are final, to the cent.

This module knows prize plans and rankings, not persons: each entry is a number, the start number
of a player or the number of a team. Every cent of the pot is accounted for: won, waiting for an
Entscheidungsspiel or a ranking, or left over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring.errors import ScoringError
from scoring.money import euro, split_evenly, whole_euros
from scoring.ordering import tie_groups
from scoring.payments.prizes import LineAmount, PrizeFund, PrizeRanking, TieRule
from scoring.texts import _


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedNumber:
    """One number in a ranking; only numbers with a result that can win are given."""

    number: int
    rank: int


def ranks_from_last(ranks: Mapping[int, int]) -> list[RankedNumber]:
    """Return the places counted from the last, best of these first.

    Args:
        ranks: by number, of those with a result in every Serie.

    >>> [(entry.number, entry.rank) for entry in ranks_from_last({7: 1, 3: 2, 9: 2, 4: 5})]
    [(4, 1), (3, 2), (9, 2), (7, 4)]
    """
    backwards = sorted(ranks, key=lambda number: ranks[number], reverse=True)
    behind = Counter(ranks.values())
    return [
        RankedNumber(
            number=number,
            rank=1 + sum(count for rank, count in behind.items() if rank > ranks[number]),
        )
        for number in backwards
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """The prize of a number in one ranking, and its computation."""

    ranking: PrizeRanking
    number: int
    rank: int
    cents: int
    goods: str
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredPlayoff:
    """Equal numbers whose prizes depend on an Entscheidungsspiel; they are not paid before it."""

    ranking: PrizeRanking
    rank: int
    numbers: tuple[int, ...]
    cents: int  # prize money of their places together
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeList:
    """The distribution of the whole pot; ``rest_cents`` is in none of the parts."""

    fund: PrizeFund
    awards: tuple[Award, ...]  # by ranking and rank
    playoffs: tuple[RequiredPlayoff, ...]
    pending: tuple[LineAmount, ...]  # lines whose ranking is not decided yet
    unfilled: tuple[LineAmount, ...]  # lines for places without a winner; money is left over

    @property
    def rest_cents(self) -> int:
        """The rest of the pot, in cents: not planned, cut off by rounding, or not won."""
        won = sum(award.cents for award in self.awards)
        undecided = sum(playoff.cents for playoff in self.playoffs)
        reserved = sum(amount.cents for amount in self.pending)
        return self.fund.pot_cents - won - undecided - reserved


def award(
    fund: PrizeFund,
    rankings: Mapping[PrizeRanking, Sequence[RankedNumber]],
    *,
    by_lot: bool = False,
) -> PrizeList:
    """Return the prizes of *fund* for the numbers on their places.

    *n* numbers that share a rank fill *n* places. If these places have the same prize, each gets
    it. Otherwise they divide the money equally, indivisible cents going to the lowest numbers; or,
    by the plan, an Entscheidungsspiel decides. Goods are never divided: if they differ, an
    Entscheidungsspiel decides on all prizes of the places; a number ranked alone afterwards gets
    the whole prize of its place.

    Args:
        fund: the plan in cents.
        rankings: the rankings that are decided; lines of others wait. Women, juniors
            and seniors are ranked among themselves, beginning with 1.
        by_lot: whether a lot decides instead of an Entscheidungsspiel.

    Raises:
        ScoringError: if the ranks of a ranking are invalid, or it has a number twice.
    """
    awards: list[Award] = []
    playoffs: list[RequiredPlayoff] = []
    pending: list[LineAmount] = []
    unfilled: list[LineAmount] = []
    for ranking, lines in groupby(fund.amounts, key=lambda amount: amount.line.ranking):
        by_place = {amount.line.place: amount for amount in lines}
        if ranking not in rankings:
            pending += by_place.values()
            continue
        placed = rankings[ranking]
        unfilled += (by_place[place] for place in by_place if place > len(placed))
        for group in _groups(ranking, placed, by_place):
            if group.needs_playoff(fund.plan.ties):
                playoffs.append(group.playoff(by_lot=by_lot))
            else:
                awards += group.awards(rounded=fund.plan.whole_euros)
    return PrizeList(
        fund=fund,
        awards=tuple(awards),
        playoffs=tuple(playoffs),
        pending=tuple(pending),
        unfilled=tuple(unfilled),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Numbers that share a rank, and the prizes of their places."""

    ranking: PrizeRanking
    rank: int
    numbers: tuple[int, ...]  # ascending
    amounts: tuple[LineAmount | None, ...]  # one for each place; None: no prize

    @property
    def money(self) -> tuple[int, ...]:
        return tuple(amount.cents if amount else 0 for amount in self.amounts)

    @property
    def goods(self) -> tuple[str, ...]:
        return tuple(amount.line.goods if amount else "" for amount in self.amounts)

    def needs_playoff(self, ties: TieRule) -> bool:
        return len(set(self.goods)) > 1 or (ties is TieRule.PLAYOFF and len(set(self.money)) > 1)

    def playoff(self, *, by_lot: bool) -> RequiredPlayoff:
        how = (
            _(
                "{place}: Die Nummern {numbers} sind gleich. Das Los entscheidet, wer welchen"
                " Preis erhält."
            )
            if by_lot
            else _(
                "{place}: Die Nummern {numbers} sind gleich. Ein Entscheidungsspiel entscheidet,"
                " wer welchen Preis erhält."
            )
        )
        return RequiredPlayoff(
            ranking=self.ranking,
            rank=self.rank,
            numbers=self.numbers,
            cents=sum(self.money),
            how=how.format(
                place=self.ranking.describe_place(self.rank),
                numbers=", ".join(map(str, self.numbers)),
            ),
        )

    def awards(self, *, rounded: bool) -> Iterator[Award]:
        together, count = sum(self.money), len(self.numbers)
        if rounded:
            parts = (whole_euros(together // count),) * count
        else:
            parts = split_evenly(together, count)
        for number, cents in zip(self.numbers, parts, strict=True):
            yield Award(
                ranking=self.ranking,
                number=number,
                rank=self.rank,
                cents=cents,
                goods=self.goods[0],
                how=_("{place}: {how}").format(
                    place=self.ranking.describe_place(self.rank),
                    how=self._how(cents, rounded=rounded),
                ),
            )

    def _how(self, cents: int, *, rounded: bool) -> str:
        first, *others = self.amounts
        if first and not others:
            return first.how
        together, count = sum(self.money), len(self.numbers)
        sentence = (
            _(
                "Plätze {first} bis {last} zusammen {together}, durch {count}, auf volle Euro"
                " abgerundet: {amount}"
            )
            if rounded and cents * count < together
            else _("Plätze {first} bis {last} zusammen {together}, durch {count}: {amount}")
        )
        shared = sentence.format(
            first=self.rank,
            last=self.rank + len(others),
            together=euro(together),
            count=count,
            amount=euro(cents),
        )
        return " + ".join(filter(None, [shared if together else "", self.goods[0]]))


def _groups(
    ranking: PrizeRanking, placed: Sequence[RankedNumber], by_place: Mapping[int, LineAmount]
) -> Iterator[_Group]:
    """Yield the groups that share a rank with a prize among its places, best first."""
    if len({entry.number for entry in placed}) < len(placed):
        raise ScoringError(
            _("In der Rangliste „{ranking}“ steht eine Nummer doppelt.").format(
                ranking=ranking.describe()
            )
        )
    rank = 1
    for positions in tie_groups([entry.rank for entry in placed]):
        amounts = tuple(by_place.get(rank + behind) for behind in range(len(positions)))
        if any(amounts):
            numbers = sorted(placed[position].number for position in positions)
            yield _Group(ranking=ranking, rank=rank, numbers=tuple(numbers), amounts=amounts)
        rank += len(positions)
