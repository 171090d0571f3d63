"""``manage.py plan_seating``: exit code 0 or 2 and JSON on one stream for any input."""

from __future__ import annotations

import json
from functools import partial
from itertools import chain
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.seating import plan
from tests.interchange import programs
from tests.interchange.programs import (
    NO_DATABASE,
    ProgramRun,
    any_json,
    assert_refused,
    changed_somewhere,
    dumped,
    run_program,
)

ROOT = Path(__file__).resolve().parents[2]
PLAN = {
    "players": [
        {"id": number, "club": "SC Kühn" if number % 3 else None} for number in range(1, 17)
    ],
    "series": 3,
    "seed": "Größe zählt",
    "table_sizes": [4, 3],
    "history": [[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]]],
}
METRICS = {
    "repeat_meetings",
    "clubmates_at_table",
    "clubmates_adjacent",
    "three_table_spread",
    "seat_one_spread",
}


def run(*arguments: str, data: bytes = b"") -> ProgramRun:
    return programs.run("plan_seating", *arguments, data=data)


def assert_kept_the_contract(ran: ProgramRun) -> None:
    if ran.code == 0:
        assert ran.err == b""
        assert set(ran.answer) == {"seed", "series", "metrics"}
        assert set(ran.answer["metrics"]) >= METRICS
        assert all(set(serie) == {"tables"} for serie in ran.answer["series"])
    else:
        assert_refused(ran)


def test_the_plan_is_written_to_standard_output():
    ran = run(data=dumped(PLAN))

    assert (ran.code, ran.err) == (0, b"")
    assert ran.answer["seed"] == "Größe zählt"
    assert "Größe".encode() in ran.out
    assert ran.answer["metrics"]["repeat_meetings"] == 0
    for serie in ran.answer["series"]:
        assert sorted(chain.from_iterable(serie["tables"])) == list(range(1, 17))


def test_every_problem_is_written_to_standard_error():
    ran = run(data=dumped(PLAN | {"series": 0, "table_sizes": [1], "seed": 5}))

    assert (ran.code, ran.out) == (2, b"")
    assert [error["where"] for error in ran.errors] == ["seed", "series", "table_sizes[0]"]


# --- Anything at all --------------------------------------------------------------------

ANY_JSON = any_json("players", "series", "seed", "history", "id", "club")


@given(st.binary())
@example(b"")
@example(b"\xff")
@example(b"\xff\xfe{\x00}\x00")
@example(b'{"players": [{"id": 1, "club": "\\ud800"}], "series": NaN, "\\udfff": 1}')
@example(b"[" * 100_000)
@example(b'{"players": [], "series": ' + b"1" * 5000 + b"}")
@settings(deadline=None)
def test_any_bytes_end_with_0_or_2(data):
    assert_kept_the_contract(run(data=data))


@given(st.data())
@settings(deadline=None)
def test_a_plan_with_any_inserted_value_ends_with_0_or_2(data):
    quick = partial(plan, work=2_000)
    with (
        mock.patch("scoring.reading.interchange_seating.plan", quick),
        mock.patch("scoring.seating.plan.STEPS", 2_000),
    ):
        value = changed_somewhere(PLAN, ANY_JSON, data)

        assert_kept_the_contract(run(data=json.dumps(value).encode()))


# --- As a program of its own ------------------------------------------------------------


# Two clubs and a history require a real search.
SEARCHED = PLAN | {"history": [[[1, 5, 9, 13], [2, 6, 10, 14]]], "series": 4}


@pytest.mark.no_cover
def test_the_program_has_the_same_output_on_every_machine():
    another = {"PYTHONHASHSEED": "2", "LC_ALL": "C", "PYTHONUTF8": "0"} | NO_DATABASE
    ran = run_program("plan_seating", data=dumped(SEARCHED), **another)

    assert ran.code == 0
    assert ran == run(data=dumped(SEARCHED))
