"""Pages of the control room: who gets in, what they show, what they refuse."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.factories import COMMAND, make_member, make_tournament
from tests.factories_lists import FOUR, list_of, write_games
from tests.tournaments.access_matrix import DESK, Row, check
from tests.tournaments.control.helpers import DUE_TOTAL, SOUND, people, played, running
from tournaments.access_keys import table_code, table_path
from tournaments.models import (
    Call,
    Case,
    Correction,
    JournalEntry,
    Receipt,
    Role,
    Serie,
    Spielliste,
    TableAccess,
    TableDevice,
    Tournament,
)
from tournaments.services import calls
from tournaments.steps import steps

pytestmark = pytest.mark.django_db
Status = Spielliste.Status
LEADING = (Role.SPIELLEITUNG,)
HALL = (Role.SPIELLEITUNG, Role.SCHIEDSRICHTER)
ALL = (Role.SPIELLEITUNG, Role.SCHIEDSRICHTER, Role.KASSE)
MOST_QUERIES = 40  # those of the frame around every page among them
AT_TABLE = {"number": 1, "table": 1}


@pytest.mark.parametrize(
    "row",
    [
        Row("control:current", HALL),
        Row("control:hand_in_current", ALL),
        Row("control:room", HALL, kwargs={"number": 1}),
        Row("control:since", HALL, kwargs={"number": 1}),
        Row("control:start", LEADING, "post", {"number": 1}),
        Row("control:take_back_start", LEADING, "post", {"number": 1}),
        Row("control:extra_time", LEADING, "post", {"number": 1}),
        Row("control:cards", LEADING, kwargs={"number": 1}),
        Row("control:hand_in", ALL, kwargs={"number": 1}),
        Row("control:hand_in_since", ALL, kwargs={"number": 1}),
        Row("control:hand_in_act", DESK, "post", AT_TABLE),
        Row("control:table", HALL, kwargs=AT_TABLE),
        Row("control:table_since", HALL, kwargs=AT_TABLE),
        Row("control:access", LEADING, kwargs=AT_TABLE),
        Row("control:withdraw_access", LEADING, "post", AT_TABLE),
        Row("control:allow_take_over", LEADING, "post", AT_TABLE),
        Row("control:on_paper", HALL, "post", AT_TABLE),
        Row("control:grid", HALL, kwargs=AT_TABLE),
        Row("control:grid", HALL, "post", AT_TABLE),
    ],
    ids=lambda row: f"{row.method} {row.name}",
)
def test_pages_open_to_their_roles_only(row: Row):
    check(row, running().tournament)


@pytest.mark.parametrize("name", ["control:take_call", "control:finish_call"])
def test_calls_are_taken_by_who_walks_the_hall(name: str):
    serie = running()
    call = calls.call(table_id=serie.tables.get().pk, kind="dispute", actor=COMMAND)
    check(Row(name, HALL, "post"), serie.tournament, pk=call.pk)


def log_in(client: Client, tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> Any:
    user = make_member(tournament, role)
    client.force_login(user)
    return user


def url(serie: Serie, name: str, **kwargs: Any) -> str:
    return reverse(
        f"control:{name}", kwargs={"slug": serie.tournament.slug, "number": serie.number, **kwargs}
    )


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


# --- The room -------------------------------------------------------------------------------


def test_the_way_in_leads_to_the_serie_that_is_played(client: Client):
    serie = running()
    log_in(client, serie.tournament)

    for name, target in (("current", "room"), ("hand_in_current", "hand_in")):
        address = reverse(f"control:{name}", args=[serie.tournament.slug])
        assert client.get(address)["Location"] == url(serie, target)


def test_before_the_first_draw_the_page_says_what_is_to_be_done(client: Client):
    tournament = make_tournament()
    log_in(client, tournament)

    for name in ("current", "hand_in_current"):
        page = client.get(reverse(f"control:{name}", args=[tournament.slug]))
        assert "Noch keine Sitzordnung" in text(page)


def test_when_all_serien_are_closed_the_last_one_is_shown(client: Client):
    serie = running()
    Serie.objects.filter(pk=serie.pk).update(closed_at=timezone.now())
    log_in(client, serie.tournament)

    way_in = client.get(reverse("control:current", args=[serie.tournament.slug]))

    assert way_in["Location"] == url(serie, "room")
    assert "abgeschlossen" in text(client.get(way_in["Location"]))


@pytest.mark.parametrize(
    ("name", "kwargs"),
    [("room", {}), ("hand_in", {}), ("table", {"table": 1})],
    ids=["room", "handing in", "one table"],
)
def test_pages_cost_as_many_queries_for_many_tables_as_for_one(
    client: Client, name: str, kwargs: dict[str, int]
):
    counts = []
    for serie in (running(), running(tables=9)):
        for table in serie.tables.all():
            played(serie, table.number)
            calls.call(table_id=table.pk, kind="dispute", actor=COMMAND)
        log_in(client, serie.tournament)
        with CaptureQueriesContext(connection) as queries:
            client.get(url(serie, name, **kwargs), {"tisch": "1"})
        counts.append(len(queries))

    assert counts[0] == counts[1] <= MOST_QUERIES


def test_nothing_new_is_an_empty_answer_that_costs_little(
    client: Client, django_assert_num_queries, monkeypatch: pytest.MonkeyPatch
):
    serie = running(tables=3)
    log_in(client, serie.tournament)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    for name, kwargs in (("room", {}), ("hand_in", {}), ("table", {"table": 1})):
        page = client.get(url(serie, name, **kwargs))
        since = {"room": "since", "hand_in": "hand_in_since", "table": "table_since"}[name]
        address = f"{url(serie, since, **kwargs)}?since={page.context['stamp']}"

        # Session, account, tournament and role.
        with django_assert_num_queries(4):
            assert client.get(address).status_code == 204


def test_something_new_or_the_next_minute_brings_the_tables_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    serie = running()
    log_in(client, serie.tournament)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    stamp = client.get(url(serie, "room")).context["stamp"]

    calls.call(table_id=serie.tables.get().pk, kind="counting", actor=COMMAND)
    called = client.get(f"{url(serie, 'since')}?since={stamp}", headers={"HX-Request": "true"})
    assert "Nachzählen" in text(called)
    assert "<html" not in text(called)

    stamp = called.context["stamp"]
    now += timedelta(minutes=1)
    assert client.get(f"{url(serie, 'since')}?since={stamp}").status_code == 200


def test_the_serie_begins_and_the_slip_is_undone(client: Client):
    serie = running(tables=2)
    log_in(client, serie.tournament)

    client.post(url(serie, "start"))
    assert Serie.objects.get(pk=serie.pk).started_at is not None
    again = client.post(url(serie, "start"))
    assert again.status_code == 409
    assert "hat schon begonnen" in text(again)

    client.post(url(serie, "take_back_start"))
    assert Serie.objects.get(pk=serie.pk).started_at is None


def limited(**kwargs: Any) -> Serie:
    serie = running(**kwargs)
    serie.started_at, serie.time_limit_minutes = timezone.now(), 90
    serie.save()
    return serie


def test_extra_time_comes_for_all_or_for_one_table(client: Client):
    serie = limited(tables=2)
    log_in(client, serie.tournament)

    for sent in ({"minutes": "10"}, {"minutes": "5", "table": "2"}):
        assert client.post(url(serie, "extra_time"), sent)["Location"] == url(serie, "room")

    extra = Spielliste.objects.order_by("table__number").values_list("extra_minutes", flat=True)
    assert list(extra) == [10, 15]
    back = client.post(url(serie, "extra_time"), {"minutes": "5", "table": "2", "from_table": "1"})
    assert back["Location"] == url(serie, "table", table=2)


@pytest.mark.parametrize(
    ("sent", "status"),
    [({"minutes": ""}, 422), ({"minutes": "999"}, 422), ({"minutes": "5", "table": "9"}, 409)],
)
def test_extra_time_that_makes_no_sense_is_refused(client: Client, sent, status):
    serie = limited()
    log_in(client, serie.tournament)

    assert client.post(url(serie, "extra_time"), sent).status_code == status


def test_a_call_is_taken_and_finished_with_one_click_each(client: Client):
    serie = running()
    call = calls.call(table_id=serie.tables.get().pk, kind="dispute", actor=COMMAND)
    user = log_in(client, serie.tournament, Role.SCHIEDSRICHTER)
    address = {
        name: reverse(f"control:{name}", args=[serie.tournament.slug, call.pk])
        for name in ("take_call", "finish_call")
    }

    taken = client.post(address["take_call"], headers={"HX-Request": "true"})
    assert f"Übernommen von {user}" in text(taken)
    client.post(address["finish_call"], {"note": "Blatt gezählt"})

    done = Call.objects.get()
    assert (done.taken_by, done.note) == (user, "Blatt gezählt")
    late = client.post(address["take_call"])
    assert late.status_code == 409
    assert "schon erledigt" in text(late)


def test_lists_are_done_when_all_of_every_serie_are_handed_in():
    serie = running(tables=2, serien=1)
    played(serie, 1, status=Status.VERIFIED)
    played(serie, 2, status=Status.SIGNED)

    def state() -> str:
        return steps(serie.tournament, {Role.SPIELLEITUNG}, "draw")[3].state

    assert state() == "open"
    Spielliste.objects.filter(table__number=2).update(
        status=Status.HANDED_IN, handed_in_at=timezone.now()
    )
    assert state() == "done"


@pytest.mark.parametrize(
    ("role", "end"),
    [(Role.SCHIEDSRICHTER, "/spiellisten/"), (Role.KASSE, "/spiellisten/abgabe/")],
)
def test_the_step_leads_each_role_to_its_page(role: Role, end: str):
    assert steps(running().tournament, {role}, "draw")[3].url.endswith(end)


# --- One table ------------------------------------------------------------------------------


def test_a_table_shows_its_list_with_rings_readings_and_what_is_odd(client: Client):
    serie = running()
    unclear = {"finisher": 1, "handromme": False, "minus": [0, [17, 71], 45, 12]}
    write_games(list_of(serie), [*FOUR[:6], unclear])
    log_in(client, serie.tournament)

    page = text(client.get(url(serie, "table", table=1)))

    assert '<span class="finisher">0</span><span class="hand-mark">H</span>' in page
    assert "17/71" in page
    assert "58 ist nach einem Handrommé ungewöhnlich wenig" in page
    assert "Nicht eindeutig" in page


def test_pages_of_tables_that_do_not_exist_are_not_found(client: Client):
    serie = running()
    log_in(client, serie.tournament)

    for name in ("table", "grid", "access"):
        assert client.get(url(serie, name, table=7)).status_code == 404
    TableAccess.objects.all().delete()
    assert client.get(url(serie, "access", table=1)).status_code == 404


def test_a_list_goes_to_paper_and_back(client: Client):
    serie = running()
    log_in(client, serie.tournament, Role.SCHIEDSRICHTER)

    client.post(url(serie, "on_paper", table=1), {"on_paper": "1"})
    assert Spielliste.objects.get().on_paper
    client.post(url(serie, "on_paper", table=1), {"on_paper": "0"})
    assert not Spielliste.objects.get().on_paper

    played(serie, status=Status.SIGNED)
    assert client.post(url(serie, "on_paper", table=1), {"on_paper": "0"}).status_code == 409


def test_another_device_may_take_over_when_control_says_so(client: Client):
    serie = running()
    log_in(client, serie.tournament)
    TableDevice.objects.create(
        table=serie.tables.get(), token_hash="a", is_keeper=True, last_seen_at=timezone.now()
    )

    client.post(url(serie, "allow_take_over", table=1))
    assert not TableDevice.objects.get().is_keeper
    assert client.post(url(serie, "allow_take_over", table=1)).status_code == 409


def test_the_code_of_a_table_is_shown_and_after_withdrawing_it_is_a_new_one(client: Client):
    serie = running()
    log_in(client, serie.tournament)
    before = TableAccess.objects.get()
    page = text(client.get(url(serie, "access", table=1)))
    assert table_code(before) in page
    assert table_path(before) in page
    assert "<svg" in page

    client.post(url(serie, "withdraw_access", table=1), {"reason": "Karte verloren"})

    after = TableAccess.objects.get()
    page = text(client.get(url(serie, "access", table=1)))
    assert table_code(after) in page
    assert table_code(before) not in page
    assert JournalEntry.objects.get(action="table_access_withdrawn").reason == "Karte verloren"


def test_codes_stay_when_the_tournament_is_closed_or_the_reason_is_a_novel(client: Client):
    serie = running()
    log_in(client, serie.tournament)
    address = url(serie, "withdraw_access", table=1)
    assert client.post(address, {"reason": "x" * 301}).status_code == 422

    Tournament.objects.update(status=Tournament.Status.CLOSED)
    assert client.post(address, {"reason": ""}).status_code == 409
    assert TableAccess.objects.get().generation == 1


def test_all_codes_of_a_serie_are_printed_together(client: Client):
    serie = running(tables=3)
    log_in(client, serie.tournament)

    page = text(client.get(url(serie, "cards")))

    for access in TableAccess.objects.all():
        assert table_code(access) in page


# --- What needs a person --------------------------------------------------------------------


def attention(client: Client, serie: Serie) -> list[tuple[int, str]]:
    room = client.get(url(serie, "room")).context["room"]
    return [(one.table, one.what) for one in room.attention]


def test_what_needs_a_person_comes_in_the_order_of_its_urgency(client: Client):
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
    taken = calls.call(table_id=tables[3].pk, kind="other", actor=COMMAND)
    calls.take(call_id=taken.pk, by=referee)
    write_games(lists[4], FOUR[:3])
    Spielliste.objects.filter(pk=lists[4].pk).update(last_entry_at=now - timedelta(minutes=21))
    calls.call(table_id=tables[5].pk, kind="dispute", actor=COMMAND)
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
    playing = [pk for number, one in lists.items() if number != 6 for pk in [one.pk]]
    Spielliste.objects.filter(pk__in=playing).update(extra_minutes=30)

    assert attention(client, serie) == [
        (5, "Schiedsrichter gerufen"),
        (7, "Bitte um Berichtigung"),
        (6, "Zeit abgelaufen"),
        (8, "Vorschlag wartet auf die Entscheidung"),
        (3, f"Übernommen von {referee}"),
        (2, "Liste vollständig"),
        (7, "Geprüft"),
        (4, "Lange kein Eintrag"),
    ]
    cards = client.get(url(serie, "room")).context["room"].cards
    assert [card.tone.value for card in cards] == [
        "", "amber", "amber", "amber", "red", "red", "red", "amber", "felt",
    ]  # fmt: skip


def test_alarms_are_never_folded_away(client: Client):
    serie = running(tables=10)
    log_in(client, serie.tournament)
    for table in serie.tables.all():
        calls.call(table_id=table.pk, kind="dispute", actor=COMMAND)
        played(serie, table.number)

    room = client.get(url(serie, "room")).context["room"]

    assert len(room.first) == room.alarms == 10
    assert len(room.further) == 10


def test_cards_say_in_words_how_a_table_is_doing(client: Client):
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


# --- Handing in -----------------------------------------------------------------------------


def hand_in(client: Client, serie: Serie, act: str, **sent: Any) -> Any:
    return client.post(url(serie, "hand_in_act", table=1), {"act": act, **sent})


def test_a_table_is_opened_by_its_number_and_taken_whole(client: Client):
    serie = running()
    spielliste = played(serie)
    log_in(client, serie.tournament)
    page = text(client.get(url(serie, "hand_in"), {"tisch": "1"}))
    assert "Alles da, 18,00 € bar" in page

    done = hand_in(client, serie, "all", cents=DUE_TOTAL)

    assert done["Location"] == url(serie, "hand_in")
    spielliste.refresh_from_db()
    assert spielliste.status == Status.HANDED_IN
    assert "Tisch 1 hat alles abgegeben" in text(client.get(done["Location"]))


def test_a_number_that_no_table_has_is_named(client: Client):
    serie = running()
    log_in(client, serie.tournament)

    for typed in ("7", "acht"):
        page = text(client.get(url(serie, "hand_in"), {"tisch": typed}))
        assert f"Tisch „{typed}“ gibt es in Serie 1 nicht" in page


def test_each_thing_is_ticked_by_itself_and_the_table_stays_open(client: Client):
    serie = running()
    spielliste = played(serie)
    log_in(client, serie.tournament)
    first = people(spielliste)[0]

    for act, sent in (
        ("list", {}),
        ("list_back", {}),
        ("list", {}),
        ("cards", {}),
        ("cards_back", {}),
        ("cards", {}),
        ("signatures", {}),
        ("waive", {"person": first, "reason": "Gast"}),
        ("waive_back", {"person": first}),
        ("pay", {"person": first, "cents": 400}),
    ):
        answer = hand_in(client, serie, act, **sent)
        assert answer["Location"] == f"{url(serie, 'hand_in')}?tisch=1", act
    last = hand_in(client, serie, "pay", cents=DUE_TOTAL - 400)

    assert last["Location"] == url(serie, "hand_in")
    spielliste.refresh_from_db()
    assert spielliste.status == Status.HANDED_IN


@pytest.mark.parametrize("cents", ["", "abc", "1799", "-", "٣"])
def test_a_sum_that_nobody_saw_is_not_taken(client: Client, cents: str):
    serie = running()
    played(serie)
    log_in(client, serie.tournament)

    refused = hand_in(client, serie, "all", cents=cents)

    assert refused.status_code == 409
    assert "Offen sind jetzt" in text(refused)
    assert not Receipt.objects.exists()


def test_an_act_that_there_is_not_is_refused(client: Client):
    serie = running()
    log_in(client, serie.tournament)

    assert hand_in(client, serie, "alles").status_code == 409


@pytest.mark.parametrize("act", ["signatures", "waive", "waive_back"])
def test_the_till_decides_nothing(client: Client, act: str):
    serie = running()
    spielliste = played(serie)
    log_in(client, serie.tournament, Role.KASSE)

    refused = hand_in(client, serie, act, person=people(spielliste)[0], reason="Gast")

    assert refused.status_code == 403
    assert "Das entscheidet die Spielleitung" in text(refused)


def test_the_till_takes_the_money_and_leaves_the_signatures(client: Client):
    serie = running()
    spielliste = played(serie)
    log_in(client, serie.tournament, Role.KASSE)

    hand_in(client, serie, "all", cents=DUE_TOTAL)

    spielliste.refresh_from_db()
    assert spielliste.status == Status.COMPLETE
    assert (spielliste.list_received, spielliste.cards_received) == (True, True)
    assert Receipt.objects.count() == 1


def test_who_only_looks_on_sees_no_buttons(client: Client):
    serie = running()
    played(serie)
    log_in(client, serie.tournament, Role.SCHIEDSRICHTER)

    page = text(client.get(url(serie, "hand_in"), {"tisch": "1"}))

    assert "Tisch 1" in page
    assert "Alles da" not in page
    assert '<button class="button outline" name="act"' not in page


# --- The paper grid -------------------------------------------------------------------------


def cells(lines: Any = SOUND) -> dict[str, str]:
    sent = {}
    for game, line in enumerate(lines, start=1):
        for seat, points in enumerate(line["minus"], start=1):
            finished = line["finisher"] == seat
            mark = "H" if line["handromme"] else "0"
            sent[f"c{game}_{seat}"] = mark if finished else str(points)
    return sent


def send(client: Client, serie: Serie, **sent: Any) -> Any:
    return client.post(url(serie, "grid", table=1), {"version": "0", **sent})


def stored(serie: Serie) -> list[Any]:
    return list(list_of(serie).games.order_by("number").values_list("line", flat=True))


def test_a_list_is_copied_with_a_plain_form_and_goes_on_to_handing_in(client: Client):
    serie = running()
    log_in(client, serie.tournament, Role.SCHIEDSRICHTER)

    sums = {"sum_1": "290", "sum_2": "311", "sum_3": "339", "sum_4": "311"}
    answer = send(client, serie, **cells(), **sums)

    # Seat 4: 351 points, 2 of 12 finished: 351 − 40 = 311 is the result, and stands there too.
    assert answer["Location"] == f"{url(serie, 'hand_in')}?tisch=1"
    assert stored(serie) == list(SOUND)


def test_a_sum_that_is_wrong_keeps_the_list_open_to_look_for_the_slip(client: Client):
    serie = running()
    log_in(client, serie.tournament)

    answer = send(client, serie, **cells(), sum_2="301")

    assert answer["Location"] == url(serie, "grid", table=1)
    page = text(client.get(answer["Location"]))
    assert "gerechnet 311" in page


def test_half_a_list_is_stored_and_shown_again(client: Client):
    serie = running()
    log_in(client, serie.tournament)

    answer = send(client, serie, **cells(SOUND[:5]))

    assert answer["Location"] == url(serie, "grid", table=1)
    assert len(stored(serie)) == 5
    page = text(client.get(answer["Location"]))
    assert 'name="c5_2" value="41"' in page


def test_every_cell_that_is_wrong_is_named_in_its_place(client: Client):
    serie = running()
    log_in(client, serie.tournament)
    sent = cells(SOUND[:3]) | {"c2_1": "1", "c3_2": ""}

    refused = send(client, serie, **sent)
    assert refused.status_code == 422
    assert "Spiel 3: Die Punkte von Platz 2 fehlen" in text(refused)

    refused = send(client, serie, **(sent | {"c3_2": "35"}))
    assert refused.status_code == 422
    assert "Spiel 2: Platz 1: 1 kann nicht sein" in text(refused)
    assert stored(serie) == []


def test_a_rare_hand_is_asked_about_and_then_stored(client: Client):
    serie = running()
    log_in(client, serie.tournament)
    sent = cells(SOUND[:1]) | {"c1_4": "180"}

    asked = send(client, serie, **sent)
    assert asked.status_code == 422
    assert "Steht das so auf dem Papier?" in text(asked)
    send(client, serie, **sent, confirmed="1")

    assert stored(serie)[0]["minus"] == [0, 23, 45, 180]


def test_the_spielleitung_lets_an_impossible_hand_stand_with_a_reason(client: Client):
    serie = running()
    log_in(client, serie.tournament)
    sent = cells(SOUND[:1]) | {"c1_4": "1"}
    assert "Trotzdem stehen lassen" in text(send(client, serie, **sent))

    send(client, serie, **sent, override_reason="so unterschrieben")

    assert stored(serie)[0]["minus"] == [0, 23, 45, 1]


def test_a_schiedsrichter_is_not_offered_that_and_does_not_get_it(client: Client):
    serie = running()
    log_in(client, serie.tournament, Role.SCHIEDSRICHTER)
    sent = cells(SOUND[:1]) | {"c1_4": "1"}
    assert "Trotzdem stehen lassen" not in text(send(client, serie, **sent))

    assert send(client, serie, **sent, override_reason="egal").status_code == 403
    assert stored(serie) == []


def test_a_sum_that_is_no_number_is_named(client: Client):
    serie = running()
    log_in(client, serie.tournament)

    refused = send(client, serie, **cells(SOUND[:1]), sum_2="3oo")

    assert refused.status_code == 422
    assert "Die Summe von Platz 2 ist keine Zahl: „3oo“" in text(refused)


def test_who_saw_an_older_list_sees_what_is_there_now_and_decides(client: Client):
    serie = running()
    log_in(client, serie.tournament)
    send(client, serie, **cells(SOUND[:2]))
    mine = cells(SOUND[:2]) | {"c1_2": "32"}

    told = send(client, serie, **mine)

    assert told.status_code == 409
    assert "hat sich inzwischen geändert" in text(told)
    assert "in der Liste: 23" in text(told)
    assert 'name="version" value="2"' in text(told)
    send(client, serie, **(mine | {"version": "2"}))
    assert stored(serie)[0]["minus"] == [0, 32, 45, 12]


@pytest.mark.parametrize("version", ["", "x", "-1"])
def test_a_version_that_nobody_saw_is_an_old_one(client: Client, version: str):
    serie = running()
    log_in(client, serie.tournament)

    assert send(client, serie, **(cells() | {"version": version})).status_code == 409


def test_a_signed_list_is_shown_and_not_written(client: Client):
    serie = running()
    played(serie, status=Status.SIGNED)
    log_in(client, serie.tournament)

    page = text(client.get(url(serie, "grid", table=1)))
    assert "readonly" in page
    assert "Speichern und prüfen" not in page
    assert send(client, serie, **cells()).status_code == 409


def test_while_somebody_types_each_finished_line_is_stored(client: Client):
    serie = running()
    log_in(client, serie.tournament)
    sent = cells(SOUND[:2]) | {"c3_1": "27", "c3_2": "x"}

    said = send(client, serie, **sent, save="typing").json()

    assert (said["version"], said["stored"]) == (2, 2)
    # What is still empty is no mistake; what stands there already may be one.
    assert [(one["game"], one["seat"]) for one in said["problems"]] == [(3, 2)]
    said = send(
        client, serie, **(sent | {"c3_2": "1", "c3_3": "0", "c3_4": "180", "version": "2"}),
        save="typing",
    ).json()  # fmt: skip
    assert [(one["game"], one["seat"]) for one in said["problems"]] == [(3, 2)]
    assert said["stored"] == 2


def test_while_somebody_types_a_newer_list_is_not_written_over(client: Client):
    serie = running()
    log_in(client, serie.tournament)
    send(client, serie, **cells(SOUND[:2]))

    refused = send(client, serie, **cells(SOUND[:3]), save="typing")

    assert refused.status_code == 409
    assert "hat sich inzwischen geändert" in refused.json()["refused"]


def test_a_line_that_the_grid_cannot_show_is_left_as_it_is(client: Client):
    serie = running()
    odd = {
        "finisher": [2, 4, None], "handromme": False, "minus": [12, 30, 9, 22],
        "adjustments": [{"seat": 1, "points": -10, "reason": "Absprache"}],
    }  # fmt: skip
    write_games(list_of(serie), [odd])
    log_in(client, serie.tournament)
    shown = {"c1_1": "12", "c1_2": "0/30", "c1_3": "9", "c1_4": "0/22"}

    send(client, serie, **(shown | {"version": "1"}))

    assert stored(serie) == [odd]
