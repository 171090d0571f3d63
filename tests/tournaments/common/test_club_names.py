"""A club is one club however it is spelt (§ 2.1.2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.common.club_names import are_near, club_key, near_pairs


@pytest.mark.parametrize(
    "spellings",
    [
        pytest.param(("A-Club", "A-Club e.V.", "a club e. V.", "A-Club eV"), id="e.V."),
        pytest.param(
            ("RC X", "RC X e.V.", "R.C. X", "R. C. X", "RC-X", "Rommé-Club X", "Rommee-Club X"),
            id="dots, hyphens and Rommé-Club, also Rommee",
        ),
        pytest.param(("1. RC Berg", "1.RC Berg e. V.", "1 R.C. Berg (e.V.)"), id="a number before"),
        pytest.param(("St. Ilgen", "Sankt Ilgen", "St.Ilgen"), id="Sankt"),
        pytest.param(
            ("Skat- und Rommé-Club Gera", "Skat- u. Romméclub Gera", "Skat & Romme Klub Gera"),
            id="und",
        ),
        pytest.param(
            (
                "GSV Köln",
                "GSV Köln eingetragener Verein",
                "G.S.V. Koeln n.e.V.",
                "GSV KÖLN gem. eV",
            ),
            id="other legal forms",
        ),
        pytest.param(("Herz Dame Spiele", "Herz Dame Spiele gGmbH"), id="no association"),
    ],
)
def test_spellings_of_one_club_have_one_key(spellings: tuple[str, ...]):
    assert len({club_key(name) for name in spellings}) == 1


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("SC Altenburg", "RC Altenburg"), id="another kind of club"),
        pytest.param(("RC Nord", "RC Süd"), id="another place"),
        pytest.param(("1. RC Berg", "2. RC Berg"), id="another number"),
        pytest.param(("EV Landshut", "Landshut"), id="EV at the beginning is a name"),
        pytest.param(("Sorgenlos Gera", "parteilos"), id="los at the end of another word"),
    ],
)
def test_other_clubs_have_other_keys(names: tuple[str, str]):
    assert club_key(names[0]) != club_key(names[1])


@pytest.mark.parametrize(
    "text",
    [
        *("", "-", "–", "ohne", "Keiner", "kein Verein", "vereinslos", "k. A.", "o.V.", "Gast"),
        *("parteilos", "Parteilose", "Vereinsloser", "clubfrei", "vereinsungebunden", "Solo"),
    ],
)
def test_words_for_no_club_mean_no_club(text: str):
    assert club_key(text) == ""


@pytest.mark.parametrize(
    ("first", "other", "near"),
    [
        ("Skatclub Gera", "SC Gera 1987", True),
        ("Gehörlosen-Sportverein Hof", "GSV Hof 1920 e.V.", True),
        ("SC Gera", "Gera", True),
        ("SC Altenburg", "SC Altenberg e.V.", True),
        ("Gera SC", "SC Gera", True),
        ("SC Gera", "TSV Gera", False),
        ("RC Nord", "RC Süd", False),
        ("RC X", "R.C. X e.V.", False),  # certainly one: no question
        ("ohne", "keiner", False),
    ],
)
def test_similar_spellings_are_a_question(first: str, other: str, *, near: bool):
    assert are_near(first, other) is near
    assert are_near(other, first) is near


def test_pairs_distinguish_duplicates_and_candidates():
    assert near_pairs(["RC X", "RC X e.V.", "SC Gera", "Gera", "ohne"]) == [
        ("RC X", "RC X e.V."),
        ("SC Gera", "Gera"),
    ]


@given(st.text(max_size=40))
def test_a_trailing_legal_form_does_not_change_the_key(name: str):
    assert club_key(f"A{name} X e.V.") == club_key(f"A{name} X")
