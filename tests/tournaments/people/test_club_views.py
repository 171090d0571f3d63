"""The pages of clubs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients import Client
from tests.factories import make_club, make_person
from tests.tournaments.people.helpers import url
from tournaments.common.errors import Conflict
from tournaments.people.services import clubs

pytestmark = pytest.mark.django_db


def test_clubs_are_found_with_the_number_of_their_persons(
    admin_client: Client, django_assert_num_queries
):
    altenburg = make_club("SC Altenburg")
    make_club("Leipzig")
    make_person(club=altenburg)
    make_person(club=altenburg, merged_into=make_person())

    with django_assert_num_queries(5):  # session, account, its organisers, how many, which
        page = admin_client.get(url("clubs"), {"q": "alt"})

    assert [(club.name, club.persons_count) for club in page.context["page"]] == [
        ("SC Altenburg", 1)
    ]


def test_a_club_deleted_meanwhile_is_reported(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
):
    keep, drop = make_club("SC Altenburg"), make_club("Altenburg e.V.")

    def refuse(**_arguments: Any) -> None:
        raise Conflict("inzwischen schon zusammengeführt")

    monkeypatch.setattr(clubs, "merge_clubs", refuse)
    answer = admin_client.post(url("merge_clubs", keep.pk), {"other": drop.pk})

    assert answer.status_code == 409
    assert "inzwischen schon zusammengeführt" in answer.content.decode()


def test_a_club_is_renamed_and_merged(admin_client: Client):
    altenburg, other = make_club("SC Altenburg"), make_club("Altenburg e.V.")
    person = make_person("Anna", "Kühn", club=other)

    same = admin_client.post(url("club", altenburg.pk), {"name_": "altenburg e. v."})
    assert same.status_code == 409
    assert "gibt es schon" in same.content.decode()
    assert admin_client.post(url("club", altenburg.pk), {"name_": "–"}).status_code == 422
    assert admin_client.post(url("club", altenburg.pk), {"name_": "RC Alt"}).status_code == 302

    wrong = admin_client.post(url("merge_clubs", altenburg.pk), {"other": altenburg.pk})
    assert wrong.status_code == 422
    admin_client.post(url("merge_clubs", altenburg.pk), {"other": other.pk})

    person.refresh_from_db()
    assert person.club is not None
    assert person.club.name == "RC Alt"
    assert "Kühn, Anna" in admin_client.read(url("club", altenburg.pk))
