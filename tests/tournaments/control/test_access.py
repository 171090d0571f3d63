"""Who gets to see the pages of the control room."""

from __future__ import annotations

import pytest

from tests.factories import COMMAND
from tests.tournaments.access_matrix import DESK, Row, check
from tests.tournaments.control.helpers import running
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
        Row("control:current", HALL),
        Row("control:hand_in_current", ALL),
        Row("control:room", HALL, kwargs={"number": 1}),
        Row("control:since", HALL, kwargs={"number": 1}),
        Row("control:start", LEADING, "post", {"number": 1}),
        Row("control:take_back_start", LEADING, "post", {"number": 1}),
        Row("control:extra_time", LEADING, "post", {"number": 1}),
        Row("control:cards", LEADING, kwargs={"number": 1}),
        Row("control:hand_in", ALL, kwargs={"number": 1}),
        Row("control:hand_in_since", ALL, kwargs={"number": 1}),
        Row("control:hand_in_act", DESK, "post", AT_TABLE),
        Row("control:table", HALL, kwargs=AT_TABLE),
        Row("control:table_since", HALL, kwargs=AT_TABLE),
        Row("control:access", LEADING, kwargs=AT_TABLE),
        Row("control:withdraw_access", LEADING, "post", AT_TABLE),
        Row("control:allow_take_over", LEADING, "post", AT_TABLE),
        Row("control:on_paper", HALL, "post", AT_TABLE),
        Row("control:note_bought", LEADING, "post", AT_TABLE),
        Row("control:grid", HALL, kwargs=AT_TABLE),
        Row("control:grid", HALL, "post", AT_TABLE),
    ],
    ids=lambda row: f"{row.method} {row.name}",
)
def test_pages_open_to_their_roles_only(row: Row, serie: Serie):
    check(row, serie.tournament)


@pytest.mark.parametrize("name", ["control:take_call", "control:finish_call"])
def test_calls_are_taken_by_who_walks_the_hall(name: str, serie: Serie):
    call = calls.call(table_id=serie.tables.get().pk, kind="dispute", actor=COMMAND)
    check(Row(name, HALL, "post"), serie.tournament, pk=call.pk)
