"""Acts of the desk on entries: settling lines, renewing links, deleting entries."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.cash.queries.balances import paid_cents
from tournaments.common.errors import Conflict, WrongStatus
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import OPEN, TAKES_PEOPLE
from tournaments.common.tokens import hash_token, new_token
from tournaments.desk.online.services.choice import suiting_category
from tournaments.desk.online.services.entry import create_person, update_hidden_name
from tournaments.desk.services.changes import rejoin, withdraw
from tournaments.desk.services.registrations import register
from tournaments.journal.acts import Act, Acts
from tournaments.models import Entry, EntryLine, Registration, TeamWish
from tournaments.people.services.anonymise import AnonymisedPerson, when_anonymised

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)

SETTLED = "entry_settled"
_Line = EntryLine.Status
_Status = Registration.Status
_GONE = frozenset({_Status.WITHDRAWN, _Status.NO_SHOW})


@acts.on(EntryLine, "attach", entry=SETTLED)
def attach(act: Act[EntryLine], *, registration_id: int) -> EntryLine:
    """Assign a line to an existing registration; a withdrawn person takes part again.

    The owner of the link can then see and change that registration.

    Raises:
        WrongStatus: if the line was settled meanwhile, or the person is excluded.
    """
    _demand_open(act.row)
    registration = act.tournament.registrations.get(pk=registration_id)
    if registration.status == _Status.EXCLUDED:
        raise WrongStatus(_("{name} ist ausgeschlossen (§ 1.4).").format(name=registration.person))
    if registration.status in _GONE:
        registration = rejoin(act, registration.pk)
    return _settle(act, registration)


@acts.on(EntryLine, "register_as_new", entry=SETTLED)
def register_as_new(act: Act[EntryLine], *, now: datetime | None = None) -> EntryLine:
    """Store the person of a line as a new one and register it.

    The time of the entry counts for the Meldeschluss, not the time at the desk (§ 1.3).

    Raises:
        WrongStatus: if the line was settled meanwhile.
        ValidationError: if a field of the person does not fit.
    """
    now = now or timezone.now()
    line, tournament = act.row, act.tournament
    _demand_open(line)
    person = create_person(line, tournament, act.actor)
    late = tournament.is_past_deadline(now)
    registration = register(
        act,
        tournament.pk,
        person_id=person.pk,
        category=line.category or suiting_category(tournament, line.birth_year),
        rankings=list(line.rankings.all()),
        declined=list(line.declined.all()),
        plays_on=line.plays_on,
        late_reason=_("rechtzeitig über das Internet gemeldet") if late else "",
        source=Registration.Source.ONLINE,
        now=now,
    )
    line.is_new_person = True
    return _settle(act, registration)


@acts.on(EntryLine, "dismiss", entry="entry_dismissed")
def dismiss(act: Act[EntryLine]) -> EntryLine:
    """Reject a line.

    Raises:
        WrongStatus: if the line was settled meanwhile.
    """
    _demand_open(act.row)
    act.row.status = _Line.DISMISSED
    act.store(act.row)
    act.row.wishes.all().delete()
    return act.row


@acts.on(Entry, "renew_link", when=OPEN, entry="entry_link_renewed")
def renew_link(act: Act[Entry]) -> tuple[Entry, str]:
    """Make a new link for an entry; the old link becomes invalid."""
    token = new_token()
    act.row.token_hash = hash_token(token)
    act.store(act.row)
    return act.row, token


@acts.on(Entry, "discard", entry="entry_discarded")
def discard(act: Act[Entry]) -> Entry:
    """Discard a whole entry, such as a prank: its registrations are withdrawn.

    Registrations that were made in another way stay.

    Raises:
        Conflict: if a person in it has paid.
    """
    lines = list(act.row.lines.select_related("registration__person"))
    mine = [line.registration for line in lines if line.registration and _is_first(line)]
    for registration in mine:
        if paid_cents(registration) > 0:
            raise Conflict(
                _("{name} hat schon bezahlt. Bitte die Personen einzeln abmelden.").format(
                    name=registration.person
                )
            )
    for registration in mine:
        if registration.is_coming:
            withdraw(act, registration.pk, reason=_("Sendung verworfen"))
    act.row.lines.filter(status=_Line.OPEN).update(status=_Line.DISMISSED)
    TeamWish.objects.filter(line__entry=act.row).delete()
    act.note()
    return act.row


@when_anonymised
def forget_persons(forgotten: AnonymisedPerson) -> None:
    """Delete the typed data of the persons, and entries without lines."""
    lines = EntryLine.objects.filter(registration__person__in=forgotten.persons)
    entries = list(lines.values_list("entry", flat=True))
    lines.delete()
    Entry.objects.filter(pk__in=entries, lines__isnull=True).delete()


def _demand_open(line: EntryLine) -> None:
    if line.status != _Line.OPEN:
        raise WrongStatus(_("{name} ist schon geklärt.").format(name=line.full_name))


def _is_first(line: EntryLine) -> bool:
    """Whether the registration was made from this line."""
    registration = line.registration
    if registration is None or registration.source != Registration.Source.ONLINE:
        return False
    return not registration.entry_lines.filter(pk__lt=line.pk).exists()


def _settle(act: Act[EntryLine], registration: Registration) -> EntryLine:
    line = act.row
    line.status = _Line.REGISTERED
    line.registration = registration
    act.store(line)
    update_hidden_name(act, line)
    act.note(registration=registration.pk)
    return line
