"""The way of a file through the pages: upload, columns, preview, and all of it stored."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from tests.clients import Client, at, logged_in
from tests.factories import make_member, make_person, make_tournament, make_user
from tournaments.machine import sheets
from tournaments.models import Club, Person, PersonImport, Role

pytestmark = pytest.mark.django_db

HEADINGS = "Nachname;Vorname;Verein;Geburtsjahr"


@pytest.fixture
def client() -> Client:
    return logged_in(make_member(make_tournament(), Role.SPIELLEITUNG))


def url(name: str, draft: PersonImport) -> str:
    return at(f"people:{name}", draft.pk)


def upload(client: Client, *lines: str, headings: str = HEADINGS) -> PersonImport:
    content = "\n".join([headings, *lines]).encode()
    file = SimpleUploadedFile("mitglieder.csv", content)
    answer = client.post(at("people:import"), {"file": file})
    draft = PersonImport.objects.latest("pk")
    assert answer["Location"] == url("import_columns", draft)
    return draft


def fingerprint(client: Client, draft: PersonImport) -> str:
    match = re.search(
        'name="fingerprint" value="([0-9a-f]+)"', client.read(url("import_preview", draft))
    )
    assert match
    return match[1]


def test_the_upload_page_starts_without_errors(client: Client):
    answer = client.get(at("people:import"))

    assert answer.status_code == 200
    assert 'role="alert"' not in answer.content.decode()


def test_a_good_file_takes_three_pages(client: Client):
    draft = upload(client, "Kühn;Anna;SC Altenburg;1950", "Berg;Karl;;")

    columns = client.read(url("import_columns", draft))
    assert "Altenburg" in columns
    data = {
        "heading_row": "1",
        "column_0": "last_name",
        "column_1": "first_name",
        "column_2": "-",
        "column_3": "birth_year",
    }
    answer = client.post(url("import_columns", draft), data)
    assert answer["Location"] == url("import_preview", draft)
    mark = fingerprint(client, draft)
    assert not Person.objects.exists()

    stored = client.post(url("import_carry_out", draft), {"fingerprint": mark}, follow=True)

    assert "Eingelesen: 2 neu, 0 ergänzt" in stored.content.decode()
    assert list(Person.objects.values_list("last_name", "birth_year")) == [
        ("Berg", None),
        ("Kühn", 1950),
    ]
    assert not Club.objects.exists()  # that column was left out


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param(b"", "steht nichts", id="empty"),
        pytest.param(b"\x00\x01", "keine Tabelle", id="no table"),
        pytest.param(b"x" * (sheets.MAX_BYTES + 1), "größer als 2 MB", id="too large"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(client: Client, content: bytes, sentence: str):
    file = SimpleUploadedFile("mitglieder.csv", content)

    answer = client.post(at("people:import"), {"file": file})

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not PersonImport.objects.exists()


def test_headings_further_down_are_recognised(client: Client):
    draft = upload(client, "Verein;Name", "SC;Kühn", headings="Liste;2026")
    assert draft.choices["heading_row"] == 2

    client.post(url("import_columns", draft), {"heading_row": "0", "again": "1"})
    draft.refresh_from_db()
    assert draft.choices == {"heading_row": 0, "columns": ["", ""]}
    answer = client.get(url("import_preview", draft))
    assert answer["Location"] == url("import_columns", draft)

    client.post(url("import_columns", draft), {"heading_row": "2", "again": "1"})
    draft.refresh_from_db()
    assert draft.choices == {"heading_row": 2, "columns": ["club", "first_last"]}


def test_bad_rows_are_corrected_on_the_page_or_skipped(client: Client):
    draft = upload(client, "Kühn;Anna;SC;50", ";Karl;SC;1950", "Zorn;Eva;SC;")
    page = client.read(url("import_preview", draft))
    assert "2 Zeilen sind zu klären." in page
    assert "„50“ ist kein Geburtsjahr" in page
    assert "fingerprint" not in page

    refused = client.post(url("import_carry_out", draft), {"fingerprint": "x"})
    assert refused.status_code == 422
    assert "Zu klären sind 2 Zeilen, zuerst Zeile 2" in refused.content.decode()
    assert not Person.objects.exists()

    client.post(
        url("import_preview", draft),
        {"shown": ["2", "3"], "cell-2-birth_year": " 1950 ", "skip-3": "1", "known": "update"},
    )
    client.post(url("import_carry_out", draft), {"fingerprint": fingerprint(client, draft)})

    assert sorted(Person.objects.values_list("last_name", flat=True)) == ["Kühn", "Zorn"]
    assert Person.objects.get(last_name="Kühn").birth_year == 1950


def test_all_bad_rows_can_be_skipped_and_single_ones_restored(client: Client):
    draft = upload(client, ";Anna;;", ";Karl;;", "Zorn;Eva;;")

    client.post(url("import_preview", draft), {"shown": ["2", "3"], "skip_bad": "1"})
    counts = client.get(url("import_preview", draft)).context["counts"]
    assert (counts["bad"], counts["skipped"], counts["new"]) == (0, 2, 1)

    client.post(url("import_preview", draft), {"shown": ["2", "3", "4"], "skip-3": "1"})
    counts = client.get(url("import_preview", draft)).context["counts"]
    assert (counts["bad"], counts["skipped"], counts["new"]) == (1, 1, 1)


def test_questions_are_answered_singly_or_together(client: Client):
    anna, karl = make_person("Anna", "Kühn"), make_person("Karl", "Berg")
    make_person("Karl", "Berg")
    draft = upload(client, "Kühn;Anna;SC;", "Berg;Karl;SC;", "Berg;Karl;TC;")
    assert client.get(url("import_preview", draft)).context["answerable_count"] == 1

    client.post(url("import_preview", draft), {"same_all": "1"})
    client.post(
        url("import_preview", draft),
        {"shown": ["3", "4"], "decision-3": str(karl.pk), "decision-4": "other"},
    )

    plan = client.get(url("import_preview", draft)).context["plan"]
    assert [(row.state, row.person) for row in plan.rows] == [
        ("updated", anna),
        ("updated", karl),
        ("new", None),
    ]

    client.post(url("import_preview", draft), {"shown": ["4"], "decision-4": ""})
    assert client.get(url("import_preview", draft)).context["open_count"] == 1


def test_numbers_above_a_thousand_stay_numbers_in_the_form(client: Client):
    make_person("Anna", "Kühn", pk=12_345)
    lines = [f"Muster{number};Eva;;" for number in range(1000)]
    draft = upload(client, *lines, "Kühn;Anna;;", ";Karl;;")

    page = client.read(url("import_preview", draft))

    assert 'name="decision-1002" value="12345"' in page
    assert 'name="cell-1003-last_name"' in page
    assert 'name="shown" value="1003"' in page


def test_a_second_press_reports_the_finished_import(client: Client):
    draft = upload(client, "Kühn;Anna;;")
    mark = fingerprint(client, draft)
    client.post(url("import_carry_out", draft), {"fingerprint": mark})

    again = client.post(url("import_carry_out", draft), {"fingerprint": mark}, follow=True)

    assert "schon übernommen oder verworfen" in again.content.decode()
    assert Person.objects.count() == 1


def test_a_changed_plan_is_shown_again_before_it_is_stored(client: Client):
    draft = upload(client, "Kühn;Anna;SC;1950")
    mark = fingerprint(client, draft)
    make_person("Anna", "Kühn", birth_year=1950)

    answer = client.post(url("import_carry_out", draft), {"fingerprint": mark})

    assert answer.status_code == 409
    assert "Vorschau noch einmal ansehen" in answer.content.decode()
    assert Person.objects.count() == 1


def test_a_file_belongs_to_its_uploader(client: Client):
    draft = upload(client, "Kühn;Anna;;")
    other = logged_in(make_user(is_admin=True))

    assert other.get(url("import_columns", draft)).status_code == 404
    assert other.get(url("import_preview", draft)).status_code == 404
    other.post(url("import_discard", draft))
    other.post(url("import_carry_out", draft), {"fingerprint": fingerprint(client, draft)})

    assert PersonImport.objects.filter(pk=draft.pk).exists()
    assert not Person.objects.exists()


def test_a_file_expires_after_a_day(client: Client):
    draft = upload(client, "Kühn;Anna;;")
    mark = fingerprint(client, draft)
    yesterday = timezone.now() - timedelta(hours=25)
    PersonImport.objects.filter(pk=draft.pk).update(created_at=yesterday)

    assert client.get(url("import_preview", draft)).status_code == 404
    client.post(url("import_carry_out", draft), {"fingerprint": mark})
    assert not Person.objects.exists()
    client.get(at("people:import"))
    assert not PersonImport.objects.exists()


def test_a_started_file_waits_until_it_is_discarded(client: Client):
    draft = upload(client, "Kühn;Anna;;")
    assert "Angefangen: „mitglieder.csv“" in client.read(at("people:import"))

    client.post(url("import_discard", draft))

    assert "Angefangen" not in client.read(at("people:import"))
    assert not Person.objects.exists()


def test_the_preview_takes_few_queries(client: Client, django_assert_max_num_queries):
    for number in range(30):
        make_person("Anna", f"Muster{number}")
    draft = upload(client, *[f"Muster{number};Anna;;" for number in range(30)])

    with django_assert_max_num_queries(6):  # session, account, rights, file, persons
        client.get(url("import_preview", draft))
