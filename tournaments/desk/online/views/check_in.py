"""The page behind the QR code at the door of the hall: „Ich bin da“."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments.common.code_throttling import TooManyGuesses
from tournaments.common.errors import TournamentError
from tournaments.desk.online.forms.check_in import CheckInForm
from tournaments.desk.online.services.check_in import check_in_by_code
from tournaments.desk.queries.presence import to_bring_cents
from tournaments.machine.addresses import network_address
from tournaments.models import Tournament
from tournaments.web.access import public


@public
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def door(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for start number and code, and tick the player off as present."""
    announced = Tournament.objects.filter(status__in=Tournament.PUBLIC, self_check_in=True)
    tournament = get_object_or_404(announced, slug=slug, replaced_at__isnull=True)
    form = CheckInForm(request.POST if request.method == "POST" else None)
    registration, status = None, HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    if form.is_valid():
        try:
            registration = check_in_by_code(
                tournament, **form.cleaned_data, address=network_address(request)
            )
            status = HTTPStatus.OK
        except TournamentError as refusal:
            form.add_error(None, str(refusal))
            if isinstance(refusal, TooManyGuesses):
                status = HTTPStatus.TOO_MANY_REQUESTS
    context = {
        "tournament": tournament,
        "home_url": reverse("public:tournament", args=[slug]),
        "form": form,
        "is_day": tournament.lets_check_in(timezone.now()),
        "registration": registration,
        "to_bring": to_bring_cents(registration) if registration else 0,
    }
    # Not a redirect: only this response contains the name.
    return render(request, "tournaments/desk/online/door.html", context, status=status)
