"""Changes of seats that are public already: two people swap, somebody comes or stays away.

Nothing here happens by itself. ``suggestions`` names the smallest changes after which
nobody stands and every table has a size that the rule set allows (§ 2.1.1); one of them
is carried out when somebody has chosen it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.actors import Actor
from tournaments.errors import Conflict, TournamentError, WrongStatus
from tournaments.models import Registration, Seat, Serie, Table, Tournament
from tournaments.services import journal
from tournaments.services.draw_task import allowed_sizes, entrants
from tournaments.services.list_opening import open_lists, withdraw_list
from tournaments.services.locks import lock_serie

Rows = dict[int, tuple[int, ...]]  # keys of registrations clockwise, by number of the table

MOST_TABLES_OFFERED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """One way to make the seats right: what to do, and the tables it touches as they become."""

    key: str
    text: str
    rows: Mapping[int, tuple[int, ...]]  # an empty row takes the table away


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Somebody without a seat, or a seat without somebody, and what could be done."""

    registration: Registration
    is_late: bool  # otherwise the person has a seat and does not play
    suggestions: tuple[Suggestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hall:
    rows: Rows
    known: Mapping[int, Registration]
    allowed: tuple[int, ...]
    late: tuple[Registration, ...]
    missing: tuple[Registration, ...]

    def tables_that_may_lose(self, *, but: int = 0) -> list[int]:
        """Tables that stay allowed with one person less, the last ones first."""
        return [
            number
            for number in sorted(self.rows, reverse=True)
            if number != but and len(self.rows[number]) - 1 in self.allowed
        ]

    def tables_that_may_gain(self, *, but: int = 0) -> list[int]:
        """Tables that are allowed with one person more."""
        return [
            number
            for number in sorted(self.rows)
            if number != but and len(self.rows[number]) + 1 in self.allowed
        ]

    def club_mates(self, one: Registration, table: int) -> int:
        return sum(
            one.club_id is not None and self.known[key].club_id == one.club_id
            for key in self.rows[table]
        )


def gaps(serie: Serie) -> list[Gap]:
    """Return who came late or stayed away since the seats were made known; few queries."""
    hall = _hall(serie)
    if not hall.rows or _is_history(serie):
        return []
    return [
        *(
            Gap(registration=one, is_late=False, suggestions=tuple(_for_missing(hall, one)))
            for one in hall.missing
        ),
        *(
            Gap(registration=one, is_late=True, suggestions=tuple(_for_late(hall, one)))
            for one in hall.late
        ),
    ]


def _is_history(serie: Serie) -> bool:
    """Whether a later Serie has its seats: then who met whom in this one is settled."""
    later = Seat.objects.filter(
        serie__tournament=serie.tournament_id, serie__number__gt=serie.number
    )
    return later.exists()


def _hall(serie: Serie) -> _Hall:
    rows: dict[int, list[int]] = {}
    seats = Seat.objects.filter(serie=serie).order_by("table__number", "number")
    for table, key in seats.values_list("table__number", "registration"):
        rows.setdefault(table, []).append(key)
    paid = entrants(serie.tournament)
    seated = {key for row in rows.values() for key in row}
    known = Registration.objects.select_related("person", "club").in_bulk(seated)
    return _Hall(
        rows={number: tuple(row) for number, row in rows.items()},
        known=known,
        allowed=allowed_sizes(serie.tournament),
        late=tuple(one for one in paid if one.pk not in seated),
        missing=tuple(
            known[key] for key in sorted(seated) if known[key].status != Registration.Status.PAID
        ),
    )


def _without(row: Sequence[int], key: int) -> tuple[int, ...]:
    return tuple(one for one in row if one != key)


def _for_missing(hall: _Hall, gone: Registration) -> Iterator[Suggestion]:
    table = next(number for number, row in hall.rows.items() if gone.pk in row)
    left = _without(hall.rows[table], gone.pk)
    if len(left) in hall.allowed:
        yield Suggestion(
            key=f"leave-{gone.pk}",
            text=_("Tisch {table} spielt zu {players}. Sonst ändert sich nichts.").format(
                table=table, players=len(left)
            ),
            rows={table: left},
        )
        return
    for other in hall.tables_that_may_lose(but=table)[:1]:
        moved = hall.rows[other][-1]
        yield Suggestion(
            key=f"fill-{gone.pk}-{moved}",
            text=_(
                "{name} wechselt von Tisch {other} auf den freien Platz an Tisch {table}."
            ).format(name=hall.known[moved], other=other, table=table),
            rows={
                other: _without(hall.rows[other], moved),
                table: tuple(moved if key == gone.pk else key for key in hall.rows[table]),
            },
        )
    goals = hall.tables_that_may_gain(but=table)[: len(left)]
    if len(goals) == len(left):
        pairs = list(zip(left, goals, strict=True))
        moves = ", ".join(
            _("{name} an Tisch {goal}").format(name=hall.known[key], goal=goal)
            for key, goal in pairs
        )
        yield Suggestion(
            key=f"dissolve-{gone.pk}",
            text=_("Tisch {table} wird aufgelöst: {moves}.").format(table=table, moves=moves),
            rows={table: (), **{goal: (*hall.rows[goal], key) for key, goal in pairs}},
        )


def _for_late(hall: _Hall, late: Registration) -> Iterator[Suggestion]:
    for gone in hall.missing:
        table = next(number for number, row in hall.rows.items() if gone.pk in row)
        row = hall.rows[table]
        yield Suggestion(
            key=f"replace-{late.pk}-{gone.pk}",
            text=_("Tisch {table}, Platz {place} statt {name}.").format(
                table=table, place=row.index(gone.pk) + 1, name=gone
            ),
            rows={table: tuple(late.pk if key == gone.pk else key for key in row)},
        )
    goals = sorted(hall.tables_that_may_gain(), key=lambda goal: hall.club_mates(late, goal))
    for table in goals[:MOST_TABLES_OFFERED]:
        row = hall.rows[table]
        yield Suggestion(
            key=f"join-{late.pk}-{table}",
            text=_("Tisch {table}, Platz {place}: Dort sitzen erst {players}.").format(
                table=table, place=len(row) + 1, players=len(row)
            ),
            rows={table: (*row, late.pk)},
        )
    if not goals and not hall.missing:
        yield from _new_table(hall)


def _new_table(hall: _Hall) -> Iterator[Suggestion]:
    """Seat all latecomers at a table of their own, filled up from the last tables."""
    newcomers = tuple(one.pk for one in hall.late)
    givers = hall.tables_that_may_lose()
    for size in sorted(hall.allowed):
        needed = size - len(newcomers)
        if not 0 <= needed <= len(givers):
            continue
        movers = {table: hall.rows[table][-1] for table in givers[:needed]}
        number = max(hall.rows) + 1
        names = ", ".join(
            _("{name} von Tisch {table}").format(name=hall.known[key], table=table)
            for table, key in movers.items()
        )
        together = ", ".join([*map(str, hall.late), *([names] if names else [])])
        yield Suggestion(
            key=f"new-{number}-{size}",
            text=_("Neuer Tisch {number} mit {together}.").format(number=number, together=together),
            rows={
                number: (*newcomers, *movers.values()),
                **{table: _without(hall.rows[table], key) for table, key in movers.items()},
            },
        )
        return


def _locked(serie_id: int) -> tuple[Tournament, Serie]:
    tournament, serie = lock_serie(serie_id)
    if not Seat.objects.filter(serie=serie).exists():
        raise WrongStatus(
            _("{serie} ist noch nicht ausgelost; bis dahin wird der Entwurf geändert.").format(
                serie=serie
            )
        )
    if _is_history(serie):
        raise WrongStatus(
            _("Nach {serie} ist schon weiter ausgelost; ihre Plätze bleiben, wie sie sind.").format(
                serie=serie
            )
        )
    return tournament, serie


@transaction.atomic
def carry_out(*, serie_id: int, key: str, actor: Actor) -> Suggestion:
    """Carry out a suggestion, found again by its key in the seats as they are now.

    Raises:
        Conflict: if it no longer fits, because somebody else has changed the seats.
    """
    tournament, serie = _locked(serie_id)
    found = {one.key: one for gap in gaps(serie) for one in gap.suggestions}
    if key not in found:
        raise Conflict(
            _(
                "Dieser Vorschlag passt nicht mehr: Die Plätze sind inzwischen andere. Bitte neu "
                "wählen."
            )
        )
    chosen = found[key]
    before = _rows_of(serie, chosen.rows)
    _write(serie, chosen.rows)
    journal.record(
        tournament=tournament,
        actor=actor,
        action="seats_changed",
        subject=serie,
        before={"tables": before},
        after={"suggestion": key, "tables": {str(k): list(row) for k, row in chosen.rows.items()}},
    )
    return chosen


@transaction.atomic
def swap_seats(
    *, serie_id: int, first_id: int, second_id: int, reason: str, actor: Actor
) -> tuple[Seat, Seat]:
    """Let two people change their published places; returns their new seats.

    Raises:
        TournamentError: if one of them has no seat, both are the same, or the reason is missing.
    """
    tournament, serie = _locked(serie_id)
    if not reason.strip():
        raise TournamentError(_("Ein Tausch nach der Bekanntgabe braucht einen Grund."))
    wanted = {first_id, second_id}
    rows = {number: tuple(row) for number, row in _hall(serie).rows.items() if wanted & set(row)}
    if len(wanted) != 2 or not wanted <= {key for row in rows.values() for key in row}:
        raise TournamentError(_("Tauschen können zwei verschiedene Personen mit Platz."))
    other = {first_id: second_id, second_id: first_id}
    changed = {number: tuple(other.get(key, key) for key in row) for number, row in rows.items()}
    _write(serie, changed)
    journal.record(
        tournament=tournament,
        actor=actor,
        action="seats_swapped",
        subject=serie,
        before={"tables": {str(number): list(row) for number, row in rows.items()}},
        after={"tables": {str(number): list(row) for number, row in changed.items()}},
        reason=reason,
    )
    seats = Seat.objects.filter(serie=serie).select_related("table")
    return seats.get(registration=first_id), seats.get(registration=second_id)


def _rows_of(serie: Serie, tables: Mapping[int, object]) -> dict[str, list[int]]:
    rows = _hall(serie).rows
    return {str(number): list(rows.get(number, ())) for number in tables}


def _write(serie: Serie, rows: Mapping[int, Sequence[int]]) -> None:
    """Write the touched tables anew; updating seats in place would meet themselves."""
    Seat.objects.filter(serie=serie, table__number__in=rows).delete()
    for number, row in rows.items():
        if not row:
            table = Table.objects.get(serie=serie, number=number)
            withdraw_list(table)
            table.delete()
            continue
        table, _created = Table.objects.get_or_create(serie=serie, number=number)
        Seat.objects.bulk_create(
            Seat(serie=serie, table=table, number=place, registration_id=key)
            for place, key in enumerate(row, start=1)
        )
    open_lists(serie)
