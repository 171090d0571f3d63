"""The page on which the short code of a table is typed instead of scanning its QR code."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments.common.access_keys import table_path
from tournaments.common.errors import TournamentError
from tournaments.common.guesses import TooManyGuesses
from tournaments.machine.addresses import network_address
from tournaments.table.forms import TableCodeForm
from tournaments.table.services.devices import find_by_code
from tournaments.web.access import public


@public
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Ask for the short code of a table, and redirect to its list."""
    if request.method != "POST":
        return _page(request, TableCodeForm())
    form = TableCodeForm(request.POST)
    if not form.is_valid():
        return _page(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        access = find_by_code(**form.cleaned_data, address=network_address(request))
    except TooManyGuesses as refusal:
        form.add_error(None, str(refusal))
        return _page(request, form, HTTPStatus.TOO_MANY_REQUESTS)
    except TournamentError as refusal:
        form.add_error("code", str(refusal))
        return _page(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect(table_path(access))


def _page(
    request: HttpRequest, form: TableCodeForm, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    return render(request, "tournaments/table/code.html", {"form": form}, status=status)
