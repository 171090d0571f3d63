"""Making, opening and removing the practice tournament."""

from __future__ import annotations

from http import HTTPStatus

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from tournaments.accounts.queries import demo_accounts
from tournaments.accounts.views.account import BACKEND
from tournaments.common.errors import Conflict
from tournaments.models import Job
from tournaments.practice.demo import demo_job, removal
from tournaments.web.access import StaffRequest, admin_required, public


@public
@require_POST
def make(request: HttpRequest) -> HttpResponse:
    """Start making the tournament, once and before there is a real account."""
    try:
        demo_job.begin()
    except Conflict as refusal:
        messages.error(request, str(refusal))
        return redirect("public:start")
    return redirect("demo:making")


@public
@require_safe
def making(request: HttpRequest) -> HttpResponse:
    """Show the progress, and redirect to the start page at the end."""
    latest = demo_job.latest()
    if latest is None or latest.status == Job.Status.DONE:
        start = reverse("public:start")
        return HttpResponseClientRedirect(start) if _is_part(request) else redirect(start)
    page = "tournaments/practice/making.html"
    return render(request, f"{page}#work" if _is_part(request) else page, {"job": latest})


def _is_part(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))


@public
@require_POST
def log_in_as_guest(request: HttpRequest) -> HttpResponse:
    """Log in to one of its accounts without a password, if these are usable."""
    accounts = [each for each in demo_accounts() if each.username == request.POST.get("account")]
    if not accounts:
        messages.error(
            request,
            _(
                "Zum Ansehen ist hier nichts mehr: Die Übungskonten enden, sobald es ein eigenes "
                "Konto gibt. Bitte damit anmelden."
            ),
        )
        return redirect("public:start")
    login(request, accounts[0], backend=BACKEND)
    # Its accounts may have made further tournaments.
    return redirect("setup:tournament", removal.tournaments().earliest("pk").slug)


@admin_required
def remove(request: StaffRequest) -> HttpResponse:
    """Show the rows to remove, and remove them after a confirmation."""
    status = HTTPStatus.OK
    if request.method == "POST":
        try:
            removed = removal.remove(removal.tournaments(), actor=request.actor)
        except Conflict:
            status = HTTPStatus.CONFLICT  # the page shows that there is none
        else:
            sentence = _("Das Übungsturnier ist entfernt, mit {persons} Personen.")
            messages.success(request, sentence.format(persons=removed.persons))
            return redirect("setup:tournaments")
    context = {
        "tournaments": removal.tournaments(),
        "command": settings.TYPED("run", DEMO=1),
    }
    return render(request, "tournaments/practice/remove.html", context, status=status)
