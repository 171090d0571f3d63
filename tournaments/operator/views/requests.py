"""Failed and slow requests, and test mails, for the operator."""

from __future__ import annotations

from http import HTTPStatus

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.errors import TournamentError
from tournaments.machine import mails
from tournaments.machine.addresses import moved_warning
from tournaments.machine.certificate import certificate_warning
from tournaments.models import NotedRequest
from tournaments.operator.forms import TrialMailForm
from tournaments.operator.queries import unfinished_texts
from tournaments.web.access import StaffRequest, admin_required
from tournaments.web.acting import redirect_done


@admin_required
def requests(request: StaffRequest) -> HttpResponse:
    """List the recorded requests, the newest first."""
    return _page(request, TrialMailForm(initial={"address": request.user.email}))


@require_POST
@admin_required
def try_mail(request: StaffRequest) -> HttpResponse:
    """Send a test mail."""
    form = TrialMailForm(request.POST)
    if form.is_valid():
        address = form.cleaned_data["address"]
        try:
            mails.send_test_mail(address)
        except TournamentError as refusal:
            form.add_error("address", str(refusal))
        else:
            sentence = _("Die Probe an {address} ist unterwegs. Kommt sie an, auch nicht als Spam?")
            return redirect_done(request, sentence.format(address=address), "operator:requests")
    return _page(request, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _page(request: StaffRequest, form: TrialMailForm, status: int = HTTPStatus.OK) -> HttpResponse:
    context = {
        "requests": NotedRequest.objects.all()[: NotedRequest.MOST],
        "seconds": NotedRequest.SLOW_SECONDS,
        "unfinished": [
            (page, reverse(f"operator:edit_{page.name}")) for page in unfinished_texts()
        ],
        "can_mail": mails.can_mail(),
        "is_server": not settings.IS_IN_THE_HALL,
        "form": form,
        "operator_warning": certificate_warning() or moved_warning(),
    }
    return render(request, "tournaments/operator/requests.html", context, status=status)
