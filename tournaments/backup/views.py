"""The page of backups, and the answers to the standby laptop."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from tournaments.backup import (
    generations,
    replication,
    saving,
    second_folder,
    services,
    standby,
    status_file,
)
from tournaments.backup.packing import folder
from tournaments.common.digits import number_in
from tournaments.common.errors import TournamentError
from tournaments.common.organisers import tournaments_with
from tournaments.common.roles import MAY_LEAD
from tournaments.machine.addresses import client_address, site_address
from tournaments.models import JournalChain, Tournament, User
from tournaments.web.access import StaffRequest, account_required, admin_required, public
from tournaments.web.acting import redirect_done
from tournaments.web.fields import TextField


class SecondFolderForm(forms.Form):
    """The folder that every backup is copied to."""

    folder = TextField(
        label=gettext_lazy("Zweiter Ordner"),
        max_length=400,
        required=False,
        help_text=gettext_lazy(
            "Etwa der Stick: /media/stick, /Volumes/STICK oder E:\\. Leer: keiner."
        ),
    )


TEMPLATE = "tournaments/backup/backups.html"
HIGHEST_PORT = 65535


def _check_may_lead(request: StaffRequest) -> None:
    if request.user.is_admin:
        return
    if not settings.IS_IN_THE_HALL:
        raise PermissionDenied(_("Diese Seite ist für Konten, die das Programm verwalten."))
    if not _led(request.user).exists():
        raise PermissionDenied(
            _("Diese Seite ist für die Spielleitung und für Konten, die das Programm verwalten.")
        )


def _check_in_hall(command: str) -> None:
    """Refuse on a server, where an account need not be at the machine."""
    if not settings.IS_IN_THE_HALL:
        message = _(
            "Auf einem Server geht das nur auf der Kommandozeile, mit dem Befehl „{command}“."
        )
        raise PermissionDenied(message.format(command=command))


def _led(user: User) -> QuerySet[Tournament]:
    return tournaments_with(user, MAY_LEAD).filter(owner__is_practice=user.is_demo)


def _unreplicated(user: User) -> dict[str, Any]:
    """Return the context of the page after a takeover by the standby laptop."""
    if not generations.is_replaced():
        return {}
    led = _led(user)
    visible = Q(tournament__in=led) | Q(owner__in=led.values("owner"))
    if user.is_admin:
        visible |= Q(tournament=None, owner=None)
    chains = JournalChain.objects.filter(visible)
    return {"refusal": generations.refusal(), "alone": generations.unreplicated_entries(chains)}


def _own_unreplicated(request: StaffRequest) -> HttpResponse:
    """Show an account that does not lead its own entries on a replaced laptop."""
    chains = JournalChain.objects.filter(tournament__in=tournaments_with(request.user))
    alone = generations.unreplicated_entries(chains, by=request.user)
    context = {"refusal": generations.refusal(), "alone": alone, "is_own": True}
    return render(request, TEMPLATE, context)


def _page(request: StaffRequest, *, status: int = HTTPStatus.OK, **more: Any) -> HttpResponse:
    current = status_file.status()
    file = folder() / current.file
    context = {
        "last": current,
        "size": file.stat().st_size if file.is_file() else 0,
        "is_wished": saving.is_requested(),
        "at": _time(current.at),
        "folder": folder(),
        "problems": status_file.problems(),
        "is_elsewhere": status_file.is_elsewhere(),
        "saves_itself": settings.SAVES_ITSELF,
        "second_at": _time(current.second_at),
        "second_is_there": second_folder.is_second_available(current),
        **standby.lag(),
        "is_server": not settings.IS_IN_THE_HALL,
        "promise": "" if request.htmx else standby.loss_warning(),
        "form": SecondFolderForm(initial={"folder": current.second}),
        **({} if request.htmx else _unreplicated(request.user)),
        **more,
    }
    return render(
        request, f"{TEMPLATE}#state" if request.htmx else TEMPLATE, context, status=status
    )


def _time(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


@require_safe
@account_required
def page(request: StaffRequest) -> HttpResponse:
    """Show the status of the last backup; the page refreshes itself."""
    try:
        _check_may_lead(request)
    except PermissionDenied:
        if settings.IS_IN_THE_HALL and generations.is_replaced():
            return _own_unreplicated(request)
        raise
    return _page(request)


@require_safe
@account_required
def behind(request: StaffRequest) -> HttpResponse:
    """Return the sign that the standby laptop lags, for the pages that show it."""
    return render(request, "tournaments/backup/behind.html#sign", standby.lag_for(request.user))


@require_POST
@account_required
def save(request: StaffRequest) -> HttpResponse:
    """Request a backup from the process that makes them."""
    _check_may_lead(request)
    saving.request_backup()
    if status_file.happened_within("wache", status_file.MAX_SILENCE):
        message = _("Es wird gesichert; gleich steht hier, was daraus wurde.")
    else:
        message = _(
            "Gerade sichert niemand. Sobald der Vorgang dafür wieder läuft, holt er es nach."
        )
    return redirect_done(request, message, "backup:page")


@require_POST
@admin_required
def second(request: StaffRequest) -> HttpResponse:
    """Set the folder that backups are copied to."""
    _check_in_hall("second-folder")
    form = SecondFolderForm(request.POST)
    if form.is_valid():
        try:
            services.set_second_folder(form.cleaned_data["folder"], actor=request.actor)
        except TournamentError as refusal:
            form.add_error("folder", str(refusal))
        else:
            return redirect_done(request, _("Der zweite Ordner ist gespeichert."), "backup:page")
    return _page(request, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)


@require_POST
@admin_required
def code(request: StaffRequest) -> HttpResponse:
    """Show, once, the code for the standby laptop."""
    _check_in_hall("standby-code")
    try:
        code = services.show_code(actor=request.actor)
    except TournamentError as refusal:
        return _page(request, promise=str(refusal), status=HTTPStatus.CONFLICT)
    command = settings.TYPED("standby", FROM=site_address(request), CODE=code)
    return _page(request, command=command)


@require_POST
@admin_required
def shut_out(request: StaffRequest) -> HttpResponse:
    """Shut out the standby laptop."""
    services.shut_out(actor=request.actor)
    return redirect_done(request, _("Kein Laptop steht mehr bereit."), "backup:page")


# --- Requests of the standby laptop --------------------------------------------------------


@csrf_exempt  # not sent by browsers, and not authenticated by cookies
@public
@never_cache
@require_POST
def let_in(request: HttpRequest) -> HttpResponse:
    """Exchange the code for a token."""
    port = number_in(request.POST.get("port", "")) or 0
    if not 0 < port <= HIGHEST_PORT:
        return JsonResponse({"refused": _("Das ist kein Port.")}, status=422)
    try:
        token = services.admit(
            request.POST.get("code", ""),
            address=f"http://{client_address(request)}:{port}",
            own=request.build_absolute_uri("/"),
            migration=request.POST.get("migration", ""),
        )
    except TournamentError as refusal:
        return JsonResponse({"refused": str(refusal)}, status=HTTPStatus.FORBIDDEN)
    return JsonResponse({"token": token})


@public
@never_cache
@require_safe
def takeover(request: HttpRequest) -> HttpResponse:
    """Tell the first laptop of a takeover by this one, with a proof."""
    takeover, question = replication.own_takeover(), request.GET.get("frage", "")
    if not takeover or not question:
        raise Http404
    return JsonResponse({"said": takeover, "seal": generations.seal(question, takeover)})


@csrf_exempt  # as above
@public
@never_cache
@require_POST
def state(request: HttpRequest) -> HttpResponse:
    """Return the changes since the state that the request names; 404 without the token."""
    kind, _space, token = request.headers.get("Authorization", "").partition(" ")
    if kind != "Bearer" or not standby.authenticate(token, client_address(request)):
        raise Http404
    try:
        name, content = standby.changes_since(
            request.headers.get("If-None-Match", ""), request.body
        )
    except ValueError:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    if content is None:
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"ETag": name})
    return HttpResponse(content, content_type="application/octet-stream", headers={"ETag": name})
