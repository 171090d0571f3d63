"""The organisers of an installation, by name and size, and inviting a new one."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.accounts.organisers import invite_first_account
from tournaments.accounts.views.organisers import mail_invitation
from tournaments.machine.addresses import absolute
from tournaments.models import Invitation
from tournaments.operator.forms import FoundingForm
from tournaments.operator.queries import organiser_sizes
from tournaments.web.access import StaffRequest, admin_required
from tournaments.web.acting import FormStorage, posted
from tournaments.web.idempotency import StoredAnswer

TEMPLATE = "tournaments/operator/organisers.html"


@admin_required
def organisers(request: StaffRequest) -> HttpResponse:
    """List the organisers, and invite the first account of a new one."""
    form = FoundingForm(posted(request))
    with FormStorage(form) as storing:
        if form.is_valid():
            invitation, token = invite_first_account(**form.cleaned_data, actor=request.actor)
            return _invited(request, invitation, token)
    return render(
        request, TEMPLATE, {"form": form, "rows": organiser_sizes()}, status=storing.status
    )


def _invited(request: StaffRequest, invitation: Invitation, token: str) -> HttpResponse:
    link = absolute(request, reverse("account:invitation", args=[token]))

    def invited() -> HttpResponse:
        facts = mail_invitation(invitation, link)
        context = {"form": FoundingForm(), "rows": organiser_sizes(), **facts}
        return render(request, TEMPLATE, context)

    return StoredAnswer(
        invited,
        to=reverse("operator:organisers"),
        message=_(
            "{name} ist eingeladen. Den Link zeigte nur die erste Antwort; ist er verloren, bitte "
            "noch einmal einladen: Es bleibt bei einem Veranstalter."
        ).format(name=invitation.name),
    )
