"""Mails to players about what was corrected and decided."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.machine.mails import deliver
from tournaments.models import Tournament
from tournaments.notices.queries.notices import Waiting


def send_notices(tournament: Tournament, waiting: Waiting) -> bool:
    """Tell a player what was corrected and decided; return whether the mail went out."""
    with translation.override(tournament.document_language):
        return deliver(
            tournament,
            waiting.address,
            subject=_("Mitteilung der Spielleitung: {tournament}").format(tournament=tournament),
            template="mail/notices.txt",
            context={"waiting": waiting},
            about=f"registration {waiting.registration.pk}",
        )
