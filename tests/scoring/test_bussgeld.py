"""Bußgeld as announced in the Ausschreibung (§ 1.1), handed in with the list (§ 2.3.3)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import ScoringError
from scoring.ordering import SeatStanding
from scoring.payments.bussgeld import (
    TARIFFS,
    Destination,
    NoBussgeld,
    PerGame,
    PerList,
    PerPlace,
    PerPoints,
    StepCounting,
)
from scoring.reading.validation import from_json

# The printed list of a table of four: 113, 147, 282 and 238 points; 4, 3, 3 and 2 games.
SAMPLE = [
    SeatStanding(points=113, rank=1, games_won=4),
    SeatStanding(points=147, rank=2, games_won=3),
    SeatStanding(points=282, rank=4, games_won=3),
    SeatStanding(points=238, rank=3, games_won=2),
]


def standing(*points, won=None):
    """Rank seats by their points alone."""
    won = won or [0] * len(points)
    return [
        SeatStanding(points=own, rank=1 + sum(other < own for other in points), games_won=games)
        for own, games in zip(points, won, strict=True)
    ]


@pytest.mark.parametrize(
    ("tariff", "expected"),
    [
        pytest.param(NoBussgeld(), (0, 0, 0, 0), id="none"),
        pytest.param(PerList(cents=300), (300, 300, 300, 300), id="flat per list"),
        # 12 games less 4, 3, 3 and 2 are 8, 9, 9 and 10 not finished.
        pytest.param(PerGame(cents=50), (400, 450, 450, 500), id="per game not finished"),
        # 3 × 10 and 5, 6, 6, 7 × 50.
        pytest.param(
            PerGame(cents=50, first_games=3, first_cents=10),
            (280, 330, 330, 380),
            id="first three games one rate, further ones another",
        ),
        # 8 × 20; 9 × 20; 9 × 20; 9 × 20 + 1 × 100
        pytest.param(
            PerGame(cents=100, first_games=9, first_cents=20),
            (160, 180, 180, 280),
            id="fewer not finished than the first step has",
        ),
        pytest.param(PerPlace(cents=(0, 100, 200, 300)), (0, 100, 300, 200), id="by place"),
        pytest.param(PerPlace(cents=(0, 150)), (0, 150, 150, 150), id="last place's rate goes on"),
        pytest.param(PerPlace(cents=(1, 2, 3, 4, 5, 6)), (1, 2, 4, 3), id="rates left over"),
        # 113, 147, 282, 238 hold 2, 2, 5 and 4 full fifties.
        pytest.param(PerPoints(cents=20, points=50), (40, 40, 100, 80), id="per full 50 points"),
        pytest.param(
            PerPoints(cents=20, points=50, counting=StepCounting.STARTED),
            (60, 60, 120, 100),
            id="per started 50 points",
        ),
    ],
)
def test_each_seat_of_the_sample_list_pays_by_the_tariff(tariff, expected):
    assert tariff.per_seat(SAMPLE, games=12) == expected


@pytest.mark.parametrize(
    ("points", "full", "started"),
    [
        pytest.param(-20, 0, 0, id="below zero is free"),
        pytest.param(0, 0, 0, id="zero"),
        pytest.param(1, 0, 1, id="one"),
        pytest.param(99, 0, 1, id="one less"),
        pytest.param(100, 1, 1, id="exactly"),
        pytest.param(101, 1, 2, id="one more"),
    ],
)
def test_points_are_counted_full_or_started(points, full, started):
    seats = standing(points, 500)

    assert PerPoints(cents=1, points=100).per_seat(seats, games=12)[0] == full
    tariff = PerPoints(cents=1, points=100, counting=StepCounting.STARTED)
    assert tariff.per_seat(seats, games=12)[0] == started


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        pytest.param((10, 20, 20, 30), (0, 150, 150, 300), id="second: (1,00 + 2,00) / 2"),
        pytest.param((20, 10, 30, 10), (200, 50, 300, 50), id="first: (0,00 + 1,00) / 2"),
        pytest.param((7, 7, 7, 7), (150, 150, 150, 150), id="all: 6,00 / 4"),
        pytest.param((9, 5, 9), (150, 0, 150), id="second at a table of three"),
    ],
)
def test_shared_places_pay_the_mean_of_the_places(points, expected):
    tariff = PerPlace(cents=(0, 100, 200, 300))

    assert tariff.per_seat(standing(*points), games=12) == expected


@pytest.mark.parametrize(
    ("won", "sentence"),
    [
        pytest.param(
            (2, 1), "Die Liste hat 2 Spiele, beendet wurden aber 3.", id="more than played"
        ),
        pytest.param((-1, 1), "Weniger als 0 Spiele kann niemand beendet haben.", id="below zero"),
    ],
)
def test_impossible_numbers_of_games_are_refused(won, sentence):
    with pytest.raises(ScoringError) as refusal:
        PerGame(cents=50).per_seat(standing(10, 20, won=won), games=2)

    assert str(refusal.value) == sentence


def test_a_tariff_by_place_needs_a_rate():
    with pytest.raises(ScoringError, match=r"^Für mindestens einen Platz") as refusal:
        PerPlace(cents=())

    assert refusal.value.problems[0].where == "cents"


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"kind": "per_day"}, ["kind"]),
        ({"kind": "per_list"}, ["cents"]),
        ({"kind": "per_list", "cents": -1}, ["cents"]),
        ({"kind": "per_list", "cents": 100_000_001}, ["cents"]),
        ({"kind": "none", "destination": "bar"}, ["destination"]),
        ({"kind": "per_points", "cents": 1, "points": 0}, ["points"]),
        ({"kind": "per_points", "cents": 1, "points": 10_001}, ["points"]),
        ({"kind": "per_points", "cents": "1", "points": 1, "counting": "x"}, ["cents", "counting"]),
        ({"kind": "per_place", "cents": [1, -1]}, ["cents[1]"]),
        ({"kind": "per_game", "cents": 1, "first_games": -1}, ["first_games"]),
        ({"kind": "per_game", "cents": 1, "first_games": 1001}, ["first_games"]),
    ],
)
def test_a_wrong_tariff_is_refused_with_every_place(data, where):
    with pytest.raises(ScoringError) as refusal:
        from_json(data, *TARIFFS)

    assert [problem.where for problem in refusal.value.problems] == where


def test_a_tariff_is_stored_as_plain_json():
    tariff = PerGame(cents=50, first_games=3, first_cents=25, destination=Destination.PRIZES)

    assert tariff.to_dict() == {
        "kind": "per_game",
        "destination": "prizes",
        "cents": 50,
        "first_games": 3,
        "first_cents": 25,
    }


def test_the_price_of_a_late_list_is_stored_and_described():
    tariff = PerList(cents=100, late_cents=250)

    assert tariff.to_dict()["late_cents"] == 250
    assert from_json(tariff.to_dict(), *TARIFFS) == tariff
    said = tariff.describe_late().replace("\N{NO-BREAK SPACE}", " ")
    assert said == "Wird die Liste zu spät abgegeben, je Person dazu 2,50 €."
    assert PerList(cents=100).describe_late() == ""


@pytest.mark.parametrize(
    ("tariff", "sentence"),
    [
        (NoBussgeld(), "Es wird kein Bußgeld erhoben."),
        (PerList(cents=300), "Bußgeld je Person und Spielliste: 3,00\u00a0€."),
        (PerGame(cents=50), "Bußgeld je nicht beendetem Spiel: 0,50\u00a0€."),
        (
            PerGame(cents=50, first_games=3, first_cents=25),
            (
                "Bußgeld für die ersten 3 nicht beendeten Spiele: je 0,25\u00a0€,"
                " für jedes weitere: 0,50\u00a0€."
            ),
        ),
        (
            PerPlace(cents=(0, 100)),
            (
                "Bußgeld nach dem Platz am Tisch: 1. Platz 0,00\u00a0€, 2. Platz 1,00\u00a0€;"
                " weitere Plätze wie der letzte."
            ),
        ),
        (PerPoints(cents=10, points=50), "Bußgeld je volle 50 Punkte: 0,10\u00a0€."),
        (
            PerPoints(cents=10, points=50, counting=StepCounting.STARTED),
            "Bußgeld je angefangene 50 Punkte: 0,10\u00a0€.",
        ),
    ],
)
def test_the_ausschreibung_can_say_the_tariff(tariff, sentence):
    assert tariff.describe() == sentence


@pytest.mark.parametrize(
    ("destination", "sentence"),
    [
        (Destination.ORGANISER, "Es geht in die Kasse des Veranstalters."),
        (Destination.BEST_OF_SERIE, "Es geht an die Besten der Serie."),
        (Destination.PRIZES, "Es wird als Preis ausgespielt."),
    ],
)
def test_the_ausschreibung_can_say_where_the_money_goes(destination, sentence):
    assert destination.describe() == sentence


cents = st.integers(0, 1000)
goes_to = st.sampled_from(Destination)
tariffs = st.one_of(
    st.builds(NoBussgeld, destination=goes_to),
    st.builds(PerList, cents=cents, destination=goes_to),
    st.builds(PerGame, cents=cents, first_games=st.integers(0, 12), first_cents=cents),
    st.builds(PerPlace, cents=st.lists(cents, min_size=1, max_size=6).map(tuple)),
    st.builds(
        PerPoints, cents=cents, points=st.integers(1, 200), counting=st.sampled_from(StepCounting)
    ),
)


@given(tariffs)
def test_a_tariff_survives_json(tariff):
    assert from_json(json.loads(json.dumps(tariff.to_dict())), *TARIFFS) == tariff
