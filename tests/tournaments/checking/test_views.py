"""Pages of checking: their access, the way from list to list, and earlier versions."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import acting, make_tournament
from tests.factories_lists import FOUR
from tests.tournaments.checking.pages import Status, log_in, played, proposed_penalty, the_list, url
from tests.worlds import world
from tournaments.checking.services import penalties
from tournaments.corrections.services import corrections
from tournaments.models import Role, Spielliste, Tournament

pytestmark = pytest.mark.django_db

tournament = world(played)


@pytest.fixture
def client(client: Client, tournament: Tournament) -> Client:
    log_in(client, tournament)
    return client


# --- Access ------------------------------------------------------------------------------------


def test_a_schiedsrichter_sees_the_list_without_buttons(client: Client, tournament: Tournament):
    log_in(client, tournament, Role.SCHIEDSRICHTER)

    page = client.get(url(tournament, "list")).content.decode()

    assert "Strafpunkte vorschlagen" in page
    assert "Geprüft" not in page
    assert url(tournament, "line") not in page
    assert url(tournament, "invalid") not in page


@pytest.mark.parametrize("status", [Status.SIGNED, Status.VERIFIED])
def test_a_list_under_check_has_a_field_for_corrections(client: Client, status: str):
    tournament = played(status)
    log_in(client, tournament)

    page = client.get(url(tournament, "list")).content.decode()
    answer = client.post(url(tournament, "verify"), {"version": 12, "command": "5 3 45"})

    assert 'name="command"' in page
    assert answer["Location"] == url(tournament, "line") + "?spiel=5&platz=3&punkte=45"


@pytest.mark.parametrize("status", [Status.SIGNED, Status.HANDED_IN])
def test_a_signed_list_links_to_handing_in(client: Client, status: str):
    tournament = played(status)
    log_in(client, tournament)

    page = client.get(url(tournament, "list")).content.decode()

    hand_in = reverse("hall:hand_in", args=[tournament.slug, 1])
    assert (f'class="button" href="{hand_in}?tisch=1"' in page) is (status == Status.SIGNED)


def test_the_overview_omits_empty_groups(client: Client):
    tournament = played(Status.VERIFIED)
    log_in(client, tournament)

    page = client.get(url(tournament, "serie", 1)).content.decode()

    assert "0 Listen zu prüfen" not in page
    assert "Nichts zu prüfen" in page


def test_two_versions_mark_the_cell_in_which_they_differ(client: Client):
    tournament = played(Status.SIGNED)
    log_in(client, tournament)
    spielliste = the_list(tournament)
    corrections.correct_line(
        acting(tournament),
        spielliste.pk,
        game=2,
        line={"finisher": 2, "handromme": False, "minus": [31, 0, 18, 44]},
        reason="Zahlendreher",
        version=spielliste.version,
    )

    page = client.get(url(tournament, "versions")).content.decode()

    marked = re.findall(r"is-changed\"[^>]*>.*?<span\s*>(\w+)</span", page, re.DOTALL)
    assert marked == ["40", "44"]


# --- Checking -----------------------------------------------------------------------------------


def test_the_list_is_shown_as_on_paper(client: Client, tournament: Tournament):
    page = client.get(url(tournament, "list")).content.decode()

    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert re.search(r"A Minuspunkte 290 311 339 341 ", text)
    assert re.search(r"B beendete Spiele 4 3 3 2 ", text)
    # As the formula takes them: A + F − C − E, so 290 − 80 = 210 (§ 3.2.1).
    assert re.search(r"C B × 20 80 60 60 40 ", text)
    assert re.search(r"D Handrommé 0 1 0 0 ", text)
    assert re.search(r"E D × 50 0 50 0 0 ", text)
    assert "Ergebnis = A + F − C − E." in text
    assert re.search(r"Ergebnis 210 201 279 301 ", text)
    assert re.search(r"Platz am Tisch 2\. 1\. 3\. 4\. ", text)


def test_verifying_leads_to_the_next_list_or_the_overview(client: Client):
    tournament = played(tables=3)
    log_in(client, tournament)

    ways = []
    for table in (2, 3, 1):
        answer = client.post(
            url(tournament, "verify", 1, table), {"version": 12, "command": "", "sum_1": ""}
        )
        ways.append(answer["Location"])

    assert ways == [
        url(tournament, "list", 1, 3),
        url(tournament, "list", 1, 1),
        url(tournament, "serie", 1),
    ]
    lists = Spielliste.objects.filter(table__serie__tournament=tournament)
    assert set(lists.values_list("status", flat=True)) == {Status.VERIFIED}


def test_a_different_sum_on_paper_is_shown_and_acceptable(client: Client, tournament: Tournament):
    first = client.post(url(tournament, "verify"), {"version": 12, "sum_1": "290", "sum_3": "393"})
    assert first.status_code == 422
    assert "Auf dem Papier steht 393, gerechnet sind 339" in first.content.decode()
    assert the_list(tournament).status == Status.HANDED_IN

    client.post(
        url(tournament, "verify"),
        {"version": 12, "sum_1": "290", "sum_3": "393", "despite": "on"},
    )
    assert the_list(tournament).paper_sums == [290, None, 393, None]
    log_in(client, tournament)
    assert "≠" in client.get(url(tournament, "list")).content.decode()


def test_a_stale_page_is_refused_and_shows_the_new_list(client: Client, tournament: Tournament):
    answer = client.post(url(tournament, "verify"), {"version": 11})

    assert answer.status_code == 409
    assert "noch einmal vergleichen" in answer.content.decode()
    assert 'name="version" value="12"' in answer.content.decode()


@pytest.mark.parametrize(
    ("command", "query"),
    [
        pytest.param("5", "?spiel=5", id="game"),
        pytest.param("5 3", "?spiel=5&platz=3", id="game and seat"),
        pytest.param("12,4 17/71", "?spiel=12&platz=4&punkte=17%2F71", id="and points"),
    ],
)
def test_the_command_line_opens_the_line_to_be_corrected(
    client: Client, command, query, tournament: Tournament
):
    answer = client.post(url(tournament, "verify"), {"version": 12, "command": command})

    assert answer["Location"] == url(tournament, "line", query=query)
    assert the_list(tournament).status == Status.HANDED_IN


def test_an_unknown_command_is_refused_on_the_page(client: Client, tournament: Tournament):
    answer = client.post(url(tournament, "verify"), {"version": 12, "command": "Spiel fünf"})

    assert answer.status_code == 422
    assert "zum Beispiel" in answer.content.decode()


def test_a_verification_is_undone_on_the_page(client: Client):
    tournament = played(Status.VERIFIED)
    log_in(client, tournament)

    assert client.post(url(tournament, "unverify"), {"reason": ""}).status_code == 422
    client.post(url(tournament, "unverify"), {"reason": "falscher Tisch"})
    again = client.post(url(tournament, "unverify"), {"reason": "falscher Tisch"})

    assert the_list(tournament).status == Status.HANDED_IN
    assert again.status_code == 409


def test_the_number_of_strafpunkte_is_not_preselected(client: Client, tournament: Tournament):
    log_in(client, tournament)

    page = client.get(url(tournament, "penalties")).content.decode()

    assert 'name="points"' in page
    assert " checked" not in page


def test_the_overview_links_to_waiting_lists(client: Client):
    tournament = played(tables=2)
    proposed_penalty(tournament)
    log_in(client, tournament)

    first = client.get(reverse("checking:lists", args=[tournament.slug]))
    page = client.get(url(tournament, "serie", 1)).content.decode()

    assert first["Location"] == url(tournament, "serie", 1)
    assert "2 Listen zu prüfen" in page
    assert "100 Strafpunkte für 2" in page


def test_an_overview_without_lists_is_explained(client: Client):
    tournament = make_tournament()
    log_in(client, tournament)

    page = client.get(reverse("checking:lists", args=[tournament.slug])).content.decode()

    assert "Noch keine Listen" in page


# --- The past -------------------------------------------------------------------------------------


def test_versions_are_compared_and_every_act_is_in_the_history(
    client: Client, tournament: Tournament
):
    corrections.correct_line(
        acting(tournament),
        the_list(tournament).pk,
        game=1,
        line={**FOUR[0], "minus": [0, 23, 54, 12]},
        reason="Zahlendreher",
        version=12,
    )
    penalties.give_at_once(
        acting(tournament),
        the_list(tournament).pk,
        registration_id=the_list(tournament).table.seats.get(number=2).registration_id,
        points=100,
        reason="zusammengeworfen",
    )
    log_in(client, tournament)

    versions = client.get(url(tournament, "versions")).content.decode()
    older = client.get(url(tournament, "versions") + "?alt=12&neu=14").content.decode()
    history = client.get(url(tournament, "history")).content.decode()

    assert "Strafpunkte für Nr. 2" in versions
    assert "Punkte von Platz 3" not in versions
    assert "Spiel 1: Punkte von Platz 3" in older
    assert "Strafpunkte für Nr. 2" in older
    assert client.get(url(tournament, "versions") + "?alt=99").status_code == 404
    assert "Punkte von Platz 3: 45 → <strong>54</strong>" in history
    assert "Zahlendreher" in history
    assert "zusammengeworfen" in history


def test_a_list_without_a_version_is_explained(client: Client):
    tournament = played(Status.OPEN)
    log_in(client, tournament)

    page = client.get(url(tournament, "versions")).content.decode()

    assert "Noch kein Stand" in page
