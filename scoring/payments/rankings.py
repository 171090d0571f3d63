"""The rankings with prizes, and the names of their places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated

from scoring.errors import Problem
from scoring.reading.records import Record, WholeNumber
from scoring.texts import _

Number = Annotated[int, WholeNumber(1, 1000)]


class Recipient(StrEnum):
    """The competitors of a ranking, who receive its prizes."""

    PLAYER = "player"
    TEAM = "team"
    TANDEM = "tandem"


class RankingCategory(StrEnum):
    """The kinds of ranking with prizes, in the order in which they are listed."""

    OVERALL = "overall"
    DAY = "day"
    SERIE = "serie"
    TEAM = "team"
    TANDEM = "tandem"
    MIXED = "mixed"
    WOMEN = "women"
    JUNIORS = "juniors"
    SENIORS = "seniors"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeRanking(Record):
    """One ranking; only that of a single Serie or day has its number.

    With *from_last* its places are counted from the last of those who have a result in every
    Serie: place 1 is the last. Only rankings of players by all Serien are counted so.
    """

    category: RankingCategory
    serie: Number | None = None
    day: Number | None = None
    from_last: bool = False

    def contradictions(self) -> Iterator[Problem]:
        if self.category is RankingCategory.SERIE and self.serie is None:
            yield Problem("serie", _("Für einen Serienpreis muss die Serie genannt sein."))
        if self.category is not RankingCategory.SERIE and self.serie is not None:
            yield Problem("serie", _("Eine Serie wird nur bei einem Serienpreis genannt."))

        if (self.category is RankingCategory.DAY) != (self.day is not None):
            yield Problem("day", _("Ein Tag wird bei einem Tagespreis genannt, und nur dort."))

        if self.from_last and (self.is_of_part or self.recipient is not Recipient.PLAYER):
            yield Problem(
                "from_last",
                _("Von hinten gezählt wird nur in Wertungen von Personen über alle Serien."),
            )

    @property
    def from_first(self) -> PrizeRanking:
        """The same ranking with its places counted from the first."""
        return replace(self, from_last=False)

    @property
    def is_of_part(self) -> bool:
        """Whether a part of the Serien counts: a single one, or those of a day."""
        return self.serie is not None or self.day is not None

    @property
    def recipient(self) -> Recipient:
        """Whether players, teams or tandems are ranked."""
        match self.category:
            case RankingCategory.TEAM:
                return Recipient.TEAM
            case RankingCategory.TANDEM | RankingCategory.MIXED:
                return Recipient.TANDEM
            case _other:
                return Recipient.PLAYER

    @property
    def order(self) -> tuple[int, int, bool]:
        """Sort key: by category, then by Serie; rankings counted from the last come after."""
        return (
            list(RankingCategory).index(self.category),
            self.serie or self.day or 0,
            self.from_last,
        )

    def place_name(self, place: int) -> str:
        """Return the name of a place: „3. Platz“, „Letzter Platz“."""
        if not self.from_last:
            return _("{place}. Platz").format(place=place)
        last = {1: _("Letzter Platz"), 2: _("Vorletzter Platz")}
        return last.get(place) or _("{place}. Platz von hinten").format(place=place)

    def describe_place(self, place: int) -> str:
        """Return the name of a place with its ranking: „3. Platz Damen“, „Letzter Platz Damen“."""
        return f"{self.place_name(place)} {self.from_first.describe()}"

    def describe(self) -> str:
        """Return the name of the ranking, as in lists of prizes."""
        names = {
            RankingCategory.OVERALL: _("Gesamtwertung"),
            RankingCategory.DAY: _("Tag {number}").format(number=self.day),
            RankingCategory.SERIE: _("Serie {number}").format(number=self.serie),
            RankingCategory.TEAM: _("Mannschaften"),
            RankingCategory.TANDEM: _("Tandems"),
            RankingCategory.MIXED: _("Gemischte Tandems"),
            RankingCategory.WOMEN: _("Damen"),
            RankingCategory.JUNIORS: _("Junioren"),
            RankingCategory.SENIORS: _("Senioren"),
        }
        name = names[self.category]
        return _("Letzte Plätze {ranking}").format(ranking=name) if self.from_last else name


OVERALL = PrizeRanking(category=RankingCategory.OVERALL)
