"""Forms of the rankings: what to show, who won an Entscheidungsspiel, what was given out."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from scoring.payments import prizes
from tournaments.common.digits import number_in
from tournaments.common.ranking_names import ranking_of
from tournaments.results.queries.rankings import OVERALL, Rankings


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which ranking a page or file shows."""

    ranking: prizes.Ranking
    upto: int  # the Serien that count
    running: bool  # whether lists that are still being written count too

    @classmethod
    def of(cls, data: QueryDict, rankings: Rankings) -> Choice:
        """Read an address; what it does not say, or says wrongly, is the usual.

        Usual is the ranking of all players as far as lists are in.
        """
        ranking = ranking_of(data.get("wertung", "")) or OVERALL
        if not rankings.has(ranking):
            ranking = OVERALL
        running = data.get("laufend") == "1"
        reached = rankings.last_begun if running else rankings.last_counted
        wanted = number_in(data.get("nach")) or 0
        upto = wanted if 1 <= wanted <= rankings.serien else max(reached, 1)
        return cls(ranking=ranking, upto=min(upto, rankings.serien), running=running)
