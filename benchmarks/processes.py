"""What a started program uses, with all its processes, as Linux counts it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def of_session(leader: int) -> Iterator[Path]:
    """Give the folders below /proc of all processes of a session that are still there."""
    for folder in PROC.glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) == leader:
                yield folder
        except ProcessLookupError:
            continue


def processor_seconds(leader: int, *, in_front: bool = False) -> float:
    """Return the processor time of a session, with that of processes that have ended.

    *in_front* leaves out what has stepped back, as backups and their proof do: they run when
    something has happened, whoever asks.
    """
    ticks = 0
    for folder in of_session(leader):
        after_name = (folder / "stat").read_text().rpartition(")")[2].split()
        if in_front and int(after_name[16]) > 0:
            continue
        ticks += sum(map(int, after_name[11:15]))  # own, of the system, and both of children
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_megabytes(leader: int) -> float:
    """Return the memory of a session, where what processes share counts once (PSS)."""
    kilobytes = 0
    for folder in of_session(leader):
        for line in (folder / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                kilobytes += int(line.split()[1])
    return kilobytes / 1024


def end_all_of(folder: Path) -> None:
    """Kill all processes that work with the data in *folder*, as when the machine goes off.

    What prints runs in a session of its own, and would go on without the server.
    """
    wanted = f"DATA_DIR={folder}".encode()
    for found in PROC.glob("[0-9]*"):
        try:
            if int(found.name) != os.getpid() and wanted in _environment(found):
                os.kill(int(found.name), signal.SIGKILL)
        except (ProcessLookupError, PermissionError, FileNotFoundError):
            continue


def _environment(found: Path) -> list[bytes]:
    return (found / "environ").read_bytes().split(b"\0")


def peak_kilobytes(process: Path = PROC / "self") -> int:
    """Return the most memory that a process has had; *ru_maxrss* counts its parent's, too."""
    lines = (process / "status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def peak_megabytes(leader: int) -> float:
    """Return the most memory that any one process of a session has had."""
    return max(map(peak_kilobytes, of_session(leader))) / 1024
