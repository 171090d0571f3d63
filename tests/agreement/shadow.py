"""The results that the walk computes itself: the players of each line, and the totals.

It uses no code of the program: hands, bonus and scaling are computed separately (§§ 3.2.1, 3.2.2
and „A part is never a whole“ of ``docs/rules.md``).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from tests.agreement.game_lines import sitting_out
from tournaments.models import Correction, Game, Penalty, Seat, SeatSpan, Spielliste, Tournament

BONUS = {4: 20, 3: 15}  # § 3.2.1
HANDROMME = 50  # § 3.2.2
# Wertpunkte of the template: a game finished, by Handrommé, and a hand up to so many Augen.
FINISHED, BY_HANDROMME, STEPS = 5, 8, ((30, 2), (60, 1))
Status = Spielliste.Status
Place = tuple[int, int]  # key of the list, seat


@dataclass(slots=True)
class Shadow:
    """The players of each game, recorded when it was written."""

    tournament: Tournament
    sitting: dict[Place, int] = field(default_factory=dict)
    lines: dict[tuple[int, int], Any] = field(default_factory=dict)  # list, number -> line
    owner: dict[tuple[int, int, int], int] = field(default_factory=dict)  # list, number, seat
    since: dict[Place, int] = field(default_factory=lambda: defaultdict(int))  # games before
    seen: set[int] = field(default_factory=set)  # corrections

    def look(self, act: str, made: dict[str, Any]) -> None:
        """Record the changes of a step."""
        stay = made["facts"]["games"] == "place" if act == "move_at_the_tables" else None
        for correction in Correction.objects.filter(
            tournament=self.tournament,
            kind=Correction.Kind.SEATS,
            status=Correction.Status.CARRIED_OUT,
        ).exclude(pk__in=self.seen):
            self.seen.add(correction.pk)
            stay = correction.after["games"] == "place"
        self._note_moves(stay)
        self._note_lines()

    def _note_moves(self, stay: bool | None) -> None:
        seats = Seat.objects.filter(serie__tournament=self.tournament)
        now = {
            (pk, number): owner
            for pk, number, owner in seats.values_list(
                "table__spielliste", "number", "registration_id"
            )
        }
        counts: dict[int, int] = defaultdict(int)
        for pk, number in self.lines:
            counts[pk] = max(counts[pk], number)
        for place, owner in now.items():
            if self.sitting.get(place, owner) == owner:
                continue
            pk, seat = place
            if stay:
                for number in range(self.since[place] + 1, counts[pk] + 1):
                    self.owner[pk, number, seat] = owner
            else:
                self.since[place] = counts[pk]
        self.sitting = now

    def _note_lines(self) -> None:
        games = Game.objects.filter(spielliste__table__serie__tournament=self.tournament)
        now = {(pk, n): line for pk, n, line in games.values_list("spielliste", "number", "line")}
        for pk, number in self.lines.keys() - now.keys():
            for place in self.sitting:
                if place[0] == pk:
                    self.owner.pop((pk, number, place[1]), None)
                    self.since[place] = min(self.since[place], number - 1)
        for pk, number in now.keys() - self.lines.keys():
            for (of, seat), owner in self.sitting.items():
                if of == pk:
                    self.owner[pk, number, seat] = owner
        self.lines = now

    # --- Totals ---------------------------------------------------------------------------

    @property
    def is_valued(self) -> bool:
        """Whether Wertpunkte count, of which the most win."""
        return "valuation" in self.tournament.rule_set

    def points(self) -> dict[tuple[int, int], int | None]:
        """Return the result of each registration in each Serie with complete lists."""
        return {of: result and result[0] for of, result in self._results().items()}

    def augen(self, whole: int) -> dict[int, int]:
        """Return the points counted in the hands of each registration in the first Serien."""
        augen_of: dict[int, int] = defaultdict(int)
        for (serie, owner), result in self._results().items():
            if result and serie <= whole:
                augen_of[owner] += result[1]
        return augen_of

    def _results(self) -> dict[tuple[int, int], tuple[int, int] | None]:
        """Return points and Augen of each registration in each Serie with complete lists."""
        by_serie: dict[int, list[Spielliste]] = defaultdict(list)
        lists = Spielliste.objects.filter(table__serie__tournament=self.tournament)
        for spielliste in lists.select_related("table__serie"):
            by_serie[spielliste.table.serie.number].append(spielliste)
        result_of: dict[tuple[int, int], tuple[int, int] | None] = {}
        for serie, those in by_serie.items():
            if any(spielliste.status == Status.OPEN for spielliste in those) or not self.lines:
                continue
            for home in those:
                for place, owner in self.sitting.items():
                    if place[0] == home.pk:
                        result_of[serie, owner] = self._result(owner, home, those)
        return result_of

    def best(self, whole: int) -> dict[int, int]:
        """Return the sum of the best of the first Serien, all if no number is set (§ 1.5).

        Carried points are added.
        """
        totals: dict[int, list[int]] = defaultdict(list)
        for (serie, owner), points in self.points().items():
            if serie <= whole and points is not None:
                totals[owner].append(points)
        carried = {}
        if self.tournament.carries_points:
            carried = dict(self.tournament.registrations.values_list("pk", "carried_points"))
        return {
            who: sum(sorted(came, reverse=self.is_valued)[: self.tournament.best_serien])
            + (carried.get(who) or 0)
            for who, came in totals.items()
        }

    def _left(self, owner: int, spielliste: Spielliste) -> bool:
        """Return whether a player sits at a seat whose player had left when the list was ended.

        A leaver no longer moves: a later correction of seats only corrects names.
        """
        return any(
            self.sitting.get((spielliste.pk, seat)) == owner for seat in spielliste.ended_left
        )

    def _result(
        self, owner: int, home: Spielliste, lists: list[Spielliste]
    ) -> tuple[int, int] | None:
        """Return points and Augen of a player whose last seat is on the list *home*."""
        if home.status == Status.INVALID or any(
            self._left(owner, spielliste) for spielliste in lists
        ):
            return None
        points = augen = games = lines = 0
        for spielliste in lists:
            if spielliste.status == Status.INVALID:
                continue
            size = spielliste.bonus_size or sum(pk == spielliste.pk for pk, _seat in self.sitting)
            for (pk, number, place), whose in self.owner.items():
                if pk != spielliste.pk or whose != owner:
                    continue
                line = self.lines[pk, number]
                lines += 1
                if line["minus"][place - 1] is None:  # dealt, and sat out
                    continue
                games += 1
                augen += line["minus"][place - 1]
                points += self._of_game(line, place, size)
        if not games:
            return None
        is_as_played = home.ended_counts == Tournament.EndedLists.AS_PLAYED
        whole = self._own(home, owner)
        wanted = self._own(home, owner, home.ended_games) if is_as_played else whole
        was_there = is_as_played and lines == home.ended_games  # at whichever seats
        if games not in {wanted, whole} and not was_there:  # to the player's disadvantage
            augen = -(-augen * whole // games)
            scaled = points * whole
            points = scaled // games if self.is_valued else -(-scaled // games)
        given = Penalty.objects.filter(
            spielliste__in=lists, registration=owner, status=Penalty.Status.GIVEN
        )
        penalty = sum(given.values_list("points", flat=True))
        return (points if self.is_valued else points + penalty), augen + penalty

    def _of_game(self, line: Any, place: int, size: int) -> int:
        hand, has_finished = int(line["minus"][place - 1]), line["finisher"] == place
        if not self.is_valued:
            return hand - (BONUS[size] + HANDROMME * line["handromme"] if has_finished else 0)
        if has_finished:
            return BY_HANDROMME if line["handromme"] else FINISHED
        return next((points for most, points in STEPS if hand <= most), 0)

    def _own(self, home: Spielliste, owner: int, upto: int | None = None) -> int:
        """Return how many games of the list *home*, or of its first, its seat lets one play."""
        seats = [seat for pk, seat in self.sitting if pk == home.pk]
        mine = next(seat for seat in seats if self.sitting[home.pk, seat] == owner)
        return sum(out != mine for out in sitting_out(self.tournament, len(seats))[:upto])

    def has_moved(self) -> bool:
        """Return whether a player changed tables with the games."""
        return SeatSpan.objects.filter(
            spielliste__table__serie__tournament=self.tournament
        ).exists()
