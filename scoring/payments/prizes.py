"""Prize plans: the prizes of the places of rankings, and their amounts in cents.

The plan is announced before the start; its shares become money when the Startgeld has been
paid. A plan divides one pot: if teams or tandems pay a stake of their own, they have a plan
of their own. ``scoring.payments.payouts`` computes the recipients.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import lcm
from typing import Annotated

from scoring.errors import Problem, ScoringError
from scoring.money import euro, percent, split_by_weights, whole_euros
from scoring.payments.choosing import Things, ThingsToChoose
from scoring.payments.rankings import OVERALL, Number, PrizeRanking, RankingCategory, Recipient
from scoring.reading.records import Cents, Permille, Record, Text, WholeNumber
from scoring.texts import _

__all__ = [  # rankings are imported together with their prizes
    "MOST_EXPECTED",
    "MOST_PRIZES",
    "OVERALL",
    "WHOLE_POT",
    "LineAmount",
    "PrizeFund",
    "PrizeLine",
    "PrizePlan",
    "PrizeRanking",
    "RankingCategory",
    "Recipient",
    "TieRule",
    "suggest_plan",
    "winner_takes_all",
]

WHOLE_POT = 1000  # shares are thousandths
MOST_EXPECTED = 2000  # players for whom a plan can be computed
MOST_PRIZES = 300  # with more, the share of the last place is below one thousandth

Goods = Annotated[str, Text(200, may_be_empty=True)]


class TieRule(StrEnum):
    """The rule for equal entries whose places have different prizes."""

    SHARE = "share"  # they divide the prizes of their places
    PLAYOFF = "playoff"  # an Entscheidungsspiel decides


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeLine(Record):
    """The prize of one place of one ranking: a share of the pot, a sum, goods, or several."""

    ranking: PrizeRanking = OVERALL
    place: Number
    share_permille: Permille = 0  # of the pot without the fixed sums
    fixed_cents: Cents = 0
    goods: Goods = ""

    def contradictions(self) -> Iterator[Problem]:
        if not (self.share_permille or self.fixed_cents or self.goods):
            yield Problem(
                "",
                _(
                    "Für Platz {place} ({ranking}) ist kein Preis angegeben: Es fehlt ein Anteil,"
                    " ein fester Betrag oder ein Sachpreis."
                ).format(place=self.place, ranking=self.ranking.describe()),
            )

    @property
    def order(self) -> tuple[int, int, bool, int]:
        """Sort key: by ranking, then by place."""
        return (*self.ranking.order, self.place)

    @property
    def place_name(self) -> str:
        """The place in words: „3. Platz“, „Letzter Platz“."""
        return self.ranking.place_name(self.place)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineAmount:
    """The amount of a line of the plan in cents, and how it was computed."""

    line: PrizeLine
    cents: int
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeFund:
    """The plan in cents: ``pot = takings − kept + extra``; amounts sum to pot or less."""

    plan: PrizePlan
    takings_cents: int
    kept_cents: int
    extra_cents: int
    amounts: tuple[LineAmount, ...]  # by ranking and place

    @property
    def pot_cents(self) -> int:
        """The whole prize money, in cents."""
        return self.takings_cents - self.kept_cents + self.extra_cents

    @property
    def undistributed_cents(self) -> int:
        """The money without a prize, in cents: missing shares, and cents cut off by rounding."""
        return self.pot_cents - sum(amount.cents for amount in self.amounts)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizePlan(Record):
    """Prizes by place, the part kept by the organiser, and the rule for ties.

    Shares may sum to less than the whole; the rest is reported, never dropped.
    ``whole_euros`` rounds shares, and parts of a shared prize, down to whole euros;
    fixed sums must be whole euros then. With ``serie_cents`` a part of each Startgeld is for
    prizes of the single Serien, which divide it evenly (:meth:`of_serie`).
    """

    lines: tuple[PrizeLine, ...]
    kept_cents: Cents = 0
    kept_permille: Permille = 0  # of the Startgeld in the till, rounded down to the cent
    ties: TieRule = TieRule.SHARE
    whole_euros: bool = False
    # Players for whom amounts are announced beforehand; 0: shares only. Changes no prize.
    expected_entries: Annotated[int, WholeNumber(0, MOST_EXPECTED)] = 0
    serie_cents: Cents = 0  # of each Startgeld, for all Serien together
    serie_shares: tuple[
        Annotated[int, WholeNumber(1, WHOLE_POT)], ...
    ] = ()  # by place of each Serie
    choosing: ThingsToChoose | None = None
    lottery: Things = ()  # things drawn among all who are present

    def contradictions(self) -> Iterator[Problem]:
        if self.kept_cents and self.kept_permille:
            yield Problem(
                "kept_permille",
                _("Einbehalten wird entweder ein fester Betrag oder ein Anteil, nicht beides."),
            )
        seen = set()
        for position, line in enumerate(self.lines):
            if line.order in seen:
                yield Problem(
                    f"lines[{position}].place",
                    _("Platz {place} ({ranking}) steht schon im Preisplan.").format(
                        place=line.place, ranking=line.ranking.describe()
                    ),
                )
            seen.add(line.order)
            if self.whole_euros and line.fixed_cents != whole_euros(line.fixed_cents):
                yield Problem(
                    f"lines[{position}].fixed_cents",
                    _(
                        "Wird in vollen Euro ausgezahlt, kann der feste Preis nicht {amount} sein."
                    ).format(amount=euro(line.fixed_cents)),
                )
        if bool(self.serie_cents) != bool(self.serie_shares):
            yield Problem(
                "serie_shares" if self.serie_cents else "serie_cents",
                _(
                    "Zu Serienpreisen gehört beides: was von jedem Startgeld dafür ist, und was"
                    " davon jeder Platz bekommt."
                ),
            )
        shares = {
            "lines": sum(line.share_permille for line in self.lines),
            "serie_shares": sum(self.serie_shares),
        }
        for where, together in shares.items():
            if together > WHOLE_POT:
                yield Problem(
                    where,
                    _("Die Anteile ergeben zusammen {sum}, das sind {over} zu viel.").format(
                        sum=percent(together), over=percent(together - WHOLE_POT)
                    ),
                )

    @property
    def has_prizes(self) -> bool:
        """Whether anything can be won by the plan."""
        return bool(self.lines or self.serie_cents or self.choosing or self.lottery)

    def serie_part(self, startgeld_cents: int) -> int:
        """Return the part of a paid Startgeld for prizes of the single Serien, in cents."""
        return min(self.serie_cents, startgeld_cents)

    def of_serie(self, number: int) -> PrizePlan:
        """Return the plan by which a single Serie divides its part."""
        ranking = PrizeRanking(category=RankingCategory.SERIE, serie=number)
        return PrizePlan(
            lines=tuple(
                PrizeLine(ranking=ranking, place=place, share_permille=share)
                for place, share in enumerate(self.serie_shares, start=1)
            ),
            ties=self.ties,
            whole_euros=self.whole_euros,
        )

    def fund(self, *, takings_cents: int, extra_cents: int = 0) -> PrizeFund:
        """Return the amount of each line: fixed sums first, then shares of the rest.

        Shares are divided to the cent by the largest remainder, the better place first
        among equal ones; the part without a line takes part like a line. Amounts do not
        depend on the entries: a prize without a winner is reported, not redistributed.

        Args:
            takings_cents: the Startgeld in the till; the kept part is deducted from it.
            extra_cents: added to the pot as a whole, as Bußgeld or gifts.

        Raises:
            ScoringError: if more is to be kept than was paid, or the fixed sums are
                higher than the pot; the sentence says how much is missing.
        """
        kept_cents = self.kept_cents or max(takings_cents, 0) * self.kept_permille // WHOLE_POT
        if kept_cents > takings_cents:
            raise ScoringError(
                _(
                    "Einbehalten werden sollen {kept}, eingenommen sind {takings}: Es fehlen"
                    " {missing}."
                ).format(
                    kept=euro(kept_cents),
                    takings=euro(takings_cents),
                    missing=euro(kept_cents - takings_cents),
                )
            )
        pot = takings_cents - kept_cents + extra_cents
        fixed = sum(line.fixed_cents for line in self.lines)
        if fixed > pot:
            raise ScoringError(
                _(
                    "Die festen Preise betragen zusammen {fixed}, zu verteilen sind {pot}: Es"
                    " fehlen {missing}."
                ).format(fixed=euro(fixed), pot=euro(pot), missing=euro(fixed - pot))
            )
        return PrizeFund(
            plan=self,
            takings_cents=takings_cents,
            kept_cents=kept_cents,
            extra_cents=extra_cents,
            amounts=tuple(self._amounts(pot - fixed)),
        )

    def _amounts(self, shared_cents: int) -> Iterator[LineAmount]:
        lines = sorted(self.lines, key=lambda line: line.order)
        weights = [line.share_permille for line in lines]
        *shares, _unshared = split_by_weights(shared_cents, [*weights, WHOLE_POT - sum(weights)])
        for line, share in zip(lines, shares, strict=True):
            money = whole_euros(share) if self.whole_euros else share
            yield LineAmount(
                line=line,
                cents=line.fixed_cents + money,
                how=self._how(line, money, shared_cents),
            )

    def _how(self, line: PrizeLine, share_cents: int, shared_cents: int) -> str:
        parts = []
        if line.fixed_cents:
            parts.append(_("fester Betrag {amount}").format(amount=euro(line.fixed_cents)))
        if line.share_permille:
            sentence = (
                _("{share} von {pot}, auf volle Euro abgerundet: {amount}")
                if self.whole_euros
                else _("{share} von {pot}: {amount}")
            )
            parts.append(
                sentence.format(
                    share=percent(line.share_permille),
                    pot=euro(shared_cents),
                    amount=euro(share_cents),
                )
            )
        if line.goods:
            parts.append(line.goods)
        return " + ".join(parts)


def winner_takes_all(ranking: PrizeRanking) -> PrizePlan:
    """Return the plan that gives a whole pot to the first of *ranking*.

    For Bußgeld that goes to the best of a Serie: its fund is the Bußgeld of that Serie,
    and players who share the first place share it.
    """
    return PrizePlan(lines=(PrizeLine(ranking=ranking, place=1, share_permille=WHOLE_POT),))


def suggest_plan(entries: int) -> PrizePlan:
    """Return a usual plan for this number of *entries*, all of it for the overall ranking.

    There is one prize for every 4.5 entries, rounded to the nearest. A fifth of the pot is
    spread evenly over them, so that the last one is more than the Startgeld (up to 900
    entries, if nothing else is paid from the pot); four fifths fall from place to place
    like 1, 1/2, 1/3, … Shares are whole percents, tenths of them above 30 prizes; more
    than 300 prizes are not suggested.

    Raises:
        ScoringError: if there are no entries.

    >>> [line.share_permille for line in suggest_plan(14).lines]
    [500, 290, 210]
    """
    if entries < 1:
        raise ScoringError(_("Für einen Preisplan braucht es mindestens eine Anmeldung."))
    # Nearest whole number of entries / 4.5: a half cannot occur, 9 being odd.
    prizes = min(max((2 * entries + 4) // 9, 1), MOST_PRIZES)
    common = lcm(*range(1, prizes + 1))
    falling = [common // place for place in range(1, prizes + 1)]
    # With F the sum of the falling parts: F for everyone makes prizes · F in all, a fifth
    # of what it makes together with the falling parts taken 4 · prizes times.
    weights = [sum(falling) + 4 * prizes * part for part in falling]
    step = 10 if prizes <= 30 else 1
    shares = split_by_weights(WHOLE_POT // step, weights)
    return PrizePlan(
        lines=tuple(
            PrizeLine(place=place, share_permille=share * step)
            for place, share in enumerate(shares, start=1)
        )
    )
