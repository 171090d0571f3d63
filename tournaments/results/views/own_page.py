"""The content of own pages: data shared by all players, and the parts of each player."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scoring.ruleset import RuleSet
from tournaments.announcement.queries import publication
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.data import ListData
from tournaments.models import Registration, Spielliste
from tournaments.notices.queries.notices import addressed_registrations
from tournaments.notices.queries.signs import Sign, signs
from tournaments.results.forms import RankingSelection
from tournaments.results.queries import charts, rank_chart
from tournaments.results.queries.player_results import (
    best_game,
    played_lists,
    ranks_after_each,
    seat_name,
)
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.tables import RankedLine, RankingTable
from tournaments.web.cached_answers import cached

PARTS = "tournaments/results/_own_{}.html"


@dataclass(kw_only=True)
class OwnPages:
    """The data of a tournament for all of its own pages."""

    rankings: Rankings
    visible: publication.PublicPart
    table: RankingTable | None
    lines: dict[int, RankedLine]  # with a result, by start number
    has_live: bool
    extra_minutes: dict[int, int]  # by key of the list, if there are any
    rule_set: RuleSet
    _signs: dict[tuple[int, int], list[Sign]] = field(default_factory=dict)

    @classmethod
    def of(cls, rankings: Rankings) -> OwnPages:
        """Return the current data."""
        visible = publication.visible_ranking(rankings.tournament, rankings.serien)
        choice = RankingSelection.of(QueryDict(), rankings, most=visible.upto)
        table = None
        if visible.upto:
            table = rankings.table(choice.ranking, upto=choice.upto, running=choice.running)
        extended = Spielliste.objects.filter(
            table__serie__tournament=rankings.tournament, extra_minutes__gt=0
        )
        ranked = [line for line in table.lines if line.has_result] if table else []
        return cls(
            rankings=rankings,
            visible=visible,
            table=table,
            lines={line.standing.number: line for line in ranked},
            has_live=rankings.stand(most=visible.upto, live=True).running,
            rule_set=rule_set_of(rankings.tournament),
            extra_minutes=dict(extended.order_by().values_list("pk", "extra_minutes")),
        )

    @cached_property
    def ranked(self) -> int:
        """The number of players with a place."""
        return sum(line.has_place for line in self.lines.values())

    @cached_property
    def ranks(self) -> list[dict[int, int]]:
        """The ranks after each public Serie, by start number."""
        return ranks_after_each(self.rankings, self.visible.upto)

    @cached_property
    def addressed(self) -> frozenset[int]:
        """The keys of registrations that have notices, cases or messages."""
        return addressed_registrations(self.rankings.tournament)

    def signs_for(self, registration: Registration) -> list[Sign]:
        """Return the signs for the player's current or last table; see `signs.signs_at`."""
        pk, tournament = registration.pk, self.rankings.tournament
        seated = (data for data in self._lists(pk)[::-1] if pk in data.seats.values())
        newest = next(seated, None)
        if newest is None or newest.status not in Spielliste.AT_THE_TABLE:
            return signs(tournament, None)
        place = newest.serie, self.extra_minutes.get(newest.pk, 0)
        if place not in self._signs:
            serie = self.rankings.played_serien.get(newest.serie)
            self._signs[place] = signs(tournament, serie, extra_minutes=place[1])
        return self._signs[place]

    def next_begins(self, registration: Registration) -> datetime | None:
        """Return when the player's next Serie begins by the Zeitplan; None if that is not set."""
        days = self.rankings.tournament.days
        to_come = (
            serie.number
            for serie in self.rankings.played_serien.values()
            if serie.is_to_come and registration.plays(days.of_serie(serie.number))
        )
        serie = next(to_come, None) if registration.plays_next else None
        return None if serie is None else days.begins(serie)

    def _lists(self, registration: int) -> list[ListData]:
        return self.rankings.lists_of.get(registration, [])

    def parts(self, registration: Registration) -> dict[str, str]:
        """Return the parts of the own page of a player.

        Parts that depend only on the player's lists are cached until these change.
        """
        pk, rankings = registration.pk, self.rankings
        lists, slug = self._lists(pk), rankings.tournament.slug
        names = [
            seat_name(rankings.registrations.get(owner), is_mine=owner == pk)
            for data in lists
            for owner in data.seats.values()
        ]
        of_lists = (slug, self.rule_set, lists, names, rankings.carried(registration))
        drawn = cached(("own lists", pk), of_lists, lambda: self._draw_lists(registration))
        shown = {
            "tournament": rankings.tournament,
            "rank": self.lines.get(registration.number or 0),
            "ranked": self.ranked,
            "ranking": self.table,
            "has_live": self.has_live,
            "visible": self.visible,
            "rank_chart": rank_chart.of_player(registration.number or 0, self.ranks),
        }
        return {**drawn, "standing": render_to_string(PARTS.format("standing"), shown)}

    def _draw_lists(self, registration: Registration) -> dict[str, str]:
        lists = played_lists(self.rankings, registration)
        start = self.rankings.carried(registration)
        course = charts.course_of(lists, start=start)
        shown = {
            "tournament": self.rankings.tournament,
            "lists": lists[::-1],  # the current Serie first
            "chart": charts.course(course, title=_("Verlauf der Punkte"), start=start),
            "best": best_game(lists),
        }
        return {part: render_to_string(PARTS.format(part), shown) for part in ("seat", "games")}
