"""The counters at the side of the desk: who is there, the till, and the tables it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, Sum
from django.utils import timezone
from django.utils.translation import ngettext

from scoring.errors import ScoringError
from scoring.seating.sizes import table_sizes
from tournaments.cash.queries import balances
from tournaments.common.formats import table_word
from tournaments.desk.queries import presence
from tournaments.models import CashEntry, Registration, Tournament
from tournaments.people.queries.naming import is_unnamed_in_hall

Status = Registration.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """The numbers at the side of the desk."""

    presence: presence.Presence
    paid: int
    registered: int  # registered, not paid in full
    waiting: int
    to_phone: int  # on it, to be asked by phone for a place that is held
    asking: int  # waiting for the approval of the Spielleitung (§ 1.1)
    unnamed: int  # take part, and are shown in the hall without name
    till_cents: int
    opening_cents: int
    is_open: bool  # the opening change has been booked
    tables: str  # „7 Vierertische, 1 Dreiertisch“, or why there are none
    missing: str  # „noch 1 fehlt für 8 Vierertische“, or ""

    @property
    def taken_cents(self) -> int:
        """The cash taken in cents: the till without the opening change."""
        return self.till_cents - self.opening_cents


def counters(tournament: Tournament) -> Counters:
    """Return the counters of *tournament*; two queries."""
    people = tournament.registrations.aggregate(
        paid=Count("pk", filter=Q(status=Status.PAID)),
        registered=Count("pk", filter=Q(status=Status.REGISTERED)),
        **presence.counts(tournament),
        waiting=Count("pk", filter=Q(status=Status.WAITING, approval="")),
        asking=Count("pk", filter=Q(approval=Registration.Approval.ASKED)),
        to_phone=Count("pk", filter=Q(ask_by_phone=True, offered_until__gt=timezone.now())),
        unnamed=Count(
            "pk",
            filter=is_unnamed_in_hall(tournament) & Q(status__in=Registration.TAKING_PART),
        ),
    )
    till = CashEntry.objects.filter(
        receipt__tournament=tournament, receipt__method="cash"
    ).aggregate(
        total=Sum("amount_cents"),
        opening=Sum("amount_cents", filter=Q(kind=CashEntry.Kind.OPENING)),
        openings=Count("pk", filter=balances.OPENING),
    )
    paid = people["paid"]
    sizes = tuple(tournament.rule_set.get("table_sizes") or (4, 3))
    return Counters(
        presence=presence.Presence(present=people.pop("present"), expected=people.pop("expected")),
        **people,
        till_cents=till["total"] or 0,
        opening_cents=till["opening"] or 0,
        is_open=till["openings"] > 0,
        tables=tables_in_words(paid, sizes),
        missing=missing_in_words(paid, sizes) if tournament.takes_people else "",
    )


def tables_in_words(players: int, sizes: Sequence[int]) -> str:
    """Return the tables for a number of players, the preferred size first (§ 2.1.1).

    >>> tables_in_words(31, (4, 3))
    '7 Vierertische, 1 Dreiertisch'
    """
    if not players:
        return ""
    try:
        found = Counter(table_sizes(players, sizes))
    except ScoringError as refusal:
        return str(refusal)
    return ", ".join(
        f"{found[size]} {table_word(size, found[size])}" for size in sizes if found[size]
    )


def missing_in_words(players: int, sizes: Sequence[int]) -> str:
    """Return how many more players would fill all tables of the preferred size, or "".

    >>> missing_in_words(31, (4, 3))
    'noch 1 fehlt für 8 Vierertische'
    """
    preferred = sizes[0]
    missing = -players % preferred
    if not players or not missing:
        return ""
    number = (players + missing) // preferred
    tables = f"{number} {table_word(preferred, number)}"
    return ngettext(
        "noch {missing} fehlt für {tables}", "noch {missing} fehlen für {tables}", missing
    ).format(missing=missing, tables=tables)
