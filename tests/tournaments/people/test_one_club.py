"""A club is one club at the desk, in files, on lists of a closed tournament, and in draws."""

from __future__ import annotations

import pytest

from tests.clients import Client, at
from tests.factories import (
    COMMAND,
    make_club,
    make_member,
    make_person,
    make_registration,
    make_tournament,
)
from tests.tournaments.people.helpers import store, upload
from tournaments.common.errors import Conflict
from tournaments.common.organisers import first_organiser
from tournaments.desk.queries.admission import Applicant, admission_ground
from tournaments.draw.queries.report import near_clubs
from tournaments.draw.queries.task import make_task
from tournaments.models import Club, Person, Registration, Role, Tournament
from tournaments.people.services.clubs import rename_club
from tournaments.people.services.people import find_or_create_club
from tournaments.people.services.plan import RowState, make_plan

pytestmark = pytest.mark.django_db

SPELLINGS = ("RC X", "RC X e.V.", "R.C. X", "RC-X", "Rommé-Club X")


def playing(tournament: Tournament, club: Club | None) -> Registration:
    person = make_person(club=club, owner=tournament.owner)
    return make_registration(tournament, person, club=club)


def test_the_desk_matches_every_spelling_of_a_club():
    tournament = make_tournament()

    clubs = {find_or_create_club(name, actor=COMMAND, within=tournament) for name in SPELLINGS}

    assert [club.name for club in clubs if club] == ["RC X"]
    assert find_or_create_club("ohne Verein", actor=COMMAND, within=tournament) is None


def test_a_file_creates_one_club_for_all_spellings():
    make_club("RC X")
    rows = [f"Kühn{number};Anna;{name};" for number, name in enumerate(SPELLINGS)]

    store(upload("Nachname;Vorname;Verein;Geburtsjahr", *rows, "Berg;Jan;keiner;"))

    assert list(Club.objects.values_list("name", flat=True)) == ["RC X"]
    assert set(Person.objects.exclude(last_name="Berg").values_list("club__name", flat=True)) == {
        "RC X"
    }
    assert Person.objects.get(last_name="Berg").club is None


def test_a_person_matches_with_another_spelling_of_the_club():
    stored = make_person("Anna", "Kühn", club=make_club("RC X"))

    plan = make_plan(upload("Nachname;Vorname;Verein", "Kühn;Anna;Rommé-Club X e.V."))

    assert [(row.state, row.person) for row in plan.rows] == [(RowState.SAME, stored)]


def test_a_member_is_admitted_by_any_spelling_of_the_club():
    tournament = make_tournament(
        is_open=False,
        closed_circle="Mitglieder",
        circle_clubs="RC Übersee",
        admission=Tournament.Admission.LISTED,
    )

    said = admission_ground(
        tournament, Applicant(full_name="Anna Kühn", club_name="R.C. Uebersee e. V.")
    )

    assert said == "Mitglied von R.C. Uebersee e. V."


def test_a_club_is_not_renamed_to_a_spelling_of_another():
    make_club("RC X")
    other = make_club("SC Gera")

    with pytest.raises(Conflict, match="gibt es schon"):
        rename_club(club_id=other.pk, name="RC X e.V.", actor=COMMAND)

    assert rename_club(club_id=other.pk, name="SC Gera e.V.", actor=COMMAND).name == "SC Gera e.V."


def test_a_draw_separates_members_of_a_duplicate_club():
    tournament = make_tournament()
    names = ("RC X", "RC X e.V.", "ohne")  # as older versions stored them
    clubs = [make_club(name, owner=tournament.owner) for name in names]
    people = [playing(tournament, club) for club in [*clubs, None]]

    task = make_task(tournament.serien.get(number=1))

    club_of = {player["id"]: player["club"] for player in task["players"]}
    assert [club_of[person.number] for person in people] == [
        *[f"Verein {clubs[0].pk}"] * 2,
        None,
        None,
    ]


def test_the_draw_asks_about_similar_clubs():
    tournament = make_tournament()
    people = [
        playing(tournament, make_club(name, owner=tournament.owner))
        for name in ("SC Gera", "Skatclub Gera 1987", "TSV Gera")
    ]

    assert near_clubs(people) == [("SC Gera", "Skatclub Gera 1987")]


def test_the_page_of_clubs_suggests_merges():
    double = [make_club("RC X"), make_club("RC X e.V."), make_club("SC Gera")]
    client = Client()
    client.force_login(make_member(make_tournament(), Role.VERANSTALTER, is_admin=True))

    page = client.get(at("people:clubs")).content.decode()
    merging = client.get(at("people:club", double[0].pk), {"mit": double[1].pk}).content.decode()

    assert f'href="{at("people:club", double[0].pk)}?mit={double[1].pk}"' in page
    assert "RC X – RC X e.V." in page
    assert page.count("?mit=") == 1
    assert f'<option value="{double[1].pk}" selected>' in merging
    assert first_organiser() == double[0].owner
