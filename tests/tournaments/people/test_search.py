"""Persons are found however their names are typed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.factories import (
    START,
    make_club,
    make_person,
    make_registration,
    make_tournament,
    make_user,
)
from tests.worlds import world
from tournaments.common import names
from tournaments.common.organisers import first_organiser
from tournaments.models import Ban, Person, Registration
from tournaments.people.queries.people import is_surely_meant, search_keys, search_persons

pytestmark = pytest.mark.django_db


def found(text: str) -> list[str]:
    return [person.list_name for person in search_persons(text, first_organiser())]


@world
def hall() -> dict[str, Person]:
    altenburg, leipzig = make_club("SC Altenburg"), make_club("Leipziger Rommé-Freunde")
    return {
        "kuehn": make_person("Anna", "Kühn", club=altenburg, member_number="A-117"),
        "heide": make_person("Jörg", "von der Heide", club=leipzig),
        "oezil": make_person("Ayşe", "Özil"),
        "gross": make_person("André", "Groß", club=leipzig),
        "lena": make_person("Anna-Lena", "O'Brien"),
        "dvorak": make_person("Jiří", "Dvořák", club=altenburg),
    }


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("kühn", "Kühn, Anna", id="as written"),
        pytest.param("Kuehn", "Kühn, Anna", id="ü as ue"),
        pytest.param("kuhn", "Kühn, Anna", id="ü as u"),
        pytest.param("KÜH", "Kühn, Anna", id="capitals and half a word"),
        pytest.param("kü", "Kühn, Anna", id="two letters"),
        pytest.param("anna kühn", "Kühn, Anna", id="first name first"),
        pytest.param("Kühn, Anna", "Kühn, Anna", id="last name first"),
        pytest.param("kue alt", "Kühn, Anna", id="name and club"),
        pytest.param("altenburg kuh", "Kühn, Anna", id="club and name"),
        pytest.param("117", "Kühn, Anna", id="member number"),
        pytest.param("heide joerg", "von der Heide, Jörg", id="part of the last name"),
        pytest.param("von d h", "von der Heide, Jörg", id="three half words"),
        pytest.param("ozil", "Özil, Ayşe", id="Ö as o"),
        pytest.param("oezil ayse", "Özil, Ayşe", id="cedilla left out"),
        pytest.param("gross andre", "Groß, André", id="ß as ss, no accent"),
        pytest.param("groß andré", "Groß, André", id="ß and accent"),
        pytest.param("brien", "O'Brien, Anna-Lena", id="after the apostrophe"),
        pytest.param("lena", "O'Brien, Anna-Lena", id="after the hyphen"),
        pytest.param("dvorak jiri", "Dvořák, Jiří", id="Czech letters left out"),
        pytest.param("u\u0308 kuhn", None, id="a word that nobody has"),
        pytest.param("ku\u0308hn", "Kühn, Anna", id="ü in two characters"),
        pytest.param(" , - ", None, id="nothing at all"),
    ],
)
def test_a_person_is_found_by_any_spelling_of_the_name(
    hall: dict[str, Person], typed: str, expected: str | None
):
    assert found(typed) == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("khün", "Kühn, Anna", id="two letters changed places"),
        pytest.param("dvroak", "Dvořák, Jiří", id="two letters changed places, accents left out"),
        pytest.param("altnburg kühn", "Kühn, Anna", id="a letter missing in the club"),
        pytest.param("dvorrak", "Dvořák, Jiří", id="a letter too many"),
        pytest.param("hiede", "von der Heide, Jörg", id="ei as ie"),
        pytest.param("grosz", "Groß, André", id="a wrong letter"),
        pytest.param("annalena", "O'Brien, Anna-Lena", id="two first names in one"),
        pytest.param("vonderheide", "von der Heide, Jörg", id="three words in one"),
        pytest.param("dvxrxk", None, id="two wrong letters are too many"),
        pytest.param("xy", None, id="a slip in two letters is not looked for"),
    ],
)
def test_one_typing_error_per_word_is_forgiven(
    hall: dict[str, Person], typed: str, expected: str | None
):
    assert found(typed) == ([expected] if expected else [])


def test_typing_errors_are_considered_only_without_exact_matches():
    make_person("Anna", "Meier")
    make_person("Anna", "Meter")

    assert found("meier") == ["Meier, Anna"]


def test_a_search_with_a_typing_error_reads_few_persons():
    owner = make_person("Anna", "Meier").owner

    with CaptureQueriesContext(connection) as asked:
        assert search_persons("brxndt", owner) == []

    (_whole, with_slip) = [query["sql"] for query in asked.captured_queries]
    assert all(f"%{left}%" in with_slip for left in (" brxn", " br", "t", "ndt"))


def test_last_names_come_before_first_names_before_clubs():
    club = make_club("Martin-Luther-Club")
    make_person("Zora", "Berg", club=club)
    make_person("Martin", "Berg")
    make_person("Zora", "Martin")

    assert found("mart") == ["Martin, Zora", "Berg, Martin", "Berg, Zora"]


def test_a_whole_word_comes_before_a_begun_one():
    make_person("Anna", "Kochendörfer")
    make_person("Berta", "Koch")

    assert found("koch") == ["Koch, Berta", "Kochendörfer, Anna"]


def test_recent_players_come_first_among_equals():
    never, long_ago, lately, withdrew = (
        make_person(first_name, "Kühn") for first_name in ("Anna", "Berta", "Clara", "Dora")
    )
    make_registration(make_tournament(starts_at=START - timedelta(days=700)), long_ago)
    make_registration(make_tournament(starts_at=START - timedelta(days=30)), lately)
    make_registration(
        make_tournament(), withdrew, status=Registration.Status.WITHDRAWN, number=None
    )

    assert search_keys("kühn", first_organiser()) == [lately.pk, long_ago.pk, never.pk, withdrew.pk]


def test_merged_anonymised_and_excluded_persons_are_not_found():
    kept = make_person("Anna", "Kühn")
    make_person("Anna", "Kühn", merged_into=kept)
    make_person("Anna", "Kühn", anonymised_at=timezone.now())
    left_out = make_person("Anna", "Kühn")

    assert search_persons("kühn", first_organiser(), exclude=[left_out.pk]) == [kept]


def test_no_more_are_returned_than_asked_for():
    for _number in range(12):
        make_person("Anna", "Kühn")

    assert len(search_persons("kühn", first_organiser())) == 8
    assert len(search_persons("kühn", first_organiser(), limit=3)) == 3


@pytest.mark.parametrize(
    ("fields", "banned"),
    [
        pytest.param({"ends_on": None}, True, id="§ 1.4 for good"),
        pytest.param({"ends_on": date(2026, 10, 3)}, True, id="§ 1.4 last day"),
        pytest.param({"ends_on": date(2026, 10, 2)}, False, id="§ 1.4 over"),
        pytest.param({"starts_on": date(2026, 10, 4)}, False, id="§ 1.4 not yet"),
        pytest.param({"lifted_at": START}, False, id="§ 1.4 lifted"),
    ],
)
def test_a_match_names_the_reason_against_playing(
    monkeypatch: pytest.MonkeyPatch, fields: dict[str, date | datetime | None], banned: bool
):
    monkeypatch.setattr(timezone, "now", lambda: START)
    admin = make_user()
    values: dict[str, Any] = {"starts_on": date(2026, 1, 1), **fields}
    if "lifted_at" in fields:
        values["lifted_by"] = admin
    person = make_person("Anna", "Kühn")
    Ban.objects.create(person=person, reason="Karten gezinkt", created_by=admin, **values)

    (hit,) = search_persons("kühn", first_organiser())

    assert hit.ban_reason == ("Karten gezinkt" if banned else None)


NAME_LETTERS = "abcdefghilmnorstuzäöüßéèáçñøłŞšćåABDKMSÄÖÜÉ"
WORD = st.text(NAME_LETTERS, min_size=2, max_size=9)
NAME = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
SPELLINGS: dict[str, Callable[[str], str]] = {
    "as written": str,
    "capitals": str.upper,
    "ä as ae": names.fold,
    "ä as a": lambda word: names.search_words(word)[-1],
}


class EveryPrefixFinds(TestCase):
    """Hypothesis cleans the database up after each example here."""

    @given(data=st.data(), first_name=NAME, last_name=NAME, club=NAME)
    def test_every_person_is_found_by_each_beginning_of_each_word(
        self, data: st.DataObject, first_name: str, last_name: str, club: str
    ):
        person = make_person(first_name, last_name, club=make_club(club))
        make_person("Xq", "Xq")
        word = data.draw(st.sampled_from(f"{first_name} {last_name} {club}".split()))
        spelt = SPELLINGS[data.draw(st.sampled_from(sorted(SPELLINGS)))](word)
        typed = spelt[: data.draw(st.integers(2, len(spelt)))]

        assert search_keys(typed, first_organiser()) == [person.pk]


@pytest.mark.parametrize(
    ("typed", "name", "expected"),
    [
        pytest.param("kü", "Kühn, Anna", True, id="one word cut short"),
        pytest.param("kuhn", "Kühn, Anna", True, id="one word, umlaut left out"),
        pytest.param("kühn anna", "Kühn, Anna", True, id="whole name"),
        pytest.param("anna kue alt", "Kühn, Anna", True, id="cut short by more than a letter"),
        pytest.param("Kuehn, Anna, alt", "Kühn, Anna", True, id="with commas, ü as ue"),
        pytest.param("Kühn, A", "Kühn, Anna", True, id="initial"),
        pytest.param("Kühn, Ann", "Kühn, Anna", False, id="Ann is a name too"),
        pytest.param("kuhn anna", "Kühn, Anna", False, id="Kuhn is a name too"),
        pytest.param("Berg, Bert", "Be, Bert", False, id="Berg, Bert"),
        pytest.param("Krüger Ralf", "Krüger, Rolf", False, id="Krüger Ralf"),
        pytest.param("Brand Erik", "Brandt, Erika", False, id="Brand Erik"),
        pytest.param("Braun Helge", "Braun, Helga", False, id="Braun Helge"),
        pytest.param("Wolff Edeltraud", "Wolf, Edeltraud", False, id="Wolff Edeltraud"),
        pytest.param("Schulz, Jan", "Schulz, Janina", False, id="a name within another"),
        pytest.param("Ernst, Peter", "Peter, Ernst", False, id="comma and the other way round"),
    ],
)
def test_a_name_is_certain_unless_it_matches_another_person(typed, name, expected):
    last_name, first_name = name.split(", ")
    person = make_person(first_name, last_name, club=make_club("SC Altenburg"))

    assert person in search_persons(typed, first_organiser())
    assert is_surely_meant(person, typed) is expected
