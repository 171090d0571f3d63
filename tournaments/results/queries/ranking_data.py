"""The data of a tournament that its rankings depend on, read once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from itertools import takewhile

from django.db.models import Prefetch, prefetch_related_objects

from scoring.competitors import Competitor
from scoring.payments.prizes import RankingCategory
from scoring.ruleset import TieBreak
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries import data as list_data
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.loading import load_lists
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
from tournaments.results.queries.tables import ListsState, state_of


class RankingData:
    """The data of all rankings of one tournament; each part is read when needed."""

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
        return load_lists(self.tournament)

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
        """The registrations by start number."""
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
        """The registrations in rankings for a part of the players, by key of the ranking."""
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
        """The number of games played on lists that can count, by registration and Serie."""
        games_of, rule_set = Counter[tuple[int, int]](), rule_set_of(self.tournament)
        for data in self.lists:
            if data.status in list_data.PROVISIONAL:
                played = data.played(rule_set).items()
                games_of.update({(owner, data.serie): games for owner, games in played})
        return games_of

    def carried(self, registration: Registration) -> int:
        """Return the carried points of a registration; 0 if there are none."""
        return (registration.carried_points or 0) if self.tournament.carries_points else 0

    def with_more_games(self, upto: int) -> set[int]:
        """Return the registrations that had more games in a Serie than a whole list (§ 2.2.1).

        They changed tables, and so had more games to finish; comparisons leave them out.
        """
        most = rule_set_of(self.tournament).most_own_games
        return {
            owner
            for (owner, serie), games in self.own_games.items()
            if serie <= upto and games > most
        }

    def entries(self, *, running: bool = False, of_part: bool = False) -> dict[int, Competitor]:
        """Return the results of all players, by key of the registration.

        With *of_part* they are for a ranking of a single Serie or a day, in which all Serien count.
        """
        if running and of_part and self.tournament.best_serien:
            return self._running_entries_of_part
        return self._running_entries if running else self._entries

    @cached_property
    def tie_breaks(self) -> tuple[TieBreak, ...]:
        """The criteria of the rule set between equal points."""
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
        """The last Serie up to which no list is missing; 0 if there is none."""
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

    @cached_property
    def _statuses(self) -> dict[int, dict[int, str]]:
        """The status of each player's list: registration → Serie → status."""
        statuses: dict[int, dict[int, str]] = defaultdict(dict)
        for data in self.lists:
            for registration in data.seats.values():
                statuses[registration][data.serie] = data.status
        for data in self.lists:
            if data.spans and data.status == Spielliste.Status.OPEN:
                for registration in data.people:  # players at other tables may return
                    statuses[registration][data.serie] = data.status
        return statuses

    @cached_property
    def _scaled(self) -> dict[int, dict[int, int]]:
        """The own games of each scaled result: registration → Serie → games."""
        rule_set = rule_set_of(self.tournament)
        scaled: dict[int, dict[int, int]] = defaultdict(dict)
        for data in self.lists:
            for registration, games in data.scaled(rule_set).items():
                scaled[registration][data.serie] = games
        return scaled

    def _teams_with_persons(self) -> dict[int, Team]:
        """Return all teams by key; earlier persons of their members are prefetched."""
        teams = {team.pk: team for rows in self.teams.values() for team in rows}
        members = [member for team in teams.values() for member in self._members(team)]
        left = Prefetch("substitutions", Substitution.objects.select_related("left"))
        prefetch_related_objects(members, left)
        return teams

    def _members(self, team: Team) -> list[Registration]:
        members: Iterable[TeamMember] = team.members.all()
        known = [self.registrations.get(member.registration_id) for member in members]
        return [registration for registration in known if registration is not None]
