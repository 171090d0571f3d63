"""Serienpreise: a fixed part of each Startgeld, by Serie, described, paid, closed and archived."""

from __future__ import annotations

import json
import re

import pytest

from scoring.errors import ScoringError
from scoring.payments.prizes import PrizePlan
from tests.clients import at, logged_in
from tests.factories import COMMAND, make_member, make_players, make_tournament
from tests.factories_results import play_serie, take_money, take_startgeld
from tests.tournaments.prizes.helpers import Kind, line, set_plan, won
from tournaments.announcement.queries import poster, pot_money
from tournaments.announcement.queries.prize_lines import plans_in_money, prize_lines
from tournaments.announcement.services.checks import missing_facts
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.cash.queries.report import report
from tournaments.closing.queries.standings import snapshot
from tournaments.common.formats import NO_BREAK_SPACE
from tournaments.journal import proof
from tournaments.models import Category, Role, Tournament
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import prizes

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FIRST = line(1, share_permille=1000)
SHARES = (500, 300, 200)


def club(*, paid: bool = True, kartengeld: bool = True, **plan) -> Tournament:
    """As clubs announce it: 15 € and 7,50 € for Serienpreise, and 1 € Kartengeld; two Serien.

    In the first Serie 1, 2 and 3 are the best, in the second 5, 6 and 7.
    """
    tournament = make_tournament(serien=2, startgeld_cents=2250, kartengeld_cents=100)
    field = make_players(tournament, 8)
    play_serie(tournament, [field[:4], field[4:]], [(60, 65, 70, 75), (80, 85, 90, 110)])
    second = [field[4:], field[:4]]
    play_serie(tournament, second, [(10, 20, 30, 40), (50, 60, 65, 70)], number=2)
    if paid:
        for registration in field:
            lines = [(Kind.STARTGELD, 2250, registration), (Kind.KARTENGELD, 100, registration)]
            take_money(tournament, lines)
    plan = {"lines": (FIRST,), "serie_cents": 750, "serie_shares": SHARES} | plan
    set_plan(tournament, startgeld=PrizePlan(**plan))
    return tournament


def rows_of(tournament: Tournament) -> list[tuple[str, str, int | None, int]]:
    sheet = PrizeSheet(tournament)
    return [(row.pot, row.ranking, row.registration.number, row.cents) for row in sheet.rows]


def test_each_serie_pays_its_half_of_the_part():
    # 8 × 22,50 € = 180 €, of it 8 × 7,50 € = 60 € for Serienpreise: 30 € for each of two Serien
    assert rows_of(club()) == [
        ("startgeld", "einzel", 5, 12000),  # 80 + 10 = 90 points are the fewest
        ("serienpreise", "serie-1", 1, 1500),
        ("serienpreise", "serie-1", 2, 900),
        ("serienpreise", "serie-1", 3, 600),
        ("serienpreise", "serie-2", 5, 1500),
        ("serienpreise", "serie-2", 6, 900),
        ("serienpreise", "serie-2", 7, 600),
    ]


def test_sums_equal_those_of_the_cash_report():
    tournament = club()

    pots, booked = PrizeSheet(tournament).pots, {}
    for each in report(tournament).kinds:
        booked[each.kind] = each.total_cents

    assert booked == {Kind.STARTGELD: 18000, Kind.KARTENGELD: 800}
    assert [pot.takings_cents for pot in pots] == [12000, 3000, 3000]
    assert sum(pot.takings_cents for pot in pots) == booked[Kind.STARTGELD]


def test_the_kept_part_is_taken_from_the_rest():
    # 10 % of 120 € stay; the Serienpreise are paid out whole
    assert won(club(kept_permille=100)) == {
        "5": 10800 + 1500,
        "1": 1500,
        "2": 900,
        "3": 600,
        "6": 900,
        "7": 600,
    }


def test_odd_cents_go_to_the_first_serien_and_whole_euros_leave_a_rest():
    odd, whole = (
        club(serie_cents=133, serie_shares=(1000,)),
        club(whole_euros=True, serie_cents=110),
    )

    # 8 × 1,33 € = 10,64 €, 5,32 € each; 8 × 1,10 € = 8,80 €, 4,40 € each: 2,20 / 1,32 / 0,88
    assert [pot.takings_cents for pot in PrizeSheet(odd).pots[1:]] == [532, 532]
    assert pot_money.by_serie(1000, [3, 1, 2]) == {1: 334, 2: 333, 3: 333}
    serie = PrizeSheet(whole).pots[1]
    assert [each.cents for each in serie.prizes.awards] == [200, 100, 0]
    assert serie.prizes.rest_cents == 140


@pytest.mark.parametrize(
    ("paid", "expected"),
    [
        pytest.param(2250, (1500, 750), id="whole"),
        pytest.param(1000, (250, 750), id="in part: the Serien first"),
        pytest.param(500, (0, 500), id="less than the part"),
        pytest.param(5000, (1500, 750), id="too much"),
    ],
)
def test_the_serie_part_is_fixed_and_within_the_payment(paid, expected):
    tournament = club(paid=False)
    take_money(tournament, [(Kind.STARTGELD, paid, tournament.registrations.get(number=1))])

    takings = pot_money.takings(tournament)

    assert (takings["startgeld"], takings["serienpreise"]) == expected


