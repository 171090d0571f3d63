"""Statistics after a tournament, and the settlement of other rule sets."""

from __future__ import annotations

import pytest

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.clients import at, plain
from tests.factories import make_member, make_players, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.factories_results import SeatOutcome, play_serie
from tests.worlds import world
from tournaments.models import Role, SeatSpan, Spielliste, Tournament
from tournaments.results.queries.player_results import BestGame, best_game, played_lists, ranks
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.settlements import settlement_sheet
from tournaments.results.queries.statistics import Statistics

pytestmark = pytest.mark.django_db


@world
def tournament():
    """Two Serien, two tables; 1 has two Handrommés, 5 the best list."""
    tournament = make_tournament(serien=2)
    players = make_players(tournament, 8)
    rows = [players[:4], players[4:]]
    play_serie(
        tournament,
        rows,
        [
            (
                SeatOutcome(100, won=4, hand=2),
                SeatOutcome(110, won=4),
                SeatOutcome(130, won=2),
                SeatOutcome(150, won=2),
            ),
            (
                SeatOutcome(-60, won=6),
                SeatOutcome(90, won=2),
                SeatOutcome(95, won=2),
                SeatOutcome(120, won=2),
            ),
        ],
    )
    play_serie(
        tournament,
        rows,
        [
            (100, 101, 102, 103),
            (SeatOutcome(300), SeatOutcome(310), SeatOutcome(320), SeatOutcome(330, hand=1)),
        ],
        number=2,
    )
    return tournament


def test_the_lists_with_the_fewest_points_are_the_best(tournament):
    rows = Statistics(Rankings(tournament)).best_lists

    assert [(row.registration.number, row.serie, row.table, row.result.points) for row in rows] == [
        (5, 1, 2, -60),
        (6, 1, 2, 90),
        (7, 1, 2, 95),
        (1, 1, 1, 100),  # four games finished, and not three
        (1, 2, 1, 100),
    ]


def test_games_finished_are_added_up_over_all_serien(tournament):
    rows = Statistics(Rankings(tournament)).most_games

    # 6 + 3; 4 + 3 twice; 2 + 3 for all others, who share the fifth row
    assert [(row.registration.number, row.count) for row in rows] == [
        (5, 9),
        (1, 7),
        (2, 7),
        (3, 5),
        (4, 5),
        (6, 5),
        (7, 5),
        (8, 5),
    ]


def test_every_handromme_is_listed_with_its_game(tournament):
    statistics = Statistics(Rankings(tournament))

    assert [(row.registration.number, row.count) for row in statistics.most_handrommes] == [
        (1, 2),
        (8, 1),
    ]
    assert [(row.registration.number, row.serie, row.game) for row in statistics.handrommes] == [
        (1, 1, 1),
        (1, 1, 2),
        (8, 2, 10),
    ]


def test_the_closest_table_has_the_smallest_distance_from_first_to_last(tournament):
    rows = Statistics(Rankings(tournament)).closest_tables

    assert [(row.serie, row.table, row.points) for row in rows] == [
        (2, 1, 3),
        (2, 2, 30),
        (1, 1, 50),
        (1, 2, 180),
    ]


def test_the_highest_hands_are_counted_hands(tournament):
    [highest, *_others] = Statistics(Rankings(tournament)).highest_hands

    # Number 8 in Serie 2: 330 + 3 × 20 + 50 − 8 × 2 in its first game that it did not finish
    assert (highest.registration.number, highest.serie, highest.points) == (8, 2, 424)


def test_ranks_are_listed_after_each_serie(tournament):
    rows = Statistics(Rankings(tournament)).bump()

    # Serie 1: −60, 90, 95, 100, 110, 120, 130, 150. Together: 1: 200, 2: 211, 3: 232,
    # 5: 240, 4: 253, 6: 400, 7: 415, 8: 450
    assert [(row.number, ranks) for row, ranks in rows] == [
        (1, [4, 1]),
        (2, [5, 2]),
        (3, [7, 3]),
        (5, [1, 4]),
        (4, [8, 5]),
        (6, [2, 6]),
        (7, [3, 7]),
        (8, [6, 8]),
    ]
    assert Statistics(Rankings(tournament), upto=0).bump() == []


def test_uncounted_lists_are_not_in_statistics(tournament):
    Spielliste.objects.update(status=Spielliste.Status.OPEN)

    statistics = Statistics(Rankings(tournament))

    assert statistics.is_empty
    assert statistics.best_lists == []
    assert statistics.most_games == []


def test_a_large_tie_at_the_limit_is_left_out():
    tournament = make_tournament(serien=1)
    players = make_players(tournament, 16)
    tables = [players[at : at + 4] for at in range(0, 16, 4)]
    play_serie(
        tournament,
        tables,
        [
            (
                SeatOutcome(100, won=6),
                SeatOutcome(110, won=2),
                SeatOutcome(120, won=2),
                SeatOutcome(130, won=2),
            )
        ]
        * 4,
    )

    rows = Statistics(Rankings(tournament)).most_games

    assert [(row.registration.number, row.count) for row in rows] == [
        (1, 6),
        (5, 6),
        (9, 6),
        (13, 6),
    ]


def test_surplus_games_by_a_move_are_not_counted(client):
    tournament = make_tournament(serien=1, status="running")
    players = make_players(tournament, 8)
    serie = make_seated_serie(tournament, [players[:4], players[4:]])
    for table in (1, 2):
        write_games(list_of(serie, table), FOUR, status="complete")
    # Nr. 5 has the 12 games of table 2, and the first of seat 2 at table 1.
    SeatSpan.objects.create(
        spielliste=list_of(serie, 1), seat=2, last_game=1, registration=players[4]
    )
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    statistics = Statistics(Rankings(tournament))

    assert {row.registration.number for row in statistics.most_games} == {1, 2, 3, 6, 7}
    assert {row.registration.number for row in statistics.most_handrommes} == {2, 6}
    assert "Tischwechsel mehr Spiele" in client.read(at("results:statistics", tournament))


