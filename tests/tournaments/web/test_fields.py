"""Amounts of money as people write them, and as the program keeps them."""

from __future__ import annotations

import pytest
from django import forms
from django.core.exceptions import ValidationError

from tournaments.common.digits import parse_euro
from tournaments.web.fields import EuroField, IbanField, PercentField, YearField, euro_input


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
        ("1,250.50", 125_050),
        ("1 250,50", 125_050),
        ("1\N{NO-BREAK SPACE}250,50\N{NO-BREAK SPACE}€", 125_050),
        ("0", 0),
        ("0,05", 5),
        ("-3", -300),
        ("−3,20", -320),
    ],
)
def test_an_amount_is_read_in_any_notation(text: str, cents: int):
    assert parse_euro(text) == cents


@pytest.mark.parametrize(
    "text",
    [
        "",
        "€",
        "zwölf",
        "12,505",
        "12.5050",
        "1.25,00",
        "1,250",
        "12,50,00",
        "--3",
        "1e3",
        "٣",
        "9" * 4301,
    ],
)
def test_an_invalid_amount_is_not_guessed(text: str):
    assert parse_euro(text) is None


@pytest.mark.parametrize(
    ("cents", "text"), [(1250, "12,50"), (5, "0,05"), (-320, "−3,20"), (125_050, "1.250,50")]
)
def test_a_shown_amount_can_be_parsed_again(cents: int, text: str):
    assert euro_input(cents) == text
    assert parse_euro(text) == cents


class Till(forms.Form):
    """One required amount, one that may be left out, one that may be negative."""

    startgeld = EuroField()
    kartengeld = EuroField(required=False, empty_value=0, max_cents=5000)
    difference = EuroField(required=False, min_cents=-1000)


def _till(**data: str) -> Till:
    return Till({"startgeld": "15", **data})


def test_amounts_are_cleaned_to_cents():
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
def test_a_wrong_amount_is_refused_with_a_message(data: dict[str, str], field: str, sentence: str):
    form = _till(**data)

    assert not form.is_valid()
    assert sentence in form.errors[field][0]


def test_stored_cents_are_shown_as_euros_and_input_is_kept():
    assert 'value="12,50"' in str(Till(initial={"startgeld": 1250})["startgeld"])
    assert 'value="viel"' in str(_till(startgeld="viel")["startgeld"])


def test_the_same_amount_written_otherwise_is_no_change():
    assert not Till({"startgeld": "12.50 €"}, initial={"startgeld": 1250}).has_changed()
    assert Till({"startgeld": "viel"}, initial={"startgeld": 1250}).has_changed()


@pytest.mark.parametrize(
    ("text", "permille"),
    [("30", 300), ("12,5", 125), ("12.5 %", 125), ("100%", 1000), ("0", 0), ("", 0), (125, 125)],
)
def test_a_share_is_read_in_percent_and_kept_in_thousandths(text: object, permille: int):
    assert PercentField(required=False).clean(text) == permille


@pytest.mark.parametrize("text", ["100,1", "12,55", "-1", "halb", "٣"])
def test_an_invalid_share_is_refused(text: str):
    with pytest.raises(ValidationError, match="0 bis 100 Prozent"):
        PercentField().clean(text)


def test_a_share_is_shown_as_typed_and_a_missing_one_empty():
    field = PercentField()

    assert [field.prepare_value(value) for value in (125, 300, 0, "zwölf")] == [
        "12,5",
        "30",
        "",
        "zwölf",
    ]
    assert not field.has_changed(125, "12.5 %")
    assert field.has_changed(125, "zwölf")


@pytest.mark.parametrize(
    ("text", "iban"),
    [
        ("DE02 1203 0000 0000 2020 51", "DE02120300000000202051"),
        ("de02120300000000202051", "DE02120300000000202051"),
        ("AT02 2050 3021 0102 3600", "AT022050302101023600"),
        ("CH90 0023 0000 A109 8234 6", "CH9000230000A10982346"),
        ("", ""),
    ],
)
def test_an_iban_is_stored_without_spaces(text: str, iban: str):
    assert IbanField(required=False).clean(text) == iban


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("DE02 1203 0000 0000 2020 52", id="one figure is wrong"),
        pytest.param("DE20 1203 0000 0000 2020 51", id="two figures are swapped"),
        pytest.param("DE02 1203 0000 0000 2020 5", id="one figure is missing"),
        pytest.param("DE84 1203 0000 0000 2020 510", id="too long for a German one"),
        pytest.param("1203 0000 0000 2020 51", id="no country"),
        pytest.param("DE02 1203 0000 0000 2020 5١", id="no Latin figure"),
    ],
)
def test_an_invalid_iban_is_refused(text: str):
    with pytest.raises(ValidationError, match="Diese IBAN gibt es nicht"):
        IbanField().clean(text)


def test_an_iban_is_shown_in_groups_of_four():
    assert IbanField().prepare_value("DE02120300000000202051") == "DE02 1203 0000 0000 2020 51"
    assert IbanField().prepare_value(None) is None


@pytest.mark.parametrize("year", ["1899", "2101", "08"])
def test_a_year_of_birth_has_four_digits(year: str):
    with pytest.raises(ValidationError):
        YearField().clean(year)
