"""The report of the cash book: its sums by kind, by group of the tariff and by person."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from tournaments.cash.queries import balances
from tournaments.models import CashCount, CashEntry, Category, Receipt, Registration, Tournament
from tournaments.models.schedule import NIGHT_ENDS, evening_of

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Since(TypedDict):
        is_outdated: bool
        booked: int | None

    ShownCount = WithAnnotations[CashCount, _Since]
else:
    ShownCount = CashCount


def counts(tournament: Tournament) -> QuerySet[ShownCount]:
    """Return the counts of the till, the last one first; one query.

    ``booked`` is the number of the receipt that booked the difference. A count is
    ``is_outdated`` if other cash moved since, even if it sums to 0.
    """
    booked = Receipt.objects.filter(difference_of=OuterRef("pk")).values("number")[:1]
    moved = Receipt.objects.filter(
        tournament=OuterRef("tournament"),
        method=Receipt.Method.CASH,
        created_at__gt=OuterRef("created_at"),
    ).exclude(difference_of=OuterRef("pk"))
    return (
        tournament.cash_counts.select_related("created_by")
        .annotate(is_outdated=Exists(moved), booked=Subquery(booked))
        .order_by("-pk")
    )


Method = Receipt.Method
ALWAYS_SHOWN = frozenset({Method.CASH, Method.BANK})


@dataclass(frozen=True, slots=True, kw_only=True)
class KindSum:
    """One line of the report: income and expense of one kind, in cents."""

    kind: CashEntry.Kind
    by_way: dict[Method, int]

    @property
    def total_cents(self) -> int:
        """The sum of all ways of payment."""
        return sum(self.by_way.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The sums of the cash book; all of the same entries."""

    ways: list[Method]  # a column for each
    kinds: list[KindSum] = field(default_factory=list)
    last_count: ShownCount | None = None
    is_open: bool = False

    @property
    def by_way(self) -> dict[Method, int]:
        """The sum of each way of payment."""
        return {way: sum(kind.by_way[way] for kind in self.kinds) for way in self.ways}

    @property
    def cash_cents(self) -> int:
        """The cash that must be in the till."""
        return self.by_way[Method.CASH]

    @property
    def total_cents(self) -> int:
        """Till and accounts together."""
        return sum(self.by_way.values())


