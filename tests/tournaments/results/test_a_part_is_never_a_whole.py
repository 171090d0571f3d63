"""A part of a Serie never counts as a whole: own games are scaled once (§ 2.2.1)."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from scoring.rulesets import ruleset
from scoring.tally import SEPARATOR
from tests.factories import acting, make_member, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.factories_results import make_team
from tests.tournaments.printing.helpers import words
from tournaments.checking import queries as checking_queries
from tournaments.common.access_keys import player_path
from tournaments.corrections.services import corrections
from tournaments.corrections.services import moves as corrections_moves
from tournaments.corrections.services.base import TournamentLists
from tournaments.lists.queries.data import ListData
from tournaments.lists.queries.loading import load_lists, with_others
from tournaments.models import Correction, Penalty, Ranking, Role, Serie, Spielliste, Tournament
from tournaments.results.queries.charts import course_of
from tournaments.results.queries.player_results import played_lists
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.results.queries.statistics import Statistics
from tournaments.results.services import player_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status
Counts = Tournament.EndedLists

# Everybody finishes each fourth game and has 25 in all others: four games bring 3 × 25 − 20 = 55,
# twelve 165. Seat 1 finishes games 1, 5 and 9.
EVEN = [
    {
        "finisher": at % 4 + 1,
        "handromme": False,
        "minus": [25 * (seat != at % 4) for seat in range(4)],
    }
    for at in range(12)
]
REASON = "Sehbehinderung"


def exchange(first: int, second: int, *, tables: int = 2, **fields) -> Serie:
    """Nr. 1 and 5 exchange tables after so many games of tables 1 and 2; their games go along."""
    tournament = make_tournament(status=Tournament.Status.RUNNING, **fields)
    serie = make_seated_serie(tournament, tables=tables)
    write_games(list_of(serie, 1), EVEN[:first])
    write_games(list_of(serie, 2), EVEN[:second])
    corrections_moves.move_at_the_tables(
        acting(tournament),
        serie.pk,
        facts=facts_of(serie),
        versions=dict(Spielliste.objects.values_list("pk", "version")),
        reason=REASON,
    )
    return serie


def facts_of(serie: Serie) -> dict[str, object]:
    return {"places": corrections_moves.places_of_rings(serie, [[1, 5]]), "games": "person"}


def play_on(serie: Serie, *, but: int = 0) -> None:
    """All tables play all games, but the one with this number."""
    for spielliste in Spielliste.objects.filter(table__serie=serie).exclude(table__number=but):
        write_games(spielliste, EVEN[spielliste.games.count() :], status=Status.SIGNED)


def correct(serie: Serie, table: int, kind: Correction.Kind, **facts: object) -> None:
    corrections.correct_list(
        acting(serie.tournament), list_of(serie, table).pk, kind=kind, facts=facts, reason=REASON
    )


def end(serie: Serie, table: int, games: int) -> None:
    """The table plays up to this game, and its list is ended."""
    spielliste = list_of(serie, table)
    write_games(spielliste, EVEN[spielliste.games.count() : games])
    correct(serie, table, Correction.Kind.ENDED, ended={"games": games, "left": []})


def totals(serie: Serie) -> dict[int, int | None]:
    lines = Rankings(serie.tournament).standings(OVERALL)
    return {line.number: line.series_totals[0] for line in lines}


# --- Results ------------------------------------------------------------------------------------


def test_four_games_and_twenty_are_scaled_to_twelve():
    serie = exchange(1, 9)
    play_on(serie)

    # Nr. 1: −20 at table 1, 3 × 25 at table 2: 55 × 12 ÷ 4. Nr. 5: 6 × 25 − 60 = 90 in nine games,
    # 9 × 25 − 40 = 185 in eleven: 275 × 12 ÷ 20.
    assert totals(serie) == dict.fromkeys(range(1, 9), 165)


def test_players_without_games_at_the_left_table_are_scaled():
    serie = exchange(0, 9)
    play_on(serie)

    # Nr. 1: 3 × 25 in three games, × 12 ÷ 3. Nr. 5: 90 + 165 = 255 in 21, × 12 ÷ 21 = 145.7…
    assert totals(serie) == {**dict.fromkeys(range(1, 9), 165), 1: 300, 5: 146}
    # Table 1 has only games of its own players, and yet Nr. 5 has more than twelve.
    (data,) = load_lists(serie.tournament, only=[list_of(serie, 1).pk])
    assert data.counted(ruleset("rommeordnung"))[data.seats[1]].total == 146 - 90


@pytest.mark.parametrize("how", ["invalid", "ended"])
def test_a_list_counting_nothing_gives_no_result_and_leavers_are_scaled(how: str):
    serie = exchange(3, 3, tables=3, ended_lists=Counts.NONE)
    play_on(serie, but=1)
    if how == "ended":
        end(serie, 1, 8)
    else:
        write_games(list_of(serie, 1), EVEN[3:], status=Status.SIGNED)
        correct(serie, 1, Correction.Kind.INVALID)

    # Nr. 5 had 30 in three games at table 2. Nr. 1 has 7 × 25 − 40 = 135 in nine, × 12 ÷ 9.
    of_table_1 = dict.fromkeys([2, 3, 4, 5])
    assert totals(serie) == {**dict.fromkeys(range(1, 13), 165), **of_table_1, 1: 180}


def test_a_player_without_counting_games_has_no_result():
    serie = exchange(3, 12)
    write_games(list_of(serie, 1), EVEN[3:], status=Status.SIGNED)
    play_on(serie, but=1)
    correct(serie, 1, Correction.Kind.INVALID)

    # Nr. 1 came to table 2 when all was played.
    assert totals(serie)[1] is None


def test_a_list_counting_as_played_needs_its_own_games():
    serie = exchange(3, 3, ended_lists=Counts.AS_PLAYED)
    play_on(serie, but=1)
    end(serie, 1, 8)

    # Three elsewhere and five here are the eight that all have there: 110. Nr. 1 has 3 + 9.
    assert totals(serie) == {1: 165, 2: 110, 3: 110, 4: 110, 5: 110, 6: 165, 7: 165, 8: 165}


def test_surplus_games_of_a_list_as_played_are_scaled_to_a_whole_list():
    serie = exchange(1, 9, ended_lists=Counts.AS_PLAYED)
    play_on(serie, but=1)
    end(serie, 1, 8)

    # Nr. 5: 90 in nine, and games 2 to 8 bring 6 × 25 − 20 = 130: 220 × 12 ÷ 16.
    assert totals(serie)[5] == 165


def test_strafpunkte_are_added_unscaled():
    serie = exchange(1, 9)
    Penalty.objects.create(
        spielliste=list_of(serie, 1),
        registration=serie.tournament.registrations.get(number=1),
        points=100,
        reason="§ 8.3",
        status=Penalty.Status.GIVEN,
        decided_at=serie.tournament.starts_at,
    )
    play_on(serie)

    assert totals(serie)[1] == 165 + 100


def test_moved_players_have_no_result_in_the_interim_stand():
    serie = exchange(1, 9)
    play_on(serie, but=1)

    table = Rankings(serie.tournament).table(OVERALL, upto=1)
    live = Rankings(serie.tournament).standings(OVERALL, running=True)

    shown = {line.standing.number: line.cells[0] for line in table.lines}
    # Nr. 1 has three games at table 2, which is whole, and one at table 1, which is not.
    assert (shown[1].points, shown[1].note) == (None, "läuft")
    assert (shown[5].points, shown[5].note) == (None, "läuft")
    assert {number: shown[number].points for number in (2, 6)} == {2: None, 6: 165}
    assert {line.number: (line.total, line.games) for line in live}[1] == (55, 4)


# --- Marks on pages -----------------------------------------------------------------------------


def test_scaled_results_are_marked_everywhere(client: Client):
    serie = exchange(1, 9)
    play_on(serie)
    tournament = serie.tournament
    player_access.store_tokens(tournament)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    def file(ending: str) -> str:
        url = reverse("results:file", args=[tournament.slug, ending])
        return client.get(url).content.decode("utf-8-sig")

    page = client.get(reverse("results:ranking", args=[tournament.slug])).content.decode()
    assert page.count("aus 4 Spielen") == page.count("aus 20 Spielen") == 1
    assert "einmal auf sie umgerechnet" in page
    alone = client.get(reverse("results:ranking", args=[tournament.slug]), {"wertung": "serie-1"})
    assert "Serie 1 aus 4 Spielen" in alone.content.decode()
    paper = words(tournament, "rangliste", ranking="einzel")
    assert "165 aus 4 Spielen" in paper
    assert "einmal auf sie umgerechnet" in paper
    assert "Serie 1 aus 20 Spielen" in words(tournament, "rangliste", ranking="serie-1")
    head, *lines = file("csv").splitlines()
    assert head.endswith(";umgerechnet")
    # Equal points: Nr. 5 finished five games, Nr. 1 one, all others three.
    assert [line.rsplit(";", 1)[1] for line in lines] == [
        *("Serie 1 aus 20 Spielen", "", "", "", "", "", "", "Serie 1 aus 4 Spielen")
    ]
    scaled = [line.get("scaled") for line in json.loads(file("json"))["standings"]]
    assert scaled[0] == [{"series": 1, "games": 20}]
    assert scaled[-1] == [{"series": 1, "games": 4}]
    assert not any(scaled[1:-1])
    first = tournament.registrations.get(number=1)
    own = client.get(player_path(first)).content.decode()
    assert "Platz 1: 4 eigene Spiele der Serie, umgerechnet auf 12, aufgerundet." in own
    sheet = checking_queries.sheet(list_of(serie, 2))
    assert sheet.ended == (
        "Platz 1: 4 eigene Spiele der Serie, umgerechnet auf 12, aufgerundet.",
        "Platz 1: mit den Spielen an Tisch 1 (−20) in der Serie zusammen 165.",
    )
    assert [line.label for line in sheet.foot][-1] == "auf 12 Spiele umgerechnet"
    # The parts of Nr. 1 on both lists add up to the ranked result.
    assert (
        sum(played_list.mine.total for played_list in played_lists(Rankings(tournament), first))
        == 165
    )


def test_a_tandem_has_marked_scaled_results_of_its_members():
    serie = exchange(0, 9)
    play_on(serie)
    tandem = Ranking.objects.create(tournament=serie.tournament, kind=Ranking.Kind.TANDEM, size=2)
    numbers = {
        registration.number: registration for registration in serie.tournament.registrations.all()
    }
    make_team(tandem, "Asse", [numbers[5], numbers[6]])
    make_team(tandem, "Buben", [numbers[7], numbers[8]])

    (pair,) = (
        choice for choice in Rankings(serie.tournament).choices() if choice.recipient == "tandem"
    )
    asse, buben = Rankings(serie.tournament).table(pair).lines

    # Nr. 5: 255 in 21 games, 146 in twelve.
    assert (asse.standing.total, asse.cells[0].note) == (146 + 165, "umgerechnet")
    assert (buben.standing.total, buben.cells[0].note) == (165 + 165, "")


def test_the_api_names_serien_with_scaled_results(client: Client):
    serie = exchange(1, 9)
    play_on(serie)

    answer = client.get(f"/api/turniere/{serie.tournament.slug}/rangliste/").json()

    scaled = {line["number"]: (line["games"], line["scaled"]) for line in answer["lines"]}
    assert scaled[1] == (4, [{"series": 1, "games": 4}])
    assert scaled[5] == (20, [{"series": 1, "games": 20}])
    assert scaled[2] == (12, [])


def test_the_course_of_a_moved_player_is_one_serie_in_order_of_play():
    serie = exchange(2, 5)
    play_on(serie)
    rankings = Rankings(serie.tournament)
    numbers = {
        registration.number: registration for registration in serie.tournament.registrations.all()
    }

    (first,) = course_of(played_lists(rankings, numbers[1]))
    (fifth,) = course_of(played_lists(rankings, numbers[5]))

    # Nr. 5 had five games at table 2 (75) before ten at table 1 (200); finished four of fifteen:
    # 275 - 80 = 195, of twelve 156. Nr. 1 had nine: 175 - 40 = 135, of twelve 180.
    assert [game.number for game in fifth.games] == [*range(1, 6), *range(3, 13)]
    assert [fifth.games[at].running for at in (4, 5, 14)] == [75, 100, 275]
    assert (fifth.label, fifth.total) == ("Serie 1", 156)
    assert [game.number for game in first.games] == [1, 2, *range(6, 13)]
    assert first.total == 180


def test_the_left_list_explains_that_its_games_give_no_result():
    serie = exchange(3, 3)
    play_on(serie)
    correct(serie, 1, Correction.Kind.INVALID)

    assert checking_queries.sheet(list_of(serie, 2)).ended == (
        "Platz 1: 9 eigene Spiele der Serie, umgerechnet auf 12, aufgerundet.",
        "Platz 1, frühere Spiele: kein Ergebnis; der Platz am Ende zählt nicht.",
    )


def test_lists_with_moved_players_are_not_best_lists():
    serie = exchange(0, 9)
    play_on(serie)

    statistics = Statistics(Rankings(serie.tournament))

    assert statistics.best_lists == statistics.closest_tables == []


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        pytest.param(
            1,
            9,
            "Nr. 1 kommt in dieser Serie auf 4 Spiele statt 12: Das Ergebnis wird einmal "
            "× 12 ÷ 4 umgerechnet und aufgerundet. Nr. 5 kommt in dieser Serie auf 20 Spiele "
            "statt 12: Das Ergebnis wird einmal × 12 ÷ 20 umgerechnet und aufgerundet.",
            id="§ 2.2.1 four and twenty",
        ),
        pytest.param(
            3,
            3,
            "Nr. 1 kommt in dieser Serie auf 12 Spiele, wie alle. "
            "Nr. 5 kommt in dieser Serie auf 12 Spiele, wie alle.",
            id="§ 2.2.1 twelve",
        ),
    ],
)
def test_the_preview_of_a_move_names_the_games_of_each_player(first, second, said):
    serie = make_seated_serie(make_tournament(), tables=2)
    write_games(list_of(serie, 1), EVEN[:first])
    write_games(list_of(serie, 2), EVEN[:second])

    move = corrections_moves.make_move(TournamentLists(serie.tournament), serie, facts_of(serie))

    assert move.warnings[0].message == said


# --- Laws ---------------------------------------------------------------------------------------

HANDS = st.lists(st.integers(2, 150), min_size=3, max_size=3)


@st.composite
def games_of_a_list(draw: st.DrawFn) -> list[str]:
    games = []
    for _game in range(12):
        finisher, hands = draw(st.integers(1, 4)), draw(HANDS)
        hands.insert(finisher - 1, 0)
        games.append(json.dumps({"finisher": finisher, "handromme": False, "minus": hands}))
    return games


def a_list(pk: int, games: list[str], seats: list[int], spans=(), status=Status.SIGNED) -> ListData:
    return ListData(
        pk=pk,
        status=status,
        serie=1,
        table=pk,
        bonus_size=None,
        seats=dict(enumerate(seats, start=1)),
        text=SEPARATOR.join(games),
        spans=list(spans),
    )


@given(games_of_a_list(), games_of_a_list(), st.integers(0, 12), st.integers(0, 12), st.booleans())
def test_own_games_are_scaled_once_for_any_change_of_tables(first, second, after, later, is_void):
    rules = ruleset("rommeordnung")
    spans = [[(1, after, 1)] if after else [], [(1, later, 5)] if later else []]
    lists = with_others(
        [
            a_list(1, first, [5, 2, 3, 4], spans[0], Status.INVALID if is_void else Status.SIGNED),
            a_list(2, second, [1, 6, 7, 8], spans[1]),
        ]
    )

    totals = Counter[int]()
    for data in lists[1:] if is_void else lists:
        totals.update({owner: result.total for owner, result in data.results(rules).items()})

    def points(games: list[str]) -> int:
        lines = [json.loads(game) for game in games]
        return sum(line["minus"][0] - 20 * (line["finisher"] == 1) for line in lines)

    own = {
        1: ([] if is_void else first[:after]) + second[later:],
        5: second[:later] + first[after:],
    }
    for owner, games in own.items():
        if not games or (is_void and owner == 5):
            assert owner not in totals
        else:
            assert 0 <= totals[owner] * len(games) - points(games) * 12 < len(games)
    assert totals.keys() - {1, 5} == ({6, 7, 8} if is_void else {2, 3, 4, 6, 7, 8})


def test_a_player_without_games_of_a_serie_has_no_result(client: Client):
    serie = exchange(0, 1)  # Nr. 1 comes to table 2 after its first game, which stays with Nr. 5
    end(serie, 2, 1)
    play_on(serie, but=2)
    player_access.store_tokens(serie.tournament)
    registration = serie.tournament.registrations.get(number=1)
    said = "Platz 1 hat in dieser Serie kein Spiel, das zählt: kein Ergebnis."

    (own,) = played_lists(Rankings(serie.tournament), registration)
    sheet = checking_queries.sheet(list_of(serie, 2))
    page = client.get(player_path(registration)).content.decode()
    paper = words(serie.tournament, "spiellisten-gespielt", serie=1, table=2)

    assert totals(serie)[1] is None
    assert not own.has_result
    assert own.grid.results[0] == "–"
    assert sheet.columns[0].place is None
    for text in (" ".join(page.split()), paper):
        assert said in text
        assert "noch spielt" not in text
