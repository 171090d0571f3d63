"""The process that stays for the next job: told by a pipe, ended with it, never waited for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.db import connections

from tournaments.machine import jobs
from tournaments.machine.jobs import KeptProcess

SECONDS = 60  # that a process may need to end, on a busy machine

# Stands for the program: writes which process heard which number.
LISTENER = """
import os, sys
for line in sys.stdin:
    with open({path!r}, "a") as file:
        file.write(f"{{os.getpid()}} {{line}}")
"""
# A process of a pool that is waiting for work, in a process that waits for its own end.
POOL = """
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from tournaments.printing import rendering

if __name__ == "__main__":
    pool = ProcessPoolExecutor(
        1, mp_context=get_context("spawn"), initializer=rendering.be_nice
    )
    pool.submit(abs, 1).result()
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def heard(tmp_path: Path, settings: Any) -> Path:
    """The file that says what was heard, by which process."""
    path = tmp_path / "heard"
    settings.PROGRAM = [sys.executable, "-c", LISTENER.format(path=str(path))]
    return path


def ended(kept: KeptProcess) -> subprocess.Popen[bytes]:
    """Let its process go, and wait for its end."""
    process = kept.process
    assert process is not None
    kept.let_go()
    assert process.wait(SECONDS) == 0
    return process


def test_one_process_does_one_job_after_the_other(heard: Path):
    kept = KeptProcess()
    kept.take(3)
    kept.take(4)

    process = ended(kept)

    assert heard.read_text() == f"{process.pid} 3\n{process.pid} 4\n"


def test_it_ends_when_nobody_had_a_job_for_it_for_a_while(heard: Path):
    kept = KeptProcess(seconds=0)
    started: list[subprocess.Popen[bytes]] = []
    begin = jobs._process

    def noted(*words: str, stdin: int) -> subprocess.Popen[bytes]:
        started.append(begin(*words, stdin=stdin))
        return started[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "_process", noted)
        kept.take(3)

    assert started[0].wait(SECONDS) == 0
    assert heard.read_text() == f"{started[0].pid} 3\n"


def test_after_one_that_was_killed_the_next_job_begins_another(heard: Path):
    kept = KeptProcess()
    kept.take(3)
    first = kept.process
    assert first is not None
    first.kill()
    first.wait(SECONDS)

    kept.take(4)

    second = ended(kept)
    assert second.pid != first.pid
    assert f"{second.pid} 4\n" in heard.read_text()


@pytest.fixture
def on_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Staying here and now, without taking the database away from the tests."""
    monkeypatch.setattr(jobs, "_is_kept", Event())
    monkeypatch.setattr(connections, "close_all", lambda: None)


@pytest.mark.usefixtures("on_its_own")
def test_job_that_comes_during_another_has_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch):
    is_working, was_spawned, is_over = Event(), Event(), Event()
    done: list[int] = []
    spawned: list[int] = []

    def work(job_id: int) -> None:
        is_working.set()
        assert was_spawned.wait(SECONDS)
        done.append(job_id)
        is_over.set()

    def spawn(job_id: int) -> None:
        spawned.append(job_id)
        was_spawned.set()

    def numbers() -> Iterator[str]:
        yield "3\n"
        assert is_working.wait(SECONDS)
        yield "4\n"
        assert is_over.wait(SECONDS)

    monkeypatch.setattr(jobs, "run", work)
    monkeypatch.setattr(jobs, "spawn", spawn)

    jobs.stay(numbers())

    assert (done, spawned, jobs.is_kept()) == ([3], [4], True)


@pytest.mark.usefixtures("on_its_own")
def test_mistake_in_one_job_is_in_the_log_and_does_not_end_the_process(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def fail(_job_id: int) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(jobs, "run", fail)

    jobs.stay(iter(["3\n"]))

    assert "job 3" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_processes_that_make_pages_end_with_one_that_was_killed(tmp_path: Path):
    script = tmp_path / "pool.py"
    script.write_text(POOL)
    root = str(Path(jobs.__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"

        process.kill()

        # Ends when nobody has it open any more, and the process of the pool had it.
        assert process.communicate(timeout=SECONDS)[0] == b""
