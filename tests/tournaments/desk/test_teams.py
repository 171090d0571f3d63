"""Forming teams: never too many members, never one person twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from tests.concurrency import at_once
from tests.factories import COMMAND, make_club, make_person, make_registration, make_tournament
from tests.tournaments.desk.online.helpers import make_ranking
from tests.worlds import world
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.desk.queries import teams as queries
from tournaments.desk.services import teams
from tournaments.journal import services as journal
from tournaments.models import (
    JournalEntry,
    PrizePayout,
    Ranking,
    Registration,
    Team,
    TeamMember,
    Tournament,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def make_team_ranking(tournament: Tournament, size: int = 4, **fields: Any) -> Ranking:
    return make_ranking(tournament, Ranking.Kind.TEAM, size=size, **fields)


def four(tournament: Tournament) -> list[Registration]:
    names = [("Anna", "Kühn"), ("Bernd", "Voß"), ("Clara", "Lang"), ("Dieter", "Otto")]
    return [make_registration(tournament, make_person(*name)) for name in names]


def numbers(team: Team) -> list[int]:
    return sorted(member.registration.number or 0 for member in team.members.all())


def form(ranking: Ranking, *members: Registration, name: str = "") -> Team:
    return teams.create_team(
        COMMAND, ranking.pk, name=name, registration_ids=[member.pk for member in members]
    )


tournament = world(make_tournament)


@pytest.mark.parametrize(
    ("genders", "refusal"),
    [
        (("f", "m"), ""),
        (("d", "m"), ""),
        (("m", "m"), "zwei Geschlechter zusammen; Bernd Voß passt nicht dazu"),
        (("m", ""), "für Bernd Voß ist keines eingetragen"),
    ],
)
def test_a_mixed_tandem_has_two_genders(tournament: Tournament, genders, refusal):
    ranking = make_ranking(tournament, Ranking.Kind.MIXED, size=2)
    anna, bernd, *_others = four(tournament)
    for person, gender in zip((anna, bernd), genders, strict=True):
        person.person.gender = gender
        person.person.save(update_fields=["gender"])

    if refusal:
        with pytest.raises(TournamentError, match=refusal):
            form(ranking, anna, bernd)
    else:
        assert form(ranking, anna, bernd).name == "Kühn / Voß"


def test_a_team_larger_than_allowed_is_not_formed(tournament: Tournament):
    ranking = make_team_ranking(tournament, size=3)
    everybody = four(tournament)

    with pytest.raises(TournamentError, match="ist voll"):
        form(ranking, *everybody)

    assert not Team.objects.exists()


def test_a_person_is_in_one_team_of_each_ranking(tournament: Tournament):
    ranking, tandem = make_team_ranking(tournament), make_ranking(tournament, Ranking.Kind.TANDEM)
    anna = four(tournament)[0]
    form(ranking, anna, name="Altenburg")

    with pytest.raises(Conflict, match="Anna Kühn gehört schon zu „Altenburg“"):
        form(ranking, anna, name="Kahla")
    form(tandem, anna)

    assert TeamMember.objects.filter(registration=anna).count() == 2


def test_a_repeated_name_in_a_team_counts_once(tournament: Tournament):
    anna = four(tournament)[0]

    team = form(make_team_ranking(tournament), anna, anna)

    assert numbers(team) == [1]


@pytest.mark.parametrize("status", ["withdrawn", "no_show", "excluded"])
def test_absent_people_join_no_team(status: str, tournament: Tournament):
    gone = make_registration(tournament, status=status)

    with pytest.raises(WrongStatus, match="in keine Mannschaft"):
        form(make_team_ranking(tournament), gone)


def test_people_of_another_tournament_join_no_team():
    tournament, other = make_tournament(), make_tournament()
    stranger = make_registration(other)
    team = form(make_team_ranking(tournament), name="Altenburg")

    with pytest.raises(TournamentError, match="nur Gemeldete dieses Turniers"):
        teams.add_member(COMMAND, team.pk, registration_id=stranger.pk)


def test_the_single_ranking_keeps_no_teams(tournament: Tournament):
    with pytest.raises(TournamentError, match="spielt jeder für sich"):
        form(tournament.rankings.get(kind="single"), name="Altenburg")


def test_joining_a_team_brings_its_stake(tournament: Tournament):
    anna = four(tournament)[0]

    form(make_team_ranking(tournament, stake_cents=500), anna)

    anna.refresh_from_db()
    assert anna.due_cents == 2000
    assert anna.status == Registration.Status.REGISTERED  # 5 € are open now


@pytest.mark.parametrize("name", ["Altenburg I", "altenburg  i", "ALTENBURG I"])
def test_teams_of_one_ranking_have_distinct_names(name: str, tournament: Tournament):
    ranking = make_team_ranking(tournament)
    form(ranking, name="Altenburg I")

    with pytest.raises(Conflict, match="„Altenburg I“ gibt es schon"):
        form(ranking, name=name)


def test_an_unnamed_team_is_called_by_its_club_a_tandem_by_its_players():
    tournament, club = make_tournament(), make_club("SC Altenburg")
    ranking, tandem = make_team_ranking(tournament), make_ranking(tournament, Ranking.Kind.TANDEM)
    players = [make_registration(tournament, make_person("A", name, club=club)) for name in "PQRS"]
    guest = make_registration(tournament, make_person("G", "Gast"))

    made = [
        form(ranking, *players[:2]),
        form(ranking, *players[2:]),
        form(ranking, guest),
        form(tandem, *players[:2]),
    ]

    assert [team.name for team in made] == [
        "SC Altenburg",
        "SC Altenburg 2",
        "Mannschaft",
        "P / Q",
    ]


def test_a_team_is_renamed_and_may_keep_its_own_name(tournament: Tournament):
    ranking = make_team_ranking(tournament)
    team = form(ranking, name="Altenburg")
    form(ranking, name="Kahla")

    teams.rename_team(COMMAND, team.pk, name="ALTENBURG")

    team.refresh_from_db()
    assert team.name == "ALTENBURG"
    with pytest.raises(Conflict, match="„Kahla“ gibt es schon"):
        teams.rename_team(COMMAND, team.pk, name="kahla")
    with pytest.raises(TournamentError, match="braucht einen Namen"):
        teams.rename_team(COMMAND, team.pk, name=" ")


def test_leaving_a_team_keeps_the_ranking(tournament: Tournament):
    ranking = make_team_ranking(tournament)
    anna, bernd, *_rest = four(tournament)
    team = form(ranking, anna, bernd)

    teams.remove_member(COMMAND, team.members.get(registration=anna).pk)

    assert numbers(team) == [2]
    assert list(anna.rankings.all()) == [ranking]


def test_a_team_is_dissolved(tournament: Tournament):
    team = form(make_team_ranking(tournament), *four(tournament))

    teams.dissolve_team(COMMAND, team.pk)

    assert not Team.objects.exists()
    assert not TeamMember.objects.exists()
    assert len(JournalEntry.objects.get(action="team_dissolved").before["members"]) == 4


def test_a_team_with_a_paid_prize_stays(tournament: Tournament):
    team = form(make_team_ranking(tournament), *four(tournament))
    PrizePayout.objects.create(
        tournament=tournament,
        pot="startgeld",
        ranking="team",
        team=team,
        label="Platz 1: ein Korb",
        goods="ein Korb",
        handed_over_at=timezone.now(),
    )

    with pytest.raises(
        TournamentError, match=r"Bei den Preisen ist für .* schon etwas eingetragen"
    ):
        teams.dissolve_team(COMMAND, team.pk)

    assert team.members.count() == 4


@pytest.mark.both
def test_a_change_done_by_another_desk_is_refused(tournament: Tournament):
    anna = four(tournament)[0]
    team = form(make_team_ranking(tournament), anna)
    member = team.members.get()
    teams.remove_member(COMMAND, member.pk)

    with pytest.raises(Conflict, match="schon jemand anderes"):
        teams.remove_member(COMMAND, member.pk)
    teams.dissolve_team(COMMAND, team.pk)
    with pytest.raises(Conflict, match="aufgelöst"):
        teams.add_member(COMMAND, team.pk, registration_id=anna.pk)
    with pytest.raises(Conflict, match="schon erledigt"):
        teams.take_wish(COMMAND, 1)


def test_a_team_with_an_absentee_is_incomplete_until_the_place_is_taken(
    tournament: Tournament,
):
    ranking = make_team_ranking(tournament, size=2)
    anna, bernd, *_rest = four(tournament)
    form(ranking, anna, bernd)
    Registration.objects.filter(pk=anna.pk).update(status="withdrawn", present_at=None)

    (row,) = queries.TeamFormation.of(ranking).teams

    assert row.missing == 1
    assert not row.has_room  # the absentee must be removed first
    assert [member.registration.is_coming for member in row.members] == [False, True]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("1", "Kühn"),
        ("1 · Kühn, Anna", "Kühn"),
        ("kuehn", "Kühn"),
        ("anna k", "Kühn"),
        ("Lang, Clara", "Lang"),
    ],
)
def test_people_are_named_by_number_or_by_name(typed: str, name: str, tournament: Tournament):
    four(tournament)

    assert teams.find_registration(tournament, typed).person.last_name == name


def test_an_ambiguous_or_unknown_name_is_refused_with_a_remedy(tournament: Tournament):
    four(tournament)
    make_registration(tournament, make_person("Anne", "Kühne"))
    make_registration(tournament, make_person("Weg", "Gegangen"), status="withdrawn")

    with pytest.raises(
        TournamentError, match=r"1 Kühn, Anna; 5 Kühne, Anne\. Bitte die Startnummer"
    ):
        teams.find_registration(tournament, "kühn")
    for typed in ("99", "Niemand", "Gegangen", "…"):
        with pytest.raises(TournamentError, match="ist nicht gemeldet"):
            teams.find_registration(tournament, typed)


def test_teams_are_journalled_by_numbers_without_names(tournament: Tournament):
    tandem = make_ranking(tournament, Ranking.Kind.TANDEM)
    anna, bernd, *_rest = four(tournament)
    team = form(tandem, anna, bernd)
    teams.rename_team(COMMAND, team.pk, name="Die Kühns")

    joined = JournalEntry.objects.filter(action="team_joined").order_by("number")
    assert [entry.after["registration"] for entry in joined] == [anna.pk, bernd.pk]
    assert "Kühn" not in str(list(JournalEntry.objects.values_list("before", "after", "reason")))
    assert list(journal.first_breaks()) == []


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_the_last_place_of_a_team_goes_to_one_of_two(tournament: Tournament):
    anna, bernd, clara, _dieter = four(tournament)
    team = form(make_team_ranking(tournament, size=2), anna, name="Altenburg")

    def adding(registration: Registration) -> Callable[[], object]:
        return lambda: teams.add_member(COMMAND, team.pk, registration_id=registration.pk)

    answers = at_once(adding(bernd), adding(clara))

    assert team.members.count() == 2
    assert sum("ist voll" in str(answer) for answer in answers) == 1


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_two_desks_put_one_person_into_one_team(tournament: Tournament):
    ranking = make_team_ranking(tournament)
    anna = four(tournament)[0]
    made = [form(ranking, name="Altenburg"), form(ranking, name="Kahla")]

    def adding(team: Team) -> Callable[[], object]:
        return lambda: teams.add_member(COMMAND, team.pk, registration_id=anna.pk)

    answers = at_once(*[adding(team) for team in made])

    assert TeamMember.objects.count() == 1
    assert sum("gehört schon zu" in str(answer) for answer in answers) == 1
