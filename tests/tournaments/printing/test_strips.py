"""Startkarten and receipts on the strips of a receipt printer, 80 mm wide."""

from __future__ import annotations

from typing import Any

import pypdfium2
import pytest

from tests.clients import at, logged_in
from tests.factories import make_member
from tests.tournaments.printing.helpers import make_day, pay, unpaid, written
from tournaments.models import Role
from tournaments.printing.documents import DOCUMENTS
from tournaments.printing.forms import Choices, PrintForm

pytestmark = pytest.mark.django_db

MM = 72 / 25.4


def widths(pdf: bytes) -> list[int]:
    """Return the width of each page in mm."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [round(page.get_width() / MM) for page in document]


def test_each_startkarte_is_a_strip_of_its_own():
    tournament = make_day()
    cards = written(tournament, "startkarten", paper="80").paper

    people = list(tournament.registrations.filter(number__isnull=False).order_by("number"))
    assert widths(cards.pdf) == [80] * len(people)
    for page, registration in zip(cards.pages, people, strict=True):
        assert registration.person.full_name in page
        assert "Tisch / Platz" in page
    assert set(widths(written(tournament, "startkarten").paper.pdf)) == {210}


def test_a_receipt_is_two_equal_strips():
    tournament = unpaid(4)
    receipt = pay(tournament, 2)
    strips = written(tournament, "quittung", receipt=receipt.number, paper="80").paper

    assert widths(strips.pdf) == [80, 80]
    for page, whose in zip(strips.pages, ("zum Mitgeben", "für die Kasse"), strict=True):
        assert whose in page
        assert "Summe 15,00" in page.replace("\N{NO-BREAK SPACE}", " ")
        assert "Unterschrift der Kasse" in page


def test_a_device_remembers_its_chosen_paper():
    tournament = make_day()
    staff = logged_in(make_member(tournament, Role.KASSE))
    cards, page = at("printing:start", tournament, "startkarten"), at("desk:list", tournament)
    hidden = '<input type="hidden" name="paper" value="80">'
    assert hidden not in staff.read(page)

    staff.post(cards, {"number": "1", "paper": "80"})
    assert hidden in staff.read(page)
    staff.post(cards, {"number": "1", "paper": ""})

    assert hidden not in staff.read(page)


@pytest.mark.parametrize("name", ["startkarten", "quittung"])
def test_the_paper_defaults_to_sheets(name: str):
    paper: Any = PrintForm(DOCUMENTS[name], Choices(make_day())).fields["paper"]

    assert [value for value, _label in paper.choices] == ["", "80"]
    assert not paper.required
