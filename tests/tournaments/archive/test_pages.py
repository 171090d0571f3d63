"""Archives from the browser: written, handed out, taken in or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.clients import Client
from tests.factories import make_member, make_registration, make_tournament, make_user
from tests.tournaments.archive.helpers import saved
from tournaments.archive.writing import archive_text
from tournaments.machine import jobs
from tournaments.models import Job, Membership, Role, Tournament

DATA = Path(__file__).parent / "data"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_files")]


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def upload(client, content, **data):
    file = SimpleUploadedFile("turnier.json", content, "application/json")
    return client.post(reverse("archive:import"), {"file": file, **data})


def test_the_archive_is_written_and_downloaded():
    tournament = make_tournament()
    make_registration(tournament)
    client = client_of(make_member(tournament, Role.VERANSTALTER))

    response = client.post(reverse("archive:export", args=[tournament.slug]))
    job = jobs.run(Job.objects.get().pk)
    waiting = client.get(response["Location"]).content.decode()
    url = reverse("archive:download", args=[tournament.slug, job.pk])
    file = client.get(url)

    assert "Herunterladen" in waiting
    assert file["Content-Disposition"] == f'attachment; filename="{tournament.slug}.json"'
    assert file.content.decode() == archive_text(tournament)


def test_a_new_archive_replaces_the_last():
    tournament = make_tournament()
    client = client_of(make_member(tournament, Role.VERANSTALTER))
    written = []
    for _time in range(2):
        client.post(reverse("archive:export", args=[tournament.slug]))
        written.append(jobs.run(Job.objects.order_by("-pk")[0].pk).pk)

    gone = client.get(reverse("archive:download", args=[tournament.slug, written[0]]))
    there = client.get(reverse("archive:download", args=[tournament.slug, written[1]]))

    assert (gone.status_code, there.status_code) == (404, 200)


def test_the_importing_account_becomes_veranstalter():
    user = make_user(is_admin=True)
    client = client_of(user)

    response = upload(client, (DATA / "archive-23x3.json").read_bytes())
    jobs.run(Job.objects.get().pk)
    page = client.get(response["Location"]).content.decode()

    tournament = Tournament.objects.get(slug="beispiel")
    assert "Das Turnier ist eingelesen." in page
    assert '<div class="alert error" role="alert">' in page
    assert "aus einer Datei ohne Siegel und ohne Protokoll" in page
    assert "das Siegel dieser Installation" not in page
    assert Membership.objects.get(tournament=tournament).user == user


def test_the_page_reports_an_archive_of_this_installation():
    tournament = make_tournament()
    content = saved(tournament).encode()
    client = client_of(make_member(tournament, Role.VERANSTALTER))

    response = upload(client, content, replace="on")
    jobs.run(Job.objects.get().pk)
    page = client.get(response["Location"]).content.decode()

    assert "Die Datei trägt das Siegel dieser Installation" in page
    assert "nicht bewiesen" not in page


def test_problems_of_a_file_are_named_and_nothing_is_stored(tmp_path):
    data = json.loads((DATA / "archive-23x3.json").read_bytes())
    data["registrations"][0]["status"] = "müde"
    client = client_of(make_user(is_admin=True))

    response = upload(client, json.dumps(data).encode())
    jobs.run(Job.objects.get().pk)
    page = client.get(response["Location"]).content.decode()

    assert "registrations[0].status" in page
    assert "gespeichert ist nichts" in page
    assert not Tournament.objects.exists()
    assert not list(tmp_path.rglob("*.json"))


def test_an_import_is_visible_to_its_account_only():
    response = upload(
        client_of(make_user(is_admin=True)), (DATA / "archive-23x3.json").read_bytes()
    )

    other = client_of(make_user(is_admin=True))

    assert other.get(response["Location"]).status_code == 404


def test_importing_needs_the_right_to_create_tournaments():
    helper = make_member(make_tournament(), Role.KASSE)

    assert client_of(helper).get(reverse("archive:import")).status_code == 403
    assert Client().get(reverse("archive:import")).status_code == 302


def test_only_its_veranstalter_replaces_a_tournament_by_an_archive():
    content = (DATA / "archive-23x3.json").read_bytes()
    theirs = make_tournament(slug="beispiel")
    elsewhere = client_of(make_member(make_tournament(), Role.VERANSTALTER))
    owner = client_of(make_member(theirs, Role.VERANSTALTER))

    refused = upload(elsewhere, content, replace="on")
    jobs.run(Job.objects.order_by("-pk")[0].pk)
    page = elsewhere.get(refused["Location"]).content.decode()
    theirs.refresh_from_db()
    kept = theirs.slug
    upload(owner, content, replace="on")
    jobs.run(Job.objects.order_by("-pk")[0].pk)
    theirs.refresh_from_db()

    assert "nicht sein Veranstalter" in page
    assert kept == "beispiel"
    assert theirs.slug.startswith("beispiel-ersetzt-")


def test_the_page_asks_for_a_missing_file():
    response = client_of(make_user(is_admin=True)).post(reverse("archive:import"))

    assert response.status_code == 422
