"""Bußgeld, prizes and the bank account, with examples before saving."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scoring.payments.bussgeld import (
    Destination,
    NoBussgeld,
    PerGame,
    PerList,
    PerPlace,
    PerPoints,
    StepCounting,
)
from scoring.payments.prizes import PrizePlan, PrizeRanking, RankingCategory, TieRule, suggest_plan
from tests.tournaments.announcement.helpers import Desk, as_sent
from tournaments.common.rules import bussgeld_tariff, prize_plans
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("kind", "data", "tariff"),
    [
        ("none", {}, NoBussgeld()),
        (
            "per_list",
            {"cents": "1,50", "destination": "prizes"},
            PerList(cents=150, destination=Destination.PRIZES),
        ),
        (
            "per_game",
            {"cents": "0,50", "first_games": "3", "first_cents": "0,20"},
            PerGame(cents=50, first_games=3, first_cents=20),
        ),
        ("per_game", {"cents": "0,50", "late_cents": "1"}, PerGame(cents=50, late_cents=100)),
        (
            "per_place",
            {"place_1": "0", "place_2": "0,50", "place_3": "1", "late_cents": "2"},
            PerPlace(cents=(0, 50, 100), late_cents=200),
        ),
        (
            "per_points",
            {"cents": "0,10", "points": "50", "counting": "started"},
            PerPoints(cents=10, points=50, counting=StepCounting.STARTED),
        ),
    ],
)
def test_every_kind_of_bussgeld_is_stored(desk: Desk, kind: str, data: dict[str, str], tariff: Any):
    answer = desk.send(Section.BUSSGELD, {"art": kind, **data}, f"?art={kind}")

    assert answer.status_code == 302
    assert bussgeld_tariff(desk.now()) == tariff
    shown = desk.form(Section.BUSSGELD)
    assert all(shown[name].replace(",00", "") == value for name, value in data.items())


@pytest.mark.parametrize(
    ("kind", "data", "sentence"),
    [
        ("per_game", {"cents": "1", "first_games": "3"}, "was die ersten Spiele kosten"),
        ("per_place", {"place_1": "1", "place_3": "2"}, "für nichts bitte 0"),
        ("per_place", {}, "zwingend"),
        ("per_points", {"cents": "1", "points": "0"}, "größer oder gleich 1"),
    ],
)
def test_an_impossible_bussgeld_is_refused(
    desk: Desk, kind: str, data: dict[str, str], sentence: str
):
    answer = desk.send(Section.BUSSGELD, {"art": kind, **data}, f"?art={kind}")

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert bussgeld_tariff(desk.now()) == NoBussgeld()


def test_a_tariff_by_place_has_the_places_of_a_table(desk: Desk):
    places = [name for name in desk.form(Section.BUSSGELD, "?art=per_place") if "place" in name]
    assert places == ["place_1", "place_2", "place_3", "place_4"]  # § 2.1.1: four at the most

    desk.send(Section.BUSSGELD, {"art": "per_game", "cents": "0,50"}, "?art=per_game")

    shown = desk.form(Section.BUSSGELD)
    assert (shown["first_games"], shown["first_cents"]) == ("", "")  # not 0 and 0,00


def test_an_example_shows_the_cost_of_an_unsaved_tariff(desk: Desk):
    data = {
        **desk.form(Section.BUSSGELD, "?art=per_game"),
        "art": "per_game",
        "cents": "0,50",
        "preview": "1",
    }

    answer = desk.client.post(desk.url(Section.BUSSGELD), data)

    # Twelve games, of which 5, 3, 2 and 2 were finished: 7, 9, 10 and 10 times 50 cents.
    assert [cents for _seat, cents in answer.context["example"]] == [350, 450, 500, 500]
    assert bussgeld_tariff(desk.now()) == NoBussgeld()


def test_an_unknown_kind_shows_the_stored_one(desk: Desk):
    page = desk.client.get(desk.url(Section.BUSSGELD) + "?art=per_joker")

    assert page.context["kind"] == "none"


def test_a_prize_plan_is_stored(desk: Desk):
    desk.send(
        Section.PRIZES,
        {
            "preise-TOTAL_FORMS": "3",
            "preise-0-place": "1",
            "preise-0-share_permille": "62,5",
            "preise-1-ranking": "overall",
            "preise-1-place": "2",
            "preise-1-fixed_cents": "20",
            "preise-1-goods": "Pokal",
            "preise-2-ranking": "serie-2",
            "preise-2-place": "1",
            "preise-2-fixed_cents": "10",
            "kept_permille": "10",
            "ties": "playoff",
            "whole_euros": "on",
        },
    )

    plan = prize_plans(desk.now())["startgeld"]
    assert (plan.kept_permille, plan.ties, plan.whole_euros) == (100, TieRule.PLAYOFF, True)
    assert [
        (str(line.ranking.category), line.place, line.share_permille, line.fixed_cents, line.goods)
        for line in plan.lines
    ] == [
        ("overall", 1, 625, 0, ""),
        ("overall", 2, 0, 2000, "Pokal"),
        ("serie", 1, 0, 1000, ""),
    ]
    assert plan.lines[2].ranking == PrizeRanking(category=RankingCategory.SERIE, serie=2)


@pytest.mark.parametrize("typed", ["50 30 20", "50, 30, 20", "50 % / 30 % / 20 %", "50;30;20"])
def test_serienpreise_are_stored_without_any_other_prize(desk: Desk, typed: str):
    desk.send(Section.PRIZES, {"serie_cents": "7,50", "serie_shares": typed})

    plan = prize_plans(desk.now())["startgeld"]
    assert (plan.lines, plan.serie_cents, plan.serie_shares) == ((), 750, (500, 300, 200))


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        pytest.param({"serie_cents": "7,50"}, "serie_shares", id="no shares"),
        pytest.param({"serie_shares": "50 30"}, "serie_cents", id="no part"),
        pytest.param({"serie_cents": "5", "serie_shares": "60 50"}, "serie_shares", id="110 %"),
        pytest.param({"serie_cents": "5", "serie_shares": "50 x"}, "serie_shares", id="no number"),
        pytest.param({"serie_cents": "5", "serie_shares": "50 0"}, "serie_shares", id="nothing"),
    ],
)
def test_half_a_choice_of_serienpreise_is_refused_at_its_field(desk: Desk, typed, field):
    answer = desk.send(Section.PRIZES, typed)

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]


def test_things_to_choose_are_stored_and_shown_again(desk: Desk):
    typed = {
        "things": "Schinken\r\n\r\n Sekt \nSekt",
        "things_ranking": "serie-2",
        "things_gone": "passed",
    }
    desk.send(Section.PRIZES, typed)

    choosing = prize_plans(desk.now())["startgeld"].choosing
    assert choosing is not None
    assert (choosing.things, choosing.for_all) == (("Schinken", "Sekt", "Sekt"), False)
    assert (choosing.ranking, choosing.gone) == (
        PrizeRanking(category=RankingCategory.SERIE, serie=2),
        "passed",
    )
    again = desk.form(Section.PRIZES)
    assert again["things"].split() == ["Schinken", "Sekt", "Sekt"]
    assert (again["things_ranking"], again["things_gone"]) == ("serie-2", "passed")
    desk.send(Section.PRIZES, {"things": ""})
    assert prize_plans(desk.now()) == {}


def test_a_thing_that_is_too_long_is_refused(desk: Desk):
    answer = desk.send(Section.PRIZES, {"things": "Sekt\n" + "x" * 201})

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["things"]


def test_a_repeated_place_is_named_in_its_row(desk: Desk):
    answer = desk.send(
        Section.PRIZES,
        {
            "preise-TOTAL_FORMS": "2",
            "preise-0-place": "1",
            "preise-0-fixed_cents": "10",
            "preise-1-ranking": "overall",
            "preise-1-place": "1",
            "preise-1-fixed_cents": "5",
        },
    )

    assert answer.status_code == 422
    rows = answer.context["form"].rows
    assert "Platz 1 (Gesamtwertung) steht schon im Preisplan." in rows[1].errors["place"]


def test_goods_are_stored_without_invisible_characters(desk: Desk):
    answer = desk.send(
        Section.PRIZES,
        {"preise-TOTAL_FORMS": "1", "preise-0-place": "1", "preise-0-goods": "Po\x01kal\u202e"},
    )

    desk.tournament.refresh_from_db()
    assert answer.status_code == 302
    assert '"Pokal"' in json.dumps(desk.tournament.prize_plan)


def test_shares_above_the_whole_are_refused(desk: Desk):
    answer = desk.send(
        Section.PRIZES,
        {
            "preise-TOTAL_FORMS": "2",
            "preise-0-place": "1",
            "preise-0-share_permille": "60",
            "preise-1-ranking": "overall",
            "preise-1-place": "2",
            "preise-1-share_permille": "50",
        },
    )

    assert answer.status_code == 422
    assert "das sind 10\N{NO-BREAK SPACE}% zu viel" in answer.content.decode()


def suggestion(desk: Desk, **entered: str) -> Any:
    """Press „Preise vorschlagen“ with the form of the page and these changes."""
    data = {**desk.form(Section.PRIZES), **entered, "vorschlag": "1"}
    return desk.client.post(desk.url(Section.PRIZES), data)


def test_a_suggestion_is_shown_with_amounts_and_saved_explicitly(desk: Desk):
    page = suggestion(desk, expected_entries="40")
    stored = prize_plans(desk.now())
    desk.client.post(desk.url(Section.PRIZES), as_sent(page))

    example = page.context["example"]
    assert stored == {}
    assert example["takings_cents"] == 40 * 1500
    assert len(example["fund"].amounts) == 9  # one prize for every 4.5 entries
    assert sum(amount.cents for amount in example["fund"].amounts) == 60_000
    plan = prize_plans(desk.now())["startgeld"]
    assert plan == replace(suggest_plan(40), whole_euros=True, expected_entries=40)


@pytest.mark.parametrize("wish", ["", "viele", "²", "9" * 5000])
def test_a_suggestion_assumes_sixty_entries_and_stores_no_number(desk: Desk, wish: str):
    page = suggestion(desk, expected_entries=wish)
    desk.client.post(desk.url(Section.PRIZES), as_sent(page))

    assert page.context["example"]["entries"] == 60
    plan = prize_plans(desk.now())["startgeld"]
    assert (plan.lines, plan.expected_entries) == (suggest_plan(60).lines, 0)


def test_a_chosen_number_of_entries_is_stored(desk: Desk):
    desk.send(
        Section.PRIZES,
        {"expected_entries": "45", "preise-0-place": "1", "preise-0-share_permille": "50"},
    )

    form = desk.form(Section.PRIZES)

    assert prize_plans(desk.now())["startgeld"].expected_entries == 45
    assert form["expected_entries"] == "45"


def test_a_plan_above_the_takings_names_the_missing_amount(desk: Desk):
    data = {
        **desk.form(Section.PRIZES),
        "expected_entries": "10",
        "preise-0-place": "1",
        "preise-0-fixed_cents": "200",
        "preview": "1",
    }

    answer = desk.client.post(desk.url(Section.PRIZES), data)

    assert "Es fehlen 50,00" in answer.context["example"]["refusal"]


def test_stakes_have_a_plan_of_their_own(make_desk: Callable[..., Desk]):
    desk = make_desk(prize_plan={"startgeld": suggest_plan(40).to_dict()})
    desk.tournament.rankings.create(kind="team", size=4, stake_cents=200)

    page = suggestion(desk, topf="team", expected_entries="20")
    answer = desk.client.post(desk.url(Section.PRIZES), as_sent(page))

    assert answer.status_code == 302
    assert page.context["example"]["takings_cents"] == 4000
    plans = prize_plans(desk.now())
    assert set(plans) == {"startgeld", "team"}
    assert {line.ranking.category for line in plans["team"].lines} == {RankingCategory.TEAM}


def test_removing_every_prize_removes_the_plan(make_desk: Callable[..., Desk]):
    plan = PrizePlan.from_dict({"lines": [{"place": 1, "share_permille": 1000}]})
    desk = make_desk(prize_plan={"startgeld": plan.to_dict()})

    desk.send(Section.PRIZES, {"preise-0-DELETE": "on"})

    assert prize_plans(desk.now()) == {}


def test_a_bank_account_is_stored_in_standard_form(desk: Desk):
    desk.send(
        Section.BANK,
        {
            "account_holder": "SC Altenburg",
            "iban": "de02 1203 0000 0000 2020 51",
            "bic": "byla dem1 001",
        },
    )

    now = desk.now()
    assert (now.iban, now.bic) == ("DE02120300000000202051", "BYLADEM1001")
