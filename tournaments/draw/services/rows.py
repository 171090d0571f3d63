"""Published seats of a Serie by table: checks and rewriting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import F, Q
from django.utils.translation import gettext as _

from tournaments.common.errors import WrongStatus
from tournaments.journal.acts import Act
from tournaments.lists.services.opening import open_lists, withdraw_list
from tournaments.models import Seat, Serie, Spielliste, Table


def check_seated(serie: Serie) -> None:
    """Check that the seats of a Serie are published and may still be changed.

    Raises:
        WrongStatus: if it has no seats, is closed, or a later Serie has seats.
    """
    if not Seat.objects.filter(serie=serie).exists():
        raise WrongStatus(
            _("{serie} ist noch nicht ausgelost; bis dahin wird der Entwurf geändert.").format(
                serie=serie
            )
        )
    if is_final(serie):
        raise WrongStatus(
            _("Nach {serie} ist schon weiter ausgelost; ihre Plätze bleiben, wie sie sind.").format(
                serie=serie
            )
        )


def is_final(serie: Serie) -> bool:
    """Whether the seats are final: the Serie is closed, or a later one has seats."""
    if serie.closed_at is not None:
        return True
    later = Seat.objects.filter(
        serie__tournament=serie.tournament_id, serie__number__gt=serie.number
    )
    return later.exists()


def started_tables(serie: Serie) -> frozenset[int]:
    """Return the numbers of the tables whose lists are not empty; one query."""
    lists = Spielliste.objects.filter(table__serie=serie)
    started = lists.filter(games__isnull=False) | lists.exclude(status=Spielliste.Status.OPEN)
    return frozenset(started.values_list("table__number", flat=True))


def write_rows(act: Act[Any], serie: Serie, rows: Mapping[int, Sequence[int]]) -> None:
    """Rewrite the rows of these tables; an empty row removes its table.

    Seats are deleted and created, because updates would violate uniqueness. The versions of the
    lists are raised, so that a device with the old names is refused. The Listenführer keeps the
    list at another seat of the table; if that player leaves the table, seat 1 does (§ 2.2.3).
    """
    keepers = _keepers(serie, rows)
    old = Seat.objects.filter(serie=serie, table__number__in=rows)
    act.touch(*old)
    old.delete()
    for number, row in rows.items():
        if not row:
            table = Table.objects.get(serie=serie, number=number)
            withdraw_list(act, table)
            act.remove(table)
            continue
        # Most tables exist already.
        table, is_new = Table.objects.get_or_create(serie=serie, number=number)
        if is_new:
            act.touch(table)
        act.add_all(
            Seat(serie=serie, table=table, number=place, registration_id=key)
            for place, key in enumerate(row, start=1)
        )
    lists = Spielliste.objects.filter(table__serie=serie, table__number__in=rows)
    act.change_all(lists, version=F("version") + 1)
    for number, (seat, key) in keepers.items():
        row = list(rows[number])
        now = row.index(key) + 1 if key in row else 1
        if row and now != seat:
            act.change_all(lists.filter(table__number=number), listenfuehrer=now)
    act.touch(*open_lists(serie))


def _keepers(serie: Serie, tables: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Return seat and registration of the Listenführer of each list, by table.

    Seat 1 of an empty list is omitted, because it is the default.
    """
    seats = Seat.objects.filter(
        Q(number__gt=1) | Q(table__spielliste__games__number=1),
        serie=serie,
        table__number__in=tables,
        number=F("table__spielliste__listenfuehrer"),
    )
    rows = seats.values_list("table__number", "number", "registration_id")
    return {table: (seat, key) for table, seat, key in rows}
