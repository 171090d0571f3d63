"""Telling, deciding and closing in a browser, from the notice to the closed tournament."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.e2e.browser import check_looks, unfold
from tests.e2e.login import log_in_as
from tests.factories import COMMAND, make_user
from tests.tournaments.notices.helpers import (
    make_case,
    make_checked_list,
    make_correction,
    make_notice,
    players_of,
    tournament_of,
)
from tournaments.closing import services as closing
from tournaments.models import Notice, Role, Spielliste

pytestmark = pytest.mark.django_db(transaction=True)


def checked(**fields: str) -> Spielliste:
    return make_checked_list(name="Herbstturnier 2026", **fields)


def waiting(spielliste: Spielliste) -> Notice:
    """Return a correction with notices for a table; seat 2 loses the first rank."""
    players = players_of(spielliste)
    persons = [
        {
            "registration": registration.pk,
            "number": registration.number,
            "points": points,
            "serie_rank": rank,
            "total": points,
            "rank": rank,
        }
        for registration, points, rank in zip(
            players,
            ([210, 210], [201, 219], [279, 279], [301, 301]),
            ([2, 1], [1, 2], [3, 3], [4, 4]),
            strict=True,
        )
    ]
    correction = make_correction(
        spielliste,
        effects={
            "serie": 1,
            "persons": persons,
            "others": [],
            "rests": ["Serie 2 ist nach der Rangliste mit dem alten Ergebnis gesetzt."],
        },
    )
    for seat in (1, 3, 4):
        make_notice(spielliste, seat, correction=correction)
    return make_notice(spielliste, 2, correction=correction)


def nothing(_spielliste: Spielliste) -> None:
    """Leave everything settled."""


def both(spielliste: Spielliste) -> None:
    waiting(spielliste)
    make_case(spielliste)
    case = make_case(spielliste, decision="Es bleibt bei 41.", decided_at=_created(spielliste))
    case.save()


def _created(spielliste: Spielliste):
    return tournament_of(spielliste).created_at


def closed(spielliste: Spielliste) -> None:
    closing.close_serie(COMMAND, spielliste.table.serie_id)
    closing.close(COMMAND, tournament_of(spielliste).pk)


def reopened_and_changed(spielliste: Spielliste) -> None:
    closed(spielliste)
    tournament = tournament_of(spielliste)
    closing.reopen(COMMAND, tournament.pk, reason="Zahlendreher")
    game = spielliste.games.get(number=3)
    game.line = {**game.line, "minus": [27, 53, 0, 22]}
    game.save()


OF_TELLING = ("mitteilungen/", "mitteilungen/zettel/", "mitteilungen/faelle/")
STATES: dict[str, tuple[Callable[[Spielliste], object], tuple[str, ...]]] = {
    "something-to-tell": (both, (*OF_TELLING, "abschluss/")),
    "nothing-to-tell": (nothing, ("mitteilungen/zettel/", "abschluss/")),
    "closed": (closed, ("abschluss/",)),
    "opened-again": (reopened_and_changed, ("abschluss/",)),
}


def test_pages_of_telling_and_closing_look_right_everywhere(
    page: Page, context: BrowserContext, live_server
):
    head, urls = make_user(), []
    for state, (prepare, paths) in STATES.items():
        spielliste = checked(slug=state)
        tournament_of(spielliste).memberships.create(user=head, role=Role.SPIELLEITUNG)
        prepare(spielliste)
        urls += [f"{live_server.url}/turniere/{state}/{path}" for path in paths]
    log_in_as(head, context, live_server)

    check_looks(page, urls, prepare=unfold, least=44)
