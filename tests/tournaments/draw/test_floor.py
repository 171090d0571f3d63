"""The floor plan: tables in order by default, or moved by the organiser."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from tests.factories import COMMAND
from tests.tournaments.draw.helpers import field, seat_in_order
from tests.tournaments.draw.test_views import log_in
from tests.worlds import world
from tournaments.announcement.services.copying import copy_tournament
from tournaments.common.errors import TournamentError
from tournaments.draw.services import floor
from tournaments.models import JournalEntry, Tournament
from tournaments.models.floor import check_floor, in_order

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def drawn() -> Tournament:
    tournament = field(19)  # at five tables
    seat_in_order(tournament)
    tournament.refresh_from_db()
    return tournament


tournament = world(drawn)
HALL = [[1, 2, 0, 3], [0, 0, 0, 4], [5, 0, 0, 0]]


def url(tournament: Tournament, name: str = "floor") -> str:
    return reverse(f"draw:{name}", args=[tournament.slug])


def stands(tournament: Tournament, rows: list[list[int]] = HALL) -> None:
    tournament.floor = rows
    tournament.save()


def order(page: str) -> list[int]:
    """The tables of the plan in the order in which they are read out."""
    return [int(number) for number in re.findall(r"Tisch </span>(\d+)", page)]


def test_tables_are_in_order_by_default(client: Client, tournament: Tournament):
    page = client.get(reverse("seating:serie", args=[tournament.slug, 1])).content.decode()

    assert order(page) == [1, 2, 3, 4, 5]
    assert "tables-at-1 tables-at-2 tables-at-3 tables-at-4" in page


def test_a_table_is_moved_by_choosing_it_and_its_place(client: Client, tournament: Tournament):
    log_in(client, tournament)

    answer = client.post(url(tournament, "move_table"), {"table": "5", "cell": "6-2"})

    tournament.refresh_from_db()
    assert answer.status_code == 302
    assert tournament.floor == [[1, 2, 3, 4, 0, 0], [0, 0, 0, 0, 0, 5]]
    assert JournalEntry.objects.get(action="table_moved").after["table"] == 5


def test_a_table_exchanges_places_with_the_one_at_its_target(tournament: Tournament):
    floor.move_table(COMMAND, tournament.pk, table=1, column=0, row=1)

    tournament.refresh_from_db()
    assert tournament.floor == [[5, 2, 3, 4], [1, 0, 0, 0]]


def test_tables_stay_within_the_hall(tournament: Tournament):
    floor.move_table(COMMAND, tournament.pk, table=5, column=0, row=900)
    tournament.refresh_from_db()

    assert len(tournament.floor) == 3
    with pytest.raises(ValidationError, match="keine Aufstellung"):
        floor.move_table(COMMAND, tournament.pk, table=5, column=8, row=0)
    with pytest.raises(TournamentError, match="Tisch 6 gibt es nicht"):
        floor.move_table(COMMAND, tournament.pk, table=6, column=0, row=0)


def test_all_tables_are_rearranged_in_rows(client: Client, tournament: Tournament):
    stands(tournament)
    log_in(client, tournament)

    unfit = client.post(url(tournament, "line_up"), {"columns": "9"})
    client.post(url(tournament, "line_up"), {"columns": "3"})

    tournament.refresh_from_db()
    assert unfit.status_code == 422
    assert tournament.floor == [[1, 2, 3], [4, 5, 0]]


def test_tables_of_a_closed_tournament_are_fixed(client: Client, tournament: Tournament):
    Tournament.objects.update(status=Tournament.Status.CLOSED)
    log_in(client, tournament)

    offered = client.get(url(tournament))
    refused = client.post(url(tournament, "move_table"), {"table": "5", "cell": "6-2"})

    assert refused.status_code == 409
    for answer in (offered, refused):
        assert "Das Turnier ist abgeschlossen" in answer.content.decode()
        assert "hierher" not in answer.content.decode()


def test_draw_seating_plan_and_control_show_the_same_hall(client: Client, tournament: Tournament):
    stands(tournament, [[5, 4, 0, 3], [0, 0, 0, 2], [1, 0, 0, 0]])
    log_in(client, tournament)

    pages = [
        client.get(reverse(name, args=[tournament.slug, 1])).content.decode()
        for name in ("seating:serie", "draw:serie", "hall:room")
    ]

    assert order(pages[0]) == order(pages[1]) == [5, 4, 3, 2, 1]
    assert re.findall(r'id="table-(\d)"', pages[2]) == list("54321")
    for page in pages:
        assert "floor-plan tables-at-1 tables-at-2 aisle-at-3 tables-at-4" in page


def test_a_table_without_a_place_comes_last(client: Client, tournament: Tournament):
    stands(tournament, [[4, 0, 2], [9, 0, 1]])

    page = client.get(reverse("seating:serie", args=[tournament.slug, 1])).content.decode()

    assert order(page) == [4, 2, 1, 3, 5]


def test_the_own_table_is_highlighted_with_a_label(client: Client, tournament: Tournament):
    latest = reverse("seating:latest", args=[tournament.slug])

    page = client.get(latest, {"nr": "6"}, follow=True).content.decode()

    own = re.search(r'<li class="round own">.*?</h3>', page, flags=re.DOTALL)
    assert own is not None
    assert order(own[0]) == [2]
    assert "hier" in own[0]
    assert page.count('class="round-word"') == 1


def test_names_are_short_and_hidden_ones_are_numbers(client: Client, tournament: Tournament):
    registration = tournament.registrations.get(number=1)
    registration.person.first_name, registration.person.last_name = "Karl", "von Berg"
    registration.person.save()

    def shown() -> str:
        return client.get(reverse("seating:serie", args=[tournament.slug, 1])).content.decode()

    assert "K. B. (Nr. 1)" in shown()
    registration.person.publish_consent = True
    registration.person.save()
    Tournament.objects.update(revision=tournament.revision + 1)
    assert "von Berg, K." in shown()


def test_a_copy_has_the_same_hall(tournament: Tournament):
    stands(tournament)

    copy = copy_tournament(
        owner=tournament.owner,
        tournament_id=tournament.pk,
        name="Frühjahrsturnier",
        starts_at=tournament.starts_at + timedelta(days=180),
        actor=COMMAND,
    )

    assert copy.floor == HALL


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param("x", id="text"),
        pytest.param([1, 2], id="no rows"),
        pytest.param([[1, "2"]], id="no number"),
        pytest.param([[True]], id="a truth"),
        pytest.param([[-1]], id="below zero"),
        pytest.param([[1, 2], [1, 0]], id="a table twice"),
        pytest.param([[1, 2], [3]], id="rows of different length"),
        pytest.param([[0] * 9], id="too wide"),
    ],
)
def test_an_invalid_floor_plan_is_refused(wrong: object):
    with pytest.raises(ValidationError):
        check_floor(wrong)


def test_many_tables_use_wider_rows():
    assert [len(in_order(range(1, tables + 1))[0]) for tables in (12, 24, 60)] == [4, 6, 8]
    assert in_order([]) == []
