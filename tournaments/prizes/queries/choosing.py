"""Things that are chosen in order of rank: the choosers, the current one, and the things left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from scoring.payments.choosing import AbsentChooser, ThingsToChoose
from tournaments.models import Registration, Team
from tournaments.people.queries.naming import Readers
from tournaments.prizes.queries.rows import PrizeRow

POT = "auswahl"  # of the payouts; no money is in it


@dataclass(frozen=True, slots=True, kw_only=True)
class Chooser:
    """A person or team that may choose, with the place and the payout of the chosen thing."""

    row: PrizeRow
    rank: int  # in the order of choosing; 1 is the last place if choosing begins there
    place: str  # „7. Platz“, „Letzter Platz“
    shares_rank: bool

    @property
    def key(self) -> str:
        """The key in forms, as of ``rows.Winner``."""
        return f"r{self.registration.pk}" if self.registration else f"t{self.row.team_pk}"

    @property
    def registration(self) -> Registration | None:
        """The registration; None for a team."""
        return self.row.registration

    @property
    def team(self) -> Team | None:
        """The team, if it is one."""
        return self.row.team

    @property
    def thing(self) -> str:
        """The chosen thing; "" before that."""
        return self.row.goods

    @property
    def is_passed(self) -> bool:
        """Whether the person was absent when called up."""
        return not self.thing and any(payout.passed_at for payout in self.row.payouts)

    def called(self, readers: Readers | None = None) -> str:
        """Return number and name: „Nr. 12 · Berg, Erika“; of a team its name."""
        if self.registration is None:
            return self.row.recipient_name
        name = readers.list_name(self.registration) if readers else self.row.recipient_name
        return _("Nr. {number} · {name}").format(number=self.registration.number, name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedThing:
    """One thing of the list, by its number there."""

    number: int
    name: str
    is_left: bool


@dataclass(frozen=True)
class ChoosingState:
    """The state of the choosing, computed from the ranking and the stored rows."""

    plan: ThingsToChoose
    is_settled: bool  # whether the ranking is settled
    ranked: Sequence[Chooser]  # all with a place, by rank and number
    given: Sequence[str]  # the things handed over, also to persons without a place now

    @cached_property
    def things(self) -> list[ListedThing]:
        """The things in the order of the plan; of equal ones the first is chosen first."""
        counts = Counter(self.given)
        things = []
        for number, name in enumerate(self.plan.things, start=1):
            is_left = not counts[name]
            counts[name] -= not is_left
            things.append(ListedThing(number=number, name=name, is_left=is_left))
        return things

    @property
    def left(self) -> list[ListedThing]:
        """The things that are not chosen yet."""
        return [thing for thing in self.things if thing.is_left]

    @property
    def choosers(self) -> list[Chooser]:
        """The choosers: all, or as many as there are things, including those called before.

        A person who is passed over for good makes room for the next one. All who share the last
        place are included, because a lot decides which of them chooses.
        """
        if not self.is_settled:
            return []
        if self.plan.for_all:
            return list(self.ranked)
        room, called, last = len(self.left), [], None
        for chooser in self.ranked:
            last = chooser.rank if room > 0 else last
            if chooser.rank == last or chooser.thing or chooser.is_passed:
                called.append(chooser)
            if not (
                chooser.thing or (chooser.is_passed and self.plan.gone is AbsentChooser.PASSED)
            ):
                room -= 1
        return called

    @property
    def waiting_choosers(self) -> Iterator[Chooser]:
        """The choosers who have not chosen yet, in the order of calling up."""
        waiting = [chooser for chooser in self.choosers if not chooser.thing]
        yield from (chooser for chooser in waiting if not chooser.is_passed)
        if self.plan.gone is AbsentChooser.LATER:
            yield from (chooser for chooser in waiting if chooser.is_passed)

    @property
    def now(self) -> Chooser | None:
        """The chooser who is called up now; None if all have chosen or no thing is left."""
        return next(self.waiting_choosers, None) if self.left or self.plan.for_all else None

    @property
    def is_unnamed(self) -> bool:
        """Whether a person chooses a thing that is not on the list."""
        return self.plan.for_all and not self.left
