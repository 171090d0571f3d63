"""The sign for open decisions on every page, and its link."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import make_member
from tests.tournaments.notices.helpers import (
    make_case,
    make_checked_list,
    make_notice,
    players_of,
    tournament_of,
)
from tests.worlds import world
from tournaments.checking.services import penalties
from tournaments.common.actors import Actor
from tournaments.corrections.services import corrections
from tournaments.models import Case, Role, Spielliste, Tournament, User
from tournaments.web.decisions import Decisions, decisions_of, number_to_tell

pytestmark = pytest.mark.django_db
LINE = {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]}


@world
def spielliste() -> Spielliste:
    return make_checked_list(four_eyes=True)


def member(spielliste: Spielliste, role: Role = Role.SPIELLEITUNG) -> User:
    return make_member(tournament_of(spielliste), role)


def propose_correction(spielliste: Spielliste, by: User) -> None:
    corrections.correct_line(
        Actor.account(by),
        spielliste.pk,
        game=1,
        line=LINE,
        reason="Zahlendreher",
        version=spielliste.version,
    )


def page_of(client: Client, user: User, spielliste: Spielliste, name: str) -> str:
    client.force_login(user)
    return client.read(at(name, tournament_of(spielliste)))


@pytest.mark.parametrize("page", ["desk:desk", "results:ranking", "cash:book", "setup:tournament"])
def test_the_second_person_is_called_on_every_page(
    client: Client, page: str, spielliste: Spielliste
):
    first, second = member(spielliste), member(spielliste)
    propose_correction(spielliste, first)
    url = at("checking:correction", tournament_of(spielliste), 1)

    text = page_of(client, second, spielliste, page)

    assert f'href="{url}"' in text
    assert text.count("1 Entscheidung wartet auf Sie") == 1
    assert "auf Sie" not in page_of(client, first, spielliste, page)


def test_decisions_are_shown_to_deciders_only(client: Client, spielliste: Spielliste):
    propose_correction(spielliste, member(spielliste))

    for role in (Role.SCHIEDSRICHTER, Role.KASSE):
        text = page_of(client, member(spielliste, role), spielliste, "results:ranking")
        assert "auf Sie" not in text


def test_proposals_and_cases_count_together(spielliste: Spielliste):
    tournament, referee = tournament_of(spielliste), member(spielliste, Role.SCHIEDSRICHTER)
    facts: dict[str, Any] = {"registration_id": players_of(spielliste)[0].pk, "points": 100}
    penalties.propose(Actor.account(referee), spielliste.pk, reason="Vorgesagt", **facts)
    make_case(spielliste)
    leader = member(spielliste)
    by_table = at("checking:penalties", tournament, 1, 1)
    assert decisions_of(leader, tournament) == Decisions(2, by_table)

    penalties.give(Actor.account(leader), spielliste.penalties.get().pk)

    case = at("notices:case", tournament, Case.objects.get().pk)
    assert decisions_of(leader, tournament) == Decisions(1, case)


def test_strafpunkte_awaiting_a_second_person_are_one_decision(
    spielliste: Spielliste,
):
    tournament, first, second = tournament_of(spielliste), member(spielliste), member(spielliste)
    penalties.give_at_once(
        Actor.account(first),
        spielliste.pk,
        registration_id=players_of(spielliste)[0].pk,
        points=100,
        reason="Vorgesagt",
    )

    assert decisions_of(first, tournament) is None
    page = at("checking:correction", tournament, 1)
    assert decisions_of(second, tournament) == Decisions(1, page)


def test_an_objection_is_not_decided_by_the_giver(spielliste: Spielliste):
    tournament, first, second = tournament_of(spielliste), member(spielliste), member(spielliste)
    case = make_case(spielliste, kind=Case.Kind.OBJECTION)
    notice = make_notice(spielliste, case=case)
    notice.correction.created_by = first
    notice.correction.save()

    assert decisions_of(first, tournament) is None
    assert decisions_of(second, tournament) is not None


def test_the_sign_costs_deciders_one_query(spielliste: Spielliste, django_assert_num_queries: Any):
    tournament, leader = tournament_of(spielliste), member(spielliste)
    propose_correction(spielliste, leader)

    with django_assert_num_queries(1):
        assert decisions_of(leader, tournament) is None
    tournament.status = Tournament.Status.ANNOUNCED
    with django_assert_num_queries(0):
        assert decisions_of(leader, tournament) is None


def test_the_header_counts_players_to_be_informed(
    client: Client, spielliste: Spielliste, django_assert_num_queries: Any
):
    tournament, referee = tournament_of(spielliste), member(spielliste, Role.SCHIEDSRICHTER)
    correction = make_notice(spielliste, seat=1).correction
    make_notice(spielliste, seat=2, correction=correction)
    player = players_of(spielliste)[0]
    make_case(spielliste, registration=player, decided_at=timezone.now(), decision="Bleibt.")
    make_case(spielliste, registration=players_of(spielliste)[2])

    with django_assert_num_queries(1):
        assert number_to_tell(tournament) == 2
    assert "Mitteilungen (2)" in page_of(client, referee, spielliste, "results:ranking")
    kasse = member(spielliste, Role.KASSE)
    assert "Mitteilungen" not in page_of(client, kasse, spielliste, "results:ranking")
    tournament.status = Tournament.Status.CLOSED
    with django_assert_num_queries(0):
        assert number_to_tell(tournament) == 0


def test_the_sign_is_hidden_on_its_own_page(client: Client, spielliste: Spielliste):
    first, second = member(spielliste), member(spielliste)
    propose_correction(spielliste, first)
    client.force_login(second)

    page = client.read(at("checking:correction", tournament_of(spielliste), 1))

    assert "auf Sie" not in page
