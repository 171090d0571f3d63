"""The pages on which two records of a person become one."""

from __future__ import annotations

import pytest

from tests.clients import Client
from tests.factories import make_club, make_person, make_registration, make_tournament
from tests.tournaments.people.helpers import url

pytestmark = pytest.mark.django_db


def test_duplicates_link_to_the_comparison(admin_client: Client):
    first, second = make_person("Anna", "Kühn"), make_person("Anna", "Kuehn")

    page = admin_client.read(url("duplicates"))

    assert url("merge", first.pk, second.pk) in page
    assert "gleicher Name" in page


def test_the_second_record_can_be_searched(admin_client: Client):
    person, other = make_person("Anna", "Kühn"), make_person("Anna", "Kuhnert")

    page = admin_client.read(url("merge_choose", person.pk), {"q": "kuhn"})

    assert url("merge", person.pk, other.pk) in page
    assert url("merge", person.pk, person.pk) not in page


def test_differing_values_are_chosen_and_empty_ones_filled(admin_client: Client):
    keep = make_person("Anna", "Kuehn", birth_year=1950)
    drop = make_person("Anna", "Kühn", phone="0341 1", birth_year=1950)
    page = admin_client.get(url("merge", keep.pk, drop.pk))
    form = page.context["form"]
    assert list(form.fields) == ["last_name", "phone"]
    assert [form[name].initial for name in form.fields] == ["keep", "drop"]

    answer = admin_client.post(
        url("merge", keep.pk, drop.pk), {"last_name": "drop", "phone": "drop"}
    )

    assert answer["Location"] == url("person", keep.pk)
    keep.refresh_from_db()
    assert (keep.last_name, keep.phone) == ("Kühn", "0341 1")


def test_values_are_compared_in_words(admin_client: Client):
    keep = make_person("Anna", "Kühn", gender="f", publish_consent=True)
    drop = make_person("Anna", "Kühn", club=make_club("SC Altenburg"))

    form = admin_client.get(url("merge", keep.pk, drop.pk)).context["form"]

    assert {
        name: [label for _value, label in form.fields[name].choices] for name in form.fields
    } == {
        "club": ["–", "SC Altenburg"],
        "gender": ["weiblich", "keine Angabe"],
        "publish_consent": ["ja", "nein"],
    }


def test_obstacles_to_merging_are_shown_before_and_after(admin_client: Client):
    tournament = make_tournament(name="Herbstturnier")
    keep, drop = make_person("Anna", "Kühn"), make_person("Anna", "Kühn")
    make_registration(tournament, keep)
    make_registration(tournament, drop)

    before = admin_client.read(url("merge", keep.pk, drop.pk))
    after = admin_client.post(url("merge", keep.pk, drop.pk))

    assert "sind beide im Turnier „Herbstturnier“ gemeldet" in before
    assert after.status_code == 409
    assert "sind beide im Turnier „Herbstturnier“ gemeldet" in after.content.decode()
