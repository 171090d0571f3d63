"""The desk's inbox: entries from the internet, and the lines to settle."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.common.digits import number_in
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.desk.online.queries import entries as queries
from tournaments.desk.online.services import desk, mails, naming
from tournaments.machine.addresses import absolute
from tournaments.models import Entry, EntryLine, Registration, Tournament
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import act
from tournaments.web.idempotency import StoredAnswer

TEMPLATE = "tournaments/desk/online/inbox.html"
PER_PAGE = 20


def _page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    page = Paginator(queries.entries(tournament), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "unclear": queries.unclear_lines(tournament),
        "page_obj": page,
        "entries": queries.inbox(tournament, list(page)),
        "form_url": absolute(request, reverse("entry:register", args=[tournament.slug])),
        **more,
    }
    return render(request, TEMPLATE, context, status=status)


@roles_required(MAY_TAKE_MONEY)
def inbox(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the lines to settle, then all entries, the newest first."""
    return _page(request, tournament)


_on_page = partial(act, MAY_TAKE_MONEY, _page, to="entry:inbox")


def _mail_standings(request: StaffRequest, line: EntryLine, sentence: str) -> HttpResponse:
    """Show a message, and mail the address of the entry."""
    follows = reverse("entry:inbox", args=[request.tournament.slug])

    def tell() -> HttpResponse:
        mails.send_standings(line.entry)
        messages.success(request, sentence)
        return redirect(follows)

    return StoredAnswer(tell, to=follows, message=sentence)


@_on_page(of=EntryLine)
def attach(request: StaffRequest, line: EntryLine) -> HttpResponse:
    """Assign a line to an existing registration."""
    registration = own(
        request.tournament, Registration, pk=number_in(request.POST.get("registration"))
    )
    desk.attach(request.actor, line.pk, registration_id=registration.pk)
    return _mail_standings(request, line, _("Zugeordnet."))


@_on_page(of=EntryLine)
def register_as_new(request: StaffRequest, line: EntryLine) -> HttpResponse:
    """Register the person of a line as a new one."""
    desk.register_as_new(request.actor, line.pk)
    return _mail_standings(request, line, _("Als neue Person gemeldet."))


@_on_page(of=EntryLine)
def dismiss(request: StaffRequest, line: EntryLine) -> HttpResponse:
    """Reject a line."""
    desk.dismiss(request.actor, line.pk)
    return _mail_standings(request, line, _("Nicht angenommen."))


@_on_page(of=EntryLine)
def consent(request: StaffRequest, line: EntryLine) -> str:
    """Store the answer of a person about being named in public."""
    is_named = request.POST.get("named") == "yes"
    naming.confirm_consent(request.actor, line.pk, named=is_named)
    may, may_not = (
        _("{name} darf mit Namen genannt werden."),
        _("{name} wird nicht mehr mit Namen genannt."),
    )
    return (may if is_named else may_not).format(name=line.full_name)


@_on_page(of=Entry)
def renew_link(request: StaffRequest, old_entry: Entry) -> HttpResponse:
    """Make a new link; it is mailed, or shown once on this page."""
    entry, token = desk.renew_link(request.actor, old_entry.pk)
    follows = reverse("entry:inbox", args=[request.tournament.slug])

    def show() -> HttpResponse:
        if not mails.send_confirmation(entry, token, occasion="link"):
            link = absolute(request, reverse("entry:registration", args=[token]))
            return _page(request, request.tournament, link=link)
        on_its_way = _("Ein neuer Link ist unterwegs an {email}.").format(email=entry.email)
        messages.success(request, on_its_way)
        return redirect(follows)

    sentence = _("Ein neuer Link ist gemacht. Ging er nicht hinaus, bitte noch einen machen.")
    return StoredAnswer(show, to=follows, message=sentence)


@_on_page(of=Entry)
def discard(request: StaffRequest, entry: Entry) -> str:
    """Discard a whole entry."""
    desk.discard(request.actor, entry.pk)
    return _("Die Sendung ist verworfen, alle darin sind abgemeldet.")
