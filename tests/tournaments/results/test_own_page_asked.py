"""Own pages and the ranking that ask again: what was kept says what drawing from nothing does."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.clients import Client
from tests.factories import COMMAND, make_person, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.common.access_keys import player_path
from tournaments.corrections.services import corrections
from tournaments.desk.services.changes import substitute
from tournaments.hall.services import serie_time
from tournaments.lists.services import spiellisten
from tournaments.models import Registration, Spielliste, Tournament
from tournaments.notices.services import words
from tournaments.people.services.people import update_person
from tournaments.results.services import player_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]
HTMX = {"HX-Request": "true", "Host": "localhost"}
TOKENS = re.compile(r'name="(csrfmiddlewaretoken|form_key)" value="[^"]*"')
ACTS = 10
FORM = "csrfmiddlewaretoken"


@pytest.fixture(autouse=True)
def _at_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


@world
def tournament() -> Tournament:
    """A Serie that is over and one that two tables play, and somebody who has not paid."""
    found = make_tournament(status=Tournament.Status.RUNNING)
    people = [make_registration(found) for _person in range(8)]
    for table in (1, 2):
        serie = make_seated_serie(found, [people[:4], people[4:]], number=table)
        for number in (1, 2) if table == 1 else ():
            write_games(list_of(serie, number), status=Spielliste.Status.VERIFIED)
    make_registration(found, number=None, status=Registration.Status.REGISTERED)
    player_access.provide(found)
    return found


def asked(client: Client, path: str, **headers: str) -> Any:
    """What an open page is answered that shows something old."""
    return client.get(path, {"since": "old"}, headers={**HTMX, **headers})


def drawn_anew(client: Client, path: str) -> str:
    """The whole page, of which nothing is kept."""
    return TOKENS.sub("", client.get(path, {"since": "old"}).content.decode())


def acts(tournament: Tournament, chance: random.Random) -> list[Callable[[], object]]:
    """Ten things that may happen to somebody."""
    serie = tournament.serien.get(number=2)
    running = list_of(serie, chance.randint(1, 2))
    ended = list_of(tournament.serien.get(number=1), chance.randint(1, 2))
    person = chance.choice(tournament.registrations.order_by("pk")).person
    names = {"first_name": person.first_name, "last_name": chance.choice(["Ott", "<Kühn>"])}
    line = {"finisher": 2, "handromme": False, "minus": [chance.randint(2, 90), 0, 18, 40]}

    def play() -> None:
        spiellisten.enter_game(
            COMMAND,
            running.pk,
            number=running.games.count() + 1,
            line=chance.choice(FOUR),
            version=running.version,
            confirmed=True,
        )

    def change_paper() -> None:
        spiellisten.keep_on_paper(COMMAND, running.pk, on_paper=not running.on_paper)

    def correct() -> None:
        corrections.correct_line(
            COMMAND,
            ended.pk,
            game=2,
            line=line,
            reason="Ein König fehlte.",
            paragraph="2.2.5",
            version=ended.version,
        )

    def publish() -> None:
        modes = chance.choice(list(Tournament.PublicRanking))
        Tournament.objects.filter(pk=tournament.pk).update(public_ranking=modes)
        words.say(COMMAND, tournament.pk, words="Kuchen im Foyer")

    def begin() -> None:
        if serie.started_at is None:
            serie_time.start(COMMAND, serie.pk)

    def rename() -> None:
        consent = {"publish_consent": chance.random() < 0.5}
        update_person(person_id=person.pk, actor=COMMAND, fields={**names, **consent})

    return [play, play, play, change_paper, correct, publish, publish, begin, rename, rename]


def test_what_is_kept_says_what_drawing_anew_does_whatever_happens(tournament):
    chance = random.Random(15)  # noqa: S311 - finds examples, keeps no secret
    unpaid, *paths = map(player_path, tournament.registrations.order_by("-pk"))
    ranking = reverse("results_public:overall", args=[tournament.slug])
    client, answers = Client(), set()

    for act in chance.sample(range(ACTS), ACTS):
        acts(tournament, chance)[act]()
        for path in (ranking, unpaid, *chance.sample(paths, 4)):
            answer = TOKENS.sub("", asked(client, path).content.decode()).strip()
            assert answer in drawn_anew(client, path)
            answers.add(answer)

    assert any("Rang " in one for one in answers)
    assert any("wurde berichtigt" in one for one in answers)
    assert any("hat begonnen" in one for one in answers)
    assert any("Startgeld bezahlt" in one for one in answers)


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
