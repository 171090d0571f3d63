"""The page of documents, and printing one: the button, the progress, and the PDF or page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_exempt, csp_replace
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from tournaments.common.actors import Actor
from tournaments.common.digits import number_in
from tournaments.common.roles import MAY_SEE
from tournaments.machine import jobs
from tournaments.machine.addresses import own_address, site_address
from tournaments.models import Job, PrintedDocument, Serie, Tournament
from tournaments.printing.base import Document
from tournaments.printing.browser import for_browser
from tournaments.printing.documents import DOCUMENTS, current_document, documents_by_step
from tournaments.printing.due_documents import was_printed
from tournaments.printing.forms import PAPER_COOKIE, Choices, PrintForm, paper_of
from tournaments.printing.print_job import current_print
from tournaments.web.access import StaffRequest, or_404, own, public, roles_required
from tournaments.web.acting import UNFIT
from tournaments.web.frame import public_frame

TEMPLATE = "tournaments/printing/documents.html"
PROGRESS = "tournaments/printing/progress.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedDocument:
    """One document on the page."""

    document: Document
    form: PrintForm
    serie: int | None  # the one chosen for all documents, if this one needs a Serie
    is_possible: bool
    printed: PrintedDocument | None  # the newest finished one

    @property
    def address(self) -> str:
        """The address of the finished print; "" if there is none."""
        return _address(self.printed) if self.printed else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentGroup:
    """The documents of one step of the day."""

    label: str
    rows: list[OfferedDocument]
    is_open: bool  # unfolded: it has the document that is needed now


def _address(printed: PrintedDocument) -> str:
    file = [printed.pk, printed.file_name] if printed.is_pdf else [printed.pk]
    kind = "pdf" if printed.is_pdf else "page"
    if printed.tournament is None:
        return reverse(f"print_manual_{kind}", args=file)
    return reverse(f"printing:{kind}", args=[printed.tournament.slug, *file])


def _back(tournament: Tournament, document: Document) -> str:
    return f"{reverse('printing:documents', args=[tournament.slug])}#{document.name}"


def _offered(
    document: Document, form: PrintForm, serie: Serie | None, printed: PrintedDocument | None
) -> OfferedDocument:
    asks_serie = "serie" in document.asks
    return OfferedDocument(
        document=document,
        form=form,
        serie=serie.number if serie and asks_serie and not form.is_bound else None,
        is_possible=form.is_possible and (serie is not None or not asks_serie),
        printed=printed,
    )


def _groups(
    request: StaffRequest,
    tournament: Tournament,
    choices: Choices,
    serie: Serie | None,
    *,
    bound: PrintForm | None,
    current: Document,
) -> list[DocumentGroup]:
    newest = PrintedDocument.objects.filter(tournament=tournament).select_related("tournament")
    printed = {document.name: document for document in reversed(newest)}

    def form(document: Document) -> PrintForm:
        if bound is not None and bound.document is document:
            return bound
        offered = PrintForm(document, choices, only=set(document.asks) - {"serie"})
        if "paper" in offered.fields:
            offered.fields["paper"].initial = paper_of(request)
        return offered

    def is_open(documents: list[Document]) -> bool:
        if bound is not None:
            return bound.document in documents
        if "serie" in request.GET:
            return any("serie" in document.asks for document in documents)
        return current.place == documents[0].place

    groups = [
        DocumentGroup(
            label=label,
            rows=[
                _offered(document, form(document), serie, printed.get(document.name))
                for document in documents
                if tournament.is_called_off or not document.if_called_off
            ],
            is_open=is_open(documents),
        )
        for label, documents in documents_by_step(request.roles)
    ]
    return sorted(groups, key=lambda group: not group.is_open)


def _page(
    request: StaffRequest,
    tournament: Tournament,
    *,
    bound: PrintForm | None = None,
    status: int = 200,
) -> HttpResponse:
    choices = Choices(tournament)
    last = choices.seated[-1] if choices.seated else None
    number = number_in(request.GET.get("serie", ""))
    serie = next((serie for serie in choices.seated if serie.number == number), last)
    current = DOCUMENTS[
        current_document(
            numbers=tournament.registrations.filter(number__isnull=False).exists(),
            seated=last.number if last else None,
            is_open=last is not None and last.closed_at is None,
        )
    ]
    is_due = current.roles & request.roles and not was_printed(tournament, current, last)
    context = {
        "groups": _groups(request, tournament, choices, serie, bound=bound, current=current),
        "serien": choices.seated,
        "serie": serie,
        "now": current.name if is_due else "",
        "now_serie": last if "serie" in current.asks else None,
        "now_ranking": choices.ranking[0][0] if is_due and "ranking" in current.asks else "",
    }
    return render(request, TEMPLATE, context, status=status)


@require_safe
@roles_required(MAY_SEE)
def documents(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the documents, by step of the day."""
    return _page(request, tournament)


def _document(request: StaffRequest, name: str) -> Document:
    """Return the document called *name*.

    Raises:
        Http404: if there is none.
        PermissionDenied: if it is not for the roles of the account.
    """
    document = or_404(DOCUMENTS.get(name))
    if not document.roles & request.roles:
        raise PermissionDenied(
            _("„{label}“ druckt eine andere Rolle.").format(label=document.label)
        )
    return document


