"""Two organisers on one server, isolated from each other, and their pages in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2
import pytest
from django.db import transaction
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import check_looks
from tests.e2e.login import log_in_as
from tests.factories import (
    COMMAND,
    make_head,
    make_operator,
    make_organiser,
    make_registration,
    make_tournament,
)
from tests.tournaments.printing.helpers import Threads
from tournaments.accounts.organisers import invite
from tournaments.common.actors import Actor
from tournaments.common.organisers import add_account
from tournaments.machine import jobs
from tournaments.models import Organiser, Right, Season, Tournament, User
from tournaments.people.services.people import create_person, find_or_create_club
from tournaments.printing import print_job as printing_job

pytestmark = pytest.mark.django_db(transaction=True)


class Side(NamedTuple):
    organiser: Organiser
    head: User
    tournament: Tournament
    names: tuple[str, ...]  # that only this side may read


@transaction.atomic
def make_side(name: str, last_name: str, club: str) -> Side:
    """Return an organiser with a person, a club, a season and a tournament, named after it."""
    organiser = make_organiser(name)
    head = make_head(organiser, name=f"Leitung {last_name}")
    by = Actor.account(head)
    person = create_person(
        actor=by,
        within=organiser,
        first_name="Anna",
        last_name=last_name,
        club=find_or_create_club(club, actor=by, within=organiser),
        publish_consent=True,
    )
    tournament = make_tournament(name=f"{name}-Cup", owner=organiser, status="running")
    make_registration(tournament, person)
    season = Season.objects.create(
        owner=organiser, name=f"Saison {name}", slug=name.lower(), created_by=head
    )
    season.tournaments.add(tournament)
    return Side(organiser, head, tournament, (last_name, club, f"Saison {name}", head.name))


@pytest.fixture
def sides(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Side]:
    """Two organisers on a server, and work that is done where it is started."""
    settings.DATA_DIR, settings.IS_IN_THE_HALL = tmp_path, False
    monkeypatch.setattr(jobs, "spawn", jobs.run)
    monkeypatch.setattr(printing_job, "ProcessPoolExecutor", Threads)
    return [make_side("Gera", "Kühn", "Geraer Asse"), make_side("Jena", "Vogel", "Jenaer Buben")]


def printed(page: Page, live_server: LiveServer, tournament: Tournament, document: str) -> str:
    """Print a document by its button, and return its text."""
    documents = reverse("printing:documents", args=[tournament.slug])
    page.goto(f"{live_server.url}{documents}")
    start = reverse("printing:start", args=[tournament.slug, document])
    form = page.locator(f'form[action="{start}"]').first
    token = form.locator("input[name=csrfmiddlewaretoken]").input_value()
    key = form.locator("input[name=form_key]")
    sent = {"csrfmiddlewaretoken": token}
    if key.count():
        sent["form_key"] = key.first.input_value()
    answer = page.request.post(
        f"{live_server.url}{start}", form=sent, headers={"Referer": live_server.url}
    )
    while not answer.url.endswith(".pdf"):
        answer = page.request.get(page.goto(answer.url).url)
    sheets = pypdfium2.PdfDocument(answer.body())
    return "".join(sheet.get_textpage().get_text_range() for sheet in sheets)


def test_two_organisers_never_see_each_other(
    page: Page, context: BrowserContext, live_server: LiveServer, sides: list[Side]
):
    for own, other in (sides, sides[::-1]):
        context.clear_cookies()
        log_in_as(own.head, context, live_server)
        slug, its_own = own.tournament.slug, set[str]()
        pages = [
            *(reverse(f"people:{name}") for name in ("persons", "clubs", "duplicates")),
            f"{reverse('people:persons')}?q={other.names[0]}",
            *(reverse(name) for name in ("seasons:overview", "setup:tournaments", "backup:page")),
            reverse("account:journal", args=[own.organiser.pk]),
            *(reverse(f"{name}:page", args=[slug]) for name in ("journal", "closing")),
            reverse("desk:list", args=[slug]),
            f"{reverse('desk:desk', args=[slug])}?q={other.names[0]}",
            reverse("printing:documents", args=[slug]),
            *(reverse(f"feed:{name}", args=[slug]) for name in ("tournament", "overall")),
        ]
        for path in pages:
            page.goto(f"{live_server.url}{path}")
            seen = page.content()
            its_own |= {name for name in own.names if name in seen}
            # The input is in the field again, and in „neu anlegen“.
            typed = other.names[0] if "?q=" in path else ""
            named = {f"{other.names[0]}, Anna", *other.names} - {typed}
            theirs = [name for name in named if name in seen]
            assert theirs == [], f"{path} shows {theirs}"
        assert its_own == set(own.names)
        paper = printed(page, live_server, own.tournament, "teilnehmerliste")
        assert own.names[0] in paper
        assert other.names[0] not in paper
        page.goto(f"{live_server.url}{reverse('desk:desk', args=[other.tournament.slug])}")
        expect(page.get_by_role("main")).not_to_contain_text(other.names[0])


def test_their_pages_look_right_everywhere(
    page: Page, context: BrowserContext, live_server: LiveServer, sides: list[Side]
):
    gera, jena = sides
    operator = make_operator()
    add_account(operator, gera.organiser, Right.ALL)
    add_account(operator, jena.organiser, Right.ALL)
    Organiser.objects.filter(pk=jena.organiser.pk).update(parent=gera.organiser)
    Tournament.objects.filter(pk=jena.tournament.pk).update(status="closed")
    invite(gera.organiser, right=Right.MONEY, name="Paul Lang", actor=COMMAND)
    log_in_as(operator, context, live_server)

    check_looks(
        page,
        [
            f"{live_server.url}{path}"
            for path in (
                reverse("account:organisers"),
                reverse("account:organiser", args=[gera.organiser.pk]),
                reverse("account:journal", args=[gera.organiser.pk]),
                reverse("operator:organisers"),
            )
        ],
    )

    page.goto(f"{live_server.url}{reverse('account:organisers')}")
    page.locator(f'button[name=organiser][value="{jena.organiser.pk}"]').click()
    expect(page.locator("header").get_by_role("link", name="Jena")).to_be_visible()
