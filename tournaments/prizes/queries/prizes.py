"""The prizes by recipient, to the cent, with their payouts.

They are computed from the prize plan, the money of the pots and the settled rankings. Only
payouts are stored.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby, islice
from typing import Any

from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.money import euro
from scoring.payments import prizes
from scoring.payments.payouts import Award, RankedNumber, RequiredPlayoff
from scoring.payments.prizes import LineAmount, Recipient
from tournaments.announcement.queries.publication import team_name
from tournaments.announcement.queries.tournaments import STARTGELD_POT
from tournaments.common.formats import listed
from tournaments.common.ranking_names import slug_of
from tournaments.common.rules import prize_plans
from tournaments.models import CashEntry, Lottery, PrizePayout, Registration, Team, Tournament
from tournaments.people.queries.naming import Readers
from tournaments.prizes.queries.choosing import POT as CHOICE_POT
from tournaments.prizes.queries.choosing import Chooser, ChoosingState
from tournaments.prizes.queries.lottery import LOTTERY, current_lottery
from tournaments.prizes.queries.pots import Pot, PrizePots
from tournaments.prizes.queries.rows import Key, PrizeRow, Winner, key_of, not_due_row, payouts

MOST_CALLED = 3  # on a wall: the present chooser, and the next ones


class PrizeSheet(PrizePots):
    """The prizes of a tournament; a fixed number of queries."""

    @cached_property
    def _given(self) -> Mapping[Key, list[PrizePayout]]:
        given: dict[Key, list[PrizePayout]] = defaultdict(list)
        for payout in payouts(self.tournament):
            given[key_of(payout)].append(payout)
        return given

    @cached_property
    def choosing(self) -> ChoosingState | None:
        """The things that are chosen in order of rank; None if the plan has none."""
        plan = prize_plans(self.tournament).get(STARTGELD_POT)
        things = plan.choosing if plan else None
        if things is None:
            return None
        ranking = things.ranking
        placed = self._settled({ranking}).get(ranking)
        ranks = Counter(each.rank for each in placed or ())
        return ChoosingState(
            plan=things,
            is_settled=placed is not None,
            ranked=[
                Chooser(
                    row=self._chosen(ranking, each),
                    rank=each.rank,
                    place=ranking.place_name(each.rank),
                    shares_rank=ranks[each.rank] > 1,
                )
                for each in sorted(placed or (), key=lambda each: (each.rank, each.number))
            ],
            given=[
                payout.goods
                for (pot, *_recipient), payouts in self._given.items()
                for payout in payouts
                if pot == CHOICE_POT and payout.handed_over_at
            ],
        )

    def _chosen(self, ranking: prizes.PrizeRanking, each: RankedNumber) -> PrizeRow:
        """Return the row of a chooser; its goods are the chosen thing, "" before that."""
        row = PrizeRow(
            pot=CHOICE_POT,
            ranking=slug_of(ranking),
            **self._recipient(ranking, each.number),
            rank=self._rank(ranking, each),
            label=ranking.describe_place(each.rank),
            cents=0,
            goods="",
            won_by=ranking.describe_place(each.rank),
        )
        row = replace(row, payouts=tuple(self._given.get(row.key, ())))
        goods = row.handed_over.goods if row.handed_over else ""
        return replace(row, goods=goods, label=f"{row.label}: {goods}" if goods else row.label)

    @cached_property
    def rows(self) -> list[PrizeRow]:
        """All prizes with their recipients, then payouts that are not due any more."""
        given = self._given
        rows = [
            self._row(pot, each, given)
            for pot in self.pots
            if pot.prizes is not None
            for each in pot.prizes.awards
        ]
        ranked = self.choosing.ranked if self.choosing else ()
        rows += [chooser.row for chooser in ranked if chooser.thing]
        rows += self._lottery_rows()
        due = {row.key for row in rows}
        not_due_rows = [
            not_due_row(payments, is_undecided=self._is_undecided(payments[0]))
            for key, payments in given.items()
            if key not in due
        ]
        return rows + [row for row in not_due_rows if row.paid_cents or row.handed_over]

    @property
    def has_lottery(self) -> bool:
        """Whether the plan has things for a lottery."""
        plan = prize_plans(self.tournament).get(STARTGELD_POT)
        return bool(plan and plan.lottery)

    @cached_property
    def lottery(self) -> Lottery | None:
        """The current lottery; None if the plan has none, or none has begun."""
        return current_lottery(self.tournament) if self.has_lottery else None

    def _lottery_rows(self) -> Iterator[PrizeRow]:
        for number, thing in self.lottery.winners if self.lottery else ():
            winner = self.rankings.by_number.get(number)
            if winner is None or winner.status == Registration.Status.EXCLUDED:
                continue  # the thing is left over
            row = PrizeRow(
                pot=LOTTERY,
                ranking=LOTTERY,
                registration=winner,
                team=None,
                rank=None,
                label=_("Verlosung: {thing}").format(thing=thing),
                cents=0,
                goods=thing,
                won_by=_("Verlosung"),
            )
            yield replace(row, payouts=tuple(self._given.get(row.key, ())))

    def _is_undecided(self, payout: PrizePayout) -> bool:
        """Whether a prize may still be due: its pot, its ranking or a tie is not settled."""
        if payout.pot == CHOICE_POT:
            return self.choosing is not None and not self.choosing.is_settled
        number = payout.registration.number if payout.registration else payout.team_id
        prizes = [pot.prizes for pot in self.pots if pot.name == payout.pot]
        return any(
            pot_prizes is None
            or payout.ranking in {slug_of(amount.line.ranking) for amount in pot_prizes.pending}
            or any(
                slug_of(tie.ranking) == payout.ranking and number in tie.numbers
                for tie in pot_prizes.playoffs
            )
            for pot_prizes in prizes
        )

    def _row(self, pot: Pot, each: Award, given: Mapping[Key, Sequence[PrizePayout]]) -> PrizeRow:
        row = PrizeRow(
            pot=pot.name,
            ranking=slug_of(each.ranking),
            **self._recipient(each.ranking, each.number),
            rank=self._rank(each.ranking, each),
            label=each.how,
            cents=each.cents,
            goods=each.goods,
            won_by=each.ranking.describe_place(each.rank),
            is_shared=any(
                (other.ranking, other.rank) == (each.ranking, each.rank) and other != each
                for other in (pot.prizes.awards if pot.prizes else ())
            ),
        )
        return replace(row, payouts=tuple(given.get(row.key, ())))

    def _recipient(self, ranking: prizes.PrizeRanking, number: int) -> dict[str, Any]:
        if ranking.recipient is Recipient.PLAYER:
            return {"registration": self.rankings.by_number[number], "team": None}
        return {"registration": None, "team": self._teams[number]}

    def _rank(self, ranking: prizes.PrizeRanking, each: Award | RankedNumber) -> int:
        """Return the rank of a winner, also for prizes counted from the last."""
        if not ranking.from_last:
            return each.rank
        standings = self.rankings.standings(ranking.from_first)
        return next(line.rank for line in standings if line.number == each.number)

    @cached_property
    def _teams(self) -> dict[int, Team]:
        return {team.pk: team for teams in self.rankings.teams.values() for team in teams}

    @cached_property
    def recipients(self) -> list[Winner]:
        """The recipients, ordered by their first prize: by pot, ranking and place.

        Recipients whose prizes are all not due any more come last.
        """
        rows_of: dict[tuple[int | None, int | None], list[PrizeRow]] = {}
        for row in self.rows:
            rows_of.setdefault(row.key[2:], []).append(row)
        return [
            Winner(
                name=rows[0].recipient_name,
                number=rows[0].registration.number if rows[0].registration else None,
                registration=rows[0].registration,
                team=rows[0].team,
                rows=tuple(rows),
                members=self._members(rows[0].team),
            )
            for rows in rows_of.values()
        ]

    def _members(self, team: Team | None) -> tuple[str, ...]:
        members = self._teams[team.pk].members.all() if team else ()
        persons = self.rankings.registrations
        return tuple(persons[member.registration_id].person.full_name for member in members)

    @property
    def playoffs(self) -> list[RequiredPlayoff]:
        """The ties that must be played off before their prizes can be paid."""
        return [playoff for pot in self.pots if pot.prizes for playoff in pot.prizes.playoffs]

    @property
    def untaken(self) -> list[str]:
        """A sentence for each decided ranking with prizes for places without a winner."""
        return [
            _untaken(pot.label, ranking, list(amounts))
            for pot in self.pots
            if pot.prizes
            for ranking, amounts in groupby(pot.prizes.unfilled, key=lambda each: each.line.ranking)
        ]

    @property
    def due_cents(self) -> int:
        """The total of the prizes due, in cents."""
        return sum(row.cents for row in self.rows)

    @property
    def paid_cents(self) -> int:
        """The total paid and not taken back, in cents."""
        return sum(row.paid_cents for row in self.rows)

    @property
    def open_cents(self) -> int:
        """The total still to be paid, in cents."""
        return sum(max(0, recipient.open_cents) for recipient in self.recipients)

    @property
    def claimed_cents(self) -> int:
        """The total to be returned after corrections, in cents."""
        return sum(max(0, -recipient.open_cents) for recipient in self.recipients)

    @cached_property
    def free_cents(self) -> int:
        """The sum of prizes that were booked freely at the till and have no row; positive."""
        entries = CashEntry.objects.filter(
            receipt__tournament=self.tournament, kind=CashEntry.Kind.PRIZE
        )
        booked = entries.aggregate(total=Sum("amount_cents"))["total"] or 0
        return -booked - self.paid_cents


def called_choosers(tournament: Tournament, readers: Readers) -> list[tuple[str, str]]:
    """Return place and name of the current chooser and the next two."""
    sheet = PrizeSheet(tournament)
    choosing = sheet.choosing
    if choosing is None or choosing.now is None:
        return []
    called = list(islice(choosing.waiting_choosers, MOST_CALLED))
    # The name of a team can contain names that these readers may not see.
    is_of_teams = any(chooser.team for chooser in called)
    lines = sheet.rankings.table(choosing.plan.ranking).lines if is_of_teams else ()
    names = {line.team: team_name(line.name, line.members, readers) for line in lines}
    return [
        (chooser.place, names.get(chooser.team) or chooser.called(readers)) for chooser in called
    ]


def _untaken(pot: str, ranking: prizes.PrizeRanking, amounts: Sequence[LineAmount]) -> str:
    prizes_left = [euro(cents)] if (cents := sum(each.cents for each in amounts)) else []
    prizes_left += [each.line.goods for each in amounts if each.line.goods]
    return ngettext(
        "{pot}: Platz {places} ({ranking}) hat niemand erreicht, {left} bleibt übrig. Wer das "
        "verteilen will, ändert vor der Auszahlung den Preisplan.",
        "{pot}: Die Plätze {places} ({ranking}) hat niemand erreicht, {left} bleiben übrig. Wer "
        "das verteilen will, ändert vor der Auszahlung den Preisplan.",
        len(amounts),
    ).format(
        pot=pot,
        places=listed([str(each.line.place) for each in amounts]),
        ranking=ranking.describe(),
        left=listed(prizes_left),
    )
