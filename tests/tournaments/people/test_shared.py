"""A federation lends its members to its clubs' tournaments, read-only, and sees the results."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.clients import Client, at, logged_in
from tests.factories import (
    COMMAND,
    make_ban,
    make_head,
    make_organiser,
    make_person,
    make_players,
    make_registration,
    make_tournament,
)
from tests.factories_lists import make_seated_serie
from tests.tournaments.printing.helpers import words
from tests.worlds import world
from tournaments.common.errors import NotAllowed, TournamentError
from tournaments.desk.queries.desk import search
from tournaments.desk.services.registrations import register
from tournaments.models import Organiser, Person, Season, Tournament, User
from tournaments.people.services.anonymise import anonymise_person

pytestmark = pytest.mark.django_db


class Family(NamedTuple):
    parent: Organiser
    club: Organiser
    anna: Person
    tournament: Tournament
    head_of_parent: User
    head_of_club: User


@world
def family() -> Family:
    parent = make_organiser("Landesverband Ost", shares_members=True)
    club = make_organiser("SC Gera", parent=parent)
    return Family(
        parent,
        club,
        make_person("Anna", "Kühn", owner=parent),
        make_tournament(name="Geraer Cup", owner=club, public_ranking="never"),
        make_head(parent),
        make_head(club),
    )


def test_the_desk_of_a_club_finds_and_registers_a_member_of_its_parent(family: Family):
    (result,) = search(family.tournament, "kuehn")

    registered = register(
        COMMAND, family.tournament.pk, person_id=family.anna.pk, late_reason="Anruf"
    )

    assert (result.person, registered.person) == (family.anna, family.anna)
    page = logged_in(family.head_of_club).read(
        at("desk:registration", family.tournament, registered.pk)
    )
    assert "von Landesverband Ost" in page
    assert "Stammdaten" not in page


def test_a_lent_person_cannot_be_changed(family: Family):
    desk = logged_in(family.head_of_club)

    for name in ("person", "edit", "anonymise"):
        assert desk.get(at(f"people:{name}", family.anna.pk)).status_code == 404
    assert "Kühn" not in desk.read(at("people:persons"))


def test_a_disclosure_of_a_lent_person_contains_own_data_only(family: Family):
    anna, tournament = family.anna, family.tournament
    Person.objects.filter(pk=anna.pk).update(
        email="anna@example.org", note="Fensterplatz", member_number="P-7"
    )
    make_registration(tournament, anna)
    make_registration(make_tournament(name="Landesmeisterschaft", owner=family.parent), anna)

    said = words(tournament, "auskunft", number=1)

    assert "Auskunft: Anna Kühn" in said
    assert "Geraer Cup" in said
    assert "P-7" in said  # its desk finds her by it
    for of_parent in ("anna@example.org", "Fensterplatz", "Landesmeisterschaft"):
        assert of_parent not in said


def test_the_reason_of_a_ban_stays_with_the_organiser_that_lends(family: Family):
    make_ban(family.anna, "Karten gezinkt")
    sent_to = at("desk:register", family.tournament)

    with pytest.raises(
        TournamentError, match=r"gesperrt .*, bitte Landesverband Ost fragen"
    ) as why:
        register(COMMAND, family.tournament.pk, person_id=family.anna.pk, late_reason="Anruf")
    (result,) = search(family.tournament, "kuehn")
    answer = logged_in(family.head_of_club).post(sent_to, {"person": family.anna.pk})

    assert "gezinkt" not in str(why.value) + str(result.ban_reason) + answer.content.decode()
    assert result.act == "open"
    (of_parent,) = search(make_tournament(owner=family.parent, slug="ost"), "kuehn")
    assert of_parent.ban_reason == "Karten gezinkt"


def test_an_anonymised_person_leaves_the_lists_of_borrowers(family: Family):
    listed = {
        "is_open": False,
        "admission": "approval",
        "closed_circle": "Eingeladene",
        "circle_persons": "Kühn, Anna (1950)\nOtto Maier",
    }
    lent = make_tournament(owner=family.club, slug="gera", **listed)
    season_of = make_organiser("Liga")
    season = Season.objects.create(name="Serie", owner=season_of, created_by=family.head_of_club)
    season.tournaments.add(family.tournament)
    make_registration(family.tournament, family.anna, status="withdrawn")
    invited = make_tournament(owner=season_of, slug="finale", **listed)
    other = make_tournament(owner=make_organiser("SC Jena"), slug="jena", **listed)

    anonymise_person(person_id=family.anna.pk, typed_name="Anna Kühn", actor=COMMAND)

    for tournament in (lent, invited, other):
        tournament.refresh_from_db()
    assert (lent.circle_persons, invited.circle_persons) == ("Otto Maier", "Otto Maier")
    assert "Kühn" in other.circle_persons  # a namesake


@pytest.mark.parametrize("change", [{"shares_members": False}, {"pk": None}])
def test_persons_are_lent_only_if_the_parent_permits(family: Family, change: dict[str, bool]):
    if "pk" in change:  # another's tournament
        tournament = make_tournament(owner=make_organiser("SC Jena"))
    else:
        Organiser.objects.filter(pk=family.parent.pk).update(**change)
        tournament = family.tournament

    assert search(tournament, "kuehn") == []
    with pytest.raises(NotAllowed, match="gehört zu einem anderen Veranstalter"):
        register(COMMAND, tournament.pk, person_id=family.anna.pk)
    desk = logged_in(make_head(tournament.owner))
    sent = {"person": family.anna.pk}
    answer = desk.post(at("desk:register", tournament), sent)
    assert answer.status_code == 404


def test_members_of_a_club_are_not_lent_to_its_parent(family: Family):
    make_person("Paul", "Lang", owner=family.club)

    assert search(make_tournament(owner=family.parent), "lang") == []


def test_the_parent_sees_finished_results_of_its_clubs(family: Family):
    tournament = family.tournament
    make_seated_serie(tournament, [make_players(tournament, 4)])
    url = at("results_public:overall", tournament)
    looking = logged_in(family.head_of_parent)
    hidden = "Die Rangliste wird nicht veröffentlicht."

    assert hidden in looking.read(url)
    tournament.status = Tournament.Status.CLOSED
    tournament.save()

    assert hidden not in looking.read(url)
    assert hidden in Client().read(url)
    assert hidden in logged_in(make_head(make_organiser("SC Jena"))).read(url)
    of_parent = looking.get(at("account:organiser", family.parent.pk))
    assert f'href="{url}">Geraer Cup' in of_parent.content.decode()
    desk = looking.get(at("desk:desk", tournament))
    assert desk.status_code == 403
