"""The counters at the side of the desk: presence, till, and number of tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils import timezone
from django.utils.translation import ngettext

from scoring.errors import ScoringError
from scoring.seating.sizes import table_sizes
from tournaments.cash.queries import balances
from tournaments.common.formats import table_word
from tournaments.desk.queries import presence
from tournaments.models import CashEntry, Registration, Tournament
from tournaments.people.queries.naming import unnamed_condition

Status = Registration.Status


def counters(tournament: Tournament) -> dict[str, Any]:
    """Return the numbers at the side of the desk; two queries."""
    people = tournament.registrations.aggregate(
        paid=Count("pk", filter=Q(status=Status.PAID)),
        registered=Count("pk", filter=Q(status=Status.REGISTERED)),  # not paid in full
        **presence.presence_counts(tournament),
        waiting=Count("pk", filter=Q(status=Status.WAITING, approval="")),
        asking=Count("pk", filter=Q(approval=Registration.Approval.ASKED)),
        to_phone=Count("pk", filter=Q(ask_by_phone=True, offered_until__gt=timezone.now())),
        unnamed=Count(
            "pk",
            filter=unnamed_condition(tournament) & Q(status__in=Registration.TAKING_PART),
        ),
    )
    till = CashEntry.objects.filter(
        receipt__tournament=tournament, receipt__method="cash"
    ).aggregate(
        till_cents=Sum("amount_cents", default=0),
        opening_cents=Sum("amount_cents", filter=Q(kind=CashEntry.Kind.OPENING), default=0),
        openings=Count("pk", filter=balances.OPENING),
    )
    paid = people["paid"]
    sizes = tuple(tournament.rule_set.get("table_sizes") or (4, 3))
    here = presence.Presence(present=people.pop("present"), expected=people.pop("expected"))
    return {
        **people,
        **till,
        "presence": here,
        "taken_cents": till["till_cents"] - till["opening_cents"],
        "tables": tables_in_words(paid, sizes),
        "missing": missing_in_words(paid, sizes) if tournament.takes_people else "",
    }


def tables_in_words(players: int, sizes: Sequence[int]) -> str:
    """Return the tables for a number of players, the preferred size first (§ 2.1.1).

    >>> tables_in_words(31, (4, 3))
    '7 Vierertische, 1 Dreiertisch'
    """
    if not players:
        return ""
    try:
        counts = Counter(table_sizes(players, sizes))
    except ScoringError as refusal:
        return str(refusal)
    return ", ".join(
        f"{counts[size]} {table_word(size, counts[size])}" for size in sizes if counts[size]
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
