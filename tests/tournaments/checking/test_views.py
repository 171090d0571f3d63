"""Pages of checking: who may what, and the way from a list to a stored correction."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_member, make_players, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.access_matrix import Row, check
from tests.worlds import world
from tournaments.checking.corrections.services import corrections
from tournaments.checking.services import penalties
from tournaments.common.actors import Actor
from tournaments.models import (
    Correction,
    Game,
    Penalty,
    Registration,
    Role,
    Seat,
    Spielliste,
    Tournament,
)

pytestmark = pytest.mark.django_db
Status = Spielliste.Status
LOOKING = (Role.SPIELLEITUNG, Role.SCHIEDSRICHTER)
LEADING = (Role.SPIELLEITUNG,)
TABLE = {"serie": 1, "table": 1}


def played(status: str = Status.HANDED_IN, *, tables: int = 1, **fields) -> Tournament:
    tournament = make_tournament(**fields)
    rows = [make_players(tournament, 4) for _table in range(tables)]
    serie = make_seated_serie(tournament, rows)
    for table in range(1, tables + 1):
        write_games(list_of(serie, table), status=status)
    return tournament


tournament = world(played)


def the_list(tournament: Tournament, table: int = 1) -> Spielliste:
    return list_of(tournament.serien.get(number=1), table)


def url(tournament: Tournament, name: str, *args: int, query: str = "") -> str:
    return reverse(f"checking:{name}", args=[tournament.slug, *(args or (1, 1))]) + query


def log_in(client: Client, tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> None:
    client.force_login(make_member(tournament, role))


def proposed_penalty(tournament: Tournament) -> Penalty:
    spielliste = the_list(tournament)
    return Penalty.objects.create(
        spielliste=spielliste,
        registration=spielliste.table.seats.get(number=2).registration,
        points=100,
        reason="verdeckt gezählt",
    )


# --- Who may what ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    [
        Row("checking:lists", LOOKING),
        Row("checking:serie", LOOKING, kwargs={"serie": 1}),
        Row("checking:list", LOOKING, kwargs=TABLE),
        Row("checking:history", LOOKING, kwargs=TABLE),
        Row("checking:versions", LOOKING, kwargs=TABLE),
        Row("checking:penalties", LOOKING, kwargs=TABLE),
        Row("checking:penalties", LOOKING, "post", kwargs=TABLE),
        Row("checking:verify", LEADING, "post", kwargs=TABLE),
        Row("checking:unverify", LEADING, "post", kwargs=TABLE),
        Row("checking:line", LEADING, kwargs=TABLE),
        Row("checking:line", LEADING, "post", kwargs=TABLE),
        Row("checking:bonus_size", LEADING, kwargs=TABLE),
        Row("checking:bonus_size", LEADING, "post", kwargs=TABLE),
        Row("checking:invalid", LEADING, kwargs=TABLE),
        Row("checking:invalid", LEADING, "post", kwargs=TABLE),
        Row("checking:valid", LEADING, kwargs=TABLE),
        Row("checking:valid", LEADING, "post", kwargs=TABLE),
        Row("checking:move", LEADING, kwargs={"serie": 1}),
        Row("checking:move", LEADING, "post", kwargs={"serie": 1}),
        Row("checking:exclusion", LEADING, kwargs={"number": 1}),
        Row("checking:exclusion", LEADING, "post", kwargs={"number": 1}),
        Row("checking:correction", LOOKING, kwargs={"number": 1}),
        Row("checking:approve", LEADING, "post", kwargs={"number": 1}),
        Row("checking:reject", LEADING, "post", kwargs={"number": 1}),
        Row("checking:give", LEADING, "post", kwargs={"key": 1}),
        Row("checking:reject_penalty", LEADING, "post", kwargs={"key": 1}),
        Row("checking:withdraw", LEADING, "post", kwargs={"key": 1}),
    ],
    ids=lambda row: f"{row.method} {row.name}",
)
def test_pages_of_checking_open_to_their_roles_only(row: Row, tournament: Tournament):
    check(row, tournament)


def test_lists_of_another_tournament_are_not_found(client: Client):
    mine, other = played(), played()
    penalty = proposed_penalty(other)
    log_in(client, mine)

    assert client.post(url(mine, "give", penalty.pk)).status_code == 404
    assert client.get(url(mine, "correction", 1)).status_code == 404
    assert client.get(url(mine, "list", 1, 2)).status_code == 404
    assert client.get(url(mine, "list", 2, 1)).status_code == 404


def test_a_schiedsrichter_sees_the_list_without_buttons(client: Client, tournament: Tournament):
    log_in(client, tournament, Role.SCHIEDSRICHTER)

    page = client.get(url(tournament, "list")).content.decode()

    assert "Strafpunkte vorschlagen" in page
    assert "Geprüft" not in page
    assert url(tournament, "line") not in page
    assert url(tournament, "invalid") not in page


@pytest.mark.parametrize("status", [Status.SIGNED, Status.VERIFIED])
def test_a_list_that_is_checked_offers_the_field_to_correct_a_number(client: Client, status: str):
    tournament = played(status)
    log_in(client, tournament)

    page = client.get(url(tournament, "list")).content.decode()
    answer = client.post(url(tournament, "verify"), {"version": 12, "command": "5 3 45"})

    assert 'name="command"' in page
    assert "lässt sich noch berichtigen" in page
    assert answer["Location"] == url(tournament, "line") + "?spiel=5&platz=3&punkte=45"


def test_the_overview_has_no_heading_of_nought(client: Client):
    tournament = played(Status.VERIFIED)
    log_in(client, tournament)

    page = client.get(url(tournament, "serie", 1)).content.decode()

    assert "0 Listen zu prüfen" not in page
    assert "Nichts zu prüfen" in page


def test_two_versions_mark_the_cell_in_which_they_differ(client: Client):
    tournament = played(Status.SIGNED)
    log_in(client, tournament)
    spielliste = the_list(tournament)
    corrections.correct_line(
        spielliste_id=spielliste.pk,
        game=2,
        line={"finisher": 2, "handromme": False, "minus": [31, 0, 18, 44]},
        reason="Zahlendreher",
        version=spielliste.version,
        actor=Actor.account(make_member(tournament, Role.SPIELLEITUNG)),
    )

    page = client.get(url(tournament, "versions")).content.decode()

    marked = re.findall(r"is-changed\"[^>]*>.*?<span\s*>(\w+)</span", page, re.DOTALL)
    assert marked == ["40", "44"]


# --- Checking -----------------------------------------------------------------------------------


def test_the_list_stands_there_as_on_paper(client: Client, tournament: Tournament):
    log_in(client, tournament)

    page = client.get(url(tournament, "list")).content.decode()

    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert re.search(r"A Minuspunkte 290 311 339 341 ", text)
    assert re.search(r"B beendete Spiele 4 3 3 2 ", text)
    # As the formula takes them: A + F − C − E, so 290 − 80 = 210 (§ 3.2.1).
    assert re.search(r"C B × 20 80 60 60 40 ", text)
    assert re.search(r"D Handrommé 0 1 0 0 ", text)
    assert re.search(r"E D × 50 0 50 0 0 ", text)
    assert "Ergebnis = A + F − C − E." in text
    assert re.search(r"Ergebnis 210 201 279 301 ", text)
    assert re.search(r"Platz am Tisch 2\. 1\. 3\. 4\. ", text)


def test_verified_leads_on_to_the_next_list_and_at_the_end_to_the_overview(client: Client):
    tournament = played(tables=3)
    log_in(client, tournament)

    ways = []
    for table in (2, 3, 1):
        answer = client.post(
            url(tournament, "verify", 1, table), {"version": 12, "command": "", "sum_1": ""}
        )
        ways.append(answer["Location"])

    assert ways == [
        url(tournament, "list", 1, 3),
        url(tournament, "list", 1, 1),
        url(tournament, "serie", 1),
    ]
    assert set(Spielliste.objects.values_list("status", flat=True)) == {Status.VERIFIED}


def test_another_sum_on_the_paper_is_shown_and_may_be_accepted(
    client: Client, tournament: Tournament
):
    log_in(client, tournament)

    first = client.post(url(tournament, "verify"), {"version": 12, "sum_1": "290", "sum_3": "393"})
    assert first.status_code == 422
    assert "Auf dem Papier steht 393, gerechnet sind 339" in first.content.decode()
    assert the_list(tournament).status == Status.HANDED_IN

    client.post(
        url(tournament, "verify"),
        {"version": 12, "sum_1": "290", "sum_3": "393", "despite": "on"},
    )
    assert the_list(tournament).paper_sums == [290, None, 393, None]
    log_in(client, tournament)
    assert "≠" in client.get(url(tournament, "list")).content.decode()


def test_a_stale_page_is_told_and_shows_what_is_there_now(client: Client, tournament: Tournament):
    log_in(client, tournament)

    answer = client.post(url(tournament, "verify"), {"version": 11})

    assert answer.status_code == 409
    assert "noch einmal vergleichen" in answer.content.decode()
    assert 'name="version" value="12"' in answer.content.decode()


@pytest.mark.parametrize(
    ("command", "query"),
    [
        pytest.param("5", "?spiel=5", id="game"),
        pytest.param("5 3", "?spiel=5&platz=3", id="game and seat"),
        pytest.param("12,4 17/71", "?spiel=12&platz=4&punkte=17%2F71", id="and points"),
    ],
)
def test_the_command_line_opens_the_line_to_be_corrected(
    client: Client, command, query, tournament: Tournament
):
    log_in(client, tournament)

    answer = client.post(url(tournament, "verify"), {"version": 12, "command": command})

    assert answer["Location"] == url(tournament, "line", query=query)
    assert the_list(tournament).status == Status.HANDED_IN


def test_a_command_that_nobody_understands_is_refused(client: Client, tournament: Tournament):
    log_in(client, tournament)

    answer = client.post(url(tournament, "verify"), {"version": 12, "command": "Spiel fünf"})

    assert answer.status_code == 422
    assert "zum Beispiel" in answer.content.decode()


def test_verified_is_taken_back_on_the_page(client: Client):
    tournament = played(Status.VERIFIED)
    log_in(client, tournament)

    assert client.post(url(tournament, "unverify"), {"reason": ""}).status_code == 422
    client.post(url(tournament, "unverify"), {"reason": "falscher Tisch"})
    again = client.post(url(tournament, "unverify"), {"reason": "falscher Tisch"})

    assert the_list(tournament).status == Status.HANDED_IN
    assert again.status_code == 409


def test_the_overview_leads_to_what_waits(client: Client):
    tournament = played(tables=2)
    proposed_penalty(tournament)
    log_in(client, tournament)

    first = client.get(reverse("checking:lists", args=[tournament.slug]))
    page = client.get(url(tournament, "serie", 1)).content.decode()

    assert first["Location"] == url(tournament, "serie", 1)
    assert "2 Listen zu prüfen" in page
    assert "100 Strafpunkte für 2" in page


def test_without_lists_the_overview_says_so(client: Client):
    tournament = make_tournament()
    log_in(client, tournament)

    page = client.get(reverse("checking:lists", args=[tournament.slug])).content.decode()

    assert "Noch keine Listen" in page


# --- Correcting --------------------------------------------------------------------------------

LINE = {
    "minus_1": "0",
    "minus_2": "23",
    "minus_3": "54",
    "minus_4": "12",
    "version": "12",
}


def line_url(tournament: Tournament, more: str = "") -> str:
    return url(tournament, "line", query=f"?spiel=1{more}")


def shown_in(page: str) -> str:
    found = re.search(r'name="shown" value="(\w+)"', page)
    assert found, "no effects are shown"
    return found[1]


def test_nothing_is_stored_before_its_effect_was_shown(client: Client, tournament: Tournament):
    log_in(client, tournament)

    looked = client.post(line_url(tournament), {**LINE, "reason": "Zahlendreher"})
    page = looked.content.decode()
    assert looked.status_code == 200
    assert "Noch nicht gespeichert" in page
    assert "279" in page
    assert "288" in page
    assert Game.objects.get(number=1).line == FOUR[0]

    stored = client.post(
        line_url(tournament), {**LINE, "reason": "Zahlendreher", "shown": shown_in(page)}
    )
    assert stored["Location"] == url(tournament, "list")
    assert Game.objects.get(number=1).line["minus"] == [0, 23, 54, 12]
    assert "Berichtigung 1 ist gespeichert" in client.get(stored["Location"]).content.decode()


def test_the_effect_is_shown_while_somebody_types_and_needs_no_reason(
    client: Client, tournament: Tournament
):
    log_in(client, tournament)

    answer = client.post(line_url(tournament), {**LINE, "preview": "1", "reason": ""})

    assert answer.status_code == 200
    assert answer.content.decode().lstrip().startswith('<section id="effects"')
    assert shown_in(answer.content.decode())


def test_several_readings_are_typed_and_it_is_said_what_counts(
    client: Client, tournament: Tournament
):
    log_in(client, tournament)
    typed = {**LINE, "minus_1": "0/H/?", "minus_2": "0/H/23", "minus_3": "45/54"}

    looked = client.post(line_url(tournament), {**typed, "reason": "unleserlich"})
    page = looked.content.decode()
    assert re.search(">§ 2.2.6<", page.partition("Vorgeschlagener Paragraph: ")[2])
    client.post(line_url(tournament), {**typed, "reason": "unleserlich", "shown": shown_in(page)})

    assert Game.objects.get(number=1).line == {
        "finisher": [1, 2],
        "handromme": [True, False],
        "minus": [0, 23, [45, 54], 12],
    }
    said = client.get(url(tournament, "list")).content.decode()
    assert "Gelesen werden kann 45 oder 54; es zählt 54 (§ 2.2.6)." in said
    again = client.get(line_url(tournament)).content.decode()
    assert 'value="45/54"' in again
    assert 'value="0/H/23"' in again


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        pytest.param({"minus_3": "vier"}, "„vier“ steht auf keiner Liste", id="no number"),
        pytest.param({"minus_3": "/"}, "„/“ steht auf keiner Liste", id="nothing"),
        pytest.param({"minus_3": ""}, "Dieses Feld ist zwingend", id="empty"),
        pytest.param({"minus_3": "0"}, "Beendet hat nur eine Person", id="two finishers"),
        pytest.param({"minus_1": "7"}, "Es fehlt, wer das Spiel beendet hat", id="no finisher"),
        pytest.param({"minus_3": "1"}, "1 kann nicht sein", id="impossible"),
        pytest.param({"reason": ""}, "Dieses Feld ist zwingend", id="no reason"),
    ],
)
def test_what_cannot_be_stored_is_said_beside_its_field(
    client: Client, typed, message: str, tournament: Tournament
):
    log_in(client, tournament)

    answer = client.post(
        line_url(tournament), {**LINE, "reason": "Zahlendreher", "shown": "x", **typed}
    )

    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert Game.objects.get(number=1).line == FOUR[0]


def test_an_impossible_hand_is_let_stand_with_a_reason(client: Client, tournament: Tournament):
    log_in(client, tournament)
    typed = {**LINE, "minus_3": "1", "reason": "Zahlendreher"}

    refused = client.post(line_url(tournament), {**typed, "shown": "x"}).content.decode()
    assert 'name="override"' in refused
    typed["override"] = "so unterschrieben"
    looked = client.post(line_url(tournament), typed).content.decode()
    client.post(line_url(tournament), {**typed, "shown": shown_in(looked)})

    assert Game.objects.get(number=1).overridden
    page = client.get(url(tournament, "list")).content.decode()
    assert "hat diese Zeile stehen lassen" in page


def test_the_second_of_two_people_sees_what_is_there_now_and_decides_anew(
    client: Client, tournament: Tournament
):
    log_in(client, tournament)
    page = client.post(line_url(tournament), {**LINE, "reason": "Zahlendreher"}).content.decode()
    corrections.correct_line(
        spielliste_id=the_list(tournament).pk,
        game=2,
        line={**FOUR[1], "minus": [13, 0, 18, 40]},
        reason="anders",
        version=12,
        actor=corrections_actor(tournament),
    )

    told = client.post(
        line_url(tournament), {**LINE, "reason": "Zahlendreher", "shown": shown_in(page)}
    )

    assert told.status_code == 409
    assert "inzwischen geändert" in told.content.decode()
    assert 'name="version" value="13"' in told.content.decode()
    client.post(
        line_url(tournament),
        {
            **LINE,
            "version": "13",
            "reason": "Zahlendreher",
            "shown": shown_in(told.content.decode()),
        },
    )
    assert Correction.objects.count() == 2


def corrections_actor(tournament: Tournament):
    return Actor.account(make_member(tournament, Role.SPIELLEITUNG))


def test_points_named_in_the_address_are_shown_with_their_effect_at_once(
    client: Client, tournament: Tournament
):
    log_in(client, tournament)

    page = client.get(line_url(tournament, "&platz=3&punkte=54")).content.decode()

    assert shown_in(page)
    assert 'value="54"' in page


@pytest.mark.parametrize("query", ["", "?spiel=13", "?spiel=x", "?spiel=" + "9" * 5000])
def test_a_line_that_is_not_on_the_list_has_no_page(
    client: Client, query: str, tournament: Tournament
):
    log_in(client, tournament)

    assert client.get(url(tournament, "line", query=query)).status_code == 404


def test_a_list_is_declared_invalid_and_valid_on_its_pages(client: Client, tournament: Tournament):
    log_in(client, tournament)
    for name, version, status in (
        ("invalid", 12, Status.INVALID),
        ("valid", 13, Status.HANDED_IN),
    ):
        page = client.get(url(tournament, name)).content.decode()
        client.post(
            url(tournament, name),
            {"version": version, "reason": "unleserlich", "shown": shown_in(page)},
        )
        assert the_list(tournament).status == status
        assert client.get(url(tournament, "list")).status_code == 200


def test_a_page_for_what_cannot_be_done_says_why(client: Client, tournament: Tournament):
    log_in(client, tournament)

    assert "nicht ungültig" in client.get(url(tournament, "valid")).content.decode()


def test_the_size_for_the_bonus_is_chosen_from_those_with_a_bonus(
    client: Client, tournament: Tournament
):
    log_in(client, tournament)
    typed = {"version": 12, "bonus_size": "3", "reason": "zu dritt"}

    looked = client.post(url(tournament, "bonus_size"), typed).content.decode()
    client.post(url(tournament, "bonus_size"), {**typed, "shown": shown_in(looked)})

    assert the_list(tournament).bonus_size == 3
    assert "B × 15" in client.get(url(tournament, "list")).content.decode()


def test_a_proposal_is_decided_on_its_page_by_somebody_else(client: Client):
    tournament = played(four_eyes=True)
    log_in(client, tournament)
    looked = client.post(line_url(tournament), {**LINE, "reason": "Dreher"}).content.decode()
    client.post(line_url(tournament), {**LINE, "reason": "Dreher", "shown": shown_in(looked)})
    own = client.get(url(tournament, "correction", 1)).content.decode()
    assert "Ausführen muss sie ein anderes Konto" in own
    assert client.post(url(tournament, "approve", 1)).status_code == 409

    log_in(client, tournament)
    page = client.get(url(tournament, "correction", 1)).content.decode()
    assert "Ausführen" in page
    client.post(url(tournament, "approve", 1))

    assert Correction.objects.get().status == Correction.Status.CARRIED_OUT
    done = client.get(url(tournament, "correction", 1)).content.decode()
    assert "noch nicht mitgeteilt" in done


def test_a_proposal_is_turned_down_on_its_page(client: Client):
    tournament = played(four_eyes=True)
    log_in(client, tournament)
    looked = client.post(line_url(tournament), {**LINE, "reason": "Dreher"}).content.decode()
    client.post(line_url(tournament), {**LINE, "reason": "Dreher", "shown": shown_in(looked)})

    assert client.post(url(tournament, "reject", 1), {"reason": ""}).status_code == 422
    client.post(url(tournament, "reject", 1), {"reason": "stimmt doch"})
    assert client.post(url(tournament, "reject", 1), {"reason": "noch mal"}).status_code == 409

    assert Correction.objects.get().status == Correction.Status.REJECTED


# --- Persons ------------------------------------------------------------------------------------


def penalty_of(tournament: Tournament, **more) -> dict[str, object]:
    first = the_list(tournament).table.seats.get(number=1).registration
    return {
        "registration": first.pk,
        "points": 150,
        "reason": "Karten zusammengeworfen",
        "paragraph": "8.3",
        **more,
    }


def test_a_schiedsrichter_proposes_and_the_spielleitung_decides(
    client: Client, tournament: Tournament
):
    log_in(client, tournament, Role.SCHIEDSRICHTER)
    client.post(url(tournament, "penalties"), penalty_of(tournament))
    penalty = Penalty.objects.get()
    assert penalty.status == Penalty.Status.PROPOSED

    log_in(client, tournament)
    assert "360" in client.get(url(tournament, "penalties")).content.decode()  # 210 + 150
    client.post(url(tournament, "give", penalty.pk))
    penalty.refresh_from_db()
    assert penalty.status == Penalty.Status.GIVEN

    assert client.post(url(tournament, "withdraw", penalty.pk), {}).status_code == 422
    client.post(url(tournament, "withdraw", penalty.pk), {"reason": "Zeuge gehört"})
    penalty.refresh_from_db()
    assert penalty.status == Penalty.Status.WITHDRAWN
    again = client.post(url(tournament, "withdraw", penalty.pk), {"reason": "noch einmal"})
    assert again.status_code == 409


def test_the_spielleitung_gives_strafpunkte_at_once_and_may_turn_proposals_down(
    client: Client, tournament: Tournament
):
    penalty = proposed_penalty(tournament)
    log_in(client, tournament)

    typed = penalty_of(tournament, points=0, other_points=75)
    looked = client.post(url(tournament, "penalties"), typed).content.decode()
    assert not Penalty.objects.filter(points=75).exists()
    assert "285" in looked  # 210 + 75
    client.post(url(tournament, "penalties"), {**typed, "shown": shown_in(looked)})
    client.post(url(tournament, "reject_penalty", penalty.pk), {"reason": "kein Zeuge"})
    looked = client.post(url(tournament, "penalties"), typed).content.decode()
    twice = client.post(url(tournament, "penalties"), {**typed, "shown": shown_in(looked)})
    nothing = client.post(url(tournament, "penalties"), penalty_of(tournament, points=0))

    assert Penalty.objects.get(points=75).status == Penalty.Status.GIVEN
    penalty.refresh_from_db()
    assert penalty.status == Penalty.Status.REJECTED
    assert (twice.status_code, nothing.status_code) == (409, 422)


def test_an_exclusion_is_shown_stored_and_taken_back(client: Client, tournament: Tournament):
    log_in(client, tournament)

    for status in (Registration.Status.EXCLUDED, Registration.Status.REGISTERED):
        page = client.get(url(tournament, "exclusion", 2)).content.decode()
        client.post(
            url(tournament, "exclusion", 2),
            {"version": 0, "reason": "Tätlichkeit", "shown": shown_in(page)},
        )
        assert tournament.registrations.get(number=2).status == status
    unseen = client.post(
        url(tournament, "exclusion", 3), {"version": 0, "reason": "x", "shown": "other"}
    )
    assert unseen.status_code == 409
    assert client.post(url(tournament, "exclusion", 3), {"version": 0}).status_code == 422


def test_people_are_moved_once_the_effect_was_seen(client: Client):
    tournament = played(Status.OPEN, tables=2)
    Game.objects.filter(number__gt=4).delete()
    log_in(client, tournament)
    typed = {"numbers": "1 5", "games": "person", "reason": "falsch hingesetzt"}

    looked = client.post(url(tournament, "move", 1), typed).content.decode()
    assert Seat.objects.filter(table__number=1, registration__number=1).exists()
    client.post(url(tournament, "move", 1), {**typed, "shown": shown_in(looked)})

    assert Seat.objects.get(registration__number=1).table.number == 2
    assert not Correction.objects.exists()


def test_moving_people_of_signed_lists_is_a_correction(client: Client):
    tournament = played(tables=2)
    log_in(client, tournament)
    typed = {"numbers": "1 5", "games": "place", "reason": "Namen vertauscht"}

    looked = client.post(url(tournament, "move", 1), typed).content.decode()
    client.post(url(tournament, "move", 1), {**typed, "shown": shown_in(looked)})

    assert Correction.objects.get().kind == Correction.Kind.SEATS
    page = client.get(url(tournament, "correction", 1)).content.decode()
    assert "Tisch 1, Platz 1" in page
    assert "Nr. 5" in page


@pytest.mark.parametrize(
    ("typed", "status"),
    [
        pytest.param({"numbers": "1 99"}, 409, id="unknown number"),
        pytest.param({"numbers": "Anna"}, 422, id="no number"),
        pytest.param({"numbers": "1 5", "reason": ""}, 422, id="no reason"),
    ],
)
def test_a_move_that_cannot_be_is_refused(client: Client, typed, status: int):
    tournament = played(Status.OPEN, tables=2)
    log_in(client, tournament)

    answer = client.post(
        url(tournament, "move", 1), {"games": "place", "reason": "falsch", **typed}
    )

    assert answer.status_code == status
    assert Seat.objects.filter(table__number=1, registration__number=1).exists()


# --- The past -------------------------------------------------------------------------------------


def test_versions_are_compared_and_the_history_names_every_act(
    client: Client, tournament: Tournament
):
    corrections.correct_line(
        spielliste_id=the_list(tournament).pk,
        game=1,
        line={**FOUR[0], "minus": [0, 23, 54, 12]},
        reason="Zahlendreher",
        version=12,
        actor=corrections_actor(tournament),
    )
    penalties.give_at_once(
        spielliste_id=the_list(tournament).pk,
        registration_id=the_list(tournament).table.seats.get(number=2).registration_id,
        points=100,
        reason="zusammengeworfen",
        actor=corrections_actor(tournament),
    )
    log_in(client, tournament)

    versions = client.get(url(tournament, "versions")).content.decode()
    older = client.get(url(tournament, "versions") + "?alt=12&neu=14").content.decode()
    history = client.get(url(tournament, "history")).content.decode()

    assert "Strafpunkte für Nr. 2" in versions
    assert "Punkte von Platz 3" not in versions
    assert "Spiel 1: Punkte von Platz 3" in older
    assert "Strafpunkte für Nr. 2" in older
    assert client.get(url(tournament, "versions") + "?alt=99").status_code == 404
    assert "Punkte von Platz 3: 45 → <strong>54</strong>" in history
    assert "Zahlendreher" in history
    assert "zusammengeworfen" in history


def test_a_list_without_a_version_says_so(client: Client):
    tournament = played(Status.OPEN)
    log_in(client, tournament)

    page = client.get(url(tournament, "versions")).content.decode()

    assert "Noch keine Fassung" in page
