"""The owners of the games of a list whose players changed seats during it.

Every page and paper with such a list draws a line below the last game before each change, and
names the owners of the games above it (§ 2.2.4: a signed list must be verifiable).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.utils.translation import gettext as _

from scoring.spielliste import SeatResult
from tournaments.common.formats import NOTHING, points
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.seat_history import Sitters
from tournaments.models import Registration


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedGames:
    """Successive games of a seat that belong to a player who no longer sits there."""

    seat: int
    first: int
    last: int
    owner_seat: int | None  # where the player sits now; None: no longer at this table
    number: int | None  # start number
    name: str
    total: int | None  # result from this list, if no column shows it

    @property
    def sentence(self) -> str:
        """The sentence that names the owner; the page of the table makes the same one."""
        key = "moved" if self.first == 1 else "movedFrom"
        if self.first == self.last:
            key = "movedOne"
        player = f"{self.number} · {self.name}" if self.number else self.name
        text = sentences()[key].format(seat=self.seat, n=self.first, last=self.last, name=player)
        if self.total is None:
            return text
        return f"{text} {sentences()['movedTotal'].format(total=points(self.total))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatMoves:
    """The changes of seats during a list; empty for nearly every list."""

    after: tuple[int, ...] = ()  # games below which there is a line, ascending
    games: tuple[MovedGames, ...] = ()

    @property
    def sentences(self) -> list[str]:
        """The sentences about games of other owners than the player of the seat."""
        return [moved.sentence for moved in self.games]


def sentences() -> dict[str, str]:
    """Return the sentences by name, with places for seat, games, player and result."""
    return {
        "moved": _("Platz {seat}: Die Spiele bis Nr. {last} gehören zu {name}."),
        "movedFrom": _("Platz {seat}: Die Spiele Nr. {n} bis {last} gehören zu {name}."),
        "movedOne": _("Platz {seat}: Das Spiel Nr. {n} gehört zu {name}."),
        "movedTotal": _("Ergebnis aus dieser Liste: {total}."),
    }


def seat_moves(
    data: ListData,
    person: Callable[[int], tuple[int | None, str]],
    results: Mapping[int, SeatResult],
) -> SeatMoves:
    """Return the changes of seats in a list; no query.

    Args:
        data: the list.
        person: returns start number and name of a registration.
        results: of the list, by key of the registration.
    """
    if not data.spans:
        return SeatMoves()
    after: set[int] = set()
    games = []
    seat_of = {owner: seat for seat, owner in data.seats.items()}
    for seat, sitting in data.seats.items():
        for owner, first, last in _stretches([*data.owners(seat), sitting]):
            after.add(last)
            if owner == sitting:
                continue
            number, name = person(owner)
            is_gone = owner not in seat_of and owner in results
            games.append(
                MovedGames(
                    seat=seat,
                    first=first,
                    last=last,
                    owner_seat=seat_of.get(owner),
                    number=number,
                    name=name,
                    total=results[owner].total if is_gone else None,
                )
            )
    return SeatMoves(after=tuple(sorted(after)), games=tuple(games))


def _stretches(owners: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield owner, first and last game of each stretch, except that of the player of the seat."""
    stretches = [
        (owner, [number for number, _owner in games])
        for owner, games in groupby(enumerate(owners, start=1), key=itemgetter(1))
    ]
    for owner, numbers in stretches[:-1]:
        yield owner, numbers[0], numbers[-1]


def name_lookup(
    people: Mapping[int, Registration],
    sitters: Sitters | None = None,
    name: Callable[[Registration], str] = lambda seated: seated.person.full_name,
) -> Callable[[int], tuple[int | None, str]]:
    """Return a function for start number and name of a registration.

    Args:
        people: by key; others have no name.
        sitters: the players before a substitution, for a list that is a document.
        name: returns the name for these readers.
    """

    def person(key: int) -> tuple[int | None, str]:
        registration, sitter = people.get(key), (sitters or {}).get(key)
        if registration is None:
            return None, NOTHING
        return registration.number, name(sitter.seated(registration) if sitter else registration)

    return person
