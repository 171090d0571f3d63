"""How many keys, clicks and taps the work in the hall takes; none of these numbers may rise.

Each row is a short scene with the number that it took when it was written. Whoever saves one
more lowers the number here.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.browser import open_for_typing
from tests.e2e.counting import Hand, keys_of
from tests.e2e.day.hall import ask_again
from tests.e2e.table_device import a_device, kept, make_table
from tests.e2e.test_desk import desk_url, log_in, wait_for_the_answer
from tests.factories import make_person, make_tournament
from tests.factories_lists import FOUR, write_games
from tests.tournaments.control.helpers import SOUND, played, running
from tests.tournaments.notices.helpers import make_correction, make_notice
from tournaments.cash.queries import balances
from tournaments.common import jobs
from tournaments.models import (
    Game,
    Notice,
    Registration,
    Role,
    Screen,
    Seat,
    Serie,
    Spielliste,
    Tournament,
)

pytestmark = pytest.mark.django_db(transaction=True)
Status = Spielliste.Status
LEADING = Role.SPIELLEITUNG
LAST_NAMES = (  # noqa: SIM905 - sixty quotes would hide the names
    "Adler Bauer Becker Böhm Brandt Busch Dietrich Engel Fischer Frank Franke Fuchs Groß Günther "
    "Haas Hahn Hartmann Heinrich Herrmann Hoffmann Horn Huber Jäger Jung Kaiser Keller Klein Koch "
    "Köhler König Krämer Krause Kühn Kuhn Lang Lehmann Lorenz Ludwig Maier Martin Mayer Meier "
    "Möller Müller Neumann Otto Peters Pfeiffer Pohl Richter Roth Sauer Schäfer Schmidt Schneider "
    "Scholz Schubert Voß Weiß Ziegler"
).split()


# --- At the desk ----------------------------------------------------------------------------


def desk(page: Page, context: BrowserContext, live_server: Any) -> tuple[Hand, Tournament]:
    """The desk of a tournament that begins in two hours, its field focused; 60 are known."""
    tournament = make_tournament(
        starts_at=timezone.now() + timedelta(hours=2),
        refund_until=timezone.now() + timedelta(hours=1),
    )
    for name in LAST_NAMES:
        make_person("Anna", name)
    log_in(context, live_server, tournament)
    open_for_typing(page, desk_url(live_server, tournament))
    return Hand(page), tournament


def search(hand: Hand, letters: str, found: str) -> None:
    """Type letters until somebody is the first who is found."""
    hand.type(letters)
    wait_for_the_answer(hand.page, letters)
    expect(hand.page.locator("#found .is-selected .result-name")).to_have_text(found)


def test_known_players_take_four_keys_each(page: Page, context: BrowserContext, live_server):
    hand, tournament = desk(page, context, live_server)

    for number, name in enumerate(("Becker", "Hahn", "Richter"), start=1):
        search(hand, name[:3].lower(), f"{name}, Anna")
        hand.press("Enter")
        expect(page.locator(".desk-number")).to_contain_text(str(number))
        expect(page.locator("#q")).to_be_focused()
        expect(page.locator("#q")).to_have_value("")

    assert Registration.objects.filter(status="paid").count() == 3
    assert balances.till_cents(tournament) == 3 * 1500
    assert hand.spent == (3 * 4, 0)


def test_somebody_new_takes_the_letters_and_two_keys(
    page: Page, context: BrowserContext, live_server
):
    hand, _tournament = desk(page, context, live_server)
    letters = "Sommer, Clara, SC Gera"

    hand.type(letters)
    expect(page.locator("#found .is-selected .new")).to_contain_text(letters)
    hand.press("Enter")
    expect(page.locator("#id_last_name")).to_be_focused()
    hand.press("Enter")

    expect(page.locator(".desk-done")).to_contain_text("Sommer, Clara")
    assert hand.spent == (len(letters) + 2, 0)


def test_a_refund_takes_the_name_and_two_clicks(page: Page, context: BrowserContext, live_server):
    hand, tournament = desk(page, context, live_server)
    search(hand, "koc", "Koch, Anna")
    hand.press("Enter")
    expect(page.locator(".desk-done")).to_contain_text("Koch, Anna")
    paid = hand.keys

    search(hand, "koc", "Koch, Anna")
    hand.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Koch, Anna")
    hand.click(page.locator("summary", has_text="Abmelden"))
    hand.click(page.get_by_role("button", name="Abmelden", exact=True))

    expect(page.locator("#main")).to_contain_text("abgemeldet")
    assert balances.till_cents(tournament) == 0
    assert (hand.keys - paid, hand.clicks) == (4, 2)


# --- At the table -----------------------------------------------------------------------------


def test_taps_of_a_game(browser: Browser, live_server):
    spielliste = make_table()

    with a_device(browser) as device:
        kept(device, live_server, spielliste)
        assert device.enter({"finisher": 1, "minus": [0, 23, 45, 12]}) == 8  # a usual one
        device.expect_stored(1)
        assert device.enter({"finisher": 1, "minus": [0, 10, 11, 19]}) == 10  # a third digit?
        device.expect_stored(2)
        # Who always presses „Weiter“ needs as many, and nothing goes wrong.
        before = device.taps
        device.choose(4)
        for key in ("4", "5", "go", "1", "2", "go", "6", "0", "go"):
            device.key(key)
        device.expect_stored(3)
        assert device.taps - before == 10

    assert spielliste.games.get(number=3).line["minus"] == [45, 12, 60, 0]


def test_taps_of_a_game_of_six(browser: Browser, live_server):
    spielliste = make_table("hausregel", players=6)

    with a_device(browser) as device:
        kept(device, live_server, spielliste)
        assert device.enter({"finisher": 1, "minus": [0, 10, 11, 12, 13, 14]}) == 16
        device.expect_stored(1)


def test_a_wrong_finisher_found_four_games_later_takes_nine_taps(browser: Browser, live_server):
    spielliste = write_games(make_table(), FOUR[:6])

    with a_device(browser) as device:
        kept(device, live_server, spielliste)
        before = device.taps
        device.tap(device.row(3).get_by_role("button"))
        device.tap(device.button("Zurück"))
        device.choose(2)
        device.key("go")  # asks for the points of Clara, who had none
        for key in ("8", "go"):
            device.key(key)
        for seat in (2, 3):
            device.tap(device.page.locator(f'[data-consent="{seat}"]'))
        device.tap(device.button("Zeile ändern"))
        expect(device.row(3).locator("td").nth(2)).to_contain_text("8")
        device.expect_stored(3)
        assert device.taps - before == 9

    changed = spielliste.games.get(number=3).line
    assert (changed["finisher"], changed["minus"]) == (2, [27, 0, 8, 22])


# --- At control and in checking ---------------------------------------------------------------


def lists_url(live_server: Any, serie: Serie, path: str) -> str:
    slug = serie.tournament.slug
    return f"{live_server.url}/turniere/{slug}/{path}"


def test_a_paper_list_takes_ninety_keys_and_its_sums_seventeen(
    page: Page, context: BrowserContext, live_server
):
    serie = running()
    log_in(context, live_server, serie.tournament, Role.SCHIEDSRICHTER)
    page.goto(lists_url(live_server, serie, "spiellisten/1/tisch/1/eingeben/"))
    expect(page.locator("[name=c1_1]")).to_be_focused()
    hand = Hand(page)

    for key in keys_of(SOUND):
        hand.press(key)
    expect(page.locator("[name=sum_1]")).to_be_focused()
    games = hand.keys
    for points in (290, 311, 339, 351):
        hand.type(str(points))
        hand.press("Enter")
    hand.press("Enter")

    expect(page.get_by_text("Tisch 1: Die Liste ist vollständig.")).to_be_visible()
    assert list(Game.objects.order_by("number").values_list("line", flat=True)) == list(SOUND)
    assert Spielliste.objects.get().paper_sums == [290, 311, 339, 351]
    assert (games, hand.spent) == (90, (107, 0))


def test_handing_in_takes_three_keys_a_table(page: Page, context: BrowserContext, live_server):
    serie = running(tables=3)
    for table in (1, 2, 3):
        played(serie, table)
    log_in(context, live_server, serie.tournament, LEADING)
    page.goto(lists_url(live_server, serie, "spiellisten/1/abgabe/"))
    hand = Hand(page)

    for left, number in ((2, "2"), (1, "1"), (0, "3")):
        expect(page.locator("#tisch")).to_be_focused()
        hand.type(number)
        hand.press("Enter")
        expect(page.get_by_role("button", name="Alles da, 18,00 € bar")).to_be_focused()
        hand.press("Enter")
        expect(page.get_by_text(f"Tisch {number} hat alles abgegeben.")).to_be_visible()
        expect(page.locator("#waiting-title")).to_contain_text(str(left))

    assert set(Spielliste.objects.values_list("status", flat=True)) == {Status.HANDED_IN}
    assert hand.spent == (3 * 3, 0)


def test_checking_takes_one_key_a_list_and_the_wall_follows_by_itself(
    page: Page, context: BrowserContext, live_server
):
    serie = running(tables=3, tariff=None)
    for table in (1, 2, 3):
        played(serie, table, status=Status.HANDED_IN)
    Screen.objects.create(tournament=serie.tournament, shows=Screen.Shows.RANKING)
    wall = context.new_page()
    wall.goto(f"{live_server.url}/t/{serie.tournament.slug}/leinwand/")
    expect(wall.locator("#wall")).to_contain_text("vorläufig")
    log_in(context, live_server, serie.tournament, LEADING)
    open_for_typing(page, lists_url(live_server, serie, "pruefung/1/1/"))
    hand = Hand(page)

    for table, key in ((1, "F2"), (2, "Enter"), (3, "F2")):
        expect(page.get_by_role("heading", name=f"Tisch {table}", exact=True)).to_be_visible()
        expect(page.locator("#id_command")).to_be_focused()
        hand.press(key)
    expect(page.get_by_text("Alle Listen dieser Serie sind geprüft")).to_be_visible()

    assert hand.spent == (3, 0)
    ask_again(wall, "#wall")
    expect(wall.locator("#wall")).not_to_contain_text("vorläufig")


def test_a_number_of_a_checked_list_takes_two_clicks_and_four_keys(
    page: Page, context: BrowserContext, live_server
):
    serie = running(tariff=None)
    played(serie, status=Status.VERIFIED)
    log_in(context, live_server, serie.tournament, LEADING)
    page.goto(lists_url(live_server, serie, "pruefung/1/"))
    hand = Hand(page)

    hand.click(page.locator("#main").get_by_role("link", name="Tisch 1"))
    expect(page.get_by_role("heading", name="Tisch 1", exact=True)).to_be_visible()
    hand.click(page.get_by_label("Spiel 1, Platz 3: 45 berichtigen"))
    expect(page.locator("#id_minus_3")).to_be_focused()
    hand.type("54")
    hand.press("Enter")
    expect(page.locator("#id_reason")).to_be_focused()
    expect(page.locator("#effects table.effects")).to_be_visible()
    page.keyboard.type("Zahlendreher")  # the reason is not counted
    hand.press("Enter")

    expect(page.get_by_text("Berichtigung 1 ist gespeichert")).to_be_visible()
    assert hand.spent == (4, 2)


@pytest.mark.parametrize(
    ("command", "corrected"),
    [
        pytest.param("1 3 54", [0, 23, 54, 12], id="first game"),
        pytest.param("12 4 81", [40, 21, 0, 81], id="last cell"),
    ],
)
def test_a_number_of_a_list_that_is_being_checked_takes_its_place_and_two_keys(
    page: Page, context: BrowserContext, live_server, command: str, corrected: list[int]
):
    serie = running(tariff=None)
    played(serie, status=Status.HANDED_IN)
    log_in(context, live_server, serie.tournament, LEADING)
    open_for_typing(page, lists_url(live_server, serie, "pruefung/1/1/"))
    hand = Hand(page)

    hand.type(command)
    hand.press("Enter")
    expect(page.locator("#id_reason")).to_be_focused()
    expect(page.locator("#effects table.effects")).to_be_visible()
    page.keyboard.type("Zahlendreher")
    hand.press("Enter")

    expect(page.get_by_text("Berichtigung 1 ist gespeichert")).to_be_visible()
    assert Game.objects.get(number=command.split(maxsplit=1)[0]).line["minus"] == corrected
    assert hand.spent == (len(command) + 2, 0)


# --- Telling, and from one Serie to the next ----------------------------------------------------


def test_a_table_is_told_with_one_click(page: Page, context: BrowserContext, live_server):
    serie = running(tariff=None)
    spielliste = played(serie, status=Status.VERIFIED)
    correction = make_correction(spielliste)
    for seat in (1, 2, 3, 4):
        make_notice(spielliste, seat, correction=correction)
    log_in(context, live_server, serie.tournament, LEADING)
    page.goto(lists_url(live_server, serie, "mitteilungen/"))
    hand = Hand(page)

    hand.click(page.get_by_role("button", name="Ganzer Tisch mündlich mitgeteilt"))
    expect(page.get_by_text("alles mitgeteilt")).to_be_visible()

    assert not Notice.objects.filter(told_at=None).exists()
    assert hand.spent == (0, 1)


@pytest.mark.parametrize("seating", [Serie.Seating.ELECTRONIC, Serie.Seating.RANKING], ids=str)
def test_from_a_serie_that_is_done_to_the_next_seats_takes_three_clicks(
    page: Page,
    context: BrowserContext,
    live_server,
    monkeypatch: pytest.MonkeyPatch,
    seating: Serie.Seating,
):
    monkeypatch.setattr(jobs, "spawn", jobs.run)
    serie = running(tables=2, tariff=None)
    Serie.objects.filter(number=2).update(seating=seating)
    for table in (1, 2):
        played(serie, table, status=Status.VERIFIED)
    log_in(context, live_server, serie.tournament, LEADING)
    page.goto(lists_url(live_server, serie, "abschluss/"))
    hand = Hand(page)

    hand.click(page.get_by_role("button", name="Serie 1 abschließen und Serie 2 auslosen"))
    expect(page.get_by_role("heading", name="Was herausgekommen ist")).to_be_visible()
    hand.click(page.get_by_role("button", name="Bekannt geben"))
    hand.click(page.get_by_role("dialog").get_by_role("button", name="Bekannt geben"))
    expect(page.get_by_text("bekannt gegeben", exact=True)).to_be_visible()

    assert Seat.objects.filter(serie__number=2).count() == 8
    assert hand.spent == (0, 3)
