"""The page that the mail of an offered place opens: take it, or leave the waiting list."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.common.errors import TournamentError
from tournaments.desk.online.services import mails, offers
from tournaments.desk.online.services.entry import PUBLIC
from tournaments.desk.queries.free_places import may_answer_offers
from tournaments.web.access import public
from tournaments.web.acting import CONFLICT
from tournaments.web.idempotency import StoredAnswer

UNKNOWN = "tournaments/desk/online/unknown.html"
PAGE = "tournaments/desk/online/offer.html"


@public
@never_cache
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the offer, and store the answer. Only a POST answers, because programs open links."""
    line = offers.find(token)
    if line is None or line.registration is None:
        return render(request, UNKNOWN, status=404)
    registration, tournament = line.registration, line.entry.tournament
    error = ""
    if request.method == "POST":
        to = reverse("entry:offer", args=[token])
        try:
            if request.POST.get("answer") == "yes":
                accepted = offers.accept_offer(PUBLIC, registration.pk)

                def tell() -> HttpResponse:
                    mails.send_news(accepted)
                    return redirect(to)

                return StoredAnswer(tell, to=to, message=_("Sie sind dabei."))
            offers.decline_offer(PUBLIC, registration.pk)
            return redirect(to)
        except TournamentError as refusal:
            error = str(refusal)
            registration.refresh_from_db()
    is_open = registration.has_offer and may_answer_offers(tournament, timezone.now())
    context = {
        "tournament": tournament,
        "home_url": reverse("public:tournament", args=[tournament.slug]),
        "line": line,
        "registration": registration,
        "is_open": is_open,
        "error": error,
    }
    answer = render(request, PAGE, context, status=CONFLICT if error else 200)
    answer["X-Robots-Tag"] = "noindex"
    return answer
