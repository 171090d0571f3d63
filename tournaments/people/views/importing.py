"""Importing a list of persons: the file, its columns, its rows, and storing."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.digits import number_in
from tournaments.common.errors import Conflict, TournamentError
from tournaments.machine import sheets
from tournaments.models import PersonImport
from tournaments.people.access import PeopleRequest, may_change_persons
from tournaments.people.forms.importing import KNOWN_CHOICES, UploadForm, answerable, answers
from tournaments.people.services import columns as people_columns
from tournaments.people.services import importing
from tournaments.people.services.plan import Known, make_plan
from tournaments.web.acting import CONFLICT, UNFIT, Storing, posted
from tournaments.web.columns import ColumnsForm
from tournaments.web.counting import count_once

PER_PAGE = 50


@may_change_persons
def upload(request: PeopleRequest) -> HttpResponse:
    """Take a file; imports that were begun are offered again."""
    importing.forget_old_files()
    form = UploadForm(posted(request), request.FILES or None)
    with Storing(form, "file", refused=UNFIT) as storing:
        if form.is_valid():
            file: UploadedFile[Any] = form.cleaned_data["file"]
            rows = sheets.read(file.read(sheets.MAX_BYTES + 1))
            file.seek(0)
            return count_once(request, partial(_keep, request, rows, file.name or _("Datei")))
    context = {
        "form": form,
        "drafts": _drafts(request).defer("rows", "choices"),
        "labels": people_columns.TARGETS.values(),
    }
    return render(request, "tournaments/people/import_upload.html", context, status=storing.status)


def _keep(request: PeopleRequest, rows: list[sheets.Row], file_name: str) -> HttpResponse:
    draft = importing.keep_rows(rows=rows, file_name=file_name, user=request.user)
    return redirect("people:import_columns", draft.pk)


@may_change_persons
def columns(request: PeopleRequest, pk: int) -> HttpResponse:
    """Assign the columns; those recognised by their headings are preset."""
    draft = _draft_or_404(request, pk)
    row = number_in(request.POST.get("heading_row"))
    if "again" in request.POST and row is not None:
        # Another row has the headings: guess again from that row.
        guessed = importing.guess_columns(draft.rows, row)
        draft.choices = {**draft.choices, "heading_row": row, "columns": guessed}
        draft.save(update_fields=["choices"])
        return redirect("people:import_columns", pk)
    form = ColumnsForm(posted(request), draft=draft, targets=people_columns.TARGETS)
    with Storing(form, refused=UNFIT) as storing:
        if form.is_valid():
            importing.choose_columns(
                draft=draft,
                heading_row=form.cleaned_data["heading_row"],
                columns=form.columns(),
                known=Known(draft.choices.get("known", Known.UPDATE)),
            )
            return redirect("people:import_preview", pk)
    context = {"draft": draft, "form": form}
    return render(request, "tournaments/people/import_columns.html", context, status=storing.status)


@may_change_persons
def preview(request: PeopleRequest, pk: int) -> HttpResponse:
    """Show the plan row by row; take decisions and corrections."""
    draft = _draft_or_404(request, pk)
    if not set(draft.choices["columns"]) & set(people_columns.NAMES):
        return redirect("people:import_columns", pk)
    if request.method == "POST":
        known, decisions, mended = answers(request.POST, make_plan(draft))

        def decide() -> HttpResponse:
            importing.decide(draft=draft, known=known, decisions=decisions, mended=mended)
            query = request.GET.urlencode()
            return redirect(
                reverse("people:import_preview", args=[pk]) + (f"?{query}" if query else "")
            )

        return count_once(request, decide)
    return _preview_page(request, draft)


@may_change_persons
@require_POST
def carry_out(request: PeopleRequest, pk: int) -> HttpResponse:
    """Carry out the import, or store nothing and show why."""
    draft = _drafts(request).filter(pk=pk).first()
    try:
        counts = importing.carry_out(
            draft_id=draft.pk if draft else 0,
            fingerprint=request.POST.get("fingerprint", ""),
            actor=request.actor,
        )
    except TournamentError as refusal:
        if draft is None:
            messages.error(request, str(refusal))
            return redirect("people:import")
        status = CONFLICT if isinstance(refusal, Conflict) else UNFIT
        return _preview_page(request, draft, error=str(refusal), status=status)
    messages.success(
        request,
        _(
            "Eingelesen: {new} neu, {updated} ergänzt, {same} unverändert, {skipped} ausgelassen."
        ).format(**counts),
    )
    return redirect("people:persons")


@may_change_persons
@require_POST
def discard(request: PeopleRequest, pk: int) -> HttpResponse:
    """Delete a file; nothing of it was stored."""
    _drafts(request).filter(pk=pk).delete()
    messages.success(request, _("Die Datei ist verworfen. Gespeichert wurde nichts."))
    return redirect("people:import")


def _preview_page(
    request: PeopleRequest, draft: PersonImport, *, error: str = "", status: int = 200
) -> HttpResponse:
    plan = make_plan(draft)
    still_open = plan.open_rows
    show_all = request.GET.get("zeigen") == "alle" or not still_open
    page = Paginator(plan.rows if show_all else still_open, PER_PAGE).get_page(
        request.GET.get("page")
    )
    context: dict[str, Any] = {
        "draft": draft,
        "plan": plan,
        "counts": plan.counts,
        "open_count": len(still_open),
        "answerable_count": len(answerable(plan)),
        "show_all": show_all,
        "page": page,
        "known_choices": KNOWN_CHOICES,
        "targets": people_columns.TARGETS,
        "error": error,
    }
    return render(request, "tournaments/people/import_preview.html", context, status=status)


def _drafts(request: PeopleRequest) -> QuerySet[PersonImport]:
    """Return the files of the account that can still be imported."""
    young = timezone.now() - PersonImport.KEPT_FOR
    mine = PersonImport.objects.filter(
        tournament=None, created_by=request.user, created_at__gte=young
    )
    return mine.select_related("created_by")


def _draft_or_404(request: PeopleRequest, pk: int) -> PersonImport:
    return get_object_or_404(_drafts(request), pk=pk)
