"""The rankings of a tournament at any stand (§ 1.5).

One object reads the data of all rankings once, in a fixed number of queries, and returns any
of them: single, team, tandem, women, juniors, seniors, a single Serie; after *n* Serien or
at the end; with or without the lists that are still being written.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import Any, NamedTuple

from django.db.models import Prefetch, prefetch_related_objects
from django.utils.translation import gettext as _

from scoring.payments import prizes
from scoring.payments.prizes import RankingCategory, Recipient
from scoring.ruleset import TieBreak
from scoring.standings import Competitor, Standing, rank_entries, rank_serie
from scoring.teams import Team as ScoringTeam
from scoring.teams import rank_teams
from tournaments.announcement.queries.ausschreibung_text import terms_sentences
from tournaments.common.ranking_names import part_of, slug_of
from tournaments.common.rules import rule_set_of, terms_of
from tournaments.lists.queries import data as list_data
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.seat_history import is_substituted
from tournaments.models import (
    Playoff,
    Ranking,
    Registration,
    Serie,
    Spielliste,
    Substitution,
    Team,
    TeamMember,
    Tournament,
)
from tournaments.results.queries import results
from tournaments.results.queries.tables import (
    Cell,
    ListsState,
    RankedLine,
    RankingTable,
    cells_of,
    decided_sentence,
    line_json,
    state_of,
    title_of,
)

OVERALL = prizes.OVERALL


class Stand(NamedTuple):
    """The stand of a ranking."""

    upto: int  # Serien that count
    running: bool  # whether unfinished lists count


class Rankings:
    """The rankings of one tournament; each part of the data is read when needed."""

    def __init__(
        self,
        tournament: Tournament,
        *,
        lists: list[ListData] | None = None,
        entries: dict[int, Competitor] | None = None,
    ) -> None:
        self.tournament = tournament
        if lists is not None:
            self.lists = lists
        if entries is not None:
            self._entries = entries

    @cached_property
    def lists(self) -> list[ListData]:
        """All lists, by Serie and table."""
        return list_data.load_lists(self.tournament)

    @cached_property
    def lists_of(self) -> dict[int, list[ListData]]:
        """The lists in which a registration has a seat or games, by its key."""
        lists: dict[int, list[ListData]] = defaultdict(list)
        for data in self.lists:
            for owner in {*data.seats.values(), *(owner for _seat, _game, owner in data.spans)}:
                lists[owner].append(data)
        return lists

    @cached_property
    def played_serien(self) -> dict[int, Serie]:
        """The Serien that are played, by number."""
        return {serie.number: serie for serie in self.tournament.serien.all()}

    @property
    def serien(self) -> int:
        """The number of Serien that are played."""
        return len(self.played_serien)

    @cached_property
    def registrations(self) -> dict[int, Registration]:
        """The registrations with a start number, by key."""
        registrations = self.tournament.registrations.filter(number__isnull=False)
        registrations = registrations.annotate(is_substituted=is_substituted("pk"))
        return {
            registration.pk: registration
            for registration in registrations.select_related("person", "club").order_by("number")
        }

    @cached_property
    def by_number(self) -> dict[int, Registration]:
        """The same, by start number."""
        return {
            registration.number or 0: registration for registration in self.registrations.values()
        }

    @cached_property
    def stored_rankings(self) -> dict[RankingCategory, Ranking]:
        """The rankings of the tournament besides those of single Serien."""
        by_category = {ranking.category: ranking for ranking in self.tournament.rankings.all()}
        return {
            category: by_category[category]
            for category in RankingCategory
            if category in by_category
        }

    @cached_property
    def teams(self) -> dict[int, list[Team]]:
        """The teams of each ranking, by its key; ``members`` are prefetched."""
        teams_of: dict[int, list[Team]] = defaultdict(list)
        teams = Team.objects.filter(ranking__tournament=self.tournament).order_by("pk")
        for team in teams.prefetch_related("members"):
            teams_of[team.ranking_id].append(team)
        return teams_of

    @cached_property
    def playoffs(self) -> list[Playoff]:
        """The Entscheidungsspiele that count, in the order they were recorded."""
        counting = self.tournament.playoffs.filter(withdrawn_at__isnull=True)
        return list(counting.select_related("serie", "ranking").order_by("pk"))

    @cached_property
    def _members_of_part(self) -> dict[int, set[int]]:
        """The keys of registrations in rankings of a part of the players, by key of the ranking."""
        through = Registration.rankings.through
        members: dict[int, set[int]] = defaultdict(set)
        rows = through.objects.filter(ranking__tournament=self.tournament)
        for ranking, registration in rows.values_list("ranking", "registration"):
            members[ranking].add(registration)
        return members

    @cached_property
    def _entries(self) -> dict[int, Competitor]:
        return results.entries(self.tournament, lists=self.lists, upto=self.serien)

    @cached_property
    def _running_entries(self) -> dict[int, Competitor]:
        return results.entries(
            self.tournament, lists=self.lists, upto=self.serien, provisional=True
        )

    @cached_property
    def _running_entries_of_part(self) -> dict[int, Competitor]:
        return results.entries(
            self.tournament, lists=self.lists, upto=self.serien, provisional=True, of_part=True
        )

    @cached_property
    def own_games(self) -> Counter[tuple[int, int]]:
        """The games played on lists that can count, by registration and Serie."""
        games_of, rule_set = Counter[tuple[int, int]](), rule_set_of(self.tournament)
        for data in self.lists:
            if data.status in list_data.PROVISIONAL:
                played = data.played(rule_set).items()
                games_of.update({(owner, data.serie): games for owner, games in played})
        return games_of

    def carried(self, registration: Registration) -> int:
        """Return the points that a registration takes along; 0 where none are."""
        return (registration.carried_points or 0) if self.tournament.carries_points else 0

    def with_more_games(self, upto: int) -> set[int]:
        """Return the registrations that had more games in a Serie than a list asks for (§ 2.2.1).

        By a change of tables: they had more games to finish, and no comparison counts that.
        """
        most = rule_set_of(self.tournament).most_own_games
        return {
            owner
            for (owner, serie), games in self.own_games.items()
            if serie <= upto and games > most
        }

    def entries(self, *, running: bool = False, of_part: bool = False) -> dict[int, Competitor]:
        """Return the results of all players, by key of the registration.

        With *of_part* they are for a ranking of single Serien or a day, in which all Serien count.
        """
        if running and of_part and self.tournament.best_serien:
            return self._running_entries_of_part
        return self._running_entries if running else self._entries

    @cached_property
    def tie_breaks(self) -> tuple[TieBreak, ...]:
        """What decides between equal points by the rule set."""
        return rule_set_of(self.tournament).tie_breaks

    @cached_property
    def states(self) -> list[ListsState]:
        """The state of each Serie."""
        by_serie: dict[int, list[ListData]] = defaultdict(list)
        for data in self.lists:
            by_serie[data.serie].append(data)
        return [state_of(number, by_serie[number]) for number in range(1, self.serien + 1)]

    @property
    def last_whole(self) -> int:
        """The last Serie for which no list is missing up to it; 0 if there is none."""
        whole = takewhile(lambda state: state.tables and not state.running, self.states)
        return sum(1 for _state in whole)

    @property
    def last_counted(self) -> int:
        """The last Serie with results; 0 if there is none."""
        return max((state.number for state in self.states if state.counted), default=0)

    @property
    def last_begun(self) -> int:
        """The last Serie with a game; 0 if there is none."""
        return max((data.serie for data in self.lists if data.text), default=0)

    def stand(
        self, ranking: prizes.PrizeRanking = OVERALL, *, most: int | None = None, live: bool = False
    ) -> Stand:
        """Return the default stand of a ranking.

        That is the order after the last whole Serie, on all pages and on the screen, because
        of the next one only some lists are complete. Without such an order, for a single
        running Serie, and with *live*, unfinished lists count, too.

        Args:
            ranking: one of ``choices``.
            most: Serien that may be counted at most; None for all.
            live: prefer the order while games are being played, if there is one.
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
        """Whether a ranking is decided except for ties: all its lists are verified or invalid."""
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
        """Return the Entscheidungsspiele that count in *ranking*, best first each."""
        return [
            list(playoff.order) for playoff in self.playoffs if self.counts_in(playoff, ranking)
        ]

    def _lots(self, ranking: prizes.PrizeRanking) -> Iterator[str]:
        """Yield what anybody can draw again: the seeds of the lots that count in *ranking*."""
        for playoff in self.playoffs:
            if playoff.seed and self.counts_in(playoff, ranking):
                names = self.lot_names(ranking, playoff.order)
                drawn = _("Gelost mit „{seed}“: {order}.")
                yield drawn.format(seed=playoff.seed, order=", ".join(names.values()))

    def lot_names(self, ranking: prizes.PrizeRanking, numbers: Iterable[int]) -> dict[int, str]:
        """Return how players or teams are called in a lot, by start number or key.

        Teams have the start numbers of their members: a name can change, and not everybody may
        read it. It is the same text in every language, since the lot is drawn by it.
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

        Those between players count in every ranking of players by all Serien; for a single
        Serie only those played for it count, and for teams those between teams.
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
            running: count lists that are still being written, too.
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

    @cached_property
    def _statuses(self) -> dict[int, dict[int, str]]:
        """The status of each player's list: registration → Serie → status."""
        statuses: dict[int, dict[int, str]] = defaultdict(dict)
        for data in self.lists:
            for registration in data.seats.values():
                statuses[registration][data.serie] = data.status
        for data in self.lists:
            if data.spans and data.status == Spielliste.Status.OPEN:
                for registration in data.people:  # who sits elsewhere may come back to it
                    statuses[registration][data.serie] = data.status
        return statuses

    def _scaled_before(self, live: Collection[int], player: Registration) -> Mapping[int, int]:
        """Return the own games where a player is scaled, but for the Serien that run *live*."""
        scaled = self._scaled.get(player.pk, {})
        return {serie: games for serie, games in scaled.items() if serie not in live}

    def _with_members(
        self, cell: Cell, members: Iterable[Registration], live: Collection[int]
    ) -> Cell:
        """Return the cell of a team, with a note if the result of a member is scaled."""
        scaled = any(cell.serie in self._scaled_before(live, member) for member in members)
        return replace(cell, note=_("umgerechnet")) if scaled and cell.points is not None else cell

    @cached_property
    def _scaled(self) -> dict[int, dict[int, int]]:
        """The own games of each player where they are scaled: registration → Serie → games."""
        rule_set = rule_set_of(self.tournament)
        scaled: dict[int, dict[int, int]] = defaultdict(dict)
        for data in self.lists:
            for registration, games in data.scaled(rule_set).items():
                scaled[registration][data.serie] = games
        return scaled

    def _teams_with_persons(self) -> dict[int, Team]:
        """Return all teams by key; earlier persons of their members are read for all at once."""
        teams = {team.pk: team for rows in self.teams.values() for team in rows}
        members = [member for team in teams.values() for member in self._members(team)]
        left = Prefetch("substitutions", Substitution.objects.select_related("left"))
        prefetch_related_objects(members, left)
        return teams

    def _members(self, team: Team) -> list[Registration]:
        members: Iterable[TeamMember] = team.members.all()
        known = [self.registrations.get(member.registration_id) for member in members]
        return [registration for registration in known if registration is not None]


def _scoring_team(team: Team, numbers: dict[int, int]) -> ScoringTeam:
    """Return a team with its members that have results."""
    keys = [member.registration_id for member in team.members.all()]
    return ScoringTeam(
        number=team.pk, members=tuple(numbers[key] for key in keys if key in numbers)
    )


def _one_club(members: Sequence[Registration]) -> str:
    """Return the club that all members play for, if there is one."""
    clubs = {member.club.name if member.club else "" for member in members}
    return clubs.pop() if len(clubs) == 1 else ""


def standings_json(rankings: Rankings, ranking: prizes.PrizeRanking, upto: int) -> dict[str, Any]:
    """Return a ranking in the format of other programs (``docs/formats.md`` 4)."""
    table = rankings.table(ranking, upto=upto)
    data: dict[str, Any] = {"tournament": rankings.tournament.slug}
    if ranking != OVERALL:
        data["ranking"] = slug_of(ranking)
    return {
        **data,
        "series_counted": len(table.serien),
        "standings": [line_json(line) for line in table.lines],
    }
