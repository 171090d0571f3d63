"""Data of the list of registrations, and of the page of a registration."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Case, F, Q, QuerySet, Sum, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from tournaments.cash.queries import balances
from tournaments.cash.queries.balances import refund_allowed
from tournaments.common.digits import number_in
from tournaments.models import JournalEntry, Ranking, Registration, Separation, Tournament
from tournaments.people.queries.people import has_words, typed_words

ORDERS: dict[str, tuple[str | Combinable, ...]] = {
    "number": (F("number").asc(nulls_last=True), "pk"),
    "name": ("person__sort_key", "pk"),
}


def listing(tournament: Tournament, *, order: str = "number") -> QuerySet[Registration]:
    """Return the registrations with person, club, tariff, paid and open cents; one query."""
    return (
        tournament.registrations.select_related("person", "club", "category")
        .annotate(
            paid_cents=Coalesce(
                Sum("cash_entries__amount_cents", filter=Q(cash_entries__kind__in=balances.DUES)), 0
            )
        )
        .annotate(
            open_cents=Case(
                When(
                    status__in=Registration.TAKING_PART,
                    then=Greatest(F("due_cents") - F("paid_cents"), 0),
                ),
                default=0,
            )
        )
        .order_by(*ORDERS.get(order, ORDERS["number"]))
    )


def filter_registrations(registrations: Iterable[Registration], text: str) -> list[Registration]:
    """Return the registrations with the start number *text*, or with words that begin so."""
    number = number_in(text)
    if number is not None:
        return [registration for registration in registrations if registration.number == number]
    words = typed_words(text)
    return [registration for registration in registrations if has_words(registration.person, words)]


def is_drawn(tournament: Tournament, *, since: int = 1) -> bool:
    """Whether there are tables, so that a withdrawal or exclusion leaves an empty seat.

    *since* is the number of the first Serie that counts.
    """
    return tournament.serien.filter(number__gte=since, tables__isnull=False).exists()


def registration_facts(registration: Registration, *, with_needs: bool) -> dict[str, Any]:
    """Return the context of a registration; the needs only for accounts that may see them."""
    tournament = registration.tournament
    paid = balances.paid_cents(registration)
    separations = (
        Separation.objects.filter(Q(first=registration) | Q(second=registration)).select_related(
            "first__person", "second__person"
        )
        if with_needs
        else []
    )
    history = JournalEntry.objects.filter(
        chain__tournament=tournament, subject_type="registration", subject_id=registration.pk
    )
    return {
        "registration": registration,
        "paid_cents": paid,
        "open_cents": registration.open_cents_after(paid),
        "credit_cents": balances.spare_cents(registration),
        "forfeited_cents": balances.forfeited_cents(registration, paid),
        "entries": registration.cash_entries.select_related(
            "receipt", "receipt__created_by"
        ).order_by("receipt__number", "pk"),
        "categories": tournament.categories.all(),
        "rankings": tournament.rankings.exclude(kind=Ranking.Kind.SINGLE),
        "chosen_rankings": registration.rankings.all(),
        "separations": [
            (
                separation,
                separation.second if separation.first_id == registration.pk else separation.first,
            )
            for separation in separations
        ],
        "substitutions": registration.substitutions.select_related("left", "joined"),
        "is_drawn": is_drawn(tournament),
        "has_begun": registration.seats.begun().exists(),
        "has_played": registration.seats.played().exists(),
        "refund_allowed": refund_allowed(registration, timezone.now()),
        "history": history.select_related("actor").order_by("number"),
    }
