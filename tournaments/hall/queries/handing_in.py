"""What each table still has to hand in after a Serie, and what Bußgeld it owes (§ 2.3.3).

The Bußgeld follows from the lines by the tariff each time, what was paid stands in the
cash book: so a correction that changes one, or a cancelled receipt, shows at once.
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
from tournaments.lists.queries.data import COMPLETE, ListData, read_lists
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


class Missing(StrEnum):
    """What a table has not handed in yet, in the order in which it is asked for."""

    GAMES = "games"
    SIGNATURES = "signatures"
    LIST = "list"
    CARDS = "cards"
    BUSSGELD = "bussgeld"


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """The Bußgeld of one person for one list, in cents."""

    registration: Registration
    seat: int | None  # None: moved away, but something was booked
    tariff_cents: int  # by the list as it is now
    asked_cents: int | None  # when it was last paid or waived; None: never yet
    paid_cents: int = 0
    waived_cents: int = 0
    waived_reason: str = ""

    @property
    def open_cents(self) -> int:
        """What is still to be paid; negative is to be paid back."""
        unpaid = self.tariff_cents - self.paid_cents
        return unpaid - min(self.waived_cents, max(0, unpaid))

    @property
    def back_cents(self) -> int:
        """What is to be paid back."""
        return max(0, -self.open_cents)

    @property
    def changed_cents(self) -> int:
        """By how much the tariff asks for more than when it was last settled."""
        return 0 if self.asked_cents is None else self.tariff_cents - self.asked_cents

    @property
    def less_cents(self) -> int:
        """By how much it asks for less."""
        return -self.changed_cents


@dataclass(slots=True, kw_only=True)
class TableToHandIn:
    """One table and what it has to hand in; ``missing`` says what is not there."""

    spielliste: Spielliste  # with its table
    data: ListData
    signed: int  # seats that signed the list
    on_paper: int  # of these on paper
    unseen: int  # of these by the word of the table: nobody looked at the paper yet
    games_wanted: int
    owed: list[Owed] = field(default_factory=list)

    @property
    def number(self) -> int:
        """Number of the table."""
        return self.spielliste.table.number

    @property
    def seats(self) -> int:
        """How many people sit at the table."""
        return len(self.data.seats)

    @property
    def games(self) -> int:
        """How many games are entered."""
        return len(self.data.texts)

    @property
    def open_cents(self) -> int:
        """What the whole table still has to pay, refunds taken off."""
        return sum(one.open_cents for one in self.owed)

    @property
    def back_cents(self) -> int:
        """What the whole table gets back, what it has to pay taken off."""
        return -self.open_cents

    @property
    def are_signatures_there(self) -> bool:
        """Whether everybody signed, on paper before somebody's eyes."""
        return not self.spielliste.is_at_the_table and self.unseen == 0

    @property
    def can_take_all(self) -> bool:
        """Whether one act can bring everything that is missing."""
        at_hand = (Status.COMPLETE, Status.SIGNED)
        return self.spielliste.status in at_hand

    @property
    def is_money_settled(self) -> bool:
        """Whether nobody at the table owes or is owed anything."""
        return not any(one.open_cents for one in self.owed)

    @property
    def has_paper(self) -> bool:
        """Whether there is a list on paper to be handed in; else the device has sent it."""
        return self.spielliste.on_paper or self.on_paper > 0

    @property
    def missing(self) -> list[Missing]:
        """What is not there yet; nothing of an invalid list is waited for."""
        spielliste = self.spielliste
        if spielliste.status == Status.INVALID:
            return []
        wanted = (
            (Missing.GAMES, spielliste.status == Status.OPEN),
            (Missing.SIGNATURES, not self.are_signatures_there),
            (Missing.LIST, self.has_paper and not spielliste.list_received),
            (Missing.CARDS, not spielliste.cards_received),
            (Missing.BUSSGELD, not self.is_money_settled),
        )
        return [what for what, is_missing in wanted if is_missing]

    @property
    def is_begun(self) -> bool:
        """Whether it is the table's turn: it has finished playing, or brought something."""
        spielliste = self.spielliste
        return spielliste.status not in (Status.OPEN, Status.INVALID) or bool(
            spielliste.list_received or spielliste.cards_received
        )

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do here."""
        done = (Status.HANDED_IN, Status.VERIFIED, Status.INVALID)
        return self.spielliste.status in done and not self.missing


def owed(tournament: Tournament, lists: Sequence[ListData]) -> dict[int, list[Owed]]:
    """Return the Bußgeld of each list by its key: by seat, then who was moved away.

    A list that is not whole, or invalid, asks for nothing yet.

    Args:
        tournament: with rules and tariff.
        lists: what ``load_lists`` found.
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
    wanted = {key for data in whole for key in data.seats.values()} | {key for _, key in rows}
    known = Registration.objects.select_related("person", "club").in_bulk(wanted)
    found: dict[int, list[Owed]] = {}
    for data in whole:
        amounts = bussgeld_by_seat(data, rule_set, tariff)
        at_seat = {registration: seat for seat, registration in data.seats.items()}
        gone = [key for pk, key in rows if pk == data.pk and key not in at_seat]
        found[data.pk] = []
        for key in [*(data.seats[seat] for seat in sorted(data.seats)), *gone]:
            row = rows.get((data.pk, key))
            owed_by_one = Owed(
                registration=known[key],
                seat=at_seat.get(key),
                tariff_cents=amounts[at_seat[key]] if key in at_seat else 0,
                asked_cents=row.due_cents if row else None,
                paid_cents=paid.get((data.pk, key), 0),
                waived_cents=row.waived_cents if row else 0,
                waived_reason=row.waived_reason if row else "",
            )
            found[data.pk].append(owed_by_one)
    return found


