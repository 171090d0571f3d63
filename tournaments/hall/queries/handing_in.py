"""The items that each table must hand in after a Serie, and its open Bußgeld (§ 2.3.3).

The Bußgeld is always computed from the lines, payments are read from the cash book, so that
corrections and cancelled receipts take effect immediately.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from django.db.models import F, QuerySet, Sum

from tournaments.common.rules import bussgeld_tariff, rule_set_of
from tournaments.lists.queries.bussgeld import bussgeld_by_seat
from tournaments.lists.queries.data import COMPLETE, ListData
from tournaments.lists.queries.loading import read_lists
from tournaments.models import (
    Bussgeld,
    BussgeldReceipt,
    CashEntry,
    Registration,
    Serie,
    Signature,
    Spielliste,
    Tournament,
)

Status = Spielliste.Status


class MissingItems(StrEnum):
    """Items that a table has not handed in, in the order of display."""

    GAMES = "games"
    SIGNATURES = "signatures"
    LIST = "list"
    CARDS = "cards"
    BUSSGELD = "bussgeld"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBussgeld:
    """The Bußgeld of one person for one list, in cents."""

    registration: Registration
    seat: int | None  # None: the player was moved to another table and has bookings here
    tariff_cents: int  # by the current list
    asked_cents: int | None  # amount at the last payment or waiver; None: never
    paid_cents: int = 0
    waived_cents: int = 0
    waived_reason: str = ""

    @property
    def open_cents(self) -> int:
        """The amount to be paid, in cents; negative: to be paid back."""
        unpaid = self.tariff_cents - self.paid_cents
        return unpaid - min(self.waived_cents, max(0, unpaid))

    @property
    def changed_cents(self) -> int:
        """The increase of the Bußgeld since it was last settled."""
        return 0 if self.asked_cents is None else self.tariff_cents - self.asked_cents


@dataclass(slots=True, kw_only=True)
class TableToHandIn:
    """One table and the items it must hand in; ``missing`` has those not received."""

    spielliste: Spielliste  # with its table
    data: ListData
    signed: int  # number of seats that signed the list
    on_paper: int  # of these, signed on paper
    unseen: int  # of these, not confirmed by the Spielleitung
    games_wanted: int
    owed: list[OpenBussgeld] = field(default_factory=list)

    @property
    def number(self) -> int:
        """Number of the table."""
        return self.spielliste.table.number

    @property
    def seats(self) -> int:
        """The number of players at the table."""
        return len(self.data.seats)

    @property
    def games(self) -> int:
        """The number of games entered."""
        return len(self.data.texts)

    @property
    def open_cents(self) -> int:
        """The amount that the whole table owes, less refunds, in cents."""
        return sum(bussgeld.open_cents for bussgeld in self.owed)

    @property
    def are_signatures_there(self) -> bool:
        """Whether all players have signed, and signatures on paper are confirmed."""
        return not self.spielliste.is_at_the_table and self.unseen == 0

    @property
    def can_take_all(self) -> bool:
        """Whether one act can record everything that is missing."""
        at_hand = (Status.COMPLETE, Status.SIGNED)
        return self.spielliste.status in at_hand

    @property
    def is_money_settled(self) -> bool:
        """Whether no Bußgeld or refund is open at the table."""
        return not any(bussgeld.open_cents for bussgeld in self.owed)

    @property
    def has_paper(self) -> bool:
        """Whether a list on paper must be handed in; else the device has sent the list."""
        return self.spielliste.on_paper or self.on_paper > 0

    @property
    def missing(self) -> list[MissingItems]:
        """The items not received; none for an invalid list."""
        spielliste = self.spielliste
        if spielliste.status == Status.INVALID:
            return []
        items = (
            (MissingItems.GAMES, spielliste.status == Status.OPEN),
            (MissingItems.SIGNATURES, not self.are_signatures_there),
            (MissingItems.LIST, self.has_paper and not spielliste.list_received),
            (MissingItems.CARDS, not spielliste.cards_received),
            (MissingItems.BUSSGELD, not self.is_money_settled),
        )
        return [item for item, is_missing in items if is_missing]

    @property
    def is_begun(self) -> bool:
        """Whether the table has finished playing or handed something in."""
        spielliste = self.spielliste
        return spielliste.status not in (Status.OPEN, Status.INVALID) or bool(
            spielliste.list_received or spielliste.cards_received
        )

    @property
    def is_done(self) -> bool:
        """Whether handing in is complete."""
        done = (Status.HANDED_IN, Status.VERIFIED, Status.INVALID)
        return self.spielliste.status in done and not self.missing


def bussgelder(tournament: Tournament, lists: Sequence[ListData]) -> dict[int, list[OpenBussgeld]]:
    """Return the Bußgeld of each list by key, by seat, players moved away last.

    A list that is incomplete or invalid has none.

    Args:
        tournament: with rules and tariff.
        lists: the lists as returned by ``load_lists``.
    """
    rule_set, tariff = rule_set_of(tournament), bussgeld_tariff(tournament)
    whole = [data for data in lists if data.status in COMPLETE]
    if not whole:
        return {}
    keys = [data.pk for data in whole]
    rows = {
        (row.spielliste_id, row.registration_id): row
        for row in Bussgeld.objects.filter(spielliste__in=keys)
    }
    paid = _paid(keys)
    registrations = {key for data in whole for key in data.seats.values()} | {
        key for _, key in rows
    }
    people = Registration.objects.select_related("person", "club").in_bulk(registrations)
    owed_by_list: dict[int, list[OpenBussgeld]] = {}
    for data in whole:
        amounts = bussgeld_by_seat(data, rule_set, tariff)
        at_seat = {registration: seat for seat, registration in data.seats.items()}
        moved = [key for pk, key in rows if pk == data.pk and key not in at_seat]
        owed_by_list[data.pk] = []
        for key in [*(data.seats[seat] for seat in sorted(data.seats)), *moved]:
            row = rows.get((data.pk, key))
            bussgeld = OpenBussgeld(
                registration=people[key],
                seat=at_seat.get(key),
                tariff_cents=amounts[at_seat[key]] if key in at_seat else 0,
                asked_cents=row.due_cents if row else None,
                paid_cents=paid.get((data.pk, key), 0),
                waived_cents=row.waived_cents if row else 0,
                waived_reason=row.waived_reason if row else "",
            )
            owed_by_list[data.pk].append(bussgeld)
    return owed_by_list


def _paid(lists: Iterable[int]) -> dict[tuple[int, int], int]:
    """Return the payments less refunds, by list and registration."""
    booked = BussgeldReceipt.objects.filter(
        bussgeld__spielliste__in=list(lists),
        receipt__reversed_by__isnull=True,
        receipt__entries__kind=CashEntry.Kind.BUSSGELD,
        receipt__entries__registration=F("bussgeld__registration"),
    )
    sums = booked.order_by().values_list("bussgeld__spielliste", "bussgeld__registration")
    return {
        (spielliste, registration): total
        for spielliste, registration, total in sums.annotate(
            total=Sum("receipt__entries__amount_cents")
        )
    }


def rows(serie: Serie, *, table: int | None = None) -> list[TableToHandIn]:
    """Return the tables of a Serie, or one of them, with the items they have to hand in.

    A fixed number of queries. *serie* has its tournament.
    """
    rows = Spielliste.objects.filter(table__serie=serie)
    if table is not None:
        rows = rows.filter(table__number=table)
    spiellisten = list(rows.select_related("table").order_by("table__number"))
    for spielliste in spiellisten:
        spielliste.table.serie = serie
    return _rows(serie.tournament, spiellisten, rows)


def rows_of(tournament: Tournament, spiellisten: Sequence[Spielliste]) -> list[TableToHandIn]:
    """Return the same for lists that were fetched with their tables."""
    rows = Spielliste.objects.filter(pk__in=[spielliste.pk for spielliste in spiellisten])
    return _rows(tournament, spiellisten, rows)


def _rows(
    tournament: Tournament, spiellisten: Sequence[Spielliste], rows: QuerySet[Spielliste]
) -> list[TableToHandIn]:
    lists = read_lists(rows)
    signed = Signature.objects.filter(spielliste__in=rows.values("pk"))
    data_by_key = {data.pk: data for data in lists}
    money = bussgelder(tournament, lists)
    signatures = _signatures(spiellisten, signed)
    rule_set = rule_set_of(tournament)
    return [
        TableToHandIn(
            spielliste=spielliste,
            data=(data := data_by_key[spielliste.pk]),
            signed=len(signatures[spielliste.pk]),
            on_paper=sum(count.on_paper for count in signatures[spielliste.pk]),
            unseen=sum(count.on_paper and not count.seen for count in signatures[spielliste.pk]),
            games_wanted=spielliste.games_wanted(rule_set.games_at(len(data.seats))),
            owed=money.get(spielliste.pk, []),
        )
        for spielliste in spiellisten
    ]


class _SignatureCount(NamedTuple):
    on_paper: bool
    seen: bool  # confirmed by the Spielleitung


def _signatures(
    spiellisten: Sequence[Spielliste], signed: QuerySet[Signature]
) -> dict[int, list[_SignatureCount]]:
    """Return the valid signatures of each list, by its key."""
    by_version: dict[int, dict[int, list[_SignatureCount]]] = defaultdict(lambda: defaultdict(list))
    rows = signed.values_list("spielliste", "version", "method", "confirmed_by")
    for spielliste, version, method, confirmed_by in rows:
        on_paper = method == Signature.Method.PAPER
        by_version[spielliste][version].append(_SignatureCount(on_paper, confirmed_by is not None))
    versions = ((spielliste, by_version[spielliste.pk]) for spielliste in spiellisten)
    return {row.pk: signatures[row.signed_version(signatures)] for row, signatures in versions}
