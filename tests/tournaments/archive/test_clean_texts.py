"""Texts of an archive with invisible characters or line breaks are cleaned as forms clean them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.factories import COMMAND, make_club, make_person, make_registration, make_tournament
from tests.tournaments.archive.helpers import saved, unsealed
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.models import Person, Tournament, User

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def written() -> Tournament:
    tournament = make_tournament(venue="Halle", contact="Karl")
    person = make_person("Anna", "Kühn", club=make_club("SC Altenburg"), note="Notiz")
    make_registration(tournament, person, late_reason="Stau")
    return tournament


def of_hand() -> dict[str, Any]:
    """Return a handwritten archive, without seal and journal, for another address."""
    data = unsealed(archive_text(written()))
    data.pop("journal", None)
    data["tournament"]["slug"] = "anderswo"
    return data


def by_hand(**changes: Any) -> Tournament:
    """Import a handwritten archive with these values of its details."""
    data = of_hand()
    for section, values in changes.items():
        data[section][0].update(values)
    return import_archive(json.dumps(data).encode(), actor=COMMAND)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Saal\r\nBcc: alle", "Saal Bcc: alle"),
        ("Sa\x07al", "Saal"),
        ("\u202eSaal\u200b", "Saal"),
        ("Sa\x1bal\x7f", "Saal"),
    ],
)
def test_a_text_of_one_line_is_cleaned_in_every_section(typed: str, kept: str):
    came = by_hand(
        tournament_details={"contact": typed, "text": "eins\nzwei\x07"},
        person_details={"phone": typed},
        registration_details={"late_reason": typed},
        categories={"name": typed},
    )

    assert (came.contact, came.text) == (kept, "eins\nzwei")
    assert Person.objects.latest("pk").phone == kept
    assert came.registrations.get().late_reason == kept
    assert came.categories.get().name == kept


def test_texts_within_other_values_are_cleaned_too():
    came = by_hand(tournament_details={"prize_plan": {"note": "Es\x07sen\u202e"}})

    assert came.prize_plan == {"note": "Essen"}


def test_names_of_accounts_are_cleaned():
    data = of_hand()
    data["accounts"] = [{"username": "bo\u200bdo", "name": "Bodo\u202e Haupt"}]

    import_archive(json.dumps(data).encode(), actor=COMMAND)

    stands_for = User.objects.exclude(archived_as="").get()
    assert (stands_for.archived_as, stands_for.name) == ("bodo", "Bodo Haupt")


def test_sealed_texts_of_an_earlier_version_stay_unchanged():
    tournament = written()
    Tournament.objects.filter(pk=tournament.pk).update(venue="Halle\r\nHof", contact="Karl\x07")
    tournament.refresh_from_db()
    text = saved(tournament)

    came = import_archive(text.encode(), actor=COMMAND, replace=True)

    assert (came.venue, came.contact) == ("Halle\r\nHof", "Karl")


def test_clean_archives_are_exported_unchanged():
    text = saved(written())

    came = import_archive(text.encode(), actor=COMMAND, replace=True)

    without = [{**json.loads(archived), "seal": None} for archived in (text, archive_text(came))]
    assert without[0] == without[1]
