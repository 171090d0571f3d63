"""Typing the short code of a table, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser import check_look
from tests.factories import make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tournaments.common.access_keys import table_code

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_wrong_code_is_explained_and_the_right_one_opens_the_list(page: Page, live_server):
    access = list_of(make_seated_serie(make_tournament())).table.access
    page.goto(f"{live_server.url}/tisch/")
    check_look(page)

    page.get_by_label("Tisch").fill("1")
    page.get_by_label("Code").fill("AAA-AAA")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Diesen Code gibt es an Tisch 1 nicht")).to_be_visible()
    check_look(page)
    page.get_by_label("Code").fill(table_code(access).lower().replace("-", ""))
    page.get_by_role("button", name="Liste öffnen").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("Tisch 1")
