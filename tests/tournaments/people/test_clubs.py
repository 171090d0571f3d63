"""Clubs are renamed, and two spellings of one become one."""

from __future__ import annotations

import pytest

from tests.factories import COMMAND, make_club, make_person, make_registration, make_tournament
from tests.journal_proof import take_all_as_they_are
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.organisers import first_organiser
from tournaments.journal import proof
from tournaments.models import Club, JournalEntry, Tournament
from tournaments.people.queries.people import search_persons
from tournaments.people.services.clubs import merge_clubs, rename_club

pytestmark = pytest.mark.django_db


def test_persons_are_found_by_the_new_name_of_their_club():
    club = make_club("SC Altenburg")
    person = make_person("Anna", "Kühn", club=club)
    registration = make_registration(make_tournament(), person)

    rename_club(club_id=club.pk, name=" Skatstädter  Rommé ", actor=COMMAND)

    club.refresh_from_db()
    assert club.name == "Skatstädter Rommé"
    assert search_persons("skatst", first_organiser()) == [person]
    assert search_persons("altenb", first_organiser()) == []
    registration.tournament.refresh_from_db()
    assert registration.tournament.revision == 1
    entry = JournalEntry.objects.get()
    assert (entry.before, entry.after) == ({"name": "SC Altenburg"}, {"name": "Skatstädter Rommé"})


def test_the_spelling_of_a_club_can_be_changed():
    club = make_club("Romme Club Koeln")

    rename_club(club_id=club.pk, name="Rommé-Club Köln", actor=COMMAND)

    club.refresh_from_db()
    assert club.name == "Rommé-Club Köln"


def test_a_merged_club_keeps_all_persons_and_registrations():
    keep, drop = make_club("SC Altenburg"), make_club("Altenburg e.V.")
    person = make_person("Anna", "Kühn", club=drop)
    registration = make_registration(make_tournament(status=Tournament.Status.CLOSED), person)

    merge_clubs(keep_id=keep.pk, drop_id=drop.pk, actor=COMMAND)

    person.refresh_from_db()
    registration.refresh_from_db()
    assert (person.club, registration.club) == (keep, keep)
    assert person.search_key == " kuehn kuhn anna sc altenburg"
    assert list(Club.objects.all()) == [keep]
    entry = JournalEntry.objects.get(chain__tournament=None)
    assert (entry.action, entry.subject_id) == ("clubs_merged", keep.pk)
    assert entry.before == {"name": "Altenburg e.V.", "merged": drop.pk}
    assert entry.after == {"name": "SC Altenburg", "persons": 1, "registrations": 1}


def test_merges_and_renames_of_a_club_keep_proofs_valid():
    keep, drop = make_club("SC Altenburg"), make_club("Altenburg e.V.")
    make_registration(make_tournament(), make_person(club=drop))
    circle = {"is_open": False, "closed_circle": "Vereine", "admission": "listed"}
    make_tournament(**circle, circle_clubs="Altenburg e. V.")
    take_all_as_they_are()

    merge_clubs(keep_id=keep.pk, drop_id=drop.pk, actor=COMMAND)
    rename_club(club_id=keep.pk, name="SC 1920", actor=COMMAND)

    assert list(proof.of_installation()) == []
    told = JournalEntry.objects.exclude(chain__tournament=None).exclude(action="rows_taken")
    assert list(told.order_by("pk").values_list("action", flat=True)) == [
        "clubs_merged",
        "clubs_merged",
        "club_renamed",
    ]


def test_clubs_are_merged_once_and_not_with_themselves():
    keep, drop = make_club(), make_club()

    with pytest.raises(TournamentError, match="zwei verschiedene"):
        merge_clubs(keep_id=keep.pk, drop_id=keep.pk, actor=COMMAND)
    merge_clubs(keep_id=keep.pk, drop_id=drop.pk, actor=COMMAND)
    with pytest.raises(Conflict, match="schon zusammengeführt"):
        merge_clubs(keep_id=keep.pk, drop_id=drop.pk, actor=COMMAND)