def test_a_reduced_startgeld_gives_the_same_part():
    tournament = club(paid=False)
    young = Category.objects.create(tournament=tournament, name="Jugend", startgeld_cents=1200)
    tournament.registrations.filter(number=1).update(category=young)
    take_money(tournament, [(Kind.STARTGELD, 1200, tournament.registrations.get(number=1))])

    assert pot_money.takings(tournament) == {"startgeld": 450, "serienpreise": 750, "kartengeld": 0}


def test_a_winner_of_both_prizes_gets_one_receipt():
    tournament = club()
    key = f"r{tournament.registrations.get(number=5).pk}"

    prizes.pay(COMMAND, tournament.pk, recipient=key, expected_cents=13500)

    paid = {(each.pot, each.ranking): each.amount_cents for each in tournament.prize_payouts.all()}
    assert paid == {("startgeld", "einzel"): 12000, ("serienpreise", "serie-2"): 1500}


def test_without_serienpreise_nothing_changes():
    tournament = club(serie_cents=0, serie_shares=())

    assert rows_of(tournament) == [("startgeld", "einzel", 5, 18000)]
    [planned] = plans_in_money(tournament)
    assert "Serienpreise" not in dict(prize_lines(planned))


def test_the_announcement_describes_part_and_places():
    tournament = make_tournament(serien=3, startgeld_cents=2250, kartengeld_cents=100)
    plan = PrizePlan(lines=(FIRST,), serie_cents=750, serie_shares=SHARES, expected_entries=40)
    set_plan(tournament, startgeld=plan)

    [planned] = plans_in_money(tournament)
    said = {
        label: text.replace(NO_BREAK_SPACE, " ")
        for label, text in dict(prize_lines(planned)).items()
    }

    # 40 × 7,50 € = 300 €, 100 € for each of three Serien; 40 × 15 € = 600 € for the others
    assert said == {
        "Gesamtwertung, bei 40 Teilnehmenden etwa": "1. Platz: 600,00 € (100 %)",
        "Serienpreise": "7,50 € von jedem Startgeld, auf alle Serien gleich verteilt",
        "Jede Serie, bei 40 Teilnehmenden etwa": (
            "1. Platz: 50 %, 50,00 €\n2. Platz: 30 %, 30,00 €\n3. Platz: 20 %, 20,00 €"
        ),
    }
    fee = [each.replace(NO_BREAK_SPACE, " ") for each in poster.fee(tournament)]
    assert fee == ["22,50 €", "davon 7,50 € für Serienpreise", "dazu Kartengeld 1,00 €"]


def test_a_part_above_the_startgeld_prevents_the_announcement():
    tournament = make_tournament(startgeld_cents=1500)
    set_plan(tournament, startgeld=PrizePlan(lines=(), serie_cents=1600, serie_shares=(1000,)))

    said = [each.sentence.replace(NO_BREAK_SPACE, " ") for each in missing_facts(tournament)]

    expected = "Für Serienpreise sollen 16,00 € von jedem Startgeld sein; es beträgt 15,00 €."
    assert expected in said


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param({"serie_cents": 750}, id="no shares"),
        pytest.param({"serie_shares": (1000,)}, id="no part"),
        pytest.param({"serie_cents": 750, "serie_shares": (600, 500)}, id="110 %"),
    ],
)
def test_an_incomplete_choice_of_serienpreise_is_refused(plan):
    with pytest.raises(ScoringError):
        PrizePlan(lines=(FIRST,), **plan)


def test_closing_and_archive_keep_the_prizes():
    tournament = club()
    kept = {
        (each["ranking"], each["number"], each["cents"]) for each in snapshot(tournament)["prizes"]
    }
    assert {("serie-1", 1, 1500), ("serie-2", 5, 1500)} <= kept

    proof.baseline_proof(tournament)
    written = archive_text(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(slug="vorher")
    imported = import_archive(written.encode(), actor=COMMAND)

    assert json.loads(archive_text(imported)) == json.loads(written)
    assert rows_of(imported) == rows_of(tournament)


def test_pages_show_each_serie_and_store_the_choice():
    tournament = club()
    client = logged_in(make_member(tournament, Role.SPIELLEITUNG))

    page = client.read(at("prizes:prizes", tournament.slug))
    form = client.read(at("setup:section", tournament.slug, "preisplan"))

    assert "Serienpreise der Serie 2" in page
    assert 'value="50 30 20"' in form
    assert 'value="7,50"' in form
    assert re.search(r"Serienpreise</dt>\s*<dd>\s*60,00\s€", form)
    assert re.search(r"Jede Serie, 1\. Platz: 15,00\s€", form)
    assert "Startgeld ohne Serienpreise" in page


def test_serienpreise_need_checked_lists_of_their_serie():
    tournament = make_tournament(serien=2, startgeld_cents=2250)
    field = make_players(tournament, 4)
    play_serie(tournament, [field], [(60, 65, 70, 75)])
    take_startgeld(tournament, 2250)
    set_plan(tournament, startgeld=PrizePlan(lines=(), serie_cents=750, serie_shares=(1000,)))

    # 4 × 7,50 € = 30 €, 15 € in each; the second Serie is still to be played
    assert rows_of(tournament) == [("serienpreise", "serie-1", 1, 1500)]
