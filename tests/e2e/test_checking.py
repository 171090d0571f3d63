"""Checking and correcting in a browser: fast, by keyboard alone, and readable on every device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e.browser import check_look, check_looks, open_for_typing, unfold
from tests.e2e.login import log_in, log_in_as
from tests.factories import (
    club_named,
    make_member,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.notices.helpers import make_case
from tournaments.checking.services import exclusions, penalties
from tournaments.common.actors import Actor
from tournaments.corrections.services import corrections
from tournaments.models import Correction, Game, Role, Spielliste, Tournament

pytestmark = pytest.mark.django_db(transaction=True)
Status = Spielliste.Status
NAMES = "Adler Böhm Conrad Dietrich Engel Fuchs Groß Haas Illner Jäger Kühn Lang".split()  # noqa: SIM905
CLUBS = ("SC Altenburg", "Erster Rommé- und Skatverein der Bergstadt Geyer 1887 e. V.", "")
ALL_BUT_ONE_SCRIPT_CAME = """() => {
  const came = performance.getEntriesByType("resource").map((entry) => entry.name);
  const asked = [...document.scripts].filter((script) => script.src);
  return asked.filter((script) => !came.includes(script.src)).length === 1;
}"""


def hall(
    *, tables: int = 3, status: str = Status.HANDED_IN, games: int = 12, **fields
) -> Tournament:
    tournament = make_tournament(name="Herbstturnier 2026", **fields)
    clubs = [club_named(name) for name in CLUBS]
    people = [make_person("Anna", name) for name in NAMES[: 4 * tables]]
    for number, person in enumerate(people):
        person.club = clubs[number % len(clubs)]
    rows = [
        [make_registration(tournament, person) for person in people[first : first + 4]]
        for first in range(0, len(people), 4)
    ]
    serie = make_seated_serie(tournament, rows)
    for table in range(1, tables + 1):
        write_games(list_of(serie, table), FOUR[:games], status=status)
    return tournament


def the_list(tournament: Tournament, table: int = 1) -> Spielliste:
    return list_of(tournament.serien.get(number=1), table)


def leading(tournament: Tournament) -> Actor:
    return Actor.account(make_member(tournament, Role.SPIELLEITUNG))


def checking_url(live_server, tournament: Tournament, path: str = "1/1/") -> str:
    return f"{live_server.url}{reverse('checking:lists', args=[tournament.slug])}{path}"


def correct(tournament: Tournament, minus: list[object], game: int = 1) -> Correction:
    spielliste = the_list(tournament)
    return corrections.correct_line(
        leading(tournament),
        spielliste.pk,
        game=game,
        line={**FOUR[game - 1], "minus": minus},
        reason="Auf dem Papier steht es anders",
        version=spielliste.version,
    )


# --- How it looks ---------------------------------------------------------------------------------


def everything(tournament: Tournament) -> None:
    """Let the first list have all that can be said about one."""
    correct(tournament, [0, [17, 71], 54, 12])
    Game.objects.filter(spielliste=the_list(tournament), number=2).update(
        line={**FOUR[1], "minus": [31, 0, 1, 190]}, overridden=True
    )
    spielliste = the_list(tournament)
    second = spielliste.table.seats.get(number=2).registration
    about, leader = {"registration_id": second.pk}, leading(tournament)
    penalties.give_at_once(
        leader, spielliste.pk, **about, points=100, reason="Karten zusammengeworfen"
    )
    penalties.propose(leader, spielliste.pk, **about, points=150, reason="Noch einmal")
    asked(tournament)


def asked(tournament: Tournament) -> None:
    """Request corrections of a game and of the whole list for the first table."""
    make_case(the_list(tournament))
    make_case(the_list(tournament), game=None, text="Böhm und Conrad sind vertauscht. " * 3)


def excluded(tournament: Tournament) -> None:
    exclusions.exclude(
        leading(tournament),
        the_list(tournament).table.seats.get(number=2).registration_id,
        reason="Tätlichkeit",
    )


def proposed(tournament: Tournament) -> None:
    correct(tournament, [0, 123, 45, 12])


def nothing(_tournament: Tournament) -> None:
    """Leave the lists handed in."""


@dataclass(frozen=True)
class StatePages:
    """Pages of a tournament in one of its states."""

    paths: tuple[str, ...]
    prepare: Callable[[Tournament], None] = nothing
    fields: dict[str, Any] = field(default_factory=dict)


EVERYTHING = ("1/", "1/1/", "1/1/strafpunkte/", "1/1/verlauf/", "1/1/staende/")
HANDED_IN = ("1/1/", "1/1/bonus/", "1/1/ungueltig/", "ausschluss/2/")
ASKED = ("1/1/zeile/?spiel=5&platz=3&punkte=52", "1/umsetzen/")


STATES = {
    "everything": StatePages(EVERYTHING, everything),
    "handed-in": StatePages(HANDED_IN),
    "correction-asked-for": StatePages(ASKED, asked),
    "verified": StatePages(("1/", "1/1/"), fields={"status": Status.VERIFIED}),
    "invalid": StatePages(("1/1/",), fields={"status": Status.INVALID}),
    "open": StatePages(("1/1/",), fields={"status": Status.OPEN, "games": 3}),
    "exclusion-done": StatePages(("berichtigungen/1/",), excluded),
    "waits-for-somebody": StatePages(("berichtigungen/1/",), proposed, {"four_eyes": True}),
}


def test_pages_of_checking_look_right_everywhere(page: Page, context: BrowserContext, live_server):
    head, urls = make_user(), []
    for state, seen in STATES.items():
        tournament = hall(slug=state, **seen.fields)
        seen.prepare(tournament)
        tournament.memberships.create(user=head, role=Role.SPIELLEITUNG)
        urls += [checking_url(live_server, tournament, path) for path in seen.paths]
    log_in_as(head, context, live_server)

    check_looks(page, urls, prepare=unfold, strong=True, least=44)


# --- By keyboard alone --------------------------------------------------------------------------


def test_lists_are_corrected_compared_and_checked_by_keyboard(
    page: Page, context: BrowserContext, live_server
):
    tournament = hall()
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    no_field_has_the_focus_before_its_script_runs(
        page, checking_url(live_server, tournament, "1/3/")
    )
    url = checking_url(live_server, tournament)
    open_for_typing(page, url)

    a_changed_cell_shows_its_effect_while_typing(page)
    page.goto(f"{url}zeile/?spiel=1&platz=3")
    an_impossible_hand_is_reported_while_typing(page)
    open_for_typing(page, f"{url}zeile/?spiel=1&platz=3&punkte=54")
    correct(tournament, [13, 0, 18, 40], game=2)
    concurrent_changes_of_a_list_are_shown(page)
    page.goto(checking_url(live_server, tournament, "1/2/"))
    the_sums_of_the_paper_are_typed_and_compared_at_once(page)
    assert the_list(tournament, 2).paper_sums == [290, 311, 393, 341]


def no_field_has_the_focus_before_its_script_runs(page: Page, url: str) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/js/checking.js", hold)
    page.goto(url, wait_until="commit")
    command = page.locator("#id_command")
    expect(command).to_be_attached()
    # No frames are drawn meanwhile: code waiting for one would wait for ever.
    page.wait_for_function(ALL_BUT_ONE_SCRIPT_CAME, polling=50)

    expect(command).not_to_be_focused()
    (script,) = held
    script.continue_()
    page.unroute("**/js/checking.js", hold)
    expect(command).to_be_focused()
    page.keyboard.press("F2")

    expect(page.get_by_role("heading", name="Tisch 1", exact=True)).to_be_visible()


def a_changed_cell_shows_its_effect_while_typing(page: Page) -> None:
    page.keyboard.type("5 3")
    page.keyboard.press("Enter")
    expect(page.locator("#id_minus_3")).to_be_focused()
    page.keyboard.type("52")
    expect(page.locator("#effects .changes")).to_contain_text("52")
    page.keyboard.press("Enter")
    expect(page.locator("#id_reason")).to_be_focused()
    page.keyboard.type("Papier sagt 52")
    page.keyboard.press("Enter")

    expect(page.get_by_text("Berichtigung 1 ist gespeichert")).to_be_visible()


def an_impossible_hand_is_reported_while_typing(page: Page) -> None:
    page.locator("#id_minus_3").fill("1")

    expect(page.locator("#effects")).to_contain_text("1 kann nicht sein")
    check_look(page, widths=(360,))


def concurrent_changes_of_a_list_are_shown(page: Page) -> None:
    page.keyboard.type("Zahlendreher")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("inzwischen geändert")
    expect(page.locator("#id_reason")).to_have_value("Zahlendreher")
    check_look(page, widths=(820,))
    page.get_by_role("button", name="Speichern").click()

    expect(page.get_by_text("Berichtigung 3 ist gespeichert")).to_be_visible()


def the_sums_of_the_paper_are_typed_and_compared_at_once(page: Page) -> None:
    page.locator("#id_sum_1").focus()
    for total in ("290", "311", "393"):
        page.keyboard.type(total)
        page.keyboard.press("Enter")
    expect(page.locator("#id_sum_4")).to_be_focused()
    verdicts = page.locator("[data-verdict]")
    expect(verdicts.nth(0)).to_have_text("✓")
    expect(verdicts.nth(2)).to_have_text("≠")
    page.keyboard.type("341")
    page.keyboard.press("Enter")

    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(
        "Platz 3: Auf dem Papier steht 393, gerechnet sind 339 Minuspunkte"
    )
    page.get_by_label("Die Liste stimmt so").check()
    page.keyboard.press("F2")
    expect(page.get_by_role("heading", name="Tisch 1", exact=True)).to_be_visible()


def test_a_phone_shows_all_players_of_a_list(page: Page, context, live_server):
    tournament = hall()
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    page.set_viewport_size({"width": 360, "height": 780})

    page.goto(checking_url(live_server, tournament))

    card = page.locator(".table-card:has(.sheet)")
    assert card.evaluate("card => card.scrollWidth - card.clientWidth") == 0
    # The sum of the first game is below its points, in the same column.
    points, total = page.locator(".sheet tbody tr").first.locator("td.num").all()[:2]
    above, below = points.bounding_box(), total.bounding_box()
    assert above
    assert below
    assert below["x"] == above["x"]
    assert below["y"] >= above["y"] + above["height"]
