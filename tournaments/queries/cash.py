"""What the pages of the cash book show: receipts, sums by kind and by person, counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypedDict

from django.db.models import Prefetch, Q, QuerySet, Sum
from django.utils.translation import gettext_lazy as _

from tournaments.models import CashCount, CashEntry, Receipt, Registration, Tournament
from tournaments.services.cash import DUES

CASH, BANK = Receipt.Method.CASH, Receipt.Method.BANK


def receipts(tournament: Tournament, *, kind: str = "", number: str = "") -> QuerySet[Receipt]:
    """Return the receipts, the newest first, with their entries; two queries.

    *kind* keeps those with such an entry, *number* those of a start number.
    """
    entries = CashEntry.objects.select_related("registration__person").order_by("pk")
    found = (
        tournament.receipts.select_related("created_by", "reverses", "reversed_by")
        .prefetch_related(Prefetch("entries", entries))
        .annotate(total_cents=Sum("entries__amount_cents"))
        .order_by("-number")
    )
    if kind in CashEntry.Kind.values:
        found = found.filter(pk__in=CashEntry.objects.filter(kind=kind).values("receipt"))
    if number.isascii() and number.isdigit():
        of_person = CashEntry.objects.filter(registration__number=int(number[:9]))
        found = found.filter(pk__in=of_person.values("receipt"))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class KindSum:
    """One line of the report: what came in and went out for one purpose."""

    kind: str
    label: str
    cash_cents: int
    bank_cents: int

    @property
    def total_cents(self) -> int:
        """Cash and bank together."""
        return self.cash_cents + self.bank_cents


class Report(TypedDict):
    """The cash book in sums; all of them are made of the same entries."""

    kinds: list[KindSum]
    cash_cents: int
    bank_cents: int
    last_count: CashCount | None


def report(tournament: Tournament) -> Report:
    """Return the sums by kind and way of payment; two queries."""
    rows = (
        CashEntry.objects.filter(receipt__tournament=tournament)
        .order_by()
        .values("kind")
        .annotate(
            cash=Sum("amount_cents", filter=Q(receipt__method=CASH)),
            bank=Sum("amount_cents", filter=Q(receipt__method=BANK)),
        )
    )
    by_kind = {row["kind"]: (row["cash"] or 0, row["bank"] or 0) for row in rows}
    kinds = [
        KindSum(kind=kind.value, label=str(kind.label), cash_cents=cash, bank_cents=bank)
        for kind in CashEntry.Kind
        for cash, bank in [by_kind.get(kind.value, (0, 0))]
        if cash or bank
    ]
    return Report(
        kinds=kinds,
        cash_cents=sum(one.cash_cents for one in kinds),
        bank_cents=sum(one.bank_cents for one in kinds),
        last_count=tournament.cash_counts.select_related("created_by").order_by("-pk").first(),
    )


class PersonSum(TypedDict):
    """One line of the report by person."""

    registration: Registration
    paid_cents: int
    kaution_cents: int
    other_cents: int


def by_person(tournament: Tournament) -> list[PersonSum]:
    """Return what each registration paid, owes and has on deposit; two queries."""
    sums: dict[int, dict[str, int]] = {}
    rows = (
        CashEntry.objects.filter(receipt__tournament=tournament, registration__isnull=False)
        .order_by()
        .values("registration", "kind")
        .annotate(total=Sum("amount_cents"))
    )
    for row in rows:
        sums.setdefault(row["registration"], {})[row["kind"]] = row["total"]
    found = tournament.registrations.select_related("person").order_by("number", "pk")
    return [_person_sum(one, sums.get(one.pk, {})) for one in found]


def _person_sum(registration: Registration, sums: dict[str, int]) -> PersonSum:
    paid = sum(sums.get(kind, 0) for kind in DUES)
    kaution = sums.get(CashEntry.Kind.KAUTION, 0)
    return PersonSum(
        registration=registration,
        paid_cents=paid,
        kaution_cents=kaution,
        other_cents=sum(sums.values()) - paid - kaution,
    )


CSV_HEAD = (
    _("Beleg"),
    _("Zeit"),
    _("Art"),
    _("Betrag in Cent"),
    _("Zahlungsweg"),
    _("Startnummer"),
    _("Name"),
    _("Text"),
    _("storniert Beleg"),
    _("gebucht von"),
)


def csv_rows(found: Iterable[Receipt]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row per entry, in the order of ``CSV_HEAD``."""
    for receipt in found:
        for entry in receipt.entries.all():
            yield (
                receipt.number,
                receipt.created_at.isoformat(timespec="seconds"),
                str(entry.get_kind_display()),
                entry.amount_cents,
                str(receipt.get_method_display()),
                (entry.registration.number or "") if entry.registration else "",
                receipt.payer,
                receipt.text,
                receipt.reverses.number if receipt.reverses else "",
                str(receipt.created_by or ""),
            )
