"""The page that a mail opens, on which a stored person says whether to be named on the internet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.common.errors import TournamentError
from tournaments.desk.online.services import naming
from tournaments.desk.online.services.entry import PUBLIC
from tournaments.web.access import public
from tournaments.web.acting import CONFLICT


@public
@never_cache
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the question, and store the answer. Only a POST answers, because programs open links."""
    line = naming.find(token)
    if line is None:
        return render(request, "tournaments/desk/online/unknown.html", status=404)
    error = ""
    if request.method == "POST":
        try:
            is_named = request.POST.get("answer") == "yes"
            naming.answer_naming(PUBLIC, line.pk, named=is_named)
            return redirect("entry:naming", token)
        except TournamentError as refusal:
            error = str(refusal)
    context = {
        "tournament": line.entry.tournament,
        "home_url": reverse("public:tournament", args=[line.entry.tournament.slug]),
        "registration": line.registration,
        "is_answered": line.naming == line.Naming.ANSWERED,
        "error": error,
    }
    answer = render(
        request, "tournaments/desk/online/naming.html", context, status=CONFLICT if error else 200
    )
    answer["X-Robots-Tag"] = "noindex"
    return answer
