"""The page of documents: permitted documents, and the way to the PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_member, make_tournament
from tests.tournaments.access_matrix import Row, check
from tests.tournaments.printing.helpers import make_day, seat
from tests.worlds import world
from tournaments.machine import jobs
from tournaments.models import Draw, Job, PrintedDocument, Role, Seat, Tournament
from tournaments.printing.documents import DOCUMENTS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_process(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Set up an own data folder, and return the keys of jobs whose process would start."""
    settings.DATA_DIR = tmp_path
    spawned: list[int] = []
    monkeypatch.setattr(jobs, "spawn", spawned.append)
    return spawned


def log_in(client: Client, tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> None:
    client.force_login(make_member(tournament, role))


def make_job(
    tournament: Tournament, document: str = "kassenbericht", *, asked: Any = None, **fields: object
) -> Job:
    params = {"document": document, "asked": asked or {}}
    return Job.objects.create(kind="print", tournament=tournament, params=params, **fields)


def make_printed(tournament: Tournament, name: str = "kassenbericht") -> PrintedDocument:
    printed = PrintedDocument.objects.create(
        tournament=tournament,
        name=name,
        title="Kassenbericht",
        key="ab" * 32,
        pages=2,
        created_at=timezone.now(),
    )
    storages["print"].save(printed.stored_name, ContentFile(b"%PDF-1.7 ..."))
    return printed


def url(tournament: Tournament, name: str, *args: object) -> str:
    return reverse(f"printing:{name}", args=[tournament.slug, *args])


tournament = world(lambda: make_day(4))


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=lambda document: document.name)
def test_each_document_is_printed_by_its_roles_only(document, tournament: Tournament):
    roles = tuple(Role(role) for role in document.roles)
    check(Row("printing:start", roles, "post"), tournament, name=document.name)


@pytest.mark.parametrize("name", ["progress", "cancel"])
def test_a_print_job_is_visible_to_the_roles_of_its_document_only(
    name: str, tournament: Tournament
):
    job = make_job(tournament)
    roles = (Role.SPIELLEITUNG, Role.KASSE)
    check(
        Row(f"printing:{name}", roles, "post" if name == "cancel" else "get"), tournament, pk=job.pk
    )


def test_a_pdf_is_served_to_the_roles_of_its_document_only(tournament: Tournament):
    printed = make_printed(tournament)
    roles = (Role.SPIELLEITUNG, Role.KASSE)
    check(Row("printing:pdf", roles), tournament, pk=printed.pk, file_name="x.pdf")


def test_page_offers_what_the_role_may_print(client: Client, tournament: Tournament):
    log_in(client, tournament, Role.SCHIEDSRICHTER)

    text = client.get(url(tournament, "documents")).content.decode()

    assert 'id="sitzplan-namen"' in text
    assert 'id="kassenbericht"' not in text
    assert 'id="tischkarten"' not in text


def test_a_plan_is_printable_after_the_draw_only(client: Client):
    tournament = make_tournament()
    log_in(client, tournament)

    text = client.get(url(tournament, "documents")).content.decode()

    assert "Sobald eine Serie ausgelost ist." in text
    assert f'action="{url(tournament, "start", "sitzplan-namen")}"' not in text
    assert f'action="{url(tournament, "start", "ausschreibung")}"' in text


@pytest.mark.parametrize(
    ("seated", "closed", "role", "now"),
    [
        (False, False, Role.SPIELLEITUNG, "startkarten"),
        (True, False, Role.SPIELLEITUNG, "druckpaket"),
        (True, True, Role.SPIELLEITUNG, "rangliste"),
        (True, False, Role.SCHIEDSRICHTER, ""),
    ],
    ids=["before the draw", "while it is played", "after the last", "not theirs"],
)
def test_the_primary_button_prints_the_due_document(
    client: Client, *, seated: bool, closed: bool, role: Role, now: str
):
    tournament = make_day(4, serien=1)
    if not seated:
        Seat.objects.all().delete()
    tournament.serien.update(closed_at=timezone.now() if closed else None)
    log_in(client, tournament, role)

    answer = client.get(url(tournament, "documents"))

    assert answer.context["now"] == now
    main = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    assert main.count('class="button"') == (1 if now else 0)


