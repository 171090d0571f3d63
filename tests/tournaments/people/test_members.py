"""Members of a federation: persons with the number of a pass, and until when it is valid."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from tests.concurrency import at_once
from tests.factories import COMMAND, make_club, make_organiser, make_person
from tests.tournaments.people import helpers
from tests.tournaments.people.helpers import store
from tournaments.common.organisers import first_organiser
from tournaments.models import Club, JournalEntry, Organiser, Person, PersonImport
from tournaments.people.forms.people import MergeForm
from tournaments.people.services import people
from tournaments.people.services.importing import decide
from tournaments.people.services.merge import merge_persons
from tournaments.people.services.plan import KnownPersons, make_plan

pytestmark = pytest.mark.django_db

HEADINGS = "Pass-Nr.;Name;Vorname;Verein;Geburtsdatum;gültig bis"
THIS_YEAR, NEXT_YEAR = date(2026, 12, 31), date(2027, 12, 31)


def upload(*lines: str) -> PersonImport:
    return helpers.upload(HEADINGS, *lines)


def doubts(draft: PersonImport) -> list[tuple[str, ...]]:
    """The state of each row, with the sentence of its bad cell."""
    rows = make_plan(draft).rows
    return [(row.state.value, *(cell["sentence"] for cell in row.bad_cells)) for row in rows]


def test_the_list_of_the_next_year_extends_passes_without_duplicates():
    this = upload(
        "1001;Kühn;Anna;SC Altenburg;3.2.1950;31.12.2026",
        "1002;Berg;Karl;RC Gera;1961;2026",
        "1003;Zorn;Eva;RC Gera;1970;2026",
    )
    assert store(this) == {"new": 3}

    following = upload(
        "1001;KUEHN;ANNA;RC Gera;3.2.1950;31.12.2027",
        "1002;Berg;Karl;RC Gera;;31.12.2027",
        "1004;Neu;Ida;RC Gera;1980;31.12.2027",
    )
    assert store(following) == {"new": 1, "updated": 2}

    kept = {person.member_number: person for person in Person.objects.select_related("club")}
    assert [
        (person.list_name, str(person.club), person.member_until) for person in kept.values()
    ] == [
        ("Berg, Karl", "RC Gera", NEXT_YEAR),
        ("Kühn, Anna", "RC Gera", NEXT_YEAR),
        ("Neu, Ida", "RC Gera", NEXT_YEAR),
        ("Zorn, Eva", "RC Gera", THIS_YEAR),
    ]
    assert kept["1002"].birth_year == 1961


def test_a_known_number_with_another_name_is_a_question():
    lang = make_person("Anna", "Kühn", member_number="1001")
    draft = upload("1001;Lang;Anna;;;2027")

    (row,) = make_plan(draft).rows
    assert (row.state, row.candidates, row.is_known_number) == ("question", [lang], True)
    decide(draft=draft, known=KnownPersons.UPDATE, decisions={2: str(lang.pk)}, mended={})
    assert store(draft) == {"updated": 1}

    lang.refresh_from_db()
    assert lang.member_until == NEXT_YEAR


def test_a_new_person_does_not_get_a_used_number():
    make_person("Anna", "Kühn", member_number="1001", birth_year=1950)
    draft = upload("1001;Kühn;Anna;;1988;2027", "1002;Berg;Karl;;;", "1002;Berg;Paul;;;")

    assert doubts(draft) == [
        ("bad", "„1001“ gehört schon zu Anna Kühn. Bitte berichtigen oder auslassen."),
        ("new",),
        ("bad", "„1002“ steht schon in Zeile 3. Bitte berichtigen oder auslassen."),
    ]


def test_a_namesake_with_another_number_is_a_question():
    make_person("Anna", "Kühn", club=make_club("SC"), member_number="1001")

    (row,) = make_plan(upload("2002;Kühn;Anna;SC;;2027")).rows

    assert (row.state, row.is_known_number) == ("question", False)


def test_an_invalid_day_names_its_row():
    assert doubts(upload("1001;Kühn;Anna;;;demnächst", "1002;Berg;Karl;;;31.2.2027")) == [
        ("bad", "„demnächst“ ist kein Tag und kein Jahr, bis zu dem ein Pass gilt: 31.12.2026."),
        ("bad", "Den Tag „31.2.2027“ gibt es nicht."),
    ]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Kühn", "Kuhn", "Berg"]),
            st.sampled_from(["Anna", "Karl"]),
            st.sampled_from(["SC", "RC", ""]),
            st.sampled_from(["1950", "1961", ""]),
        ),
        max_size=8,
    )
)
def test_a_person_is_recognised_by_the_member_number(rows: list[tuple[str, ...]]):
    persons = []
    for number, (last, first, club, year) in enumerate(rows):
        person = Person(
            pk=number + 1,
            owner_id=1,
            last_name=last,
            first_name=first,
            club=Club(name=club, sort_key=club.lower()) if club else None,
            birth_year=int(year) if year else None,
            member_number=f"P-{number}",
        )
        person.tidy()
        persons.append(person)
    draft = PersonImport(
        rows=[[n, [f"P {n}", *row, "2027"]] for n, row in enumerate(rows)],
        choices={
            "heading_row": -1,
            "columns": [
                *("member_number", "last_name", "first_name", "club", "birth_year"),
                "member_until",
            ],
        },
    )

    plan = make_plan(draft, persons)

    assert [(row.state.value, row.person) for row in plan.rows] == [
        ("updated", person) for person in persons
    ]


def test_a_number_belongs_to_one_person_of_an_organiser():
    make_person("Anna", "Kühn", member_number="1001")
    there = Organiser.objects.create(name="RC Gera")
    make_person("Karl", "Berg", member_number="1001", owner=there)

    with pytest.raises(ValidationError, match="hat schon jemand anderes"):
        people.create_person(
            actor=COMMAND, within=first_organiser(), last_name="Zorn", member_number=" 1001 "
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        make_person("Eva", "Zorn", member_number="1001")


def test_a_merge_transfers_the_member_number():
    keep, drop = make_person("Anna", "Kühn"), make_person("Anna", "Kuehn", member_number="1001")

    merge_persons(
        keep_id=keep.pk, drop_id=drop.pk, taken=["member_number", "member_until"], actor=COMMAND
    )

    keep.refresh_from_db()
    assert keep.member_number == "1001"


def test_the_page_for_merging_formats_dates_as_usual():
    keep, drop = make_person("Anna", "Kühn"), make_person("Anna", "Kuehn", member_until=THIS_YEAR)

    field: Any = MergeForm(keep=keep, drop=drop).fields["member_until"]

    assert dict(field.choices) == {"keep": "–", "drop": "31.12.2026"}


def test_a_changed_pass_is_journalled_without_its_number():
    person = make_person("Anna", "Kühn", member_number="1001", member_until=THIS_YEAR)
    before = people.fingerprint(person)

    stored = people.update_person(
        person_id=person.pk, actor=COMMAND, fields={"member_until": NEXT_YEAR}
    )

    assert people.fingerprint(stored) != before
    entry = JournalEntry.objects.get(action="person_changed")
    assert entry.after["changed"] == ["member_until"]
    assert "1001" not in str(entry.after) + str(entry.before)


@pytest.mark.parametrize(
    ("number", "until", "is_valid"),
    [
        pytest.param("1001", date(2026, 10, 3), True, id="on its last day"),
        pytest.param("1001", date(2026, 10, 2), False, id="the day after"),
        pytest.param("1001", None, True, id="without end"),
        pytest.param("", None, False, id="no number"),
    ],
)
def test_a_pass_is_valid_until_its_last_day(number: str, until: date | None, is_valid: bool):
    person = Person(member_number=number, member_until=until)

    assert person.has_pass_on(date(2026, 10, 3)) is is_valid


@pytest.mark.django_db(transaction=True)
def test_a_number_stored_twice_at_once_is_refused_and_names_its_owner():
    organiser = make_organiser()

    def enter(name: str) -> list[str]:
        try:
            people.create_person(
                actor=COMMAND, within=organiser, last_name=name, member_number="4711"
            )
        except ValidationError as refusal:
            return refusal.messages
        return []

    answers = at_once(lambda: enter("Kühn"), lambda: enter("Lang"))

    assert sorted(map(len, answers)) == [0, 1]
    assert "hat schon jemand anderes" in str(answers)
    assert Person.objects.filter(member_number="4711").count() == 1
