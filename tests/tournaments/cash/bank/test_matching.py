"""Matches of a transfer: clear only without any other candidate."""

from __future__ import annotations

from datetime import date
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.cash.bank.queries.matching import Match, Payer, match, numbers_in
from tournaments.models import BankTransaction

_keys = count(1000)


def payer(key: int, name: str, *, number: int | None = None, open_cents: int = 1_500) -> Payer:
    """Return a person called „Kühn, Anna“, with the key as default start number."""
    last, _comma, first = name.partition(", ")
    return Payer(
        key=key,
        number=number or key,
        first_name=first,
        last_name=last,
        open_cents=open_cents,
    )


def transfer(
    remitter: str = "", purpose: str = "", cents: int = 1_500, **more: Any
) -> BankTransaction:
    return BankTransaction(
        pk=more.pop("key", next(_keys)),
        booked_on=more.pop("booked_on", date(2026, 9, 28)),
        amount_cents=cents,
        remitter=remitter,
        purpose=purpose,
    )


CROWD = [
    payer(1, "Kühn, Anna"),
    payer(2, "Kühn, Karl"),
    payer(3, "Voß, Hans-Peter"),
    payer(4, "von Berg, Eva"),
    payer(5, "Weiß, Jörg", open_cents=0),
    payer(12, "Otto, Max", open_cents=2_000),
    payer(13, "Otto, Uta"),
    payer(14, "Mayer, ", open_cents=900),
]


def one(remitter: str = "", purpose: str = "", cents: int = 1_500) -> Match:
    sent = transfer(remitter, purpose, cents)
    return match([sent], CROWD)[sent.pk]


@pytest.mark.parametrize(
    ("remitter", "purpose", "cents", "clear"),
    [
        pytest.param("Anna Kühn", "Nr. 1", 1_500, 1, id="number and name"),
        pytest.param("Bank AG", "NR 1 KUEHN ANNA", 900, 1, id="number and name, other amount"),
        pytest.param("Karl Kühn", "Nr. 1 Anna Kühn", 1_500, 1, id="another player pays"),
        pytest.param("kuhn,anna", "Startgeld", 1_500, 1, id="name and amount, umlaut lost"),
        pytest.param("", "Startgeld KUEHN ANNA", 1_500, 1, id="name in the purpose"),
        pytest.param("Voss Hans Peter", "", 1_500, 3, id="ß, hyphen lost"),
        pytest.param("Eva v. Berg", "von Berg", 1_500, 4, id="name of two words"),
        pytest.param("Max Otto", "Startnummer: 12", 2_000, 12, id="all agrees"),
        pytest.param("Otto", "Max, #12", 1_500, 12, id="number with a hash"),
        pytest.param("Anna Kühn", "", 1_400, None, id="name alone"),
        pytest.param("", "Nr. 1", 1_500, None, id="number and amount, no name"),
        pytest.param("Kühn", "Nr. 1", 1_500, None, id="number and last name only"),
        pytest.param("Anna Kühn", "Nr. 2", 1_500, None, id="number of another"),
        pytest.param("Anna Kühn", "Nr. 99", 1_500, None, id="number of nobody"),
        pytest.param("Anna Kühn", "für Karl Kühn", 1_500, None, id="two names"),
        pytest.param("Anna Kühn", "Nr. 1 und 2, Karl Kühn", 3_000, None, id="two numbers"),
        pytest.param("Jörg Weiß", "Nr. 5", 1_500, None, id="has paid already"),
        pytest.param("Mayer", "", 900, None, id="a last name is no whole name"),
        pytest.param("Mayer", "Nr. 14", 900, None, id="nor with a number"),
        pytest.param("Hannah Kühnel", "", 1_500, None, id="names that only begin alike"),
        pytest.param("Verein", "Beitrag", 4_800, None, id="nothing at all"),
    ],
)
def test_a_match_is_clear_only_without_any_doubt(remitter, purpose, cents, clear):
    assert one(remitter, purpose, cents).clear == clear


@pytest.mark.parametrize(
    "remitter", ["DANGELO EVA", "D'Angelo, Eva", "Eva d’Angelo", "D ANGELO EVA"]
)
def test_a_missing_apostrophe_does_not_prevent_a_match(remitter: str):
    sent = transfer(remitter)

    matches = match([sent], [payer(1, "d’Angelo, Eva"), payer(2, "Angel, Eva")])

    assert matches[sent.pk].clear == 1