@pytest.mark.parametrize(
    ("asked", "parts", "is_due"),
    [
        ({"serie": 1}, ["druckpaket"], False),
        ({"serie": 1}, list(DOCUMENTS["druckpaket"].bundle), False),
        ({"serie": 1}, ["sitzplan-namen", "tischkarten"], True),
        ({"serie": 1, "table": 1}, list(DOCUMENTS["druckpaket"].bundle), True),
        ({"serie": 1, "number": 5}, ["druckpaket"], True),
        ({"serie": 2}, ["druckpaket"], True),
    ],
    ids=["whole", "one by one", "not all of it", "one table", "one player", "another Serie"],
)
def test_a_printed_document_is_not_due(
    client: Client, *, asked: dict[str, int], parts: list[str], is_due: bool
):
    tournament = make_day(4, serien=1)
    for name in parts:
        make_job(tournament, name, asked=asked, status="done")
    log_in(client, tournament)

    answer = client.get(url(tournament, "documents"))

    assert answer.context["now"] == ("druckpaket" if is_due else "")
    assert [group.label for group in answer.context["groups"] if group.is_open] == ["Auslosung"]


def test_unprinted_documents_are_due(client: Client):
    tournament = make_day(4, serien=1)
    make_job(tournament, "druckpaket", asked={"serie": 1}, status="failed")
    make_job(make_tournament(), "druckpaket", asked={"serie": 1}, status="done")
    log_in(client, tournament)

    answer = client.get(url(tournament, "documents"))

    assert answer.context["now"] == "druckpaket"


def test_redrawn_seats_and_a_closed_serie_are_due_again(client: Client):
    tournament = make_day(4, serien=1)
    serie = tournament.serien.get()
    make_job(tournament, "druckpaket", asked={"serie": 1}, status="done")
    make_job(tournament, "rangliste", asked={"ranking": "einzel"}, status="done")
    log_in(client, tournament)

    Draw.objects.create(serie=serie, number=1, status="published", published_at=timezone.now())
    assert client.get(url(tournament, "documents")).context["now"] == "druckpaket"
    tournament.serien.update(closed_at=timezone.now())
    assert client.get(url(tournament, "documents")).context["now"] == "rangliste"
    make_job(tournament, "rangliste", asked={"ranking": "einzel"}, status="done")
    assert client.get(url(tournament, "documents")).context["now"] == ""


def test_one_selected_serie_applies_to_all_documents(client: Client, tournament: Tournament):
    seat(tournament.serien.get(number=2), 4)
    log_in(client, tournament)

    latest = client.get(url(tournament, "documents")).content.decode()
    answer = client.get(url(tournament, "documents"), {"serie": "1"})
    first = answer.content.decode()

    assert latest.count('name="serie" value="2"') == 7  # six documents and the strong button
    assert first.count('name="serie" value="1"') == 6
    opened = {group.label for group in answer.context["groups"] if group.is_open}
    assert opened == {"Auslosung", "Spiellisten", "Prüfung"}


def test_a_print_job_knows_the_url_for_phones(
    client: Client,
    no_process: list[int],
    django_capture_on_commit_callbacks,
    tournament: Tournament,
):
    log_in(client, tournament)

    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(
            url(tournament, "start", "spiellisten"),
            {"serie": "1", "table": ""},
            headers={"host": "testserver"},
        )

    job = Job.objects.get()
    assert no_process == [job.pk]
    assert answer["Location"] == url(tournament, "progress", job.pk)
    assert job.params == {
        "document": "spiellisten",
        "asked": {"serie": 1},
        "base_url": "http://testserver",
        "language": "de",
    }


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("spiellisten", {"serie": "2"}),
        ("spiellisten", {}),
        ("spiellisten-leer", {"size": "5", "copies": "1"}),
        ("spiellisten-leer", {"size": "4", "copies": "5000"}),
        ("startkarten", {"number": "acht"}),
    ],
)
def test_a_wrong_choice_shows_the_page_again(
    client: Client, name: str, sent: dict[str, str], tournament: Tournament
):
    log_in(client, tournament)

    answer = client.post(url(tournament, "start", name), sent)

    assert answer.status_code == 422
    assert not Job.objects.exists()
    assert "aria-invalid" in answer.content.decode()
    (opened,) = (group for group in answer.context["groups"] if group.is_open)
    assert name in {row.document.name for row in opened.rows}


