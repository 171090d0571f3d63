"""Data of the desk: search results and the latest registrations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from django.db.models import Exists, Max, OuterRef, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from tournaments.cash.queries import balances, tariff
from tournaments.common.digits import number_in
from tournaments.desk.queries import presence
from tournaments.desk.queries.admission import (
    Applicant,
    admission_ground,
    lacking_in_words,
    pass_in_words,
)
from tournaments.desk.queries.missed_serien import late_share, late_startgeld_cents
from tournaments.models import CashEntry, Category, Person, Receipt, Registration, Seat, Tournament
from tournaments.people.queries import bans
from tournaments.people.queries.people import (
    FoundPerson,
    has_name,
    is_surely_meant,
    namesakes,
    persons_by_pass,
    search_persons,
)

MOST_RESULTS = 7
MOST_RECENT = 8
MOST_ENTRIES = 6  # of one receipt for one person: Startgeld, Kartengeld, stakes, Kaution
SAME_ACT = timedelta(seconds=10)  # between a registration and the receipt of the same act
NOTES_CENTS = (2000, 5000, 10000)  # usual banknotes
Status = Registration.Status
# The URL in the QR code of a Startkarte, or of an entry.
_SCANNED = re.compile(r"/(?:s|meldung)/([\w-]{20,})/?\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayingDay:
    """A day for which a person can be registered alone."""

    number: int
    date: date
    due_cents: int  # with the Kaution


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """One search result: a person, and the act of the Enter key."""

    person: Person
    registration: Registration | None
    category: Category | None  # the tariff line for a registration
    due_cents: int | None  # the amount that Enter takes; None: Enter opens the registration
    kaution_cents: int  # part of it that is the Kaution
    ban_reason: str | None
    days: tuple[PlayingDay, ...] = ()  # for which the person can be registered alone
    is_absent: bool = False  # has paid and is not ticked off, on the day
    outside: str = ""  # the reason why approval is needed (§ 1.1)
    pass_sign: str = ""  # the pass, if the tournament asks for it
    is_sure: bool = True  # no other person matches, so Enter may take the row
    is_shared: bool = False  # another person has the same name, so Enter must not

    @property
    def act(self) -> str:
        """The act of the Enter key: "register", "pay", "tick" or "open"."""
        if self.registration is None:
            return "open" if self.ban_reason else "register"
        if self.due_cents:
            return "pay"
        return "tick" if self.is_absent else "open"


def search(tournament: Tournament, text: str) -> list[SearchResult]:
    """Return the persons for *text*: a start number, a code, or words of name and club.

    If the tournament asks for passes, also the number of a pass. Takes seven queries at most,
    nine with passes.
    """
    if scanned := _SCANNED.search(text):
        return _of_registrations(tournament, Q(pk__in=presence.by_token(tournament, scanned[1])))
    people = persons_by_pass(text, tournament.owner_id) if tournament.asks_pass else []
    number = number_in(text)
    rows = [] if number is None else _of_registrations(tournament, Q(number=number))
    if people:
        keys = {row.person.pk for row in rows}
        rows += _of_persons(tournament, [person for person in people if person.pk not in keys])
        return [replace(row, is_sure=True, is_shared=len(rows) > 1) for row in rows]
    if number is not None:
        return rows
    people = search_persons(text, tournament.owner_id, limit=MOST_RESULTS, lent=True)
    people += namesakes(people, text, tournament, limit=MOST_RESULTS)
    sure = {person.pk for person in people if is_surely_meant(person, text)}
    names = Counter(person.sort_key for person in people if person.pk in sure)
    rows = [
        replace(
            row,
            is_sure=row.person.pk in sure,
            is_shared=row.person.pk in sure and names[row.person.sort_key] > 1,
        )
        for row in _of_persons(tournament, people)
    ]
    return sorted(rows, key=lambda row: _order(row, text))


def _of_persons(tournament: Tournament, people: Sequence[FoundPerson]) -> list[SearchResult]:
    if not people:
        return []
    registered = {
        registration.person_id: registration
        for registration in _registrations(tournament).filter(person__in=people)
    }
    categories = list(tournament.categories.all())
    share = late_share(tournament)
    days = {day: late_share(tournament, str(day)) for day in tournament.days.numbers}
    return [
        _search_result(
            tournament,
            person,
            registered.get(person.pk),
            categories,
            bans.ban_reason_for(person, person.ban_reason, tournament.owner_id),
            share=share,
            days=days,
        )
        for person in people
    ]


def _order(row: SearchResult, text: str) -> tuple[bool, ...]:
    """Return the sort key of a row: exact names first, then rows with an act."""
    is_whole, is_last = has_name(row.person, text)
    return (not row.is_sure, not is_whole, not is_last, row.act == "open")


def _of_registrations(tournament: Tournament, condition: Q) -> list[SearchResult]:
    registrations = _registrations(tournament).filter(condition)
    rows = [
        _search_result(tournament, registration.person, registration, [], None)
        for registration in registrations
    ]
    return sorted(rows, key=lambda row: row.act == "open")


def _registrations(tournament: Tournament) -> QuerySet[Registration]:
    seats = Seat.objects.filter(registration=OuterRef("pk"))
    days = tournament.days
    if (first := days.first_serie(days.at(timezone.now()))) > 1:
        seats = seats.filter(serie__number__gte=first)
    return (
        tournament.registrations.select_related("person", "person__club", "club", "category")
        .annotate(
            paid_cents=Sum(
                "cash_entries__amount_cents", filter=Q(cash_entries__kind__in=balances.DUES)
            ),
            is_seated=Exists(seats),
            has_kaution=Exists(
                CashEntry.objects.filter(balances.KAUTION_TAKEN, registration=OuterRef("pk"))
            ),
        )
        .order_by("number", "pk")
    )


def _search_result(
    tournament: Tournament,
    person: Person,
    registration: Registration | None,
    categories: Sequence[Category],
    ban_reason: str | None,
    *,
    share: Fraction | None = None,
    days: Mapping[int, Fraction | None] | None = None,
) -> SearchResult:
    category: Category | None
    alone: list[PlayingDay] = []
    kaution = tournament.kaution_cents
    if registration is not None:
        paid = getattr(registration, "paid_cents", None) or 0
        kaution = 0 if getattr(registration, "has_kaution", False) else kaution
        open_cents = kaution + registration.open_cents_after(paid)
        takes_money = registration.takes_part and open_cents > 0
        category, due = registration.category, open_cents if takes_money else None
    else:
        category = tariff.cheapest_suiting(categories, person.birth_year)
        due = None
        if category is not None:

            def due_with(share: Fraction | None) -> int:
                late_cents = late_startgeld_cents(category, share)
                startgeld = category.startgeld_cents if late_cents is None else late_cents
                return startgeld + tournament.kartengeld_cents + kaution

            due = due_with(share)
            alone = [
                PlayingDay(number=day, date=tournament.days.date(day), due_cents=due_with(part))
                for day, part in (days or {}).items()
            ]
    is_outside = bool(registration is None and tournament.admission) and not admission_ground(
        tournament, Applicant.stored(person, tournament)
    )
    return SearchResult(
        person=person,
        registration=registration,
        category=category,
        due_cents=due,
        kaution_cents=kaution,
        days=tuple(alone),
        ban_reason=ban_reason,
        outside=lacking_in_words(tournament, person) if is_outside else "",
        pass_sign=pass_in_words(tournament, person),
        is_absent=registration is not None
        and registration.status == Status.PAID
        and registration.plays_today
        and not registration.is_gone
        and registration.here_since is None
        and not getattr(registration, "is_seated", False)
        and tournament.has_come(timezone.now()),
    )


def recent_registrations(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the latest registrations and bookings, the latest first; two queries."""
    entries = CashEntry.objects.select_related("receipt")
    booked = entries.filter(registration__tournament=tournament).order_by("-pk")
    registered = tournament.registrations.order_by("-pk")
    newest = (
        tournament.registrations.filter(
            # Reads only the ends of both tables: a receipt has few entries for one person.
            Q(pk__in=registered.values("pk")[:MOST_RECENT])
            | Q(pk__in=booked.values("registration")[: MOST_RECENT * MOST_ENTRIES])
        )
        .select_related("person", "club")
        .prefetch_related(Prefetch("cash_entries", queryset=entries))
        .annotate(
            is_seated=Exists(Seat.objects.filter(registration=OuterRef("pk"))),
            at=Greatest(
                "created_at", Coalesce(Max("cash_entries__receipt__created_at"), "created_at")
            ),
        )
        .order_by("-at", "-pk")[:MOST_RECENT]
    )
    return [
        _recent_row(registration, may_go=tournament.takes_people and not registration.is_seated)
        for registration in newest
    ]


