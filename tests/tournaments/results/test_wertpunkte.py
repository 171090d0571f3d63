"""A tournament by Wertpunkte, most first, in every room; worked out by hand (docs/rules.md)."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from django.utils import timezone
from openpyxl import load_workbook

from scoring.payments.bussgeld import PerPlace, PerPoints
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.agreement.reading import number, rows_with, tables, text
from tests.clients import Client, at, logged_in
from tests.factories import COMMAND, acting, make_head, make_member, make_players, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.tournaments.archive.helpers import saved
from tests.tournaments.lists.helpers import Device, game
from tests.tournaments.printing.helpers import paper, words
from tournaments.announcement.queries.ausschreibung_text import bussgeld_text
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.checking.services.checking import differences
from tournaments.common.access_keys import player_path
from tournaments.common.errors import TournamentError
from tournaments.corrections.services import corrections
from tournaments.draw.services.ranking import with_ranking
from tournaments.lists.queries.bussgeld import bussgeld_by_seat
from tournaments.lists.queries.loading import load_lists
from tournaments.models import (
    Correction,
    Notice,
    Penalty,
    Person,
    Role,
    Season,
    Serie,
    Spielliste,
    Tournament,
)
from tournaments.notices.queries import notice_texts
from tournaments.results.queries.charts import course_of
from tournaments.results.queries.player_results import played_lists
from tournaments.results.queries.press import press
from tournaments.results.queries.ranking_json import standings_json
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.results.queries.statistics import Statistics
from tournaments.results.services import player_access
from tournaments.seasons.honours import honours
from tournaments.seasons.queries import standing
from tournaments.seasons.services import create_season

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status
RULES = ruleset("wertpunkte").with_games(3)  # finished 5, Handrommé 8, up to 30: 2, up to 60: 1


def line(finisher, *minus, handromme=False):
    return {"finisher": finisher, "handromme": handromme, "minus": list(minus)}


# Wertpunkte 7, 3, 10, 6; Augen 91, 147, 115, 130
FOUR = (
    line(1, 0, 28, 55, 90),  # 5, 2, 1, 0
    line(3, 61, 88, 0, 40, handromme=True),  # 0, 0, 8, 1
    line(4, 30, 31, 60, 0),  # 2, 1, 1, 5
)
# Wertpunkte 7, 12, 5; Augen 93, 58, 151
THREE = (
    line(1, 0, 28, 90),  # 5, 2, 0
    line(2, 60, 0, 61, handromme=True),  # 1, 8, 0
    line(3, 33, 30, 0),  # 1, 2, 5
)
# Start number, Wertpunkte, Augen: 1 and 5 have the same, 1 has fewer Augen.
RANKING = [(6, 12, 58), (3, 10, 115), (1, 7, 91), (5, 7, 93), (4, 6, 130), (7, 5, 151), (2, 3, 147)]


def played(*, status=Status.VERIFIED, **fields) -> Tournament:
    tournament = make_tournament(
        **{
            "rule_set": ruleset_to_dict(RULES),
            "serien": 1,
            "status": Tournament.Status.RUNNING,
            **fields,
        }
    )
    people = make_players(tournament, 7)
    Person.objects.update(publish_consent=True)
    serie = make_seated_serie(tournament, [people[:4], people[4:]])
    write_games(list_of(serie, 1), FOUR, status=status)
    write_games(list_of(serie, 2), THREE, status=status)
    return tournament


@pytest.fixture
def tournament() -> Tournament:
    return played()


@pytest.fixture
def staff(tournament) -> Client:
    return logged_in(make_member(tournament, Role.VERANSTALTER))


def shown(rows, who="Name"):
    return [
        (number(row[who].split("Nr.")[1]), number(row["Wertpunkte"]), number(row["Augen"]))
        for row in rows
    ]


# --- Rankings -----------------------------------------------------------------------------------


def test_the_ranking_is_by_wertpunkte_then_by_fewer_augen(tournament):
    lines = Rankings(tournament).standings(OVERALL)

    assert [(line.number, line.total, line.augen) for line in lines] == RANKING


def test_pages_and_paper_show_wertpunkte_and_augen(tournament, staff):
    for html in (
        staff.read(at("results:ranking", tournament)),
        Client().read(at("results_public:overall", tournament)),
    ):
        assert shown(rows_with(html, "Name", "Wertpunkte")) == RANKING
        assert "Die meisten Wertpunkte gewinnen." in text(html)
        assert "wenigsten" not in text(html)
        assert "gleich viele Wertpunkte, mehr Augen (93 statt 91)" in text(html)
    said = words(tournament, "rangliste")
    assert "Platz Name Serie 1 Spiele Hand Augen Wertpunkte" in said
    assert "Wertpunkte: beendetes Spiel 5; Handrommé 8; bis 30 Augen 2; bis 60 Augen 1" in said
    assert "die meisten gewinnen" in said
    assert "weniger Augen, dann mehr beendete Spiele" in said


def test_a_certificate_names_wertpunkte(tournament):
    assert "mit 12 Wertpunkten" in words(tournament, "urkunden", ranking="einzel")


def test_the_gap_to_the_first_is_in_wertpunkten(tournament):
    table = Rankings(tournament).table(OVERALL)

    assert table.gaps == (0, 2, 5, 5, 6, 7, 9)


def test_files_contain_wertpunkte_and_augen(tournament, staff):
    csv = staff.read(at("results:file", tournament, "csv"))
    sheet = load_workbook(
        io.BytesIO(staff.get(at("results:file", tournament, "xlsx")).content)
    ).active
    head, first, *_rest = sheet.values

    assert ";Augen;Wertpunkte;" in csv.splitlines()[0]
    row = dict(zip(head, first, strict=True))
    assert (row["Startnummer"], row["Wertpunkte"], row["Augen"]) == (6, 12, 58)


def test_the_feed_contains_wertpunkte_and_augen(tournament, client):
    answer = json.loads(client.read(at("feed:overall", tournament)))
    standings = standings_json(Rankings(tournament), OVERALL, 1)["standings"]

    assert [(line["number"], line["points"], line["augen"]) for line in answer["lines"]] == RANKING
    assert [
        (standing["number"], standing["total"], standing["augen"]) for standing in standings
    ] == RANKING


def test_a_tournament_by_minuspunkte_has_no_augen(client):
    tournament = played(rule_set=ruleset_to_dict(ruleset("rommeordnung")))

    answer = json.loads(client.read(at("feed:overall", tournament)))
    assert all("augen" not in line for line in answer["lines"])
    table = Rankings(tournament).table(OVERALL)
    assert not table.order.most_first


def test_the_press_text_names_winner_and_wertpunkte(tournament, staff):
    facts = press(tournament)
    (_label, best), *_others = facts["rankings"]

    assert [(line.rank, line.points) for line in best] == [(1, 12), (2, 10), (3, 7)]
    page = staff.read(at("results:press", tournament))
    assert "Es gewinnt, wer die meisten Wertpunkte hat." in page
    assert ": 12 Wertpunkte" in page


def test_the_result_of_a_tournament_that_is_over_is_in_wertpunkten():
    tournament = played(status=Status.VERIFIED, public_ranking="live")
    Serie.objects.update(closed_at=timezone.now())
    Tournament.objects.update(status=Tournament.Status.CLOSED)

    page = text(Client().read(at("public:tournament", tournament)))

    assert "12 Wertpunkte" in page
    assert "12 Punkte" not in page


def test_a_running_serie_adds_the_mean_of_each_missing_game(tournament):
    Spielliste.objects.update(status=Status.OPEN)
    serie = tournament.serien.get()
    list_of(serie, 2).games.filter(number=3).delete()

    lines = Rankings(tournament).standings(OVERALL, upto=1, running=True)

    # Game 3 brought table 1, a table of four, 9 Wertpunkte and 121 Augen to 4 seats. Tables of
    # three have not played it, so Nr. 5 to 7 get 9/4.
    result_of = {line.number: (line.total, float(line.compared)) for line in lines}
    assert result_of == {
        1: (7, 7),
        2: (3, 3),
        3: (10, 10),
        4: (6, 6),
        5: (6, 8.25),
        6: (10, 12.25),
        7: (0, 2.25),
    }
    assert [line.number for line in lines] == [6, 3, 5, 1, 4, 2, 7]


def test_seating_by_ranking_starts_with_the_most_wertpunkte(tournament):
    second = Serie.objects.create(tournament=tournament, number=2)

    task = with_ranking(second, {"players": [{"id": who} for who in range(1, 8)]}, "groups")

    assert task["ranking"] == [[6], [3], [1], [5], [4], [7], [2]]


# --- The list in every room ---------------------------------------------------------------------


def test_the_printed_list_shows_its_computation(tournament):
    said = words(tournament, "spiellisten-gespielt", serie=1, table=1)

    for part in (
        "Augen Wertp.",
        "A Augen 91 147 115 130",
        "B beendete Spiele 1 0 1 1",
        "C B × 5 5 0 5 5",
        "D Handrommé 0 0 1 0",
        "E D × 3 0 0 3 0",
        "I Wertpunkte für Augen 2 3 2 1",
        "Ergebnis 7 3 10 6",
        "Platz am Tisch 2. 4. 1. 3.",
        "Ergebnis = C + E + I. Die meisten Wertpunkte gewinnen",
    ):
        assert part in said, part


def test_running_sums_on_paper_are_wertpunkte(tournament):
    (data,) = Rankings(tournament).lists[:1]

    rows = data.rows(RULES)

    assert [[cell.written for cell in row.cells] for row in rows] == [
        ["0", "28", "55", "90"],
        ["61", "88", "0", "40"],
        ["30", "31", "60", "0"],
    ]
    assert [[cell.running for cell in row.cells] for row in rows] == [
        [5, 2, 1, 0],
        [5, 2, 9, 1],
        [7, 3, 10, 6],
    ]


def test_a_list_of_twenty_games_fits_one_sheet():
    rules = RULES.with_games(20)
    tournament = played(rule_set=ruleset_to_dict(rules), status=Status.OPEN)

    assert len(paper(tournament, "spiellisten", serie=1, table=1).pages) == 1


def test_checking_shows_both_sums_and_accepts_either(tournament, staff):
    spielliste = list_of(tournament.serien.get(), 1)
    page = staff.read(at("checking:list", tournament, 1, 1))

    (results,) = [row for rows in tables(page) for row in rows if row and row[0] == "Ergebnis"]
    assert results[2::2] == ["7", "3", "10", "6"]
    assert differences(spielliste, [91, 3, 115, 6]) == []
    (problem,) = differences(spielliste, [91, 4, 10, 6])
    assert problem.where == "paper_sums[1]"


def test_the_typed_paper_shows_running_wertpunkte(tournament, staff):
    Spielliste.objects.update(status=Status.OPEN)

    page = staff.read(at("hall:grid", tournament, 1, 1))

    assert "data-valuation=" in page
    last = page.split('data-row="3"')[1]
    assert [part.split("<")[0] for part in last.split('class="running">')[1:5]] == [
        *("7", "3", "10", "6")
    ]


def test_a_phone_gets_wertpunkte_and_augen():
    tournament = make_tournament(rule_set=ruleset_to_dict(RULES))
    spielliste = list_of(make_seated_serie(tournament, [make_players(tournament, 4)]))
    device = Device(spielliste)
    device.send("take_over")
    for at_game, each in enumerate(FOUR):
        answer = device.send("game", **game(at_game + 1, at_game, each, confirmed=True))
        assert answer.status_code == 200, answer.content

    state = device.state().json()
    page = device.client.get(device.path).content.decode()

    assert [(seat["total"], seat["augen"], seat["place"]) for seat in state["totals"]] == [
        (7, 91, 2),
        (3, 147, 4),
        (10, 115, 1),
        (6, 130, 3),
    ]
    assert [game["running"] for game in state["games"]][-1] == [7, 3, 10, 6]
    assert "Wer die meisten hat, gewinnt" in page


def test_strafpunkte_add_to_the_augen_and_cost_no_wertpunkte(tournament, client):
    spielliste = list_of(tournament.serien.get(), 1)
    third = tournament.registrations.get(number=3)
    Penalty.objects.create(
        spielliste=spielliste,
        registration=third,
        points=100,
        reason="§ 8.3",
        status=Penalty.Status.GIVEN,
        decided_at=timezone.now(),
    )

    lines = {standing.number: standing for standing in Rankings(tournament).standings(OVERALL)}
    said = words(tournament, "spiellisten-gespielt", serie=1, table=1)

    assert (lines[3].total, lines[3].augen) == (10, 215)
    assert "F Strafpunkte – – 100 –" in said
    assert "L Augen: A + F 91 147 215 130" in said
    player_access.store_tokens(tournament)
    third = tournament.registrations.select_related("person").get(number=3)
    assert "Augen zusammen 215" in text(client.read(player_path(third)))


def test_effects_of_proposed_strafpunkte_are_shown_in_augen(tournament, staff):
    third = tournament.registrations.get(number=3)
    Penalty.objects.create(
        spielliste=list_of(tournament.serien.get(), 1),
        registration=third,
        points=100,
        reason="§ 8.3",
        status=Penalty.Status.PROPOSED,
    )

    page = text(staff.read(at("checking:penalties", tournament, 1, 1)))

    assert "Serie 1: 10 · Augen 115 → wird 215 · Platz gesamt: 2." in page


def test_a_list_that_ended_early_is_rounded_down_and_its_augen_up(tournament):
    tournament.ended_lists = Tournament.EndedLists.EXTRAPOLATED
    tournament.rule_set = ruleset_to_dict(RULES.with_games(4))
    tournament.save()
    Spielliste.objects.filter(table__number=1).update(
        ended_games=3, ended_counts="extrapolated", ended_reason="Feueralarm"
    )

    lines = {standing.number: standing for standing in Rankings(tournament).standings(OVERALL)}

    # 7 × 4 ÷ 3 = 9.33, 91 × 4 ÷ 3 = 121.33; 10 × 4 ÷ 3 = 13.33, 115 × 4 ÷ 3 = 153.33
    assert (lines[1].total, lines[1].augen) == (9, 122)
    assert (lines[3].total, lines[3].augen) == (13, 154)


def test_a_bussgeld_by_points_uses_the_augen(tournament):
    tariff = PerPoints(cents=50, points=50)
    tournament.bussgeld = tariff.to_dict()
    tournament.save()
    (data, *_other) = load_lists(tournament)

    # Augen 91, 147, 115, 130
    assert bussgeld_by_seat(data, RULES, tariff) == {1: 50, 2: 100, 3: 100, 4: 100}
    assert "Gemeint sind die Augen der Liste" in bussgeld_text(tournament)


def test_a_bussgeld_by_place_is_most_for_the_fewest_wertpunkte(tournament):
    (data, *_other) = load_lists(tournament)

    amounts = bussgeld_by_seat(data, RULES, PerPlace(cents=(0, 100, 200, 300)))

    assert amounts == {1: 100, 2: 300, 3: 0, 4: 200}


# --- Effects, own page, statistics, seasons, records --------------------------------------------


def test_a_correction_of_augen_alone_is_notified(tournament):
    spielliste = list_of(tournament.serien.get(), 1)
    written = {**FOUR[0], "minus": [0, 28, 55, 95]}  # Nr. 4: 95 for 90, still none

    corrections.correct_list(
        acting(tournament),
        spielliste.pk,
        kind=Correction.Kind.LINE,
        facts={"game": 1, "line": written},
        reason="verrechnet",
    )

    stored = Correction.objects.get().effects["persons"]
    (fourth,) = [registration for registration in stored if registration["number"] == 4]
    assert (fourth["points"], fourth["augen"]) == ([6, 6], [130, 135])
    (told,) = notice_texts.texts(Notice.objects.filter(registration__number=4))
    assert "Ihre Augen in Serie 1: vorher 130, jetzt 135." in told.effects


def test_the_own_page_has_wertpunkte_and_augen(tournament, client):
    third = tournament.registrations.select_related("person").get(number=3)
    player_access.store_tokens(tournament)

    page = text(client.read(player_path(third)))

    assert "Rang 2 von 7 10 Wertpunkte, 115 Augen" in page
    assert "Augen 115" in page
    assert "Ergebnis 10" in page


def test_the_course_of_points_uses_wertpunkte(tournament):
    rankings = Rankings(tournament)
    (serie,) = course_of(played_lists(rankings, rankings.by_number[3]))

    assert [game.running for game in serie.games] == [1, 9, 10]
    assert serie.total == 10


def test_best_lists_have_the_most_wertpunkte(tournament):
    best = Statistics(Rankings(tournament)).best_lists

    assert [line.registration.number for line in best] == [6, 3, 1, 5, 4]


def test_a_season_adds_wertpunkte_and_its_record_is_the_most(tournament):
    tournament.status = Tournament.Status.CLOSED
    tournament.save()
    season = Season.objects.create(
        owner=tournament.owner,
        created_by=make_member(tournament, Role.VERANSTALTER),
        name="Pokal",
        slug="pokal",
        counting="points",
        best=1,
    )
    season.tournaments.add(tournament)

    lines = standing(season).lines
    records = {record.what: record.value for record in honours(tournament.owner).records}

    assert [line.value for line in lines] == [12, 10, 7, 7, 6, 5, 3]
    assert records["Die meisten Wertpunkte in einer Serie"] == 12
    assert "Die wenigsten Punkte in einer Serie" not in records
    page = text(Client().read(at("seasons:season", "pokal")))
    assert "Wertpunkte zusammen, die meisten gewinnen" in page


def by_minuspunkte() -> Tournament:
    return played(
        rule_set=ruleset_to_dict(replace(ruleset("rommeordnung"), games_free=True).with_games(3)),
        slug="z-minus",
    )


def test_a_season_by_points_accepts_one_kind_of_points(tournament):
    other = by_minuspunkte()
    user = make_head(tournament.owner)
    chosen = {"name": "Pokal", "best": 1, "table": [], "tournaments": [tournament.pk, other.pk]}

    with pytest.raises(TournamentError, match="Minuspunkte und Wertpunkte lassen sich nicht"):
        create_season(owner=tournament.owner, user=user, counting="points", **chosen)

    assert create_season(owner=tournament.owner, user=user, counting="ranks", **chosen).pk


def test_a_tournament_of_another_kind_does_not_count_in_a_season(tournament):
    other = by_minuspunkte()
    Tournament.objects.update(status=Tournament.Status.CLOSED)
    season = Season.objects.create(
        owner=tournament.owner,
        created_by=make_head(tournament.owner),
        name="Pokal",
        slug="pokal",
        counting="points",
        best=1,
    )
    season.tournaments.set([tournament, other])

    so_far = standing(season)

    assert so_far.counted == (tournament,)
    assert so_far.missing == (other,)


def test_effects_with_minuspunkte_have_no_augen():
    tournament = by_minuspunkte()

    corrections.correct_list(
        acting(tournament),
        list_of(tournament.serien.get(), 1).pk,
        kind=Correction.Kind.LINE,
        facts={"game": 1, "line": {**FOUR[0], "minus": [0, 28, 55, 95]}},
        reason="verrechnet",
    )

    persons = Correction.objects.get().effects["persons"]
    assert persons
    assert not any("augen" in person for person in persons)


# --- Archive ------------------------------------------------------------------------------------


def test_an_archive_with_wertpunkte_comes_back_equal(tournament):
    first = saved(tournament)
    data = json.loads(first)
    assert data["tournament"]["rule_set"]["valuation"]["finish"] == {"3": 5, "4": 5}

    again = import_archive(first.encode(), actor=COMMAND, replace=True)

    assert [
        (standing.number, standing.total) for standing in Rankings(again).standings(OVERALL)
    ] == [(who, points) for who, points, _augen in RANKING]
    assert json.loads(archive_text(again))["tournament"] == data["tournament"]
