"""Ended lists beside running ones, and people who changed tables (§ 2.2.1)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.factories import acting, make_players, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.factories_results import play_serie
from tests.worlds import world
from tournaments.checking import queries as checking_queries
from tournaments.common.actors import Actor
from tournaments.common.rules import rule_set_of
from tournaments.corrections.services import corrections
from tournaments.corrections.services import moves as corrections_moves
from tournaments.models import Correction, Serie, Spielliste, Tournament
from tournaments.results.queries.player_results import played_lists
from tournaments.results.queries.rankings import OVERALL, Rankings

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status


def changed(first: int = 4, second: int = 5) -> Serie:
    """Nr. 1 changes with Nr. 5 after so many games; the first table ends after game 8."""
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    serie = make_seated_serie(tournament, tables=2)
    write_games(list_of(serie, 1), FOUR[:first])
    write_games(list_of(serie, 2), FOUR[:second])
    by = acting(tournament)
    versions = dict(Spielliste.objects.values_list("pk", "version"))
    places = corrections_moves.places_of_rings(serie, [[1, 5]])
    facts = {"places": places, "games": "person"}
    corrections_moves.move_at_the_tables(
        by, serie.pk, facts=facts, versions=versions, reason="Sehbehinderung"
    )
    write_games(list_of(serie, 1), FOUR[first:8])
    end(serie, 1, by)
    return serie


def end(serie: Serie, table: int, by: Actor, *, left: tuple[int, ...] = ()) -> None:
    spielliste = list_of(serie, table)
    corrections.correct_list(
        by,
        spielliste.pk,
        kind=Correction.Kind.ENDED,
        facts={"ended": {"games": spielliste.games.count(), "left": list(left)}},
        reason="Zeit abgelaufen",
    )


serie = world(changed)


def test_an_ended_list_counts_as_played_while_others_play(serie: Serie):
    write_games(list_of(serie, 2), FOUR[5:9])

    lines = Rankings(serie.tournament).standings(OVERALL, upto=1, running=True)

    line_of = {line.number: (line.total, line.games, line.compared) for line in lines}
    # Game 9 added 44 + 16 + 37 − 20 = 77 at table 2, 19¼ each; no other table has played it.
    game_9 = Fraction(77, 4)
    # Eight games: 209 − 40 − 50, 231 − 40, 266 − 20.
    assert line_of[2] == (119, 8, 119 + game_9)
    assert line_of[3] == (191, 8, 191 + game_9)
    assert line_of[4] == (246, 8, 246 + game_9)
    # Nr. 1: 72 − 20 at table 1, then games 6 to 9: 62 + 19 − 20 + 44. Eight of their own.
    assert line_of[1] == (52 + 105, 8, 157 + game_9)
    # Nr. 5: 72 − 40 in five games at table 2, 81 − 40 in games 5 to 8: nine.
    assert line_of[5] == (32 + 41, 9, 73)


def test_a_persons_own_games_are_scaled_to_twelve_once(serie: Serie):
    write_games(list_of(serie, 2), FOUR[5:], status=Status.SIGNED)

    lines = Rankings(serie.tournament).standings(OVERALL)

    # Nr. 1 has 4 + 7 games: 52 + 218 − 40 = 230, × 12 ÷ 11 = 250.9… Nr. 5 has 5 + 4 games: 32 + 41
    # = 73, × 12 ÷ 9 = 97.33… All others have eight at table 1 (× 12 ÷ 8), or all twelve.
    totals = {1: 251, 5: 98, 2: 179, 3: 287, 4: 369, 6: 201, 7: 279, 8: 301}
    assert {line.number: line.total for line in lines} == totals


def test_games_at_an_ended_and_another_table_are_added():
    serie = changed(3, 3)
    write_games(list_of(serie, 2), FOUR[3:], status=Status.SIGNED)

    total_of = {line.number: line.total for line in Rankings(serie.tournament).standings(OVERALL)}

    # Both seats are equal until game 8, so Nr. 1 has the result of a whole list: 290 − 80.
    assert total_of[1] == 210
    # Nr. 5 has three and five: 153 − 60 = 93, × 12 ÷ 8 = 139.5.
    assert total_of[5] == 140


def test_own_page_and_list_add_up_to_the_ranked_result(serie: Serie):
    write_games(list_of(serie, 2), FOUR[5:], status=Status.SIGNED)
    tournament = serie.tournament
    rankings = Rankings(tournament)

    # The scaled part is shown at the current table: Nr. 1 at table 2, Nr. 5 at table 1.
    for number, parts in ((1, [52, 178 + 21]), (5, [41 + 25, 32])):
        person = tournament.registrations.get(number=number)
        assert [played_list.mine.total for played_list in played_lists(rankings, person)] == parts
    page = checking_queries.sheet(list_of(serie, 1))
    # Table 1 alone knows of the five games of Nr. 5 at table 2.
    assert [column.result.total for column in page.columns] == [66, 179, 287, 369]
    assert [moved.total for moved in page.moves.games] == [52]


def test_a_player_continuing_at_another_table_is_not_scaled(serie: Serie):
    write_games(list_of(serie, 2), FOUR[5:9])

    (first, *_others) = Rankings(serie.tournament).lists
    result_of = first.counted(rule_set_of(serie.tournament))

    by_number = {
        serie.tournament.registrations.get(pk=owner).number: result.total
        for owner, result in result_of.items()
    }
    # Nr. 1 sits at table 2, which plays; Nr. 5 has games there, and may yet be moved back.
    assert by_number == {1: 52, 5: 41, 2: 179, 3: 287, 4: 369}


def test_a_leaver_has_no_result_for_earlier_tables(serie: Serie):
    by = acting(serie.tournament)
    write_games(list_of(serie, 2), FOUR[5:9])
    end(serie, 2, by, left=(1,))

    lines = Rankings(serie.tournament).standings(OVERALL)

    assert {line.number: line.results for line in lines}[1] == 0


def test_a_correction_names_ranks_after_the_last_whole_serie():
    tournament = make_tournament(serien=2, status=Tournament.Status.RUNNING)
    players = make_players(tournament, 8)
    rows = [players[:4], players[4:]]
    play_serie(tournament, rows, [(100, 110, 120, 130), (105, 115, 125, 135)])
    running = make_seated_serie(tournament, rows, number=2)
    write_games(list_of(running, 1), FOUR, status=Status.SIGNED)
    write_games(list_of(running, 2), FOUR[:3])
    line = {"finisher": 1, "handromme": False, "minus": [0, 123, 45, 12]}

    preview = corrections.preview(
        tournament=tournament,
        kind=Correction.Kind.LINE,
        facts={"game": 1, "line": line},
        spielliste_id=list_of(running, 1).pk,
    ).effects

    # After Serie 1: 100, 105, 110, 115, … Playing Serie 2 sooner does not lead.
    assert [person.rank for person in preview.persons] == [(1, 1), (3, 3), (5, 5), (7, 7)]
    assert preview.upto == 1
    assert preview.persons[1].points == (201, 301)
    assert preview.persons[1].total == (110, 110)
    assert preview.persons[1].serie_rank == (None, None)
    assert preview.others == ()


def test_in_the_first_serie_a_correction_names_no_rank():
    tournament = make_tournament()
    serie = make_seated_serie(tournament, tables=2)
    write_games(list_of(serie, 1), FOUR, status=Status.SIGNED)

    preview = corrections.preview(
        tournament=tournament,
        kind=Correction.Kind.LINE,
        facts={"game": 1, "line": {**FOUR[0], "minus": [0, 123, 45, 12]}},
        spielliste_id=list_of(serie, 1).pk,
    ).effects

    assert [person.rank for person in preview.persons] == [(None, None)] * 4
    assert preview.persons[1].points == (201, 301)
    assert preview.persons[1].total == (None, None)
