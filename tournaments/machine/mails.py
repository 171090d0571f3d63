"""Mails: plain text from templates, and the same as HTML with its link as a button.

A mail goes out only where the program can send mails and knows its own public address:
a link made from the address of a request could be forged by the sender of the request.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.models import Tournament

# Tags of a template leave line breaks behind.
_BLANK_LINES = re.compile(r"\n{3,}")

logger = logging.getLogger(__name__)
SECONDS_TO_WAIT = 10  # a mail server that does not answer must not hold up the desk


def can_mail() -> bool:
    """Whether links can be sent by mail; else pages show them."""
    return bool(settings.HAS_EMAIL and settings.PUBLIC_URL)


def send_test_mail(address: str) -> None:
    """Send a test mail.

    Raises:
        TournamentError: if none can be sent; with the words of the mail server.
    """
    if not can_mail():
        raise TournamentError(_("Dafür fehlt EMAIL_URL oder PUBLIC_URL in .env."))
    text = _("Diese E-Mail hat „Betrieb“ auf {url} geschickt. Sie ist angekommen.")
    message = _message(
        address, _("Probe von Rommé-Turnier"), text.format(url=settings.PUBLIC_URL) + "\n"
    )
    try:
        message.send()
    except (SMTPException, OSError) as problem:
        raise TournamentError(
            _("Die Probe ging nicht hinaus: {why}").format(why=problem)
        ) from problem


def deliver(
    tournament: Tournament,
    address: str,
    *,
    subject: str | Promise,
    template: str,
    context: dict[str, Any],
    about: str,
) -> bool:
    """Send a mail in the language of a tournament's documents; return whether it went out.

    Args:
        address: of one person; nothing is sent to an empty one.
        subject: translated lazily, with ``{tournament}`` for its name.
        template: of the text; gets the tournament beside *context*.
        context: with a ``link`` of the text also the words of its ``button``.
        about: for the log if it fails, without names and addresses.
    """
    if not (address and can_mail()):
        return False
    with translation.override(tournament.document_language):
        text = render_to_string(template, {"tournament": tournament, **context})
        message = _message(
            address,
            " ".join(str(subject).format(tournament=tournament).split()),
            _BLANK_LINES.sub("\n\n", text).strip() + "\n",
            link=context.get("link", ""),
            button=context.get("button", ""),
        )
    message.reply_to = [tournament.contact_email] if tournament.contact_email else []
    try:
        return bool(message.send())
    except (SMTPException, OSError):
        # A registration stays valid without its mail; the desk can send a new link later.
        logger.exception("A mail for %s could not be sent", about)
        return False


def notify(
    addresses: Iterable[str],
    *,
    subject: str,
    template: str,
    context: dict[str, Any],
    about: str,
) -> None:
    """Send each address a mail of the installation in the current language; failures are logged.

    Args:
        addresses: of one person each; with all of them in one connection.
        subject: of one line.
        template: of the text; gets the public address beside *context*.
        context: of the template.
        about: for the log if it fails, without names and addresses.
    """
    if not can_mail():
        return
    rendered = render_to_string(template, {"site": settings.PUBLIC_URL, **context})
    text = _BLANK_LINES.sub("\n\n", rendered).strip() + "\n"
    messages = [_message(address, subject, text) for address in sorted(set(addresses))]
    try:
        get_connection(timeout=SECONDS_TO_WAIT).send_messages(messages)
    except (SMTPException, OSError):
        logger.exception("A mail for %s could not be sent", about)


def send_link(
    address: str, *, subject: str, template: str, context: dict[str, Any], about: str
) -> bool:
    """Send a mail of the installation with a link and its button; return whether it went out.

    Args:
        address: of one person; nothing is sent to an empty one.
        subject: of any text; line breaks are joined.
        template: of the text; its ``link`` and the words of its ``button`` are in *context*.
        context: of the template.
        about: for the log if it fails, without names and addresses.
    """
    if not (address and can_mail()):
        return False
    text = _BLANK_LINES.sub("\n\n", render_to_string(template, context)).strip() + "\n"
    title = " ".join(subject.split())
    message = _message(address, title, text, link=context["link"], button=context["button"])
    try:
        return bool(message.send())
    except (SMTPException, OSError):
        logger.exception("A mail for %s could not be sent", about)
        return False


def _message(
    address: str, title: str, text: str, *, link: str = "", button: str | Promise = ""
) -> EmailMultiAlternatives:
    """Return a mail of the text, and of the same text as HTML in the current language."""
    before, after = text.split(link, 1) if link else (text, "")
    context = {"title": title, "before": before, "link": link, "button": button, "after": after}
    message = EmailMultiAlternatives(
        subject=title,
        body=text,
        to=[address],
        headers={"Auto-Submitted": "auto-generated"},
        connection=get_connection(timeout=SECONDS_TO_WAIT),
    )
    message.attach_alternative(render_to_string("mail/mail.html", context), "text/html")
    return message
