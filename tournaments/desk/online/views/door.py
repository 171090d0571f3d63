"""The page behind the QR code at the door of the hall: „Ich bin da“."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments.common.errors import TournamentError
from tournaments.common.guesses import TooManyGuesses
from tournaments.desk.online.forms.door import DoorForm
from tournaments.desk.online.services.door import come_in
from tournaments.desk.queries.presence import to_bring_cents
from tournaments.machine.addresses import network_address
from tournaments.models import Registration, Tournament
from tournaments.web.access import public


@public
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def door(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for start number and code, and note that this player is in the hall."""
    announced = Tournament.objects.filter(status__in=Tournament.PUBLIC, self_check_in=True)
    tournament = get_object_or_404(announced, slug=slug, replaced_at__isnull=True)
    if request.method != "POST":
        return _page(request, tournament, DoorForm())
    form = DoorForm(request.POST)
    if not form.is_valid():
        return _page(request, tournament, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        found = come_in(tournament, **form.cleaned_data, address=network_address(request))
    except TournamentError as refusal:
        form.add_error(None, str(refusal))
        is_stopped = isinstance(refusal, TooManyGuesses)
        status = HTTPStatus.TOO_MANY_REQUESTS if is_stopped else HTTPStatus.UNPROCESSABLE_ENTITY
        return _page(request, tournament, form, status)
    # Not a redirect: whose name it is, is in this one answer only.
    return _page(request, tournament, form, registration=found)


def _page(
    request: HttpRequest,
    tournament: Tournament,
    form: DoorForm,
    status: HTTPStatus = HTTPStatus.OK,
    *,
    registration: Registration | None = None,
) -> HttpResponse:
    context = {
        "tournament": tournament,
        "home_url": reverse("public:tournament", args=[tournament.slug]),
        "form": form,
        "is_day": tournament.lets_check_in(timezone.now()),
        "registration": registration,
        "to_bring": to_bring_cents(registration) if registration else 0,
    }
    return render(request, "tournaments/desk/online/door.html", context, status=status)
