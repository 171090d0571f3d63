"""The own page of a player: its access, content and answers."""

from __future__ import annotations

import icalendar
import pytest
from django.urls import reverse
from django.utils import timezone

from tests.clients import Client
from tests.factories import (
    COMMAND,
    acting,
    make_member,
    make_person,
    make_registration,
    make_tournament,
)
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.common.access_keys import player_path
from tournaments.corrections.services import corrections
from tournaments.desk.services.changes import substitute
from tournaments.models import Notice, Registration, Role, SeatSpan, Spielliste, Tournament
from tournaments.notices.services import words
from tournaments.results.queries.player_results import played_lists
from tournaments.results.queries.rankings import Rankings
from tournaments.results.services import player_access
from tournaments.web.cached_answers import clear

pytestmark = pytest.mark.django_db
Status = Spielliste.Status


def at_table(**fields):
    """A running tournament with one table that has played its list."""
    tournament = make_tournament(status=Tournament.Status.RUNNING, **fields)
    players = [
        make_registration(tournament, make_person("Anna", f"Kühn{number}"))
        for number in range(1, 5)
    ]
    serie = make_seated_serie(tournament, [players])
    write_games(list_of(serie), status=Status.VERIFIED)
    player_access.store_tokens(tournament)
    return tournament, players


def open_page(registration, **data):
    return Client().get(player_path(registration), data)


seated = world(at_table)


def test_the_page_shows_place_list_and_standing(seated):
    _tournament, players = seated

    text = open_page(players[1]).content.decode()

    assert "Anna Kühn2" in text
    assert "Tisch 1, Platz 2" in text
    # 311 minus points, three games at 20 each, one Handrommé at 50
    assert "<strong>201</strong>" in text
    assert "Rang 1" in text


def test_the_calendar_contains_own_seats(seated):
    tournament, players = seated
    url = f"{player_path(players[1])}kalender.ics"

    answer = Client().get(url)

    (event,) = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
    assert str(event["description"]).startswith("Serie 1: Tisch 1, Platz 2\n")
    public = Client().get(reverse("public:calendar", args=[tournament.slug]))
    (of_everybody,) = icalendar.Calendar.from_ical(public.content).walk("VEVENT")
    assert event["uid"] == of_everybody["uid"]
    assert player_path(players[1]) not in answer.content.decode()
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert url in open_page(players[1]).content.decode()
    assert Client().get("/s/falsch/kalender.ics").status_code == 404


def test_the_page_names_the_start_of_the_next_own_serie():
    schedule = [
        {"day": 0, "time": "14:00", "serie": 1},
        {"day": 1, "time": "10:00", "serie": 2},
    ]
    tournament, players = at_table(serien=2, schedule=schedule)
    tournament.serien.filter(number=1).update(closed_at=timezone.now())  # begun by no button
    Registration.objects.filter(pk=players[2].pk).update(plays_on="1")

    both, first = (open_page(players[seat]).content.decode() for seat in (1, 2))

    assert "Nächste Serie laut Zeitplan: " in both
    assert "10:00\N{NO-BREAK SPACE}Uhr" in both
    assert "laut Zeitplan" not in first


def test_the_course_of_points_is_drawn_with_a_text(seated):
    _tournament, players = seated

    text = open_page(players[1]).content.decode()

    assert "Verlauf der Punkte" in text
    assert "<svg" in text


def test_the_page_shows_the_best_game_and_the_rank_after_each_serie(seated):
    tournament, players = seated
    before = open_page(players[1]).content.decode()
    more = make_seated_serie(tournament, [players], number=2)
    write_games(list_of(more), status=Status.VERIFIED)
    clear()

    text = open_page(players[1]).content.decode()

    assert "Bestes Spiel: Serie 1, Spiel" in before
    assert "Rang nach jeder Serie" not in before
    assert "Nr. 2: Rang 1, 1" in text
    assert f"{reverse('results_public:statistics', args=[tournament.slug])}?zeige=2#bump" in text


def test_other_players_are_named_by_consent_only(seated):
    _tournament, players = seated

    text = open_page(players[1]).content.decode()

    assert "Kühn1" not in text
    assert "A. K." in text


def test_the_own_page_is_not_indexed(seated):
    _tournament, players = seated

    response = open_page(players[0])

    assert response["X-Robots-Tag"] == "noindex, nofollow"
    assert "no-store" in response["Cache-Control"]


