"""The number of keys, clicks and taps of the work in the hall; none of them may rise.

Each row is a short scene with its number. A change that saves one lowers the number here.
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
from tests.e2e.desk_page import desk_url, wait_for_the_answer
from tests.e2e.login import log_in, log_in_as
from tests.e2e.table_device import TableDevice, a_device, kept, make_table
from tests.factories import make_person, make_tournament, make_user
from tests.factories_lists import FOUR, write_games
from tests.tournaments.hall.helpers import SOUND, played, running
from tournaments.cash.queries import balances
from tournaments.machine import jobs
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


def search(hand: Hand, letters: str, name: str) -> None:
    """Type letters until the expected person is the first match."""
    hand.type(letters)
    wait_for_the_answer(hand.page, letters)
    expect(hand.page.locator("#found .is-selected .result-name")).to_have_text(name)


def test_four_keys_register_and_a_name_and_two_clicks_refund(
    page: Page, context: BrowserContext, live_server
):
    hand, tournament = desk(page, context, live_server)

    known_players_take_four_keys_each(hand, tournament)
    a_new_person_takes_the_letters_and_two_keys(Hand(page))
    a_refund_takes_the_name_and_two_clicks(Hand(page), tournament)


def known_players_take_four_keys_each(hand: Hand, tournament: Tournament) -> None:
    page = hand.page
    for number, name in enumerate(("Becker", "Hahn", "Richter"), start=1):
        search(hand, name[:3].lower(), f"{name}, Anna")
        hand.press("Enter")
        expect(page.locator(".desk-number")).to_contain_text(str(number))
        expect(page.locator("#q")).to_be_focused()
        expect(page.locator("#q")).to_have_value("")

    assert Registration.objects.filter(status="paid").count() == 3
    assert balances.till_cents(tournament) == 3 * 1500
    assert hand.spent == (3 * 4, 0)


def test_a_family_of_three_pays_together_with_thirteen_keys(
    page: Page, context: BrowserContext, live_server
):
    hand, tournament = desk(page, context, live_server)

    for name in ("Becker", "Hahn", "Richter"):
        search(hand, name[:3].lower(), f"{name}, Anna")
        hand.press("F9")
        expect(page.locator("#pay-together")).to_have_count(1)
        expect(page.locator(".desk-done")).to_contain_text(f"{name}, Anna")
        expect(page.locator("#q")).to_be_focused()
    assert balances.till_cents(tournament) == 0
    hand.press("Enter")

    done = page.locator(".desk-done")
    expect(done).to_contain_text("45,00 € erhalten")
    expect(done).to_contain_text("auf 50,00 € 5,00 €")
    for name in ("Becker", "Hahn", "Richter"):
        expect(done).to_contain_text(name)
    receipt = tournament.receipts.get()
    assert receipt.payer == "Anna Becker, Anna Hahn, Anna Richter"
    assert Registration.objects.filter(status="paid").count() == 3
    assert hand.spent == (3 * 4 + 1, 0)


def a_new_person_takes_the_letters_and_two_keys(hand: Hand) -> None:
    page = hand.page
    letters = "Sommer, Clara, SC Gera"
    hand.type(letters)
    expect(page.locator("#found .is-selected .new")).to_contain_text(letters)
    hand.press("Enter")
    expect(page.locator("#id_last_name")).to_be_focused()
    hand.press("Enter")

    expect(page.locator(".desk-done")).to_contain_text("Sommer, Clara")
    expect(page.locator("#q")).to_be_focused()
    assert hand.spent == (len(letters) + 2, 0)


def a_refund_takes_the_name_and_two_clicks(hand: Hand, tournament: Tournament) -> None:
    page, before = hand.page, balances.till_cents(tournament)
    search(hand, "ric", "Richter, Anna")
    hand.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Richter, Anna")
    hand.click(page.locator("summary", has_text="Abmelden"))
    hand.click(page.get_by_role("button", name="Abmelden", exact=True))

    expect(page.locator("#main")).to_contain_text("abgemeldet")
    assert before - balances.till_cents(tournament) == 1500
    assert hand.spent == (4, 2)


def test_a_booking_needs_only_its_letters_and_a_repeated_one_a_click(
    page: Page, context: BrowserContext, browser: Browser, live_server
):
    tournament = make_tournament()
    log_in(context, live_server, tournament)
    hand = Hand(page)
    book = f"{live_server.url}/turniere/{tournament.slug}/kasse/"

    hand_books_coffee(hand, book)
    expect(page.get_by_text("Beleg 1 gebucht.")).to_be_visible()
    letters = len("2Kaffee")
    assert hand.spent == (letters + 1, 0)

    without_script = browser.new_context(java_script_enabled=False, locale="de-DE")
    log_in(without_script, live_server, tournament)
    second = Hand(without_script.new_page())
    hand_books_coffee(second, book)
    expect(second.page.get_by_role("heading", name="Noch einmal buchen?")).to_be_visible()
    assert tournament.receipts.count() == 1
    second.click(second.page.get_by_role("button", name="Noch einmal buchen"))
    expect(second.page.get_by_text("Beleg 2 gebucht.")).to_be_visible()

    assert tournament.receipts.count() == 2
    assert second.spent == (letters + 1, 1)
    without_script.close()


def hand_books_coffee(hand: Hand, book: str) -> None:
    """Book two euros for coffee; preselected and focused fields are not counted."""
    page = hand.page
    page.goto(book)
    page.get_by_label("Was", exact=True).select_option("other")
    page.get_by_label("Betrag").first.focus()
    hand.type("2")
    page.get_by_label("Wofür").focus()
    hand.type("Kaffee")
    hand.press("Enter")


# --- At the table -----------------------------------------------------------------------------


def test_a_game_takes_eight_taps_and_a_wrong_finisher_nine(browser: Browser, live_server):
    four, six = make_table(), make_table("hausregel", players=6)
    wrong = write_games(make_table(), FOUR[:6])

    with a_device(browser) as device:
        kept(device, live_server, four)
        taps_of_a_game(device)
        kept(device, live_server, six)
        assert device.enter({"finisher": 1, "minus": [0, 10, 11, 12, 13, 14]}) == 16
        device.expect_stored(1)
        kept(device, live_server, wrong)
        a_wrong_finisher_found_four_games_later_takes_nine_taps(device)

    assert four.games.get(number=3).line["minus"] == [45, 12, 60, 0]
    changed = wrong.games.get(number=3).line
    assert (changed["finisher"], changed["minus"]) == (2, [27, 0, 8, 22])


def taps_of_a_game(device: TableDevice) -> None:
    assert device.enter({"finisher": 1, "minus": [0, 23, 45, 12]}) == 8  # a usual one
    device.expect_stored(1)
    assert device.enter({"finisher": 1, "minus": [0, 10, 11, 19]}) == 10  # a third digit?
    device.expect_stored(2)
    # Always pressing „Weiter“ needs as many, and nothing goes wrong.
    before = device.taps
    device.choose(4)
    for key in ("4", "5", "go", "1", "2", "go", "6", "0", "go"):
        device.key(key)
    device.expect_stored(3)
    assert device.taps - before == 10


def a_wrong_finisher_found_four_games_later_takes_nine_taps(device: TableDevice) -> None:
    before = device.taps
    device.tap(device.row(3).get_by_role("button"))
    device.tap(device.button("Zurück"))
    device.choose(2)
    device.key("go")  # asks for the missing points of Clara
    for key in ("8", "go"):
        device.key(key)
    for seat in (2, 3):
        device.tap(device.page.locator(f'[data-consent="{seat}"]'))
    device.tap(device.button("Zeile ändern"))
    expect(device.row(3).locator("td").nth(2)).to_contain_text("8")
    device.expect_stored(3)
    assert device.taps - before == 9


# --- At control and in checking ---------------------------------------------------------------


def test_three_paper_lists_are_copied_checked_and_notified(
    page: Page, context: BrowserContext, live_server
):
    serie = running(tables=3)
    for table in (2, 3):
        played(serie, table)
    tournament = serie.tournament
    log_in(context, live_server, tournament, LEADING)
    url = f"{live_server.url}/turniere/{tournament.slug}/"

    a_paper_list_takes_ninety_keys_and_its_sums_seventeen(page, url)
    handing_in_takes_three_keys_a_table(page, url)
    a_correction_during_checking_takes_two_keys(page, url)
    checking_takes_one_key_a_list_and_updates_the_screen(page, url)
    a_number_of_a_checked_list_takes_two_clicks_and_four_keys(page, url)
    a_table_is_informed_by_one_click(page, url)


def a_paper_list_takes_ninety_keys_and_its_sums_seventeen(page: Page, url: str) -> None:
    page.goto(f"{url}spiellisten/1/tisch/1/eingeben/")
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
    typed = Spielliste.objects.get(table__number=1)
    assert [game.line for game in typed.games.order_by("number")] == list(SOUND)
    assert typed.paper_sums == [290, 311, 339, 351]
    assert (games, hand.spent) == (90, (107, 0))


def handing_in_takes_three_keys_a_table(page: Page, url: str) -> None:
    page.goto(f"{url}spiellisten/1/abgabe/")
    hand = Hand(page)

    for left, number in (("2", "2"), ("1", "1"), ("Alle Listen sind abgegeben.", "3")):
        expect(page.locator("#tisch")).to_be_focused()
        hand.type(number)
        hand.press("Enter")
        expect(page.get_by_role("button", name="Alles da, 18,00 € bar")).to_be_focused()
        hand.press("Enter")
        expect(page.get_by_text(f"Tisch {number} hat alles abgegeben.")).to_be_visible()
        expect(page.locator("#waiting-title")).to_contain_text(left)

    assert set(Spielliste.objects.values_list("status", flat=True)) == {Status.HANDED_IN}
    assert hand.spent == (3 * 3, 0)


def a_correction_during_checking_takes_two_keys(page: Page, url: str) -> None:
    cells = {"1 3 54": [0, 23, 54, 12], "12 4 81": [40, 21, 0, 81]}  # in the first game, the last
    for number, (command, corrected) in enumerate(cells.items(), start=1):
        open_for_typing(page, f"{url}pruefung/1/2/")
        hand = Hand(page)
        hand.type(command)
        hand.press("Enter")
        say_why(hand)
        expect(page.get_by_text(f"Berichtigung {number} ist gespeichert")).to_be_visible()
        game = Game.objects.get(spielliste__table__number=2, number=command.split()[0])
        assert game.line["minus"] == corrected
        assert hand.spent == (len(command) + 2, 0)


def say_why(hand: Hand) -> None:
    """Give a reason, which is not counted, once the effect of a correction is seen."""
    expect(hand.page.locator("#id_reason")).to_be_focused()
    expect(hand.page.locator("#effects table.effects")).to_be_visible()
    hand.page.keyboard.type("Zahlendreher")
    hand.press("Enter")


def checking_takes_one_key_a_list_and_updates_the_screen(page: Page, url: str) -> None:
    tournament = Tournament.objects.get()
    # That a Serie has begun is shown for a while instead of the ranking.
    tournament.serien.update(started_at=timezone.now() - timedelta(hours=1))
    Screen.objects.create(tournament=tournament, shows=Screen.Shows.RANKING)
    wall = page.context.new_page()
    wall.goto(url.replace("/turniere/", "/t/") + "leinwand/")
    expect(wall.locator("#wall")).to_contain_text("vorläufig")
    page.bring_to_front()
    open_for_typing(page, f"{url}pruefung/1/1/")
    hand = Hand(page)

    for table, key in ((1, "F2"), (2, "Enter"), (3, "F2")):
        expect(page.get_by_role("heading", name=f"Tisch {table}", exact=True)).to_be_visible()
        expect(page.locator("#id_command")).to_be_focused()
        hand.press(key)
    expect(page.get_by_text("Alle Listen dieser Serie sind geprüft")).to_be_visible()

    assert hand.spent == (3, 0)
    ask_again(wall, "#wall")
    expect(wall.locator("#wall")).not_to_contain_text("vorläufig")
    wall.close()


def a_number_of_a_checked_list_takes_two_clicks_and_four_keys(page: Page, url: str) -> None:
    page.goto(f"{url}pruefung/1/")
    hand = Hand(page)

    hand.click(page.locator("#main").get_by_role("link", name="Tisch 2"))
    expect(page.get_by_role("heading", name="Tisch 2", exact=True)).to_be_visible()
    hand.click(page.get_by_label("Spiel 1, Platz 3: 54 berichtigen"))
    expect(page.locator("#id_minus_3")).to_be_focused()
    hand.type("45")
    hand.press("Enter")
    say_why(hand)

    expect(page.get_by_text("Berichtigung 3 ist gespeichert")).to_be_visible()
    assert hand.spent == (4, 2)


def a_table_is_informed_by_one_click(page: Page, url: str) -> None:
    assert Notice.objects.filter(told_at=None).exists()
    page.goto(f"{url}mitteilungen/")
    hand = Hand(page)

    hand.click(page.get_by_role("button", name="Ganzer Tisch mündlich mitgeteilt"))
    expect(page.get_by_text("alles mitgeteilt")).to_be_visible()

    assert not Notice.objects.filter(told_at=None).exists()
    assert hand.spent == (0, 1)


# --- From one Serie to the next -----------------------------------------------------------------


def test_a_finished_serie_leads_to_the_next_seats_in_three_clicks(
    page: Page, context: BrowserContext, live_server, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(jobs, "spawn", jobs.run)
    head = make_user()
    log_in_as(head, context, live_server)
    for seating in (Serie.Seating.ELECTRONIC, Serie.Seating.RANKING):
        serie = running(tables=2, tariff=None, slug=seating)
        serie.tournament.serien.filter(number=2).update(seating=seating)
        for table in (1, 2):
            played(serie, table, status=Status.VERIFIED)
        serie.tournament.memberships.create(user=head, role=LEADING)
        page.goto(f"{live_server.url}/turniere/{seating}/abschluss/")
        hand = Hand(page)

        hand.click(page.get_by_role("button", name="Serie 1 abschließen und Serie 2 auslosen"))
        expect(page.get_by_role("heading", name="Was herausgekommen ist")).to_be_visible()
        hand.click(page.get_by_role("button", name="Bekannt geben"))
        hand.click(page.get_by_role("dialog").get_by_role("button", name="Bekannt geben"))
        expect(page.get_by_text("bekannt gegeben", exact=True)).to_be_visible()

        drawn = Seat.objects.filter(serie__number=2, serie__tournament=serie.tournament)
        assert (drawn.count(), hand.spent) == (8, (0, 3)), seating
