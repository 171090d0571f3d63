"""Impressum and Datenschutz, editing them, and deleting data after their retention period."""

from __future__ import annotations

from http import HTTPStatus

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common import texts
from tournaments.common.errors import Conflict
from tournaments.common.organisers import headed_by
from tournaments.models import LegalText, User
from tournaments.operator import queries, retention, services
from tournaments.operator.forms import LegalTextForm
from tournaments.web.access import StaffRequest, account_required, admin_required, public
from tournaments.web.acting import FormStorage, posted, redirect_done
from tournaments.web.frame import public_frame


@public
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a page of the operator; Datenschutz also lists the retention periods."""
    stored = LegalText.objects.filter(name=name).first()
    may_edit = isinstance(request.user, User) and request.user.is_admin
    context = {
        **public_frame(request),
        "page": stored or LegalText(name=name),
        "kept": retention.lines() if name == LegalText.Name.DATENSCHUTZ else [],
        "edit_url": reverse(f"operator:edit_{name}") if may_edit else "",
    }
    return render(request, "tournaments/operator/page.html", context)


@admin_required
def edit(request: StaffRequest, name: str) -> HttpResponse:
    """Edit a text of the operator, beginning with the default one."""
    shown_at = name if name in LegalText.PAGES else "requests"
    stored = LegalText.objects.filter(name=name).first() or LegalText(name=name)
    initial = {"text": stored.text or texts.read_unparsed("operator", name)}
    form = LegalTextForm(posted(request), instance=stored, initial=initial)
    with FormStorage(form) as storing:
        if form.is_valid():
            services.change_text(name=name, text=form.cleaned_data["text"], actor=request.actor)
            return redirect_done(request, _("Gespeichert."), f"operator:{shown_at}")
    context = {"page": stored, "form": form, "page_url": reverse(f"operator:{shown_at}")}
    return render(request, "tournaments/operator/edit.html", context, status=storing.status)


@account_required
def due(request: StaffRequest) -> HttpResponse:
    """Show the due data of the account's organisers, and delete them.

    Log-ins belong to no organiser, so the operator deletes them.
    """
    now, owners = timezone.now(), headed_by(request.user)
    if not (owners or request.user.is_admin):
        raise PermissionDenied(
            _("Diese Seite ist für Konten, die bei einem Veranstalter alles dürfen.")
        )
    logins = queries.old_logins(now) if request.user.is_admin else []
    error, status = "", HTTPStatus.OK
    if request.method == "POST":
        try:
            digest = request.POST.get("digest", "")
            services.delete_due(owners, logins, digest=digest, actor=request.actor, now=now)
        except Conflict as refusal:
            error, status = str(refusal), HTTPStatus.CONFLICT
        else:
            return redirect_done(request, _("Was fällig war, ist gelöscht."), "operator:due")
    tournaments, persons = queries.due_tournaments(now, owners), queries.due_persons(now, owners)
    context = {
        "tournaments": tournaments,
        "persons": persons,
        "logins": sum(rows.count() for rows in logins),
        "receipts": queries.named_receipts(now, owners).count(),
        "digest": queries.digest(tournaments, persons),
        "kept": retention.lines(),
        "error": error,
    }
    return render(request, "tournaments/operator/due.html", context, status=status)
