"""``manage.py score_list``: exit code 0 or 2 and JSON on one stream for any input."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from unittest import mock

import pytest
from django.core.management import call_command, load_command_class
from django.utils import translation
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.management import base
from tests.interchange import programs
from tests.interchange.programs import (
    NO_DATABASE,
    ProgramRun,
    Stream,
    any_json,
    assert_refused,
    changed_somewhere,
    dumped,
    run_program,
)

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 2**20
LIST = {
    "rule_set": "rommeordnung",
    "players": ["Anna Kühn", "Łukasz", "Clara", "Dieter"],
    "games": [
        {"finisher": 1, "handromme": False, "minus": [0, 23, 45, 12]},
        {"finisher": 3, "handromme": True, "minus": [61, 88, 0, [70, 76]]},
        {"finisher": [2, 4], "handromme": [True, False], "minus": [62, 60, 79, 72]},
    ],
    "penalties": [{"seat": 2, "points": 100, "reason": "§ 8.3"}],
}


def run(*arguments: str, data: bytes = b"") -> ProgramRun:
    return programs.run("score_list", *arguments, data=data)


def assert_kept_the_contract(ran: ProgramRun) -> None:
    if ran.code == 0:
        assert ran.err == b""
        assert set(ran.answer) == {"rule_set", "complete", "seats", "warnings"}
    else:
        assert_refused(ran)


# --- Reading and answering --------------------------------------------------------------


def test_the_result_is_written_to_standard_output():
    ran = run(data=dumped(LIST))

    # Anna: 0 + 61 + 62 − 20; Łukasz: 23 + 88 + 60 + 100;
    # Clara: 45 + 0 + 79 − 20 − 50; Dieter: 12 + 76 + 72
    assert [seat["total"] for seat in ran.answer["seats"]] == [103, 271, 54, 160]
    assert [warning["where"] for warning in ran.answer["warnings"]] == ["games[1]", "games[2]"]
    assert (ran.code, ran.err) == (0, b"")
    # As they are, where only ASCII is known.
    assert "Anna Kühn".encode() in ran.out
    assert "Łukasz".encode() in ran.out


def test_a_file_is_read(tmp_path):
    file = tmp_path / "liste.json"
    file.write_bytes(dumped(LIST))

    assert run(str(file)) == run("-", data=dumped(LIST)) == run(data=dumped(LIST))


def test_output_can_be_taken_as_text():
    out = io.StringIO()
    with mock.patch.object(sys, "stdin", Stream(dumped(LIST))):
        call_command("score_list", stdout=out)

    assert json.loads(out.getvalue())["seats"][0]["player"] == "Anna Kühn"


# --- Refusing ---------------------------------------------------------------------------


def test_every_problem_is_written_to_standard_error():
    data = LIST | {"rule_set": "skat", "penalties": [{"seat": 7, "points": 0, "reason": "x"}]}

    ran = run(data=dumped(data))

    assert (ran.code, ran.out) == (2, b"")
    assert [error["where"] for error in ran.errors] == [
        "rule_set",
        "penalties[0].seat",
        "penalties[0].points",
    ]


def test_refusals_are_german_in_every_locale():
    with translation.override("en"):
        ran = run(data=b"")

    assert ran.errors == [{"where": "", "message": "Die Eingabe ist leer."}]


def test_a_missing_file_is_refused(tmp_path):
    file = tmp_path / "fehlt.json"

    ran = run(str(file))

    assert (ran.code, ran.errors) == (
        2,
        [{"where": "", "message": f"Die Datei „{file}“ gibt es nicht."}],
    )


def test_a_directory_is_refused(tmp_path):
    ran = run(str(tmp_path))

    assert (ran.code, ran.errors[0]["message"]) == (
        2,
        f"„{tmp_path}“ ist ein Ordner und keine Datei.",
    )


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError(), "Die Datei „liste.json“ darf nicht gelesen werden."),
        (OSError(), "Die Datei „liste.json“ kann nicht gelesen werden."),
        (ValueError(), "Die Datei „liste.json“ kann nicht gelesen werden."),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(error, message):
    with mock.patch.object(Path, "open", side_effect=error):
        ran = run("liste.json")

    assert (ran.code, ran.errors) == (2, [{"where": "", "message": message}])


def test_an_undecodable_file_name_is_refused():
    ran = run("\udcff.json")

    assert (ran.code, ran.errors[0]["message"]) == (2, "Die Datei „?.json“ gibt es nicht.")


def test_a_name_with_a_nul_is_refused():
    assert run("a\0b").code == 2


@pytest.mark.parametrize(("more", "message"), [(0, "kein JSON"), (1, "zu lang")])
def test_an_endless_input_is_not_read_to_its_end(more, message):
    ran = run(data=b"x" * (MOST_BYTES + more))

    assert ran.code == 2
    assert message in ran.errors[0]["message"]


def test_a_closed_standard_input_is_refused():
    err = Stream()
    with (
        mock.patch.object(sys, "stdin", None),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        call_command("score_list")

    assert ended.value.code == 2
    assert json.loads(err.written)["errors"][0]["message"] == "Die Eingabe ist leer."


def test_an_unwritable_output_is_an_error():
    read_end, write_end = os.pipe()
    os.close(read_end)
    err = Stream()
    with (
        open(write_end, "w", encoding="ascii") as out,  # noqa: PTH123 - a descriptor, no path
        mock.patch.object(sys, "stdin", Stream(dumped(LIST))),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        call_command("score_list")

    assert ended.value.code == 2
    assert json.loads(err.written)["errors"] == [
        {"where": "", "message": "Die Antwort konnte nicht geschrieben werden."}
    ]


def test_a_closed_standard_output_is_an_error():
    err = Stream()
    with (
        mock.patch.object(sys, "stdin", Stream(dumped(LIST))),
        mock.patch.object(sys, "stdout", None),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        call_command("score_list")

    assert ended.value.code == 2
    assert "geschrieben" in json.loads(err.written)["errors"][0]["message"]


def test_a_refusal_without_standard_error_still_ends_with_2():
    with (
        mock.patch.object(sys, "stdin", Stream(b"")),
        mock.patch.object(sys, "stderr", None),
        pytest.raises(SystemExit) as ended,
    ):
        call_command("score_list")

    assert ended.value.code == base.REFUSED == 2


# --- Anything at all --------------------------------------------------------------------

ANY_JSON = any_json("rommeordnung", "contract", "liverpool", "hausregel", "finisher")


@given(st.binary())
@example(b"")
@example(b"\xff")
@example(b"\xff\xfe{\x00}\x00")
@example(b'{"rule_set": "\\ud800", "players": ["\\u0000"], "games": [NaN], "\\udfff": 1}')
@example(b"[" * 100_000)
@example(b"-" + b"1" * 5000)
def test_any_bytes_end_with_0_or_2(data):
    assert_kept_the_contract(run(data=data))


@given(ANY_JSON)
def test_any_json_ends_with_0_or_2(value):
    assert_kept_the_contract(run(data=json.dumps(value).encode()))


@given(st.data())
def test_a_list_with_any_inserted_value_ends_with_0_or_2(data):
    value = changed_somewhere(LIST, ANY_JSON, data)

    assert_kept_the_contract(run(data=json.dumps(value).encode()))


@given(st.data())
def test_a_list_with_changed_bytes_ends_with_0_or_2(data):
    whole = dumped(LIST)
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(start + 20, len(whole))))

    assert_kept_the_contract(run(data=whole[:start] + data.draw(st.binary()) + whole[end:]))


# --- As a program of its own ------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "JSON-Datei; ohne oder mit „-“ wird die Standardeingabe gelesen"),
        ("en", "JSON file; standard input without it or with “-”"),
    ],
)
def test_the_help_uses_the_language_of_the_system(language, sentence):
    with translation.override(language):
        said = load_command_class("scoring", "score_list").create_parser("", "score_list")

        assert sentence in " ".join(said.format_help().split())


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, id="C"),
        pytest.param({"PYTHONIOENCODING": "ascii"}, id="ascii"),
        pytest.param(NO_DATABASE, id="as it is"),
    ],
)
def test_the_program_answers_on_every_machine(environment):
    ran = run_program("score_list", data=dumped(LIST), **environment)

    assert ran == run(data=dumped(LIST))


# All refusals go the same way; the others are tried in this process. This one becomes ASCII.
def test_the_program_refuses_without_a_traceback():
    data = dumped(LIST | {"Jürgen": 1})
    ran = run_program("score_list", data=data, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")

    assert ran.code == 2
    assert_kept_the_contract(ran)
    assert ran.err == run(data=data).err
