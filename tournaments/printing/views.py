"""The page of documents, and the way of one from the button to the finished PDF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from csp.decorators import csp_exempt
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from tournaments.common import jobs
from tournaments.common.access import StaffRequest, own, roles_required
from tournaments.common.addresses import site_address
from tournaments.common.roles import MAY_SEE
from tournaments.common.views.acting import UNFIT
from tournaments.models import Job, PrintedDocument, Tournament
from tournaments.printing.base import Document
from tournaments.printing.documents import DOCUMENTS, in_order
from tournaments.printing.forms import Choices, PrintForm

TEMPLATE = "tournaments/printing/documents.html"
PROGRESS = "tournaments/printing/progress.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedDocument:
    """One document on the page."""

    document: Document
    form: PrintForm
    printed: list[PrintedDocument]  # finished ones, the newest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The documents of one step of the day."""

    label: str
    rows: list[OfferedDocument]


def _groups(request: StaffRequest, tournament: Tournament, bound: PrintForm | None) -> list[Group]:
    choices = Choices(tournament)
    printed: dict[str, list[PrintedDocument]] = {}
    for one in PrintedDocument.objects.filter(tournament=tournament):
        printed.setdefault(one.name, []).append(one)
    return [
        Group(
            label=label,
            rows=[
                OfferedDocument(
                    document=document,
                    form=bound
                    if bound is not None and bound.document is document
                    else PrintForm(document, choices),
                    printed=printed.get(document.name, [])[:1],
                )
                for document in documents
            ],
        )
        for label, documents in in_order(request.roles)
    ]


def _page(
    request: StaffRequest,
    tournament: Tournament,
    *,
    bound: PrintForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {"groups": _groups(request, tournament, bound)}
    return render(request, TEMPLATE, context, status=status)


@require_safe
@roles_required(MAY_SEE)
def documents(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show what can be printed, step by step of the day."""
    return _page(request, tournament)


def _document(request: StaffRequest, name: str) -> Document:
    """Return the document called *name*.

    Raises:
        Http404: if there is none.
        PermissionDenied: if it is not for the roles of whoever asks.
    """
    document = DOCUMENTS.get(name)
    if document is None:
        raise Http404
    if not document.roles & request.roles:
        raise PermissionDenied(
            _("„{label}“ druckt eine andere Rolle.").format(label=document.label)
        )
    return document


@require_POST
@roles_required(MAY_SEE)
def start(request: StaffRequest, tournament: Tournament, name: str) -> HttpResponse:
    """Have a document printed, in a process of its own."""
    document = _document(request, name)
    form = PrintForm(document, Choices(tournament), request.POST)
    if not form.is_valid():
        return _page(request, tournament, bound=form, status=UNFIT)
    job = jobs.start(
        kind="print",
        actor=request.actor,
        tournament=tournament,
        document=document.name,
        asked=form.asked(),
        base_url=site_address(request),
        language=get_language(),
    )
    return redirect("printing:progress", tournament.slug, job.pk)


def _job(request: StaffRequest, tournament: Tournament, pk: int) -> tuple[Job, Document]:
    job = own(tournament, Job, pk=pk, kind="print")
    return jobs.look_after(job), _document(request, job.params["document"])


@require_safe
@roles_required(MAY_SEE)
def progress(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show how far a document is, and lead on to the PDF as soon as it is there."""
    job, document = _job(request, tournament, pk)
    if job.status == Job.Status.DONE:
        printed = PrintedDocument.objects.filter(pk=job.result["printed"]).first()
        if printed is not None:
            url = reverse("printing:pdf", args=[tournament.slug, printed.pk, printed.file_name])
            return HttpResponseClientRedirect(url) if request.htmx else redirect(url)
    context: dict[str, Any] = {"job": job, "document": document}
    return render(request, f"{PROGRESS}#work" if request.htmx else PROGRESS, context)


@require_POST
@roles_required(MAY_SEE)
def cancel(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Stop printing."""
    job, _found = _job(request, tournament, pk)
    jobs.cancel(job_id=job.pk)
    return redirect("printing:progress", tournament.slug, job.pk)


# A PDF loads nothing, and the viewers of browsers are pages of their own, which the policy
# for our pages would leave without their styles.
@csp_exempt()
@require_safe
@roles_required(MAY_SEE)
def pdf(
    request: StaffRequest,
    tournament: Tournament,
    pk: int,
    file_name: str,  # noqa: ARG001 - what the browser calls the file when it is kept
) -> HttpResponse:
    """Hand out a finished PDF, to be looked at and printed by the browser."""
    printed = own(tournament, PrintedDocument, pk=pk)
    _document(request, printed.name)
    content = printed.pdf()
    if content is None:
        raise Http404
    return HttpResponse(
        content,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{printed.file_name}"'},
    )
