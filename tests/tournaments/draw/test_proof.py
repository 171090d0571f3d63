"""The proof of a draw: the hash before, seed and file after, without private data."""

from __future__ import annotations

import hashlib
import json

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests.factories import COMMAND, make_club, make_member
from tests.tournaments.draw.helpers import begin, carry_out, field, numbers
from tests.tournaments.draw.test_cards import separate
from tests.worlds import world
from tournaments.draw.queries import seating
from tournaments.draw.queries.redraw import draws_of
from tournaments.draw.services import draws
from tournaments.models import Draw, Role, Serie, Tournament
from tournaments.people.queries.naming import INTERNET
from tournaments.screen import services as screens

pytestmark = pytest.mark.django_db
Method = Serie.Seating


def address(tournament: Tournament, name: str, serie: int = 1) -> str:
    return reverse(name, args=[tournament.slug, serie])


def published(tournament: Tournament, method: Serie.Seating = Method.ELECTRONIC) -> Draw:
    draw = carry_out(begin(tournament, method))
    draws.publish(COMMAND, draw.pk)
    return draw


tournament = world(lambda: field(8))


def test_only_the_hash_is_public_before_the_draw(client: Client, tournament: Tournament):
    draw = begin(tournament, Method.ELECTRONIC)

    serie = tournament.serien.get(number=1)
    screens.show(COMMAND, tournament.pk, shows="names", serie=serie, seconds=9)
    wall = reverse("screen:screen", args=[tournament.slug])

    pages = [
        client.get(url).content.decode() for url in (address(tournament, "seating:serie"), wall)
    ]

    assert all(draw.seed_hash in page for page in pages)
    assert not any(draw.seed in page for page in pages)


def test_the_seed_is_secret_until_the_seats_are_public(client: Client, tournament: Tournament):
    draw = carry_out(begin(tournament, Method.ELECTRONIC))
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    pages = [
        client.get(address(tournament, name)).content.decode()
        for name in ("draw:serie", "draw:poster", "seating:serie")
    ]

    assert not any(draw.seed in page for page in pages)


def test_the_poster_has_the_hash_in_groups_for_reading_aloud(
    client: Client, tournament: Tournament
):
    draw = begin(tournament, Method.ELECTRONIC)
    client.force_login(make_member(tournament, Role.KASSE))

    page = client.get(address(tournament, "draw:poster")).content.decode()

    groups = [draw.seed_hash[at : at + 8] for at in range(0, 64, 8)]
    assert all(f"<span>{group}</span>" in page for group in groups)


@pytest.mark.parametrize("method", [None, Method.CARDS])
def test_a_poster_needs_an_electronic_draw(client: Client, method, tournament: Tournament):
    if method is not None:
        begin(tournament, method)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    assert client.get(address(tournament, "draw:poster")).status_code == 404


@pytest.mark.parametrize("method", [Method.ELECTRONIC, Method.PLANNED])
def test_the_public_file_reproduces_the_draw(client: Client, capsys, tmp_path, method):
    tournament = field(11, (make_club(), make_club(), None))
    draw = published(tournament, method)

    answer = client.get(address(tournament, "seating:task"))
    file = tmp_path / "auslosung.json"
    file.write_bytes(answer.content)
    call_command("plan_seating", str(file))

    assert json.loads(capsys.readouterr().out)["series"][0]["tables"] == numbers(draw)
    seed = json.loads(answer.content)["seed"]
    assert hashlib.sha256(seed.encode()).hexdigest() == draw.seed_hash
    assert 'filename="auslosung-serie-1.json"' in answer["Content-Disposition"]


def test_the_public_page_explains_how_to_repeat_the_draw(client: Client, tournament: Tournament):
    draw = published(tournament)

    page = client.get(address(tournament, "seating:serie")).content.decode()

    assert draw.seed in page
    assert draw.seed_hash in page
    assert address(tournament, "seating:task") in page
    assert "romme-turnier plan-seating auslosung-serie-1.json" in page


def test_separations_are_not_public(client: Client, tournament: Tournament):
    separate(tournament, 1, 2)
    published(tournament)

    page = client.get(address(tournament, "seating:serie")).content.decode()
    public = client.get(address(tournament, "seating:task"))
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    leading = client.get(address(tournament, "draw:task"))

    assert "zeigt die Spielleitung auf Wunsch" in page
    assert public.status_code == 404
    assert json.loads(leading.content)["apart"] == [[1, 2]]


def test_separations_in_a_task_use_start_numbers_not_keys(
    tournament: Tournament,
):
    keys = dict(tournament.registrations.values_list("number", "pk"))
    for first, second in ((4, 3), (2, 1)):
        tournament.separations.create(first_id=keys[first], second_id=keys[second])

    assert published(tournament).task["apart"] == [[1, 2], [3, 4]]


def test_the_file_is_as_public_as_the_seats(client: Client, tournament: Tournament):
    file = address(tournament, "seating:task")
    draw = carry_out(begin(tournament, Method.ELECTRONIC))
    before = client.get(file)
    draws.publish(COMMAND, draw.pk)
    Tournament.objects.update(public_seating=False)

    assert (before.status_code, client.get(file).status_code) == (404, 404)


def test_a_planned_serie_links_to_the_file_of_its_plan(client: Client):
    tournament = field(16)
    first = published(tournament, Method.PLANNED)
    second = begin(tournament, Method.PLANNED, serie=2)
    draws.publish(COMMAND, second.pk)
    third = begin(tournament, Method.PLANNED, serie=3)

    page = client.get(address(tournament, "seating:serie", 2)).content.decode()

    assert (second.task["planned_with"], third.task["planned_with"]) == (first.pk, first.pk)
    assert "seit der Planung einer früheren Serie fest" in page
    assert client.get(address(tournament, "seating:task", 2)).status_code == 404


def test_discarded_drafts_are_no_proof(tournament: Tournament):
    begin(tournament, Method.ELECTRONIC)
    second = begin(tournament, Method.ELECTRONIC, reason="zwei Nachmeldungen")

    serie = seating.current_proof(draws_of(tournament.serien.get(number=1)))

    assert serie is not None
    assert serie.seed_hash == second.seed_hash


def test_club_mates_without_consent_are_not_marked_publicly():
    club = make_club("SC Altenburg")
    tournament = field(4, (club,))
    for registration in tournament.registrations.filter(number__in=[1, 2]).select_related("person"):
        registration.person.publish_consent = True
        registration.person.save()
    published(tournament)
    serie = tournament.serien.get(number=1)

    (staff,) = seating.seated_tables(serie)
    (public,) = seating.seated_tables(serie, INTERNET)

    assert [place.suit for place in staff.places] == ["♣"] * 4
    marked = {place.registration.number for place in public.places if place.suit}
    assert marked == {1, 2}
    assert {place.club for place in public.places if place.registration.number > 2} == {""}
