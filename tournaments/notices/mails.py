"""Mails to players, to those who registered them and to helpers: plain text from templates.

A mail goes out only where the program can send mails and knows its own public address:
a link made from the address of a request could be forged by whoever sends the request.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.desk.online.queries.girocode import joint_transfer, person_transfer
from tournaments.desk.online.queries.sendings import Standing, standings
from tournaments.models import Entry, Invitation, Registration, Tournament
from tournaments.notices.queries.notices import Waiting

# What is left out of a template leaves its line breaks behind.
_BLANK_LINES = re.compile(r"\n{3,}")

logger = logging.getLogger(__name__)
SECONDS_TO_WAIT = 10  # a mail server that does not answer must not hold up the desk


def can_mail() -> bool:
    """Whether links can be sent by mail; else pages show them."""
    return bool(settings.HAS_EMAIL and settings.PUBLIC_URL)


def link_to(token: str) -> str:
    """Return the address of a sending as it stands in a mail."""
    return f"{settings.PUBLIC_URL}{reverse('entry:registration', args=[token])}"


def send_confirmation(entry: Entry, token: str, *, occasion: str = "new") -> bool:
    """Send the link with all that became of a sending; return whether it went out.

    *occasion* is "new", "address" (it was changed) or "link" (the old one was lost).
    """
    found = standings(entry, timezone.now())
    return _send(
        entry,
        subject=_("Meldung: {tournament}").format(tournament=entry.tournament),
        template="mail/entry_confirmation.txt",
        context={
            "occasion": occasion,
            "standings": found,
            "link": link_to(token),
            **_payment(entry, found),
        },
    )


def send_withdrawal(entry: Entry, standing: Standing) -> bool:
    """Confirm that somebody was taken back; return whether the mail went out."""
    return _send(
        entry,
        subject=_("Abmeldung: {tournament}").format(tournament=entry.tournament),
        template="mail/entry_withdrawal.txt",
        context={"standing": standing},
    )


def send_news(registration: Registration) -> int:
    """Tell whoever registered somebody how it stands now: cleared up, or a place is free.

    Returns how many mails went out. The link is not in it: it is known to its owner only.
    """
    entries = Entry.objects.filter(lines__registration=registration).distinct()
    return sum(send_standings(entry) for entry in entries.select_related("tournament"))


def send_standings(entry: Entry) -> bool:
    """Tell how a sending stands now; return whether the mail went out."""
    found = standings(entry, timezone.now())
    return _send(
        entry,
        subject=_("Neuer Stand Ihrer Meldung: {tournament}").format(tournament=entry.tournament),
        template="mail/entry_news.txt",
        context={"standings": found, **_payment(entry, found)},
    )


def _payment(entry: Entry, found: Sequence[Standing]) -> dict[str, Any]:
    transfers = [person_transfer(entry.tournament, standing) for standing in found]
    return {
        "transfers": [one for one in transfers if one is not None],
        "joint": joint_transfer(entry.tournament, found),
        "open_cents": sum(standing.open_cents for standing in found),
    }


def send_invitation(invitation: Invitation, link: str) -> bool:
    """Send the link of an invitation to a role; return whether the mail went out."""
    assert invitation.tournament is not None  # noqa: S101 - roles belong to a tournament
    return _deliver(
        invitation.tournament,
        invitation.email,
        subject=_("Einladung: {tournament}").format(tournament=invitation.tournament),
        template="tournaments/accounts/invitation_mail.txt",
        context={"invitation": invitation, "link": link},
        about=f"invitation {invitation.pk}",
    )


def send_notices(tournament: Tournament, waiting: Waiting) -> bool:
    """Tell a player what was corrected and decided; return whether the mail went out."""
    return _deliver(
        tournament,
        waiting.address,
        subject=_("Mitteilung der Spielleitung: {tournament}").format(tournament=tournament),
        template="mail/notices.txt",
        context={"waiting": waiting},
        about=f"registration {waiting.registration.pk}",
    )


def _send(entry: Entry, *, subject: str, template: str, context: dict[str, Any]) -> bool:
    return _deliver(
        entry.tournament,
        entry.email,
        subject=subject,
        template=template,
        context=context,
        about=f"sending {entry.pk}",
    )


def _deliver(
    tournament: Tournament,
    address: str,
    *,
    subject: str,
    template: str,
    context: dict[str, Any],
    about: str,
) -> bool:
    if not (address and can_mail()):
        return False
    text = render_to_string(template, {"tournament": tournament, **context})
    message = EmailMessage(
        subject=" ".join(subject.split()),
        body=_BLANK_LINES.sub("\n\n", text).strip() + "\n",
        to=[address],
        reply_to=[tournament.contact_email] if tournament.contact_email else None,
        headers={"Auto-Submitted": "auto-generated"},
        connection=get_connection(timeout=SECONDS_TO_WAIT),
    )
    try:
        return bool(message.send())
    except (SMTPException, OSError):
        # What was registered stays registered; the desk can send a new link later.
        logger.exception("A mail for %s could not be sent", about)
        return False
