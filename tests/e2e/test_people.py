"""Persons and clubs in a browser: every page fits and can be read, searching feels instant."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import check_look, check_looks, open_for_typing, unfold
from tests.e2e.login import log_in_as
from tests.factories import (
    START,
    make_club,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tournaments.common.organisers import first_organiser
from tournaments.machine import sheets
from tournaments.models import Ban, Person, PersonImport, User
from tournaments.people.services.importing import store_rows

pytestmark = pytest.mark.django_db(transaction=True)

CSV = """Mitglieder des SC Altenburg;;;;
Nr.;Name;Vorname;Verein;Geburtsjahr
1;Zorn;Eva;SC Altenburg;1961
2;Berg;Karl;SC Altenburg;50
3;Kühn;Anna;Leipzig;
4;;Maria;SC Altenburg;1970
"""


@pytest.fixture
def admin(context: BrowserContext, live_server: LiveServer) -> User:
    """An account that may do everything here, logged in."""
    user = make_user(name="Frau Verwalterin", is_admin=True)
    log_in_as(user, context, live_server)
    return user


@pytest.fixture
def anna(admin: User) -> Person:
    """Return a person with all data."""
    person = make_person(
        "Anna",
        "Kühn",
        club=make_club("SC Altenburg"),
        birth_year=1950,
        gender="f",
        email="anna.kuehn@example.org",
        phone="0341 123456",
        note="sitzt gern am Fenster",
        publish_consent=True,
        publish_consent_at=START,
    )
    make_registration(make_tournament(name="Herbstturnier 2026", status="closed"), person)
    Ban.objects.create(
        person=person,
        reason="Hat Karten gezinkt",
        starts_on=date(2026, 1, 1),
        ends_on=date(2026, 1, 31),
        created_by=admin,
    )
    return person


@pytest.fixture
def draft(admin: User, anna: Person) -> PersonImport:
    """A file with a good row, two bad ones and a question."""
    return store_rows(
        within=first_organiser(),
        rows=sheets.read(CSV.encode()),
        file_name="mitglieder.csv",
        user=admin,
    )


def url(live_server: LiveServer, name: str, *args: int) -> str:
    return live_server.url + reverse(f"people:{name}", args=args)


PAGES = [
    "persons",
    "person",
    "new",
    "edit",
    "ban",
    "lift_ban",
    "anonymise",
    "duplicates",
    "merge_choose",
    "merge",
    "clubs",
    "club",
    "import",
    "import_columns",
    "import_preview",
    "import_preview?zeigen=alle",
]


def test_every_page_is_accessible_and_fits(
    page: Page, live_server: LiveServer, anna: Person, draft: PersonImport
):
    other = make_person("Anna", "Kuehn", club=anna.club, phone="0171 5555")
    keys = {
        "person": [anna.pk],
        "edit": [anna.pk],
        "ban": [anna.pk],
        "lift_ban": [anna.bans.get().pk],
        "anonymise": [anna.pk],
        "merge_choose": [anna.pk],
        "merge": [anna.pk, other.pk],
        "club": [anna.club_id or 0],
        "import_columns": [draft.pk],
        "import_preview": [draft.pk],
    }
    urls = []
    for page_name in PAGES:
        name, _mark, query = page_name.partition("?")
        urls.append(f"{url(live_server, name, *keys.get(name, []))}?{query}")

    check_looks(page, urls, prepare=unfold, strong=True, least=44)


def test_persons_are_found_exported_and_merged(page: Page, live_server: LiveServer, anna: Person):
    for number in range(60):
        make_person("Karl", f"Muster{number:02}")
    open_for_typing(page, url(live_server, "persons"))
    expect(page.get_by_text("61 Personen")).to_be_visible()

    all_persons_are_exported(page)
    page.get_by_role("searchbox").focus()
    persons_are_found_while_typing(page)
    expect(page).to_have_url(url(live_server, "person", anna.pk))
    page.goto(url(live_server, "new"))
    a_refused_form_can_be_read(page)

    other = make_person("Anna", "Kuehn", phone="0171 5555")
    make_person("Anna", "Kuhlmann")
    page.goto(url(live_server, "merge_choose", anna.pk))
    the_other_record_is_chosen_with_the_arrows(page)
    expect(page).to_have_url(url(live_server, "merge", anna.pk, other.pk))
    page.goto(url(live_server, "duplicates"))
    two_records_become_one(page)
    other.refresh_from_db()
    assert other.merged_into == anna


def all_persons_are_exported(page: Page) -> None:
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()

    assert download.value.suggested_filename == "Personen.csv"
    text = Path(download.value.path()).read_text(encoding="utf-8-sig")
    assert text.splitlines()[1].startswith("Kühn;Anna;SC Altenburg;1950;w;")


def persons_are_found_while_typing(page: Page) -> None:
    page.keyboard.type("khün")

    expect(page.locator(".result")).to_have_count(1)
    expect(page.locator(".result.is-selected")).to_contain_text("Kühn, Anna")
    expect(page.get_by_role("searchbox")).to_be_focused()
    expect(page).to_have_url(re.compile(r"\?q=kh%C3%BCn$"))
    page.keyboard.press("Enter")


def a_refused_form_can_be_read(page: Page) -> None:
    page.get_by_label("Nachname").fill("Kuehn")
    page.get_by_label("Vorname").fill("Anna")
    page.get_by_role("button", name="Anlegen").click()

    expect(page.get_by_role("alert")).to_contain_text("Gibt es die Person schon?")
    check_look(page)


def the_other_record_is_chosen_with_the_arrows(page: Page) -> None:
    page.get_by_role("searchbox").fill("ku")
    expect(page.locator(".result")).to_have_count(2)
    expect(page.locator(".result.is-selected")).to_contain_text("Kuehn")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".result.is-selected")).to_contain_text("Kuhlmann")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")


def two_records_become_one(page: Page) -> None:
    page.get_by_role("link", name="Kühn, Anna").click()
    page.get_by_role("radio", name="0171 5555").check()
    page.get_by_role("button", name="Zusammenführen").click()

    expect(page.get_by_text("Anna Kühn ist zusammengeführt.")).to_be_visible()
    expect(page.get_by_text("0171 5555")).to_be_visible()
