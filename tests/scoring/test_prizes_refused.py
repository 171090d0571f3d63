"""Prize plans that contradict themselves or exceed the pot, and their storage."""

import pytest

from scoring.errors import ScoringError
from scoring.payments.prizes import PrizeLine, PrizePlan, PrizeRanking
from tests.scoring.prize_plans import WOMEN, cents, shares


def refusal_of(build, *args, **kwargs):
    with pytest.raises(ScoringError) as refusal:
        build(*args, **kwargs)
    return [(problem.where, problem.message) for problem in refusal.value.problems]


def test_whole_euros_allow_no_fixed_sum_with_cents():
    lines = (
        PrizeLine(place=1, fixed_cents=2000),
        PrizeLine(place=2, fixed_cents=1250),
        PrizeLine(place=3, fixed_cents=1),
    )

    assert refusal_of(PrizePlan, lines=lines, whole_euros=True) == [
        (
            "lines[1].fixed_cents",
            "Wird in vollen Euro ausgezahlt, kann der feste Preis nicht 12,50\u00a0€ sein.",
        ),
        (
            "lines[2].fixed_cents",
            "Wird in vollen Euro ausgezahlt, kann der feste Preis nicht 0,01\u00a0€ sein.",
        ),
    ]


def test_fixed_sums_above_the_pot_name_the_missing_amount():
    plan = PrizePlan(
        lines=(
            PrizeLine(place=1, fixed_cents=30_000),
            PrizeLine(place=2, fixed_cents=20_000, share_permille=10),
        ),
        kept_cents=5000,
    )

    assert refusal_of(plan.fund, takings_cents=49_950, extra_cents=50) == [
        (
            "",
            (
                "Die festen Preise betragen zusammen 500,00\u00a0€, zu verteilen sind"
                " 450,00\u00a0€: Es fehlen 50,00\u00a0€."
            ),
        )
    ]
    assert cents(plan.fund(takings_cents=55_000)) == [30_000, 20_000]


def test_keeping_more_than_the_takings_names_the_missing_amount():
    plan = shares(1000, kept_cents=5000)

    assert refusal_of(plan.fund, takings_cents=4999, extra_cents=1000) == [
        (
            "",
            (
                "Einbehalten werden sollen 50,00\u00a0€, eingenommen sind 49,99\u00a0€: Es fehlen"
                " 0,01\u00a0€."
            ),
        )
    ]
    assert cents(plan.fund(takings_cents=5000, extra_cents=1000)) == [1000]


@pytest.mark.parametrize("plan", [shares(1000), shares(1000, kept_permille=1000)])
def test_a_negative_till_has_no_pot(plan):
    assert refusal_of(plan.fund, takings_cents=-1) == [
        (
            "",
            (
                "Einbehalten werden sollen 0,00\u00a0€, eingenommen sind −0,01\u00a0€: Es fehlen"
                " 0,01\u00a0€."
            ),
        )
    ]


def test_shares_above_the_whole_are_refused():
    assert refusal_of(shares, 600, 405) == [
        ("lines", "Die Anteile ergeben zusammen 100,5\u00a0%, das sind 0,5\u00a0% zu viel.")
    ]


def test_repeated_places_of_a_plan_are_named():
    line = PrizeLine(place=1, goods="Pokal")
    other = PrizeLine(place=1, share_permille=1)
    women = PrizeLine(ranking=WOMEN, place=1, goods="Pokal")

    assert refusal_of(PrizePlan, lines=(line, women, other, women)) == [
        ("lines[2].place", "Platz 1 (Gesamtwertung) steht schon im Preisplan."),
        ("lines[3].place", "Platz 1 (Damen) steht schon im Preisplan."),
    ]


def test_a_sum_and_a_share_exclude_each_other():
    assert refusal_of(PrizePlan, lines=(), kept_cents=1, kept_permille=1) == [
        (
            "kept_permille",
            "Einbehalten wird entweder ein fester Betrag oder ein Anteil, nicht beides.",
        )
    ]


def test_a_line_without_a_prize_is_refused():
    assert refusal_of(PrizeLine.from_dict, {"ranking": {"category": "women"}, "place": 3}) == [
        (
            "",
            (
                "Für Platz 3 (Damen) ist kein Preis angegeben: Es fehlt ein Anteil, ein fester"
                " Betrag oder ein Sachpreis."
            ),
        )
    ]


@pytest.mark.parametrize(
    ("ranking", "message"),
    [
        ({"category": "serie"}, "Für einen Serienpreis muss die Serie genannt sein."),
        (
            {"category": "women", "serie": 1},
            "Eine Serie wird nur bei einem Serienpreis genannt.",
        ),
    ],
)
def test_a_serie_is_named_for_serienpreise_and_only_there(ranking, message):
    assert refusal_of(PrizeRanking.from_dict, ranking) == [("serie", message)]


@pytest.mark.parametrize("ranking", [{"category": "day"}, {"category": "women", "day": 1}])
def test_a_day_is_named_for_tagespreise_and_only_there(ranking):
    message = "Ein Tag wird bei einem Tagespreis genannt, und nur dort."

    assert refusal_of(PrizeRanking.from_dict, ranking) == [("day", message)]


@pytest.mark.parametrize(
    ("ranking", "of_part"),
    [
        ({"category": "day", "day": 2}, True),
        ({"category": "serie", "serie": 1}, True),
        ({"category": "women"}, False),
    ],
)
def test_a_day_and_a_serie_are_parts_of_the_whole(ranking, of_part):
    assert PrizeRanking.from_dict(ranking).is_of_part is of_part


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({}, ["lines"]),
        ({"lines": [{"place": 0}]}, ["lines[0].place"]),
        ({"lines": [{"place": 1001}]}, ["lines[0].place"]),
        ({"lines": [{"place": 1}]}, ["lines[0]"]),
        ({"lines": [{"place": 1, "share_permille": 1001}]}, ["lines[0].share_permille"]),
        ({"lines": [{"place": 1, "share_permille": -1}]}, ["lines[0].share_permille"]),
        ({"lines": [{"place": 1, "goods": "x" * 201}]}, ["lines[0].goods"]),
        (
            {"lines": [{"place": 1, "goods": "x", "ranking": {"category": "serie"}}]},
            ["lines[0].ranking.serie"],
        ),
        ({"lines": [], "kept_cents": -1, "ties": "toss", "whole_euros": 1}, None),
    ],
)
def test_a_wrong_plan_is_refused_with_every_place(data, where):
    expected = where or ["kept_cents", "ties", "whole_euros"]

    assert [place for place, _message in refusal_of(PrizePlan.from_dict, data)] == expected
