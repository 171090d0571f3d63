"""What other programs and websites get: what is described, and nothing that is not public."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from jsonschema import Draft202012Validator

from tests.clients import Client
from tests.factories import make_person, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.feed import openapi
from tournaments.models import Tournament

Status = Tournament.Status
SITE = "http://testserver"


def asked(path: str) -> dict[str, Any]:
    """An answer, after it was held against what the description says of its address."""
    answer = Client().get(path)
    assert answer.status_code == 200
    described = openapi.openapi(SITE)
    patterns = {re.sub(r"{\w+}", r"[\\w-]+", each): each for each in described["paths"]}
    (pattern,) = [each for found, each in patterns.items() if re.fullmatch(found, path)]
    said = described["paths"][pattern]["get"]["responses"]["200"]["content"]["application/json"]
    schema = said["schema"] | {"components": described["components"]}
    Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(
        answer.json()
    )
    found: dict[str, Any] = answer.json()
    return found


@world
def played() -> Tournament:
    """Three who agreed to be named and one who did not, with a list that is checked."""
    tournament = make_tournament(
        status=Status.RUNNING, serien=1, name="Herbstturnier", public_ranking="live"
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
    described = Client().get("/api/").json()

    assert described["openapi"] == "3.1.0"
    assert described["servers"] == [{"url": SITE}]
    assert set(described["paths"]) == {
        "/api/turniere/",
        "/api/turniere/{slug}/",
        "/api/turniere/{slug}/rangliste/",
        "/api/turniere/{slug}/rangliste/{which}/",
    }
    for schema in described["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.django_db
def test_the_next_tournament_comes_with_its_addresses():
    tournament = make_tournament(
        name="Herbstturnier",
        online_registration=True,
        starts_at=timezone.now() + timedelta(days=7),
    )

    (found,) = asked("/api/turniere/")["current"]

    assert found["name"] == "Herbstturnier"
    assert found["registration_url"] == SITE + reverse("entry:register", args=[tournament.slug])
    assert found["url"] == f"{SITE}/t/{tournament.slug}/"
    assert Client().get(found["calendar_url"]).status_code == 200


@pytest.mark.django_db
def test_a_tournament_says_what_its_announcement_says():
    tournament = make_tournament(organiser="SC Altenburg", places=48, kartengeld_cents=50)

    found = asked(f"/api/turniere/{tournament.slug}/")

    assert (found["organiser"], found["places"], found["kartengeld_cents"]) == (
        "SC Altenburg",
        48,
        50,
    )
    assert found["startgeld"] == [
        {"name": one.name, "cents": one.startgeld_cents} for one in tournament.categories.all()
    ]


def test_a_ranking_names_only_who_agreed(played: Tournament):
    found = asked(f"/api/turniere/{played.slug}/rangliste/")

    names = {line["name"] for line in found["lines"]}
    assert {"Kühn, Anna", "Voß, Bernd", "Sommer, Clara"} < names
    assert len(found["lines"]) == 4
    assert "Lang" not in json.dumps(found)
    assert [line["rank"] for line in found["lines"]] == sorted(
        line["rank"] for line in found["lines"]
    )


def test_a_ranking_that_is_not_public_has_no_lines(played: Tournament):
    Tournament.objects.filter(pk=played.pk).update(public_ranking="never")

    assert asked(f"/api/turniere/{played.slug}/rangliste/")["lines"] == []


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["", "rangliste/"])
def test_a_draft_is_nobodys_business(path: str):
    draft = make_tournament(status=Status.DRAFT)

    assert Client().get(f"/api/turniere/{draft.slug}/{path}").status_code == 404
    assert asked("/api/turniere/") == {"current": [], "past": []}


@pytest.mark.django_db
def test_any_website_may_read_and_none_may_send():
    answer = Client().get("/api/turniere/")

    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Set-Cookie" not in answer
    assert Client().post("/api/turniere/").status_code == 405


@pytest.mark.django_db
def test_the_script_for_other_sites_brings_its_words():
    answer = Client(headers={"accept-language": "en"}).get("/api/einbetten.js")

    assert answer["Content-Type"].startswith("text/javascript")
    assert '"register": "Register now"' in answer.content.decode()