def test_candidates_are_listed_likeliest_first():
    match = one("Karl Kühn", "Nr. 1 und 12")

    assert [each.key for each in match.candidates] == [1, 12, 2]
    anna, max_, karl = match.candidates
    assert (anna.by_number, anna.by_name, anna.by_last_name, anna.by_amount) == (
        (True, False, True, True)
    )
    assert (max_.by_number, max_.by_amount) == (True, False)
    assert (karl.by_name, karl.by_number) == (True, False)


@pytest.mark.parametrize("cents", [900, 1_500, 2_000], ids=["one owes it", "many", "one"])
def test_an_amount_alone_proposes_no_person(cents: int):
    assert one(cents=cents).candidates == []


def test_no_more_than_six_are_shown():
    crowd = [payer(key, f"Müller, Vorname{key}") for key in range(1, 10)]
    sent = transfer("Familie Müller")

    assert len(match([sent], crowd)[sent.pk].candidates) == 6


def test_two_transfers_for_one_person_are_both_unclear():
    first = transfer("Anna Kühn", "Startgeld", booked_on=date(2026, 9, 1))
    second = transfer("Karl Kühn", "Nr. 1 Anna Kühn")

    matches = match([first, second], CROWD)

    assert [matches[each.pk].clear for each in (first, second)] == [None, None]
    assert all(each.candidates for each in matches.values())


def test_a_transfer_like_a_known_one_is_unclear():
    sent = transfer("Kühn, Anna", "Startgeld Nr. 1")
    booked = transfer("KUEHN ANNA", "SVWZ Startgeld Nr.1")

    matches = match([sent], CROWD, known=[booked])[sent.pk]

    assert matches.maybe_twice
    assert matches.clear is None


def test_transfers_without_a_match_are_not_alike():
    first, second = transfer(purpose="Anna Kühn"), transfer(purpose="Hans-Peter Voß")

    matches = match([first, second], CROWD)

    assert [matches[each.pk].clear for each in (first, second)] == [1, 3]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        pytest.param("Nr. 12", {12}, id="Nr."),
        pytest.param("nr12", {12}, id="nr without anything"),
        pytest.param("STARTNR.: 12", {12}, id="Startnr.:"),
        pytest.param("Start-Nr 12", {12}, id="Start-Nr"),
        pytest.param("Startnummer 12", {12}, id="Startnummer"),
        pytest.param("Nummern 3, 4 und 5", {3, 4, 5}, id="a list"),
        pytest.param("Nr. 3/4 + 5 & 6", {3, 4, 5, 6}, id="other signs"),
        pytest.param("# 7", {7}, id="hash"),
        pytest.param("Nr. 2026001", set(), id="too long for a start number"),
        pytest.param("Rechnung 12, KundenNr 5", set(), id="other numbers"),
        pytest.param("15,00 EUR am 3.10.", set(), id="amount and day"),
        pytest.param("Nr. 5 - 10.10.2026", {5}, id="a day behind it"),
        pytest.param("Nr. 5, 15,00 EUR und Nr. 6/15 €", {5, 6}, id="an amount behind it"),
        pytest.param("Nr. 12,13,14.", {12, 13, 14}, id="a list without spaces"),
        pytest.param("Nr. 5 und 6 EUR 30,00", {5, 6}, id="an amount behind its currency"),
        pytest.param("Nr. 5-7 Euro 45", {5, 6, 7}, id="and in words"),
        pytest.param("Nr. 5/6 € 30", {5, 6}, id="and as a sign"),
        pytest.param("Nr. 5 und 6 EUR 30.00", {5, 6}, id="and with a dot"),
        pytest.param("Nr. 5, 30 Euro", {5}, id="an amount in words"),
        pytest.param("Nr. 5, 15,00 EUR 3.10.2026", {5}, id="an amount and a day"),
    ],
)
def test_start_numbers_are_known_by_their_name(text: str, numbers: set[int]):
    assert numbers_in(text) == numbers


WORDS = st.lists(
    st.sampled_from(
        ["Anna", "Kühn", "KUEHN", "Karl", "Voß", "Hans", "Peter", "Nr. 1", "Nr. 2", "Otto", "Max"]
    ),
    max_size=6,
).map(" ".join)


@given(
    sent=st.lists(
        st.builds(transfer, WORDS, WORDS, st.sampled_from([900, 1_500, 2_000])), max_size=6
    )
)
def test_a_clear_match_owes_money_and_is_unique(sent: list[BankTransaction]):
    matches = match(sent, CROWD)

    clear = [each.clear for each in matches.values() if each.clear is not None]
    assert len(clear) == len(set(clear))
    owing = {each.key for each in CROWD if each.open_cents}
    assert set(clear) <= owing
    for each in matches.values():
        assert each.clear is None or each.clear in {candidate.key for candidate in each.candidates}
