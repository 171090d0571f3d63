"""Changes of published seats for latecomers and absent players.

``gaps`` suggests the smallest changes after which every player has a seat and every table an
allowed size (§ 2.1.1); the Spielleitung chooses one.
Changes that break a promise (a fixed table, a separation) are not offered, and a table that
has started neither loses nor gains players.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournaments.common.errors import Conflict
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.draw.queries import report
from tournaments.draw.queries.task import allowed_sizes, entrants
from tournaments.draw.services.rows import check_seated, is_final, started_tables, write_rows
from tournaments.draw.services.seat_mails import queue_seat_mails
from tournaments.journal.acts import Act, Acts
from tournaments.models import Registration, Serie

Rows = dict[int, tuple[int, ...]]  # keys of registrations clockwise, by number of the table

acts = Acts(MAY_LEAD, TAKES_PEOPLE)

MOST_TABLES_OFFERED = 3
MOST_GIVING_TABLES = 6  # tables from which a player may be moved


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSuggestion:
    """One possible change of seats: its text, and the new rows of the tables it touches."""

    key: str
    text: str
    rows: Mapping[int, tuple[int, ...]]  # an empty row removes the table
    drawbacks: tuple[str, ...] = ()  # measures that get worse, as „Wiederbegegnungen 0 → 1“


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A player without a seat, or a seat without a player, and the suggestions for it."""

    registration: Registration
    is_late: bool  # else the player has a seat and is absent
    started_table: int | None = None  # that player's table, if it has started
    suggestions: tuple[SeatSuggestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _SeatedHall:
    rows: Rows
    players: Mapping[int, Registration]
    allowed: tuple[int, ...]
    started: frozenset[int]
    late: tuple[Registration, ...]
    missing: tuple[Registration, ...]
    review: report.SeatingReview

    def table_of(self, key: int) -> int:
        """The number of the table at which a registration has its seat."""
        return next(number for number, row in self.rows.items() if key in row)

    def giving_tables(self, *, but: int = 0) -> list[int]:
        """Numbers of the tables that can give a player away, the last ones first."""
        return [
            number
            for number in sorted(self.rows, reverse=True)
            if number not in {but, *self.started} and len(self.rows[number]) - 1 in self.allowed
        ]

    def receiving_tables(self, *, but: int = 0) -> list[int]:
        """Numbers of the tables that can take another player."""
        return [
            number
            for number in sorted(self.rows)
            if number not in {but, *self.started} and len(self.rows[number]) + 1 in self.allowed
        ]

    def rate(self, suggestion: SeatSuggestion) -> tuple[SeatSuggestion, tuple[int, ...]] | None:
        """Return a suggestion with its drawbacks and their weights; None if it breaks a promise."""
        before = {number: self.rows[number] for number in suggestion.rows if number in self.rows}
        now = self.review.findings(before)
        then = self.review.findings({number: row for number, row in suggestion.rows.items() if row})
        if then.broken - now.broken:
            return None
        changes = report.compare_measures(now, {}, then)
        drawbacks = tuple(f"{line.label} {line.now} → {line.then}" for line in changes if line.more)
        weights = tuple(line.more for line in changes if not line.is_promise)
        return replace(suggestion, drawbacks=drawbacks), weights

    def best(self, candidates: Iterable[SeatSuggestion], most: int) -> list[SeatSuggestion]:
        """Return the candidates with the fewest drawbacks, in stable order."""
        ratings = [rating for rating in map(self.rate, candidates) if rating is not None]
        return [best for best, _weights in sorted(ratings, key=lambda rating: rating[1])[:most]]


def gaps(serie: Serie) -> list[Gap]:
    """Return latecomers and absent players since the seats were published; few queries."""
    return [] if is_final(serie) else current_gaps(serie)


def current_gaps(serie: Serie) -> list[Gap]:
    """Return the gaps of a Serie whose seats are not final."""
    hall = _seated_hall(serie)
    if not hall.rows:
        return []
    return [
        *(_gap_of_missing(hall, player) for player in hall.missing),
        *(
            Gap(registration=player, is_late=True, suggestions=tuple(_for_latecomer(hall, player)))
            for player in hall.late
        ),
    ]


def _seated_hall(serie: Serie) -> _SeatedHall:
    rows = report.published_rows(serie)
    paid = entrants(serie.tournament, serie.day)
    may_play = {player.pk for player in paid}
    seated = {key for row in rows.values() for key in row}
    registrations = Registration.objects.select_related("person", "club").in_bulk(seated)
    started = started_tables(serie)
    # Their table has started, so their seat is no gap.
    departed = {
        key
        for table in started
        for key in rows[table]
        if (registrations[key].gone_after or 0) >= serie.number
    }
    return _SeatedHall(
        rows={number: tuple(row) for number, row in rows.items()},
        players=registrations,
        allowed=allowed_sizes(serie.tournament),
        started=started,
        late=tuple(player for player in paid if player.pk not in seated),
        missing=tuple(registrations[key] for key in sorted(seated - may_play - departed)),
        review=report.SeatingReview(serie),
    )


def _gap_of_missing(hall: _SeatedHall, absent: Registration) -> Gap:
    table = hall.table_of(absent.pk)
    if table in hall.started:
        return Gap(registration=absent, is_late=False, suggestions=(), started_table=table)
    return Gap(registration=absent, is_late=False, suggestions=tuple(_for_absent(hall, absent)))


def _without(row: Sequence[int], removed: int) -> tuple[int, ...]:
    return tuple(key for key in row if key != removed)


def _for_absent(hall: _SeatedHall, absent: Registration) -> Iterator[SeatSuggestion]:
    table = hall.table_of(absent.pk)
    staying = _without(hall.rows[table], absent.pk)
    if len(staying) in hall.allowed:
        yield SeatSuggestion(
            key=f"leave-{absent.pk}",
            text=_("Tisch {table} spielt zu {players}. Sonst ändert sich nichts.").format(
                table=table, players=len(staying)
            ),
            rows={table: staying},
        )
        return
    givers = hall.giving_tables(but=table)[:MOST_GIVING_TABLES]
    fills = (
        SeatSuggestion(
            key=f"fill-{absent.pk}-{moved}",
            text=_(
                "{name} wechselt von Tisch {other} auf den freien Platz an Tisch {table}."
            ).format(name=hall.players[moved], other=other, table=table),
            rows={
                other: _without(hall.rows[other], moved),
                table: tuple(moved if key == absent.pk else key for key in hall.rows[table]),
            },
        )
        for other in givers
        for moved in reversed(hall.rows[other])
    )
    yield from hall.best(fills, 1)
    goals = hall.receiving_tables(but=table)[: len(staying)]
    if len(goals) == len(staying):
        pairs = list(zip(staying, goals, strict=True))
        moves = ", ".join(
            _("{name} an Tisch {goal}").format(name=hall.players[key], goal=goal)
            for key, goal in pairs
        )
        dissolved = SeatSuggestion(
            key=f"dissolve-{absent.pk}",
            text=_("Tisch {table} wird aufgelöst: {moves}.").format(table=table, moves=moves),
            rows={table: (), **{goal: (*hall.rows[goal], key) for key, goal in pairs}},
        )
        yield from hall.best([dissolved], 1)


def _for_latecomer(hall: _SeatedHall, late: Registration) -> Iterator[SeatSuggestion]:
    replaceable = [
        player for player in hall.missing if hall.table_of(player.pk) not in hall.started
    ]
    yield from hall.best(
        (_replacement(hall, late, absent) for absent in replaceable), len(replaceable)
    )
    goals = hall.receiving_tables()
    joins = (
        SeatSuggestion(
            key=f"join-{late.pk}-{table}",
            text=_("Tisch {table}, Platz {place}: Dort sitzen erst {players}.").format(
                table=table, place=len(hall.rows[table]) + 1, players=len(hall.rows[table])
            ),
            rows={table: (*hall.rows[table], late.pk)},
        )
        for table in goals
    )
    yield from hall.best(joins, MOST_TABLES_OFFERED)
    if not goals and not replaceable:
        yield from _new_table(hall)


def _replacement(hall: _SeatedHall, late: Registration, absent: Registration) -> SeatSuggestion:
    table = hall.table_of(absent.pk)
    row = hall.rows[table]
    return SeatSuggestion(
        key=f"replace-{late.pk}-{absent.pk}",
        text=_("Tisch {table}, Platz {place} statt {name}.").format(
            table=table, place=row.index(absent.pk) + 1, name=absent
        ),
        rows={table: tuple(late.pk if key == absent.pk else key for key in row)},
    )


def _new_table(hall: _SeatedHall) -> Iterator[SeatSuggestion]:
    """Suggest a new table for latecomers, filled up from the last tables."""
    # Further latecomers get another new table after this one.
    late = hall.late[: max(hall.allowed)]
    newcomers = tuple(player.pk for player in late)
    givers = hall.giving_tables()
    for size in sorted(hall.allowed):
        needed = size - len(newcomers)
        if not 0 <= needed <= len(givers):
            continue
        movers = {table: hall.rows[table][-1] for table in givers[:needed]}
        number = max(hall.rows) + 1
        names = ", ".join(
            _("{name} von Tisch {table}").format(name=hall.players[key], table=table)
            for table, key in movers.items()
        )
        together = ", ".join([*map(str, late), *([names] if names else [])])
        opened = SeatSuggestion(
            key=f"new-{number}-{size}",
            text=_("Neuer Tisch {number} mit {together}.").format(number=number, together=together),
            rows={
                number: (*newcomers, *movers.values()),
                **{table: _without(hall.rows[table], key) for table, key in movers.items()},
            },
        )
        yield from hall.best([opened], 1)
        return


def _reseated(before: Mapping[int, Sequence[int]], after: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the keys of the registrations whose seat is new or another one."""
    seats = {(table, at, key) for table, row in before.items() for at, key in enumerate(row)}
    return [
        key
        for table, row in after.items()
        for at, key in enumerate(row)
        if (table, at, key) not in seats
    ]


@acts.on(Serie, "change_seats", entry="seats_changed")
def carry_out(act: Act[Serie], *, key: str) -> SeatSuggestion:
    """Carry out a suggestion, found by its key for the current seats.

    Raises:
        Conflict: if it is no longer possible, because the seats have changed.
        WrongStatus: as :func:`check_seated` does.
    """
    check_seated(act.row)
    suggestions = {
        suggestion.key: suggestion for gap in gaps(act.row) for suggestion in gap.suggestions
    }
    if key not in suggestions:
        raise Conflict(
            _(
                "Dieser Vorschlag passt nicht mehr: Die Plätze sind inzwischen andere. Bitte neu "
                "wählen."
            )
        )
    chosen = suggestions[key]
    before = report.published_rows(act.row)
    write_rows(act, act.row, chosen.rows)
    queue_seat_mails(act, act.row, _reseated(before, chosen.rows))
    act.note(
        before={"tables": {str(number): before.get(number, []) for number in chosen.rows}},
        suggestion=key,
        tables={str(number): list(row) for number, row in chosen.rows.items()},
    )
    return chosen
