"""The organisers of an installation, by name and size, and inviting a new one."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.accounts.organisers import found
from tournaments.machine.addresses import absolute
from tournaments.operator.forms import FoundingForm
from tournaments.operator.queries import sizes
from tournaments.web.access import StaffRequest, admin_required
from tournaments.web.acting import posted
from tournaments.web.counting import Stored

TEMPLATE = "tournaments/operator/organisers.html"


@admin_required
def organisers(request: StaffRequest) -> HttpResponse:
    """List the organisers, and invite the first account of a new one."""
    form = FoundingForm(posted(request))
    if not form.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
        return render(request, TEMPLATE, {"form": form, "rows": sizes()}, status=status)
    invitation, token = found(**form.cleaned_data, actor=request.actor)
    link = absolute(request, reverse("account:invitation", args=[token]))

    def invited() -> HttpResponse:
        shown = {"form": FoundingForm(), "rows": sizes(), "link": link, "invited": invitation}
        return render(request, TEMPLATE, shown)

    return Stored(
        invited,
        to=reverse("operator:organisers"),
        said=_(
            "{name} ist eingeladen. Den Link zeigte nur die erste Antwort; ist er verloren, bitte "
            "noch einmal einladen: Es bleibt bei einem Veranstalter."
        ).format(name=invitation.name),
    )
