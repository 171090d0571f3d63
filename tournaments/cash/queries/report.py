"""The report of the cash book: its sums by kind, by group of the tariff and by person."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TypedDict

from django.db.models import Count, Max, Q, Sum

from tournaments.cash.queries import balances
from tournaments.models import CashCount, CashEntry, Receipt, Registration, Tournament


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
            cash=Sum("amount_cents", filter=Q(receipt__method=Receipt.Method.CASH)),
            bank=Sum("amount_cents", filter=Q(receipt__method=Receipt.Method.BANK)),
            internal=Sum("amount_cents", filter=Q(receipt__method=Receipt.Method.INTERNAL)),
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
        is_open=balances.is_open(tournament),
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
    paid = sum(sums.get(kind, 0) for kind in balances.DUES)
    kaution = sums.get(CashEntry.Kind.KAUTION, 0)
    return PersonSum(
        registration=registration,
        due_cents=registration.due_cents if registration and registration.takes_part else 0,
        paid_cents=paid,
        kaution_cents=kaution,
        other_cents=sum(sums.values()) - paid - kaution,
    )


class Span(TypedDict):
    """How far the book goes."""

    last: datetime | None
    receipts: int


def span(tournament: Tournament) -> Span:
    """Return how many receipts there are and when the last was written; one query."""
    row = tournament.receipts.aggregate(last=Max("created_at"), receipts=Count("pk"))
    return Span(last=row["last"], receipts=row["receipts"])


def whole(tournament: Tournament) -> dict[str, object]:
    """Return what the report says on its page and on paper."""
    return {
        "report": report(tournament),
        "span": span(tournament),
        "categories": startgeld_by_category(tournament),
        **by_person(tournament),
    }
