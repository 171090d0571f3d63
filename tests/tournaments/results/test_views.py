"""The pages of rankings, Entscheidungsspiele and prizes: their access and content."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from html import escape
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook

from scoring.payments.prizes import PrizeLine, PrizePlan, TieRule
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.clients import plain as text
from tests.factories import make_member, make_players, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.factories_results import SeatOutcome, make_team, play_serie, take_startgeld
from tests.tournaments.notices.helpers import make_notice
from tests.worlds import world
from tournaments.models import Notice, Playoff, PrizePayout, Ranking, Role, Spielliste, Tournament

pytestmark = pytest.mark.django_db


@world
def tournament() -> Tournament:
    """One Serie of two tables; 2 and 3 are equal, and the plan has them play for it."""
    tournament = make_tournament(serien=1, status="running")
    players = make_players(tournament, 8)
    play_serie(
        tournament,
        [players[:4], players[4:]],
        [(90, 100, 100, 110), (SeatOutcome(200, hand=1), 210, 220, 230)],
    )
    take_startgeld(tournament)
    lines = (
        PrizeLine(place=1, fixed_cents=6000, goods="Wanderpokal"),
        PrizeLine(place=2, fixed_cents=4000),
        PrizeLine(place=3, fixed_cents=2000),
    )
    tournament.prize_plan = {"startgeld": PrizePlan(lines=lines, ties=TieRule.PLAYOFF).to_dict()}
    tournament.save()
    return tournament


OF_PRIZES = {"playoffs", "record", "withdraw", "prizes", "pay", "pay_all", "goods"}


def url(tournament: Tournament, name: str = "ranking", **kwargs: Any) -> str:
    room = "prizes" if name in OF_PRIZES else "results"
    return reverse(f"{room}:{name}", kwargs={"slug": tournament.slug, **kwargs})


@pytest.fixture
def leading(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return client


def test_the_ranking_names_tie_breaks_and_checked_lists(leading: Client, tournament: Tournament):
    page = text(leading.get(url(tournament)))

    assert "Gesamtwertung · Endstand" in page
    assert "alle Listen geprüft" in page
    assert "in allem gleich" in page
    assert "vorläufig" not in page


@pytest.mark.parametrize(
    ("rules", "decides"),
    [
        pytest.param(
            "rommeordnung", "mehr beendete Spiele, dann mehr Handrommés, dann", id="§ 1.5"
        ),
        pytest.param("contract", "mehr beendete Spiele, dann das Entscheid", id="no Handrommé"),
    ],
)
def test_the_ranking_names_its_tie_breaks(
    leading: Client, tournament: Tournament, rules: str, decides: str
):
    tournament.rule_set = ruleset_to_dict(ruleset(rules))
    tournament.save()

    page = text(leading.get(url(tournament)))

    assert f"Bei gleichen Punkten entscheiden {decides}" in page


def test_a_running_serie_is_marked_as_provisional(leading: Client, tournament: Tournament):
    Spielliste.objects.filter(table__number=2).update(status=Spielliste.Status.OPEN)

    page = text(leading.get(url(tournament)))
    running = text(leading.get(url(tournament), {"laufend": "1"}))

    assert "vorläufig" in page
    assert "1 von 2 Listen fehlt (Tisch 2)" in page
    assert "Für jedes Spiel, das noch fehlt" in running
    assert "läuft" in running
    assert "Für jedes Spiel, das noch fehlt" in page  # as long as there is no whole Serie


def test_a_ranking_is_empty_before_the_first_list(client: Client):
    tournament = make_tournament(serien=2)
    make_players(tournament, 4)
    client.force_login(make_member(tournament, Role.KASSE))

    assert "Noch kein Ergebnis" in text(client.get(url(tournament)))
    assert "Noch keine vollständige Liste" in text(client.get(url(tournament, "statistics")))
    assert "Kein Preisplan" in text(client.get(url(tournament, "prizes")))


def test_a_ranking_is_exported_as_csv_xlsx_and_json(leading: Client, tournament: Tournament):
    make_players(tournament, 1)
    files = {
        ending: leading.get(url(tournament, "file", ending=ending))
        for ending in ("csv", "xlsx", "json")
    }

    lines = files["csv"].content.decode("utf-8-sig").splitlines()
    assert lines[0] == (
        "Rang;Startnummer;Name;Verein;Serie 1;beendete Spiele;Handrommés;Punkte;Entscheidung"
    )
    assert lines[1].split(";")[:2] == ["1", "1"]
    assert lines[1].split(";")[4:] == ["90", "3", "0", "90", ""]
    # Players without a result have no place, as on the page.
    assert [lines[-1].split(";")[column] for column in (0, 1, 7)] == ["", "9", ""]
    sheet = load_workbook(BytesIO(files["xlsx"].content)).active
    assert sheet is not None
    assert [cell.value for cell in sheet[2]][4:8] == [90, 3, 0, 90]
    data = json.loads(files["json"].content)
    assert data["standings"][1]["tie"] == {"numbers": [2, 3], "needs_playoff": True}
    name = f"rangliste-{tournament.slug}-einzel-1.json"
    assert files["json"]["Content-Disposition"] == f'attachment; filename="{name}"'


def test_an_exported_team_ranking_contains_the_members(leading: Client, tournament: Tournament):
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    members = list(tournament.registrations.order_by("number")[:2])
    make_team(ranking, "Asse", members)

    csv = leading.get(url(tournament, "file", ending="csv"), {"wertung": "tandem"})
    data = leading.get(url(tournament, "file", ending="json"), {"wertung": "tandem"}).json()

    names = "; ".join(member.person.list_name for member in members)
    assert f'1;Asse;"{names}"' in csv.content.decode("utf-8-sig")
    assert data["ranking"] == "tandem"
    assert [(line["name"], line["total"]) for line in data["standings"]] == [("Asse", 190)]


def test_a_line_opens_into_lists_and_games_with_running_sums(
    leading: Client, tournament: Tournament
):
    page = text(leading.get(url(tournament, "player", number=5)))

    assert "Serie 1, Tisch 2" in page
    assert "Handrommé" in page
    assert 'class="chart course"' in page
    assert "Bestes Spiel" in page
    assert page.count('class="num sheet-sum') > 40


def test_the_ranking_shows_the_gap_to_the_first(leading: Client, tournament: Tournament):
    page = text(leading.get(url(tournament)))

    behind = re.findall(
        r'data-label="Abstand"> (?:<svg.*?width="(\d+)%".*?</svg> (\d+))? ?</td>', page
    )
    assert behind[0] == ("", "")  # the first
    assert behind[1] == ("8", "10")  # 100 and not 90; the last of 8 has 140 more
    assert behind[-1] == ("100", "140")


def two_serien(players: int) -> Tournament:
    """Return two Serien at tables of four; lower numbers are better in both."""
    tournament = make_tournament(serien=2, status="running")
    everybody = make_players(tournament, players)
    rows = [everybody[at : at + 4] for at in range(0, players, 4)]
    for number in (1, 2):
        came = [tuple(100 + 10 * at + each for each in range(4)) for at in range(len(rows))]
        play_serie(tournament, rows, came, number=number)
    return tournament


@pytest.mark.parametrize("page", ["results:statistics", "results_public:statistics"])
def test_statistics_highlight_the_line_of_a_number(client: Client, page: str):
    tournament = two_serien(12)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    address = reverse(page, args=[tournament.slug])

    usual = text(client.get(address))
    lit = text(client.get(address, {"zeige": "12"}))
    leading_one = text(client.get(address, {"zeige": "3"}))

    assert "is-lit" not in usual
    assert 'href="?zeige=3#bump"' in usual
    assert "Rang 12, 12</title>" not in usual
    assert re.findall(r'is-lit"><title>[^<]*: Rang ([\d, ]+)</title>', lit) == ["12, 12"]
    assert re.findall(r'is-lit"><title>[^<]*: Rang ([\d, ]+)</title>', leading_one) == ["3, 3"]


@pytest.mark.parametrize("asked", ["99", "Anna", "<b>"])
def test_an_unranked_number_is_reported(client: Client, asked: str):
    tournament = two_serien(4)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = text(client.get(url(tournament, "statistics"), {"zeige": asked}))

    assert f"„{escape(asked)}“ steht nicht in dieser Rangliste." in page
    assert "is-lit" not in page


def test_a_team_opens_into_its_members(leading: Client, tournament: Tournament):
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TEAM, size=3)
    members = list(tournament.registrations.order_by("number")[:2])
    team = make_team(ranking, "Asse", members)

    page = text(leading.get(url(tournament, "team", pk=team.pk)))

    assert "Es fehlt 1 Mitglied" in page
    for member in members:
        assert member.person.list_name in page


def test_an_entscheidungsspiel_is_recorded_and_struck_out_on_the_page(
    leading: Client, tournament: Tournament
):
    record = url(tournament, "record", which="einzel", rank=2)

    before = text(leading.get(url(tournament, "playoffs")))
    leading.post(record, {"einzel-2-place_2": "2", "einzel-2-place_3": "1"})
    ranked = text(leading.get(url(tournament)))
    playoff = Playoff.objects.get()
    leading.post(url(tournament, "withdraw", pk=playoff.pk), {"reason": "vertauscht"})
    after = text(leading.get(url(tournament, "playoffs")))

    assert "muss entschieden werden" in before
    assert playoff.order == [3, 2]
    assert "durch Entscheidungsspiel" in ranked
    assert "vertauscht" in after
    assert "muss entschieden werden" in after


@pytest.mark.parametrize(
    ("places", "message"),
    [
        pytest.param({"2": "1", "3": "1"}, "Platz 1 steht zweimal da.", id="twice"),
        pytest.param({"2": "1"}, "mindestens zwei Plätze", id="one only"),
        pytest.param({"2": "1", "3": "9"}, "kleiner oder gleich 2", id="too far back"),
    ],
)
def test_an_invalid_order_is_shown_with_the_form(
    leading: Client, tournament: Tournament, places: dict[str, str], message: str
):
    data = {f"einzel-2-place_{number}": place for number, place in places.items()}

    answer = leading.post(url(tournament, "record", which="einzel", rank=2), data)

    assert answer.status_code == 422
    assert message in text(answer)
    assert not Playoff.objects.exists()


def test_a_prize_is_paid_and_handed_over_on_the_page(leading: Client, tournament: Tournament):
    page = text(leading.get(url(tournament, "prizes")))
    registration = tournament.registrations.get(number=1)
    key = f"r{registration.pk}"

    leading.post(url(tournament, "pay"), {"recipient": key, "expected_cents": 6000})
    twice = leading.post(url(tournament, "pay"), {"recipient": key, "expected_cents": 6000})
    goods = {"recipient": key, "pot": "startgeld", "ranking": "einzel"}
    leading.post(url(tournament, "goods"), goods)
    done = text(leading.get(url(tournament, "prizes")))
    leading.post(url(tournament, "goods"), {**goods, "back": "1"})

    rows = page[page.index("payouts") : page.index("<tfoot>")]
    assert rows.count("60,00 €") == 1  # once a row, and not on its button
    assert "Die Nummern 2, 3 sind gleich." in page
    assert twice.status_code == 409
    assert "ausgezahlt </span>" in done
    assert "Wanderpokal übergeben," in done
    payout = PrizePayout.objects.get()
    assert payout.handed_over_at is None
    assert payout.receipt is not None


def test_all_winners_are_paid_by_one_button(leading: Client, tournament: Tournament):
    Playoff.objects.create(tournament=tournament, order=[3, 2])
    agreed = {"receipts": "3", "agreed": "1"}

    stale = [
        leading.post(url(tournament, "pay_all"), {**agreed, "expected_cents": seen})
        for seen in (6000, 18000)
    ]
    seen = {"receipts": "3", "expected_cents": 12000}
    asked = leading.post(url(tournament, "pay_all"), seen)
    assert "3 Belege über zusammen 120,00 € buchen?" in text(asked)
    assert not PrizePayout.objects.exists()
    answer = leading.post(url(tournament, "pay_all"), {**agreed, **seen}, follow=True)

    assert [answer.status_code for answer in stale] == [409, 409]
    assert "3 Auszahlungen gebucht." in text(answer)
    assert PrizePayout.objects.count() == 3


def test_incomplete_forms_are_refused(leading: Client, tournament: Tournament):
    for name in ("pay", "pay_all", "goods"):
        assert leading.post(url(tournament, name), {}).status_code == 422


def test_a_prize_no_longer_due_is_claimed_back(leading: Client, tournament: Tournament):
    registration = tournament.registrations.get(number=1)
    key = f"r{registration.pk}"
    leading.post(
        url(tournament, "pay"), {"recipient": key, "expected_cents": 6000, "method_": "bank"}
    )
    registration.status = "excluded"
    registration.save()

    page = text(leading.get(url(tournament, "prizes")))
    leading.post(url(tournament, "pay"), {"recipient": key, "expected_cents": -6000})
    after = text(leading.get(url(tournament, "prizes")))

    assert "Rückforderung 60,00 €, offen" in page
    assert "60,00 € zurückerhalten" in page
    assert "zurückzufordern 60,00 €" in page
    assert "stornieren" not in page
    assert "Rückforderung" not in after


def test_paying_all_warns_of_open_ties_cases_and_deadlines(leading: Client, tournament: Tournament):
    serie = tournament.serien.get()
    later = timezone.now() + timedelta(minutes=5)
    Spielliste.objects.filter(table__serie=serie).update(protest_until=later)
    tournament.cases.create(kind="objection", text="Das stimmt nicht.")

    page = text(leading.get(url(tournament, "prizes")))

    told = page[page.index("Das kann die Preise noch ändern:") :]
    assert "1 Gleichstand ist nicht entschieden; seine Preise warten." in told
    assert "1 Fall ist nicht entschieden." in told
    assert f"Einspruch ist noch bis {timezone.localtime(later):%H:%M} Uhr möglich." in told
    assert 'data-confirm-detail="1 Gleichstand' in page


def test_acknowledged_corrections_may_still_change_prizes(leading: Client, tournament: Tournament):
    now = timezone.now()
    serie = tournament.serien.get()
    Spielliste.objects.filter(table__serie=serie).update(protest_until=None)
    answer = Notice.Response.ACKNOWLEDGED
    make_notice(list_of(serie), told_at=now, told_how="oral", response=answer, response_at=now)
    until = now + timedelta(minutes=tournament.protest_minutes)

    page = text(leading.get(url(tournament, "prizes")))

    assert f"Einspruch ist noch bis {timezone.localtime(until):%H:%M} Uhr möglich." in page


def test_an_unclear_list_explains_its_count(client: Client):
    tournament = make_tournament(serien=1)
    serie = make_seated_serie(tournament)
    write_games(
        list_of(serie), [{"finisher": 1, "handromme": False, "minus": [0, [17, 71], 45, 12]}]
    )
    client.force_login(make_member(tournament, Role.SCHIEDSRICHTER))

    page = text(client.get(url(tournament, "player", number=2)))

    assert "Gelesen werden kann 17 oder 71; es zählt 71 (§ 2.2.6)." in page


@pytest.mark.parametrize("page", ["staff", "public"])
def test_an_empty_ranking_has_no_winner(tournament: Tournament, page: str):
    tandem = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    (alone,) = make_players(tournament, 1)  # never seated
    make_team(tandem, "Asse", [tournament.registrations.get(number=1), alone])
    client = Client()
    if page == "staff":
        client.force_login(make_member(tournament, Role.SPIELLEITUNG))
        address = f"{url(tournament)}?wertung=tandem"
    else:
        address = reverse("results_public:ranking", args=[tournament.slug, "tandem"])

    said = text(client.get(address))

    assert "Alle Listen sind da, aber niemand aus dieser Wertung hat ein Ergebnis." in said
    assert "Sobald die erste Liste" not in said