def test_a_running_job_shows_its_progress(client: Client, tournament: Tournament):
    log_in(client, tournament)
    job = make_job(tournament, status="running", done=25, total=62, heartbeat_at=timezone.now())

    whole = client.get(url(tournament, "progress", job.pk)).content.decode()
    part = client.get(url(tournament, "progress", job.pk), headers={"hx-request": "true"})

    assert "25 von 62 fertig" in whole
    assert '<meta http-equiv="refresh"' in whole
    assert "25 von 62 fertig" in part.content.decode()
    assert "<html" not in part.content.decode()


def test_a_waiting_job_shows_its_place_in_the_queue(client: Client, tournament: Tournament):
    log_in(client, tournament)
    for status in ("done", "running", "waiting", "waiting"):
        make_job(tournament, status=status)
    job = make_job(tournament)

    said = client.get(url(tournament, "progress", job.pk)).content.decode()

    assert "noch 3 vor Ihnen" in said


def test_a_finished_job_links_to_its_pdf(client: Client, tournament: Tournament):
    log_in(client, tournament)
    printed = make_printed(tournament)
    job = make_job(tournament, status="done", result={"printed": printed.pk})
    address = url(tournament, "pdf", printed.pk, "kassenbericht.pdf")

    plain = client.get(url(tournament, "progress", job.pk))
    part = client.get(url(tournament, "progress", job.pk), headers={"hx-request": "true"})
    pdf = client.get(address)

    assert plain["Location"] == address
    assert part["HX-Redirect"] == address
    assert pdf["Content-Type"] == "application/pdf"
    assert pdf["Content-Disposition"] == 'inline; filename="kassenbericht.pdf"'
    assert "Content-Security-Policy" not in pdf
    assert pdf.content.startswith(b"%PDF")


def test_a_failed_job_names_the_reason(client: Client, tournament: Tournament):
    log_in(client, tournament)
    job = make_job(tournament, status="failed", message="Die Serie 9 gibt es nicht.")

    text = client.get(url(tournament, "progress", job.pk)).content.decode()

    assert "Die Serie 9 gibt es nicht." in text
    assert "hx-trigger" not in text


def test_a_document_replaced_meanwhile_is_reported(client: Client, tournament: Tournament):
    log_in(client, tournament)
    job = make_job(tournament, status="done", result={"printed": 4711})

    text = client.get(url(tournament, "progress", job.pk)).content.decode()

    assert "Inzwischen wurde neu gedruckt" in text


def test_cancelling_ends_the_job(client: Client, tournament: Tournament):
    log_in(client, tournament)
    job = make_job(tournament)

    answer = client.post(url(tournament, "cancel", job.pk), follow=True)

    job.refresh_from_db()
    assert job.status == Job.Status.CANCELLED
    assert "abgebrochen" in answer.content.decode()


def test_lost_file_is_not_found(client: Client, tournament: Tournament):
    log_in(client, tournament)
    printed = make_printed(tournament)
    storages["print"].delete(printed.stored_name)

    assert client.get(url(tournament, "pdf", printed.pk, "x.pdf")).status_code == 404


def test_finished_documents_are_offered_again(client: Client, tournament: Tournament):
    log_in(client, tournament)
    printed = make_printed(tournament)

    text = client.get(url(tournament, "documents")).content.decode()

    assert url(tournament, "pdf", printed.pk, "kassenbericht.pdf") in text
    assert "2 Seiten" in text
