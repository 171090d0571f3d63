"""The tables of a Serie: their order and their updates."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.factories import COMMAND, make_member, make_tournament
from tests.factories_lists import FOUR, list_of, write_games
from tests.tournaments.hall.helpers import played, running
from tests.tournaments.hall.pages import limited, log_in, text, url
from tournaments.common.actors import Actor
from tournaments.models import Case, Correction, Role, Serie, Spielliste, TableDevice, Tournament
from tournaments.table.services import calls
from tournaments.web.steps import steps

pytestmark = pytest.mark.django_db
Status = Spielliste.Status
MOST_QUERIES = 45  # those of the frame around every page among them


def test_the_entry_page_opens_the_running_serie(client: Client):
    serie = running()
    log_in(client, serie.tournament)

    for name, target in (("current", "room"), ("hand_in_current", "hand_in")):
        address = reverse(f"hall:{name}", args=[serie.tournament.slug])
        assert client.get(address)["Location"] == url(serie, target)


def test_the_page_names_the_next_step_before_the_first_draw(client: Client):
    tournament = make_tournament()
    log_in(client, tournament)

    for name in ("current", "hand_in_current"):
        page = client.get(reverse(f"hall:{name}", args=[tournament.slug]))
        assert "Noch keine Sitzordnung" in text(page)


def test_when_all_serien_are_closed_the_last_one_is_shown(client: Client):
    serie = running()
    Serie.objects.filter(pk=serie.pk).update(closed_at=timezone.now())
    log_in(client, serie.tournament)

    way_in = client.get(reverse("hall:current", args=[serie.tournament.slug]))

    assert way_in["Location"] == url(serie, "room")
    assert "abgeschlossen" in text(client.get(way_in["Location"]))


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("hall:room", [1]),
        ("hall:hand_in", [1]),
        ("hall:table", [1, 1]),
        ("setup:tournament", []),
        ("results:ranking", []),
    ],
)
def test_pages_cost_as_many_queries_for_many_tables_as_for_one(
    client: Client, name: str, keys: list[int]
):
    assert connection.features.supports_json_field  # Django asks each database once
    counts = []
    for serie in (running(), running(tables=9)):
        for table in serie.tables.all():
            played(serie, table.number)
            calls.call(COMMAND, table.pk, kind="dispute")
        log_in(client, serie.tournament)
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse(name, args=[serie.tournament.slug, *keys]), {"tisch": "1"})
        counts.append(len(queries))

    assert counts[0] == counts[1] <= MOST_QUERIES


def test_tables_are_refreshed_by_news_and_each_minute(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    serie = running()
    log_in(client, serie.tournament)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    stamp = client.get(url(serie, "room")).context["stamp"]

    calls.call(COMMAND, serie.tables.get().pk, kind="counting")
    called = client.get(f"{url(serie, 'since')}?since={stamp}", headers={"HX-Request": "true"})
    assert "Nachzählen" in text(called)
    assert "<html" not in text(called)

    stamp = called.context["stamp"]
    now += timedelta(minutes=1)
    assert client.get(f"{url(serie, 'since')}?since={stamp}").status_code == 200


def test_a_serie_is_started_and_the_start_undone(client: Client):
    serie = running(tables=2)
    log_in(client, serie.tournament)

    client.post(url(serie, "start"))
    assert Serie.objects.get(pk=serie.pk).started_at is not None
    again = client.post(url(serie, "start"))
    assert again.status_code == 409
    assert "hat schon begonnen" in text(again)

    client.post(url(serie, "take_back_start"))
    assert Serie.objects.get(pk=serie.pk).started_at is None


def test_extra_time_is_given_to_all_or_one_table(client: Client):
    serie = limited(tables=2)
    log_in(client, serie.tournament)

    for sent in ({"minutes": "10"}, {"minutes": "5", "table": "2"}):
        assert client.post(url(serie, "extra_time"), sent)["Location"] == url(serie, "room")

    extra = Spielliste.objects.order_by("table__number").values_list("extra_minutes", flat=True)
    assert list(extra) == [10, 15]
    back = client.post(url(serie, "extra_time"), {"minutes": "5", "table": "2", "from_table": "1"})
    assert back["Location"] == url(serie, "table", table=2)


def test_the_step_lists_is_done_when_all_lists_are_handed_in():
    serie = running(tables=2, serien=1)
    played(serie, 1, status=Status.VERIFIED)
    played(serie, 2, status=Status.SIGNED)

    def state() -> str:
        return steps(serie.tournament, {Role.SPIELLEITUNG}, "draw")[3].state

    assert state() == "now"
    Spielliste.objects.filter(table__number=2).update(
        status=Status.HANDED_IN, handed_in_at=timezone.now()
    )
    assert state() == "done"


@pytest.mark.parametrize(
    ("role", "end"),
    [(Role.SCHIEDSRICHTER, "/spiellisten/"), (Role.KASSE, "/spiellisten/abgabe/")],
)
def test_the_step_links_each_role_to_its_page(role: Role, end: str):
    assert steps(running().tournament, {role}, "draw")[3].url.endswith(end)


def attention(client: Client, serie: Serie) -> list[tuple[int, str]]:
    room = client.get(url(serie, "room")).context["room"]
    return [(attention.table, attention.title) for attention in room.attention]


def lie_still(serie: Serie, *tables: int) -> None:
    for number in tables:
        write_games(list_of(serie, number), FOUR[:3])
    since = timezone.now() - timedelta(minutes=21)
    Spielliste.objects.filter(table__number__in=tables).update(last_entry_at=since)


def test_tasks_are_sorted_by_urgency(client: Client):
    serie = limited(tables=9)
    log_in(client, serie.tournament)
    now = timezone.now()
    referee = make_member(serie.tournament, Role.SCHIEDSRICHTER)
    tables = {table.number: table for table in serie.tables.all()}
    lists = {number: list_of(serie, number) for number in tables}
    # Table 1 plays. 2 is done playing, 3 called and is being helped, 4 lies still, 5 called,
    # 6 is out of time, 7 asks for a correction, 8 waits for a second person, 9 is through.
    write_games(lists[1], FOUR[:3])
    played(serie, 2)
    taken = calls.call(COMMAND, tables[3].pk, kind="other")
    calls.take(Actor.account(referee), taken.pk)
    write_games(lists[4], FOUR[:3])
    Spielliste.objects.filter(pk=lists[4].pk).update(last_entry_at=now - timedelta(minutes=21))
    calls.call(COMMAND, tables[5].pk, kind="dispute")
    played(serie, 7, status=Status.VERIFIED)
    Case.objects.create(
        tournament=serie.tournament, spielliste=lists[7], kind="correction", game=4, text="33"
    )
    Correction.objects.create(
        tournament=serie.tournament, number=1, spielliste=lists[8], kind="line",
        status="proposed", reason="verrechnet",
    )  # fmt: skip
    played(serie, 9, status=Status.INVALID)
    serie.started_at = now - timedelta(minutes=95)
    serie.save()
    playing = [pk for number, spielliste in lists.items() if number != 6 for pk in [spielliste.pk]]
    Spielliste.objects.filter(pk__in=playing).update(extra_minutes=30)

    assert attention(client, serie) == [
        (5, "Schiedsrichter gerufen"),
        (7, "Bitte um Berichtigung"),
        (6, "Zeit abgelaufen"),
        (8, "Vorschlag wartet auf die Entscheidung"),
        (3, f"Übernommen von {referee}"),
        (2, "Liste vollständig"),
        (4, "Lange kein Eintrag"),
    ]
    cards = client.get(url(serie, "room")).context["room"].cards
    assert [card.tone.value for card in cards] == [
        "", "amber", "amber", "amber", "red", "red", "red", "amber", "felt",
    ]  # fmt: skip


def test_equal_tasks_of_many_tables_share_one_row(client: Client):
    serie = limited(tables=9)
    log_in(client, serie.tournament)
    lie_still(serie, 4, 6, 7, 8)
    for number in (1, 2):
        played(serie, number)
    calls.call(COMMAND, serie.tables.get(number=8).pk, kind="dispute")

    page = client.get(url(serie, "room"))

    room = page.context["room"]
    assert [
        (attention.table, attention.tables, attention.title) for attention in room.attention
    ] == [
        (8, (), "Schiedsrichter gerufen"),
        (1, (1, 2), "zur Abgabe"),
        (4, (4, 6, 7), "ohne Eintrag seit 20 min"),
    ]
    # The silent table with a call is listed with its call only.
    assert room.attention[0].details == ("Streitfall", "auch: Lange kein Eintrag")
    assert text(page).count(f'href="{url(serie, "table", table=6)}"') == 2  # the row, its card


def test_time_over_for_all_tables_is_one_row(client: Client):
    serie = limited(tables=6)
    log_in(client, serie.tournament)
    Serie.objects.update(started_at=timezone.now() - timedelta(hours=9))

    room = client.get(url(serie, "room")).context["room"]

    assert [attention.tables for attention in room.attention] == [(1, 2, 3, 4, 5, 6)]
    assert room.alarms == 6


def test_three_tasks_are_shown_and_the_rest_collapsed(client: Client):
    serie = running(tables=10)
    log_in(client, serie.tournament)
    for table in serie.tables.all():
        calls.call(COMMAND, table.pk, kind="dispute")
        played(serie, table.number)

    page = client.get(url(serie, "room"))

    room = page.context["room"]
    assert [attention.table for attention in room.first] == [1, 2, 3]
    assert (room.alarms, room.further_alarms) == (10, 7)
    assert "7 dringend" in text(page)


def test_table_cards_describe_their_state(client: Client):
    serie = running(tables=5)
    log_in(client, serie.tournament)
    now = timezone.now()
    write_games(list_of(serie, 1), FOUR[:2])
    TableDevice.objects.create(
        table=list_of(serie, 1).table, token_hash="a", is_keeper=True,
        last_seen_at=now - timedelta(minutes=4),
    )  # fmt: skip
    TableDevice.objects.create(table=list_of(serie, 2).table, token_hash="b", last_seen_at=now)
    Spielliste.objects.filter(table__number=3).update(on_paper=True)
    played(serie, 4, on_paper=False)

    cards = client.get(url(serie, "room")).context["room"].cards

    assert [card.state for card in cards] == [
        "",
        "Gerät bereit",
        "auf Papier",
        "vollständig, 0 von 4 unterschrieben",
        "noch kein Gerät",
    ]
    assert [card.is_away for card in cards] == [True, False, False, False, False]


def test_a_probelauf_is_played_at_once(client: Client):
    serie = running()
    later = timezone.now() + timedelta(hours=2)
    Tournament.objects.update(starts_at=later, is_trial_run=True)
    log_in(client, serie.tournament)

    client.post(url(serie, "start"))

    assert Serie.objects.get(pk=serie.pk).started_at is not None


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        pytest.param(0.9, "", id="nearly in time"),
        pytest.param(2, "Serie 1 ist erst für", id="two hours too early"),
        pytest.param(50, "Serie 1 ist erst für", id="on another day"),
    ],
)
def test_starting_a_serie_early_needs_a_confirmation(client: Client, hours: float, said: str):
    serie = running()
    Tournament.objects.update(starts_at=timezone.now() + timedelta(hours=hours))
    log_in(client, serie.tournament)

    page = text(client.get(url(serie, "room")))
    first = client.post(url(serie, "start"))
    has_begun = Serie.objects.get(pk=serie.pk).started_at is not None

    assert has_begun == (not said)
    if said:
        assert (said in page, said in text(first)) == (True, True)
        client.post(url(serie, "start"), {"agreed": "1"})
    assert Serie.objects.get(pk=serie.pk).started_at is not None
