"""Export and import of archives from the browser, in a process of its own.

An uploaded file is kept until it is imported or refused, an exported file until the next
export of the tournament; both contain names and are stored beside the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from tempfile import TemporaryFile
from typing import Any

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.errors import Problem, ScoringError
from tournaments.accounts import services as accounts
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_pieces
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.journal.queries.seals import origin_of
from tournaments.machine.jobs import Progress, register_work, when_tidied
from tournaments.models import Job, Organiser, Role, Tournament
from tournaments.people.services.anonymise import AnonymisedPerson, when_anonymised

EXPORT, IMPORT = "archive_export", "archive_import"
MOST_SHOWN = 10


def delete_archives(tournaments: Iterable[Tournament]) -> None:
    """Delete the stored archives of *tournaments*, which contain names."""
    _forget(Job.objects.filter(kind=EXPORT, tournament__in=list(tournaments)))


def _forget(exports: QuerySet[Job]) -> None:
    with_file = exports.filter(result__has_key="file")
    names = [job.result["file"] for job in with_file]
    with_file.delete()
    # A refused transaction keeps its files.
    transaction.on_commit(lambda: _delete_files(names))


def _delete_files(names: Iterable[str]) -> None:
    for name in names:
        default_storage.delete(name)


@when_tidied
def _tidy(before: datetime) -> None:
    _forget(Job.objects.filter(kind=EXPORT, finished_at__lt=before))
    for job in Job.objects.filter(kind=IMPORT, finished_at__lt=before):
        default_storage.delete(job.params["file"])  # of an abandoned job


@when_anonymised
def _forget_names(forgotten: AnonymisedPerson) -> None:
    delete_archives(forgotten.tournaments)


@register_work(EXPORT)
def export_job(job: Job, report: Progress) -> Mapping[str, Any]:
    """Write the archive of the job's tournament; the result names the file."""
    tournament = job.tournament
    assert tournament is not None  # noqa: S101 - started for one
    with TemporaryFile() as file:
        file.writelines(piece.encode() for piece in archive_pieces(tournament, report))
        size = file.tell()
        file.seek(0)
        delete_archives([tournament])
        name = default_storage.save(f"archives/{tournament.slug}-{job.pk}.json", File(file))
    return {"file": name, "bytes": size}


@register_work(IMPORT, silent_for=timedelta(minutes=15))
def import_job(job: Job, _report: Progress) -> Mapping[str, Any]:
    """Import an uploaded archive; the account that uploaded it becomes Veranstalter.

    Raises:
        TournamentError: with the first problems of the file and their places.
    """
    name = job.params["file"]
    with default_storage.open(name) as file:
        data = file.read()
    user = job.created_by
    actor = Actor.account(user) if user is not None else Actor.command("run_jobs")
    try:
        with transaction.atomic():
            tournament = import_archive(
                data,
                actor=actor,
                replace=job.params["replace"],
                owner=Organiser.objects.filter(pk=job.params.get("owner")).first(),
            )
            if user is not None and not user.memberships.filter(
                tournament=tournament, role=Role.VERANSTALTER
            ):
                accounts.give_role(
                    tournament=tournament, user=user, role=Role.VERANSTALTER, actor=actor
                )
    except ScoringError as refusal:
        raise TournamentError(_in_words(refusal.problems)) from refusal
    finally:
        default_storage.delete(name)
    return {"slug": tournament.slug, **asdict(origin_of(tournament))}


def _in_words(problems: tuple[Problem, ...]) -> str:
    lines = [
        f"{problem.where}: {problem.message}" if problem.where else problem.message
        for problem in problems[:MOST_SHOWN]
    ]
    more = len(problems) - MOST_SHOWN
    if more > 0:
        lines.append(
            ngettext("und {more} weiteres Problem", "und {more} weitere Probleme", more).format(
                more=more
            )
        )
    return "\n".join([_("Das Archiv wird nicht eingelesen; gespeichert ist nichts."), *lines])