def report(tournament: Tournament) -> Report:
    """Return the sums by kind and way of payment; three queries."""
    rows = (
        CashEntry.objects.filter(receipt__tournament=tournament)
        .order_by()
        .values_list("kind", "receipt__method")
        .annotate(total=Sum("amount_cents"))
    )
    sums = {(kind, method): cents for kind, method, cents in rows}
    methods, kinds = {method for _kind, method in sums}, {kind for kind, _method in sums}
    ways = [way for way in Method if way in methods | ALWAYS_SHOWN]
    return Report(
        ways=ways,
        kinds=[
            KindSum(kind=kind, by_way={way: sums.get((kind, way), 0) for way in ways})
            for kind in CashEntry.Kind
            if kind in kinds
        ],
        last_count=counts(tournament).first(),
        is_open=balances.is_open(tournament),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySum:
    """The cash of one day, in cents, and the last count on it."""

    day: date
    before_cents: int
    in_cents: int
    out_cents: int
    other_cents: int  # by other ways
    count: CashCount | None

    @property
    def left_cents(self) -> int:
        """The cash that must be in the till at its end."""
        return self.before_cents + self.in_cents + self.out_cents

    @property
    def is_closed(self) -> bool:
        """Whether its last count is ``left_cents``."""
        return self.count is not None and self.count.counted_cents == self.left_cents


def by_day(tournament: Tournament) -> list[DaySum]:
    """Return the cash of each day with a receipt, or nothing for a single day; two queries.

    Receipts before 5:00 belong to the evening before.
    """
    is_cash = Q(receipt__method=Method.CASH)
    at = "receipt__created_at"
    rows = list(
        CashEntry.objects.filter(receipt__tournament=tournament)
        .annotate(date=TruncDate(at), is_night=Q(**{f"{at}__hour__lt": NIGHT_ENDS.hour}))
        .order_by("date")
        .values("date", "is_night")
        .annotate(
            in_cents=Sum("amount_cents", filter=is_cash & Q(amount_cents__gt=0), default=0),
            out_cents=Sum("amount_cents", filter=is_cash & Q(amount_cents__lt=0), default=0),
            other_cents=Sum("amount_cents", filter=~is_cash, default=0),
        )
    )
    sums: dict[date, Counter[str]] = {}
    for row in rows:
        day = row["date"] - timedelta(days=row["is_night"])
        cents = {name: row[name] for name in ("in_cents", "out_cents", "other_cents")}
        sums.setdefault(day, Counter()).update(cents)
    if len(sums) < 2:
        return []
    last = {evening_of(count.created_at): count for count in tournament.cash_counts.order_by("pk")}
    days, before = [], 0
    for day, cents in sorted(sums.items()):
        day_sum = DaySum(day=day, before_cents=before, count=last.get(day), **cents)
        before = day_sum.left_cents
        days.append(day_sum)
    return days


def startgeld_by_category(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the Startgeld by group, with the number of persons who paid any; one query."""
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
    groups: dict[int, dict[str, Any]] = {}
    for row in rows:
        pk = row["registration__category"]
        name = str(Category(name=row["registration__category__name"]))
        group = groups.setdefault(pk, {"pk": pk, "name": name, "persons": 0, "cents": 0})
        group["cents"] += row["cents"]
        # With a cancelled receipt the sum is 0: not paid.
        group["persons"] += row["cents"] > 0
    return list(groups.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSum:
    """One line of the report by person."""

    registration: Registration | None  # None: entries without a registration
    due_cents: int
    paid_cents: int
    kaution_cents: int
    other_cents: int
    gets_back: bool = False  # all payments, see ``balances.gets_back``

    @property
    def open_cents(self) -> int:
        """The cents still due; 0 if the person does not take part."""
        return max(0, self.due_cents - self.paid_cents) if self.registration else 0

    @property
    def credit_cents(self) -> int:
        """The credit in cents, as of ``balances.spare_cents``."""
        if self.registration is None:
            return 0
        kept = 0 if self.gets_back else self.registration.due_cents
        return max(0, self.paid_cents - kept)

    @property
    def kept_cents(self) -> int:
        """The cents paid by a person who no longer takes part, owes nothing and gets none back."""
        return self.paid_cents - self.due_cents - self.credit_cents + self.open_cents

    @property
    def forfeited_cents(self) -> int:
        """The cents that an excluded person does not get back (§ 1.4)."""
        return (
            balances.forfeited_cents(self.registration, self.paid_cents) if self.registration else 0
        )


def by_person(tournament: Tournament) -> dict[str, Any]:
    """Return paid cents, dues and Kaution of each registration, with a last line; two queries.

    Together with the entries without registration it is the whole book. ``difference`` explains
    paid − due: it is credit + kept − open.
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
    gets_back = balances.gets_back_condition(tournament, timezone.now())
    registrations = tournament.registrations.select_related("person").annotate(gets_back=gets_back)
    registrations = registrations.order_by("number", "pk")
    persons = [
        _person_sum(registration, sums_of.get(registration.pk, {}))
        for registration in registrations
    ]
    nobody = _person_sum(None, sums_of.get(None, {}))
    everybody = [*persons, nobody]
    total = PersonSum(
        registration=None,
        due_cents=sum(person.due_cents for person in everybody),
        paid_cents=sum(person.paid_cents for person in everybody),
        kaution_cents=sum(person.kaution_cents for person in everybody),
        other_cents=sum(person.other_cents for person in everybody),
    )
    difference = {
        "cents": total.paid_cents - total.due_cents,
        "credit_cents": sum(person.credit_cents for person in persons),
        "open_cents": sum(person.open_cents for person in persons),
        "kept_cents": sum(person.kept_cents for person in persons),
    }
    return {"persons": persons, "nobody": nobody, "total": total, "difference": difference}


def _person_sum(registration: Registration | None, sums: dict[str, int]) -> PersonSum:
    paid = sum(sums.get(kind, 0) for kind in balances.DUES)
    kaution = sums.get(CashEntry.Kind.KAUTION, 0)
    return PersonSum(
        registration=registration,
        due_cents=registration.owed_cents if registration else 0,
        paid_cents=paid,
        kaution_cents=kaution,
        other_cents=sum(sums.values()) - paid - kaution,
        gets_back=getattr(registration, "gets_back", False),
    )


def span(tournament: Tournament) -> dict[str, Any]:
    """Return the number of receipts and the time of the last one; one query."""
    return tournament.receipts.aggregate(last=Max("created_at"), receipts=Count("pk"))


def report_context(tournament: Tournament) -> dict[str, object]:
    """Return the contents of the report for its page and for paper."""
    return {
        "report": report(tournament),
        "days": by_day(tournament),
        "span": span(tournament),
        "categories": startgeld_by_category(tournament),
        **by_person(tournament),
    }
