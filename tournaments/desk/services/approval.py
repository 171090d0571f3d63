"""Approval of persons who are on no list of a closed tournament (§ 1.1)."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.cash.queries import balances
from tournaments.cash.queries.payment_ways import way_back
from tournaments.cash.services import cash
from tournaments.common.errors import WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.desk.queries.admission import Applicant, is_named
from tournaments.desk.services.changes import STATUS, change_status, give_place
from tournaments.desk.services.registrations import check_not_banned, is_full
from tournaments.journal.acts import Act, Acts
from tournaments.models import (
    CashEntry,
    JournalEntry,
    Person,
    Receipt,
    Registration,
    Season,
    Tournament,
)
from tournaments.people.services.anonymise import AnonymisedPerson, when_anonymised
from tournaments.people.services.people import check_living

acts = Acts(MAY_LEAD, TAKES_PEOPLE)

_Status = Registration.Status


@acts.on(Registration, "approve", entry=STATUS)
def approve(act: Act[Registration]) -> Registration:
    """Admit a person: with a place, or at the end of the waiting list.

    Raises:
        WrongStatus: if no approval is needed.
        TournamentError: if the person was banned meanwhile (§ 1.4).
    """
    now = timezone.now()
    _demand_open_approval(act.row)
    check_living(act.row.person)
    check_not_banned(act.row.person, act.tournament, now)
    act.row.approval = ""
    act.row.admission = act.reason = _("Zustimmung der Spielleitung")
    if is_full(act.tournament):
        act.row.waiting_since = now
        change_status(act, act.row, _Status.WAITING, act.reason)
    else:
        give_place(act, act.row, act.reason)
    return act.row


@acts.on(
    Registration, "refuse", entry=STATUS, reason=gettext_lazy("Eine Ablehnung braucht einen Grund.")
)
def refuse(act: Act[Registration]) -> Receipt | None:
    """Refuse a person and refund payments by their methods; the person can register again.

    Raises:
        WrongStatus: if no approval is needed.
    """
    _demand_open_approval(act.row)
    act.reason = _("nicht zugelassen: {reason}").format(reason=act.reason)[:300]
    act.row.approval = Registration.Approval.REFUSED
    change_status(act, act.row, _Status.WITHDRAWN, act.reason)
    paid = balances.paid_cents(act.row)
    if paid <= 0:
        return None
    line = cash.ReceiptLine(CashEntry.Kind.REFUND, -paid, act.row)
    return cash.book(act, way_back(act.row), [line], text=_("nicht zugelassen"))


def _demand_open_approval(registration: Registration) -> None:
    if not registration.asks:
        raise WrongStatus(
            _("{name} ist {status}; da ist nichts zu entscheiden.").format(
                name=registration.person, status=registration.get_status_display()
            )
        )


@when_anonymised
def forget_listed(forgotten: AnonymisedPerson) -> None:
    """Remove a person's name from the lists of all closed tournaments, including past ones.

    These are tournaments of organisers that own, borrowed or owned the person, or whose season
    counted it. On other lists the name means another person.
    """
    applicants = [Applicant(full_name=name) for name in forgotten.full_names]
    owners = Person.objects.filter(pk__in=forgotten.persons).values("owner")
    played = Tournament.objects.filter(registrations__person__in=forgotten.persons)
    counted = Season.objects.filter(tournaments__in=played)
    noted = JournalEntry.objects.filter(
        subject_type="person", subject_id__in=forgotten.persons, chain__owner__isnull=False
    )
    concerned = Tournament.objects.filter(
        Q(owner__in=owners)
        | Q(owner__in=noted.values("chain__owner"))
        | Q(owner__parent__in=owners)
        | Q(owner__in=played.values("owner"))
        | Q(owner__in=counted.values("owner"))
    )
    for tournament in concerned.exclude(circle_persons=""):
        lines = tournament.circle_persons.splitlines()
        remaining = [
            line for line in lines if not any(is_named(line, applicant) for applicant in applicants)
        ]
        if remaining != lines:
            text = "\n".join(remaining) or "–"  # an emptied list stays a list
            # No act: the journal does not prove the lists.
            Tournament.objects.filter(pk=tournament.pk).update(circle_persons=text)
