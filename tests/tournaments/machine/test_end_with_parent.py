"""Processes that make pages end with the one that they work for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tournaments.machine import jobs

SECONDS = 60  # that a process may need to end, on a busy machine

# A process of a pool that is waiting for work, in a process that waits for its own end.
POOL = """
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from tournaments.printing import rendering

if __name__ == "__main__":
    pool = ProcessPoolExecutor(
        1, mp_context=get_context("spawn"), initializer=rendering.init_worker
    )
    pool.submit(abs, 1).result()
    print("ready", flush=True)
    sys.stdin.read()
"""


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
        assert process.stdout.readline().strip() == b"ready"

        process.kill()

        # The pipe ends when no process has it open, and the process of the pool had it.
        assert process.communicate(timeout=SECONDS)[0] == b""
