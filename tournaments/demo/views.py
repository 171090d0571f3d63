"""The page on which the tournament to look at is removed."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.common.access import StaffRequest, admin_required
from tournaments.common.errors import Conflict
from tournaments.demo import removal


@admin_required
def remove(request: StaffRequest) -> HttpResponse:
    """Say what goes, and remove it when that is confirmed."""
    status = HTTPStatus.OK
    if request.method == "POST":
        try:
            removed = removal.remove(actor=request.actor)
        except Conflict:
            status = HTTPStatus.CONFLICT  # the page says that there is none
        else:
            done = _("Das Übungsturnier ist entfernt, mit {persons} Personen.")
            messages.success(request, done.format(persons=removed.persons))
            return redirect("setup:tournaments")
    context = {"tournaments": removal.tournaments()}
    return render(request, "tournaments/demo/remove.html", context, status=status)
