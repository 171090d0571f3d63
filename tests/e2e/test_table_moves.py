"""Seats change in the middle of a list: the effects on the phone of the table."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.browser import check_look
from tests.e2e.table_device import PHONE, TableDevice, a_device, kept, make_table
from tests.factories import acting
from tests.factories_lists import FOUR, write_games
from tournaments.checking import queries as checking_queries
from tournaments.corrections.services import moves
from tournaments.models import Spielliste

pytestmark = pytest.mark.django_db(transaction=True)
SENTENCE = "Platz 1: Die Spiele bis Nr. 3 gehören zu 1 · Anna Kühn."
MOVED = "Die Plätze am Tisch sind geändert"


def three_games() -> Spielliste:
    """A list with three games of a Serie that began long ago."""
    spielliste = write_games(make_table(), FOUR[:3])
    serie = spielliste.table.serie
    serie.started_at = serie.tournament.starts_at - timedelta(days=1)
    serie.save()
    return spielliste


def change_seats(spielliste: Spielliste) -> None:
    """Let Anna and Bernd change places, with their games."""
    serie = spielliste.table.serie
    version = Spielliste.objects.get(pk=spielliste.pk).version
    moves.move_at_the_tables(
        acting(serie.tournament),
        serie.pk,
        reason="falsch hingesetzt",
        versions={spielliste.pk: version},
        facts={"places": moves.places_of_rings(serie, [[1, 2]]), "games": "person"},
    )


def read_notice(device: TableDevice) -> None:
    notice = device.page.locator(".hall-sign")
    expect(notice).to_contain_text(MOVED)
    expect(notice).to_contain_text("Jetzt sitzen: 1 Bernd Voß, 2 Anna Kühn, 3 Clara")
    device.tap(notice.get_by_role("button"))
    expect(notice).to_have_count(0)


def won(spielliste: Spielliste) -> dict[str, int]:
    """Return the number of games finished by each player."""
    columns = checking_queries.sheet(Spielliste.objects.get(pk=spielliste.pk)).columns
    return {column.registration.person.first_name: column.result.games_won for column in columns}


def test_buttons_of_an_open_question_follow_a_change_of_seats(browser: Browser, live_server: Any):
    spielliste = three_games()

    with a_device(browser) as device:
        kept(device, live_server, spielliste)
        device.choose(1)
        device.digits(41)  # half a game, with Anna as its finisher
        change_seats(spielliste)
        read_notice(device)
        expect(device.page.locator(".who-option")).to_have_text(
            ["Bernd", "Anna", "Clara", "Dieter"]
        )
        expect(device.page.locator(".list-part")).to_contain_text(SENTENCE)
        expect(device.row(3)).to_contain_class("seats-change")
        check_look(device.page)
        device.page.set_viewport_size(PHONE)

        device.tap(device.page.locator(".who-option", has_text="Bernd"))
        expect(device.page.locator("#entry-question")).to_have_text("Bernd hat beendet")
        for points in (41, 25, 36):
            device.digits(points)
        device.expect_stored(4)
        assert won(spielliste) == {"Bernd": 2, "Anna": 1, "Clara": 1, "Dieter": 0}

        # Game 3 is Anna's and Bernd's where they sat then.
        device.tap(device.page.locator('tr[data-game="2"] .row-button'))
        device.tap(device.page.get_by_role("button", name="Zurück", exact=True))
        expect(device.page.locator(".who-option")).to_have_text(
            ["Anna", "Bernd", "Clara", "Dieter"]
        )


def test_a_game_entered_offline_before_a_change_of_seats_needs_a_decision(
    browser: Browser, live_server: Any
):
    spielliste = three_games()

    with a_device(browser, offline=True) as device:
        kept(device, live_server, spielliste)
        device.context.set_offline(True)
        device.enter(FOUR[4])  # Anna finishes, at place 1
        change_seats(spielliste)
        device.context.set_offline(False)
        read_notice(device)
        trouble = device.page.locator(".trouble")
        expect(trouble).to_contain_text("Seit diesem Eintrag sitzen andere Personen am Tisch.")
        assert spielliste.games.count() == 3

        device.tap(trouble.get_by_role("button", name="Berichtigen"))
        device.tap(device.page.get_by_role("button", name="Zurück", exact=True))
        device.tap(device.page.locator(".who-option", has_text="Anna"))
        device.digits(41)  # Bernd's; the values of the others are shown
        device.expect_stored(4)

    assert won(spielliste) == {"Bernd": 1, "Anna": 2, "Clara": 1, "Dieter": 0}


def test_a_game_undone_offline_is_not_credited_after_a_change_of_seats(
    browser: Browser, live_server: Any
):
    spielliste = three_games()
    change_seats(spielliste)

    with a_device(browser, offline=True) as device:
        kept(device, live_server, spielliste)
        expect(device.page.locator(".list-part")).to_contain_text(SENTENCE)
        device.context.set_offline(True)
        device.tap(device.page.locator('tr[data-game="3"] .row-button'))
        device.tap(device.button("Spiel 3 zurücknehmen"))
        for seat in (1, 2, 3, 4):
            device.tap(device.page.locator(f'[data-consent="{seat}"]'))
        expect(device.page.locator('[data-consent="1"]')).to_contain_text("Anna Kühn")
        device.tap(device.button("Zeile streichen"))
        expect(device.page.locator(".list-part")).to_contain_text("bis Nr. 2 gehören zu 1")
        device.enter(FOUR[4])  # place 1 finishes, where Bernd sits
        foot = device.page.locator(".list-part tfoot .total td")
        # Bernd: 23, game 2 finished, and this one. Anna: 31, one finished, then 41 of place 2.
        expect(foot).to_have_text(["", "−17−40", "52−20", "88–", "88–"])
        device.context.set_offline(False)
        device.expect_stored(3)
        expect(foot).to_have_text(["", "−17−40", "52−20", "88–", "88–"])

    assert won(spielliste) == {"Bernd": 2, "Anna": 1, "Clara": 0, "Dieter": 0}
