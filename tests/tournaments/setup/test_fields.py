"""Amounts of money as people write them, and as the program keeps them."""

from __future__ import annotations

import pytest
from django import forms

from tournaments.forms.fields import EuroField, euro_input, parse_euro


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("15", 1500),
        ("12,50", 1250),
        ("12,5", 1250),
        ("12,", 1200),
        ("12.50", 1250),
        ("12.5", 1250),
        ("12.50 €", 1250),
        ("12,50€", 1250),
        (" 12,50 EUR ", 1250),
        ("7 Euro", 700),
        ("1.250", 125_000),
        ("1.250,50", 125_050),
        ("1 250,50", 125_050),
        ("1\N{NO-BREAK SPACE}250,50\N{NO-BREAK SPACE}€", 125_050),
        ("0", 0),
        ("0,05", 5),
        ("-3", -300),
        ("−3,20", -320),
    ],
)
def test_an_amount_is_read_however_it_is_written(text: str, cents: int):
    assert parse_euro(text) == cents


@pytest.mark.parametrize(
    "text",
    ["", "€", "zwölf", "12,505", "12.5050", "1.25,00", "1,250.00", "12,50,00", "--3", "1e3", "٣"],
)
def test_what_is_no_amount_is_not_guessed(text: str):
    assert parse_euro(text) is None


@pytest.mark.parametrize(
    ("cents", "text"), [(1250, "12,50"), (5, "0,05"), (-320, "−3,20"), (125_050, "1.250,50")]
)
def test_a_field_shows_an_amount_so_that_it_can_be_read_again(cents: int, text: str):
    assert euro_input(cents) == text
    assert parse_euro(text) == cents


class Till(forms.Form):
    """One required amount, one that may be left out, one that may be negative."""

    startgeld = EuroField()
    kartengeld = EuroField(required=False, empty_value=0, max_cents=5000)
    difference = EuroField(required=False, min_cents=-1000)


def _till(**data: str) -> Till:
    return Till({"startgeld": "15", **data})


def test_amounts_arrive_as_cents():
    form = _till(difference="−2,50")

    assert form.is_valid()
    assert form.cleaned_data == {"startgeld": 1500, "kartengeld": 0, "difference": -250}


@pytest.mark.parametrize(
    ("data", "field", "sentence"),
    [
        ({"startgeld": ""}, "startgeld", "zwingend"),
        ({"startgeld": "viel"}, "startgeld", "zum Beispiel 12,50"),
        ({"startgeld": "−1"}, "startgeld", "nicht kleiner als null"),
        ({"kartengeld": "50,01"}, "kartengeld", "höchstens 50,00"),
        ({"difference": "−10,01"}, "difference", "mindestens −10,00"),
    ],
)
def test_a_wrong_amount_is_refused_with_a_sentence(data: dict[str, str], field: str, sentence: str):
    form = _till(**data)

    assert not form.is_valid()
    assert sentence in form.errors[field][0]


def test_stored_cents_are_shown_as_euros_and_what_was_typed_stays():
    assert 'value="12,50"' in str(Till(initial={"startgeld": 1250})["startgeld"])
    assert 'value="viel"' in str(_till(startgeld="viel")["startgeld"])


def test_the_same_amount_written_otherwise_is_no_change():
    assert not Till({"startgeld": "12.50 €"}, initial={"startgeld": 1250}).has_changed()
    assert Till({"startgeld": "viel"}, initial={"startgeld": 1250}).has_changed()
