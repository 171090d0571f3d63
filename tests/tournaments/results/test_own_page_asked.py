"""Own pages that ask again: what was kept is for who has the key."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients import Client
from tests.factories import COMMAND, make_person, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.common.access_keys import player_path
from tournaments.corrections.services import corrections
from tournaments.desk.services.changes import substitute
from tournaments.models import Spielliste, Tournament
from tournaments.results.services import player_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]
HTMX = {"HX-Request": "true", "Host": "localhost"}
FORM = "csrfmiddlewaretoken"


@world
def tournament() -> Tournament:
    """A Serie of two tables, of which one is done."""
    found = make_tournament(status=Tournament.Status.RUNNING)
    people = [make_registration(found) for _person in range(8)]
    serie = make_seated_serie(found, [people[:4], people[4:]])
    write_games(list_of(serie), status=Spielliste.Status.VERIFIED)
    player_access.provide(found)
    return found


def asked(client: Client, path: str, **headers: str) -> Any:
    """What an open page is answered that shows something old."""
    return client.get(path, {"since": "old"}, headers={**HTMX, **headers})


def test_whoever_was_told_of_something_is_asked_for_an_answer_with_a_token(client, tournament):
    told, other = (player_path(tournament.registrations.get(number=number)) for number in (1, 8))
    for _twice in range(2):
        assert FORM not in asked(client, told).content.decode()
    ended = list_of(tournament.serien.get(number=1))

    corrections.correct_line(
        COMMAND,
        ended.pk,
        game=2,
        line={"finisher": 2, "handromme": False, "minus": [41, 0, 18, 40]},
        reason="Ein König fehlte.",
        paragraph="2.2.5",
        version=ended.version,
    )

    assert FORM not in asked(client, other).content.decode()
    assert "csrftoken" not in client.cookies
    assert FORM in asked(client, told).content.decode()
    assert "csrftoken" in client.cookies


def test_only_the_key_in_the_address_opens_what_was_kept(client, tournament):
    registration = tournament.registrations.get(number=1)
    path = player_path(registration)
    for _twice in range(2):
        assert asked(client, path).status_code == 200
    assert asked(client, path[:-3] + "xx/").status_code == 404

    substitute(COMMAND, registration.pk, person_id=make_person("Gerd", "Neu").pk, reason="erkrankt")

    assert asked(client, path).status_code == 404
