"""What the update to organisers does with what was there, and back."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from tests.tournaments.migrating import migrated_to, models_of
from tournaments.common.organisers import home
from tournaments.models import Organiser

BEFORE, AFTER = ("0016_players_help_themselves", "0017_organisers")


@pytest.fixture
def earlier(transactional_db):
    with models_of(BEFORE) as models:
        yield models


@pytest.mark.django_db(transaction=True)
def test_what_is_there_belongs_to_one_organiser_and_what_is_made_up_to_another(earlier):
    def make(model: str, **fields: Any) -> Any:
        return earlier.get_model("tournaments", model).objects.create(**fields)

    def tournament(slug: str, **fields: Any) -> None:
        now = timezone.now()
        make(
            "Tournament", slug=slug, starts_at=now, registration_deadline=now, rule_set={}, **fields
        )

    karla, uwe = (
        make("User", username=name, name=name, is_admin=name == "karla")
        for name in ("karla", "uwe")
    )
    guest = make("User", username="demo-kasse", name="Bernd", is_demo=True)
    for number in range(3):
        tournament(f"abend-{number}", organiser="SC Altenburg" if number else "")
    tournament("uebung", organiser="Probe", is_demo=True)
    both, demo_only = (make("Club", name=name, sort_key=name) for name in ("a", "b"))
    make("Person", last_name="Kühn", sort_key="kuehn", club=both)
    for number, club in enumerate((both, demo_only)):
        make("Person", last_name=f"Lang{number}", sort_key="lang", club=club, is_demo=True)
    make("PersonImport", created_by=guest, file_name="x", rows=[])
    make("PersonImport", created_by=uwe, file_name="y", rows=[])
    make("Season", slug="s", name="S", created_by=uwe)

    now = migrated_to(AFTER)

    def owned(model: str, name: str) -> dict[str, bool]:
        rows = now.get_model("tournaments", model).objects
        return dict(rows.values_list(name, "owner__is_practice"))

    organisers = now.get_model("tournaments", "Organiser").objects
    accounts = now.get_model("tournaments", "OrganiserAccount").objects
    assert set(organisers.values_list("name", "is_practice")) == {
        ("SC Altenburg", False),
        ("Übungsturnier", True),
    }
    assert set(accounts.values_list("user", "right", "organiser__is_practice")) == {
        (karla.pk, "all", False),
        (uwe.pk, "named", False),
        (guest.pk, "named", True),
    }
    assert owned("Tournament", "slug") == {
        **{f"abend-{number}": False for number in range(3)},
        "uebung": True,
    }
    assert owned("Person", "last_name") == {"Kühn": False, "Lang0": True, "Lang1": True}
    assert owned("Club", "name") == {"a": False, "b": True}
    assert owned("PersonImport", "file_name") == {"x": True, "y": False}
    assert owned("Season", "slug") == {"s": False}


@pytest.mark.django_db
def test_a_new_installation_has_no_organiser_until_somebody_needs_one():
    assert not Organiser.objects.exists()
    assert home() == home()
    assert Organiser.objects.get().name == "Veranstalter"
