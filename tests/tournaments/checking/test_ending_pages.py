"""Pages that end lists early: one table, all tables, and the reports of it."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import acting, make_member, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.checking.pages import shown_in
from tests.tournaments.printing.helpers import words
from tests.worlds import world
from tournaments.announcement.services import edit
from tournaments.announcement.services.sections import fingerprint
from tournaments.common.access_keys import player_path
from tournaments.common.errors import WrongStatus
from tournaments.corrections.services import corrections
from tournaments.models import Correction, Role, Spielliste, Tournament
from tournaments.models.tournament import Section
from tournaments.results.services import player_access

pytestmark = pytest.mark.django_db
SAID = "Beendet nach Spiel 8 von 12: Zeit abgelaufen"


def playing(*games: int, **fields) -> Tournament:
    """A tournament with a table for each number of *games* that were played."""
    tournament = make_tournament(**fields)
    serie = make_seated_serie(tournament, tables=len(games))
    for table, number in enumerate(games, start=1):
        write_games(list_of(serie, table), FOUR[:number])
    return tournament


def ended(**fields) -> Tournament:
    tournament = playing(8, **fields)
    corrections.correct_list(
        acting(tournament),
        Spielliste.objects.get().pk,
        kind=Correction.Kind.ENDED,
        facts={"ended": {"games": 8, "left": [2]}},
        reason="Zeit abgelaufen",
    )
    return tournament


def leading(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return client


def text_of(page: bytes) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.decode()))


tournament = world(lambda: playing(8))


@pytest.mark.parametrize("page", ["hall:table", "checking:list"])
def test_one_click_and_one_key_end_the_list_of_a_table(
    client: Client, page: str, tournament: Tournament
):
    leading(client, tournament)
    url = reverse("checking:end", args=[tournament.slug, 1, 1])
    offered = client.get(reverse(page, args=[tournament.slug, 1, 1])).content.decode()
    assert f'href="{url}"' in offered
    assert "Liste beenden bei Spiel 8 …" in text_of(offered.encode())

    seen = client.get(url).content.decode()
    shown = shown_in(seen)
    assert "nach Spiel 8, hochgerechnet" in seen
    client.post(url, {"version": 8, "why": "time", "shown": shown})

    spielliste = Spielliste.objects.get()
    assert (spielliste.ended_games, spielliste.ended_reason) == (8, "Zeit abgelaufen")
    assert spielliste.status == Spielliste.Status.COMPLETE


def test_games_at_other_tables_do_not_prevent_the_end(client: Client):
    tournament = playing(8, 11)
    make_seated_serie(tournament, number=2)
    leading(client, tournament)
    url = reverse("checking:end", args=[tournament.slug, 1, 1])
    shown = shown_in(client.get(url).content.decode())
    other = list_of(tournament.serien.get(number=1), 2)
    other.games.all().delete()
    write_games(other, status=Spielliste.Status.SIGNED)

    answer = client.post(url, {"version": 8, "why": "time", "shown": shown})

    assert answer.status_code == 302
    # With the last other table complete, the list counts × 12 ÷ 8: 93 × 12 ÷ 8 = 139.5.
    assert Correction.objects.get().effects["persons"][0]["points"] == [93, 140]


def test_a_game_entered_meanwhile_shows_the_effect_again(client: Client):
    tournament = playing(8, 3)
    leading(client, tournament)
    url = reverse("checking:end", args=[tournament.slug, 1, 1])
    shown = shown_in(client.get(url).content.decode())
    spielliste = list_of(tournament.serien.get(number=1), 1)
    spielliste.games.all().delete()
    write_games(spielliste, FOUR[:9])

    answer = client.post(url, {"version": 8, "why": "time", "shown": shown})

    assert answer.status_code == 409
    assert not Correction.objects.exists()


def test_leavers_are_ticked_and_named_in_the_reason(client: Client):
    tournament = playing(5)
    leading(client, tournament)
    url = reverse("checking:end", args=[tournament.slug, 1, 1])
    typed = {"version": 5, "why": "left"}

    refused = client.post(url, typed)
    looked = client.post(url, {**typed, "left": "2", "preview": "1"}).content.decode()
    shown = shown_in(looked)
    client.post(url, {**typed, "left": "2", "shown": shown})

    assert "Bitte ankreuzen, wer gegangen ist." in refused.content.decode()
    assert "gegangen, ohne Ergebnis" in looked
    spielliste = Spielliste.objects.get()
    number = spielliste.table.seats.get(number=2).registration.number
    assert spielliste.ended_left == [2]
    assert spielliste.ended_reason == f"Nr. {number} gegangen"


def test_a_tick_before_the_effect_is_shown_asks_for_confirmation(
    client: Client,
):
    tournament = playing(5)
    leading(client, tournament)
    url = reverse("checking:end", args=[tournament.slug, 1, 1])
    typed = {"version": 5, "why": "left", "left": "2"}
    of_all = shown_in(client.get(url).content.decode())

    asked = client.post(url, {**typed, "shown": of_all})
    stored = client.post(url, {**typed, "shown": shown_in(asked.content.decode())})

    said = text_of(asked.content)
    assert asked.status_code == 200
    assert "Noch nicht gespeichert." in said
    assert "gegangen, ohne Ergebnis" in said
    assert "inzwischen" not in said
    assert stored.status_code == 302
    assert Spielliste.objects.get().ended_left == [2]


def test_an_other_reason_needs_a_text(client: Client):
    tournament = playing(5)
    leading(client, tournament)

    refused = client.post(
        reverse("checking:end", args=[tournament.slug, 1, 1]), {"version": 5, "why": "other"}
    )

    assert refused.status_code == 422
    assert "Bitte den Grund in Worten angeben." in refused.content.decode()


def test_a_whole_hall_ends_by_one_confirmation_that_names_its_tables(client: Client):
    tournament = playing(12, 8, 0, 6)
    whole = list_of(tournament.serien.get(number=1), 1)
    Spielliste.objects.filter(pk=whole.pk).update(status="complete")
    paper_list = list_of(tournament.serien.get(number=1), 4)
    Spielliste.objects.filter(pk=paper_list.pk).update(on_paper=True)
    leading(client, tournament)
    url = reverse("checking:end_all", args=[tournament.slug, 1])

    asked = text_of(client.get(url).content)
    answer = client.post(
        url, {"table_2": "on", "table_4": "on", "games_4": "9", "reason": "Zeit abgelaufen"}
    )

    assert "Tisch 2 nach 8 Spielen" in asked
    assert "deshalb nicht dabei: Tisch 3" in asked
    assert "Tisch 1" not in asked
    assert answer.status_code == 302
    lists = Spielliste.objects.order_by("table__number")
    assert [(spielliste.ended_games, spielliste.status) for spielliste in lists] == [
        (None, "complete"),
        (8, "complete"),
        (None, "open"),
        (9, "open"),  # three games of the paper are still to be entered
    ]


def test_ending_all_lists_needs_a_choice_and_a_number(client: Client, tournament: Tournament):
    Spielliste.objects.update(on_paper=True)
    leading(client, tournament)
    url = reverse("checking:end_all", args=[tournament.slug, 1])

    nothing = client.post(url, {"reason": "Zeit"})
    no_number = client.post(url, {"reason": "Zeit", "table_1": "on", "games_1": ""})

    assert "mindestens einen Tisch" in nothing.content.decode()
    assert "wie viele Spiele auf dem Papier" in no_number.content.decode()
    assert not Spielliste.objects.get().is_ended


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("hall:table", (1, 1)),
        ("hall:grid", (1, 1)),
        ("checking:list", (1, 1)),
    ],
)
def test_pages_of_the_list_name_time_and_reason_of_its_end(client: Client, name: str, args: tuple):
    tournament = ended()
    leading(client, tournament)

    page = text_of(client.get(reverse(name, args=[tournament.slug, *args])).content)

    assert SAID in page
    assert "Gezählt wird hochgerechnet auf 12 Spiele, aufgerundet." in page
    assert "Platz 2 ist gegangen und hat hier kein Ergebnis." in page


def test_checking_explains_the_result_of_an_ended_list(client: Client):
    tournament = ended()
    leading(client, tournament)

    page = text_of(client.get(reverse("checking:list", args=[tournament.slug, 1, 1])).content)

    # (93, 119, 191, 246) × 4 ÷ 8 = 46.5, 59.5, 95.5, 123, rounded up.
    assert "H (A − C − E) × 4 ÷ 8 47 60 96 123" in page
    assert "Ergebnis 140 – 287 369" in page
    assert "Platz am Tisch 1. – 2. 3." in page
    assert "Ergebnis = A + F − C − E + H. Beendete Spiele zusammen: 8 von 8." in page


def test_own_pages_of_leavers_and_others_explain_the_end(client: Client):
    player_access.store_tokens(ended())
    seats = Spielliste.objects.get().table.seats
    stayed = client.get(player_path(seats.get(number=1).registration)).content
    left = client.get(player_path(seats.get(number=2).registration)).content

    assert SAID in text_of(stayed)
    assert "hochgerechnet 47 Ergebnis 140" in text_of(stayed)
    assert re.search(r"Ergebnis – ", text_of(left))


def test_the_printed_list_explains_its_end_without_empty_games():
    page = words(ended(), "spiellisten-gespielt", serie=1)

    assert SAID in page
    assert "Noch nicht zu Ende" not in page
    assert "Ergebnis 140 – 287 369" in page
    assert "A + F − C − E + H" in page


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ("extrapolated", "wird ihr Ergebnis auf 12 Spiele hochgerechnet und aufgerundet."),
        ("as_played", "Endet eine Liste vorzeitig, zählt sie wie gespielt."),
        ("none", "Endet eine Liste vorzeitig, bringt sie kein Ergebnis."),
    ],
)
def test_the_ausschreibung_describes_ended_lists_on_page_and_paper(
    client: Client, counts, sentence
):
    tournament = make_tournament(ended_lists=counts)

    for name in ("public:tournament", "public:rules"):
        page = client.get(reverse(name, args=[tournament.slug])).content
        assert sentence in text_of(page)
    assert sentence in words(tournament, "ausschreibung")


def test_the_rule_for_ended_lists_is_fixed_when_the_tournament_runs():
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    actor = acting(tournament)
    seen = fingerprint(tournament, Section.PROCEDURE)

    with pytest.raises(WrongStatus, match="steht fest: hochgerechnet"):
        edit.change_fields(
            actor,
            tournament.pk,
            seen=seen,
            section=Section.PROCEDURE,
            values={"ended_lists": "as_played"},
            reason="anders",
        )
