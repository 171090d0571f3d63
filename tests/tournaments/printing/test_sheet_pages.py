"""The pages of a list: one if possible, whole rounds, and no row too low."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.printing.sheet_pages import (
    HIGHEST_ROW,
    LOWEST_ROW,
    PAGE_HEIGHT,
    Measures,
    SheetHead,
    SheetSeat,
    pages_for,
)

SHORT = SheetSeat(number=1, name="Anna Kühn", about="Nr. 1 · SC Altenburg", sign_here="Anna Kühn")
LONG_NAME = "Wilhelmine Freifrau von und zu Übelacker-Großschönhäuser"
LONG = SheetSeat(number=1, name=LONG_NAME, about="Nr. 1 · " + "Verein " * 8, sign_here=LONG_NAME)
BLANK = SheetSeat(number=1, sign_here="Platz 1")


def measures(
    players: int = 4,
    seat: SheetSeat = SHORT,
    *,
    remarks: tuple[str, ...] = (),
    totals: int = 9,
    has_contracts: bool = False,
) -> Measures:
    head = SheetHead(
        heading="Spielliste · Serie 1 · Tisch 1",
        where="Herbstturnier · Altenburg",
        details="Tisch",
        qr="data:",
        qr_for="Am Handy führen",
        remarks=remarks,
    )
    return Measures(head=head, seats=(seat,) * players, totals=totals, has_contracts=has_contracts)


@pytest.mark.parametrize(
    ("players", "games"),
    [
        pytest.param(4, 12, id="§ 2.2.1 twelve games at a table of four"),
        pytest.param(3, 12, id="§ 2.2.1 twelve games at a table of three"),
        pytest.param(2, 12, id="two"),
        pytest.param(4, 22, id="as many as fit on a page"),
        pytest.param(6, 15, id="six"),
    ],
)
def test_usual_lists_are_one_page(players: int, games: int):
    (page,) = pages_for(measures(players), games)

    assert (page.start, page.end) == (0, games)
    assert not page.is_compact


def test_rows_of_a_short_list_are_not_enlarged():
    (page,) = pages_for(measures(), 7)

    assert page.row_height == HIGHEST_ROW


def test_a_list_of_thirty_games_breaks_after_a_whole_round():
    first, second = pages_for(measures(), 30)

    assert first.end == second.start
    assert first.end % 4 == 0
    assert second.end == 30


def test_six_signatures_use_two_rows_if_space_permits():
    (roomy,) = pages_for(measures(6), 12)
    (full,) = pages_for(measures(6, LONG), 15)
    *_games, sums = pages_for(measures(6, remarks=("Berichtigung " * 30,) * 5), 15)

    assert roomy.signs_in_two_rows
    assert not full.signs_in_two_rows
    assert sums.signs_in_two_rows


def test_sums_are_compressed_before_a_second_page_is_used():
    long_names = measures(6, LONG, has_contracts=True, totals=10)

    (page,) = pages_for(long_names, 13)

    assert page.is_compact


def test_sums_get_their_own_page_when_corrections_fill_one():
    *games, sums = pages_for(measures(remarks=("Berichtigung " * 30,) * 8), 12)

    assert [(page.start, page.end) for page in games] == [(0, 12)]
    assert sums.start == sums.end == 12


@given(
    asked=st.builds(
        measures,
        st.integers(2, 8),
        st.sampled_from([SHORT, LONG, BLANK]),
        remarks=st.integers(0, 12).map(lambda number: ("Berichtigung " * 12,) * number),
        has_contracts=st.booleans(),
    ),
    games=st.integers(1, 60),
)
def test_every_game_is_a_writable_row_on_one_page(asked: Measures, games: int):
    pages = pages_for(asked, games)

    rows = [row for page in pages for row in range(page.start, page.end)]
    assert rows == list(range(games))
    assert all(LOWEST_ROW <= page.row_height <= HIGHEST_ROW for page in pages)
    for page in pages[:-1]:
        assert page.end > page.start
        assert (page.end - page.start) * page.row_height < PAGE_HEIGHT
