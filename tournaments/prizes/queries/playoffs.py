"""Ties that an Entscheidungsspiel can decide, and the recorded Entscheidungsspiele."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.payments import prizes
from scoring.payments.prizes import Recipient
from tournaments.common.ranking_names import slug_of
from tournaments.models import Playoff
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.results.queries.tables import RankedLine


@dataclass(frozen=True, slots=True, kw_only=True)
class TieRow:
    """Players or teams that are equal in all criteria."""

    ranking: prizes.PrizeRanking
    rank: int
    lines: tuple[RankedLine, ...]
    matters: bool  # whether it concerns a prize or the first place
    blocks: bool  # whether it blocks the closing of the tournament
    why: str  # German, the reason why it matters
    by_lot: bool = False  # instead of an Entscheidungsspiel

    @property
    def slug(self) -> str:
        """The name of the ranking in addresses."""
        return slug_of(self.ranking)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Start numbers, or keys of teams, ascending."""
        return tuple(line.standing.number for line in self.lines)

    @property
    def is_of_teams(self) -> bool:
        """Whether teams are equal instead of players."""
        return self.ranking.recipient is not Recipient.PLAYER


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayoffRow:
    """A recorded Entscheidungsspiel, best first."""

    playoff: Playoff
    title: str  # the ranking that it decides
    participants: list[tuple[int, str]]  # start number or key, and name
    is_of_teams: bool


def open_ties(sheet: PrizeSheet) -> list[TieRow]:
    """Return the ties of all settled rankings, those that matter first.

    A ranking with missing lists is left out, because its ties may change. A tie matters on
    places with prizes and on the first place. It blocks the closing if the prize plan requires
    an Entscheidungsspiel, and on the first place of the overall ranking without a prize plan.
    """
    rankings, by_lot = sheet.rankings, sheet.tournament.ties_by_lot
    needed = {(playoff.ranking.from_first, playoff.numbers) for playoff in sheet.playoffs}
    places, last_winners = _places_with_prizes(sheet), _last_winners(sheet)
    ties = []
    for ranking in rankings.choices():
        # The ranking of a single Serie matters only if it has prizes.
        if (ranking.is_of_part and ranking not in places) or not rankings.is_settled(ranking):
            continue
        for lines in rankings.table(ranking).ties:
            rank = lines[0].standing.rank
            numbers = tuple(sorted(line.standing.number for line in lines))
            decides_prizes = (ranking, numbers) in needed
            shares_last = not last_winners[ranking].isdisjoint(numbers)
            matters = rank <= places.get(ranking, 1) or decides_prizes or shares_last
            is_first = ranking == OVERALL and ranking not in places and rank == 1
            ties.append(
                TieRow(
                    ranking=ranking,
                    rank=rank,
                    lines=lines,
                    matters=matters,
                    blocks=decides_prizes or is_first,
                    why=_why(
                        decides_prizes,
                        matters,
                        has_prizes=ranking in places or shares_last,
                        by_lot=by_lot,
                    ),
                    by_lot=by_lot,
                )
            )
    return sorted(ties, key=lambda row: (not row.blocks, not row.matters))


def _why(decides_prizes: bool, matters: bool, *, has_prizes: bool, by_lot: bool) -> str:
    if not matters:
        return _("Kein Preis hängt daran; der Platz bleibt geteilt.")
    if has_prizes and not decides_prizes:
        if by_lot:
            return _("Ohne Los teilen sie sich den Platz und die Preise.")
        return _("Ohne Entscheidungsspiel teilen sie sich den Platz und die Preise.")
    if by_lot:
        return _("Das Los entscheidet, wie es in der Ausschreibung steht (Abweichung von § 1.5).")
    if decides_prizes:
        return _("Der Preisplan verlangt hier ein Entscheidungsspiel.")
    return _("Über den ersten Platz entscheidet ein Entscheidungsspiel (§ 1.5).")


def _places_with_prizes(sheet: PrizeSheet) -> dict[prizes.PrizeRanking, int]:
    """Return the last place with a prize, by ranking; without rankings counted from the last."""
    places: dict[prizes.PrizeRanking, int] = {}
    for pot in sheet.pots:
        for line in pot.plan.lines:
            if not line.ranking.from_last:
                places[line.ranking] = max(places.get(line.ranking, 0), line.place)
    return places


def _last_winners(sheet: PrizeSheet) -> dict[prizes.PrizeRanking, set[int]]:
    """Return the numbers that win a prize counted from the last, by ranking."""
    winners: dict[prizes.PrizeRanking, set[int]] = defaultdict(set)
    for pot in sheet.pots:
        for each in pot.prizes.awards if pot.prizes else ():
            if each.ranking.from_last:
                winners[each.ranking.from_first].add(each.number)
    return winners


def recorded_playoffs(rankings: Rankings) -> list[PlayoffRow]:
    """Return all Entscheidungsspiele with names, including withdrawn ones, the newest first."""
    playoffs = (
        Playoff.objects.filter(tournament=rankings.tournament)
        .select_related("serie", "ranking", "created_by")
        .order_by("-pk")
    )
    return [
        PlayoffRow(
            playoff=playoff,
            title=_title(playoff),
            participants=list(_participants(playoff, rankings)),
            is_of_teams=playoff.ranking is not None,
        )
        for playoff in playoffs
    ]


def _title(playoff: Playoff) -> str:
    if playoff.serie is not None:
        return str(playoff.serie)
    return str(playoff.ranking) if playoff.ranking is not None else OVERALL.describe()


def _participants(playoff: Playoff, rankings: Rankings) -> Iterable[tuple[int, str]]:
    order: Sequence[int] = playoff.order
    if playoff.ranking is not None:
        teams = {team.pk: team.name for team in rankings.teams[playoff.ranking.pk]}
        for key in order:
            yield key, teams.get(key, "–")
        return
    for number in order:
        registration = rankings.by_number.get(number)
        yield number, registration.person.list_name if registration else "–"
