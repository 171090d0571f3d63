"""The commands for other programs, run in this process and as programs of their own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from django.core.management import call_command
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
NO_DATABASE = {"DATABASE_URL": "postgres://127.0.0.1:1/nichts"}  # no server there


class ProgramRun(NamedTuple):
    code: int
    out: bytes
    err: bytes

    @property
    def answer(self):
        return json.loads(self.out.decode())

    @property
    def errors(self):
        return json.loads(self.err.decode())["errors"]


class Stream(io.TextIOWrapper):
    """A standard stream that supports only ASCII."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__(io.BytesIO(data), encoding="ascii", errors="strict")

    @property
    def written(self) -> bytes:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue()


def run(command: str, *arguments: str, data: bytes = b"") -> ProgramRun:
    """Run a command in this process, as a shell would."""
    out, err, code = Stream(), Stream(), 0
    with (
        mock.patch.object(sys, "stdin", Stream(data)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            call_command(command, *arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
    return ProgramRun(code, out.written, err.written)


def run_program(command: str, *arguments: str, data: bytes = b"", **environment: str) -> ProgramRun:
    """Run a command as a program of its own."""
    ended = subprocess.run(
        [sys.executable, "manage.py", command, *arguments],
        cwd=ROOT,
        input=data,
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )
    return ProgramRun(ended.returncode, ended.stdout, ended.stderr)


def dumped(data) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()


def assert_refused(ran: ProgramRun) -> None:
    """Check that a refusal follows the format: JSON on standard error alone."""
    assert ran.code == 2
    assert ran.out == b""
    assert ran.errors
    for error in ran.errors:
        assert set(error) == {"where", "message"}
        assert error["message"]


# --- Anything at all --------------------------------------------------------------------


def any_json(*words: str):
    """Return a strategy for JSON values; *words* are texts that mean something in the file."""
    return st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-3, 200)
        | st.integers()
        | st.floats()
        | st.text(max_size=5)
        | st.sampled_from(words),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=6,
    )


def changed_somewhere(value, new, data: st.DataObject):
    """Return *value* with one to three places in it drawn from the strategy *new*."""
    for __ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(places(value))))
        value = changed(value, path, data.draw(new))
    return value


def places(value, path=()):
    """Yield the path of every value inside *value*."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


def changed(value, path, new):
    """Return a copy of *value* with *new* at *path*."""
    if not path:
        return new
    if isinstance(value, dict):
        return value | {path[0]: changed(value[path[0]], path[1:], new)}
    copy = list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy
