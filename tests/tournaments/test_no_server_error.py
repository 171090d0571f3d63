"""No sent value causes a server error: each form, address and JSON endpoint is tried.

The addresses come from the URL resolver, the fields of forms from their classes and pages, the
requests of a device from the types of its acts. The values are the same each time, so that a run is
reproducible; ``FUZZ=50`` tries that many for each endpoint, other ones each time.
``tests/interchange`` tries the input of the commands for lists and seating.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from random import Random
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from django.db import transaction
from django.test import RequestFactory
from django.urls import resolve, reverse
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from scoring.errors import ScoringError
from tests.clients import Client
from tests.factories import COMMAND
from tests.factories_lists import FOUR
from tests.strangers.halls import Hall
from tests.tournaments.access_matrix import ADDRESSES, SERVER_ERROR, Address, refusals_not_drawn
from tests.tournaments.fuzz_values import BEYOND, Door, FormReads, Page, mangled
from tests.tournaments.test_other_tournament import THINGS
from tournaments.accounts.forms import attempted_username
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.closing import services as closing
from tournaments.machine import jobs
from tournaments.models import Serie
from tournaments.table.services.acts import ACTS
from tournaments.web.idempotency import FIELD

pytestmark = pytest.mark.django_db
# The last test covers differences of databases; all others run on one.
once = pytest.mark.once

MORE = int(os.environ.get("FUZZ", "0"))
NOT_TAKEN = 405
FITTING = {tuple: [1, 2, 3, 4], dict: dict(FOUR[0]), bool: True, int: 1, str: "1"}
_KEY = re.compile(r"<(?:\w+:)?(\w+)>")


def tried(what: st.SearchStrategy[bytes], try_: Callable[[bytes], None], *, times: int) -> None:
    """Return some of the possible values."""
    hypothesis_settings(
        max_examples=MORE or times,
        derandomize=not MORE,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )(given(what)(try_))()


@pytest.fixture
def hall(own_files, settings, tmp_path, monkeypatch) -> Hall:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(jobs, "spawn", lambda _job_id: None)
    return Hall()


def doors_of(hall: Hall, read: FormReads) -> list[Door]:
    """Return all addresses that accept values, and the values."""
    doors: dict[tuple[str, str], Door] = {}
    for method in ("get", "post"):  # first the pages, which contain the values of their forms
        for address in ADDRESSES:
            url = hall.url(address)
            door = doors.get((method, url), Door(url, method))
            read.take()
            answer = hall.ask(method, url, door.far if method == "post" else door.likely)
            if answer.status_code == NOT_TAKEN:
                continue
            doors[method, url] = door
            door.read |= read.take()
            if method == "get" and answer.get("Content-Type", "").startswith("text/html"):
                for (how, where), shown in Page(answer.content.decode()).forms.items():
                    there = where or url
                    doors.setdefault((how, there), Door(there, how)).shown.update(shown)
    return [door for door in doors.values() if door.names]


@once
def test_no_form_causes_a_server_error(hall: Hall, monkeypatch):
    doors = doors_of(hall, FormReads(monkeypatch))

    assert len(doors) > 200
    random = Random(None if MORE else 0)  # noqa: S311
    for door in doors:
        for _ in range(MORE or 1):
            hall.ask(door.method, door.url, door.anything(random))


@once
def test_no_url_causes_a_server_error(hall: Hall):
    with refusals_not_drawn():
        for address in ADDRESSES:
            known = {key: str(value) for key, value in resolve(hall.url(address)).kwargs.items()}
            for key in address.keys:
                value = BEYOND if f"<number:{key}>" in address.route else "%FF" + "x" * 300
                named = known | {key: value}
                url = _KEY.sub(lambda key: named[key[1]], address.route)  # noqa: B023 - now
                hall.ask("get", f"/{url}")


@once
@pytest.mark.parametrize(
    ("seating", "room"),
    [(seating, "" if seating == Serie.Seating.CARDS else "draw") for seating in Serie.Seating],
)
def test_open_pages_of_a_struck_out_serie_cause_no_server_error(
    hall: Hall, seating: Serie.Seating, room: str
):
    """How people are seated is asked by the pages of the draw alone."""
    serie = hall.world.tournament.serien.last()
    assert serie is not None
    serie.seating = seating
    serie.save()
    if seating != Serie.Seating.CARDS:
        serie.draws.all().delete()
    of_room = [address for address in ADDRESSES if address.name.startswith(room)]
    urls = [url for address in of_room if (url := _url_of_serie(hall, address, serie))]
    open_pages = [Page(hall.ask("get", url).content.decode("utf-8", "replace")) for url in urls]
    forms = [form for page in open_pages for form in page.forms.items()]
    assert len(forms) > 10

    closing.strike_out(COMMAND, serie.pk, reason="Die Halle schließt")

    for url in urls:
        hall.ask("get", url)
    for (method, url), shown in forms:
        sent = {name: values[-1] for name, values in shown.items() if name != FIELD}
        if url:
            hall.ask(method, url, sent)


def _url_of_serie(hall: Hall, address: Address, serie: Serie) -> str:
    """Return the address of a page of a Serie; "" for other pages."""
    door, *keys = address.keys or ("",)
    named = THINGS.get(address.name)
    if named == "draw and table":
        return hall.url(address)
    if door != "slug" or named not in {"serie", "drafted serie", "list"}:
        return ""
    numbers = dict(zip(keys, (serie.number, 1), strict=False))
    return reverse(address.name, kwargs={"slug": serie.tournament.slug, **numbers})


@once
def test_no_request_of_a_device_causes_a_server_error(hall: Hall):
    def sent(body: bytes) -> None:
        hall.ask("post", f"{hall.phone.path}senden/", body, content_type="application/json")

    for kind, act in ACTS.items():
        hints = get_type_hints(act)
        body = {field.name: fitting(hints[field.name]) for field in fields(act)}
        tried(mangled({"key": "schluessel", "kind": kind, **body, "version": 0}), sent, times=12)


def fitting(hint: Any) -> Any:
    """Return a valid value for a field of this type."""
    kinds = {get_origin(kind) or kind for kind in (hint, *get_args(hint))}
    return next(value for kind, value in FITTING.items() if kind in kinds)


@once
def test_no_archive_causes_a_server_error(hall: Hall):
    archive = json.loads(archive_text(hall.world.tournament))

    def taken_in(data: bytes) -> None:
        with transaction.atomic():
            with suppress(ScoringError):
                import_archive(data, actor=COMMAND, replace=True)
            transaction.set_rollback(True)

    tried(mangled(archive), taken_in, times=30)


def test_values_refused_by_one_database_are_refused_on_both(hall: Hall):
    name, within = "a\0b", f"/turniere/{hall.world.tournament.slug}"

    for method, address, sent, expected in (
        ("post", "/personen/neu/", {"last_name": name}, 400),
        ("post", "/personen/neu/", {name: ""}, 400),
        ("get", "/personen/", {"q": name}, 400),
        ("get", "/saison/a%00b/", None, 400),
        ("get", "/tisch/a%00b/", None, 400),
        ("post", "/konto/anmelden/", {"username": name}, 400),
        ("get", f"{within}/protokoll/", {"von": "0001-01-01T00:00"}, 422),
        ("get", f"{within}/protokoll/", {"bis": "9999-12-31T23:59"}, 422),
        ("get", f"{within}/kasse/", {"tag": "9999-12-31"}, 200),
        ("get", f"{within}/auslosung/3/tausch-pruefen/", {"first": "0"}, 200),
        ("get", f"{within}/kasse/", {"meldung": 2**31}, 200),
        ("get", f"{within}/kasse/", {"meldung": 2**63}, 200),
        ("get", f"{within}/meldungen/{2**31}/", None, 404),
        ("get", f"{within}/pruefung/1/{2**63}/", None, 404),
    ):
        assert hall.ask(method, address, sent).status_code == expected, (address, sent)


def test_values_refused_by_all_databases_are_refused_in_json(hall: Hall):
    door = f"{hall.phone.path}senden/"

    for wrong in ({"key": "\ud800"}, {"text": "a\0b"}, {"text": "\ud800"}, {"game": 2**31}):
        body = {"key": "schluessel", "kind": "case", "text": "Bitte", **wrong}
        answer = hall.ask("post", door, body, content_type="application/json")
        assert answer.status_code == 422, wrong
    assert hall.ask("post", door, {"key": "x"}).status_code == 422, "a form"


def test_a_cookie_with_an_invalid_character_is_refused(client: Client):
    client.cookies.load('sessionid="a\\000b"')

    assert client.get("/turniere/").status_code == 400


def test_a_log_in_name_too_long_is_refused_like_a_wrong_one(client: Client):
    long = {"username": "9" * 300, "password": "x"}

    assert client.post("/konto/anmelden/", long).status_code < SERVER_ERROR
    assert len(attempted_username(RequestFactory().post("/", long), None)) == 255


def test_other_encodings_bring_no_lone_surrogates(client: Client):
    kind = "application/x-www-form-urlencoded; charset=unicode_escape"

    answer = client.post("/konto/anmelden/", "username=%5Cud800", content_type=kind)

    assert answer.status_code == 400


def test_every_number_in_a_url_is_bounded():
    assert [address.route for address in ADDRESSES if "<int:" in address.route] == []
