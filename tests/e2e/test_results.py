"""Rankings, Entscheidungsspiele and prizes in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from scoring.payments.prizes import PrizeLine, PrizePlan, RankingCategory, TieRule
from scoring.payments.prizes import PrizeRanking as Key
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.e2e.browser import check_look, check_looks
from tests.e2e.login import log_in, log_in_as
from tests.factories import (
    COMMAND,
    club_named,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.factories_results import SeatOutcome, make_team, play_serie, take_startgeld
from tournaments.journal import services as journal
from tournaments.models import Ranking, Registration, Role, Spielliste, Tournament
from tournaments.prizes.services import playoffs

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = "Adler Böhm Conrad Dietrich Engel Fuchs Groß Haas".split()  # noqa: SIM905
CLUBS = ("SC Altenburg", "Erster Rommé- und Skatverein der Bergstadt Geyer 1887 e. V.", "")


def make_field(**fields) -> tuple[Tournament, list[Registration]]:
    tournament = make_tournament(
        name="Herbstturnier 2026", status="running", **{"serien": 2, **fields}
    )
    clubs = [club_named(name) for name in CLUBS]
    players = [
        make_registration(
            tournament,
            make_person("Hans-Joachim" if at % 3 else "Anna", name, club=clubs[at % 3]),
        )
        for at, name in enumerate(NAMES)
    ]
    return tournament, players


def make_played() -> Tournament:
    """Two Serien; 1 and 2 are equal in everything on the first place, and play for a prize."""
    tournament, players = make_field()
    women = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.WOMEN)
    tandem = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    for player in players[::3]:
        player.rankings.add(women)
    for at in range(0, 8, 2):
        make_team(tandem, f"Altenburger Asse {at}", players[at : at + 2])
    first = [
        (SeatOutcome(100, won=4), 110, SeatOutcome(120, hand=1), SeatOutcome(130, won=2)),
        (105, 115, 125, 135),
    ]
    second = [(110, 120, 130, 140), (SeatOutcome(100, won=4), 120, 130, SeatOutcome(140, won=2))]
    play_serie(tournament, [players[:4], players[4:]], first)
    play_serie(tournament, [players[::2], players[1::2]], second, number=2)
    take_startgeld(tournament)
    lines = (
        PrizeLine(place=1, share_permille=500, goods="Wanderpokal"),
        PrizeLine(place=2, share_permille=300),
        PrizeLine(ranking=Key(category=RankingCategory.WOMEN), place=1, goods="Blumenstrauß"),
        PrizeLine(ranking=Key(category=RankingCategory.SERIE, serie=1), place=1, fixed_cents=1000),
    )
    plan = PrizePlan(lines=lines, ties=TieRule.PLAYOFF, kept_permille=200)
    tournament.prize_plan = {"startgeld": plan.to_dict()}
    tournament.save()
    return tournament


def make_running() -> Tournament:
    """Serie 2 runs: one list is whole, one has three games and an unclear one."""
    tournament, players = make_field()
    rows = [players[:4], players[4:]]
    play_serie(tournament, rows, [(100, 110, 120, 130), (80, 90, 95, 140)])
    serie = make_seated_serie(tournament, rows, number=2)
    games = [
        {
            "finisher": at % 4 + 1,
            "handromme": at == 2,
            "minus": [0 if seat == at % 4 else 40 + 7 * at % 31 + seat for seat in range(4)],
        }
        for at in range(12)
    ]
    write_games(list_of(serie, 1), games, status=Spielliste.Status.SIGNED)
    unclear = {"finisher": [1, 2], "handromme": False, "minus": [[17, 71], 4, 30, 12]}
    write_games(list_of(serie, 2), [*games[:3], unclear])
    return tournament


def make_new() -> Tournament:
    return make_field()[0]


def make_paid_out() -> Tournament:
    """Make a prize no longer due, a struck-out Entscheidungsspiel, and a valid one."""
    tournament = make_played()
    wrong = playoffs.record(COMMAND, tournament.pk, order=[1, 2], note="6:4")
    playoffs.withdraw(COMMAND, wrong.pk, reason="falsch herum eingetragen")
    playoffs.record(COMMAND, tournament.pk, order=[2, 1])
    return tournament


def make_money() -> Tournament:
    tournament, players = make_field(rule_set=ruleset_to_dict(ruleset("hausregel")))
    serie = make_seated_serie(tournament, [players[:4]])
    games = [
        {"finisher": 1, "handromme": False, "minus": [0, 23, 45, 12]},
        {"finisher": 3, "handromme": True, "minus": [61, 88, 0, 40]},
    ]
    write_games(list_of(serie), games, status=Spielliste.Status.VERIFIED)
    return tournament


def url(live_server, tournament: Tournament, path: str = "") -> str:
    return f"{live_server.url}/turniere/{tournament.slug}/rangliste/{path}"


OF_A_TIE = ("", "?wertung=tandem", "?wertung=serie-2", "entscheidungsspiele/", "preise/")
STATES = {
    "nothing-yet": (make_new, ("", "statistik/", "preise/")),
    "a-tie-for-which-the-prizes-wait": (make_played, (*OF_A_TIE, "statistik/")),
    # A line opened shows an unclear game.
    "provisional": (make_running, ("?laufend=1", "nr/5/")),
    "tie-decided": (make_paid_out, ("entscheidungsspiele/", "preise/")),
    "settlement": (make_money, ("abrechnung/",)),
}


def test_pages_of_the_results_look_right_everywhere(
    page: Page, context: BrowserContext, live_server
):
    head, urls = make_user(), []
    for state, (make, paths) in STATES.items():
        tournament = make()
        tournament.slug = state
        tournament.save()
        tournament.memberships.create(user=head, role=Role.SPIELLEITUNG)
        urls += [url(live_server, tournament, path) for path in paths]
    log_in_as(head, context, live_server)

    def unfold(page: Page) -> None:
        # A menu covers the content below it until it is closed.
        unfolded = "'#main details:not(.menu)'"
        page.evaluate(f"document.querySelectorAll({unfolded}).forEach((one) => one.open = true)")

    check_looks(page, urls, prepare=unfold, strong=True, least=44)
    page.goto(
        f"{live_server.url}/turniere/a-tie-for-which-the-prizes-wait/rangliste/?wertung=tandem"
    )
    page.get_by_role("link", name="Altenburger Asse 2").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Altenburger Asse 2")
    check_look(page)


def test_a_ranking_starts_with_names_on_a_phone_and_updates_live(
    page: Page, context: BrowserContext, live_server
):
    tournament = make_running()
    a_ranking_begins_with_names(page, f"{live_server.url}/t/{tournament.slug}/rangliste/")
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    a_ranking_begins_with_names(page, url(live_server, tournament))

    page.clock.install()
    page.goto(url(live_server, tournament, "?laufend=1"))
    first = page.locator(".ranking tbody tr").first
    expect(page.get_by_text("1 von 2 Listen fehlt (Tisch 2)")).to_be_visible()
    spielliste = Spielliste.objects.get(table__serie__number=2, table__number=2)
    game = {"finisher": 4, "handromme": False, "minus": [2, 2, 2, 0]}
    write_games(spielliste, [game] * 8, status=Spielliste.Status.COMPLETE)
    _tell(tournament)
    page.clock.fast_forward("00:16")
    expect(page.get_by_text("Listen fehlt")).to_have_count(0)
    expect(first).to_contain_text("Haas")


def _tell(tournament: Tournament) -> None:
    from django.db import transaction  # noqa: PLC0415

    with transaction.atomic():
        journal.record(tournament, COMMAND, "test")


def a_ranking_begins_with_names(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(address)
    rows = page.locator(".ranking tbody tr")
    expect(rows).to_have_count(8)

    top = "(row) => row.getBoundingClientRect().top + scrollY"
    assert rows.first.evaluate(top) <= 300
    stands = page.get_by_role("navigation", name="Stand")
    stands.get_by_role("button", name="nach Serie 1").click()
    stands.get_by_role("link").first.click()
    expect(page.get_by_text("nach Spiel 4").first).to_be_visible()

    # On a screen it is no wider than a glance.
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.locator("#ranking").evaluate("(one) => one.offsetWidth") <= 64 * 16
