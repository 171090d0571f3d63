"""Changes of published seats: swaps with a reason, latecomers and absentees."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.factories import COMMAND, make_registration
from tests.tournaments.draw.helpers import field, seat_in_order
from tests.worlds import world
from tournaments.common.errors import Conflict, WrongStatus
from tournaments.draw.services import cards as draw_cards
from tournaments.draw.services import changes as seat_changes
from tournaments.draw.services import draws
from tournaments.draw.services import swaps as seat_swaps
from tournaments.journal.rows import all_hashes
from tournaments.models import (
    JournalEntry,
    Penalty,
    Registration,
    Seat,
    Serie,
    Spielliste,
    Tournament,
)
from tournaments.table.services import calls

pytestmark = [pytest.mark.django_db, pytest.mark.once]

KINDS = ("table/", "seat/", "spielliste/")


def seated(players: int) -> Serie:
    """Seat start number 1 at table 1, place 1 and so on; tables of three are last."""
    return seat_in_order(field(players))


def stays_away(serie: Serie, *numbers: int) -> None:
    absent = Registration.objects.filter(tournament=serie.tournament_id, number__in=numbers)
    absent.update(status=Registration.Status.NO_SHOW, present_at=None)


def comes_late(serie: Serie) -> Registration:
    return make_registration(Tournament.objects.get(pk=serie.tournament_id))


def tables(serie: Serie) -> dict[int, list[int]]:
    rows: dict[int, list[int]] = {}
    seats = Seat.objects.filter(serie=serie).order_by("table__number", "number")
    for table, place, number in seats.values_list(
        "table__number", "number", "registration__number"
    ):
        rows.setdefault(table, []).append(number)
        assert place == len(rows[table]), "places count from 1 without gaps"
    return rows


def offered(serie: Serie) -> list[list[str]]:
    return [[suggestion.key for suggestion in gap.suggestions] for gap in seat_changes.gaps(serie)]


def carry_out(serie: Serie, key: str) -> None:
    seat_changes.carry_out(COMMAND, serie.pk, key=key)


def pk(serie: Serie, number: int) -> int:
    return Registration.objects.get(tournament=serie.tournament_id, number=number).pk


def swap(serie: Serie, first: int, second: int, reason: str = "saßen falsch") -> None:
    seat_swaps.swap_seats(
        COMMAND, serie.pk, first_id=pk(serie, first), second_id=pk(serie, second), reason=reason
    )


serie = world(lambda: seated(8))


def test_a_swap_is_journalled_with_both_tables_and_the_reason(serie: Serie):
    swap(serie, 1, 6)

    assert tables(serie) == {1: [6, 2, 3, 4], 2: [5, 1, 7, 8]}
    entry = JournalEntry.objects.get(action="seats_swapped")
    assert entry.reason == "saßen falsch"
    assert entry.before["tables"]["1"][0] == pk(serie, 1)
    assert entry.after["tables"]["1"][0] == pk(serie, 6)


def test_changes_of_public_seats_do_not_apply_to_a_draft():
    serie = field(8).serien.get(number=1)

    with pytest.raises(WrongStatus, match="noch nicht ausgelost"):
        swap(serie, 1, 2)


def test_a_latecomer_joins_a_table_of_three():
    serie = seated(7)
    late = comes_late(serie)

    assert offered(serie) == [[f"join-{late.pk}-2"]]
    carry_out(serie, f"join-{late.pk}-2")

    assert tables(serie) == {1: [1, 2, 3, 4], 2: [5, 6, 7, 8]}
    assert seat_changes.gaps(serie) == []


def test_a_latecomer_may_take_the_seat_of_an_absentee(serie: Serie):
    stays_away(serie, 3)
    late = comes_late(serie)

    carry_out(serie, f"replace-{late.pk}-{pk(serie, 3)}")

    assert tables(serie)[1] == [1, 2, 9, 4]


@pytest.mark.parametrize(
    ("latecomers", "expected"),
    [
        pytest.param(1, {1: [1, 2, 3], 2: [5, 6, 7], 3: [9, 8, 4]}, id="one: 9 are 3, 3, 3"),
        pytest.param(2, {1: [1, 2, 3, 4], 2: [5, 6, 7], 3: [9, 10, 8]}, id="two: 10 are 4, 3, 3"),
        pytest.param(3, {1: [1, 2, 3, 4], 2: [5, 6, 7, 8], 3: [9, 10, 11]}, id="three"),
    ],
)
def test_latecomers_among_full_tables_get_a_new_table(
    latecomers: int, expected: dict, serie: Serie
):
    for _person in range(latecomers):
        comes_late(serie)

    carry_out(serie, "new-3-3")

    assert tables(serie) == expected


@pytest.mark.parametrize(
    ("latecomers", "keys", "sizes"),
    [
        pytest.param(5, ["new-3-4", "new-4-3"], [4, 3, 3, 3], id="five: 13 are 4, 3, 3, 3"),
        pytest.param(6, ["new-3-4", "new-4-3"], [4, 4, 3, 3], id="six: 14 are 4, 4, 3, 3"),
        pytest.param(7, ["new-3-4", "new-4-3"], [4, 4, 4, 3], id="seven: 15 are 4, 4, 4, 3"),
        pytest.param(8, ["new-3-4", "new-4-4"], [4, 4, 4, 4], id="eight"),
    ],
)
def test_many_latecomers_fill_one_new_table_after_another(
    latecomers: int, keys: list[str], sizes: list[int], serie: Serie
):
    for _person in range(latecomers):
        comes_late(serie)

    for key in keys:
        assert offered(serie)[0] == [key]
        carry_out(serie, key)

    assert sorted((len(row) for row in tables(serie).values()), reverse=True) == sizes
    assert seat_changes.gaps(serie) == []


def test_a_table_of_four_continues_with_three_and_closes_the_gap(serie: Serie):
    stays_away(serie, 2)

    carry_out(serie, f"leave-{pk(serie, 2)}")

    assert tables(serie) == {1: [1, 3, 4], 2: [5, 6, 7, 8]}


def test_a_table_of_three_is_filled_from_a_table_of_four():
    serie = seated(7)
    stays_away(serie, 5)

    carry_out(serie, f"fill-{pk(serie, 5)}-{pk(serie, 4)}")

    assert tables(serie) == {1: [1, 2, 3], 2: [4, 6, 7]}


@pytest.mark.both
def test_two_left_of_three_join_the_other_tables_of_three():
    serie = seated(9)
    stays_away(serie, 1)

    carry_out(serie, f"dissolve-{pk(serie, 1)}")

    assert tables(serie) == {2: [4, 5, 6, 2], 3: [7, 8, 9, 3]}


def test_journal_entries_prove_created_and_deleted_seats():
    serie = seated(9)
    gone = serie.tables.get(number=1)
    stays_away(serie, 1)

    carry_out(serie, f"dissolve-{pk(serie, 1)}")

    said: dict[str, str | None] = {}
    for entry in JournalEntry.objects.filter(rows__isnull=False).order_by("number"):
        said |= entry.rows
    there = all_hashes(serie.tournament)
    seats = {name: it for name, it in there.items() if name.startswith(KINDS)}
    assert seats == {name: it for name, it in said.items() if it and name.startswith(KINDS)}
    assert said[f"table/{gone.pk}"] is None


def test_a_table_with_a_call_can_be_dissolved():
    serie = seated(9)
    stays_away(serie, 1)
    calls.call(COMMAND, serie.tables.get(number=1).pk, kind="other")

    carry_out(serie, f"dissolve-{pk(serie, 1)}")

    assert tables(serie) == {2: [4, 5, 6, 2], 3: [7, 8, 9, 3]}
    assert JournalEntry.objects.filter(action="referee_called").count() == 1


def test_a_list_with_strafpunkte_is_not_removed():
    serie = seated(9)
    stays_away(serie, 1)
    Penalty.objects.create(
        spielliste=Spielliste.objects.get(table__serie=serie, table__number=1),
        registration_id=pk(serie, 2),
        points=100,
        reason="zu spät am Tisch",
    )

    with pytest.raises(WrongStatus, match="stehen schon Strafpunkte"):
        carry_out(serie, f"dissolve-{pk(serie, 1)}")

    assert tables(serie)[1] == [1, 2, 3]


def test_a_closed_serie_refuses_new_seats(serie: Serie):
    for _person in range(3):
        comes_late(serie)
    Serie.objects.filter(pk=serie.pk).update(closed_at=timezone.now())
    serie.refresh_from_db()

    assert seat_changes.gaps(serie) == []
    with pytest.raises(WrongStatus, match="abgeschlossen"):
        carry_out(serie, "new-3-3")
    with pytest.raises(WrongStatus, match="abgeschlossen"):
        swap(serie, 1, 6)


def test_no_suggestion_is_made_if_no_small_change_helps():
    serie = seated(6)  # two tables of three; five people cannot be seated
    stays_away(serie, 1)

    assert offered(serie) == [[]]


def test_a_suggestion_is_carried_out_once(serie: Serie):
    stays_away(serie, 2)
    key = f"leave-{pk(serie, 2)}"
    carry_out(serie, key)

    with pytest.raises(Conflict, match="passt nicht mehr"):
        carry_out(serie, key)

    assert JournalEntry.objects.filter(action="seats_changed").count() == 1


def test_seats_of_an_earlier_serie_stay(serie: Serie):
    second = Serie.objects.get(tournament=serie.tournament_id, number=2)
    draw = draws.begin(COMMAND, second.pk, method=Serie.Seating.CARDS)
    draw_cards.fill_up(COMMAND, draw.pk)
    draws.publish(COMMAND, draw.pk)
    stays_away(serie, 2)

    assert seat_changes.gaps(serie) == []
    with pytest.raises(WrongStatus, match="schon weiter ausgelost"):
        swap(serie, 1, 6)
    with pytest.raises(WrongStatus, match="schon weiter ausgelost"):
        carry_out(serie, f"leave-{pk(serie, 2)}")
    assert [len(gap.suggestions) for gap in seat_changes.gaps(second)] == [1]
