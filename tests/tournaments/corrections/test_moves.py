"""People moved between places: with their games or without, signed or not (§ 2.1.2)."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.factories import acting, make_club, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.checking import queries as checking_queries
from tournaments.checking.services import checking
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.rules import rule_set_of
from tournaments.corrections.services import corrections, four_eyes
from tournaments.corrections.services import moves as corrections_moves
from tournaments.corrections.services.base import TournamentLists
from tournaments.hall.queries import control
from tournaments.lists.queries.loading import load_lists
from tournaments.models import (
    Correction,
    JournalEntry,
    Notice,
    Penalty,
    Seat,
    SeatSpan,
    Serie,
    Spielliste,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status


def hall(first: int = 4, second: int = 5, *, status: str = "", four_eyes: bool = False) -> Serie:
    """Two tables of four with so many games; the players have the numbers 1 to 8."""
    tournament = make_tournament(four_eyes=four_eyes)
    serie = make_seated_serie(tournament, tables=2)
    write_games(list_of(serie, 1), FOUR[:first], status=status)
    write_games(list_of(serie, 2), FOUR[:second], status=status)
    return serie


def versions(serie: Serie) -> dict[int, int]:
    return dict(Spielliste.objects.filter(table__serie=serie).values_list("pk", "version"))


def move(serie: Serie, *rings: list[int], games: str = "person", **more):
    values = {"reason": "falsch hingesetzt", "versions": versions(serie), **more}
    if rings:
        places = corrections_moves.places_of_rings(serie, rings)
        values["facts"] = {"places": places, "games": games}
    return corrections_moves.move_at_the_tables(acting(serie.tournament), serie.pk, **values)


def rows(serie: Serie) -> list[list[int]]:
    numbers: dict[int, list[int]] = {}
    for seat in Seat.objects.filter(serie=serie).order_by("table__number", "number"):
        numbers.setdefault(seat.table_id, []).append(seat.registration.number)
    return list(numbers.values())


def minus(serie: Serie) -> dict[int, list[int]]:
    """Minus points and games finished of each start number, by table."""
    hands: dict[int, list[int]] = {}
    rule_set = rule_set_of(serie.tournament)
    number_of = dict(serie.tournament.registrations.values_list("pk", "number"))
    for data in load_lists(serie.tournament):
        for key, result in data.as_played(rule_set).items():
            hands.setdefault(number_of[key], []).extend([result.minus, result.games_won])
    return hands


# Four games of FOUR: minus 72, 110, 96, 74, finished one each. Five: 72, 151, 121, 110,
# finished 2, 1, 1, 1.


serie = world(hall)


def test_games_move_with_two_people_changing_tables(serie: Serie):
    move(serie, [1, 5])

    assert rows(serie) == [[5, 2, 3, 4], [1, 6, 7, 8]]
    hands = minus(serie)
    assert hands[1] == [72, 1, 0, 0]  # at table 1; nothing yet at table 2
    assert hands[5] == [0, 0, 72, 2]
    assert hands[2] == [110, 1]


def test_games_stay_at_the_seat_after_exchanged_names(serie: Serie):
    move(serie, [1, 6], games="place")

    assert not SeatSpan.objects.exists()
    hands = minus(serie)
    assert hands[6] == [72, 1]
    assert hands[1] == [151, 1]


def test_a_move_within_a_table_gives_one_result_of_both_seats(serie: Serie):
    Penalty.objects.create(
        spielliste=list_of(serie, 1),
        registration=serie.tournament.registrations.get(number=1),
        points=100,
        reason="§ 8.3",
        status=Penalty.Status.GIVEN,
        decided_at=serie.tournament.starts_at,
    )
    move(serie, [1, 2])
    write_games(list_of(serie, 1), FOUR[4:6])

    # Games 5 and 6 brought seat 2 41 and 0 (a Handrommé), seat 1 0 and 62.
    assert minus(serie)[1] == [72 + 41, 1 + 1]
    assert minus(serie)[2] == [110 + 62, 1 + 1]
    (data,) = load_lists(serie.tournament, only=[list_of(serie, 1).pk])
    own = data.as_played(rule_set_of(serie.tournament))[data.seats[2]]
    assert (own.penalty, own.total) == (100, 113 - 40 - 50 + 100)


@pytest.mark.both
def test_three_people_rotate_their_seats(serie: Serie):
    move(serie, [1, 5, 3])

    assert rows(serie) == [[3, 2, 5, 4], [1, 6, 7, 8]]


def test_an_undone_move_restores_everything(serie: Serie):
    before = minus(serie)

    move(serie, [1, 5])
    move(serie, [1, 5])

    assert rows(serie) == [[1, 2, 3, 4], [5, 6, 7, 8]]
    hands = minus(serie)
    assert {number: hands[number][:2] for number in (2, 3, 1, 5)} == {
        number: before[number] for number in (2, 3, 1, 5)
    }


def test_a_move_raises_the_versions_and_is_journalled_at_each_table(serie: Serie):
    before = versions(serie)

    move(serie, [1, 5])

    assert {key: version + 1 for key, version in before.items()} == versions(serie)
    entries = JournalEntry.objects.filter(action="persons_moved")
    assert {entry.subject_id for entry in entries} == set(before)
    assert {entry.reason for entry in entries} == {"falsch hingesetzt"}
    assert not Correction.objects.exists()


def test_a_move_warns_of_club_mates_at_one_table(serie: Serie):
    club = make_club("SC Altenburg")
    serie.tournament.registrations.filter(number__in=[1, 6]).update(club=club)
    facts = {"places": corrections_moves.places_of_rings(serie, [[1, 5]]), "games": "person"}

    warnings = corrections_moves.make_move(TournamentLists(serie.tournament), serie, facts).warnings

    assert any("Vereinspaare an einem Tisch: 1 " in problem.message for problem in warnings)


@pytest.mark.both
def test_strafpunkte_follow_a_person_leaving_a_list(serie: Serie):
    penalty = Penalty.objects.create(
        spielliste=list_of(serie, 1),
        registration=serie.tournament.registrations.get(number=1),
        points=100,
        reason="§ 8.3",
    )

    move(serie, [1, 5], games="place")

    penalty.refresh_from_db()
    assert penalty.spielliste == list_of(serie, 2)


def test_strafpunkte_stay_with_games_left_behind(serie: Serie):
    penalty = Penalty.objects.create(
        spielliste=list_of(serie, 1),
        registration=serie.tournament.registrations.get(number=1),
        points=100,
        reason="§ 8.3",
    )

    move(serie, [1, 5])

    penalty.refresh_from_db()
    assert penalty.spielliste == list_of(serie, 1)


@pytest.mark.parametrize(
    ("rings", "message"),
    [
        pytest.param([], "nennen", id="nobody"),
        pytest.param([[1]], "mindestens zwei", id="one alone"),
        pytest.param([[1, 99]], "Nr. 99 hat in Serie 1 keinen Platz", id="unknown"),
        pytest.param([[1, 2], [2, 3]], "Nr. 2 steht zweimal", id="twice"),
    ],
)
def test_immovable_numbers_are_named(rings, message: str):
    with pytest.raises(TournamentError, match=message):
        corrections_moves.places_of_rings(hall(), rings)


def test_seats_taken_meanwhile_are_refused(serie: Serie):
    facts = {"places": corrections_moves.places_of_rings(serie, [[1, 5]]), "games": "person"}
    move(serie, [1, 6])

    with pytest.raises(Conflict, match="inzwischen andere"):
        move(serie, facts=facts)


def test_signed_lists_change_by_correction_only():
    serie = hall(12, 12, status=Status.SIGNED)

    with pytest.raises(TournamentError, match="nur noch eine Berichtigung"):
        move(serie, [1, 5], games="place")


def correct_seats(serie: Serie, *rings: list[int], games: str = "place", **more) -> Correction:
    values = {"reason": "Namen vertauscht", "versions": versions(serie), **more}
    return corrections.correct_list(
        acting(serie.tournament),
        list_of(serie, 1).pk,
        kind=Correction.Kind.SEATS,
        facts={"places": corrections_moves.places_of_rings(serie, rings), "games": games},
        **values,
    )


def test_exchanged_names_on_a_signed_list_are_corrected():
    serie = hall(12, 12, status=Status.HANDED_IN)

    correction = correct_seats(serie, [2, 3])

    assert rows(serie)[0] == [1, 3, 2, 4]
    assert minus(serie)[3] == [311, 3]
    assert correction.paragraph == "2.1.2"
    assert correction.version == 13
    assert Notice.objects.filter(correction=correction).count() == 4


def test_a_correction_of_two_lists_notifies_and_journals_both_tables():
    serie = hall(12, 12, status=Status.HANDED_IN)

    correct_seats(serie, [1, 5])

    assert Notice.objects.count() == 8
    entries = JournalEntry.objects.filter(action="correction_done")
    assert {entry.subject_id for entry in entries} == set(versions(serie))
    assert set(versions(serie).values()) == {13}


def test_a_correction_of_two_lists_is_shown_with_both():
    serie = hall(12, 12, status=Status.HANDED_IN)
    correct_seats(serie, [2, 3])  # at table 1 alone

    correct_seats(serie, [1, 5])

    shown = [
        [correction.number for correction in checking_queries.corrections_of(list_of(serie, table))]
        for table in (1, 2)
    ]
    assert shown == [[2, 1], [2]]


def test_a_proposal_for_two_lists_blocks_checks_and_corrections_of_both():
    serie = hall(12, 12, status=Status.HANDED_IN, four_eyes=True)
    correct_seats(serie, [1, 5])
    other = list_of(serie, 2)
    assert [card.proposals for card in control.cards(serie, timezone.now())] == [1, 1]

    with pytest.raises(WrongStatus, match="Berichtigung 1 wartet"):
        checking.verify(acting(serie.tournament), other.pk, version=other.version)
    with pytest.raises(Conflict, match="Berichtigung 1 wartet"):
        corrections.correct_list(
            acting(serie.tournament),
            other.pk,
            kind=Correction.Kind.INVALID,
            facts={},
            reason="x",
            versions={other.pk: other.version},
        )
    four_eyes.reject(acting(serie.tournament), serie.tournament.corrections.get().pk, reason="nein")

    for action in ("correction_proposed", "correction_rejected"):
        entries = JournalEntry.objects.filter(action=action)
        assert {entry.subject_id for entry in entries} == set(versions(serie))


def test_a_correction_of_two_lists_waits_for_a_second_person_as_one():
    serie = hall(12, 12, status=Status.HANDED_IN, four_eyes=True)
    proposed = correct_seats(serie, [1, 5])
    assert rows(serie) == [[1, 2, 3, 4], [5, 6, 7, 8]]

    four_eyes.approve(acting(serie.tournament), proposed.pk)

    assert rows(serie) == [[5, 2, 3, 4], [1, 6, 7, 8]]


def test_games_of_complete_lists_cannot_move_with_persons():
    serie = hall(12, 12, status=Status.SIGNED)

    with pytest.raises(TournamentError, match="schon alle Spiele"):
        correct_seats(serie, [1, 5], games="person")


def test_seats_of_lists_that_are_not_signed_need_no_correction(serie: Serie):
    with pytest.raises(WrongStatus, match="noch nicht unterschrieben"):
        correct_seats(serie, [1, 5])


def test_an_invalid_list_refuses_moved_people():
    serie = hall(12, 12, status=Status.SIGNED)
    write_games(list_of(serie, 2), [], status=Status.INVALID)

    with pytest.raises(WrongStatus, match="ungültig"):
        correct_seats(serie, [1, 5])
