"""The page for the short code of a table, the alternative to its QR code."""

from __future__ import annotations

from http import HTTPStatus

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments.common.access_keys import table_path
from tournaments.common.code_throttling import TooManyGuesses
from tournaments.common.errors import TournamentError
from tournaments.machine.addresses import network_address
from tournaments.models import Serie, Tournament
from tournaments.table.forms import TableCodeForm
from tournaments.table.services.devices import find_by_code
from tournaments.table.views.table_access import LAST_TABLE
from tournaments.web.access import public

MOST_PLAYED = 100  # tournaments in the list


@public
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Ask for the short code of a table, and redirect to its list.

    If several tournaments are played on a server and the address names none, ask for it first.
    """
    shown = Tournament.objects.filter(status__in=Tournament.PUBLIC)
    tournament = get_object_or_404(shown, slug=slug) if slug else None
    if tournament is None and not settings.IS_IN_THE_HALL:
        played = list(shown.filter(pk__in=_with_open_tables()).order_by("name", "pk")[:MOST_PLAYED])
        if len(played) != 1:
            status = HTTPStatus.UNPROCESSABLE_ENTITY if request.method == "POST" else HTTPStatus.OK
            return render(
                request, "tournaments/table/which.html", {"played": played}, status=status
            )
        tournament = played[0]
    if request.method != "POST":
        return _page(request, TableCodeForm())
    form = TableCodeForm(request.POST)
    if not form.is_valid():
        return _page(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        access = find_by_code(
            **form.cleaned_data,
            tournament=tournament,
            address=network_address(request),
            secret=request.COOKIES.get(LAST_TABLE, ""),
        )
    except TooManyGuesses as refusal:
        form.add_error(None, str(refusal))
        return _page(request, form, HTTPStatus.TOO_MANY_REQUESTS)
    except TournamentError as refusal:
        form.add_error("code", str(refusal))
        return _page(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect(table_path(access))


def _with_open_tables() -> QuerySet[Serie, int]:
    """Return the keys of the tournaments with a Serie whose table codes are valid."""
    open_ones = Serie.objects.filter(closed_at__isnull=True, tables__access__isnull=False)
    return open_ones.values_list("tournament", flat=True)


def _page(
    request: HttpRequest, form: TableCodeForm, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    return render(request, "tournaments/table/code.html", {"form": form}, status=status)