def _paid(lists: Iterable[int]) -> dict[tuple[int, int], int]:
    """Return what was paid, refunds taken off, by list and registration."""
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
    """Return the tables of a Serie with what they have to hand in, or only one of them.

    A fixed number of queries. *serie* has its tournament.
    """
    wanted = Spielliste.objects.filter(table__serie=serie)
    if table is not None:
        wanted = wanted.filter(table__number=table)
    spiellisten = list(wanted.select_related("table").order_by("table__number"))
    for spielliste in spiellisten:
        spielliste.table.serie = serie
    return _rows(serie.tournament, spiellisten, wanted)


def rows_of(tournament: Tournament, spiellisten: Sequence[Spielliste]) -> list[TableToHandIn]:
    """Return what is to be handed in of a few lists that were fetched with their tables."""
    wanted = Spielliste.objects.filter(pk__in=[one.pk for one in spiellisten])
    return _rows(tournament, spiellisten, wanted)


def _rows(
    tournament: Tournament, spiellisten: Sequence[Spielliste], wanted: QuerySet[Spielliste]
) -> list[TableToHandIn]:
    found = read_lists(wanted)
    signed = Signature.objects.filter(spielliste__in=wanted.values("pk"))
    lists = {one.pk: one for one in found}
    money = owed(tournament, found)
    signatures = _signatures(spiellisten, signed)
    games = rule_set_of(tournament).games
    return [
        TableToHandIn(
            spielliste=one,
            data=lists[one.pk],
            signed=len(signatures[one.pk]),
            on_paper=sum(each.on_paper for each in signatures[one.pk]),
            unseen=sum(each.on_paper and not each.seen for each in signatures[one.pk]),
            games_wanted=one.games_wanted(games),
            owed=money.get(one.pk, []),
        )
        for one in spiellisten
    ]


class _Signed(NamedTuple):
    on_paper: bool
    seen: bool  # somebody at control looked at the paper


def _signatures(
    spiellisten: Sequence[Spielliste], signed: QuerySet[Signature]
) -> dict[int, list[_Signed]]:
    """Return the signatures of each list by its key.

    What counts is who signed the list as it is, and once it is signed, what it said then.
    """
    found: dict[int, dict[int, list[_Signed]]] = defaultdict(lambda: defaultdict(list))
    rows = signed.values_list("spielliste", "version", "method", "confirmed_by")
    for spielliste, version, method, confirmed_by in rows:
        on_paper = method == Signature.Method.PAPER
        found[spielliste][version].append(_Signed(on_paper, confirmed_by is not None))
    signatures = {}
    for one in spiellisten:
        versions = found[one.pk]
        wanted = one.version if one.is_at_the_table else max(versions, default=one.version)
        signatures[one.pk] = versions[wanted]
    return signatures
