"""What the pages of the cash book show: receipts, sums by kind and by person, counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Count, F, Max, Prefetch, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.money import euro
from tournaments import names
from tournaments.digits import number_in
from tournaments.models import CashCount, CashEntry, Receipt, Registration, Tournament
from tournaments.services import cash, till_counts
from tournaments.services.till import spare_cents

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _ReceiptSums(TypedDict):
        total_cents: int
        shown_cents: int

    ShownReceipt = WithAnnotations[Receipt, _ReceiptSums]
else:
    ShownReceipt = Receipt

CASH, BANK, INTERNAL = Receipt.Method.CASH, Receipt.Method.BANK, Receipt.Method.INTERNAL
MAX_WORDS = 8
NOBODY = 0  # instead of a registration: entries that belong to none

_WORD = re.compile(r"[^\W_]+")

# Kinds that a sum on a page takes together; the address of its receipts names the group.
REST = tuple(
    kind for kind in CashEntry.Kind if kind not in cash.DUES and kind != CashEntry.Kind.KAUTION
)
GROUPS = {"meldung": cash.DUES, "uebriges": REST}


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which entries of the book a page shows; empty for all of them."""

    kind: str = ""  # of CashEntry.Kind, or a key of GROUPS
    method: str = ""
    person: str = ""  # a start number or words of the name
    registration: int | None = None  # primary key, or NOBODY
    category: int | None = None
    day: date | None = None

    def __bool__(self) -> bool:
        return self != Selection()


def _matches(selection: Selection, prefix: str) -> Q:
    """Return the condition on entries that *prefix* leads to, as ``entries__``."""
    wanted: dict[str, object] = {}
    if selection.kind:
        wanted["kind__in"] = GROUPS.get(selection.kind, (selection.kind,))
    if selection.method:
        wanted["receipt__method"] = selection.method
    if selection.registration == NOBODY:
        wanted["registration__isnull"] = True
    elif selection.registration is not None:
        wanted["registration"] = selection.registration
    if selection.category is not None:
        wanted["registration__category"] = selection.category
    if selection.day is not None:
        begins = timezone.make_aware(datetime.combine(selection.day, time()))
        ends = timezone.make_aware(datetime.combine(selection.day + timedelta(days=1), time()))
        wanted["receipt__created_at__gte"] = begins
        wanted["receipt__created_at__lt"] = ends
    condition = Q(**{prefix + name: value for name, value in wanted.items()})
    return condition & _of_person(selection.person, prefix)


def _of_person(typed: str, prefix: str) -> Q:
    number = number_in(typed)
    if number is not None:
        return Q(**{f"{prefix}registration__number": number})
    condition = Q()
    for word in _WORD.findall(typed)[:MAX_WORDS]:
        either = Q()
        for spelling in names.search_words(word):
            either |= Q(**{f"{prefix}registration__person__search_key__contains": f" {spelling}"})
        condition &= either
    return condition


def receipts(tournament: Tournament, selection: Selection | None = None) -> QuerySet[ShownReceipt]:
    """Return the receipts, the newest first, with their entries; two queries.

    ``total_cents`` is the receipt's sum, ``shown_cents`` the part of it that *selection*
    asks for: these add up to the sum that led to the selection.
    """
    entries = CashEntry.objects.select_related("registration__person").order_by("pk")
    found = (
        tournament.receipts.select_related("created_by", "reverses", "reversed_by")
        .prefetch_related(Prefetch("entries", entries))
        .annotate(total_cents=Sum("entries__amount_cents"))
        .order_by("-number")
    )
    if not selection:
        return found.annotate(shown_cents=F("total_cents"))
    condition = _matches(selection, "entries__")
    shown = Sum("entries__amount_cents", filter=condition)
    return found.annotate(shown_cents=shown).filter(shown_cents__isnull=False)


class Sums(TypedDict):
    """What a selection adds up to."""

    cents: int
    receipts: int


def sums(tournament: Tournament, selection: Selection) -> Sums:
    """Return the sum of the selected entries and the number of their receipts; one query."""
    found = CashEntry.objects.filter(_matches(selection, ""), receipt__tournament=tournament)
    row = found.aggregate(cents=Sum("amount_cents"), receipts=Count("receipt", distinct=True))
    return Sums(cents=row["cents"] or 0, receipts=row["receipts"])


