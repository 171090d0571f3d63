"""Files with names go with the rows that name them, and stay where these stay after all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages
from django.db import transaction
from django.utils import timezone

from tests.factories import COMMAND, make_person, make_registration, make_tournament, practice
from tournaments.common.errors import Conflict
from tournaments.models import Job, PrintedDocument, Tournament
from tournaments.operator.queries import digest, due_persons, due_tournaments
from tournaments.operator.services import delete_due
from tournaments.people.services.anonymise import anonymise_person
from tournaments.practice.demo import removal

Act = Callable[[Tournament], object]


def anonymise(tournament: Tournament) -> None:
    """Anonymise a player."""
    person = tournament.registrations.get().person
    anonymise_person(person_id=person.pk, typed_name=person.full_name, actor=COMMAND)


def delete_expired_data(tournament: Tournament) -> None:
    """Delete expired data as the page does."""
    now, owners = timezone.now(), [tournament.owner]
    shown = digest(due_tournaments(now, owners), due_persons(now, owners))
    delete_due(owners, [], digest=shown, actor=COMMAND, now=now)


def remove_practice(tournament: Tournament) -> None:
    """Remove it as a practice tournament."""
    Tournament.objects.filter(pk=tournament.pk).update(owner=practice())
    removal.remove(removal.tournaments(), actor=COMMAND)


@pytest.mark.once
@pytest.mark.django_db
@pytest.mark.usefixtures("own_files")
@pytest.mark.parametrize("is_refused", [True, False], ids=["refused after all", "done"])
@pytest.mark.parametrize("act", [anonymise, delete_expired_data, remove_practice])
def test_files_are_deleted_only_with_their_rows(
    act: Act,
    is_refused: bool,
    django_capture_on_commit_callbacks: Any,
    settings: Any,
    tmp_path: Path,
):
    settings.DATA_DIR = tmp_path
    now = timezone.now()
    tournament = make_tournament(status=Tournament.Status.CLOSED)
    make_registration(tournament, make_person("Anna", "Kühn"))
    tournament.closings.create(
        number=1, closed_at=now - timedelta(days=184), content={}, content_hash=""
    )
    printed = PrintedDocument.objects.create(
        tournament=tournament, name="a", key="a" * 64, title="A", pages=1, created_at=now
    )
    storages["print"].save(printed.stored_name, ContentFile(b"%PDF Anna"))
    archive = default_storage.save("archives/probe.json", ContentFile(b"Anna"))
    Job.objects.create(kind="archive_export", tournament=tournament, result={"file": archive})

    def acted() -> None:
        with transaction.atomic():
            act(tournament)
            if is_refused:
                raise Conflict("after all")

    with django_capture_on_commit_callbacks(execute=True):
        if is_refused:
            with pytest.raises(Conflict, match="after all"):
                acted()
        else:
            acted()

    assert storages["print"].exists(printed.stored_name) is is_refused
    assert default_storage.exists(archive) is is_refused
    assert PrintedDocument.objects.exists() is is_refused
    assert Job.objects.exists() is is_refused
