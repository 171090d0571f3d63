"""The outcome of a closed tournament: winners, podium, and numbers of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tournaments.announcement.queries.publication import team_name
from tournaments.common.ranking_names import label_of, slug_of
from tournaments.lists.queries import data as list_data
from tournaments.models import Tournament
from tournaments.people.queries.naming import STAFF, Readers
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.results.queries.statistics import Statistics
from tournaments.results.queries.tables import RankedLine

PODIUM = 3  # ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class PodiumPlace:
    """One of the best of all players."""

    line: RankedLine
    name: str  # with the start number if another player of the ranking has the same name
    club: str  # of a named person


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPlace:
    """The best of a ranking besides that of all players."""

    label: str  # "Damen"
    slug: str
    names: Sequence[str]  # several if a tie was not decided


class TournamentOutcome:
    """The result of a tournament after all its Serien; as many queries as its ranking has.

    The names are those that *readers* may see.
    """

    def __init__(self, tournament: Tournament, readers: Readers = STAFF) -> None:
        self._rankings = Rankings(tournament)
        lines = [line for line in self._rankings.table(OVERALL).lines if line.has_result]
        self.players = len(lines)  # including players without a place, who missed a Serie
        self._ranked = [line for line in lines if line.has_place]
        self._readers = readers.among(
            line.registration for line in self._ranked if line.registration is not None
        )

    def _name(self, line: RankedLine) -> str:
        if line.registration is None:
            return team_name(line.name, line.members, self._readers)
        return self._readers.of(line.registration)

    def _place(self, line: RankedLine) -> PodiumPlace:
        is_named = line.registration is None or self._readers.names(line.registration)
        return PodiumPlace(line=line, name=self._name(line), club=line.club if is_named else "")

    def _places(self, ranks: range) -> list[PodiumPlace]:
        return [self._place(line) for line in self._ranked if line.standing.rank in ranks]

    @property
    def winners(self) -> list[PodiumPlace]:
        """The winners; several if a tie was not decided, none without a result."""
        return self._places(range(1, 2))

    @property
    def runners_up(self) -> list[PodiumPlace]:
        """The rest of the podium."""
        return self._places(range(2, PODIUM + 1))

    @property
    def serien(self) -> int:
        """The number of Serien played."""
        return self._rankings.serien

    @cached_property
    def games(self) -> int:
        """The number of games on lists that count."""
        lists = self._rankings.lists
        return sum(len(data.texts) for data in lists if data.status in list_data.COMPLETE)

    @cached_property
    def handrommes(self) -> int:
        """The number of these games that were finished by Handrommé."""
        return len(Statistics(self._rankings).handrommes)

    @cached_property
    def first_places(self) -> list[FirstPlace]:
        """The best of each further ranking of all Serien."""
        rankings = [
            ranking
            for ranking in self._rankings.choices()
            if not ranking.is_of_part and ranking != OVERALL
        ]
        first_places = []
        for ranking in rankings:
            lines = self._rankings.table(ranking).lines
            best = [line for line in lines if line.has_place and line.standing.rank == 1]
            if best:
                label, slug = label_of(ranking), slug_of(ranking)
                names = [self._name(line) for line in best]
                first_places.append(FirstPlace(label=label, slug=slug, names=names))
        return first_places
