"""The local page of the serving computer: addresses, data, and ending the program."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_POST

from tournaments.accounts.services import make_setup_link
from tournaments.backup import status_file
from tournaments.backup.packing import folder
from tournaments.common.actors import Actor
from tournaments.machine import addresses
from tournaments.machine.operating_system import lan_address
from tournaments.machine.qr_codes import in_page
from tournaments.models import User
from tournaments.web.access import public


def _demand_local_request(request: HttpRequest, token: str) -> None:
    """Raise 404 unless the request comes from this computer with the right token."""
    is_known = constant_time_compare(token, addresses.computer_page_token())
    if not (is_known and addresses.is_local_request(request)):
        raise Http404


def _has_account() -> bool:
    return User.objects.filter(is_demo=False).exists()


@public
def here(request: HttpRequest, token: str) -> HttpResponse:
    """Show the present addresses, the folders of the data, and the buttons."""
    _demand_local_request(request, token)
    hall = addresses.own_address() if lan_address() or settings.PUBLIC_URL else ""
    context = {
        "token": token,
        "hall": hall,
        "code": in_page(hall) if hall else "",
        "has_account": _has_account(),
        "data": settings.DATA_DIR,
        "backups": folder(),
        "version": settings.VERSION,
        "operator_warning": addresses.moved_warning(),
    }
    return render(request, "tournaments/operator/here.html", context)


@require_POST
@public
def first_account(request: HttpRequest, token: str) -> HttpResponse:
    """Redirect to the page that makes the first account, by a one-time link."""
    _demand_local_request(request, token)
    if _has_account():
        return redirect("operator:here", token)
    return redirect("account:setup", make_setup_link(actor=Actor.command("setup_link")))


@require_POST
@public
def end(request: HttpRequest, token: str) -> HttpResponse:
    """End the program after this response."""
    _demand_local_request(request, token)
    status_file.touch(status_file.ENDED)
    return render(request, "tournaments/operator/ended.html")
