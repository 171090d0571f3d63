"""Cancelling receipts, so that statuses follow the money and nothing is left hanging."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.cash.queries import balances
from tournaments.cash.services import cash
from tournaments.cash.services.dues import update_paid_status
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.common.locks import lock_owner
from tournaments.models import CashEntry, Receipt, Registration, Tournament


@transaction.atomic
def reverse_receipt(*, receipt_id: int, reason: str, actor: Actor) -> Receipt:
    """Cancel a receipt by its opposite; whoever it paid for is paid no longer.

    Raises:
        TournamentError: as ``reverse`` does.
    """
    tournament, receipt = lock_owner(Receipt.objects.all(), receipt_id)
    return reverse(tournament=tournament, receipt=receipt, reason=reason, actor=actor)


def reverse(*, tournament: Tournament, receipt: Receipt, reason: str, actor: Actor) -> Receipt:
    """Cancel a receipt and let statuses follow. Part of a service that locked *tournament*.

    Raises:
        TournamentError: as ``cash.reverse`` does, if more cash would leave the till than is
            in it, or if a later receipt has passed on what this one brought in.
    """
    cash.check_reversible(receipt, reason)
    registrations = list(
        Registration.objects.filter(cash_entries__receipt=receipt)
        .select_related("person", "category")
        .order_by("pk")
        .distinct()
    )
    for registration in registrations:
        registration.tournament = tournament
        _check_not_passed_on(receipt, registration)
    reversal = cash.reverse(tournament=tournament, receipt=receipt, reason=reason, actor=actor)
    for registration in registrations:
        update_paid_status(registration, actor)
    return reversal


def _check_not_passed_on(receipt: Receipt, registration: Registration) -> None:
    entries = [one for one in receipt.entries.all() if one.registration_id == registration.pk]
    for kinds, there_cents in (
        (balances.DUES, balances.paid_cents(registration)),
        ((CashEntry.Kind.KAUTION,), balances.kaution_cents(registration)),
    ):
        taken_away = sum(one.amount_cents for one in entries if one.kind in kinds)
        if there_cents < taken_away:
            _refuse_passed_on(receipt, registration, kinds)


def _refuse_passed_on(
    receipt: Receipt, registration: Registration, kinds: Collection[CashEntry.Kind]
) -> None:
    """Say which receipt to cancel first: the last that took from what is there."""
    passing_on = (
        CashEntry.objects.filter(
            registration=registration,
            kind__in=kinds,
            amount_cents__lt=0,
            receipt__reverses__isnull=True,
            receipt__reversed_by__isnull=True,
        )
        .select_related("receipt")
        .latest("pk")
    )
    raise TournamentError(
        _(
            "Beleg {number} lässt sich noch nicht stornieren: Das Geld von {name} ist schon "
            "weitergegeben. Bitte zuerst Beleg {later} stornieren."
        ).format(number=receipt.number, name=registration.person, later=passing_on.receipt.number)
    )
