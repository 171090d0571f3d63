"""The changes between two states of the database, which are sent to the standby laptop.

As with rsync: the standby laptop sends a checksum of each block of its older state, and gets the
blocks of the newer one with another checksum, in several answers if they are many. A hash of the
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

from tournaments.backup.database_copy import BackupError
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
    # In pieces so small that zlib does not release the GIL, which requests would take each time.
    for at in range(0, len(block), PAGE):
        checksum = zlib.crc32(block[at : at + PAGE], checksum)
    return checksum


def changes(state: IO[bytes], length: int, known: bytes) -> bytes:
    """Return the changes that turn a state with the :func:`checksums` *known* into *state*.

    Many changes are returned in part; the next request has the checksums of the partial state.

    Args:
        state: a file whose reads are never short.
        length: of the state.

    Raises:
        ValueError: if *known* are no checksums.
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
    """Write the newer state from the older one and the :func:`changes` that were sent.

    Returns:
        Whether it is whole; a partial state is the base of the next request.

    Raises:
        BackupError: if the result has another hash.
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
        EOFError: if the result has another hash.
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