def test_the_page_shows_the_current_sign_and_the_next_with_times(seated):
    tournament, players = seated
    serie = tournament.serien.get(number=1)
    serie.started_at, serie.time_limit_minutes = timezone.now(), 60
    serie.save()
    list_of(serie).games.all().delete()
    Spielliste.objects.update(status=Status.OPEN)

    response = open_page(players[0])
    words.say(COMMAND, tournament.pk, words="Kuchen im Foyer")
    later = open_page(players[0], since=response.context["revision"])

    assert "<noscript>" in response.content.decode()
    assert "Serie 1 hat begonnen" in response.content.decode()
    kinds = [sign["kind"] for sign in response.context["signs"]["signs"]]
    assert kinds == ["start", "last", "over"]
    assert later.context["signs"]["signs"][-1]["title"] == "Kuchen im Foyer"


def test_the_rank_is_hidden_with_the_ranking():
    _tournament, players = at_table(public_ranking=Tournament.PublicRanking.FINAL)

    response = open_page(players[1])

    assert response.context["rank"] is None
    assert "nach der Siegerehrung" in response.content.decode()
    # § 2.2.3: the own list is never kept back
    assert "<strong>201</strong>" in response.content.decode()


def test_games_before_a_move_are_on_the_page(seated):
    tournament, players = seated
    moved = make_registration(tournament, make_person("Emil", "Ott"))
    SeatSpan.objects.create(
        spielliste=list_of(tournament.serien.get(number=1)),
        seat=1,
        last_game=2,
        registration=moved,
    )

    (own,) = played_lists(Rankings(tournament), moved)

    assert [cell.is_own for cell in own.games[0].cells] == [True, False, False, False]
    assert not any(cell.is_own for cell in own.games[2].cells)
    # 0 + 31 − 20 = 11 in two games, × 12 ÷ 2
    assert own.mine.total == 66
    assert own.own_seat == 0
    assert players[0].pk != moved.pk


def test_an_unclear_line_explains_its_count():
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    serie = make_seated_serie(tournament)
    write_games(
        list_of(serie), [{"finisher": 2, "handromme": False, "minus": [[17, 71], 0, 30, 12]}]
    )
    registration = serie.seats.get(number=1).registration
    player_access.store_tokens(tournament)

    text = open_page(registration).content.decode()

    assert "17 oder 71" in text
    assert ">71<" in text


def test_queries_of_the_own_page_do_not_grow_with_games(django_assert_num_queries, seated):
    tournament, players = seated
    open_page(players[0])

    with django_assert_num_queries(3):  # the page it opens, whether there are notices or cases
        open_page(players[0])
    clear()
    with django_assert_num_queries(15) as few:
        open_page(players[0])
    more = make_seated_serie(tournament, [players], number=2)
    write_games(list_of(more), FOUR)
    clear()
    with django_assert_num_queries(len(few.captured_queries)):
        open_page(players[0])


def test_the_page_names_missing_steps_before_the_draw():
    tournament = make_tournament()
    registration = make_registration(tournament, status=Registration.Status.REGISTERED)
    player_access.store_tokens(tournament)

    text = open_page(registration).content.decode()

    assert "Noch nicht ausgelost" in text
    assert "Gesetzt wird, wer das Startgeld bezahlt hat" in text


# --- Corrections ------------------------------------------------------------------------


def correct(tournament: Tournament) -> None:
    """Correct a line to the disadvantage of seat 1."""
    spielliste = list_of(tournament.serien.get(number=1))
    corrections.correct_line(
        acting(tournament),
        spielliste.pk,
        game=4,
        line={**FOUR[3], "minus": [24, 52, 33, 0]},
        reason="Ein König fehlte.",
        paragraph="2.2.5",
        version=spielliste.version,
    )


def corrected():
    """Return a table with a corrected list, and the player at seat 1."""
    tournament, players = at_table()
    correct(tournament)
    return tournament, players[0]


with_correction = world(corrected)


def answer(registration, notice, **data):
    url = f"{player_path(registration)}mitteilung/{notice.pk}/"
    return Client().post(url, data)


def test_opening_the_page_communicates_notices(with_correction):
    _tournament, player = with_correction

    text = open_page(player).content.decode()

    notice = Notice.objects.get(registration=player)
    assert notice.told_how == Notice.Way.PAGE
    assert "Spiel 4 wurde berichtigt" in text
    assert "Ein König fehlte. (<a " in text
    assert "vorher 210, jetzt 220" in text


