"""The games of one person in a Serie, on all lists (§ 2.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.ruleset import RuleSet
from tournaments.models import Spielliste

if TYPE_CHECKING:
    from tournaments.lists.queries.data import ListData

Status = Spielliste.Status


@dataclass(frozen=True, slots=True)
class OwnGames:
    """The lists of a Serie with a seat or games of one person, the current one first."""

    owner: int  # registration
    lists: Sequence[ListData]
    rule_set: RuleSet

    @property
    def home(self) -> ListData:
        """The list where the person sits; without a seat, the first one that counts."""
        seated = (data for data in self.lists if self.owner in data.seats.values())
        anywhere = self.counting or self.lists
        return next(seated, None) or min(anywhere, key=lambda data: data.table)

    @property
    def counting(self) -> list[ListData]:
        """The lists whose games count."""
        return [data for data in self.lists if data.is_counted]

    @property
    def number(self) -> int:
        """The number of the person's games that count."""
        return sum(data.played(self.rule_set)[self.owner] for data in self.counting)

    @property
    def can_count(self) -> bool:
        """Whether the person has not left, and sits at a list that may count (§ 2.2.6)."""
        return not any(
            self.owner in data.left()
            or (data.status == Status.INVALID and self.owner in data.seats.values())
            for data in self.lists
        )

    @property
    def is_over(self) -> bool:
        """Whether no further game is possible."""
        return all(data.status != Status.OPEN for data in self.lists)

    @property
    def is_whole(self) -> bool:
        """Whether games count, and no further game is possible."""
        return self.number > 0 and self.is_over
