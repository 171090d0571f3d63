"""Processor time and memory of a started program with all its processes, as Linux counts them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

PROC = Path("/proc")


def processes_of(leader: int) -> Iterator[Path]:
    """Yield the folders in /proc of the running processes of a session."""
    for folder in PROC.glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) == leader:
                yield folder
        except ProcessLookupError:
            continue


def processor_seconds(leader: int, *, is_nice: bool = True) -> float:
    """Return the processor time of a session, with that of processes that have ended.

    Backups and their proof run at a low priority, independent of requests; without *is_nice* they
    are left out.
    """
    ticks = 0
    for folder in processes_of(leader):
        after_name = (folder / "stat").read_text().rpartition(")")[2].split()
        if is_nice or int(after_name[16]) <= 0:
            ticks += sum(map(int, after_name[11:15]))  # own, of the system, and both of children
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_megabytes(leader: int) -> float:
    """Return the memory of a session, where what processes share counts once (PSS)."""
    return sum(_kilobytes(each / "smaps_rollup", "Pss:") for each in processes_of(leader)) / 1024


def peak_kilobytes(process: Path = PROC / "self") -> int:
    """Return the most memory that a process has had; ``ru_maxrss`` includes its parent's."""
    return _kilobytes(process / "status", "VmHWM:")


def peak_megabytes(leader: int) -> float:
    """Return the most memory that any one process of a session has had."""
    return max(map(peak_kilobytes, processes_of(leader))) / 1024


def _kilobytes(file: Path, name: str) -> int:
    lines = file.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


def kill_all(leaders: Iterable[int], folder: Path) -> None:
    """Kill sessions, and all processes whose ``DATA_DIR`` is *folder*, as a power cut does.

    The process that prints has a session of its own, and would outlive the server. The session of
    this process is spared.
    """
    while processes := {*chain.from_iterable(map(processes_of, leaders)), *_with_data(folder)}:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(int(process.name), signal.SIGKILL)
        time.sleep(0.05)  # until they have ended


def _with_data(folder: Path) -> Iterator[Path]:
    for process in PROC.glob("[0-9]*"):
        with suppress(ProcessLookupError, PermissionError, FileNotFoundError):
            environment = (process / "environ").read_bytes().split(b"\0")
            is_own = os.getsid(int(process.name)) == os.getsid(0)
            if not is_own and f"DATA_DIR={folder}".encode() in environment:
                yield process
