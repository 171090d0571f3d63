"""After each act, polling returns the same content as opening the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Q
from django.utils import timezone

from tests.clients import Client
from tests.factories import COMMAND, make_member
from tests.factories_lists import FOUR, list_of
from tests.tournaments.journal.helpers import correct_second_game
from tests.tournaments.lists.helpers import Device
from tests.tournaments.test_asking_pages import HTMX, OF_ALL, OF_STAFF, address, logged_in, running
from tests.worlds import world
from tournaments.announcement.services import edit
from tournaments.announcement.services.sections import fingerprint
from tournaments.closing.services import strike_out
from tournaments.common.access_keys import player_path
from tournaments.common.actors import Actor
from tournaments.hall.services import handing_in, serie_time
from tournaments.lists.queries import list_revisions
from tournaments.lists.services import signing, spiellisten
from tournaments.models import Role, Spielliste, Tournament
from tournaments.models.tournament import Section
from tournaments.notices.services import words
from tournaments.people.services.people import update_person
from tournaments.screen import services as screens
from tournaments.table.services import calls
from tournaments.table.services.devices import withdraw_access
from tournaments.web import cached_answers

# The content of pages is the same on both databases.
pytestmark = [pytest.mark.django_db, pytest.mark.once]
tournament = world(running)


@pytest.fixture(autouse=True)
def _at_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


def play(tournament: Tournament, *games: int) -> None:
    """Enter games of the second table."""
    for number in games:
        spielliste = second_list(tournament)
        line, version = FOUR[number - 1], spielliste.version
        spiellisten.enter_game(
            COMMAND, spielliste.pk, number=number, line=line, version=version, confirmed=True
        )


def take_back(tournament: Tournament) -> None:
    spielliste = second_list(tournament)
    spiellisten.change_game(
        COMMAND, spielliste.pk, number=1, line=None, version=spielliste.version, consents=()
    )


def finish_call(tournament: Tournament) -> None:
    user = make_member(tournament, Role.SCHIEDSRICHTER)
    calls.settle(Actor.account(user), first_list(tournament).table.calls.get().pk)


# In the order in which they are done; None lets time pass.
ACTS: dict[str, Callable[[Tournament], object] | None] = {
    "a wall": lambda tournament: screens.show(
        COMMAND, tournament.pk, shows=("ranking", "names", "tables"), seconds=8
    ),
    "a Serie that begins": lambda serie: serie_time.start(COMMAND, serie.serien.get(number=1).pk),
    "a game": lambda tournament: play(tournament, 1),
    "half an hour": None,
    "a game taken back": take_back,
    "extra time": lambda tournament: serie_time.give_extra(
        COMMAND, tournament.serien.get(number=1).pk, minutes=5, tables=[2]
    ),
    "a device": lambda tournament: Device(second_list(tournament)).send("take_over"),
    "a list on paper": lambda tournament: spiellisten.keep_on_paper(
        COMMAND, second_list(tournament).pk, on_paper=True
    ),
    "the last game": lambda tournament: play(tournament, *range(1, 13)),
    "signatures": lambda tournament: signing.sign_on_paper(COMMAND, second_list(tournament).pk),
    "a list handed in": lambda tournament: handing_in.tick(
        COMMAND, second_list(tournament).pk, thing=handing_in.HandInItem.LIST, received=True
    ),
    "a call": lambda tournament: calls.call(
        COMMAND, first_list(tournament).table_id, kind="dispute"
    ),
    "its end": finish_call,
    "a correction": lambda tournament: correct_second_game(first_list(tournament)),
    "a renamed person": lambda tournament: update_first(tournament, last_name="Zander"),
    "a consent": lambda tournament: update_first(tournament, publish_consent=True),
    "no name in the hall": lambda tournament: update_first(tournament, hall_objection=True),
    "a code withdrawn": lambda tournament: withdraw_access(
        COMMAND, first_list(tournament).table_id
    ),
    "a Serie struck out": lambda tournament: strike_out(
        COMMAND, tournament.serien.get(number=3).pk, reason="Zu spät."
    ),
    "a Durchsage": lambda tournament: words.say(COMMAND, tournament.pk, words="Kuchen im Foyer"),
    "a setting": lambda tournament: edit.change_fields(
        COMMAND,
        tournament.pk,
        seen=fingerprint(tournament, Section.PUBLIC),
        reason="Wunsch der Halle",
        section=Section.PUBLIC,
        values={"public_seating": False, "public_ranking": Tournament.PublicRanking.FINAL},
    ),
}


def second_list(tournament: Tournament) -> Spielliste:
    return list_of(tournament.serien.get(number=1), 2)


def first_list(tournament: Tournament) -> Spielliste:
    return list_of(tournament.serien.get(number=1))


def update_first(tournament: Tournament, **fields: Any) -> None:
    person = tournament.registrations.get(number=1).person
    given = {"first_name": person.first_name, "last_name": person.last_name, **fields}
    update_person(person_id=person.pk, actor=COMMAND, fields=given)


def bare(answer: Any) -> str:
    """Return the content of an answer without tokens of forms."""
    tokens = r'name="(csrfmiddlewaretoken|form_key)" value="[^"]*"'
    return re.sub(tokens, "", answer.content.decode())


def addresses(tournament: Tournament) -> dict[str, str]:
    """Return the polling pages; own pages of a player at each table and of one without a seat."""
    addresses_of = {name: address(name, tournament) for name in (*OF_STAFF, *OF_ALL)}
    players = tournament.registrations.filter(Q(number__in=[1, 5]) | Q(number=None))
    return addresses_of | {str(player.pk): player_path(player) for player in players}


def asked(client: Client, pages: dict[str, str]) -> dict[str, str]:
    """Return the answer of each page to a poll of an outdated page."""
    return {
        name: bare(client.get(at, {"since": "old"}, headers=HTMX)) for name, at in pages.items()
    }


def test_polling_again_returns_the_same(tournament):
    client, pages = logged_in(tournament), addresses(tournament)

    assert asked(client, pages) == asked(client, pages)


def test_polling_after_an_act_returns_the_same_page_as_opening_it(tournament, monkeypatch):
    client, pages = logged_in(tournament), addresses(tournament)
    shown = asked(client, pages)
    now = timezone.now()

    for act, do in ACTS.items():
        if do is None:
            monkeypatch.setattr(timezone, "now", lambda: now + timedelta(minutes=30))
        else:
            do(Tournament.objects.get(pk=tournament.pk))
        after = asked(client, pages)
        cached_answers.clear()
        list_revisions.forget()
        fresh = asked(client, pages)

        assert after == fresh, act
        assert fresh != shown, act
        shown = fresh
