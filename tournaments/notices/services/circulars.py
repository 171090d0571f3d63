"""Messages of the Spielleitung to registered persons, mailed in a job."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.roles import MAY_LEAD
from tournaments.common.short_texts import clean_lines
from tournaments.common.states import IS_AWAITED
from tournaments.journal.acts import Act, Acts
from tournaments.machine.jobs import Progress, register_work, start
from tournaments.machine.mails import can_mail, deliver
from tournaments.models import Circular, EntryLine, Job, Registration, Tournament
from tournaments.notices.queries.circulars import (
    LEFT_UNTOLD,
    MAILS,
    Audiences,
    Reach,
    key_of,
    receivers_of,
    untold_changes,
)

acts = Acts(MAY_LEAD, IS_AWAITED)


@acts.on(Tournament, "send_circular", entry="circular_sent")
def send(act: Act[Tournament], *, audience: str, text: str) -> Circular:
    """Show a message on the own pages of a group, and mail it to each address.

    It may name persons, so the journal records only the number of receivers.

    Args:
        act: on the tournament.
        audience: one of :class:`Audiences`.
        text: at most ``Circular.LONGEST`` characters.

    Raises:
        TournamentError: if the text is empty or too long, or the group is empty.
    """
    text = clean_lines(text).strip()
    if not text:
        raise TournamentError(_("Bitte die Nachricht schreiben."))
    if len(text) > Circular.LONGEST:
        raise TournamentError(
            _("Die Nachricht hat {length} Zeichen; möglich sind {most}. Bitte kürzen.").format(
                length=len(text), most=Circular.LONGEST
            )
        )
    receivers = Audiences(act.row).receivers().get(audience, ())
    if not receivers:
        raise TournamentError(_("In dieser Gruppe ist niemand. Bitte eine andere wählen."))
    circular = act.add(
        Circular(
            tournament=act.row,
            audience=audience,
            text=text,
            is_mailed=can_mail() and bool(Reach.of(receivers).by_address),
            created_by=act.actor.user,
        )
    )
    circular.registrations.set(
        [receiver for receiver in receivers if isinstance(receiver, Registration)]
    )
    circular.lines.set([receiver for receiver in receivers if isinstance(receiver, EntryLine)])
    act.note(persons=len(receivers))
    if circular.is_mailed:
        start(kind=MAILS, actor=act.actor, tournament=act.row, circular=circular.pk)
    return circular


@acts.on(Tournament, "leave_untold", entry=LEFT_UNTOLD)
def leave_untold(act: Act[Tournament]) -> None:
    """Record that the changes so far need no message.

    Raises:
        Conflict: if there are no changes to tell.
    """
    if not untold_changes(act.row):
        raise Conflict(_("Es ist nichts mehr mitzuteilen."))
    act.note()


@register_work(MAILS)
def mail_circular(job: Job, report: Progress) -> Mapping[str, Any]:
    """Mail a message once to each address; the result names the receivers that failed.

    After a crash the job continues after the last address recorded.
    """
    circular = Circular.objects.select_related("tournament").get(pk=job.params["circular"])
    addresses = Reach.of(receivers_of(circular)).by_address
    sent, failed = 0, []
    for done, (address, persons) in islice(enumerate(addresses.items(), 1), job.done, None):
        is_out = deliver(
            circular.tournament,
            address,
            subject=gettext_lazy("Nachricht: {tournament}"),
            template="mail/circular.txt",
            context={"text": circular.text, "persons": [_full_name(person) for person in persons]},
            about=f"circular {circular.pk}",
        )
        sent += is_out
        failed += [] if is_out else [key_of(person) for person in persons]
        report(done, len(addresses))
    return {"sent": sent, "failed": failed}


def _full_name(receiver: Registration | EntryLine) -> str:
    return receiver.full_name if isinstance(receiver, EntryLine) else receiver.person.full_name
