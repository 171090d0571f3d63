"""The Girocode, read back from its picture as a banking app does (EPC069-12)."""

from __future__ import annotations

import io
from typing import Any

import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.tournaments.desk.online.helpers import IBAN
from tournaments.desk.online.queries import girocode
from tournaments.desk.online.queries.girocode import GirocodeTransfer, transfer
from tournaments.machine.qr_codes import svg_file
from tournaments.models import Tournament


def make(**fields: Any) -> Tournament:
    """A tournament that needs no database."""
    return Tournament(
        **{
            "name": "Herbstturnier 2026",
            "account_holder": "SC Altenburg e. V.",
            "iban": "de89 3704 0044 0532 0130 00",
            **fields,
        }
    )


def read(wanted: GirocodeTransfer) -> list[str]:
    """Return the lines of the code, decoded from a picture."""
    picture = io.BytesIO()
    girocode.qr_code(wanted).save(picture, kind="png", scale=4, border=4)
    (code,) = zxingcpp.read_barcodes(Image.open(picture))
    return code.bytes.decode("utf-8").split("\n")


def ask(tournament: Tournament, amount_cents: int = 1500, **fields: Any) -> GirocodeTransfer | None:
    return transfer(
        tournament, **{"amount_cents": amount_cents, "numbers": [12], "name": "Kühn Anna", **fields}
    )


def test_a_banking_app_reads_every_field():
    assert read(ask(make(bic="COBADEFF"))) == [
        "BCD",  # service tag
        "002",  # version
        "1",  # UTF-8
        "SCT",  # SEPA credit transfer
        "COBADEFF",
        "SC Altenburg e. V.",
        IBAN,
        "EUR15",
        "",  # purpose code
        "",  # structured reference
        "Herbstturnier 2026 Nr. 12 Kühn Anna",
    ]


@pytest.mark.parametrize(
    ("cents", "told"), [(1, "EUR0.01"), (1250, "EUR12.5"), (1505, "EUR15.05"), (10000, "EUR100")]
)
def test_the_amount_is_exact_to_the_cent(cents: int, told: str):
    assert read(ask(make(), cents))[7] == told


def test_a_girocode_needs_account_and_amount():
    assert ask(make(iban="")) is None
    assert ask(make(iban="DE12")) is None
    assert ask(make(), 0) is None


def test_a_girocode_names_the_organiser_without_a_holder():
    wanted = ask(make(account_holder="", organiser="Rommé-Freunde Kahla"))

    assert wanted.holder == "Romme-Freunde Kahla"


def test_an_invalid_bic_is_left_out():
    assert ask(make(bic="COBA")).bic == ""


def test_the_iban_is_shown_in_groups():
    assert ask(make()).iban_in_groups == "DE89 3704 0044 0532 0130 00"


def test_a_girocode_of_several_persons_contains_all_numbers():
    wanted = ask(make(), 4500, numbers=[12, 13, 14])

    assert wanted.purpose == "Herbstturnier 2026 Nr. 12, 13, 14 Kühn Anna +2"


def test_a_long_tournament_name_is_cut_before_number_and_person():
    wanted = ask(make(name="Großes Herbstturnier " * 6))

    assert len(wanted.purpose) <= 140
    assert wanted.purpose.endswith(" Nr. 12 Kühn Anna")


@given(
    name=st.text(min_size=1, max_size=120),
    holder=st.text(min_size=1, max_size=70),
    person=st.text(max_size=161),
    numbers=st.lists(st.integers(1, 9999), min_size=1, max_size=20),
    cents=st.integers(1, 100_000_000),
)
def test_the_girocode_is_valid_for_any_names(
    name: str, holder: str, person: str, numbers: list[int], cents: int
):
    tournament = make(name=name, account_holder=holder, organiser="SC Altenburg")

    wanted = ask(tournament, cents, numbers=numbers, name=person)

    code = girocode.qr_code(wanted)
    assert int(code.version) <= 13
    assert code.error == "M"
    assert len(wanted.purpose) <= 140
    assert str(numbers[0]) in wanted.purpose


def test_the_picture_is_black_on_white_and_needs_no_style():
    wanted = ask(make())

    picture = svg_file(girocode.qr_code(wanted)).decode()
    assert picture.startswith("<svg ")
    assert 'fill="#fff"' in picture
    assert 'stroke="#000"' in picture
    assert "style" not in picture