def _recent_row(registration: Registration, *, may_go: bool) -> dict[str, Any]:
    entries = list(registration.cash_entries.all())
    dues = [entry for entry in entries if entry.kind in balances.DUES]
    ways = {entry.receipt.get_method_display() for entry in dues if entry.amount_cents > 0}
    at = registration.at  # type: ignore[attr-defined]
    is_paid_later = at - registration.created_at > SAME_ACT
    latest = max(entries, key=lambda entry: entry.pk, default=None)
    moved = Receipt.Method.INTERNAL.label  # shown only if there is no other method
    return {
        "registration": registration,
        "at": at,
        # The row offers to undo the act: a payment by its receipt, else the registration.
        "receipt": latest.receipt if latest and is_paid_later else None,
        "taken_cents": sum(entry.amount_cents for entry in dues),
        "method": ", ".join(sorted(map(str, ways - {moved} or ways))),
        "back_cents": sum(entry.amount_cents for entry in entries),  # if taken back
        "can_be_taken_back": may_go and registration.is_coming,
    }


def banknotes(due_cents: int) -> list[tuple[int, int]]:
    """Return the banknotes above *due_cents*, each with the change in cents.

    >>> banknotes(1500)
    [(2000, 500), (5000, 3500), (10000, 8500)]
    """
    return [(note, note - due_cents) for note in NOTES_CENTS if note > due_cents > 0]


