"""Who gets to see the pages of the control room."""

from __future__ import annotations

import pytest

from tests.factories import COMMAND
from tests.tournaments.access_matrix import DESK, Row, check
from tests.tournaments.hall.helpers import running
from tests.worlds import world
from tournaments.models import Role, Serie, Spielliste
from tournaments.table.services import calls

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status
LEADING = (Role.SPIELLEITUNG,)
HALL = (Role.SPIELLEITUNG, Role.SCHIEDSRICHTER)
ALL = (Role.SPIELLEITUNG, Role.SCHIEDSRICHTER, Role.KASSE)
AT_TABLE = {"number": 1, "table": 1}

serie = world(running)


@pytest.mark.parametrize(
    "row",
    [
        Row("hall:current", HALL),
        Row("hall:hand_in_current", ALL),
        Row("hall:room", HALL, kwargs={"number": 1}),
        Row("hall:since", HALL, kwargs={"number": 1}),
        Row("hall:start", LEADING, "post", {"number": 1}),
        Row("hall:take_back_start", LEADING, "post", {"number": 1}),
        Row("hall:extra_time", LEADING, "post", {"number": 1}),
        Row("hall:cards", LEADING, kwargs={"number": 1}),
        Row("hall:hand_in", ALL, kwargs={"number": 1}),
        Row("hall:hand_in_since", ALL, kwargs={"number": 1}),
        Row("hall:hand_in_act", DESK, "post", AT_TABLE),
        Row("hall:table", HALL, kwargs=AT_TABLE),
        Row("hall:table_since", HALL, kwargs=AT_TABLE),
        Row("hall:access", LEADING, kwargs=AT_TABLE),
        Row("hall:withdraw_access", LEADING, "post", AT_TABLE),
        Row("hall:allow_take_over", LEADING, "post", AT_TABLE),
        Row("hall:on_paper", HALL, "post", AT_TABLE),
        Row("hall:note_bought", LEADING, "post", AT_TABLE),
        Row("hall:grid", HALL, kwargs=AT_TABLE),
        Row("hall:grid", HALL, "post", AT_TABLE),
    ],
    ids=lambda row: f"{row.method} {row.name}",
)
def test_pages_open_to_their_roles_only(row: Row, serie: Serie):
    check(row, serie.tournament)


@pytest.mark.parametrize("name", ["hall:take_call", "hall:finish_call"])
def test_calls_are_taken_by_who_walks_the_hall(name: str, serie: Serie):
    call = calls.call(table_id=serie.tables.get().pk, kind="dispute", actor=COMMAND)
    check(Row(name, HALL, "post"), serie.tournament, pk=call.pk)
