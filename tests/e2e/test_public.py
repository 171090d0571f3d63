"""The public pages in a browser: ranking, own page, Startkarten, screen."""

from __future__ import annotations

import io
from typing import Any

import pytest
import zxingcpp
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import check_look
from tests.e2e.day.hall import ask_again
from tests.e2e.login import log_in
from tests.factories import COMMAND, make_club, make_person, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.notices.helpers import make_checked_list, make_notice
from tournaments.common.access_keys import player_path
from tournaments.lists.services import spiellisten
from tournaments.models import Case, Role, Spielliste, Tournament
from tournaments.notices.services import words
from tournaments.results.services import player_access

pytestmark = pytest.mark.django_db(transaction=True)

FIFTH = {"finisher": 1, "handromme": False, "minus": [0, 41, 25, 36]}


@pytest.fixture
def tournament() -> Tournament:
    """Two tables; the first Serie verified, the second being played."""
    made = make_tournament(serien=2, status=Tournament.Status.RUNNING, name="Herbstturnier")
    clubs = [make_club("SC Altenburg"), make_club("Rommé-Freunde Wolfenbüttel-Salzdahlum 1987")]
    players = [
        make_registration(
            made,
            make_person(
                "Anna-Luise",
                f"Kühn-Großmann{number}",
                club=clubs[number % 2],
                publish_consent=number != 3,
            ),
        )
        for number in range(1, 9)
    ]
    rows = [players[:4], players[4:]]
    first = make_seated_serie(made, rows, number=1)
    for table in (1, 2):
        write_games(list_of(first, table), status=Spielliste.Status.VERIFIED)
    second = make_seated_serie(made, rows[::-1], number=2)
    write_games(list_of(second, 1), FOUR[:4])
    player_access.store_tokens(made)
    return made


def test_an_open_ranking_merges_changes(
    page: Page, live_server: LiveServer, tournament: Tournament
) -> None:
    address = reverse("results_public:overall", args=[tournament.slug])
    page.goto(f"{live_server.url}{address}?laufend=1")
    playing = list_of(tournament.serien.get(number=2), 1)
    whole, part = list[int](), list[int]()

    for number in (5, 6, 7):
        line = {"finisher": 1, "minus": [0, 20 + number, 40 + number, 50 + number]}
        playing.refresh_from_db()
        spiellisten.enter_game(
            COMMAND, playing.pk, number=number, line=line, version=playing.version
        )
        before = str(page.get_by_role("table").text_content())
        with page.expect_response(lambda answer: "since=" in answer.url) as asked:
            page.evaluate("""() => htmx.ajax('GET', document.querySelector('#ranking')
                .getAttribute('hx-get'), {target: '#ranking', swap: 'outerHTML'})""")
        (part if "x-known" in asked.value.headers else whole).append(len(asked.value.body()))
        expect(page.get_by_role("table")).not_to_have_text(before)

    shown = page.locator("#ranking").inner_html()
    page.reload()
    assert shown.split() == page.locator("#ranking").inner_html().split()
    assert len(whole) == 1
    assert max(part) < whole[0]


def test_the_ranking_updates_live_and_the_card_code_opens_the_own_page(
    page: Page, live_server: LiveServer, tournament: Tournament, settings: Any
) -> None:
    settings.PUBLIC_URL = live_server.url  # the browser here is on this machine itself
    address = reverse("results_public:overall", args=[tournament.slug])
    page.goto(f"{live_server.url}{address}?laufend=1")
    expect(page.get_by_text("vorläufig")).to_be_visible()
    check_look(page)
    before = str(page.get_by_role("table").text_content())

    playing = list_of(tournament.serien.get(number=2), 1)
    spiellisten.enter_game(COMMAND, playing.pk, number=5, line=FIFTH, version=playing.version)

    page.evaluate("""() => htmx.ajax('GET', document.querySelector('#ranking')
        .getAttribute('hx-get'), {target: '#ranking', swap: 'outerHTML'})""")
    expect(page.get_by_role("table")).not_to_have_text(before)

    log_in(page.context, live_server, tournament, Role.KASSE)
    page.goto(live_server.url + reverse("draw:cards", args=[tournament.slug]) + "?nr=2")
    check_look(page)

    shot = page.locator(".startkarte-code").screenshot(scale="device")
    (code,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(shot)))
    page.goto(code.text)

    expect(page.get_by_role("heading", level=1)).to_have_text("Anna-Luise Kühn-Großmann2")
    check_look(page)
    # 290, 311, 339 and 341 minus points; seat 2: three games at 20, a Handrommé at 50
    expect(page.get_by_text("201").first).to_be_visible()


def test_an_objection_being_typed_survives_an_update(page: Page, live_server: LiveServer):
    player = make_notice(make_checked_list()).registration
    player_access.store_tokens(player.tournament)
    page.goto(live_server.url + player_path(player))
    text = page.get_by_label("Was stimmt nicht, und warum?")

    page.get_by_text("Einspruch erheben").click()
    text.fill("Es waren zehn weniger.")
    words.say(COMMAND, player.tournament_id, words="Kuchen im Foyer")
    ask_again(page, "#own")
    expect(page.locator("#hall-signs")).to_contain_text("Kuchen im Foyer")
    expect(text).to_be_visible()
    expect(text).to_have_value("Es waren zehn weniger.")
    page.get_by_role("button", name="Einspruch senden").click()

    expect(page.get_by_text("Einspruch liegt der Spielleitung vor")).to_be_visible()
    assert Case.objects.get().text == "Es waren zehn weniger."