def test_games_of_a_moved_player_are_counted_once():
    tournament = make_tournament(serien=1)
    serie = make_seated_serie(tournament)
    spielliste = write_games(list_of(serie), FOUR, status="verified")
    moved = make_registration(tournament)
    SeatSpan.objects.create(spielliste=spielliste, seat=1, last_game=5, registration=moved)

    rankings = Rankings(tournament)
    statistics = Statistics(rankings)
    [own] = played_lists(rankings, moved)

    # Seat 1 finished games 1 and 5 before the change of seats, 8 and 11 after it
    assert {row.registration.number: row.count for row in statistics.most_games}[5] == 2
    assert {row.registration.number: row.count for row in statistics.most_games}[1] == 2
    assert statistics.best_lists == []
    assert [number for number, _cell in own.own_games] == [1, 2, 3, 4, 5]
    # 72 − 40 = 32 in five games, × 12 ÷ 5 = 76.8
    assert (own.moves.after, own.mine.total) == ((5,), 77)


def test_a_player_sees_every_rank(tournament):
    rankings = Rankings(tournament)

    places = ranks(rankings, rankings.by_number[5])

    assert [(place.label, place.rank, place.of) for place in places] == [
        ("Gesamtwertung", 4, 8),
        ("Serie 1", 1, 8),
        ("Serie 2", 5, 8),
    ]


# --- Settlement --------------------------------------------------------------------------------


def settled(rules: str, *hands: list[int]):
    """Play one list by *rules* at a table of four; the finisher has 0."""
    tournament = make_tournament(serien=1, rule_set=ruleset_to_dict(ruleset(rules)))
    serie = make_seated_serie(tournament)
    games = [{"finisher": hand.index(0) + 1, "handromme": False, "minus": hand} for hand in hands]
    write_games(list_of(serie), games, status="verified")
    return settlement_sheet(Rankings(tournament))


def test_bought_cards_go_to_the_winner_of_the_table():
    settled("progressiv", [0, 20, 40, 90])
    spielliste = Spielliste.objects.get()
    spielliste.bought_cards = [0, 3, 1, 2]
    spielliste.save()

    sheet = settlement_sheet(Rankings(spielliste.table.serie.tournament))

    # 2, 4 and 6 cents by rank, and six cards of one cent
    assert [cents for _registration, cents in sheet["persons"]] == [18, -2, -4, -6]
    assert sheet["card_pot_cents"] == 6


def test_the_rommeordnung_settles_nothing():
    assert settled("rommeordnung", [0, 20, 40, 90]) is None


def test_an_open_list_is_not_settled():
    tournament = make_tournament(serien=1, rule_set=ruleset_to_dict(ruleset("hausregel")))
    serie = make_seated_serie(tournament)
    write_games(list_of(serie), [{"finisher": 1, "handromme": False, "minus": [0, 1, 2, 3]}])

    assert settlement_sheet(Rankings(tournament))["tables"] == []


def test_the_best_game_is_a_handromme_or_the_most_expensive(tournament):
    rankings = Rankings(tournament)

    def best(number: int) -> BestGame | None:
        return best_game(played_lists(rankings, rankings.by_number[number]))

    # Number 1 finished the first game by Handrommé: the others had their points in it
    first = best(1)
    assert first is not None
    assert (first.serie, first.number, first.handromme) == (1, 1, True)
    # 110 + 4 × 20 − 7 × 2, 130 + 2 × 20 − 9 × 2, 150 + 2 × 20 − 9 × 2
    assert first.caught == 176 + 152 + 172
    second = best(2)
    assert second is not None
    assert not second.handromme


def test_a_best_game_needs_a_finished_game():
    assert best_game([]) is None


def test_an_illegible_hand_is_not_a_highest_one():
    tournament = make_tournament(serien=1)
    serie = make_seated_serie(tournament)
    unclear = {"finisher": 1, "handromme": False, "minus": [0, [0, 197], 145, 12]}
    write_games(list_of(serie), [unclear, *FOUR[1:]])
    Spielliste.objects.update(status=Spielliste.Status.COMPLETE)

    rankings = Rankings(tournament)
    highest = Statistics(rankings).highest_hands
    proudest = best_game(played_lists(rankings, rankings.by_number[1]))

    best = highest[0]
    assert (best.registration.number, best.game, best.points) == (3, 1, 145)
    assert 197 not in [row.points for row in highest]
    # The first game caught 145 + 12, the eleventh 65 + 42 + 33.
    assert proudest is not None
    assert (proudest.number, proudest.caught) == (1, 157)


@pytest.mark.parametrize("readers", ["staff", "public"])
def test_namesakes_have_their_numbers_on_the_page_of_the_statistics(client, tournament, readers):
    for number in (1, 5):
        person = tournament.registrations.get(number=number).person
        person.first_name, person.last_name, person.publish_consent = "Anna", "Schmidt", True
        person.save()
    if readers == "staff":
        client.force_login(make_member(tournament, Role.SPIELLEITUNG))
        page = plain(client.get(at("results:statistics", tournament)))
    else:
        Tournament.objects.update(public_ranking="live", status="closed")
        page = plain(client.get(at("results_public:statistics", tournament)))

    assert "Anna Schmidt (Nr. 1)" in page
    assert "Anna Schmidt (Nr. 5)" in page
    assert page.count("Anna Schmidt") == page.count("Anna Schmidt (Nr. ")
