"""The dealer sits out: on the phone, on paper, in corrections, rankings and archives."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from django.urls import reverse

from scoring.errors import ScoringError
from scoring.payments.bussgeld import PerGame
from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.clients import Client
from tests.clients import plain as text_of
from tests.factories import COMMAND, acting, make_member
from tests.factories_lists import list_of, write_games
from tests.tournaments.archive.helpers import saved, unsealed
from tests.tournaments.lists.helpers import game, keeper_of
from tests.tournaments.lists.sitting_out import (
    FOUR,
    OWN,
    THREE,
    VALUED_FOUR,
    VALUED_THREE,
    of_four,
    sitting_out,
    valued_four,
)
from tests.tournaments.printing.helpers import paper, words
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.checking.services.checking import differences
from tournaments.common.access_keys import player_path
from tournaments.corrections.services import corrections
from tournaments.corrections.services import moves as corrections_moves
from tournaments.corrections.services.base import TournamentLists
from tournaments.journal.queries.facts import line_text
from tournaments.lists.queries.bussgeld import bussgeld_by_seat
from tournaments.lists.queries.loading import load_lists
from tournaments.models import Correction, Game, Role, Serie, Spielliste
from tournaments.practice.demo.tables import play_list
from tournaments.results.queries.charts import course_of
from tournaments.results.queries.player_results import played_lists
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.results.queries.statistics import Statistics
from tournaments.results.services import player_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status


def totals(serie: Serie) -> dict[int, int | None]:
    lines = Rankings(serie.tournament).standings(OVERALL)
    return {line.number: line.series_totals[0] for line in lines}


def lead(serie: Serie) -> Client:
    client = Client()
    client.force_login(make_member(serie.tournament, Role.SPIELLEITUNG))
    return client


# --- The phone ----------------------------------------------------------------------------


def test_phone_sends_a_whole_list_of_twenty_games():
    serie = sitting_out()
    keeper = keeper_of(list_of(serie))

    for number, line in enumerate(FOUR, start=1):
        answer = keeper.send("game", **game(number, number - 1, line, confirmed=True))
        assert answer.status_code == 200, answer.content

    state = answer.json()["state"]
    assert (state["status"], state["games_wanted"], state["next"]) == ("complete", 20, None)
    # Minus 250, five games finished: 250 − 5 × 20 (§ 3.2.1).
    assert [seat["total"] for seat in state["totals"]] == [150] * 4
    assert list(Game.objects.order_by("number").values_list("line", flat=True)) == FOUR


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ({**FOUR[0], "minus": [12, 0, 20, 30]}, "minus[0]"),
        ({**FOUR[0], "finisher": 1, "minus": [None, 10, 20, 30]}, "finisher"),
        ({**FOUR[0], "minus": [None, 0, None, 30]}, "minus[2]"),
    ],
    ids=["a hand of the dealer", "the dealer finishes", "no hand of who plays"],
)
def test_a_phone_sending_other_hands_is_refused(line: dict[str, Any], where: str):
    keeper = keeper_of(list_of(sitting_out()))

    answer = keeper.send("game", **game(line=line))

    assert answer.status_code == 422
    assert where in [problem["where"] for problem in answer.json()["problems"]]
    assert not Game.objects.exists()


def test_the_plain_form_has_three_hands_and_names_the_dealer():
    serie = sitting_out()
    keeper = keeper_of(list_of(serie))
    name = serie.tables.get().seats.get(number=1).registration.person.full_name

    page = keeper.client.get(keeper.path)

    assert f"{name} gibt und setzt aus" in text_of(page)
    assert 'name="minus_1"' not in page.content.decode()
    assert 'name="minus_2"' in page.content.decode()


def test_the_plain_form_keeps_typed_hands():
    serie = sitting_out()
    keeper = keeper_of(write_games(list_of(serie), FOUR[:2]))
    typed = {"kind": "change", "number": "1", "version": "2", "finisher": "2"}
    typed |= {"minus_2": "0", "minus_3": "21", "minus_4": "30", "consents": "3"}

    refused = keeper.client.post(f"{keeper.path}formular/", {**typed, "minus_1": "40"})
    keeper.client.post(f"{keeper.path}formular/", typed)

    assert "da steht keine Hand" in text_of(refused)
    assert Game.objects.get(number=1).line["minus"] == [None, 0, 21, 30]


# --- Paper ----------------------------------------------------------------------------------


def cells(lines: list[dict[str, Any]]) -> dict[str, str]:
    return {
        f"c{number}_{seat}": "0" if line["finisher"] == seat else str(points)
        for number, line in enumerate(lines, start=1)
        for seat, points in enumerate(line["minus"], start=1)
        if points is not None
    }


def test_a_paper_list_is_typed_without_cells_of_the_dealer():
    serie = sitting_out()
    path = reverse("hall:grid", args=[serie.tournament.slug, 1, 1])
    client = lead(serie)

    page = client.get(path).content.decode()
    client.post(path, {"version": "0", **cells(FOUR), "sum_1": "250"})

    assert page.count("disabled placeholder") == 20
    assert list(Game.objects.order_by("number").values_list("line", flat=True)) == FOUR
    assert list_of(serie).status == Status.COMPLETE


def test_a_hand_of_the_dealer_is_refused_even_with_a_reason():
    serie = sitting_out()
    path = reverse("hall:grid", args=[serie.tournament.slug, 1, 1])
    typed = {**cells(FOUR[:1]), "c1_1": "40", "override_reason": "so steht es da"}

    answer = lead(serie).post(path, {"version": "0", **typed})

    assert "da steht keine Hand" in text_of(answer)
    assert not Game.objects.exists()


def test_blank_list_of_twenty_games_fits_the_sheet_with_struck_cells():
    serie = sitting_out()

    printed = paper(serie.tournament, "spiellisten", serie=1)

    assert len(printed.pages) == 1
    assert printed.pages[0].count("–") == 20
    assert "muss 20 sein" in printed.text


def test_played_list_prints_struck_cells_and_its_sums():
    serie = sitting_out()
    write_games(list_of(serie), FOUR, status=Status.COMPLETE)

    said = words(serie.tournament, "spiellisten-gespielt", serie=1)

    # Game 2: place 2 deals, place 3 finishes, 4 has 20 and 1 has 30.
    assert "2 2 30 30 – 0 0 20 20 50" in said
    assert "wie gespielt" in said


# --- Results of a list ------------------------------------------------------------------------


def test_tables_of_four_and_three_rank_together_with_fifteen_own_games():
    serie = sitting_out((4, 3))
    write_games(list_of(serie, 1), FOUR, status=Status.VERIFIED)
    write_games(list_of(serie, 2), THREE, status=Status.VERIFIED)

    # 250 − 5 × 20 and 250 − 5 × 15 (§ 3.2.1).
    assert totals(serie) == dict.fromkeys(range(1, 5), 150) | dict.fromkeys(range(5, 8), 175)
    assert set(Rankings(serie.tournament).own_games.values()) == {15}


def end(serie: Serie, games: int, *, written: int = 0) -> None:
    write_games(list_of(serie), FOUR[written:games])
    corrections.correct_list(
        acting(serie.tournament),
        list_of(serie).pk,
        kind=Correction.Kind.ENDED,
        facts={"ended": {"games": games, "left": []}},
        reason="Zeit abgelaufen",
    )


def test_list_that_ends_early_is_scaled_by_the_own_games_of_each():
    serie = sitting_out()

    end(serie, 9)

    # Place 1 dealt games 1, 5 and 9: 100 − 40 in six games, × 15 ÷ 6. The others have seven:
    # 100 − 60, 120 − 40 and 130 − 40, × 15 ÷ 7, rounded up.
    assert totals(serie) == {1: 150, 2: 86, 3: 172, 4: 193}
    assert "Beendet nach Spiel 9 von 20" in words(serie.tournament, "spiellisten-gespielt", serie=1)


def test_list_that_ends_after_a_round_has_one_factor_on_paper():
    serie = sitting_out()

    end(serie, 8)

    # Six own games of each: 100 − 40, × 15 ÷ 6, so (A − C − E) × 9 ÷ 6 comes on top.
    assert totals(serie) == dict.fromkeys(range(1, 5), 150)
    assert "(A − C − E) × 9 ÷ 6" in words(serie.tournament, "spiellisten-gespielt", serie=1)


def test_a_list_counting_as_played_scales_no_result():
    serie = sitting_out(ended_lists="as_played")

    end(serie, 9)

    assert totals(serie) == {1: 60, 2: 40, 3: 80, 4: 90}


@pytest.mark.parametrize("counts", ["as_played", "extrapolated"])
def test_sitting_out_the_only_game_gives_no_result(counts: str):
    serie = sitting_out(ended_lists=counts)

    end(serie, 1)

    # Place 1 dealt game 1; with the fewest points winning, 0 would lead.
    assert totals(serie)[1] is None
    assert None not in [points for number, points in totals(serie).items() if number != 1]


def change_seats(serie: Serie, *numbers: int) -> None:
    places = corrections_moves.places_of_rings(serie, [numbers])
    corrections_moves.move_at_the_tables(
        acting(serie.tournament),
        serie.pk,
        facts={"places": places, "games": "person"},
        versions=dict(Spielliste.objects.values_list("pk", "version")),
        reason="Sehbehinderung",
    )


def test_a_list_as_played_scales_no_change_of_seats():
    serie = sitting_out(ended_lists="as_played")
    write_games(list_of(serie), FOUR[:1])
    change_seats(serie, 1, 2)

    end(serie, 9, written=1)

    # Nr. 1 dealt game 1, and games 2 and 6 on place 2: 100 − 40 in six games. Nr. 2 finished game 1
    # and dealt 5 and 9 on place 1: 100 − 60 in seven. The others as they sat: 120 − 40, 130 − 40.
    assert totals(serie) == {1: 60, 2: 40, 3: 80, 4: 90}


def test_bussgeld_counts_own_games_after_a_change_of_seats():
    serie = sitting_out()
    write_games(list_of(serie), FOUR[:1])
    change_seats(serie, 1, 2)
    write_games(list_of(serie), FOUR[1:], status=Status.COMPLETE)
    (data,) = load_lists(serie.tournament)

    # Nr. 1 on place 2 finished four of 14 games, Nr. 2 on place 1 six of 16, the others five of 15.
    assert bussgeld_by_seat(data, OWN, PerGame(cents=10)) == dict.fromkeys(range(1, 5), 100)


def test_paper_may_sum_the_augen_of_a_column_after_a_change():
    serie = sitting_out(rule_set=VALUED)
    write_games(list_of(serie), VALUED_FOUR[:1])
    change_seats(serie, 1, 3)
    spielliste = write_games(list_of(serie), VALUED_FOUR[1:], status=Status.HANDED_IN)

    # Game 1 of place 3 is now of Nr. 3 on place 1: the columns still have 415 and 427.
    assert differences(spielliste, [415, 415, 427, 415]) == []
    assert [difference.where for difference in differences(spielliste, [416])] == ["paper_sums[0]"]


def test_change_of_tables_counts_own_games_of_both():
    serie = sitting_out((4, 4))
    write_games(list_of(serie, 1), FOUR[:1])
    write_games(list_of(serie, 2), FOUR[:9])
    places = corrections_moves.places_of_rings(serie, [[1, 5]])
    facts = {"places": places, "games": "person"}
    move = corrections_moves.make_move(TournamentLists(serie.tournament), serie, facts)
    corrections_moves.move_at_the_tables(
        acting(serie.tournament),
        serie.pk,
        facts=facts,
        versions=dict(Spielliste.objects.values_list("pk", "version")),
        reason="Sehbehinderung",
    )
    write_games(list_of(serie, 1), FOUR[1:], status=Status.SIGNED)
    write_games(list_of(serie, 2), FOUR[9:], status=Status.SIGNED)

    # Nr. 1 dealt the only game of table 1, and plays nine of eleven at table 2: 150 − 60 = 90,
    # × 15 ÷ 9. Nr. 5 has six with 60 and fifteen with 150: 210 × 15 ÷ 21.
    (said,) = [warning.message for warning in move.warnings if warning.where == "games"]
    assert "Nr. 1 kommt in dieser Serie auf 9 Spiele statt 15" in said
    assert "Nr. 5 kommt in dieser Serie auf 21 Spiele statt 15" in said
    assert totals(serie) == dict.fromkeys(range(1, 9), 150)


def test_change_of_seats_within_a_table_counts_own_games():
    serie = sitting_out()
    write_games(list_of(serie), FOUR[:1])
    corrections_moves.move_at_the_tables(
        acting(serie.tournament),
        serie.pk,
        facts={"places": corrections_moves.places_of_rings(serie, [[1, 2]]), "games": "person"},
        versions=dict(Spielliste.objects.values_list("pk", "version")),
        reason="Sehbehinderung",
    )
    write_games(list_of(serie), FOUR[1:], status=Status.SIGNED)

    # Nr. 1 dealt game 1 and then five more on place 2: 250 − 80 = 170 in 14 games, × 15 ÷ 14.
    # Nr. 2 finished game 1 and dealt four on place 1: 250 − 120 = 130 in 16, × 15 ÷ 16.
    assert totals(serie) == {1: 183, 2: 122, 3: 150, 4: 150}
    rankings = Rankings(serie.tournament)
    assert rankings.with_more_games(1) == {rankings.by_number[2].pk}


def test_own_page_and_feed_count_own_games():
    serie = sitting_out()
    player_access.store_tokens(serie.tournament)
    write_games(list_of(serie), FOUR[:9])
    registration = Rankings(serie.tournament).by_number[1]

    page = text_of(Client().get(player_path(registration)))
    path = reverse("feed:overall", args=[serie.tournament.slug])
    answer = Client().get(f"{path}?laufend=1").json()

    # Place 1 has dealt games 1, 5 and 9.
    assert "nach Spiel 6" in page
    assert {line["number"]: line["games"] for line in answer["lines"]} == {1: 6, 2: 7, 3: 7, 4: 7}


def test_running_serie_compares_by_own_games():
    serie = sitting_out((4, 4))
    write_games(list_of(serie, 1), FOUR[:2])
    write_games(list_of(serie, 2), FOUR[:1])

    lines = Rankings(serie.tournament).standings(OVERALL, running=True)
    line_of = {line.number: (line.total, line.games, line.compared) for line in lines}

    # The first own game brought 30 to place 1 (game 2), −20 to 2, 20 to 3, 30 to 4, and at the
    # other table −20, 20, 30: 90 ÷ 7. The second one brought −20 to place 3, 20 to place 4: 0.
    assert {number: each[:2] for number, each in line_of.items()} == {
        1: (30, 1),
        2: (-20, 1),
        3: (0, 2),
        4: (50, 2),
        5: (0, 0),
        6: (-20, 1),
        7: (20, 1),
        8: (30, 1),
    }
    assert [line_of[number][2] * 7 for number in (1, 3, 5, 7)] == [210, 0, 90, 140]


def test_bussgeld_per_game_counts_own_games():
    serie = sitting_out()
    write_games(list_of(serie), FOUR, status=Status.COMPLETE)
    (data,) = load_lists(serie.tournament)

    # Fifteen games each, five of them finished.
    assert bussgeld_by_seat(data, OWN, PerGame(cents=10)) == dict.fromkeys(range(1, 5), 100)


def test_list_statistics_and_course_omit_games_sat_out():
    serie = sitting_out()
    write_games(list_of(serie), FOUR, status=Status.VERIFIED)
    rankings = Rankings(serie.tournament)
    (own,) = played_lists(rankings, rankings.by_number[1])

    (course,) = course_of([own])
    assert [number for number, _cell in own.own_games][:4] == [2, 3, 4, 6]
    assert len(course.games) == 15
    assert {row.points for row in Statistics(rankings).highest_hands} == {30}
    assert rankings.with_more_games(1) == set()


# --- Wertpunkte ---------------------------------------------------------------------------------

# Table 1: 40, 43, 39, 40 with Augen 415, 415, 427, 415; table 2: 43, 39, 40 with 415, 427, 415.
ORDER = [(1, 2), (1, 5), (3, 1), (3, 4), (3, 7), (6, 3), (6, 6)]
VALUED = ruleset_to_dict(ruleset("wertpunkte-geber"))


def by_wertpunkte() -> Serie:
    serie = sitting_out((4, 3), rule_set=VALUED)
    write_games(list_of(serie, 1), VALUED_FOUR, status=Status.VERIFIED)
    write_games(list_of(serie, 2), VALUED_THREE, status=Status.VERIFIED)
    return serie


def test_tables_of_four_and_three_are_comparable_by_wertpunkte():
    lines = Rankings(by_wertpunkte().tournament).standings(OVERALL)

    assert sorted((line.rank, line.number) for line in lines) == ORDER
    assert {(line.total, line.augen) for line in lines} == {(43, 415), (40, 415), (39, 427)}


def test_phone_keeps_a_list_by_wertpunkte():
    keeper = keeper_of(list_of(sitting_out(rule_set=VALUED)))

    for number, line in enumerate(VALUED_FOUR, start=1):
        answer = keeper.send("game", **game(number, number - 1, line, confirmed=True))

    state = answer.json()["state"]
    assert state["status"] == "complete"
    assert [(seat["total"], seat["augen"]) for seat in state["totals"]] == [
        (40, 415),
        (43, 415),
        (39, 427),
        (40, 415),
    ]


def test_paper_has_augen_and_wertpunkte_and_strikes_the_dealer():
    serie = by_wertpunkte()

    said = words(serie.tournament, "spiellisten-gespielt", serie=1)
    blank = paper(serie.tournament, "spiellisten", serie=1)

    # Game 2: place 2 deals, 3 finishes (1 + 5), 4 has 28 (1 + 2), 1 has 55 (0 + 1).
    assert "2 2 55 1 – 8 0 6 28 3" in said
    assert len(blank.pages) == 2  # one for each table


def test_list_by_wertpunkte_that_ends_early_is_scaled_by_own_games():
    serie = sitting_out(rule_set=VALUED)
    write_games(list_of(serie), [valued_four(game) for game in range(1, 10)])
    corrections.correct_list(
        acting(serie.tournament),
        list_of(serie).pk,
        kind=Correction.Kind.ENDED,
        facts={"ended": {"games": 9, "left": []}},
        reason="Zeit abgelaufen",
    )

    lines = Rankings(serie.tournament).standings(OVERALL)
    # Place 1: 16 and 166 in six own games, × 15 ÷ 6. The others in seven: 21, 18 and 17, × 15 ÷ 7
    # rounded down; 166, 194 and 221 rounded up.
    assert {line.number: (line.total, line.augen) for line in lines} == {
        1: (40, 415),
        2: (45, 356),
        3: (38, 416),
        4: (36, 474),
    }


def test_an_archive_with_wertpunkte_round_trips():
    serie = by_wertpunkte()
    first = saved(serie.tournament)

    tournament = import_archive(first.encode(), actor=COMMAND, replace=True)

    lines = Rankings(tournament).standings(OVERALL)
    assert sorted((line.rank, line.number) for line in lines) == ORDER
    assert unsealed(archive_text(tournament))["series"] == unsealed(first)["series"]


# --- Corrections and the archive ----------------------------------------------------------------


def test_the_correction_form_has_no_field_for_the_dealer():
    serie = sitting_out()
    spielliste = write_games(list_of(serie), FOUR, status=Status.VERIFIED)
    path = reverse("checking:line", args=[serie.tournament.slug, 1, 1])

    page = lead(serie).get(f"{path}?spiel=1&platz=1").content.decode()
    corrections.correct_line(
        acting(serie.tournament),
        spielliste.pk,
        game=1,
        line={**FOUR[0], "minus": [None, 0, 26, 30]},
        reason="verlesen",
        version=spielliste.version,
    )

    assert ('name="minus_1"' in page, 'name="minus_2"' in page) == (False, True)
    assert totals(serie) == {1: 150, 2: 150, 3: 156, 4: 150}
    assert line_text(FOUR[0]) == "Platz 2 · – | 0 | 20 | 30"


def test_checking_opens_no_cell_of_the_dealer():
    serie = sitting_out()
    write_games(list_of(serie), FOUR, status=Status.HANDED_IN)
    place, client = [serie.tournament.slug, 1, 1], lead(serie)

    page = client.get(reverse("checking:list", args=place)).content.decode()
    answer = client.post(
        reverse("checking:verify", args=place), {"version": "20", "command": "1 1 38"}
    )
    other = client.post(
        reverse("checking:verify", args=place), {"version": "20", "command": "1 3 38"}
    )

    assert "spiel=1&amp;platz=1&" not in page.replace('"', "&")
    assert "spiel=1&amp;platz=3&" in page.replace('"', "&")
    assert "Platz 1 gibt Spiel 1 und setzt aus; da steht keine Hand." in text_of(answer)
    assert other["Location"].endswith("spiel=1&platz=3&punkte=38")


def test_an_archive_round_trips_byte_for_byte():
    serie = sitting_out((4, 3))
    write_games(list_of(serie, 1), FOUR, status=Status.VERIFIED)
    write_games(list_of(serie, 2), THREE, status=Status.VERIFIED)
    first = saved(serie.tournament)
    data = unsealed(first)

    tournament = import_archive(first.encode(), actor=COMMAND, replace=True)

    assert data["series"][0]["tables"][0]["list"]["games"] == FOUR
    again = unsealed(archive_text(tournament))
    assert again["series"] == data["series"]
    assert {line.total for line in Rankings(tournament).standings(OVERALL)} == {150, 175}


def test_an_archive_with_a_hand_of_the_dealer_is_refused():
    serie = sitting_out()
    write_games(list_of(serie), FOUR, status=Status.VERIFIED)
    data = unsealed(saved(serie.tournament))
    data["tournament"]["slug"] = "kopie"
    data["series"][0]["tables"][0]["list"]["games"][0]["minus"][0] = 12

    with pytest.raises(ScoringError) as refused:
        import_archive(json.dumps(data).encode(), actor=COMMAND)

    assert "series[0].tables[0].list.games[0].minus[0]" in [
        problem.where for problem in refused.value.problems
    ]


def test_a_trial_run_continues_with_the_right_dealer():
    lines = play_list(Random(1), OWN, 4, 17, after=3)  # noqa: S311 - the same lines each time

    assert [line["minus"].index(None) + 1 for line in lines] == [
        of_four(game)["minus"].index(None) + 1 for game in range(4, 21)
    ]
