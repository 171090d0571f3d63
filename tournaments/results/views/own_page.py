"""What own pages show: of the tournament the same for all, and each player's own beside it.

Pages that ask again get what is the same once for each revision, and what is drawn of their own
lists as long as these say the same: somebody else's game changes a place at most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.ruleset import RuleSet
from tournaments.announcement.queries import publication
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.data import ListData
from tournaments.models import Case, Notice, Registration, Spielliste
from tournaments.models.prepared import Prepared
from tournaments.notices.queries.signs import Sign, signs
from tournaments.results.forms import Choice
from tournaments.results.queries import charts
from tournaments.results.queries.player_results import played_lists, seat_name
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.tables import RankedLine, Table

PARTS = "tournaments/results/_own_{}.html"
BETWEEN = "\0"  # parts that are kept as one

_EXTRA_MINUTES = Prepared(
    lambda tournament: (
        Spielliste.objects.filter(table__serie__tournament_id=tournament, extra_minutes__gt=0)
        .values_list("pk", "extra_minutes")
        .order_by()
    )
)

Drawn = Callable[[tuple[str, int], object, Callable[[], str]], SafeString]


def drawn_anew(_what: object, _facts: object, draw: Callable[[], str]) -> SafeString:
    """Draw, as for somebody who opens a page; see `drawn_once`."""
    return SafeString(draw())


@dataclass(kw_only=True)
class OwnPages:
    """What own pages show of a tournament; the same for all of them but for whose it is."""

    rankings: Rankings
    visible: publication.Visible
    table: Table | None
    lines: dict[int, RankedLine]  # with a result, by start number
    has_live: bool
    extra_minutes: dict[int, int]  # by key of the list, where there are any
    rule_set: RuleSet
    _signs: dict[tuple[int, int], list[Sign]] = field(default_factory=dict)

    @classmethod
    def of(cls, rankings: Rankings) -> OwnPages:
        """Return it as it is now."""
        visible = publication.visible_ranking(rankings.tournament, rankings.serien)
        choice = Choice.of(QueryDict(), rankings, most=visible.upto)
        table = None
        if visible.upto:
            table = rankings.table(choice.ranking, upto=choice.upto, running=choice.running)
        ranked = [line for line in table.lines if line.has_result] if table else []
        return cls(
            rankings=rankings,
            visible=visible,
            table=table,
            lines={line.standing.number: line for line in ranked},
            has_live=rankings.stand(most=visible.upto, live=True).running,
            rule_set=rule_set_of(rankings.tournament),
            extra_minutes=dict(_EXTRA_MINUTES.rows(rankings.tournament.pk)),
        )

    @cached_property
    def told(self) -> set[int]:
        """Who has more on the page than games: keys of registrations; 1 query."""
        here = {"registration__tournament": self.rankings.tournament}
        notices, cases = (
            kind.objects.order_by().filter(**here).values_list("registration", flat=True)
            for kind in (Notice, Case)
        )
        return set(notices.union(cases))

    def signs_for(self, registration: Registration) -> list[Sign]:
        """Return the signs for where somebody sits, or sat last; see `signs.signs_at`."""
        pk, tournament = registration.pk, self.rankings.tournament
        seated = (one for one in self._lists(pk)[::-1] if pk in one.seats.values())
        newest = next(seated, None)
        if newest is None or newest.status not in Spielliste.AT_THE_TABLE:
            return signs(tournament, None)
        place = newest.serie, self.extra_minutes.get(newest.pk, 0)
        if place not in self._signs:
            serie = self.rankings.played_serien.get(newest.serie)
            self._signs[place] = signs(tournament, serie, extra_minutes=place[1])
        return self._signs[place]

    def _lists(self, registration: int) -> list[ListData]:
        return self.rankings.lists_of.get(registration, [])

    def parts(self, registration: Registration, drawn: Drawn) -> dict[str, str]:
        """Return the parts that stand on the page of a player.

        Args:
            registration: whose page it is.
            drawn: `drawn_once` for a page that asks again, else `drawn_anew`.
        """
        pk, rankings = registration.pk, self.rankings
        lists, slug = self._lists(pk), rankings.tournament.slug
        names = [
            seat_name(rankings.registrations.get(owner), is_mine=owner == pk)
            for one in lists
            for owner in one.seats.values()
        ]
        of_lists = (slug, self.rule_set, lists, names)
        both = drawn(("own lists", pk), of_lists, lambda: self._draw_lists(registration))
        seat, _between, games = both.partition(BETWEEN)
        rank = self.lines.get(registration.number or 0)
        standing = rank and (*rank.standing[:5], rank.so_far, rank.decided)
        title = self.table.title if self.table else ""
        of_rank = (slug, standing, len(self.lines), title, self.has_live, self.visible.note)
        return {
            "seat": SafeString(seat),
            "standing": drawn(("own standing", pk), of_rank, lambda: self._draw_standing(rank)),
            "games": SafeString(games),
        }

    def _draw_lists(self, registration: Registration) -> str:
        lists = played_lists(self.rankings, registration)
        shown = {
            "tournament": self.rankings.tournament,
            "lists": lists[::-1],  # what is played now first
            "chart": charts.course_in_both_shapes(lists, _("Verlauf der Punkte")),
        }
        drawn = (render_to_string(PARTS.format(part), shown) for part in ("seat", "games"))
        return BETWEEN.join(drawn)

    def _draw_standing(self, rank: RankedLine | None) -> str:
        shown = {
            "tournament": self.rankings.tournament,
            "rank": rank,
            "ranked": len(self.lines),
            "ranking": self.table,
            "has_live": self.has_live,
            "visible": self.visible,
        }
        return render_to_string(PARTS.format("standing"), shown)
