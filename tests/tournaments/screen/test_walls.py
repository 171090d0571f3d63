"""Several beamers: their content, their addresses and their settings."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.clients import Client, at, logged_in
from tests.factories import (
    COMMAND,
    make_member,
    make_person,
    make_players,
    make_registration,
    make_tournament,
)
from tests.factories_lists import list_of, make_seated_serie
from tests.worlds import world
from tournaments.common.access_keys import screen_key
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.models import JournalEntry, Role, Screen, Serie, Tournament
from tournaments.notices.services import words
from tournaments.screen import services as screens
from tournaments.web.cached_answers import clear

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def seated() -> Tournament:
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    players = [
        make_registration(tournament, make_person("Anna", f"Kühn{number}")) for number in range(4)
    ]
    make_seated_serie(tournament, [players], number=1)
    tournament.refresh_from_db()
    return tournament


def address(tournament: Tournament, *keys: Any) -> str:
    name = ("screen", "numbered", "keyed")[len(keys)]
    return at(f"screen:{name}", tournament, *keys)


def wall(tournament: Tournament, *keys: Any, **asked: Any) -> str:
    return Client().read(address(tournament, *keys), asked)


def staff(tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> Client:
    return logged_in(make_member(tournament, role))


def post(client: Client, tournament: Tournament, act: str, /, *keys: Any, **sent: Any) -> Any:
    return client.post(at(f"screen:{act}", tournament, *keys), sent, follow=True)


tournament = world(seated)


def test_each_beamer_shows_its_own_setting(tournament: Tournament):
    foyer = screens.add(COMMAND, tournament.pk, name="Foyer")
    screens.show(COMMAND, tournament.pk, shows="names")
    screens.show(
        COMMAND, tournament.pk, shows=["message", "tables"], number=foyer.number, message="Kuchen"
    )

    first, second = wall(tournament), wall(tournament, foyer.number)

    assert "Wer sitzt wo?" in first
    assert "Kuchen" not in first
    assert second.count("data-wall-page") == 2
    assert "Kuchen" in second
    assert "Serie 1: Plätze" in second


def test_the_screen_arranges_seats_like_the_hall():
    tournament = make_tournament(status=Tournament.Status.RUNNING, floor=[[3, 0, 1], [0, 0, 2]])
    make_seated_serie(tournament, [make_players(tournament, 4) for _table in range(3)])

    page = wall(tournament, zeigt="tables")

    cells = re.findall(r'data-name="(\d)"|class="(floor-gap)', page)
    assert ["".join(cell) for cell in cells] == ["3", "1", "floor-gap", "2"]
    assert 'class="screen-tables floor-plan tables-at-1 tables-at-2"' in page


def test_a_screen_on_a_server_shows_names_only_with_its_key(settings: Any, tournament: Tournament):
    settings.IS_IN_THE_HALL = False
    screens.show(COMMAND, tournament.pk, shows="names")
    key = screen_key(tournament.pk, 1)

    control = staff(tournament).get(at("screen:control", tournament))

    assert "Kühn1" in wall(tournament, 1, key)
    assert "Kühn1" not in wall(tournament, 1)
    assert address(tournament, 1, key) in control.content.decode()
    assert Client().get(address(tournament, 1, "f" * 32)).status_code == 404


def test_a_removed_beamer_shows_nothing(tournament: Tournament):
    foyer = screens.add(COMMAND, tournament.pk, name="Foyer")

    screens.remove(COMMAND, tournament.pk, number=foyer.number)

    assert Client().get(address(tournament, foyer.number)).status_code == 404
    with pytest.raises(WrongStatus, match="inzwischen jemand entfernt"):
        screens.show(COMMAND, tournament.pk, shows="names", number=2)
    with pytest.raises(WrongStatus, match="Die erste Leinwand bleibt"):
        screens.remove(COMMAND, tournament.pk, number=1)
    kept = JournalEntry.objects.filter(action__startswith="screen").values_list("action", flat=True)
    assert list(kept) == ["screen_added", "screen_removed"]


@pytest.mark.parametrize("shows", [[], ["nothing"], ["names", "nothing"]])
def test_a_beamer_offers_available_pages_only(shows: list[str]):
    with pytest.raises(TournamentError, match="Bitte wählen"):
        screens.show(COMMAND, seated().pk, shows=shows)


def test_too_many_beamers_are_refused(tournament: Tournament):
    screens.show(COMMAND, tournament.pk, shows="names")
    for _one in range(screens.MOST - 1):
        screens.add(COMMAND, tournament.pk, name="")

    with pytest.raises(TournamentError, match="Mehr als 6"):
        screens.add(COMMAND, tournament.pk, name="")


def test_seats_are_shown_until_a_sign_covers_them(
    django_assert_num_queries: Any, tournament: Tournament
):
    screens.show(COMMAND, tournament.pk, shows="names")
    begun = timezone.now() - timedelta(minutes=52)
    Serie.objects.update(started_at=begun, time_limit_minutes=60)
    tournament.refresh_from_db()
    until = int(begun.timestamp()) + 50 * 60

    assert "Die letzten Minuten" in wall(tournament)
    with django_assert_num_queries(1):
        early = Client().get(
            address(tournament), {"since": tournament.revision, "bis": until + 3600}
        )
    assert early.status_code == 204
    late = wall(tournament, since=tournament.revision, bis=until)
    assert "Die letzten Minuten" in late
    assert "Kühn1" not in late


@pytest.mark.both
def test_the_screen_is_queried_once_for_each_revision(
    django_assert_num_queries: Any, tournament: Tournament
):
    screens.show(COMMAND, tournament.pk, shows="names")

    def asks() -> str:
        return Client().read(address(tournament), {"since": 0}, headers={"HX-Request": "true"})

    first = asks()
    with django_assert_num_queries(2):  # whether it is new, and the tournament
        assert asks() == first
    assert "Kühn1" in first
    words.say(COMMAND, tournament.pk, words="Pause")
    assert "Pause" in asks()


def test_extra_time_for_all_tables_moves_the_end(tournament: Tournament):
    begun = timezone.now() - timedelta(minutes=61)
    Serie.objects.update(started_at=begun, time_limit_minutes=60)
    over = wall(tournament)
    spielliste = list_of(tournament.serien.get(number=1), 1)
    spielliste.extra_minutes = 30
    spielliste.save()
    clear()

    assert "Die Zeit ist um" in over
    assert "Die Zeit ist um" not in wall(tournament)


def test_the_clock_reports_the_end_of_a_serie(tournament: Tournament):
    screens.show(COMMAND, tournament.pk, shows="countdown")
    begun = timezone.now() - timedelta(minutes=50)
    Serie.objects.filter(number=1).update(started_at=begun)
    running = wall(tournament)
    Serie.objects.filter(number=1).update(closed_at=timezone.now())
    clear()

    assert "begonnen um" in running
    assert "<p>beendet</p>" in wall(tournament)


@pytest.mark.parametrize("mode", Screen.Shows.values)
def test_previews_show_a_page_without_polling(mode: str, tournament: Tournament):
    words.say(COMMAND, tournament.pk, words="Pause")

    picture = Client().get(address(tournament), {"zeigt": mode})

    text = picture.content.decode()
    assert "hx-get" not in text
    assert "Pause" not in text
    assert picture.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in picture.headers["Content-Security-Policy"]


@pytest.mark.both
def test_control_sets_turns_adds_and_removes(tournament: Tournament):
    client = staff(tournament)

    turned = post(client, tournament, "turn", 1, page="ranking")
    post(client, tournament, "add", name_="Foyer")
    post(client, tournament, "store", 2, shows=["names", "welcome"], seconds=20, name_="Eingang")

    assert "Die Leinwand zeigt es in wenigen Sekunden." in turned.content.decode()
    first, second = Screen.objects.all()
    assert (first.shows, second.shows) == ("ranking", "names,welcome")
    assert (str(second), second.seconds) == ("Eingang", 20)
    post(client, tournament, "remove", 2)
    assert Screen.objects.count() == 1


def test_control_refuses_a_message_without_text_and_shows_the_page_again(tournament: Tournament):
    client = staff(tournament, Role.SCHIEDSRICHTER)

    turned = post(client, tournament, "turn", 1, page="message")
    stored = post(client, tournament, "store", 1, shows=["message"], seconds=2)

    assert turned.status_code == 409
    assert "Bitte eingeben, was auf der Leinwand stehen soll." in turned.content.decode()
    assert stored.status_code == 422
    assert 'name="seconds" value="2"' in stored.content.decode()


def test_announcements_are_made_and_ended_at_control(tournament: Tournament):
    client = staff(tournament)

    post(client, tournament, "say", words="Mittagspause", minutes="")
    there = wall(tournament)
    post(client, tournament, "be_silent")

    assert "Mittagspause" in there
    assert "Mittagspause" not in wall(tournament)


def test_the_welcome_names_the_start_until_the_end(tournament: Tournament):
    Screen.objects.update_or_create(
        tournament=tournament, number=1, defaults={"shows": Screen.Shows.WELCOME}
    )

    before = wall(tournament)
    Tournament.objects.update(status=Tournament.Status.CLOSED, revision=tournament.revision + 1)
    clear()
    after = wall(tournament)

    assert "3. Oktober 2026" in before.replace("\xa0", " ")
    assert "Das Turnier ist beendet" not in before
    assert "3. Oktober 2026" not in after.replace("\xa0", " ")
    assert "Das Turnier ist beendet. Danke fürs Mitspielen!" in after
