"""Consent in an entry that differs from the stored consent of the person.

An entry can name anybody, so it changes no stored consent: a refusal hides the name in this
tournament only, and the person is asked through the stored e-mail address or at the desk.
"""

from __future__ import annotations

from django.db.models import F
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from tournaments.common.access_keys import naming_token
from tournaments.common.digits import number_in
from tournaments.common.errors import NotAllowed, WrongStatus
from tournaments.common.roles import MAY_TAKE_MONEY, ONLINE, PROGRAM_ONLY
from tournaments.common.states import OPEN, TAKES_PEOPLE
from tournaments.desk.online.queries.entries import is_taken_over
from tournaments.desk.online.services import mails
from tournaments.desk.online.services.entry import change_consent
from tournaments.desk.online.services.offers import MOST_AT_ONCE, WORKER
from tournaments.journal.acts import Act, Acts
from tournaments.machine.mails import can_mail
from tournaments.models import EntryLine, Tournament

acts = Acts(MAY_TAKE_MONEY, OPEN)

_Naming = EntryLine.Naming


def ask_by_mail() -> None:
    """Ask stored persons by mail whose consent in an entry differs; each once.

    A background process does it: a slower answer would reveal that the person is stored.
    """
    if not can_mail():
        return
    lines = EntryLine.objects.filter(
        naming="",
        entry__tournament__status__in=Tournament.TAKING_PEOPLE,
        entry__tournament__replaced_at=None,
        registration__substitutions=None,
        registration__person__owner=F("entry__tournament__owner"),
    )
    lines = lines.exclude(registration__person__email="")
    differing = lines.exclude(publish_consent=F("registration__person__publish_consent"))
    for key in differing.order_by("pk").values_list("pk", flat=True)[:MOST_AT_ONCE]:
        mails.ask_about_name(note_question(WORKER, key))


@acts.on(EntryLine, "note_question", by=PROGRAM_ONLY, when=TAKES_PEOPLE, entry="naming_asked")
def note_question(act: Act[EntryLine]) -> EntryLine:
    """Note that the person is asked by mail."""
    act.row.naming = _Naming.ASKED
    act.note(registration=act.row.registration_id)
    return act.store(act.row)


@acts.on(EntryLine, "answer_naming", by=ONLINE, entry="naming_answered")
def answer_naming(act: Act[EntryLine], *, named: bool) -> EntryLine:
    """Store the answer of the person to the mail.

    Raises:
        WrongStatus: if another person has taken over the start number.
        NotAllowed: if another organiser has the person now.
    """
    return _settle(act, named=named)


@acts.on(EntryLine, "confirm_consent", entry="naming_answered")
def confirm_consent(act: Act[EntryLine], *, named: bool) -> EntryLine:
    """Store the answer of a person at the desk.

    Raises:
        WrongStatus: if the line has no registration, or another person took it over.
        NotAllowed: if another organiser lends the person, and has no consent stored.
    """
    return _settle(act, named=named)


def _settle(act: Act[EntryLine], *, named: bool) -> EntryLine:
    line, registration = act.row, act.row.registration
    if registration is None or is_taken_over(registration):
        raise WrongStatus(_("Dieser Zustimmung fehlt eine Meldung. Bitte die Seite neu laden."))
    person = registration.person
    is_lent = person.owner_id != act.tournament.owner_id
    if is_lent and named and not person.publish_consent:
        raise NotAllowed(
            _("{name} gehört zu {organiser}; bitte dort ändern lassen.").format(
                name=person, organiser=person.owner
            )
        )
    change_consent(person, act.tournament, act.actor, to=named)
    registration.hides_name = is_lent and not named
    act.store(registration)
    line.naming = _Naming.ANSWERED
    act.note(registration=registration.pk, named=named)
    return act.store(line)


def find(token: str) -> EntryLine | None:
    """Return the line of the token in a mail, or None if nothing is asked."""
    lines = EntryLine.objects.select_related("registration__person", "entry__tournament")
    key = number_in(token.partition("-")[0]) or 0
    line = lines.filter(pk=key).exclude(naming="").first()
    if line is None or line.registration is None:
        return None
    is_right = constant_time_compare(token, naming_token(line, line.registration.person_id))
    return line if is_right else None
