"""What the desk does with sendings from the internet: clear them up, answer, forget them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.cash.queries.balances import paid_cents
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, WrongStatus
from tournaments.common.locks import lock_owner
from tournaments.common.tokens import hash_token, new_token
from tournaments.desk.online.services.choice import suiting_category
from tournaments.desk.online.services.entry import change_consent, create_person, lock_line
from tournaments.desk.services.changes import rejoin, withdraw
from tournaments.desk.services.registrations import register
from tournaments.journal import services as journal
from tournaments.models import Entry, EntryLine, Registration, TeamWish, Tournament
from tournaments.people.services.anonymise import Forgotten, when_anonymised

_Line = EntryLine.Status
_Status = Registration.Status
_GONE = frozenset({_Status.WITHDRAWN, _Status.NO_SHOW})


@transaction.atomic
def attach(*, line_id: int, registration_id: int, actor: Actor) -> EntryLine:
    """Say that a line means somebody who is registered already; who had left is back.

    Whoever has the link then sees and changes that registration, so only somebody who
    knows both may say so.

    Raises:
        WrongStatus: if the line was cleared up meanwhile, or the person is excluded.
    """
    line, tournament = _lock_open(line_id)
    registration = tournament.registrations.get(pk=registration_id)
    if registration.status == _Status.EXCLUDED:
        raise WrongStatus(_("{name} ist ausgeschlossen (§ 1.4).").format(name=registration.person))
    if registration.status in _GONE:
        registration = rejoin(registration_id=registration.pk, actor=actor)
    return _settle(line, tournament, registration, actor)


@transaction.atomic
def register_as_new(*, line_id: int, actor: Actor, now: datetime | None = None) -> EntryLine:
    """Say that a line means nobody who is stored: store the person and register it.

    It came in time, so the Meldeschluss does not matter any more; the desk's clock does not
    take anybody's place away (§ 1.3).

    Raises:
        WrongStatus: if the line was cleared up meanwhile.
        ValidationError: if a field of the person does not fit.
    """
    now = now or timezone.now()
    line, tournament = _lock_open(line_id)
    person = create_person(line, tournament, actor)
    late = tournament.is_past_deadline(now)
    registration = register(
        tournament_id=tournament.pk,
        person_id=person.pk,
        actor=actor,
        category=line.category or suiting_category(tournament, line.birth_year),
        rankings=list(line.rankings.all()),
        late_reason=_("rechtzeitig über das Internet gemeldet") if late else "",
        source=Registration.Source.ONLINE,
        now=now,
    )
    line.is_new_person = True
    return _settle(line, tournament, registration, actor)


@transaction.atomic
def dismiss(*, line_id: int, actor: Actor) -> EntryLine:
    """Do not accept a line.

    Raises:
        WrongStatus: if the line was cleared up meanwhile.
    """
    line, tournament = _lock_open(line_id)
    line.status = _Line.DISMISSED
    line.save(update_fields=["status"])
    line.wishes.all().delete()
    journal.record(tournament, actor, "entry_dismissed", line)
    return line


@transaction.atomic
def confirm_consent(*, line_id: int, actor: Actor) -> EntryLine:
    """Let somebody stored before be named in public: asked in person, the answer was yes.

    Raises:
        WrongStatus: if the line did not ask for it.
    """
    line, tournament = lock_line(line_id)
    if line.registration is None or not line.publish_consent:
        raise WrongStatus(_("Dieser Zustimmung fehlt eine Meldung. Bitte die Seite neu laden."))
    change_consent(line.registration.person, tournament, actor, to=True)
    return line


@transaction.atomic
def renew_link(*, entry_id: int, actor: Actor) -> tuple[Entry, str]:
    """Make a new link for somebody who lost theirs; the old one ends."""
    tournament, entry = lock_owner(Entry.objects.all(), entry_id)
    token = new_token()
    entry.token_hash = hash_token(token)
    entry.save(update_fields=["token_hash"])
    journal.record(tournament, actor, "entry_link_renewed", entry)
    return entry, token


@transaction.atomic
def discard(*, entry_id: int, actor: Actor) -> Entry:
    """Take back a whole sending, such as a prank: nobody in it comes.

    People who were registered otherwise as well are left alone.

    Raises:
        Conflict: if somebody in it has paid; then it is no prank.
    """
    tournament, entry = lock_owner(Entry.objects.all(), entry_id)
    lines = list(entry.lines.select_related("registration__person"))
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
            withdraw(registration_id=registration.pk, actor=actor, reason=_("Sendung verworfen"))
    entry.lines.filter(status=_Line.OPEN).update(status=_Line.DISMISSED)
    TeamWish.objects.filter(line__entry=entry).delete()
    journal.record(tournament, actor, "entry_discarded", entry)
    return entry


def forget_entries(tournament: Tournament) -> None:
    """Remove all sendings with their addresses. Part of a service that locked *tournament*.

    For the closing of a tournament: the registrations stay, and nothing of a sending is
    needed any more.
    """
    tournament.entries.all().delete()


@when_anonymised
def forget_persons(forgotten: Forgotten) -> None:
    """Remove what was typed about persons.

    A sending without lines says nothing of anybody and goes too.
    """
    lines = EntryLine.objects.filter(registration__person__in=forgotten.persons)
    entries = list(lines.values_list("entry", flat=True))
    lines.delete()
    Entry.objects.filter(pk__in=entries, lines__isnull=True).delete()


def _lock_open(line_id: int) -> tuple[EntryLine, Tournament]:
    line, tournament = lock_line(line_id)
    if line.status != _Line.OPEN:
        raise WrongStatus(_("{name} ist schon geklärt.").format(name=line.full_name))
    return line, tournament


def _is_first(line: EntryLine) -> bool:
    """Whether the registration was made because of this line."""
    registration = line.registration
    if registration is None or registration.source != Registration.Source.ONLINE:
        return False
    return not registration.entry_lines.filter(pk__lt=line.pk).exists()


def _settle(
    line: EntryLine, tournament: Tournament, registration: Registration, actor: Actor
) -> EntryLine:
    line.status = _Line.REGISTERED
    line.registration = registration
    line.save(update_fields=["status", "registration", "is_new_person"])
    if not line.publish_consent:
        change_consent(registration.person, tournament, actor, to=False)
    journal.record(
        tournament, actor, "entry_settled", line, after={"registration": registration.pk}
    )
    return line
