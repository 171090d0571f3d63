"""The table of rights, and the short explanations of terms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.clients import Client, at
from tests.factories import make_member, make_tournament
from tournaments.accounts.views.rights import rights
from tournaments.manual.contents import words
from tournaments.models import Role
from tournaments.models.tournament import Section

TEMPLATES = Path(__file__).parents[3] / "templates"


def test_the_table_of_rights_agrees_with_the_views():
    may = {str(does): dict(zip(Role, roles, strict=True)) for does, roles, _when in rights()}

    assert all(row[Role.VERANSTALTER] for row in may.values())
    assert may["Listen prüfen und berichtigen"] == {
        Role.VERANSTALTER: True,
        Role.SPIELLEITUNG: True,
        Role.SCHIEDSRICHTER: False,
        Role.KASSE: False,
    }
    assert may["melden, kassieren, das Kassenbuch führen"][Role.KASSE]
    assert [does for does, row in may.items() if row[Role.SCHIEDSRICHTER]] == [
        "im Saal: Tische sehen, Rufe annehmen",
        "Listen ansehen, Strafpunkte vorschlagen",
        "mitteilen, was berichtigt ist",
        "die Rangliste sehen, drucken",
    ]


@pytest.mark.django_db
def test_every_account_sees_the_rights_of_its_role(client: Client):
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.SCHIEDSRICHTER))
    page = client.read(at("account:profile"))
    assert "arbeitet im Saal: Rufe, Spiellisten, Prüfung, Mitteilungen" in page
    assert "Was jede Rolle darf" not in page

    client.force_login(make_member(tournament, Role.VERANSTALTER))
    page = client.read(at("account:roles", tournament))
    assert 'data-label="Anmeldung und Kasse"' in page


def test_explanations_are_linked_and_every_page_links_to_one():
    pages = "\n".join(file.read_text() for file in TEMPLATES.rglob("*.html"))
    named = set(re.findall(r'\{% help "([^"]+)" %\}', pages))
    of_sections = {section.value for section in Section} & words().keys()

    assert "{% help section.value %}" in pages
    assert named | of_sections == words().keys()
    assert len(named) >= 10
