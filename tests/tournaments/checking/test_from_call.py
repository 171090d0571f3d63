"""From a call or a case to the rules, and to Strafpunkte that wait to be confirmed."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.factories import COMMAND, make_member
from tests.tournaments.notices.helpers import make_case, make_checked_list, tournament_of
from tests.worlds import world
from tournaments.models import Penalty, Role, Spielliste, Tournament
from tournaments.table.services import calls

pytestmark = pytest.mark.django_db
HAD_LAID_OUT, HAD_NOT = 100, 150  # § 8.3


@world
def spielliste() -> Spielliste:
    return make_checked_list(slug="herbst")


@pytest.fixture
def referee(client: Client, spielliste: Spielliste) -> Client:
    client.force_login(make_member(tournament_of(spielliste), Role.SCHIEDSRICHTER))
    return client


def penalties_url(query: str = "") -> str:
    return reverse("checking:penalties", args=["herbst", 1, 1]) + query


def offers(text: str) -> list[bool]:
    """Whether a page leads to each of the two Strafpunkte of § 8.3."""
    address = penalties_url("?paragraph=8.3&amp;punkte=")
    return [f'href="{address}{points}"' in text for points in (HAD_LAID_OUT, HAD_NOT)]


def leads_to_rules(text: str) -> bool:
    return 'id="call-rules" href="/t/herbst/regelwerk/"' in text


def test_a_taken_call_links_to_the_rules_and_to_strafpunkte(
    referee: Client, spielliste: Spielliste
):
    page = reverse("hall:table", args=["herbst", 1, 1])
    call = calls.call(COMMAND, spielliste.table_id, kind="counting")
    assert not leads_to_rules(referee.get(page).content.decode())
    referee.post(reverse("hall:take_call", args=["herbst", call.pk]))

    text = referee.get(page).content.decode()

    assert leads_to_rules(text)
    assert offers(text) == [True, True]


def test_a_case_links_to_the_rules_and_to_strafpunkte(referee: Client, spielliste: Spielliste):
    case = make_case(spielliste)

    text = referee.get(reverse("notices:case", args=["herbst", case.pk])).content.decode()

    assert leads_to_rules(text)
    assert offers(text) == [True, True]


def test_nothing_is_proposed_in_a_tournament_that_is_over(referee: Client, spielliste: Spielliste):
    case = make_case(spielliste)
    Tournament.objects.update(status=Tournament.Status.CLOSED)

    text = referee.get(reverse("notices:case", args=["herbst", case.pk])).content.decode()

    assert offers(text) == [False, False]


@pytest.mark.parametrize(
    ("points", "said"),
    [(HAD_LAID_OUT, "hatte schon ausgelegt"), (HAD_NOT, "hatte noch nicht ausgelegt")],
)
def test_the_prefilled_form_needs_a_confirmation(
    referee: Client, spielliste: Spielliste, points: int, said: str
):
    url = penalties_url(f"?paragraph=8.3&punkte={points}")

    form = referee.get(url).context["form"]

    assert (form["points"].value(), form["paragraph"].value()) == (points, "8.3")
    assert form["reason"].value().endswith(said)
    assert form["registration"].value() is None
    assert not Penalty.objects.exists()
    filled = {name: form[name].value() for name in ("points", "reason", "paragraph")}
    assert referee.post(url, filled).status_code == 422  # no selected player
    seat = spielliste.table.seats.get(number=2)
    referee.post(url, filled | {"registration": seat.registration_id})
    penalty = Penalty.objects.get()
    assert (penalty.registration_id, penalty.points) == (seat.registration_id, points)
    assert penalty.status == Penalty.Status.PROPOSED


@pytest.mark.parametrize("query", ["?paragraph=8.3&punkte=9999", "?paragraph=5.3&punkte=100", ""])
def test_values_without_a_paragraph_are_not_prefilled(referee: Client, query: str):
    assert not referee.get(penalties_url(query)).context["form"]["reason"].value()


def test_strafpunkte_changed_by_the_organiser_have_no_paragraph(
    referee: Client, spielliste: Spielliste
):
    tournament = tournament_of(spielliste)
    tournament.rule_set = {**ruleset_to_dict(ruleset("rommeordnung")), "penalties": [50, 100]}
    tournament.save()
    call = calls.call(COMMAND, spielliste.table_id, kind="dispute")
    referee.post(reverse("hall:take_call", args=["herbst", call.pk]))

    page = referee.get(reverse("hall:table", args=["herbst", 1, 1])).content.decode()

    assert offers(page) == [True, False]


def test_a_finding_links_to_its_paragraph(client: Client, spielliste: Spielliste):
    Spielliste.objects.update(status=Spielliste.Status.HANDED_IN, verified_by=None)
    client.force_login(make_member(tournament_of(spielliste), Role.SPIELLEITUNG))

    text = client.get(reverse("closing:page", args=["herbst"])).content.decode()

    assert 'href="/t/herbst/regelwerk/#p-2-2-5"' in text
