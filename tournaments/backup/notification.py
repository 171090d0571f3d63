"""Telling the heads of the organisers on a server what its operator did with all their data."""

from __future__ import annotations

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.common.organisers import heads
from tournaments.journal.queries.journal import rows
from tournaments.machine.mails import notify
from tournaments.models import JournalEntry


def tell_heads(entry: JournalEntry) -> None:
    """Send what an entry of the installation's journal says to all heads but who did it.

    In a hall they stand beside it. Called after the transaction: what is done stays done, and
    the page of each organiser says it, too.
    """
    if settings.IS_IN_THE_HALL:
        return
    recipients = heads().exclude(email="")
    if entry.actor is not None:
        recipients = recipients.exclude(pk=entry.actor.pk)
    with translation.override(settings.LANGUAGE_CODE):
        notify(
            recipients.values_list("email", flat=True),
            subject=_("Der Betreiber hat etwas mit allen Daten getan"),
            template="mail/operator_did.txt",
            context={"row": rows([entry])[0]},
            about=f"entry {entry.number} of the installation",
        )
