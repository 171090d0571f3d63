"""The facts of a tournament by its stored data, in a form comparable with the journal.

Facts are JSON values by kind of thing, key and name. The key is that of the row, except for
receipts (their number) and tables (``"serie/table"``). They contain no names of persons.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.models import (
    CashCount,
    CashEntry,
    Game,
    Penalty,
    Playoff,
    Receipt,
    Registration,
    Seat,
    Spielliste,
    Tournament,
)

LIST, TABLE, PENALTY, REGISTRATION = "spielliste", "table", "penalty", "registration"
RECEIPT, COUNT, PLAYOFF = "receipt", "cashcount", "playoff"
# A list without any entry.
UNTOUCHED: Mapping[str, Any] = {
    "status": Spielliste.Status.OPEN.value,
    "bonus_size": None,
    "bought_cards": [],
    "ended_games": None,
    "ended_counts": "",
    "ended_left": [],
}

State = dict[str, dict[str, dict[str, Any]]]


def place(serie: int, table: int) -> str:
    """Return the key of a table."""
    return f"{serie}/{table}"


def booking(kind: str, cents: int, registration: int | None) -> str:
    """Return one line of a receipt in comparable form; the order of lines has no meaning."""
    return f"{kind} {cents} {registration or ''}"


def facts(tournament: Tournament) -> State:
    """Return the stored facts; nine queries."""
    found: State = {
        LIST: _lists(tournament),
        TABLE: _tables(tournament),
        PENALTY: _rows(
            Penalty.objects.filter(spielliste__table__serie__tournament=tournament).values(
                "pk", "registration", "points", "status"
            )
        ),
        REGISTRATION: _rows(
            Registration.objects.filter(tournament=tournament)
            .annotate(present=Q(present_at__isnull=False))
            .values("pk", "number", "status", "person", "present")
        ),
        RECEIPT: _receipts(tournament),
        COUNT: _rows(
            CashCount.objects.filter(tournament=tournament).values(
                "pk", "expected_cents", "counted_cents"
            )
        ),
        PLAYOFF: {
            str(key): {"order": order, "is_withdrawn": withdrawn_at is not None}
            for key, order, withdrawn_at in Playoff.objects.filter(
                tournament=tournament
            ).values_list("pk", "order", "withdrawn_at")
        },
    }
    return found


def _rows(found: QuerySet[Any, Any]) -> dict[str, dict[str, Any]]:
    return {str(row.pop("pk")): row for row in found}


def _lists(tournament: Tournament) -> dict[str, dict[str, Any]]:
    lists = _rows(
        Spielliste.objects.filter(table__serie__tournament=tournament).values("pk", *UNTOUCHED)
    )
    games = Game.objects.filter(spielliste__table__serie__tournament=tournament)
    for key, number, line in games.values_list("spielliste", "number", "line"):
        lists[str(key)][str(number)] = line
    return lists


def _tables(tournament: Tournament) -> dict[str, dict[str, Any]]:
    seats = Seat.objects.filter(serie__tournament=tournament).order_by("number")
    tables: dict[str, dict[str, Any]] = {}
    for serie, table, key in seats.values_list("serie__number", "table__number", "registration"):
        tables.setdefault(place(serie, table), {"row": []})["row"].append(key)
    return tables


def _receipts(tournament: Tournament) -> dict[str, dict[str, Any]]:
    receipts: dict[str, dict[str, Any]] = {
        str(number): {"method": method, "lines": []}
        for number, method in Receipt.objects.filter(tournament=tournament).values_list(
            "number", "method"
        )
    }
    entries = CashEntry.objects.filter(receipt__tournament=tournament)
    for number, kind, cents, registration in entries.values_list(
        "receipt__number", "kind", "amount_cents", "registration"
    ):
        receipts[str(number)]["lines"].append(booking(kind, cents, registration))
    for receipt in receipts.values():
        receipt["lines"].sort()
    return receipts
