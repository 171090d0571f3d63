"""A club leaves a server: its data go for good, those of all others stay as they are."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command

from tests.factories import (
    COMMAND,
    make_head,
    make_operator,
    make_organiser,
    make_person,
    make_registration,
    make_tournament,
)
from tests.tournaments.archive.full_tournament import everything
from tests.worlds import world
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.journal import proof
from tournaments.models import Job, Organiser, Season, Tournament, User


def two_clubs():
    """A tournament of the first organiser, and the same at another one with a head."""
    tournament = everything()
    proof.baseline_proof(tournament)  # made past the journal
    written = archive_text(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(slug="anderer")
    proof.baseline_proof(tournament)
    staying = make_organiser("SC Bleibt")
    make_head(staying, username="bleibt")
    import_archive(written.encode(), actor=COMMAND, owner=staying)
    make_operator()
    return written


clubs = world(two_clubs)


def remove(name: str, *more: str) -> str:
    out = StringIO()
    call_command("remove_organiser", name, *more, stdout=out)
    return out.getvalue()


def test_removing_an_organiser_keeps_the_other_unchanged(clubs):
    tournament = Tournament.objects.get(owner__name="SC Bleibt")
    before = archive_text(tournament)
    name = Organiser.objects.exclude(name="SC Bleibt").get().name

    said = remove(name, "--really", name)

    assert f"{name}: 1 Turniere, " in said
    assert archive_text(tournament) == before
    assert list(Tournament.objects.all()) == [tournament]
    assert list(Organiser.objects.values_list("name", flat=True)) == ["SC Bleibt"]
    assert User.objects.filter(is_active=True).count() == 2  # its head, and the operator
    assert not User.objects.filter(username="leitung").exists()
    assert list(proof.of_installation()) == []


def test_a_backup_is_reduced_to_one_club_and_restored(clubs, tmp_path):
    name = "SC Bleibt"
    written = archive_text(Tournament.objects.get(owner__name=name))

    remove(name, "--all-but", "--really", name)
    assert [row.owner.name for row in Tournament.objects.all()] == [name]

    remove(name, "--really", name)
    left = {
        model.__name__
        for model in apps.get_app_config("tournaments").get_models()
        if model._base_manager.exists()
    }
    assert left == {"JournalChain", "JournalEntry", "User"}  # of the installation; the operator

    make_organiser(name)
    file = tmp_path / "archive.json"
    file.write_text(written, encoding="utf-8")
    call_command("import_archive", str(file), "--organiser", name, stdout=StringIO())
    assert archive_text(Tournament.objects.get(owner__name=name)) == written


def test_the_removal_only_counts_without_the_repeated_name(clubs):
    said = remove("SC Bleibt")

    assert "SC Bleibt: 1 Turniere, 9 Personen, 2 Konten" in said
    assert "Nichts entfernt" in said
    assert Tournament.objects.count() == 2


def test_rows_needed_by_others_prevent_the_removal(clubs):
    staying = Organiser.objects.get(name="SC Bleibt")
    other = make_organiser("Verband")
    make_registration(
        make_tournament(owner=other, name="Verbandspokal"), make_person(owner=staying)
    )
    season = Season.objects.create(owner=other, name="Runde 2026", created_by=User.objects.first())
    season.tournaments.add(staying.tournaments.get())
    make_organiser("Jugend", parent=staying)

    with pytest.raises(CommandError) as refusal:
        remove("SC Bleibt", "--really", "SC Bleibt")

    assert all(f"„{name}“" in str(refusal.value) for name in ("Verbandspokal", "Jugend"))
    assert "Runde 2026" in str(refusal.value)
    assert staying.tournaments.count() == 1


def test_an_unknown_name_is_refused_with_the_known_ones(clubs):
    with pytest.raises(CommandError, match=r"Es gibt: .*SC Bleibt"):
        remove("SC Blebt")


def test_the_journal_names_the_removed_organiser(clubs):
    remove("SC Bleibt", "--really", "SC Bleibt")

    chain = json.dumps([row["before"] for row in installation_entries()])
    assert "SC Bleibt" in chain


def installation_entries():
    entries = apps.get_model("tournaments", "JournalEntry").objects
    return entries.filter(action="organiser_removed").values("before")


@pytest.mark.parametrize("is_meant", [False, True], ids=["counted only", "meant"])
def test_files_are_deleted_only_with_their_rows(
    clubs, django_capture_on_commit_callbacks, is_meant
):
    tournament = Tournament.objects.get(owner__name="SC Bleibt")
    file = default_storage.save("archive/weg.json", ContentFile(b"{}"))
    Job.objects.create(
        kind="archive_export", tournament=tournament, status=Job.Status.DONE, result={"file": file}
    )
    more = ["--really", "SC Bleibt"] if is_meant else []

    with django_capture_on_commit_callbacks(execute=True):
        remove("SC Bleibt", *more)

    assert default_storage.exists(file) is not is_meant
    assert Job.objects.filter(result={"file": file}).exists() is not is_meant
