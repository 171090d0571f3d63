"""The draw in a browser: cards by keyboard, the electronic draw, and the public pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.browser import check_look, check_looks, open_for_typing, unfold
from tests.e2e.login import log_in, log_in_as
from tests.factories import (
    COMMAND,
    club_named,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.tournaments.draw.test_ranking import unfinished
from tournaments.common.access_keys import player_path
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.services import drafts, draws
from tournaments.machine import jobs
from tournaments.models import Draw, Job, Registration, Role, Seat, Serie, Tournament
from tournaments.results.services import player_access

pytestmark = pytest.mark.django_db(transaction=True)
Method = Serie.Seating
PLAYERS = 11
FLOOR = "tische-stellen/"
NAMES = "Adler Böhm Conrad Dietrich Engel Fuchs Groß Haas Illner Jäger Kühn".split()  # noqa: SIM905
CLUBS = ("SC Altenburg", "Erster Rommé- und Skatverein der Bergstadt Geyer 1887 e. V.", "")


def field(players: int = PLAYERS, **fields: Any) -> Tournament:
    tournament = make_tournament(name="Herbstturnier 2026", **fields)
    clubs = [club_named(name) for name in CLUBS]
    for number in range(players):
        person = make_person(
            "Anna",
            NAMES[number],
            club=clubs[number % len(clubs)],
            publish_consent=number % 2 == 0,
        )
        make_registration(tournament, person)
    return tournament


def begin(tournament: Tournament, method: Serie.Seating) -> Draw:
    serie = tournament.serien.get(number=1)
    return draws.begin(COMMAND, serie.pk, method=method)


def running(draw: Draw) -> Job:
    return Job.objects.create(
        tournament=draw.serie.tournament,
        kind="draw",
        params={"draw": draw.pk},
        status=Job.Status.RUNNING,
        result={"rematches": 8},
        heartbeat_at=timezone.now(),
        done=1,
        total=5,
    )


def carry_out(draw: Draw) -> Draw:
    return draws.store_plan(COMMAND, draw.pk, plan=draws.plan_of(draw))


def published(tournament: Tournament) -> Serie:
    draw = carry_out(begin(tournament, Method.ELECTRONIC))
    return draws.publish(COMMAND, draw.pk)


def draw_url(live_server, tournament: Tournament, path: str = "1/") -> str:
    return f"{live_server.url}/turniere/{tournament.slug}/auslosung/{path}"


def nothing(_tournament: Tournament) -> None:
    """Leave the Serie without a draw."""


def some_cards(tournament: Tournament) -> None:
    draw = begin(tournament, Method.CARDS)
    for number, table, seat in [(1, 1, 1), (4, 1, 2), (2, 3, 3)]:
        draw_cards.enter_cards(COMMAND, draw.pk, cards={number: (table, seat)})


def all_cards(tournament: Tournament) -> None:
    draw = begin(tournament, Method.CARDS)
    draw_cards.fill_up(COMMAND, draw.pk)
    drafts.apply_crossing(COMMAND, draw.pk)


def late_and_missing(tournament: Tournament) -> None:
    published(tournament)
    gone = tournament.registrations.filter(number__in=[2, 5])
    gone.update(status=Registration.Status.NO_SHOW, present_at=None)
    make_registration(tournament, make_person("Hans-Joachim", "von Hohenstein-Müllerburg"))


def drawn_again(tournament: Tournament) -> Draw:
    serie = published(tournament)
    again = draws.begin(COMMAND, serie.pk, method=Method.ELECTRONIC, reason="zwei fehlten")
    return carry_out(again)


STATES: dict[str, tuple[Callable[[Tournament], object], tuple[str, ...]]] = {
    "not-drawn": (nothing, ("", "1/")),
    "cards-missing": (some_cards, ("1/",)),
    "draft-of-cards": (all_cards, ("1/",)),
    "before-the-draw": (lambda t: begin(t, Method.ELECTRONIC), ("1/", "1/pruefzahl/")),
    "being-drawn": (lambda t: running(begin(t, Method.ELECTRONIC)), ("1/",)),
    "draft": (lambda t: carry_out(begin(t, Method.ELECTRONIC)), ("1/",)),
    "published": (
        published,
        ("1/", "1/?neu=1", "1/tausch-pruefen/?first=1&second=6", "2/", "", FLOOR),
    ),
    "drawn-again": (drawn_again, ("1/",)),
    "replaced": (lambda t: draws.publish(COMMAND, drawn_again(t).pk), ("1/",)),
    "late-and-missing": (late_and_missing, ("1/",)),
}


def test_pages_of_the_draw_look_right_everywhere(page: Page, context: BrowserContext, live_server):
    head, urls = make_user(), []
    for state, (prepare, paths) in STATES.items():
        tournament = field(slug=state)
        prepare(tournament)
        tournament.memberships.create(user=head, role=Role.SPIELLEITUNG)
        urls += [draw_url(live_server, tournament, path) for path in paths]
    log_in_as(head, context, live_server)

    def unfold_all(page: Page) -> None:
        unfold(page)
        if page.url.endswith("/2/"):
            page.get_by_label("gesetzt nach Rangliste").check()

    check_looks(page, urls, prepare=unfold_all)


def test_cards_are_typed_scanned_and_corrected_by_keyboard(
    page: Page, context: BrowserContext, live_server
):
    tournament = field(7)
    begin(tournament, Method.CARDS)
    player_access.store_tokens(tournament)
    log_in(context, live_server, tournament, Role.KASSE)
    open_for_typing(page, draw_url(live_server, tournament))

    for number, card in enumerate(["1-1", "1-2", "1-3", "1-4"], start=1):
        type_card(page, f"{number} {card}")
        expect(card_of(page, number)).to_have_count(1)
    a_scanned_card_asks_for_table_and_place(page, tournament.registrations.get(number=5))
    a_taken_card_is_refused_and_corrected(page)
    type_card(page, "7 2-3")
    expect(card_of(page, 7)).to_have_count(1)

    expect(page.get_by_text("Karte fehlt")).to_have_count(0)
    draw = Draw.objects.get()
    assert [len(row) for row in draw.seats] == [4, 3]
    assert not any(key is None for row in draw.seats for key in row)


def type_card(page: Page, text: str) -> None:
    expect(page.locator("#id_entry")).to_be_focused()
    expect(page.locator("#id_entry")).to_have_value("")
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def card_of(page: Page, number: int) -> Locator:
    return page.locator(".round-seat", has_text=NAMES[number - 1])


def a_scanned_card_asks_for_table_and_place(page: Page, who: Registration) -> None:
    # A scanner types the address in the code and presses Enter.
    type_card(page, f"https://turnier.example{player_path(who)}")
    expect(page.get_by_role("heading", name="Karte von 5 Anna Engel")).to_be_visible()
    expect(page.locator("#main [autofocus]")).to_be_focused()
    page.keyboard.type("2-1")
    page.keyboard.press("Enter")

    expect(page.locator(".round-seat", has_text="Engel")).to_have_count(1)
    expect(page.locator("#messages")).to_contain_text("Tisch 2, Platz 1")


def a_taken_card_is_refused_and_corrected(page: Page) -> None:
    type_card(page, "6 2-1")
    expect(page.get_by_role("alert").first).to_contain_text("falsch gelesen")
    expect(page.locator("#id_entry")).to_have_value("6 2-1")
    expect(page.locator("#id_entry")).to_be_focused()
    expect(page.locator("#id_entry")).to_have_js_property("selectionEnd", len("6 2-1"))
    expect(page.locator("#id_entry")).to_have_js_property("selectionStart", 0)
    page.keyboard.type("6 2-2")
    page.keyboard.press("Enter")
    expect(card_of(page, 6)).to_have_count(1)


def two_people_are_tapped_reviewed_and_swapped(page: Page, serie: Serie) -> None:
    first = Seat.objects.get(serie=serie, table__number=1, number=1).registration
    other = Seat.objects.get(serie=serie, table__number=2, number=1).registration

    page.locator(".round-seat", has_text=first.person.last_name).click()
    expect(page.locator("#swap")).to_contain_text("tauscht mit wem?")
    page.locator(".round-seat", has_text=other.person.last_name).click()
    expect(page.locator("#swap")).to_contain_text("an Tisch 2, Platz 1")
    expect(page.locator("#swap")).to_contain_text("Vereinspaare an einem Tisch")
    page.get_by_label("Grund", exact=True).fill("saßen falsch")
    page.get_by_role("button", name="So tauschen").click()

    expect(page.locator("#messages")).to_contain_text("Die Plätze sind getauscht")
    assert Seat.objects.get(serie=serie, registration=first).table.number == 2


def test_an_electronic_draw_is_published_and_two_seats_are_swapped(
    page: Page, context: BrowserContext, live_server, monkeypatch: pytest.MonkeyPatch
):
    # The server answers from a thread of this process: the work is done there at once.
    monkeypatch.setattr(jobs, "spawn", jobs.run)
    tournament = field()
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    page.goto(draw_url(live_server, tournament))

    page.get_by_label("elektronische Auslosung").check()
    page.get_by_role("button", name="Auslosung beginnen").click()
    shown = page.locator(".seed-hash").text_content()
    page.get_by_role("button", name="Jetzt auslosen").click()
    expect(page.get_by_role("heading", name="Was herausgekommen ist")).to_be_visible()
    page.get_by_role("button", name="Bekannt geben").click()
    page.get_by_role("dialog").get_by_role("button", name="Bekannt geben").click()
    expect(page.get_by_text("bekannt gegeben", exact=True)).to_be_visible()

    draw = Draw.objects.get()
    assert shown == draw.seed_hash
    assert Seat.objects.count() == PLAYERS
    page.get_by_text("Nachprüfen").click()
    expect(page.get_by_text(draw.seed, exact=True)).to_be_visible()

    page.reload()
    two_people_are_tapped_reviewed_and_swapped(page, draw.serie)


def test_tables_and_people_are_moved_by_dragging(page: Page, context: BrowserContext, live_server):
    tournament = field()
    published(tournament)
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    page.goto(draw_url(live_server, tournament, FLOOR))
    cells = page.locator(".floor td")

    page.get_by_text("Tisch 1", exact=True).click()
    cells.nth(9).get_by_role("button").click()
    expect(cells.nth(9)).to_contain_text("1")
    drag(page, cells.nth(1).locator("label"), cells.nth(4))
    expect(cells.nth(4)).to_contain_text("2")

    tournament.refresh_from_db()
    assert tournament.floor == [[0, 0, 3, 0, 2], [0, 1, 0, 0, 0]]
    page.goto(draw_url(live_server, tournament))
    drag(page, page.locator(".round-seat").first, page.locator(".round-seat").last)
    expect(page.locator("#swap")).to_contain_text("an Tisch 1, Platz")


def drag(page: Page, what: Locator, to: Locator) -> None:
    """Drag slowly enough for the browser to report the target, as a hand does.

    Both elements are scrolled into view before; the pointer loses an element that scrolls during a
    drag.
    """
    to.scroll_into_view_if_needed()
    what.hover()
    page.mouse.down()
    to.hover()
    to.hover()
    page.mouse.up()


def test_seating_by_an_unverified_ranking_needs_a_confirmation(
    page: Page, context: BrowserContext, live_server
):
    tournament = unfinished()
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    page.goto(draw_url(live_server, tournament, "2/"))
    confirmation = page.get_by_label("Trotz ungeprüfter Listen nach der Rangliste setzen")

    expect(confirmation).to_be_hidden()
    page.get_by_label("gesetzt nach Rangliste").check()
    expect(page.get_by_text("Serie 1 Tisch 2.")).to_be_visible()
    page.get_by_role("button", name="Auslosung beginnen").click()
    expect(page.get_by_role("alert").first).to_contain_text("bestätigt das ausdrücklich")
    confirmation.check()
    page.get_by_label("als Schlange").check()
    page.get_by_role("button", name="Auslosung beginnen").click()

    expect(page.get_by_role("heading", name="Was herausgekommen ist")).to_be_visible()
    expect(page.locator(".round")).to_have_count(2)
    check_look(page)


def public_url(live_server, tournament: Tournament, path: str = "sitzplan/1/") -> str:
    return f"{live_server.url}/t/{tournament.slug}/{path}"


def test_published_seats_appear_on_every_open_page(page: Page, live_server):
    tournament = field()
    page.goto(public_url(live_server, tournament, "sitzplan/1/?nr=5"))
    check_look(page)
    page.clock.install()
    page.goto(public_url(live_server, tournament))
    expect(page.get_by_text("Noch nicht ausgelost")).to_be_visible()
    page.fill("#nr", "5")

    published(tournament)
    page.clock.fast_forward("00:16")

    expect(page.locator(".round")).to_have_count(3)
    expect(page.locator("#nr")).to_have_value("5")
    page.keyboard.press("Enter")
    expect(page.locator(".own-seat")).to_contain_text("Tisch")
    check_look(page)


def test_a_running_draw_shows_its_progress_and_its_result(
    page: Page, context: BrowserContext, live_server
):
    tournament = field(8)
    draw = begin(tournament, Method.ELECTRONIC)
    job = running(draw)
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    page.goto(draw_url(live_server, tournament))
    progress = page.get_by_role("progressbar")
    expect(progress).to_have_attribute("value", "1")

    Job.objects.filter(pk=job.pk).update(done=2)
    expect(progress).to_have_attribute("value", "2")
    page.get_by_role("button", name="So nehmen").click()
    expect(page.get_by_text("Was bis jetzt gefunden ist, wird genommen.")).to_be_visible()
    carry_out(draw)
    Job.objects.filter(pk=job.pk).update(status=Job.Status.DONE, finished_at=timezone.now())

    expect(page.get_by_role("button", name="Bekannt geben")).to_be_visible()
    expect(progress).to_have_count(0)


def test_a_phone_shows_the_drawbacks_of_a_draft(page: Page, context: BrowserContext, live_server):
    tournament = field()
    person = tournament.registrations.get(number=1).person
    type(person).objects.filter(pk=person.pk).update(first_name="Elfriede", last_name="Hohenstein")
    head = make_user()
    tournament.memberships.create(user=head, role=Role.SPIELLEITUNG)
    log_in_as(head, context, live_server)
    draw = begin(tournament, Method.CARDS)
    of_one_club = {1: (1, 1), 4: (1, 2), 7: (1, 3), 10: (1, 4)}
    draw_cards.enter_cards(COMMAND, draw.pk, cards=of_one_club)
    draw_cards.fill_up(COMMAND, draw.pk)
    page.set_viewport_size({"width": 360, "height": 760})
    page.goto(draw_url(live_server, tournament))

    report = page.locator(".report")
    expect(report.locator(".report-people").first).to_be_visible()

    assert report.evaluate("card => card.scrollWidth <= card.clientWidth")
