"""Pages of cases: deciding roles, the list beside a case, and the order of cases."""

from __future__ import annotations

import pytest

from tests.clients import Client, plain
from tests.factories import make_member
from tests.tournaments.notices.helpers import make_case
from tests.tournaments.notices.test_views import url
from tournaments.models import Role, Spielliste, Tournament

pytestmark = pytest.mark.django_db


def test_a_case_is_decided_beside_its_list(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    case = make_case(spielliste)

    page = plain(leader.get(url(tournament, "case", case.pk)))
    empty = leader.post(url(tournament, "decide", case.pk), {"decision": " "})
    leader.post(url(tournament, "decide", case.pk), {"decision": "Es bleibt bei 41."})
    again = leader.post(url(tournament, "decide", case.pk), {"decision": "14"})
    waiting = plain(leader.get(url(tournament, "page")))
    leader.post(url(tournament, "tell_case", case.pk), {"how": "oral"})
    told_again = leader.post(url(tournament, "tell_case", case.pk), {"how": "oral"})

    assert "Platz 2 hatte 14, nicht 41." in page
    assert page.count('<span class="points">') == 48
    assert page.count('class="hand-mark"') == 1
    assert page.count('is-selected"') == 1
    assert (empty.status_code, again.status_code, told_again.status_code) == (422, 409, 409)
    assert "Am Tisch mitgeteilt" in waiting
    case.refresh_from_db()
    assert (case.decision, case.told_how) == ("Es bleibt bei 41.", "oral")


def test_open_cases_are_listed_before_decided_ones(
    leader: Client, tournament: Tournament, spielliste: Spielliste
):
    make_case(spielliste, text="Schon geklärt.", decision="Ja.", decided_at=tournament.created_at)
    make_case(spielliste, text="Noch offen.")

    text = plain(leader.get(url(tournament, "cases")))

    assert text.index("Noch offen.") < text.index("Ja.")
    assert "1 wartet auf eine Entscheidung" in text


def test_a_schiedsrichter_sees_a_case_and_cannot_decide_it(
    client: Client, tournament: Tournament, spielliste: Spielliste
):
    client.force_login(make_member(tournament, Role.SCHIEDSRICHTER))

    text = plain(client.get(url(tournament, "case", make_case(spielliste).pk)))

    assert "Die Spielleitung entscheidet." in text
    assert "Entscheidung und Grund" not in text
