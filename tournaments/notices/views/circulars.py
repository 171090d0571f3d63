"""The page of the messages to registered persons."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from tournaments.common.roles import MAY_LEAD
from tournaments.machine.mails import can_mail
from tournaments.models import Tournament
from tournaments.notices.forms import CircularForm
from tournaments.notices.queries import circulars as queries
from tournaments.notices.services import circulars
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.acting import act, form_data


@require_safe
@roles_required(MAY_LEAD)
def page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show the sent messages, and a form with a draft about recent changes."""
    with translation.override(tournament.document_language):
        changes = queries.untold_changes(tournament)
        text = queries.suggested_text(tournament, changes)
    written = list(tournament.circulars.select_related("created_by").order_by("-pk"))
    mails = queries.mails_of(written)
    context = {
        "form": CircularForm(queries.Audiences(tournament), initial={"text": text}),
        "closed": circulars.send.refusal(tournament),
        "can_mail": can_mail(),
        "written": [
            (row, queries.label_of(row.audience), mails.get(row.pk), queries.without_mail(row))
            for row in written
        ],
        **more,
    }
    return render(request, "tournaments/notices/circulars.html", context, status=status)


@act(MAY_LEAD, page, to="notices:circulars")
def send(request: StaffRequest, tournament: Tournament) -> str:
    """Send a message to a group."""
    form = CircularForm(queries.Audiences(tournament), request.POST)
    circular = circulars.send(request.actor, tournament.pk, **form_data(request, form))
    addresses = queries.Reach.of(queries.receivers_of(circular)).by_address
    if not circular.is_mailed:
        return _("Die Nachricht steht auf den eigenen Seiten.")
    return ngettext(
        "Die Nachricht steht auf den eigenen Seiten und geht an {number} Adresse hinaus.",
        "Die Nachricht steht auf den eigenen Seiten und geht an {number} Adressen hinaus.",
        len(addresses),
    ).format(number=len(addresses))


@act(MAY_LEAD, page, to="setup:tournament")
def leave_untold(request: StaffRequest, tournament: Tournament) -> str:
    """Dismiss the question whether changes are told."""
    circulars.leave_untold(request.actor, tournament.pk)
    return _("Das wird niemandem mitgeteilt.")
