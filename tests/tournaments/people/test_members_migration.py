"""What the update to numbers that belong to one person does with those there twice."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.migrating import migrated_to, models_of
from tournaments.models import Person

BEFORE = "0021_honours"


@pytest.fixture
def earlier(transactional_db):
    with models_of(BEFORE) as models:
        yield models


@pytest.mark.django_db(transaction=True)
def test_each_number_is_left_to_one_person_and_a_remark_of_the_others(earlier):
    owners = [
        earlier.get_model("tournaments", "Organiser").objects.create(name=name)
        for name in ("SC Altenburg", "RC Gera")
    ]

    def make(owner: int, **fields: Any) -> Any:
        model = earlier.get_model("tournaments", "Person")
        fields = {"last_name": "Kühn", "sort_key": "kuehn", **fields}
        return model.objects.create(owner=owners[owner], member_number="7", **fields)

    first = make(0)
    make(0, note="Kasse")
    make(0, note="x" * 300)
    make(1)
    make(0, merged_into=first)

    migrated_to("0023_members")

    assert [
        (one.owner_id == owners[0].pk, one.member_number, one.note[-35:])
        for one in Person.objects.order_by("pk")
    ] == [
        (True, "7", ""),
        (True, "", "Kasse; Mitgliedsnummer doppelt: 7"),
        (True, "", "xxxxxxx; Mitgliedsnummer doppelt: 7"),
        (False, "7", ""),
        (True, "7", ""),
    ]
