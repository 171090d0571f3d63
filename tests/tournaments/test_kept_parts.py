"""What open pages keep of the hall is what somebody would draw who has seen nothing yet."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.clients import Client
from tests.factories import COMMAND, make_member
from tests.factories_lists import FOUR, list_of, write_games
from tests.tournaments.hall.helpers import running
from tests.tournaments.lists.helpers import Device
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.hall.services import handing_in, serie_time
from tournaments.lists.queries import concerned
from tournaments.lists.services import bought_cards, signing, spiellisten
from tournaments.models import Call, Role, Screen, Serie, Spielliste
from tournaments.notices.services import words
from tournaments.people.services.people import update_person
from tournaments.table.services import calls
from tournaments.web import shared

# What is kept, and how, is the same on both databases.
pytestmark = [pytest.mark.django_db, pytest.mark.once]
TABLES = 4


class Hall:
    """A hall in which anything may happen next."""

    def __init__(self, seed: int, minutes: int | None) -> None:
        self.chance = Random(seed)  # noqa: S311 - which act comes next is no secret
        self.serie = running(tables=TABLES)
        Serie.objects.filter(pk=self.serie.pk).update(time_limit_minutes=minutes)
        self.tournament = self.serie.tournament
        self.user = make_member(self.tournament, Role.SPIELLEITUNG)
        for table in (2, 3):  # one game before the end
            write_games(list_of(self.serie, table), FOUR[:-1])
        Screen.objects.create(tournament=self.tournament, shows="ranking,names,tables")

    def happens(self) -> None:
        """Do something that somebody may do; what is refused changes nothing."""
        act = self.chance.choice(list(ACTS.values()))
        with suppress(TournamentError):
            act(self, list_of(self.serie, self.chance.randint(1, TABLES)))

    def enter_game(self, one: Spielliste) -> None:
        number = one.games.count() + 1
        spiellisten.enter_game(
            COMMAND, one.pk, number=number, line=self.chance.choice(FOUR), version=one.version
        )

    def take_back_game(self, one: Spielliste) -> None:
        spiellisten.change_game(
            COMMAND, one.pk, number=one.games.count(), line=None, version=one.version, consents=()
        )

    def change_paper(self, one: Spielliste) -> None:
        spiellisten.keep_on_paper(COMMAND, one.pk, on_paper=not one.on_paper)

    def buy_cards(self, one: Spielliste) -> None:
        bought = [self.chance.randint(0, 3) for _seat in range(4)]
        bought_cards.copy_bought(COMMAND, one.pk, bought=bought, seen=one.bought_cards)

    def sign(self, one: Spielliste) -> None:
        signing.sign_on_paper(COMMAND, one.pk)

    def hand_in(self, one: Spielliste) -> None:
        handing_in.tick(COMMAND, one.pk, thing=handing_in.Thing.LIST, received=True)

    def call(self, one: Spielliste) -> None:
        calls.call(COMMAND, one.table_id, kind="dispute")

    def finish_call(self, _one: Spielliste) -> None:
        call = Call.objects.filter(done_at=None).first()
        if call is not None:
            calls.done(Actor.account(self.user), call.pk)

    def rename(self, _one: Spielliste) -> None:
        person = self.tournament.registrations.get(number=self.chance.randint(1, 4)).person
        fields = {"first_name": "Eva", "last_name": f"Lang{self.chance.random()}"}
        update_person(person_id=person.pk, actor=COMMAND, fields=fields)

    def say(self, _one: Spielliste) -> None:
        words.say(COMMAND, self.tournament.pk, words="Pause")
        words.take_back(COMMAND, self.tournament.pk)

    def open_device(self, one: Spielliste) -> None:
        Device(one).send("take_over")

    def look_on(self, one: Spielliste) -> None:
        if one.is_at_the_table:
            Device(one)  # which is no act: seen with the next one
            self.change_paper(one)

    def give_time(self, one: Spielliste) -> None:
        table = self.chance.choice((None, one.table.number))
        tables = None if table is None else [table]
        serie_time.give_extra(COMMAND, self.serie.pk, minutes=5, tables=tables)


ACTS: Mapping[str, Callable[[Hall, Spielliste], None]] = {
    name: act for name, act in vars(Hall).items() if not name.startswith("_") and name != "happens"
}


def bare(content: str) -> str:
    """Return a part of a page without the hidden fields that each form has of its own."""
    return re.sub(r'name="(csrfmiddlewaretoken|form_key)" value="[^"]*"', "", content)


@pytest.mark.parametrize(("seed", "minutes"), [(1, None), (2, 60)])
def test_after_any_acts_pages_show_what_is_drawn_from_nothing(
    seed: int, minutes: int | None, monkeypatch: pytest.MonkeyPatch
):
    hall, now = Hall(seed, minutes), timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    client = Client()
    client.force_login(hall.user)
    slug = hall.tournament.slug
    addresses = [
        reverse("screen:screen", args=[slug]),
        *[reverse("hall:since", args=[slug, 1])] * 2,  # who asks again is answered at once
        reverse("hall:hand_in_since", args=[slug, 1]),
    ]

    def asked() -> list[str]:
        headers = {"HX-Request": "true"}
        answers = [client.get(at, {"since": "old"}, headers=headers) for at in addresses]
        return [bare(answer.content.decode()) for answer in answers]

    shown = set()
    for _act in range(15):
        hall.happens()
        # Pages of the control room are as of the minute.
        now += timedelta(seconds=hall.chance.choice((0, 0, 60, 720)))
        kept = asked()
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr(shared, "_kept", OrderedDict())
            elsewhere.setattr(concerned, "_heard", {})
            assert kept == asked()
        shown.add(tuple(kept))
    assert len(shown) > 5
