"""The API for other programs and websites: it follows its description and is public data only."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone
from jsonschema import Draft202012Validator

from tests.clients import Client, at
from tests.factories import make_club, make_person, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.feed import openapi
from tournaments.models import Tournament
from tournaments.web.cached_answers import clear
from tournaments.web.idempotency import FIELD

Status = Tournament.Status
SITE = "http://testserver"


def asked(path: str) -> dict[str, Any]:
    """Return an answer after validation against the description of its address."""
    described = openapi.openapi(SITE)
    patterns = {re.sub(r"{\w+}", r"[\\w-]+", each): each for each in described["paths"]}
    bare = path.partition("?")[0]
    (pattern,) = [each for route, each in patterns.items() if re.fullmatch(route, bare)]
    return said_of(path, described["paths"][pattern]["get"], described)


def said_of(
    path: str, operation: dict[str, Any], described: dict[str, Any], status: int = 200
) -> dict[str, Any]:
    """Return the answer to *path* after validation against *operation* for its status."""
    answer = Client().get(path)
    assert answer.status_code == status
    said = operation["responses"][str(status)]["content"]["application/json"]
    schema = said["schema"] | {"components": described["components"]}
    Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(
        answer.json()
    )
    content: dict[str, Any] = answer.json()
    return content


class Generated:
    """A client as a generator makes one: a function for each operation of the document."""

    def __init__(self) -> None:
        self.described: dict[str, Any] = Client().get("/api/").json()
        self.operations = {
            operations["get"]["operationId"]: (path, operations["get"])
            for path, operations in self.described["paths"].items()
        }

    def call(self, does: str, status: int = 200, **given: Any) -> dict[str, Any]:
        """Call an operation with the parameters that it names, and no others."""
        path, operation = self.operations[does]
        known = {parameter["name"]: parameter for parameter in operation["parameters"]}
        for name, value in given.items():
            Draft202012Validator(known[name]["schema"]).validate(value)
        inside = {name for name, parameter in known.items() if parameter["in"] == "path"}
        query = urlencode({name: value for name, value in given.items() if name not in inside})
        address = path.format(**{name: given[name] for name in inside})
        return said_of(f"{address}?{query}", operation, self.described, status)


@world
def played() -> Tournament:
    """Return a checked list of three players who agreed to be named and one who did not."""
    tournament = make_tournament(
        status=Status.RUNNING, serien=2, name="Herbstturnier", public_ranking="live"
    )
    people = [
        make_person(first_name="Anna", last_name="Kühn", publish_consent=True),
        make_person(first_name="Bernd", last_name="Voß", publish_consent=True),
        make_person(first_name="Clara", last_name="Sommer", publish_consent=True),
        make_person(first_name="Dieter", last_name="Lang", publish_consent=False),
    ]
    make_seated_serie(tournament, [[make_registration(tournament, person) for person in people]])
    write_games(list_of(tournament.serien.get(number=1), 1), status="verified")
    return tournament


@pytest.mark.django_db
def test_the_description_is_an_openapi_document_of_every_address():
    answer = Client().get("/api/")
    described = answer.json()

    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Set-Cookie" not in answer
    assert described["openapi"] == "3.1.0"
    assert described["servers"] == [{"url": SITE}]
    assert set(described["paths"]) == {
        "/api/turniere/",
        "/api/turniere/{slug}/",
        "/api/turniere/{slug}/rangliste/",
        "/api/turniere/{slug}/rangliste/{which}/",
        "/api/turniere/{slug}/sitzplan/",
        "/api/turniere/{slug}/sitzplan/{number}/",
    }
    assert described["info"]["title"].isascii()
    for schema in described["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.django_db
def test_the_next_tournament_has_its_urls():
    tournament = make_tournament(
        name="Herbstturnier",
        online_registration=True,
        starts_at=timezone.now() + timedelta(days=7),
    )

    (listed,) = asked("/api/turniere/")["current"]

    assert listed["name"] == "Herbstturnier"
    assert listed["registration_url"] == SITE + at("entry:register", tournament)
    assert listed["url"] == f"{SITE}/t/{tournament.slug}/"
    assert Client().get(listed["calendar_url"]).status_code == 200


@pytest.mark.django_db
def test_a_tournament_contains_its_announcement():
    tournament = make_tournament(organiser="SC Altenburg", places=48, kartengeld_cents=50)

    answer = asked(f"/api/turniere/{tournament.slug}/")

    assert (answer["organiser"], answer["places"], answer["kartengeld_cents"]) == (
        "SC Altenburg",
        48,
        50,
    )
    assert answer["startgeld"] == [
        {"name": category.name, "cents": category.startgeld_cents}
        for category in tournament.categories.all()
    ]


def test_a_ranking_names_only_consenting_players(played: Tournament):
    answer = asked(f"/api/turniere/{played.slug}/rangliste/")

    names = {line["name"] for line in answer["lines"]}
    assert {"Kühn, Anna", "Voß, Bernd", "Sommer, Clara"} < names
    assert len(answer["lines"]) == 4
    assert "Lang" not in json.dumps(answer)
    assert [line["rank"] for line in answer["lines"]] == sorted(
        line["rank"] for line in answer["lines"]
    )


def test_hidden_rankings_and_seats_are_not_in_the_feed(played: Tournament):
    Tournament.objects.filter(pk=played.pk).update(public_ranking="never", public_seating=False)

    assert asked(f"/api/turniere/{played.slug}/rangliste/")["lines"] == []
    assert asked(f"/api/turniere/{played.slug}/sitzplan/")["tables"] == []


def test_a_generated_client_reads_tournaments_seats_and_ranking(played: Tournament):
    client = Generated()

    (listed,) = client.call("listTournaments")["current"]
    slug = listed["slug"]
    assert client.call("getTournament", slug=slug)["name"] == "Herbstturnier"
    ranking = client.call("getRanking", slug=slug)
    assert client.call("getOtherRanking", slug=slug, which="serie-1")["ranking"] == "serie-1"
    seats = client.call("getSeats", slug=slug)
    assert seats == client.call("getSeatsOfSerie", slug=slug, number=1)

    (table,) = seats["tables"]
    assert [seat["seat"] for seat in table["seats"]] == [1, 2, 3, 4]
    assert [seat["name"] for seat in table["seats"]] == [
        *("Anna Kühn", "Bernd Voß", "Clara Sommer", "D. L.")
    ]
    at_the_table = {seat["number"] for seat in table["seats"]}
    assert {line["number"] for line in ranking["lines"]} == at_the_table
    assert client.call("getOtherRanking", 404, slug=slug, which="serie-3")["detail"]
    assert Client().get(f"/api/turniere/{slug}/sitzplan/0/").status_code == 404
    for does, (_path, operation) in client.operations.items():
        inside = {
            parameter["name"]: 99
            for parameter in operation["parameters"]
            if parameter["in"] == "path"
        }
        if inside:
            unknown = inside | dict.fromkeys({"slug", "which"} & set(inside), "gibt-es-nicht")
            assert client.call(does, 404, **unknown)["detail"]


def test_number_club_and_games_are_separate_fields(played: Tournament):
    named = played.registrations.get(person__first_name="Anna")
    unnamed = played.registrations.get(person__first_name="Dieter")
    club = make_club("SC Altenburg")
    for person in (named, unnamed):
        person.club = club
        person.save()

    lines = asked(f"/api/turniere/{played.slug}/rangliste/")["lines"]

    (first,) = [line for line in lines if line["name"] == "Kühn, Anna"]
    games = list_of(played.serien.get(number=1), 1).games.count()
    assert (first["number"], first["club"], first["games"]) == (
        named.number,
        "SC Altenburg",
        games,
    )
    (hidden,) = [line for line in lines if line["number"] == unnamed.number]
    assert hidden["club"] is None
    assert all("comparison" not in line for line in lines)


def test_a_running_serie_counts_on_request(played: Tournament):
    people = list(played.registrations.order_by("number"))
    make_seated_serie(played, [people], number=2)
    write_games(list_of(played.serien.get(number=2), 1), FOUR[:1])
    address = f"/api/turniere/{played.slug}/rangliste/"

    calm, running = asked(address), asked(f"{address}?laufend=1")

    assert (calm["is_checked"], calm["is_closed"]) == (True, False)
    assert running["is_checked"] is False
    games = {line["number"]: line["games"] for line in running["lines"]}
    before = {line["number"]: line["games"] for line in calm["lines"]}
    assert [games[person.number] - before[person.number] for person in people] == [1, 1, 1, 1]
    compared = [Fraction(line["comparison"]) for line in running["lines"]]
    assert compared == sorted(compared)
    Tournament.objects.filter(pk=played.pk).update(public_ranking="hidden")
    clear()
    assert asked(f"{address}?laufend=1")["lines"] == [
        line | {"comparison": str(line["points"])} for line in asked(address)["lines"]
    ]


@pytest.mark.django_db
def test_refusals_are_json():
    absent = Client().get("/api/gibt-es-nicht/")
    # As a program sends it, which knows no form and its key.
    sent = Client(enforce_csrf_checks=True).post("/api/turniere/", {FIELD: ""})

    assert (absent.status_code, sent.status_code) == (404, 405)
    for answer in (absent, sent):
        assert answer.json()["detail"]
        assert answer["Access-Control-Allow-Origin"] == "*"
    assert sent["Allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("laufend=ja", 400),
        ("nach=eins", 400),
        ("nach=", 400),
        ("nach=%00", 400),
        ("laufend=1&nach=0", 400),
        ("nach=2", 404),
    ],
)
def test_an_unavailable_stand_is_refused(played: Tournament, query: str, status: int):
    path, operation = Generated().operations["getRanking"]
    address = path.format(slug=played.slug)

    assert said_of(f"{address}?{query}", operation, openapi.openapi(SITE), status)["detail"]
    assert asked(f"{address}?nach=1") == asked(address)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["", "rangliste/", "sitzplan/"])
def test_a_draft_is_not_in_the_feed(path: str):
    draft = make_tournament(status=Status.DRAFT)

    assert Client().get(f"/api/turniere/{draft.slug}/{path}").status_code == 404
    assert asked("/api/turniere/") == {"current": [], "past": []}


@pytest.mark.django_db
def test_the_script_for_other_sites_contains_its_texts():
    answer = Client(headers={"accept-language": "en"}).get("/api/einbetten.js")

    assert answer["Content-Type"].startswith("text/javascript")
    assert '"register": "Register now"' in answer.content.decode()
