"""After a change of seats, all results are by person, and the players of games are named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.clients import Client, at, logged_in, plain
from tests.factories import (
    acting,
    make_member,
    make_person,
    make_players,
    make_registration,
    make_tournament,
)
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.lists.helpers import FIRST, Device, game, keeper_of
from tests.tournaments.printing.helpers import words, written
from tests.worlds import world
from tournaments.checking import queries as checking_queries
from tournaments.common.access_keys import player_path
from tournaments.common.errors import TournamentError
from tournaments.corrections.services import corrections, moves
from tournaments.hall.services import paper_lists
from tournaments.journal import proof
from tournaments.lists.services import versions as list_versions
from tournaments.models import (
    Case,
    Correction,
    Penalty,
    Role,
    SeatSpan,
    Serie,
    Spielliste,
    Tournament,
)
from tournaments.printing import played_lists
from tournaments.printing.base import PrintRequest
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.results.services import player_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NAMES = ("Sören Jäger", "Uwe Fuchs", "Rolf Kunz", "Gisela Ott")
SENTENCES = (
    "Platz 1: Die Spiele bis Nr. 3 gehören zu 1 · Sören Jäger.",
    "Platz 3: Die Spiele bis Nr. 3 gehören zu 3 · Rolf Kunz.",
)
# Nr. 1 has three games of seat 1 and nine of seat 3: 58 + 276 minus, 1 + 2 finished: 334 − 60.
# Nr. 3 the others: 63 + 232 minus, 1 + 3 finished: 295 − 80.
# Seat 2: 311 − 60 − 50. Seat 4: 341 − 40.
BY_SEAT = {1: 215, 2: 201, 3: 274, 4: 301}
BY_NUMBER = {1: 274, 2: 201, 3: 215, 4: 301}


def move(serie: Serie, *rings: list[int]) -> None:
    """Let these people change seats, with their games."""
    lists = Spielliste.objects.filter(table__serie=serie)
    moves.move_at_the_tables(
        acting(serie.tournament),
        serie.pk,
        reason="falsch hingesetzt",
        versions=dict(lists.values_list("pk", "version")),
        facts={"places": moves.places_of_rings(serie, rings), "games": "person"},
    )


def moved(after: int = 3, *, tables: int = 1) -> Serie:
    """Nr. 1 and Nr. 3 changed their seats after so many games."""
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    people = [
        [
            make_registration(tournament, make_person(*name.split(), publish_consent=table == 1))
            for name in NAMES
        ]
        for table in range(1, tables + 1)
    ]
    serie = make_seated_serie(tournament, people)
    for table in range(1, tables + 1):
        write_games(list_of(serie, table), FOUR[:after])
    move(serie, [1, 3] if tables == 1 else [1, 5])
    return serie


def whole() -> Serie:
    serie = moved()
    write_games(list_of(serie), FOUR[3:], status=Spielliste.Status.COMPLETE)
    player_access.store_tokens(serie.tournament)
    return serie


serie = world(whole)


def at_staff(name: str, *keys: object) -> Callable[[Serie], str]:
    def read(serie: Serie) -> str:
        client = logged_in(make_member(serie.tournament, Role.SPIELLEITUNG))
        return plain(client.get(at(name, serie.tournament, *keys)))

    return read


def printed(serie: Serie) -> str:
    pieces = written(serie.tournament, "spiellisten-gespielt", serie=1).prepared.pieces
    return " ".join(piece.html for piece in pieces)


def without_scripts(serie: Serie) -> str:
    device = Device(list_of(serie))
    return plain(device.client.get(device.path))


def own_page(serie: Serie) -> str:
    return plain(Client().get(player_path(serie.tournament.registrations.get(number=3))))


def case_of_the_table(serie: Serie) -> str:
    spielliste = list_of(serie)
    case = Case.objects.create(
        tournament=serie.tournament, spielliste=spielliste, kind="correction", text="Spiel 2?"
    )
    return at_staff("notices:case", case.pk)(serie)


def versions(serie: Serie) -> str:
    list_versions.keep(list_of(serie))
    return at_staff("checking:versions", 1, 1)(serie)


def test_ranking_checking_phone_and_paper_have_the_same_results(serie: Serie):
    standings = Rankings(serie.tournament).standings(OVERALL)
    sheet = checking_queries.sheet(list_of(serie))
    state = Device(list_of(serie)).state().json()
    (page,) = played_lists.played(PrintRequest(tournament=serie.tournament, serie=1)).sheets

    assert {line.number: line.total for line in standings} == BY_NUMBER
    assert {column.seat: column.result.total for column in sheet.columns} == BY_SEAT
    assert {total["seat"]: total["total"] for total in state["totals"]} == BY_SEAT
    by_label = {label.split()[0]: values for label, values, _is_result in page.totals}
    assert by_label["Ergebnis"] == ("215", "201", "274", "301")
    assert by_label["A"] == ("295", "311", "334", "341")
    assert by_label["B"] == ("4", "3", "3", "2")
    assert by_label["Platz"] == ("2.", "1.", "3.", "4.")
    assert [column.place for column in sheet.columns] == [2, 1, 3, 4]
    assert [total["place"] for total in state["totals"]] == [2, 1, 3, 4]


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(at_staff("checking:list", 1, 1), id="checking"),
        pytest.param(at_staff("hall:table", 1, 1), id="table page of the staff"),
        pytest.param(at_staff("hall:grid", 1, 1), id="grid of a paper list"),
        pytest.param(at_staff("results:player", 3), id="page of a person"),
        pytest.param(case_of_the_table, id="case"),
        pytest.param(without_scripts, id="page of the table without scripts"),
        pytest.param(own_page, id="own page"),
        pytest.param(printed, id="paper"),
    ],
)
def test_every_page_marks_a_change_of_seats_and_names_the_players(
    serie: Serie, read: Callable[[Serie], str]
):
    text = read(serie)

    for sentence in SENTENCES:
        assert sentence in text
    assert text.count("seats-change") == 1


def test_a_kept_version_names_start_numbers_only(serie: Serie):
    text = versions(serie)

    assert "Platz 1: Die Spiele bis Nr. 3 gehören zu Nr. 1." in text
    assert text.count("seats-change") == 1


def test_a_change_of_seats_names_others_by_consent_only(serie: Serie):
    gone = serie.tournament.registrations.get(number=1).person
    gone.publish_consent = False
    gone.save()

    text = own_page(serie)

    assert "Jäger" not in text
    assert f"Die Spiele bis Nr. 3 gehören zu 1 · {gone.public_name}." in text


def test_a_result_names_the_current_table_of_a_moved_player():
    serie = moved(tables=2)
    write_games(list_of(serie, 1), FOUR[3:])

    sheet = checking_queries.sheet(list_of(serie, 1))

    # Games 1 to 3 of seat 1: 58 − 20.
    (sentence,) = sheet.moves.sentences
    assert sentence == f"{SENTENCES[0]} Ergebnis aus dieser Liste: 38."
    # Nr. 5 has the rest of the column, 232 − 60, and is first with that.
    assert (sheet.columns[0].result.total, sheet.columns[0].place) == (172, 1)
    assert "Beendete Spiele zusammen: 12 von 12." in printed(serie)


def test_the_paper_may_have_the_sum_of_the_column_too(serie: Serie):
    (first, *_others) = checking_queries.sheet(list_of(serie)).columns

    # 58 + 232 are below each other; 295 are the person's, 215 the result.
    assert first.sums == (295, 215, 290)


def test_a_returning_player_needs_no_explanation_for_own_games():
    serie = moved(3)
    write_games(list_of(serie), FOUR[3:5])
    move(serie, [1, 3])

    moves = checking_queries.sheet(list_of(serie)).moves

    assert moves.after == (3, 5)
    assert moves.sentences == [
        "Platz 1: Die Spiele Nr. 4 bis 5 gehören zu 3 · Rolf Kunz.",
        "Platz 3: Die Spiele Nr. 4 bis 5 gehören zu 1 · Sören Jäger.",
    ]


def test_a_line_is_corrected_under_the_names_of_its_players(serie: Serie):
    Spielliste.objects.update(status="signed", signed_at=serie.tournament.starts_at)
    client = logged_in(make_member(serie.tournament, Role.SPIELLEITUNG))
    page = at("checking:line", serie.tournament, 1, 1)

    before, after = (plain(client.get(page, {"spiel": game})) for game in (3, 4))

    assert "1 · Sören Jäger" in before
    assert "1 · Rolf Kunz" in after


def test_a_person_sees_the_first_seat():
    serie = moved(tables=2)
    (gone,) = serie.tournament.registrations.filter(number=1)

    said = words(serie.tournament, "auskunft", number=1)

    assert gone.spans.count() == 1
    assert "Tisch 1, Platz 1: Spiele bis Nr. 3, dann umgesetzt" in said


@pytest.mark.parametrize(
    ("keeper", "rings", "seats"),
    [
        pytest.param(1, [[1, 3]], {1: 3, 2: 1}, id="§ 2.2.3 to another seat of the table"),
        pytest.param(2, [[1, 3]], {1: 2, 2: 1}, id="§ 2.2.3 others changed"),
        pytest.param(2, [[2, 5]], {1: 1, 2: 1}, id="§ 2.2.3 to another table"),
    ],
)
def test_the_mark_of_the_listenfuehrer_moves_with_the_person(
    keeper: int, rings: list[list[int]], seats: dict[int, int]
):
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    people = make_players(tournament, 8)
    serie = make_seated_serie(tournament, [people[:4], people[4:]])
    write_games(list_of(serie), FOUR[:3])
    Spielliste.objects.filter(table__number=1).update(listenfuehrer=keeper)

    move(serie, *rings)

    lists = Spielliste.objects.filter(table__serie=serie)
    assert dict(lists.values_list("table__number", "listenfuehrer")) == seats


def test_seat_1_keeps_an_empty_list_for_any_player():
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    serie = make_seated_serie(tournament, [make_players(tournament, 4)])

    move(serie, [1, 3])

    assert list_of(serie).listenfuehrer == 1


# --- The phone, and games that are taken back ---------------------------------------------------


def spans(serie: Serie) -> set[tuple[int, int, int | None]]:
    rows = SeatSpan.objects.filter(spielliste__table__serie=serie)
    return set(rows.values_list("seat", "last_game", "registration__number"))


def take_back(keeper: Device, number: int) -> dict[str, object]:
    version = keeper.state().json()["version"]
    sent = keeper.send("change", number=number, version=version, line=None, consents=[1, 2, 3, 4])
    assert sent.status_code == 200, sent.content
    state: dict[str, object] = sent.json()["state"]
    return state


def test_a_phone_knows_the_players_of_each_game():
    serie = moved(3)

    state = keeper_of(list_of(serie)).state().json()

    assert [player["number"] for player in state["players"]] == [3, 2, 1, 4]
    assert state["moves"]["after"] == [3]
    assert [
        (game["seat"], game["owner_seat"], game["name"]) for game in state["moves"]["games"]
    ] == [
        (1, 3, "Sören Jäger"),
        (3, 1, "Rolf Kunz"),
    ]


def test_a_game_sent_before_a_change_of_seats_is_not_stored():
    serie = moved(3)
    before = list_of(serie).version - 1

    answer = keeper_of(list_of(serie)).send("game", **game(number=4, version=before, line=FIRST))

    assert answer.status_code == 409
    assert list_of(serie).games.count() == 3


def test_a_game_replayed_after_a_change_counts_for_the_new_player():
    serie = moved(3)
    keeper = keeper_of(list_of(serie))
    proof.baseline_proof(serie.tournament)

    state = take_back(keeper, 3)
    keeper.send("game", **game(number=3, version=state["version"], line=FOUR[2]))

    assert spans(serie) == {(1, 2, 1), (3, 2, 3)}
    totals = keeper.state().json()["totals"]
    # Nr. 1: 31 of two games at seat 1, and the finish of game 3 at seat 3: 31 − 40.
    assert [seat["total"] for seat in totals] == [63 + 27, 58 - 20, 31 - 40, 74]
    assert not list(proof.of_tournament(serie.tournament))


def test_undoing_the_last_game_of_a_span_removes_it():
    serie = moved(1, tables=2)
    penalty = Penalty.objects.create(
        spielliste=list_of(serie, 1),
        registration=serie.tournament.registrations.get(number=1),
        points=100,
        reason="§ 8.3",
    )
    keeper = keeper_of(list_of(serie, 1))
    proof.baseline_proof(serie.tournament)

    take_back(keeper, 1)

    assert spans(serie) == {(1, 1, 5)}  # table 2 has its game still
    assert keeper.state().json()["moves"] == {"after": [], "games": []}
    penalty.refresh_from_db()
    assert penalty.spielliste == list_of(serie, 2)  # where Nr. 1 sits
    assert not list(proof.of_tournament(serie.tournament))


def test_undoing_a_game_removes_the_later_change_first():
    serie = moved(2)
    write_games(list_of(serie), FOUR[2:3])
    move(serie, [3, 2])  # Nr. 3 leaves seat 1 for seat 2
    keeper = keeper_of(list_of(serie))
    assert spans(serie) == {(1, 2, 1), (1, 3, 3), (2, 3, 2), (3, 2, 3)}

    take_back(keeper, 3)

    assert spans(serie) == {(1, 2, 1), (2, 2, 2), (3, 2, 3)}


def test_a_shorter_paper_list_ends_the_span_with_it():
    serie = moved(3)
    spielliste = list_of(serie)
    Spielliste.objects.filter(pk=spielliste.pk).update(on_paper=True)

    paper_lists.enter_whole_list(
        acting(serie.tournament),
        spielliste.pk,
        lines=FOUR[:1],
        version=spielliste.version,
        confirmed=True,
    )

    assert spans(serie) == {(1, 1, 1), (3, 1, 3)}


# --- Leavers ------------------------------------------------------------------------------------


def end(serie: Serie, *, left: int) -> None:
    spielliste = list_of(serie)
    corrections.correct_list(
        acting(serie.tournament),
        spielliste.pk,
        kind=Correction.Kind.ENDED,
        facts={"ended": {"games": spielliste.games.count(), "left": [left]}},
        reason="geht heim",
        versions={spielliste.pk: spielliste.version},
    )


def test_a_leaver_after_a_change_of_seats_is_the_new_player():
    serie = moved(3)

    end(serie, left=1)

    # Nr. 3 sits at seat 1 now, without a game there yet.
    places = {
        column.seat: column.place for column in checking_queries.sheet(list_of(serie)).columns
    }
    assert places == {1: None, 2: 1, 3: 1, 4: 3}  # 38 of Nr. 2 and of Nr. 1, 74


def test_a_leaver_takes_no_games_to_another_seat():
    serie = moved(3, tables=2)
    end(serie, left=2)

    with pytest.raises(TournamentError, match="Tisch 1, Platz 2: Wer da saß, ist gegangen"):
        move(serie, [2, 6])
