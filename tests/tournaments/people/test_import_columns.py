"""The columns of a file of persons: guessed by heading, or chosen."""

from __future__ import annotations

import pytest

from tests.factories import make_user
from tests.tournaments.people.helpers import store
from tests.tournaments.people.test_import import answer, states, upload
from tournaments.common.errors import TournamentError
from tournaments.common.organisers import first_organiser
from tournaments.machine import sheets
from tournaments.models import Person
from tournaments.people.services.importing import choose_columns, store_rows
from tournaments.people.services.plan import KnownPersons, make_plan

pytestmark = pytest.mark.django_db


def test_guessed_columns_can_be_changed():
    draft = upload("Anna;Kühn;Zuletzt", headings="Name;Vorname;Unsinn")
    assert draft.choices == {"heading_row": 1, "columns": ["last_name", "first_name", ""]}

    choose_columns(
        draft=draft,
        heading_row=1,
        columns=["first_name", "last_name", "club"],
        known=KnownPersons.UPDATE,
    )

    assert make_plan(draft).rows[0].row.values == {
        "last_name": "Kühn",
        "first_name": "Anna",
        "club": "Zuletzt",
    }


def test_the_workbook_of_a_federation_is_imported_unchanged():
    rows = [
        ["Landesverband Thüringen, Meldeliste 2026", "", "", "", ""],
        [""] * 5,
        ["Lfd. Nr.", "Geb.-Jahr", "Mitgl.-Nr.", "Name, Vorname", "Verein / Ort"],
        [1, 1961, 4711, "Kühn, Anna", "SC Altenburg"],
        [2, None, "T-0815", "von der Heide, Karl-Heinz", ""],
    ]
    content = sheets.xlsx_bytes("Meldeliste", rows)
    draft = store_rows(
        within=first_organiser(),
        rows=sheets.read(content),
        file_name="liste.xlsx",
        user=make_user(),
    )
    answer(draft)

    store(draft)

    anna = Person.objects.get(member_number="4711")
    karl = Person.objects.get(member_number="T-0815")
    assert (anna.list_name, anna.birth_year, str(anna.club)) == ("Kühn, Anna", 1961, "SC Altenburg")
    assert (karl.list_name, karl.club) == ("von der Heide, Karl-Heinz", None)


def test_without_headings_every_row_is_a_person():
    draft = upload("Berg;Karl", headings="Kühn;Anna")
    assert draft.choices == {"heading_row": 0, "columns": ["", ""]}

    choose_columns(
        draft=draft, heading_row=0, columns=["last_name", "first_name"], known=KnownPersons.UPDATE
    )

    assert store(draft) == {"new": 2}


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        pytest.param(["", "", ""], "Nachname", id="nobody"),
        pytest.param(["first_name", "club", ""], "Nachname", id="no last name"),
        pytest.param(["last_name", "first_last", ""], "eine einzige Spalte", id="both ways"),
        pytest.param(["first_last", "first_name", ""], "eine einzige Spalte", id="first twice"),
        pytest.param(["last_name", "phone", "phone"], "„Telefon“ ist für zwei", id="twice"),
    ],
)
def test_invalid_columns_are_refused(columns: list[str], sentence: str):
    draft = upload("Kühn;Anna;SC")

    with pytest.raises(TournamentError, match=sentence):
        choose_columns(draft=draft, heading_row=1, columns=columns, known=KnownPersons.UPDATE)


def test_new_columns_reset_the_answers():
    draft = upload("Kühn;Anna;SC;;")
    answer(draft, {2: "skip"})

    choose_columns(
        draft=draft, heading_row=1, columns=draft.choices["columns"], known=KnownPersons.UPDATE
    )

    assert states(draft) == ["new"]
