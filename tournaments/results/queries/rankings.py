"""The rankings of a tournament at any stand (§ 1.5).

One object reads the data of all rankings once, in a fixed number of queries, and returns any
of them: single, team, tandem, women, juniors, seniors, a single Serie; after *n* Serien or
at the end; with or without unfinished lists.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext as _

from scoring.competitors import Competitor
from scoring.payments import prizes
from scoring.payments.prizes import RankingCategory, Recipient
from scoring.standings import Standing, rank_entries, rank_serie
from scoring.teams import Team as ScoringTeam
from scoring.teams import rank_teams
from tournaments.announcement.queries.ausschreibung_text import terms_sentences
from tournaments.common.ranking_names import part_of
from tournaments.common.rules import rule_set_of, terms_of
from tournaments.models import Playoff, Registration, Team
from tournaments.results.queries.ranking_data import RankingData
from tournaments.results.queries.tables import (
    Cell,
    RankedLine,
    RankingTable,
    cells_of,
    decided_sentence,
    title_of,
)

OVERALL = prizes.OVERALL


class Stand(NamedTuple):
    """The stand of a ranking."""

    upto: int  # Serien that count
    running: bool  # whether unfinished lists count


class Rankings(RankingData):
    """The rankings of one tournament; each part of the data is read when needed."""

    def stand(
        self, ranking: prizes.PrizeRanking = OVERALL, *, most: int | None = None, live: bool = False
    ) -> Stand:
        """Return the default stand of a ranking.

        That is the order after the last whole Serie, on all pages and on the screen, because
        only some lists of the next one are complete. Without such an order, for a single
        running Serie, and with *live*, unfinished lists also count.

        Args:
            ranking: one of ``choices``.
            most: Serien that may be counted at most; None for all.
            live: prefer the order with unfinished lists, if there is one.
        """
        if ranking.is_of_part:
            first, last = self.span(ranking)
            states = self.states[first - 1 : last]
            return Stand(last, running=any(state.running for state in states))
        most = self.serien if most is None else most
        whole, begun = min(self.last_whole, most), min(self.last_begun, most)
        if begun > whole and (live or not whole):
            return Stand(begun, running=True)
        return Stand(whole, running=False)

    def is_settled(self, ranking: prizes.PrizeRanking) -> bool:
        """Whether all lists of a ranking are verified or invalid; ties may still be open."""
        first, last = self.span(ranking)
        states = self.states[first - 1 : last]
        return bool(states) and all(state.is_settled for state in states)

    def choices(self) -> list[prizes.PrizeRanking]:
        """Return all rankings, those of single days and Serien last."""
        rankings = [prizes.PrizeRanking(category=category) for category in self.stored_rankings]
        if OVERALL not in rankings:
            rankings.insert(0, OVERALL)  # all others rest on it
        days = self.tournament.days
        rankings += [
            part_of(RankingCategory.DAY, day)
            for day in days.numbers
            if days.first_serie(day) <= self.serien
        ]
        return rankings + [
            part_of(RankingCategory.SERIE, number) for number in range(1, self.serien + 1)
        ]

    def span(self, ranking: prizes.PrizeRanking) -> tuple[int, int]:
        """Return the first and the last Serie of a ranking: of one Serie, of a day, or of all."""
        if ranking.day:
            days = self.tournament.days
            after = self.serien + 1
            if ranking.day < days.number:
                after = min(after, days.first_serie(ranking.day + 1))
            last = after - 1
            return days.first_serie(ranking.day), last
        return ranking.serie or 1, ranking.serie or self.serien

    def has(self, ranking: prizes.PrizeRanking) -> bool:
        """Whether the tournament has this ranking."""
        return ranking in self.choices()

    def orders(self, ranking: prizes.PrizeRanking) -> list[list[int]]:
        """Return the Entscheidungsspiele that count in *ranking*, each with the best first."""
        return [
            list(playoff.order) for playoff in self.playoffs if self.counts_in(playoff, ranking)
        ]

    def _lots(self, ranking: prizes.PrizeRanking) -> Iterator[str]:
        """Yield the seeds of the lots that count in *ranking*, so that they can be verified."""
        for playoff in self.playoffs:
            if playoff.seed and self.counts_in(playoff, ranking):
                names = self.lot_names(ranking, playoff.order)
                drawn = _("Gelost mit „{seed}“: {order}.")
                yield drawn.format(seed=playoff.seed, order=", ".join(names.values()))

    def lot_names(self, ranking: prizes.PrizeRanking, numbers: Iterable[int]) -> dict[int, str]:
        """Return the names of players or teams in a lot, by start number or key.

        The name of a team is the start numbers of its members, because its real name can change
        and may be hidden. It is the same in every language, because the lot is drawn by it.
        """
        if ranking.recipient is Recipient.PLAYER:
            return {number: f"Nr. {number}" for number in numbers}
        teams = {team.pk: team for team in self.teams[self.stored_rankings[ranking.category].pk]}
        return {key: " + ".join(self._lot_numbers(teams.get(key))) or "–" for key in numbers}

    def _lot_numbers(self, team: Team | None) -> list[str]:
        members = self._members(team) if team else []
        return [f"Nr. {number}" for number in sorted(member.number or 0 for member in members)]

    def counts_in(self, playoff: Playoff, ranking: prizes.PrizeRanking) -> bool:
        """Whether an Entscheidungsspiel decides in *ranking*.

        Those between players count in every ranking of players by all Serien; in the ranking of a
        single Serie only those played for it count, and in one of teams those between teams.
        """
        if ranking.category is RankingCategory.SERIE:
            return playoff.serie is not None and playoff.serie.number == ranking.serie
        if playoff.serie is not None:
            return False
        if ranking.recipient is Recipient.PLAYER:
            return playoff.ranking is None
        kept = self.stored_rankings.get(ranking.category)
        return kept is not None and playoff.ranking_id == kept.pk

    def standings(
        self, ranking: prizes.PrizeRanking, *, upto: int | None = None, running: bool = False
    ) -> tuple[Standing, ...]:
        """Return a ranking with start numbers, or keys of teams.

        Args:
            ranking: one of ``choices``.
            upto: count the first *upto* Serien only; ignored for a single Serie or day.
            running: also count unfinished lists.
        """
        entries = self.entries(running=running, of_part=ranking.is_of_part)
        playoffs, ties = self.orders(ranking), self.tie_breaks
        terms = terms_of(self.tournament)
        if ranking.is_of_part:
            of_serie = rank_serie(
                entries.values(),
                *self.span(ranking),
                playoffs=playoffs,
                tie_breaks=ties,
                only_whole=terms.only_whole,
            )
            return tuple(line for line in of_serie if line.results)
        kept = None if ranking == OVERALL else self.stored_rankings.get(ranking.category)
        if ranking.recipient is not Recipient.PLAYER and kept is not None:
            numbers = {pk: entry.number for pk, entry in entries.items()}
            teams = [_scoring_team(team, numbers) for team in self.teams[kept.pk]]
            return rank_teams(
                teams,
                entries.values(),
                size=kept.size or 0,
                upto=upto,
                playoffs=playoffs,
                tie_breaks=ties,
                terms=terms,
            )
        chosen: Iterable[Competitor] = entries.values()
        if kept is not None:
            members = self._members_of_part[kept.pk]
            chosen = [entry for pk, entry in entries.items() if pk in members]
        return rank_entries(chosen, upto=upto, playoffs=playoffs, tie_breaks=ties, terms=terms)

    def table(
        self,
        ranking: prizes.PrizeRanking,
        *,
        upto: int | None = None,
        running: bool = False,
        moves: bool = False,
    ) -> RankingTable:
        """Return a ranking with names, clubs and reasons; see ``standings``.

        With *moves* each line has the ranks gained or lost since the Serie before.
        """
        counted = self.serien if upto is None else upto
        states = self.states[:counted]
        if ranking.is_of_part:
            first, counted = self.span(ranking)
            states = self.states[first - 1 : counted]
        before = min(self.last_whole, counted - 1) if moves and not ranking.is_of_part else 0
        earlier = self._ranks(ranking, before) if before > 0 else {}
        standings = self.standings(ranking, upto=upto, running=running)
        settled = bool(states) and all(state.is_settled for state in states)
        label = _("Serie {number}")
        labels = {state.number: label.format(number=state.number) for state in states}
        if self.tournament.carries_points and not ranking.is_of_part:
            labels = {0: _("Vorrunde")} | labels
        live = {state.number for state in states if running and state.running}
        terms = terms_of(self.tournament)
        return RankingTable(
            ranking=ranking,
            title=title_of(
                ranking, counted, whole=self.last_whole, is_end=settled and counted == self.serien
            ),
            upto=counted,
            lines=tuple(self._lines(ranking, standings, earlier, labels, live)),
            serien=tuple(states),
            is_final=settled,
            compares=any(line.compared != line.total for line in standings),
            moved_since=before if earlier else 0,
            order=rule_set_of(self.tournament).order,
            columns=tuple(labels.values()),
            terms=(
                *terms_sentences(self.tournament, None if ranking.is_of_part else self.serien),
                *self._lots(ranking),
            ),
            counts_all=not terms.only_whole
            and (ranking.is_of_part or terms.number_counted(self.serien) == self.serien),
        )

    def _ranks(self, ranking: prizes.PrizeRanking, upto: int) -> dict[int, int]:
        standings = self.standings(ranking, upto=upto)
        return {line.number: line.rank for line in standings if line.has_place}

    def _lines(
        self,
        ranking: prizes.PrizeRanking,
        standings: Sequence[Standing],
        earlier: Mapping[int, int],
        labels: Mapping[int, str],
        live: Collection[int],
    ) -> Iterable[RankedLine]:
        is_of_teams = ranking.recipient is not Recipient.PLAYER
        teams = self._teams_with_persons() if is_of_teams else {}
        carries = any(each.carried is not None for each in standings)
        ahead: Standing | None = None
        for standing in standings:
            decided = decided_sentence(
                ahead, standing, by_lot=self.tournament.ties_by_lot, carries=carries
            )
            moved = earlier.get(standing.number, standing.rank) - standing.rank
            moved = moved if standing.has_place else 0
            if is_of_teams:
                team = teams[standing.number]
                members = tuple(self._members(team))
                yield RankedLine(
                    standing=standing,
                    name=team.name,
                    club=_one_club(members),
                    cells=tuple(
                        self._with_members(cell, members, live)
                        for cell in cells_of(standing, labels, {}, {})
                    ),
                    decided=decided,
                    moved=moved,
                    registration=None,
                    team=team,
                    members=members,
                )
            else:
                registration = self.by_number[standing.number]
                yield RankedLine(
                    standing=standing,
                    name=registration.person.list_name,
                    club=registration.club.name if registration.club else "",
                    cells=cells_of(
                        standing,
                        labels,
                        self._statuses.get(registration.pk, {}),
                        self._scaled_before(live, registration),
                    ),
                    decided=decided,
                    moved=moved,
                    registration=registration,
                )
            ahead = standing

    def _scaled_before(self, live: Collection[int], player: Registration) -> Mapping[int, int]:
        """Return the own games of a player's scaled results, except in the Serien *live*."""
        scaled = self._scaled.get(player.pk, {})
        return {serie: games for serie, games in scaled.items() if serie not in live}

    def _with_members(
        self, cell: Cell, members: Iterable[Registration], live: Collection[int]
    ) -> Cell:
        """Return the cell of a team, with a note if the result of a member is scaled."""
        scaled = any(cell.serie in self._scaled_before(live, member) for member in members)
        return replace(cell, note=_("umgerechnet")) if scaled and cell.points is not None else cell


def _scoring_team(team: Team, numbers: dict[int, int]) -> ScoringTeam:
    """Return a team with its members that have results."""
    keys = [member.registration_id for member in team.members.all()]
    return ScoringTeam(
        number=team.pk, members=tuple(numbers[key] for key in keys if key in numbers)
    )


def _one_club(members: Sequence[Registration]) -> str:
    """Return the club of all members; "" if they play for several."""
    clubs = {member.club.name if member.club else "" for member in members}
    return clubs.pop() if len(clubs) == 1 else ""
