"""Mails to the heads of the organisers about an operator's acts on the data of all."""

from __future__ import annotations

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.common.organisers import heads
from tournaments.journal.queries.journal import rows
from tournaments.machine.mails import notify
from tournaments.models import JournalEntry


def tell_heads(entry: JournalEntry) -> None:
    """Send the sentence of an entry of the installation's journal to all heads but its actor.

    Sent on servers only. Called after the transaction: a failing mail undoes nothing, and the page
    of each organiser shows the entry as well.
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
