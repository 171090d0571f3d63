"""What changed between two states, so that only this is sent to the laptop that stands by.

As with rsync: who has the older state sends a checksum of each of its blocks, and is sent the
blocks of the newer one with another checksum, if these are many in several answers. A hash of the
whole proves the result. Files are read in pieces, so that their size costs no memory.
"""

from __future__ import annotations

import gzip
import hashlib
import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import IO

from django.utils.translation import gettext as _

from tournaments.backup.copying import BackupError
from tournaments.backup.packing import CHUNK_BYTES

PAGE = 4096  # bytes, of SQLite
MOST_BLOCKS = 12_000  # so that their checksums are a small body, see romme_site/request_bodies.py
_HEAD = struct.Struct(">QI")  # bytes of the state, bytes of a block
_NUMBER = struct.Struct(">I")  # of a block, before its content
_END, _MORE = 2**32 - 1, 2**32 - 2  # in place of a number, before the SHA-256 of the state
MOST_BYTES = 2**23  # of one answer, about


def checksums(state: Path | None) -> bytes:
    """Return the size of a block, and the checksum of each block of *state*; None is empty."""
    size = PAGE
    while state and state.stat().st_size > MOST_BLOCKS * size:
        size *= 2
    numbers = [size]
    with _opened(state) as file:
        for piece in _pieces(file):
            numbers += (_checksum(block) for block in _blocks(piece, size))
    return struct.pack(f">{len(numbers)}I", *numbers)


def _opened(state: Path | None) -> IO[bytes]:
    return state.open("rb") if state else BytesIO()


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(CHUNK_BYTES):
        yield piece


def _blocks(piece: bytes, size: int) -> list[memoryview]:
    whole = memoryview(piece)
    return [whole[at : at + size] for at in range(0, len(piece), size)]


def _checksum(block: memoryview) -> int:
    checksum = 0
    # In pieces so small that Python keeps its lock: given back for each, pages take it in between.
    for at in range(0, len(block), PAGE):
        checksum = zlib.crc32(block[at : at + PAGE], checksum)
    return checksum


def changes(state: IO[bytes], length: int, known: bytes) -> bytes:
    """Return what makes *state* out of the one whose :func:`checksums` are *known*.

    If that is much, it is a part, and what comes of it is asked with for more.

    Args:
        state: gives as many bytes as it is asked for.
        length: of the state.

    Raises:
        ValueError: if *known* are none.
    """
    if len(known) < _NUMBER.size or len(known) % _NUMBER.size:
        raise ValueError
    size, *older = struct.unpack(f">{len(known) // _NUMBER.size}I", known)
    if not size or size % PAGE or CHUNK_BYTES % size:
        raise ValueError
    sent, digest, number, is_whole = BytesIO(), hashlib.sha256(), 0, True
    with gzip.GzipFile(fileobj=sent, mode="wb", compresslevel=1) as packed:
        packed.write(_HEAD.pack(length, size))
        for piece in _pieces(state):
            digest.update(piece)
            differing = list[bytes | memoryview]()
            for block in _blocks(piece, size):
                if number >= len(older) or _checksum(block) != older[number]:
                    differing += _NUMBER.pack(number), block
                number += 1
            if sent.tell() > MOST_BYTES:
                is_whole &= not differing
            else:
                packed.write(b"".join(differing))
        packed.write(_NUMBER.pack(_END if is_whole else _MORE) + digest.digest())
    return sent.getvalue()


def apply(sent: bytes, older: Path | None, newer: Path) -> bool:
    """Write the newer state, by the :func:`changes` that were sent and the older state.

    Returns:
        Whether it is whole; if not, what was written has to be asked with for more.

    Raises:
        BackupError: if it is not the state that was meant.
        OSError: if it cannot be written.
    """
    try:
        with (
            gzip.open(BytesIO(sent)) as read,
            _opened(older) as before,
            newer.open("wb") as after,
        ):
            return _put_together(read, before, after)
    except (EOFError, gzip.BadGzipFile, zlib.error, struct.error):
        raise BackupError(
            _("Was ankam, ist beschädigt; gleich wird alles noch einmal geholt.")
        ) from None


def _put_together(sent: gzip.GzipFile, before: IO[bytes], after: IO[bytes]) -> bool:
    """Write the newer state, and return whether it is whole.

    Raises:
        EOFError: if it is not the state that was meant.
    """
    digest = hashlib.sha256()
    length, size = _HEAD.unpack(sent.read(_HEAD.size))
    while True:
        (number,) = _NUMBER.unpack(sent.read(_NUMBER.size))
        until = min(number * size, length)
        before.seek(after.tell())
        while piece := before.read(max(0, min(until - after.tell(), CHUNK_BYTES))):
            digest.update(piece)
            after.write(piece)
        if number == _MORE:
            return False
        if after.tell() < until or (number == _END and sent.read() != digest.digest()):
            raise EOFError
        if number == _END:
            return True
        block = sent.read(min(size, length - until))
        digest.update(block)
        after.write(block)
