"""Failed and slow requests, for the operator."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.models import NotedRequest
from tournaments.web.access import StaffRequest, admin_required


@admin_required
def requests(request: StaffRequest) -> HttpResponse:
    """List the recorded requests, the newest first."""
    context = {
        "requests": NotedRequest.objects.all()[: NotedRequest.MOST],
        "seconds": NotedRequest.SLOW_SECONDS,
    }
    return render(request, "tournaments/operator/requests.html", context)
