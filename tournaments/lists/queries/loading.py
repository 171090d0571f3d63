"""Lists read from the database with a fixed number of queries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from scoring.tally import SEPARATOR
from tournaments.lists.queries.data import ListData
from tournaments.models import Game, Penalty, Seat, SeatSpan, Serie, Spielliste, Tournament

# Columns of a list that are fields of :class:`ListData`.
_LIST_COLUMNS = (
    *("pk", "status", "bonus_size", "is_late"),
    *("ended_games", "ended_counts", "ended_reason", "ended_left"),
)


def load_lists(
    tournament: Tournament, *, only: Sequence[int] | QuerySet[Spielliste, Any] | None = None
) -> list[ListData]:
    """Return the lists of a tournament, or only those with the keys *only*; see ``read_lists``."""
    spiellisten = Spielliste.objects.filter(table__serie__tournament=tournament)
    return read_lists(spiellisten if only is None else spiellisten.filter(pk__in=only))


def read_lists(spiellisten: QuerySet[Spielliste]) -> list[ListData]:
    """Return lists by Serie and table; 5 queries, and further ones if players changed tables.

    Then the lists that they came from or went to are also read.
    """
    lists, spans = _read(spiellisten)
    keys = {data.pk for data in lists}
    here = {(data.serie, owner) for data in lists for owner in data.people}
    moved = {(serie, owner) for _pk, serie, *_span, owner in spans} & here
    seated = {(data.serie, owner) for data in lists for owner in data.seats.values()}
    elsewhere = {pk for pk, serie, *_span, owner in spans if (serie, owner) in moved} - keys
    if moved - seated or elsewhere:
        people = {owner for _serie, owner in moved}
        sits, played = Q(table__seats__registration__in=people), Q(spans__registration__in=people)
        series = Serie.objects.filter(tables__spielliste__in=keys)
        others = Spielliste.objects.filter(sits | played, table__serie__in=series)
        further = set(others.values_list("pk", flat=True)) - keys
        lists += _read(Spielliste.objects.filter(pk__in=further))[0]
    return with_others(lists)[: len(keys)]


def with_others(lists: Sequence[ListData]) -> list[ListData]:
    """Return the same lists with ``others``: those that share a player who changed tables."""
    moved = {(data.serie, owner) for data in lists for _seat, _game, owner in data.spans}
    return [_with_others(data, lists, moved) for data in lists]


def _with_others(
    data: ListData, lists: Sequence[ListData], moved: Container[tuple[int, int]]
) -> ListData:
    """Return *data* with the other lists of players whose games are on several lists."""
    moved_owners = {owner for owner in data.people if (data.serie, owner) in moved} if moved else ()
    others = [
        other
        for other in (lists if moved_owners else ())
        if other.pk != data.pk
        and other.serie == data.serie
        and not other.people.isdisjoint(moved_owners)
    ]
    return replace(data, others=others) if others or data.others else data


# List, number of its Serie, seat, last game, registration.
_Span = tuple[int, int, int, int, int]


def _read(spiellisten: QuerySet[Spielliste]) -> tuple[list[ListData], list[_Span]]:
    """Return lists, and all spans of their Serien, because a list may share players."""
    keys = spiellisten.order_by().values("pk")
    games = Game.objects.filter(spielliste__in=keys).order_by("spielliste_id", "number")
    as_text = games.values_list("spielliste_id", Cast("line", TextField())).iterator()
    texts = {
        pk: SEPARATOR.join([text for _pk, text in rows])
        for pk, rows in groupby(as_text, key=itemgetter(0))
    }
    seats: defaultdict[int, dict[int, int]] = defaultdict(dict)
    sitting = Seat.objects.filter(table__spielliste__in=keys).order_by("number")
    for pk, seat, owner in sitting.values_list("table__spielliste", "number", "registration_id"):
        seats[pk][seat] = owner
    serien = spiellisten.order_by().values("table__serie")
    moved = SeatSpan.objects.filter(spielliste__table__serie__in=serien)
    spans = list(
        moved.values_list(
            *("spielliste_id", "spielliste__table__serie__number"),
            *("seat", "last_game", "registration_id"),
        )
    )
    spans_of: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for pk, _serie, *span in spans:
        spans_of[pk].append((span[0], span[1], span[2]))
    penalties: defaultdict[int, Counter[int]] = defaultdict(Counter)
    given = Penalty.objects.filter(spielliste__in=keys, status=Penalty.Status.GIVEN)
    for pk, owner, points in given.values_list("spielliste_id", "registration_id", "points"):
        penalties[pk][owner] += points
    in_order = spiellisten.order_by("table__serie__number", "table__number")
    lists = [
        ListData(
            serie=serie,
            table=table,
            seats=seats[pk],
            text=texts.get(pk, ""),
            spans=spans_of[pk],
            penalties=penalties[pk],
            **dict(zip(_LIST_COLUMNS, (pk, *own), strict=True)),
        )
        for serie, table, pk, *own in in_order.values_list(
            "table__serie__number", "table__number", *_LIST_COLUMNS
        )
    ]
    return lists, spans
