"""Data whose retention period is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import ngettext

from tournaments.machine.hashes import hash_of
from tournaments.models import (
    BankTransaction,
    Job,
    LegalText,
    Organiser,
    OrganiserAccount,
    Person,
    PrintedDocument,
    Receipt,
    Registration,
    Separation,
    Signature,
    Substitution,
    Tournament,
)
from tournaments.people.queries import bans
from tournaments.people.queries.people import living_persons

# After this time objections are decided, and lists are not needed.
LISTS_KEPT = timedelta(days=183)
PERSONS_KEPT = timedelta(days=3 * 365)
# Calendar years after that of the receipt (§ 147 (3) and (4) AO, § 257 (4) and (5) HGB).
RECEIPT_YEARS = 8
REMOVED = "gelöscht"  # replaces a required text


@dataclass(frozen=True, slots=True, kw_only=True)
class DueDeletion:
    """A tournament whose retention period is over, with the number of rows by kind."""

    tournament: Tournament
    left: dict[str, int]

    @property
    def lines(self) -> list[str]:
        """The data to be deleted, in words."""
        n = self.left
        parts = (
            (n["signatures"], ngettext("{n} Unterschrift", "{n} Unterschriften", n["signatures"])),
            (n["reasons"], ngettext("{n} Angabe", "{n} Angaben", n["reasons"])),
            (n["transfers"], ngettext("{n} Überweisung", "{n} Überweisungen", n["transfers"])),
            (n["files"], ngettext("{n} Datei", "{n} Dateien", n["files"])),
        )
        return [words.format(n=number) for number, words in parts if number]


def unfinished_texts() -> list[LegalText]:
    """Return the texts of the operator with gaps, and the empty pages."""
    stored = {page.name: page for page in LegalText.objects.all()}
    pages = [stored.get(name, LegalText(name=name)) for name in LegalText.Name.values]
    return [page for page in pages if page.gaps or (page.name in page.PAGES and not page.text)]


def due_tournaments(now: datetime, owners: Collection[Organiser]) -> list[DueDeletion]:
    """Return tournaments of *owners* with data after their retention period; eight queries."""
    over = Q(closings__reopened_at=None, closings__closed_at__lte=now - LISTS_KEPT)
    imported = Q(closings=None, starts_at__lte=now - LISTS_KEPT)
    ended = Tournament.objects.filter(owner__in=owners, status__in=Tournament.OVER)
    closed = ended.filter(over | imported).distinct()
    reasons = _numbers(registrations_with_reasons(closed))
    reasons += _numbers(substitutions(closed), "registration__tournament")
    reasons += _numbers(separations(closed))
    files = _numbers(PrintedDocument.objects.filter(tournament__in=closed))
    numbers = {
        "signatures": _numbers(drawn_signatures(closed), "spielliste__table__serie__tournament"),
        "reasons": reasons,
        "transfers": _numbers(transfers(closed)),
        "files": files + _numbers(archives(closed)),
    }
    due = closed.filter(pk__in={key for counter in numbers.values() for key in counter})
    return [
        DueDeletion(
            tournament=each, left={kind: counter[each.pk] for kind, counter in numbers.items()}
        )
        for each in due.order_by("starts_at", "pk")
    ]


def organiser_sizes() -> list[dict[str, Any]]:
    """Return the organisers by name, with the number of their rows; four queries."""
    counted = {
        name: dict(rows.order_by().values_list(key).annotate(Count("pk")))
        for name, rows, key in (
            ("accounts", OrganiserAccount.objects.all(), "organiser"),
            ("tournaments", Tournament.objects.all(), "owner"),
            ("persons", Person.objects.all(), "owner"),
        )
    }
    return [
        {
            "organiser": organiser,
            **{name: counts.get(organiser.pk, 0) for name, counts in counted.items()},
        }
        for organiser in Organiser.objects.filter(is_practice=False).select_related("parent")
    ]


def _numbers(rows: QuerySet[Any], path: str = "tournament") -> Counter[int]:
    """Return the number of rows by the key of their tournament."""
    return Counter(dict(rows.order_by().values_list(path).annotate(Count("pk"))))


def drawn_signatures(tournaments: Iterable[Tournament]) -> QuerySet[Signature]:
    """Return the signatures drawn on a device that are not deleted."""
    signatures = Signature.objects.filter(spielliste__table__serie__tournament__in=tournaments)
    return signatures.filter(method=Signature.Method.DEVICE).exclude(drawing=Signature.REMOVED)


def registrations_with_reasons(tournaments: Iterable[Tournament]) -> QuerySet[Registration]:
    """Return the registrations with a reason for lateness, status or a fixed table."""
    empty = ["", REMOVED]
    nothing = Q(late_reason__in=empty, status_reason__in=empty, fixed_table_reason__in=empty)
    return Registration.objects.filter(tournament__in=tournaments).exclude(nothing)


def substitutions(tournaments: Iterable[Tournament]) -> QuerySet[Substitution]:
    """Return the substitutions with a reason."""
    return Substitution.objects.filter(registration__tournament__in=tournaments).exclude(
        reason=REMOVED
    )


def separations(tournaments: Iterable[Tournament]) -> QuerySet[Separation]:
    """Return the separations with a reason."""
    return Separation.objects.filter(tournament__in=tournaments).exclude(reason="")


def transfers(tournaments: Iterable[Tournament]) -> QuerySet[BankTransaction]:
    """Return the transfers that still have sender and purpose."""
    transactions = BankTransaction.objects.filter(tournament__in=tournaments)
    return transactions.exclude(remitter__in=["", REMOVED], purpose="")


def archives(tournaments: Iterable[Tournament]) -> QuerySet[Job]:
    """Return the exported archives that are still stored."""
    return Job.objects.filter(tournament__in=tournaments, result__has_key="file")


def due_persons(now: datetime, owners: Collection[Organiser]) -> list[Person]:
    """Return the persons of *owners* whose retention period is over, by name.

    They have no recent, open or coming tournament and no ban.
    """
    since = now - PERSONS_KEPT
    lately = Registration.objects.filter(
        Q(tournament__starts_at__gt=since) | ~Q(tournament__status__in=Tournament.OVER)
    )
    left = Substitution.objects.filter(registration__tournament__starts_at__gt=since)
    persons = living_persons(*owners).filter(created_at__lte=since)
    persons = persons.exclude(pk__in=lately.values("person")).exclude(pk__in=left.values("left"))
    banned = bans.current().values("person")
    return list(persons.exclude(pk__in=banned).order_by("sort_key", "pk"))


def old_logins(now: datetime) -> list[QuerySet[Any]]:
    """Return old log-ins and attempts with their IP addresses."""
    models = (AccessAttempt, AccessFailureLog, AccessLog)
    return [model.objects.filter(attempt_time__lte=now - LISTS_KEPT) for model in models]


def named_receipts(now: datetime, owners: Collection[Organiser]) -> QuerySet[Receipt]:
    """Return the receipts of *owners* whose name and text are due for deletion."""
    today = timezone.localtime(now)
    midnight = today.replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0)
    ended = midnight.replace(year=today.year - RECEIPT_YEARS)
    of_owners = Receipt.objects.filter(tournament__owner__in=owners)
    receipts = of_owners.filter(created_at__lt=ended, tournament__status__in=Tournament.OVER)
    return receipts.exclude(payer__in=["", REMOVED], text="")


def digest(tournaments: list[DueDeletion], persons: list[Person]) -> str:
    """Return a hash of the data to delete, to compare with the page."""
    rows = [[each.tournament.pk, each.lines] for each in tournaments]
    return hash_of({"tournaments": rows, "persons": [person.pk for person in persons]})
