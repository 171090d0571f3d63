"""The control room in a browser: calls at once, handing in and paper lists by the keyboard."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e.browser import LOST_CONNECTION, Guard, check_look, check_looks, unfold
from tests.e2e.counting import keys_of
from tests.e2e.login import log_in
from tests.e2e.test_checking import ALL_BUT_ONE_SCRIPT_CAME
from tests.factories import COMMAND, make_club, make_person, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.hall.helpers import HALF_A_EURO, SOUND, played
from tournaments.models import Call, Case, Game, Role, Serie, Spielliste, TableDevice, Tournament
from tournaments.notices.services import words
from tournaments.table.services import calls

pytestmark = pytest.mark.django_db(transaction=True)
Status = Spielliste.Status
NAMES = "Kühn Voß Sommer Lang Brandt Weiß Schäfer Müller-Lüdenscheidt Öztürk".split()  # noqa: SIM905

PAINTED = "performance.getEntriesByType('paint').map((entry) => entry.name)"


def hall(*, tables: int = 3, size: int = 4) -> Serie:
    """A Serie with a clock that runs."""
    tournament = make_tournament(
        status="running", name="Herbstturnier 2026", bussgeld=HALF_A_EURO.to_dict()
    )
    club = make_club("Erster Rommé- und Skatverein der Bergstadt Geyer 1887 e. V.")
    rows = [
        [
            make_registration(
                tournament, make_person("Anna", NAMES[(table + seat) % len(NAMES)], club=club)
            )
            for seat in range(size)
        ]
        for table in range(tables)
    ]
    serie = make_seated_serie(tournament, rows)
    serie.time_limit_minutes = 120
    serie.started_at = timezone.now() - timedelta(minutes=56)
    serie.save()
    return serie


def busy_hall() -> Serie:
    """Everything at once: a call, a case, a silent table, a list on paper, one that is done."""
    serie = hall(tables=7)
    now = timezone.now()
    for number, games in ((1, 10), (2, 8), (3, 6), (4, 7)):
        write_games(list_of(serie, number), FOUR[:games])
    Spielliste.objects.filter(table__number=2).update(last_entry_at=now - timedelta(minutes=25))
    for number, minutes in ((1, 0), (2, 8)):
        TableDevice.objects.create(
            table=list_of(serie, number).table,
            token_hash=f"device {number}",
            is_keeper=True,
            last_seen_at=now - timedelta(minutes=minutes),
        )
    calls.call(COMMAND, list_of(serie, 3).table_id, kind="dispute")
    Spielliste.objects.filter(table__number=4).update(extra_minutes=10)
    played(serie, 5)
    signed = played(serie, 6, status=Status.SIGNED, on_paper=False)
    Case.objects.create(
        tournament=serie.tournament,
        spielliste=signed,
        kind="correction",
        game=4,
        text="Bei Platz 3 müssen es 38 statt 33 sein, wir haben zusammen nachgezählt.",
    )
    played(serie, 7, status=Status.VERIFIED)
    return serie


def address(live_server, serie: Serie, path: str = "") -> str:
    slug = serie.tournament.slug
    return f"{live_server.url}/turniere/{slug}/spiellisten/{serie.number}/{path}"


PAGES = (
    "",
    "tisch/3/",  # with a call
    "tisch/6/",  # with a case
    "tisch/2/zugang/",
    "tischkarten/",
    "abgabe/",
    "abgabe/?tisch=5",  # it hands in
    "abgabe/?tisch=7",  # it owes after all
    "tisch/2/eingeben/",
)


def test_pages_of_the_control_room_look_right_everywhere(
    page: Page, context: BrowserContext, live_server
):
    serie = busy_hall()
    log_in(context, live_server, serie.tournament, Role.SPIELLEITUNG)

    urls = [address(live_server, serie, path) for path in PAGES]
    check_looks(page, urls, prepare=unfold, strong=True, least=44)


def test_the_control_room_starts_a_serie_and_follows_its_tables(
    page: Page, context: BrowserContext, live_server
):
    tournament = make_tournament()
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    page.goto(f"{live_server.url}/turniere/{tournament.slug}/spiellisten/")
    expect(page.get_by_role("heading", name="Noch keine Sitzordnung")).to_be_visible()
    check_look(page)

    serie = hall()
    Serie.objects.filter(pk=serie.pk).update(started_at=None)
    log_in(context, live_server, serie.tournament, Role.SPIELLEITUNG)
    page.goto(address(live_server, serie))
    check_look(page)

    page.get_by_role("button", name="Serie 1 beginnen").click()
    expect(page.locator("[data-countdown]")).to_contain_text("1:59:")
    page.get_by_role("link", name="Zeit zugeben").click()
    expect(page.get_by_label("Minuten")).to_be_visible()
    check_look(page, widths=[360])
    page.get_by_label("Minuten").fill("15")
    page.get_by_role("button", name="Zugeben", exact=True).click()
    expect(page.locator("#table-2")).to_contain_text("+15 min")

    # Acts at the tables appear without a reload.
    expect(page.locator(".attention-row")).to_have_count(0)
    expect(page.locator("#table-1")).to_contain_text("noch kein Gerät")
    page.locator("summary", has_text="Drucken").click()
    page.get_by_label("Anzahl").fill("7")
    write_games(list_of(serie), FOUR[:1])
    calls.call(COMMAND, list_of(serie, 2).table_id, kind="dispute")
    a_game_updates_its_card_but_no_open_input(page)
    a_call_is_taken_with_one_click(page)


def a_game_updates_its_card_but_no_open_input(page: Page) -> None:
    expect(page.locator("#table-1")).to_contain_text("1/12")
    expect(page.locator("#table-1")).to_contain_text("gerade eben")
    expect(page.get_by_label("Anzahl")).to_have_value("7")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Anzahl")).to_be_hidden()
    expect(page.locator("summary", has_text="Drucken")).to_be_focused()


def a_call_is_taken_with_one_click(page: Page) -> None:
    row = page.locator(".attention-row", has_text="Tisch 2")
    expect(row).to_contain_text("Schiedsrichter gerufen · Streitfall")
    expect(page.get_by_role("status").filter(has_text="1 dringende Sache")).to_be_attached()
    page.get_by_role("button", name="Übernehmen (Tisch 2)").click()
    expect(row).to_contain_text("Übernommen von")
    expect(page.get_by_role("button", name="Erledigt (Tisch 2)")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".attention-row")).to_have_count(0)


def test_buttons_with_a_confirmation_appear_after_their_script(
    page: Page, context: BrowserContext, live_server
):
    serie = hall()
    Serie.objects.update(started_at=None)
    Tournament.objects.update(starts_at=timezone.now() + timedelta(hours=5))
    log_in(context, live_server, serie.tournament, Role.SPIELLEITUNG)
    held: list[Route] = []
    page.route("**/js/dialogs.js", lambda route: held.append(route))  # noqa: PLW0108
    page.goto(address(live_server, serie), wait_until="commit")
    button = page.get_by_role("button", name="Serie 1 beginnen")
    expect(button).to_be_attached()
    page.wait_for_function(ALL_BUT_ONE_SCRIPT_CAME, polling=50)

    assert page.evaluate(PAINTED) == []
    (script,) = held
    script.continue_()
    page.unroute("**/js/dialogs.js")
    button.click()

    expect(page.get_by_role("dialog")).to_contain_text("Trotzdem jetzt beginnen?")


def test_a_confirmed_act_survives_an_update_of_the_page(
    page: Page, context: BrowserContext, live_server
):
    serie = hall()
    Serie.objects.update(started_at=None)
    Tournament.objects.update(starts_at=timezone.now() + timedelta(hours=5))
    log_in(context, live_server, serie.tournament, Role.SPIELLEITUNG)
    page.goto(address(live_server, serie))
    work = page.locator("#work")
    asked_with = str(work.get_attribute("hx-get"))

    page.get_by_role("button", name="Serie 1 beginnen").click()
    expect(page.get_by_role("dialog")).to_contain_text("Trotzdem jetzt beginnen?")
    words.say(COMMAND, serie.tournament_id, words="Bitte die Plätze einnehmen.")
    expect(work).not_to_have_attribute("hx-get", asked_with)  # its form is another one now
    page.get_by_role("dialog").get_by_role("button", name="Jetzt beginnen").click()

    expect(page.get_by_role("button", name="Beginn zurücknehmen")).to_be_visible()
    serie.refresh_from_db()
    assert serie.started_at


def test_a_note_about_a_call_survives_an_update(page: Page, context: BrowserContext, live_server):
    serie = hall()
    table = list_of(serie, 2).table_id
    calls.take(COMMAND, calls.call(COMMAND, table, kind="counting").pk)
    log_in(context, live_server, serie.tournament, Role.SCHIEDSRICHTER)
    page.goto(address(live_server, serie, "tisch/2/"))
    work, note = page.locator("#work"), page.locator("[name=note]")
    asked_with = str(work.get_attribute("hx-get"))

    note.fill("nachgezählt: 41")
    words.say(COMMAND, serie.tournament_id, words="Kuchen im Foyer")
    expect(work).not_to_have_attribute("hx-get", asked_with)
    expect(note).to_have_value("nachgezählt: 41")
    page.get_by_role("button", name="Erledigt").click()

    expect(note).to_have_count(0)
    assert Call.objects.get().note == "nachgezählt: 41"


# --- The paper grid -------------------------------------------------------------------------


def open_grid(page: Page, live_server, serie: Serie, table: int) -> None:
    page.goto(address(live_server, serie, f"tisch/{table}/eingeben/"))
    expect(page.locator("[name=c1_1]")).to_be_focused()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def only_line(table: int) -> Any:
    return Game.objects.get(spielliste__table__number=table).line["minus"]


def test_paper_lists_are_typed_with_readings_and_never_lost(
    page: Page, context: BrowserContext, live_server, guard: Guard
):
    serie = hall(tables=4)
    log_in(context, live_server, serie.tournament, Role.SCHIEDSRICHTER)

    open_grid(page, live_server, serie, table=1)
    finished_lines_are_stored_while_the_next_are_typed(page)

    open_grid(page, live_server, serie, table=2)
    arrows_readings_and_odd_hands(page)
    assert only_line(table=2) == [0, [23, 28], 45, 12]

    open_grid(page, live_server, serie, table=3)
    write_games(list_of(serie, 3), FOUR[:1])
    a_changed_list_is_shown_beside_the_input(page)
    assert only_line(table=3) == [0, 32, 45, 12]

    guard.allow(LOST_CONNECTION)
    open_grid(page, live_server, serie, table=4)
    the_offline_grid_reports_that_nothing_is_stored(page)


def finished_lines_are_stored_while_the_next_are_typed(page: Page) -> None:
    press(page, *keys_of(SOUND[:3]), "4", "4")

    expect(page.locator("[data-stored]")).to_have_text("3")
    page.reload()
    expect(page.locator("[name=c3_2]")).to_have_value("35")
    expect(page.locator("[name=c4_1]")).to_be_focused()
    # Seat 2 so far: 23 + 0 + 35.
    expect(page.locator("td:has([name=c3_2]) output")).to_have_text("58")


def arrows_readings_and_odd_hands(page: Page) -> None:
    press(page, "0", "2", "3", "/", "2", "8", "Enter", "4", "5", "1", "2", "Enter")
    expect(page.locator("[name=c1_2]")).to_have_value("23/28")
    expect(page.locator("[name=c1_3]")).to_have_value("45")
    expect(page.locator("[data-told]")).to_contain_text("Nicht eindeutig")
    expect(page.locator("td:has([name=c1_1])")).to_have_class("is-dealer is-finisher")

    press(page, "ArrowDown", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowLeft")
    expect(page.locator("[name=c1_1]")).to_be_focused()
    page.locator("[name=c1_4]").focus()
    press(page, "1", "Enter")
    expect(page.locator("[data-told]")).to_contain_text("1 kann nicht sein")
    expect(page.locator("[name=c1_4]")).to_have_attribute("aria-invalid", "true")
    check_look(page, widths=[360, 1440])

    page.locator("[name=c1_4]").fill("12")
    press(page, "Control+Enter")
    expect(page.get_by_text("Steht das so auf dem Papier?")).to_be_visible()
    check_look(page, widths=[360])
    press(page, "Enter")
    expect(page.get_by_text("1 von 12 Spielen stehen in der Liste")).to_be_visible()


def a_changed_list_is_shown_beside_the_input(page: Page) -> None:
    press(page, "0", "3", "2", "4", "5", "1", "2", "Enter")
    expect(page.locator("[data-told]")).to_contain_text("hat sich inzwischen geändert")
    press(page, "Control+Enter")

    expect(page.get_by_text("in der Liste: 23")).to_be_visible()
    check_look(page, widths=[360, 820])
    press(page, "Control+Enter")
    expect(page.get_by_text("1 von 12 Spielen stehen in der Liste")).to_be_visible()


def the_offline_grid_reports_that_nothing_is_stored(page: Page) -> None:
    page.context.set_offline(True)
    press(page, *keys_of(SOUND[:1]))
    expect(page.locator("[data-told]")).to_contain_text("noch nicht gespeichert")

    page.context.set_offline(False)
    press(page, *keys_of(SOUND[1:2]))
    expect(page.locator("[data-stored]")).to_have_text("2")
    expect(page.locator("[data-told]")).to_be_hidden()
