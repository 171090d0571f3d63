"""Mails about entries: the state of each person, and the dues."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.common.access_keys import naming_token, offer_token
from tournaments.desk.online.queries.entries import EntryPerson, standings
from tournaments.desk.online.queries.girocode import joint_transfer, transfer_for
from tournaments.machine.mails import deliver
from tournaments.models import Entry, EntryLine, Registration


def send_confirmation(entry: Entry, token: str, *, occasion: str = "new") -> bool:
    """Send the link with the state of an entry; return whether it went out.

    *occasion* is "new", "address" (changed) or "link" (renewed).
    """
    return _send(
        entry,
        subject=gettext_lazy("Meldung: {tournament}"),
        template="mail/entry_confirmation.txt",
        context={
            "occasion": occasion,
            "link": f"{settings.PUBLIC_URL}{reverse('entry:registration', args=[token])}",
            "button": gettext_lazy("Meldung ansehen"),
            **_standings(entry),
        },
    )


def send_withdrawal(entry: Entry, standing: EntryPerson) -> bool:
    """Confirm that a person was withdrawn; return whether the mail went out."""
    return _send(
        entry,
        subject=gettext_lazy("Abmeldung: {tournament}"),
        template="mail/entry_withdrawal.txt",
        context={"standing": standing},
    )


def send_offer(registration: Registration) -> bool:
    """Offer a place by mail to the addresses of a registration; return whether one went out.

    The link opens the offer only, because the database keeps a hash of the entry's link.
    """
    lines = registration.entry_lines.select_related("entry__tournament").exclude(entry__email="")
    results = [
        _send(
            line.entry,
            subject=gettext_lazy("Ein Platz ist frei: {tournament}"),
            template="mail/entry_offer.txt",
            context={
                "name": line.full_name,
                "until": registration.offered_until,
                "link": f"{settings.PUBLIC_URL}{offer_path(registration)}",
                "button": gettext_lazy("Antworten"),
            },
        )
        for line in lines
    ]
    return any(results)


def offer_path(registration: Registration) -> str:
    """Return the path of the page on which a person answers an offer."""
    return reverse("entry:offer", args=[offer_token(registration)])


def ask_about_name(line: EntryLine) -> bool:
    """Ask a stored person, at the stored address, about being named; return whether it went out."""
    assert line.registration is not None  # noqa: S101 - called for registered lines only
    person = line.registration.person
    path = reverse("entry:naming", args=[naming_token(line, person.pk)])
    return deliver(
        line.entry.tournament,
        person.email,
        subject=gettext_lazy("Darf Ihr Name im Internet stehen? {tournament}"),
        template="mail/entry_naming.txt",
        context={
            "person": person,
            "line": line,
            "link": f"{settings.PUBLIC_URL}{path}",
            "button": gettext_lazy("Antworten"),
        },
        about=f"line {line.pk}",
    )


def send_news(registration: Registration) -> int:
    """Mail the new state of a registration to its addresses; return the number of mails.

    The mails do not contain the link, because the database keeps only its hash.
    """
    entries = Entry.objects.filter(lines__registration=registration).distinct()
    return sum(send_standings(entry) for entry in entries.select_related("tournament"))


def send_standings(entry: Entry) -> bool:
    """Send the present state of an entry; return whether the mail went out."""
    return _send(
        entry,
        subject=gettext_lazy("Neuer Stand Ihrer Meldung: {tournament}"),
        template="mail/entry_news.txt",
        context=_standings(entry),
    )


def _standings(entry: Entry) -> dict[str, Any]:
    with translation.override(entry.tournament.document_language):
        persons = standings(entry, timezone.now())
        transfers = [transfer_for(entry.tournament, standing) for standing in persons]
        return {
            "standings": persons,
            "transfers": [transfer for transfer in transfers if transfer is not None],
            "joint": joint_transfer(entry.tournament, persons),
            "open_cents": sum(standing.open_cents for standing in persons),
        }


def _send(entry: Entry, *, subject: str | Promise, template: str, context: dict[str, Any]) -> bool:
    return deliver(
        entry.tournament,
        entry.email,
        subject=subject,
        template=template,
        context=context,
        about=f"entry {entry.pk}",
    )
