"""The parameters of a ranking in an address."""

from __future__ import annotations

from dataclasses import dataclass

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from scoring.payments import prizes
from tournaments.announcement.forms.tournament import StartForm
from tournaments.common.digits import number_in
from tournaments.common.ranking_names import ranking_of
from tournaments.results.queries.rankings import OVERALL, Rankings, Stand
from tournaments.results.queries.tables import RankingTable
from tournaments.web.fields import NumberField


class InviteForm(forms.Form):
    """The number of ranks that are invited."""

    most = NumberField(label=_("Die ersten … Plätze"), min_value=1, max_value=1000, initial=10)


class FinalForm(StartForm):
    """The following tournament, and the places of the ranking that qualify for it."""

    first = NumberField(label=_("Von Platz"), min_value=1, max_value=1000, initial=1)
    last = NumberField(label=_("Bis Platz"), min_value=1, max_value=1000, initial=16)
    carries_points = forms.BooleanField(
        label=_("Die Punkte werden mitgenommen, sonst beginnen sie bei null"), required=False
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingSelection:
    """The ranking that a page or file shows."""

    ranking: prizes.PrizeRanking
    upto: int  # the Serien that count
    running: bool  # whether unfinished lists count
    most: int  # Serien that may be shown

    @classmethod
    def of(
        cls,
        data: QueryDict,
        rankings: Rankings,
        *,
        ranking: prizes.PrizeRanking | None = None,
        most: int | None = None,
    ) -> RankingSelection:
        """Read an address; missing or invalid parameters have their defaults.

        The default is the ranking of all players after the last whole Serie (``Rankings.stand``).

        Args:
            ranking: takes precedence over that of the address.
            most: Serien that may be shown; None for all.
        """
        if ranking is None:
            asked = ranking_of(data.get("wertung", ""))
            ranking = asked if asked and rankings.has(asked) else OVERALL
        most = rankings.serien if most is None else most
        stand = rankings.stand(ranking, most=most, live=data.get("laufend") == "1")
        upto = number_in(data.get("nach")) or 0
        if 1 <= upto <= min(rankings.last_whole, most) and not ranking.is_of_part:
            stand = Stand(upto, running=False)
        return cls(ranking=ranking, upto=stand.upto, running=stand.running, most=most)

    def table(self, rankings: Rankings) -> RankingTable:
        """Return the chosen ranking, with the ranks gained or lost by each line."""
        return rankings.table(self.ranking, upto=self.upto, running=self.running, moves=True)
