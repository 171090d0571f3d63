"""Mails to those who are to help with a tournament."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.machine.mails import deliver
from tournaments.models import Invitation


def send_invitation(invitation: Invitation, link: str) -> bool:
    """Send the link of an invitation to a role; return whether the mail went out."""
    tournament = invitation.tournament
    assert tournament is not None  # noqa: S101 - roles belong to a tournament
    with translation.override(tournament.document_language):
        return deliver(
            tournament,
            invitation.email,
            subject=_("Einladung: {tournament}").format(tournament=tournament),
            template="tournaments/accounts/invitation_mail.txt",
            context={"invitation": invitation, "link": link},
            about=f"invitation {invitation.pk}",
        )