@require_POST
@roles_required(MAY_SEE)
def start(request: StaffRequest, tournament: Tournament, name: str) -> HttpResponse:
    """Start printing a document, in a process of its own."""
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
        language=tournament.document_language,
    )
    answer = redirect("printing:progress", tournament.slug, job.pk)
    paper = form.cleaned_data.get("paper")
    if "paper" in request.POST and paper is not None:  # the default of this device from now on
        answer.set_cookie(
            PAPER_COOKIE,
            paper,
            max_age=settings.SESSION_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return answer


def _job(request: StaffRequest, tournament: Tournament, pk: int) -> tuple[Job, Document]:
    job = own(tournament, Job, pk=pk, kind="print")
    return job, _document(request, job.params["document"])


@require_safe
@roles_required(MAY_SEE)
def progress(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show the progress of a print, and redirect to the result when it is finished."""
    job, document = _job(request, tournament, pk)
    if job.status == Job.Status.DONE:
        printed = PrintedDocument.objects.filter(pk=job.result["printed"]).first()
        if printed is not None:
            url = _address(printed)
            return HttpResponseClientRedirect(url) if request.htmx else redirect(url)
    args = [tournament.slug, job.pk]
    context: dict[str, Any] = {
        "job": job,
        "document": document,
        "here": reverse("printing:progress", args=args),
        "cancel": reverse("printing:cancel", args=args),
        "back": _back(tournament, document),
    }
    return render(request, f"{PROGRESS}#work" if request.htmx else PROGRESS, context)


@require_POST
@roles_required(MAY_SEE)
def cancel(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Stop printing."""
    job, _found = _job(request, tournament, pk)
    jobs.cancel(job_id=job.pk)
    return redirect("printing:progress", tournament.slug, job.pk)


# A PDF loads nothing, and the content security policy would remove the styles of the viewers in
# browsers.
@csp_exempt()
@require_safe
@roles_required(MAY_SEE)
def pdf(
    request: StaffRequest,
    tournament: Tournament,
    pk: int,
    file_name: str,  # noqa: ARG001 - the browser's name for the saved file
) -> HttpResponse:
    """Return a finished PDF, to be shown and printed by the browser."""
    printed = own(tournament, PrintedDocument, pk=pk)
    _document(request, printed.name)
    return _handed_out(printed)


# A document has inline styles for the height of rows and the width of columns.
@csp_replace({"style-src": [SELF, UNSAFE_INLINE]})
@require_safe
@roles_required(MAY_SEE)
def page(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show a document for the browser to print, if the machine cannot make PDFs."""
    printed = own(tournament, PrintedDocument, pk=pk)
    document = _document(request, printed.name)
    return _for_browser(printed, document, _back(tournament, document))


def _handed_out(printed: PrintedDocument) -> HttpResponse:
    return HttpResponse(
        or_404(printed.pdf()),
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{printed.file_name}"'},
    )


def _for_browser(printed: PrintedDocument, document: Document, back: str) -> HttpResponse:
    html = or_404(printed.html())
    context = {"document": document, "back": back}
    head = render_to_string("tournaments/printing/paper_head.html")
    bar = render_to_string("tournaments/printing/paper_bar.html", context)
    return HttpResponse(for_browser(html, head=head, bar=bar))


# --- The manual, public and independent of tournaments -------------------------------------


def _back_to_manual() -> str:
    return f"{reverse('manual:contents')}#paper"


@public
def manual(request: HttpRequest, name: str) -> HttpResponse:
    """Print the manual, or its day on one page, once for each language and after changes."""
    document = DOCUMENTS.get(name)
    if document is None or not document.for_everybody:
        raise Http404
    address, language = own_address(), get_language()
    asked_for = Job.objects.filter(kind="print", tournament=None, params__document=name)
    job = asked_for.filter(params__language=language).first()
    is_busy = job is not None and not job.is_over
    printed = None if is_busy else current_print(document, address)
    if request.method == "POST":
        if not is_busy and printed is None:
            jobs.start(
                kind="print",
                actor=Actor.public(),
                document=name,
                language=language,
                base_url=address,
            )
        return redirect("print_manual", name)
    is_part = bool(getattr(request, "htmx", False))
    if printed is not None or job is None or job.status == Job.Status.DONE:
        url = _address(printed) if printed else _back_to_manual()
        return HttpResponseClientRedirect(url) if is_part else redirect(url)
    context = {
        **public_frame(request),
        "job": job,
        "document": document,
        "here": reverse("print_manual", args=[name]),
        "back": _back_to_manual(),
    }
    return render(request, f"{PROGRESS}#work" if is_part else PROGRESS, context)


@csp_exempt()  # type: ignore[arg-type]  # as ``pdf``; it knows no views with keys
@require_safe
@public
def manual_pdf(_request: HttpRequest, pk: int, file_name: str) -> HttpResponse:  # noqa: ARG001
    """Return the finished PDF."""
    return _handed_out(get_object_or_404(PrintedDocument, pk=pk, tournament=None))


@csp_replace({"style-src": [SELF, UNSAFE_INLINE]})  # type: ignore[arg-type]  # as ``page``
@require_safe
@public
def manual_page(_request: HttpRequest, pk: int) -> HttpResponse:
    """Show it for the browser to print, if the machine cannot make PDFs."""
    printed = get_object_or_404(PrintedDocument, pk=pk, tournament=None)
    return _for_browser(printed, DOCUMENTS[printed.name], _back_to_manual())