def joint_payment(tournament: Tournament, keys: Sequence[int]) -> dict[str, Any] | None:
    """Return the registrations of *keys* with open dues, and their sum; one query at most."""
    if not keys:
        return None
    registrations = {
        registration.pk: registration
        for registration in _registrations(tournament).filter(pk__in=keys)
    }
    ordered = [registrations[key] for key in keys if key in registrations]
    rows = [
        _search_result(tournament, registration.person, registration, [], None)
        for registration in ordered
    ]
    rows = [row for row in rows if row.act == "pay"]
    due = sum(row.due_cents or 0 for row in rows)
    keys = [row.registration.pk for row in rows if row.registration]
    return (
        {"rows": rows, "due_cents": due, "change": banknotes(due), "keys": keys} if rows else None
    )


def latest_result(registration: Registration, drawn: Sequence[int]) -> dict[str, Any]:
    """Return the result of the latest act for one registration; *drawn*: Serien with seats."""
    kinds = (*balances.DUES, CashEntry.Kind.KAUTION)
    booked = CashEntry.objects.filter(
        kind__in=kinds, receipt__in=registration.cash_entries.values("receipt")
    ).select_related("receipt", "registration__person")
    entries = list(booked.order_by("pk"))
    own = [entry for entry in entries if entry.registration_id == registration.pk]
    paid_in = [entry for entry in own if entry.receipt.method != Receipt.Method.INTERNAL]
    latest = [entry for entry in entries if paid_in and entry.receipt_id == paid_in[-1].receipt_id]
    dues = [entry.kind for entry in latest if entry.kind in balances.DUES]
    paid_for = dict.fromkeys(entry.registration for entry in latest)
    taken_cents = sum(entry.amount_cents for entry in latest)
    paid_cents = sum(entry.amount_cents for entry in own if entry.kind in balances.DUES)
    waits_for = drawn[-1] if drawn and registration.plays_next else None
    if waits_for and registration.seats.filter(serie__number=waits_for).exists():
        waits_for = None
    return {
        "registration": registration,
        "others": [other for other in paid_for if other and other != registration],
        "taken_cents": taken_cents,
        "taken_for": ", ".join(
            str(registration.category if kind == CashEntry.Kind.STARTGELD else kind.label)
            for kind in dict.fromkeys(map(CashEntry.Kind, dues))
        ),
        "kaution_cents": sum(
            entry.amount_cents for entry in latest if entry.kind not in balances.DUES
        ),
        "open_cents": registration.open_cents_after(paid_cents),
        "change": banknotes(taken_cents)
        if latest and latest[0].receipt.method == Receipt.Method.CASH
        else [],
        "seatless_in": waits_for,  # number of the Serie drawn without this person
    }
