"""What the Spielleitung says of who is on no list of a closed tournament (§ 1.1): yes or no."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.cash.queries import balances
from tournaments.cash.services import cash
from tournaments.cash.services.dues import update_paid_status
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.locks import lock_registration
from tournaments.desk.queries.circle import Asking, is_named
from tournaments.desk.services.changes import change_status
from tournaments.desk.services.registrations import check_not_banned, is_full, next_number
from tournaments.models import CashEntry, Receipt, Registration, Tournament
from tournaments.people.services.anonymise import Forgotten, when_anonymised
from tournaments.people.services.people import check_living

_Status = Registration.Status


@transaction.atomic
def approve(
    *, registration_id: int, actor: Actor, reason: str = "", now: datetime | None = None
) -> Registration:
    """Admit somebody: the place is theirs from now on, or the end of the waiting list.

    Raises:
        WrongStatus: if nobody has to be asked (any more).
        TournamentError: if the person was banned meanwhile (§ 1.4).
    """
    now = now or timezone.now()
    tournament, registration = _lock_asking(registration_id)
    check_living(registration.person)
    check_not_banned(registration.person, now)
    registration.approval = ""
    registration.admission = reason.strip() or _("Zustimmung der Spielleitung")
    if is_full(tournament):
        registration.waiting_since = now
        change_status(registration, _Status.WAITING, actor, registration.admission)
        return registration
    registration.number = registration.number or next_number(tournament)
    registration.waiting_since = None
    change_status(registration, _Status.REGISTERED, actor, registration.admission)
    update_paid_status(registration, actor)
    return registration


@transaction.atomic
def refuse(*, registration_id: int, actor: Actor, reason: str) -> Receipt | None:
    """Say no. Whatever was paid goes back at once, the way it came; who asks again asks anew.

    Raises:
        WrongStatus: if nobody has to be asked (any more).
        TournamentError: if no reason is given.
    """
    tournament, registration = _lock_asking(registration_id)
    if not reason.strip():
        raise TournamentError(_("Eine Ablehnung braucht einen Grund."))
    said = _("nicht zugelassen: {reason}").format(reason=reason.strip())
    change_status(registration, _Status.WITHDRAWN, actor, said[:300])
    registration.approval = Registration.Approval.REFUSED
    registration.save(update_fields=["approval"])
    paid = balances.paid_cents(registration)
    if paid <= 0:
        return None
    receipts = Receipt.objects.filter(entries__registration=registration)
    last = receipts.exclude(method=Receipt.Method.INTERNAL).order_by("-number").first()
    method = Receipt.Method(last.method) if last else Receipt.Method.BANK
    line = cash.ReceiptLine(CashEntry.Kind.REFUND, -paid, registration)
    return cash.book(tournament, actor, method, [line], text=_("nicht zugelassen"))


def _lock_asking(registration_id: int) -> tuple[Tournament, Registration]:
    tournament, registration = lock_registration(registration_id)
    if not registration.asks:
        raise WrongStatus(
            _("{name} ist {status}; da ist nichts zu entscheiden.").format(
                name=registration.person, status=registration.get_status_display()
            )
        )
    return tournament, registration


@when_anonymised
def forget_listed(forgotten: Forgotten) -> None:
    """Take a person's name off the lists of all closed tournaments, past ones included."""
    persons = [Asking(full_name=name) for name in forgotten.full_names]
    for tournament in Tournament.objects.exclude(circle_persons=""):
        lines = tournament.circle_persons.splitlines()
        kept = [line for line in lines if not any(is_named(line, one) for one in persons)]
        if kept != lines:
            text = "\n".join(kept) or "–"  # a list that admitted somebody stays a list
            Tournament.objects.filter(pk=tournament.pk).update(circle_persons=text)
