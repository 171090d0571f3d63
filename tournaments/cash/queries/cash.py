"""Queries for the pages of the cash book: receipts, a selection of them, the file.

Its sums are in ``queries.report``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import Count, F, Prefetch, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.money import euro
from tournaments.cash.queries import balances
from tournaments.cash.queries.balances import spare_cents
from tournaments.cash.queries.payment_ways import way_back
from tournaments.common import names
from tournaments.common.digits import number_in
from tournaments.models import CashEntry, Receipt, Registration, Tournament
from tournaments.models.schedule import NIGHT_ENDS, local_moment

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _ReceiptSums(TypedDict):
        total_cents: int
        shown_cents: int

    ShownReceipt = WithAnnotations[Receipt, _ReceiptSums]
else:
    ShownReceipt = Receipt

CASH = Receipt.Method.CASH
MAX_WORDS = 8
NOBODY = 0  # as a registration: entries without a registration

_WORD = re.compile(r"[^\W_]+")

# Kinds that one sum on a page combines; the URL of its receipts has the group's key.
REST = tuple(
    kind for kind in CashEntry.Kind if kind not in balances.DUES and kind != CashEntry.Kind.KAUTION
)
GROUPS = {"meldung": balances.DUES, "uebriges": REST}


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A filter for entries of the book; empty for all of them."""

    kind: str = ""  # of CashEntry.Kind, or a key of GROUPS
    method: str = ""
    person: str = ""  # a start number or words of the name
    registration: int | None = None  # primary key, or NOBODY
    category: int | None = None
    day: date | None = None

    def __bool__(self) -> bool:
        return self != Selection()


def _matches(selection: Selection, prefix: str) -> Q:
    """Return the condition on entries; *prefix* is the path to them, as ``entries__``."""
    lookups: dict[str, object] = {}
    if selection.kind:
        lookups["kind__in"] = GROUPS.get(selection.kind, (selection.kind,))
    if selection.method:
        lookups["receipt__method"] = selection.method
    if selection.registration == NOBODY:
        lookups["registration__isnull"] = True
    elif selection.registration is not None:
        lookups["registration"] = selection.registration
    if selection.category is not None:
        lookups["registration__category"] = selection.category
    if selection.day is not None:
        day, next_day = selection.day, selection.day + timedelta(days=1)
        lookups["receipt__created_at__gte"] = local_moment(day, NIGHT_ENDS)
        lookups["receipt__created_at__lt"] = local_moment(next_day, NIGHT_ENDS)
    condition = Q(**{prefix + name: value for name, value in lookups.items()})
    return condition & _of_person(selection.person, prefix)


def _of_person(text: str, prefix: str) -> Q:
    number = number_in(text)
    if number is not None:
        return Q(**{f"{prefix}registration__number": number})
    condition = Q()
    for word in _WORD.findall(text)[:MAX_WORDS]:
        either = Q()
        for spelling in names.search_words(word):
            either |= Q(**{f"{prefix}registration__person__search_key__contains": f" {spelling}"})
        condition &= either
    return condition


def receipts(tournament: Tournament, selection: Selection | None = None) -> QuerySet[ShownReceipt]:
    """Return the receipts, the newest first, with their entries; two queries.

    ``total_cents`` is the receipt's sum, ``shown_cents`` the sum of its entries in
    *selection*; all of these add up to the sum of the selection.
    """
    entries = CashEntry.objects.select_related("registration__person").order_by("pk")
    queryset = (
        tournament.receipts.select_related("created_by", "reverses", "reversed_by")
        .prefetch_related(Prefetch("entries", entries))
        .annotate(total_cents=Sum("entries__amount_cents"))
        .order_by("-number")
    )
    if not selection:
        return queryset.annotate(shown_cents=F("total_cents"))
    condition = _matches(selection, "entries__")
    shown = Sum("entries__amount_cents", filter=condition)
    return queryset.annotate(shown_cents=shown).filter(shown_cents__isnull=False)


def sums(tournament: Tournament, selection: Selection) -> dict[str, int]:
    """Return the sum of the selected entries and the number of their receipts; one query."""
    entries = CashEntry.objects.filter(_matches(selection, ""), receipt__tournament=tournament)
    row = entries.aggregate(cents=Sum("amount_cents"), receipts=Count("receipt", distinct=True))
    return {**row, "cents": row["cents"] or 0}


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


def kautionen(tournament: Tournament) -> dict[str, int]:
    """Return the number of persons whose Kaution is held, and its sum; one query."""
    held = balances.kautionen(tournament)
    return {"persons": len(held), "cents": sum(cents for _pk, _number, cents in held)}


def person_money(registration: Registration, *, has_paid: bool) -> dict[str, Any]:
    """Return the context of ``tournaments/cash/_person_money.html``; two queries, or three."""
    return {
        "kaution_held_cents": balances.kaution_cents(registration),
        "spare_cents": spare_cents(registration),
        "way_back": way_back(registration) if has_paid else Receipt.Method.CASH,
    }


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


def csv_rows(receipts: Iterable[Receipt]) -> Iterator[tuple[str | int, ...]]:
    """Yield ``CSV_HEAD``, then one row per entry in that order; *receipts* oldest first.

    Income and expense have columns of their own, so that no amount needs a sign and
    spreadsheet programs read them as amounts.
    """
    yield tuple(map(str, CSV_HEAD))
    balance = 0
    for receipt in receipts:
        at = timezone.localtime(receipt.created_at)
        for entry in receipt.entries.all():
            cents, registration = entry.amount_cents, entry.registration
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
                (registration.number or "") if registration else "",
                registration.person.list_name if registration else "",
                receipt.payer,
                receipt.text,
                receipt.reverses.number if receipt.reverses else "",
                str(receipt.created_by or ""),
            )


def _plain_euro(cents: int) -> str:
    return euro(cents).removesuffix("\N{NO-BREAK SPACE}€").replace(".", "")
