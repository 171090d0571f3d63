"""Wishes for teams and partners of registrations are fulfilled at the desk."""

from __future__ import annotations

import pytest

from tests.factories import COMMAND, make_person, make_registration
from tests.tournaments.desk.online.helpers import (
    make_open_tournament,
    make_ranking,
    send_one,
    wanted,
)
from tests.tournaments.desk.test_teams import form, make_team_ranking, numbers
from tournaments.common.errors import Conflict
from tournaments.desk.queries import teams as queries
from tournaments.desk.services import teams
from tournaments.models import Ranking, TeamWish

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.mark.both
def test_the_first_wish_founds_the_team_and_the_next_ones_join_it():
    tournament = make_open_tournament()
    ranking = make_team_ranking(tournament, size=2)
    for name, wish in (("Anna", "Altenburg I"), ("Bernd", "altenburg i"), ("Clara", "Altenburg I")):
        send_one(tournament, wanted(name, rankings=[ranking], wishes={ranking.pk: wish}))
    first, second, third = TeamWish.objects.order_by("pk")

    team = teams.take_wish(COMMAND, first.pk)
    assert teams.take_wish(COMMAND, second.pk) == team

    assert (team.name, numbers(team)) == ("Altenburg I", [1, 2])
    assert list(TeamWish.objects.all()) == [third]
    with pytest.raises(Conflict, match="„Altenburg I“ ist schon voll"):
        teams.take_wish(COMMAND, third.pk)


def test_a_wish_for_a_partner_makes_a_tandem_of_both():
    tournament = make_open_tournament()
    tandem = make_ranking(tournament, Ranking.Kind.TANDEM)
    send_one(
        tournament,
        wanted("Anna", "Kühn", rankings=[tandem], wishes={tandem.pk: "Bernd Voß"}),
        wanted("Bernd", "Voß", rankings=[tandem], wishes={tandem.pk: "Anna"}),
    )

    team = teams.take_wish(COMMAND, TeamWish.objects.earliest("pk").pk)

    assert (team.name, numbers(team)) == ("Kühn / Voß", [1, 2])
    assert not TeamWish.objects.exists()


def test_a_wish_for_a_missing_or_ambiguous_partner_waits():
    tournament = make_open_tournament()
    tandem = make_ranking(tournament, Ranking.Kind.TANDEM)
    for name in ("Bernd", "Berta"):
        send_one(tournament, wanted(name, "Voß"))
    send_one(
        tournament,
        wanted("Anna", rankings=[tandem], wishes={tandem.pk: "Niemand"}),
        wanted("Clara", rankings=[tandem], wishes={tandem.pk: "Voß"}),
    )

    (wish, _anna, nobody), (_wish, _clara, several) = queries.TeamFormation.of(tandem).wish_rows

    assert nobody.problem == "„Niemand“ ist noch nicht gemeldet."
    assert "1 Voß, Bernd; 2 Voß, Berta" in several.problem
    with pytest.raises(Conflict, match="noch nicht gemeldet"):
        teams.take_wish(COMMAND, wish.pk)


def test_a_partner_in_another_tandem_is_reported():
    tournament = make_open_tournament()
    tandem = make_ranking(tournament, Ranking.Kind.TANDEM)
    voss, lang = (make_registration(tournament, make_person("B", name)) for name in ("Voß", "Lang"))
    form(tandem, voss, lang)
    send_one(tournament, wanted(rankings=[tandem], wishes={tandem.pk: "Voß"}))

    ((_wish, _registration, proposal),) = queries.TeamFormation.of(tandem).wish_rows

    assert proposal.problem == "„Voß / Lang“ ist schon voll."


@pytest.mark.both
def test_a_wish_is_dismissed():
    tournament = make_open_tournament()
    ranking = make_team_ranking(tournament)
    send_one(tournament, wanted(rankings=[ranking], wishes={ranking.pk: "Altenburg"}))

    teams.drop_wish(COMMAND, TeamWish.objects.get().pk)

    assert not TeamWish.objects.exists()


@pytest.mark.both
def test_wishes_of_lines_put_aside_wait_until_settled():
    tournament = make_open_tournament()
    ranking = make_team_ranking(tournament)
    send_one(tournament)
    wish = wanted(rankings=[ranking], wishes={ranking.pk: "Altenburg"})
    send_one(tournament, wish, form_key="again")

    assert queries.TeamFormation.of(ranking).wish_rows == []
    with pytest.raises(Conflict, match="noch nicht geklärt"):
        teams.take_wish(COMMAND, TeamWish.objects.get().pk)
