"""Importing a list of persons: the file, its columns, its rows, and storing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from tournaments.common.digits import number_in
from tournaments.common.errors import Conflict, TournamentError
from tournaments.machine import sheets
from tournaments.models import Organiser, PersonImport, Tournament
from tournaments.people.access import PeopleRequest, may_change_persons
from tournaments.people.forms.importing import PersonColumnsForm, UploadForm, answerable, answers
from tournaments.people.services import columns as people_columns
from tournaments.people.services import importing
from tournaments.people.services.columns import PERSONS, Columns
from tournaments.people.services.plan import ImportPlan, KnownPersons, make_plan
from tournaments.web.access import StaffRequest
from tournaments.web.acting import CONFLICT, UNFIT, FormStorage, posted, redirect_done
from tournaments.web.idempotency import run_once

PER_PAGE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """The settings of an import of persons or registrations: files, columns, URLs.

    Args:
        drafts: the files that the account may import.
        address: URL name of the first page, and prefix of the other names.
        home: URL and title of the parent page.
        within: the organiser or tournament of the persons.
        keys: URL arguments of all pages.
        folder: of templates that override those of persons.
    """

    drafts: QuerySet[PersonImport]
    columns: Columns
    plan: Callable[[PersonImport], ImportPlan]
    address: str
    home: tuple[str, str | Promise]
    within: Organiser | Tournament
    keys: tuple[str, ...] = ()
    folder: str = "tournaments/people"

    def url(self, step: str = "", *keys: int) -> str:
        """Return the address of a step: columns, preview, carry_out, discard; or of the first."""
        name = f"{self.address}_{step}" if step else self.address
        return reverse(name, args=[*self.keys, *keys])

    def urls(self, draft: PersonImport) -> dict[str, str]:
        """Return the addresses of all steps of a file."""
        steps = ("columns", "preview", "carry_out", "discard")
        return {step: self.url(step, draft.pk) for step in steps}

    def page(
        self, request: StaffRequest, name: str, *, status: int = 200, **context: Any
    ) -> HttpResponse:
        """Return a page of the import: upload, columns or preview."""
        draft = context.get("draft")
        context |= {"home": self.home, "upload_url": self.url()}
        context |= {"urls": self.urls(draft)} if draft else {}
        folders = (self.folder, "tournaments/people")
        templates = [f"{folder}/import_{name}.html" for folder in folders]
        return render(request, templates, context, status=status)


def _person_import(request: PeopleRequest) -> Import:
    return Import(
        drafts=importable_drafts().filter(
            tournament=None, created_by=request.user, owner=request.rights.organiser
        ),
        within=request.rights.organiser,
        columns=PERSONS,
        plan=make_plan,
        address="people:import",
        home=(reverse("people:persons"), _("Personen")),
    )


def importable_drafts() -> QuerySet[PersonImport]:
    """Return the files that can still be imported."""
    young = timezone.now() - PersonImport.KEPT_FOR
    return PersonImport.objects.filter(created_at__gte=young).select_related("created_by")


def _for_persons(page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make the view of persons from a page of imports."""

    @may_change_persons
    @wraps(page)
    def view(request: PeopleRequest, **keys: int) -> HttpResponse:
        return page(request, _person_import(request), **keys)

    return view


def upload_to(request: StaffRequest, setup: Import, **more: Any) -> HttpResponse:
    """Upload a file; the page lists unfinished imports. *more* is for the template."""
    importing.delete_old_files()
    form = UploadForm(posted(request), request.FILES or None)
    with FormStorage(form, "file", refused=UNFIT) as storing:
        if form.is_valid():
            file: UploadedFile[Any] = form.cleaned_data["file"]
            content = file.read(sheets.MAX_BYTES + 1)
            rows, encodings = sheets.read(content), sheets.doubtful_encodings(content)
            file.seek(0)
            name = file.name or _("Datei")
            return run_once(request, partial(_store_rows, request, setup, rows, encodings, name))
    return first_page(request, setup, form=form, **{"status": storing.status, **more})


def first_page(request: StaffRequest, setup: Import, **more: Any) -> HttpResponse:
    """Return the page for the upload; *more* is for its template."""
    begun = [(draft, setup.urls(draft)) for draft in setup.drafts.defer("rows", "choices")]
    context = {"form": UploadForm(), "begun": begun, "labels": setup.columns.targets.values()}
    return setup.page(request, "upload", **{**context, **more})