def test_a_notice_names_no_hidden_rank(with_correction):
    tournament, player = with_correction
    public = open_page(player).content.decode()

    Tournament.objects.filter(pk=tournament.pk).update(
        public_ranking=Tournament.PublicRanking.HIDDEN_LAST
    )
    kept_back = open_page(player).content.decode()

    assert "In der Rangliste nach Serie 1:" in public
    assert "In der Rangliste nach" not in kept_back
    assert "vorher 210, jetzt 220" in kept_back


def test_a_player_acknowledges_a_notice(with_correction):
    _tournament, player = with_correction
    notice = Notice.objects.get(registration=player)

    response = answer(player, notice, antwort="ok")

    notice.refresh_from_db()
    assert response.status_code == 302
    assert notice.response == Notice.Response.ACKNOWLEDGED


def test_an_objection_needs_a_text_and_becomes_a_case(with_correction):
    _tournament, player = with_correction
    notice = Notice.objects.get(registration=player)

    empty = answer(player, notice, antwort="einspruch", text=" ")
    answer(player, notice, antwort="einspruch", text="Der König lag schon aus.")

    notice.refresh_from_db()
    assert empty.status_code == 409
    assert "was an der Berichtigung nicht stimmt" in empty.content.decode()
    assert notice.case is not None
    assert notice.case.text == "Der König lag schon aus."
    assert "Einspruch liegt der Spielleitung vor" in open_page(player).content.decode()


def test_a_player_answers_own_notices_only(with_correction):
    tournament, player = with_correction
    other = tournament.registrations.get(number=2)

    response = answer(other, Notice.objects.get(registration=player), antwort="ok")

    assert response.status_code == 404


# --- Pages that ask -------------------------------------------------------------------------


def asked(client, path):
    """Return the answer to a poll of an outdated page."""
    return client.get(path, {"since": "old"}, headers={"HX-Request": "true", "Host": "localhost"})


def test_an_informed_player_is_asked_for_an_answer(client, seated):
    tournament, players = seated
    told, other = map(player_path, (players[0], make_registration(tournament)))
    player_access.store_tokens(tournament)
    form = b"csrfmiddlewaretoken"
    for _twice in range(2):
        assert form not in asked(client, told).content

    correct(tournament)

    assert form not in asked(client, other).content
    assert "csrftoken" not in client.cookies
    assert form in asked(client, told).content
    assert "csrftoken" in client.cookies


def test_the_cached_own_page_needs_its_token(client, seated):
    _tournament, players = seated
    path = player_path(players[0])
    for _twice in range(2):
        assert asked(client, path).status_code == 200

    assert asked(client, path[:-3] + "xx/").status_code == 404
    substitute(COMMAND, players[0].pk, person_id=make_person("Gerd", "Neu").pk, reason="erkrankt")
    assert asked(client, path).status_code == 404
    new = Registration.objects.get(pk=players[0].pk)
    player_access.store_tokens(new.tournament)
    assert "Gerd Neu" in open_page(new).content.decode()


# --- The Startkarten --------------------------------------------------------------------


def cards_page(tournament, **data):
    client = Client()
    client.force_login(make_member(tournament, Role.KASSE))
    return client.get(reverse("draw:cards", args=[tournament.slug]), data)


def test_paid_players_have_a_card_with_seats_and_results(seated):
    tournament, _players = seated
    make_registration(tournament, number=None, status=Registration.Status.REGISTERED)

    response = cards_page(tournament)

    cards = response.context["cards"]
    assert [card["registration"].number for card in cards] == [1, 2, 3, 4]
    first, second, *_later = cards[1]["cells"]
    assert first == (tournament.serien.get(number=1), 1, 2, 201)
    assert second == (tournament.serien.get(number=2), None, None, None)


def test_a_card_is_found_by_its_number(seated):
    tournament, _players = seated

    cards = cards_page(tournament, nr="3").context["cards"]
    missing = cards_page(tournament, nr="33").content.decode()

    assert [card["registration"].number for card in cards] == [3]
    assert "Startnummer „33“ hat keine Karte." in missing


def test_printing_cards_activates_own_pages():
    tournament = make_tournament()
    registration = make_registration(tournament)
    before = Client().get(player_path(registration)).status_code

    cards_page(tournament)

    assert before == 404
    assert Client().get(player_path(registration)).status_code == 200
