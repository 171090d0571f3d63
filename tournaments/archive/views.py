"""Pages of archives: exporting a tournament as one file, and importing one."""

from __future__ import annotations

from django.core.files.storage import default_storage
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from tournaments.announcement.views.setup import organiser_for_new
from tournaments.archive.archive_job import EXPORT, IMPORT
from tournaments.archive.forms import ArchiveForm
from tournaments.common.roles import MAY_APPOINT
from tournaments.machine import jobs
from tournaments.models import Job, Tournament
from tournaments.web import downloads
from tournaments.web.access import StaffRequest, account_required, own, roles_required
from tournaments.web.acting import UNFIT

EXPORT_PAGE = "tournaments/archive/export.html"
IMPORT_PAGE = "tournaments/archive/import.html"
WAIT_PAGE = "tournaments/archive/wait.html"


@roles_required(MAY_APPOINT)
def export(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Explain archives, and start an export."""
    if request.method == "POST":
        job = jobs.start(kind=EXPORT, actor=request.actor, tournament=tournament)
        return redirect("archive:export_wait", tournament.slug, job.pk)
    latest = Job.objects.filter(kind=EXPORT, tournament=tournament, status=Job.Status.DONE).first()
    return render(request, EXPORT_PAGE, {"tournament": tournament, "latest": latest})


@require_safe
@roles_required(MAY_APPOINT)
def export_wait(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show the progress of an export, and then offer the file."""
    job = own(tournament, Job, pk=pk, kind=EXPORT)
    context = {"tournament": tournament, "job": job, "is_export": True}
    return render(request, f"{WAIT_PAGE}#work" if request.htmx else WAIT_PAGE, context)


@require_safe
@roles_required(MAY_APPOINT)
def download(_request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Download the file."""
    job = own(tournament, Job, pk=pk, kind=EXPORT, status=Job.Status.DONE)
    if not default_storage.exists(job.result["file"]):
        raise Http404
    with default_storage.open(job.result["file"]) as file:
        return downloads.download(file.read(), f"{tournament.slug}.json")


@account_required
def take_in(request: StaffRequest) -> HttpResponse:
    """Import an archive; the account becomes Veranstalter of the tournament."""
    owner = organiser_for_new(request)
    form = ArchiveForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        job = jobs.start(
            kind=IMPORT,
            actor=request.actor,
            file=default_storage.save("archives/upload.json", form.cleaned_data["file"]),
            replace=form.cleaned_data["replace"],
            owner=owner.pk,
        )
        return redirect("archive:import_wait", job.pk)
    status = UNFIT if request.method == "POST" else 200
    return render(request, IMPORT_PAGE, {"form": form}, status=status)


@require_safe
@account_required
def import_wait(request: StaffRequest, pk: int) -> HttpResponse:
    """Show the progress of an import, its problems, or a link to the tournament."""
    job = get_object_or_404(Job, pk=pk, kind=IMPORT, created_by=request.user)
    context = {"job": job, "is_export": False}
    return render(request, f"{WAIT_PAGE}#work" if request.htmx else WAIT_PAGE, context)