def _store_rows(
    request: StaffRequest, setup: Import, rows: list[sheets.Row], encodings: list[str], name: str
) -> HttpResponse:
    draft = importing.store_rows(
        rows=rows,
        encodings=encodings,
        file_name=name,
        user=request.user,
        columns=setup.columns,
        within=setup.within,
    )
    return redirect(setup.url("columns", draft.pk))


def columns_of(request: StaffRequest, setup: Import, pk: int) -> HttpResponse:
    """Assign the columns of a file; those recognised by their headings are preset."""
    draft = get_object_or_404(setup.drafts, pk=pk)
    if request.POST.get("read_as") in draft.choices.get("encodings", []):
        importing.read_again(draft, request.POST["read_as"], setup.columns)
        return redirect(setup.url("columns", pk))
    row = number_in(request.POST.get("heading_row"))
    if "again" in request.POST and row is not None:
        # Another row has the headings: guess the columns from it.
        guessed = importing.guess_columns(draft.rows, row, setup.columns)
        draft.choices = {**draft.choices, "heading_row": row, "columns": guessed}
        draft.save(update_fields=["choices"])
        return redirect(setup.url("columns", pk))
    form = PersonColumnsForm(posted(request), draft=draft, targets=setup.columns.targets)
    with FormStorage(form, refused=UNFIT) as storing:
        if form.is_valid():
            importing.choose_columns(
                draft=draft,
                heading_row=form.cleaned_data["heading_row"],
                columns=form.columns(),
                club=form.cleaned_data["club"],
                known=KnownPersons(draft.choices.get("known", KnownPersons.UPDATE)),
                targets=setup.columns.targets,
            )
            return redirect(setup.url("preview", pk))
    context = {"draft": draft, "form": form, "readings": importing.readings(draft)}
    return setup.page(request, "columns", status=storing.status, **context)


def preview_of(request: StaffRequest, setup: Import, pk: int) -> HttpResponse:
    """Show the plan of a file row by row; take decisions and corrections."""
    draft = get_object_or_404(setup.drafts, pk=pk)
    if not set(draft.choices["columns"]) & set(people_columns.NAMES):
        return redirect(setup.url("columns", pk))
    if request.method == "POST":
        known, decisions, mended = answers(request.POST, setup.plan(draft))

        def decide() -> HttpResponse:
            importing.decide(draft=draft, known=known, decisions=decisions, mended=mended)
            query = request.GET.urlencode()
            return redirect(setup.url("preview", pk) + (f"?{query}" if query else ""))

        return run_once(request, decide)
    return preview_page(request, setup, draft)


@may_change_persons
@require_POST
def carry_out(request: PeopleRequest, pk: int) -> HttpResponse:
    """Carry out the import, or store nothing and show why."""
    setup = _person_import(request)
    draft = setup.drafts.filter(pk=pk).first()
    try:
        counts = importing.carry_out(
            request.rights.organiser,
            draft_id=draft.pk if draft else 0,
            fingerprint=request.POST.get("fingerprint", ""),
            actor=request.actor,
        )
    except TournamentError as refusal:
        if draft is None:
            messages.error(request, str(refusal))
            return redirect("people:import")
        status = CONFLICT if isinstance(refusal, Conflict) else UNFIT
        return preview_page(request, setup, draft, error=str(refusal), status=status)
    messages.success(
        request,
        _(
            "Eingelesen: {new} neu, {updated} ergänzt, {same} unverändert, {skipped} ausgelassen."
        ).format(**counts),
    )
    return redirect("people:persons")


def discard_of(request: StaffRequest, setup: Import, pk: int) -> HttpResponse:
    """Delete a file; stored parts of it stay."""
    drafts = setup.drafts.filter(pk=pk)
    stored = [number for draft in drafts for number in draft.choices.get("stored", ())]
    drafts.delete()
    sentence = _("Die Datei ist verworfen. Gespeichert wurde nichts.")
    if stored:
        sentence = ngettext(
            "Der Rest der Datei ist verworfen. Gemeldet ist {n} Person.",
            "Der Rest der Datei ist verworfen. Gemeldet sind {n} Personen.",
            len(stored),
        ).format(n=len(stored))
    return redirect_done(request, sentence, setup.url())


def preview_page(
    request: StaffRequest, setup: Import, draft: PersonImport, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Return the preview of a file; *more* is for its template."""
    plan = setup.plan(draft)
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
        "known_choices": KnownPersons.choices,
        **more,
    }
    return setup.page(request, "preview", status=status, **context)


upload = _for_persons(upload_to)
columns = _for_persons(columns_of)
preview = _for_persons(preview_of)
discard = require_POST(_for_persons(discard_of))