def with_balances(tournament: Tournament, shown: Sequence[Receipt]) -> list[tuple[Receipt, int]]:
    """Pair each of *shown*, newest first and without gaps, with the till after it; one query."""
    if not shown:
        return []
    until = CashEntry.objects.filter(
        receipt__tournament=tournament,
        receipt__method=CASH,
        receipt__number__lte=shown[0].number,
    )
    balance = until.aggregate(total=Sum("amount_cents"))["total"] or 0
    rows = []
    for receipt in shown:
        rows.append((receipt, balance))
        if receipt.method == CASH:
            balance -= sum(entry.amount_cents for entry in receipt.entries.all())
    return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class KindSum:
    """One line of the report: what came in and went out for one purpose."""

    kind: str
    label: str
    cash_cents: int
    bank_cents: int
    internal_cents: int

    @property
    def total_cents(self) -> int:
        """All ways of payment together."""
        return self.cash_cents + self.bank_cents + self.internal_cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The cash book in sums; all of them are made of the same entries."""

    kinds: list[KindSum] = field(default_factory=list)
    last_count: CashCount | None = None
    is_open: bool = False

    @property
    def cash_cents(self) -> int:
        """What must be in the till."""
        return sum(one.cash_cents for one in self.kinds)

    @property
    def bank_cents(self) -> int:
        """What came and went by transfer."""
        return sum(one.bank_cents for one in self.kinds)

    @property
    def total_cents(self) -> int:
        """Till and account together."""
        return self.cash_cents + self.bank_cents

    @property
    def has_internal(self) -> bool:
        """Whether money was moved between persons, so that a column shows it."""
        return any(one.internal_cents for one in self.kinds)


def report(tournament: Tournament) -> Report:
    """Return the sums by kind and way of payment; three queries."""
    rows = (
        CashEntry.objects.filter(receipt__tournament=tournament)
        .order_by()
        .values("kind")
        .annotate(
            cash=Sum("amount_cents", filter=Q(receipt__method=CASH)),
            bank=Sum("amount_cents", filter=Q(receipt__method=BANK)),
            internal=Sum("amount_cents", filter=Q(receipt__method=INTERNAL)),
        )
    )
    by_kind = {row["kind"]: row for row in rows}
    return Report(
        kinds=[
            KindSum(
                kind=kind.value,
                label=str(kind.label),
                cash_cents=by_kind[kind]["cash"] or 0,
                bank_cents=by_kind[kind]["bank"] or 0,
                internal_cents=by_kind[kind]["internal"] or 0,
            )
            for kind in CashEntry.Kind
            if kind in by_kind
        ],
        last_count=tournament.cash_counts.select_related("created_by").order_by("-pk").first(),
        is_open=till_counts.is_open(tournament),
    )


class CategorySum(TypedDict):
    """What one group of the tariff has paid in Startgeld."""

    pk: int
    name: str
    persons: int
    cents: int


def startgeld_by_category(tournament: Tournament) -> list[CategorySum]:
    """Return the Startgeld by group of the tariff and who of them has paid any; one query."""
    rows = (
        CashEntry.objects.filter(
            receipt__tournament=tournament,
            kind=CashEntry.Kind.STARTGELD,
            registration__isnull=False,
        )
        .order_by("registration__category__position", "registration__category")
        .values("registration__category", "registration__category__name", "registration")
        .annotate(cents=Sum("amount_cents"))
    )
    found: dict[int, CategorySum] = {}
    for row in rows:
        pk, name = row["registration__category"], row["registration__category__name"]
        group = found.setdefault(pk, CategorySum(pk=pk, name=name, persons=0, cents=0))
        group["cents"] += row["cents"]
        # Whose receipt was cancelled has paid nothing.
        group["persons"] += row["cents"] > 0
    return list(found.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSum:
    """One line of the report by person."""

    registration: Registration | None  # None: entries that belong to nobody
    due_cents: int
    paid_cents: int
    kaution_cents: int
    other_cents: int

    @property
    def open_cents(self) -> int:
        """What is still to be paid by somebody who takes part."""
        return max(0, self.due_cents - self.paid_cents) if self._takes_part else 0

    @property
    def credit_cents(self) -> int:
        """What somebody who takes part has paid too much."""
        return max(0, self.paid_cents - self.due_cents) if self._takes_part else 0

    @property
    def _takes_part(self) -> bool:
        return self.registration is not None and self.registration.takes_part


class ByPerson(TypedDict):
    """The report by person; ``total`` is the last line."""

    persons: list[PersonSum]
    nobody: PersonSum
    total: PersonSum


def by_person(tournament: Tournament) -> ByPerson:
    """Return what each registration paid, owes and has on deposit; two queries.

    Together with what belongs to nobody it is the whole book once more.
    """
    sums_of: dict[int | None, dict[str, int]] = {}
    rows = (
        CashEntry.objects.filter(receipt__tournament=tournament)
        .order_by()
        .values("registration", "kind")
        .annotate(total=Sum("amount_cents"))
    )
    for row in rows:
        sums_of.setdefault(row["registration"], {})[row["kind"]] = row["total"]
    found = tournament.registrations.select_related("person").order_by("number", "pk")
    persons = [_person_sum(one, sums_of.get(one.pk, {})) for one in found]
    nobody = _person_sum(None, sums_of.get(None, {}))
    everybody = [*persons, nobody]
    total = PersonSum(
        registration=None,
        due_cents=sum(one.due_cents for one in everybody),
        paid_cents=sum(one.paid_cents for one in everybody),
        kaution_cents=sum(one.kaution_cents for one in everybody),
        other_cents=sum(one.other_cents for one in everybody),
    )
    return ByPerson(persons=persons, nobody=nobody, total=total)


def _person_sum(registration: Registration | None, sums: dict[str, int]) -> PersonSum:
    paid = sum(sums.get(kind, 0) for kind in cash.DUES)
    kaution = sums.get(CashEntry.Kind.KAUTION, 0)
    return PersonSum(
        registration=registration,
        due_cents=registration.due_cents if registration and registration.takes_part else 0,
        paid_cents=paid,
        kaution_cents=kaution,
        other_cents=sum(sums.values()) - paid - kaution,
    )


class PersonMoney(TypedDict):
    """What ``tournaments/cash/_person_money.html`` needs beside the registration."""

    kaution_held_cents: int
    spare_cents: int


def person_money(registration: Registration) -> PersonMoney:
    """Return what the till holds for a registration or could pay back; two queries."""
    return PersonMoney(
        kaution_held_cents=cash.kaution_cents(registration),
        spare_cents=spare_cents(registration),
    )


class Span(TypedDict):
    """How far the book goes."""

    last: datetime | None
    receipts: int


def span(tournament: Tournament) -> Span:
    """Return how many receipts there are and when the last was written; one query."""
    row = tournament.receipts.aggregate(last=Max("created_at"), receipts=Count("pk"))
    return Span(last=row["last"], receipts=row["receipts"])


CSV_HEAD = (
    _("Beleg"),
    _("Datum"),
    _("Uhrzeit"),
    _("Art"),
    _("Einnahme"),
    _("Ausgabe"),
    _("Zahlungsweg"),
    _("Kassenbestand"),
    _("Startnummer"),
    _("Person"),
    _("Name auf dem Beleg"),
    _("Text"),
    _("Storno zu Beleg"),
    _("gebucht von"),
)


def csv_rows(found: Iterable[Receipt]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row per entry, in the order of ``CSV_HEAD``; *found* is the oldest first.

    Einnahme and Ausgabe stand in columns of their own, as in a book of paper: then no
    figure needs a sign, and a spreadsheet program reads them as amounts.
    """
    balance = 0
    for receipt in found:
        at = timezone.localtime(receipt.created_at)
        for entry in receipt.entries.all():
            cents, one = entry.amount_cents, entry.registration
            if receipt.method == CASH:
                balance += cents
            yield (
                receipt.number,
                at.strftime("%d.%m.%Y"),
                at.strftime("%H:%M"),
                str(entry.get_kind_display()),
                _plain_euro(cents) if cents > 0 else "",
                _plain_euro(-cents) if cents < 0 else "",
                str(receipt.get_method_display()),
                _plain_euro(balance) if receipt.method == CASH else "",
                (one.number or "") if one else "",
                one.person.list_name if one else "",
                receipt.payer,
                receipt.text,
                receipt.reverses.number if receipt.reverses else "",
                str(receipt.created_by or ""),
            )


def _plain_euro(cents: int) -> str:
    return euro(cents).removesuffix("\N{NO-BREAK SPACE}€").replace(".", "")
