"""What changed between two states, so that only this is sent to the laptop that stands by.

As with rsync: who has the older state sends a checksum of each of its blocks, and is sent the
blocks of the newer one with another checksum. A hash of the whole proves the result.
"""

from __future__ import annotations

import hashlib
import struct
import zlib

from django.utils.translation import gettext as _

from tournaments.backup.copying import BackupError

PAGE = 4096  # bytes, of SQLite
MOST_BLOCKS = 12_000  # so that their checksums are a small body, see romme_site/bodies.py
_HEAD = struct.Struct(">QI32s")  # bytes of the state, bytes of a block, SHA-256 of the state
_NUMBER = struct.Struct(">I")  # of a block, before its content


def checksums(state: bytes) -> bytes:
    """Return the size of a block, and the checksum of each block of *state*."""
    size = PAGE
    while len(state) > MOST_BLOCKS * size:
        size *= 2
    found = [size, *(_checksum(block) for block in _blocks(state, size))]
    return struct.pack(f">{len(found)}I", *found)


def _blocks(state: bytes, size: int) -> list[memoryview]:
    whole = memoryview(state)
    return [whole[at : at + size] for at in range(0, len(state), size)]


def _checksum(block: memoryview) -> int:
    found = 0
    # In pieces so small that Python keeps its lock: given back for each, pages take it in between.
    for at in range(0, len(block), PAGE):
        found = zlib.crc32(block[at : at + PAGE], found)
    return found


def changes(state: bytes, known: bytes) -> bytes:
    """Return what makes *state* out of the one whose :func:`checksums` are *known*.

    Raises:
        ValueError: if *known* are none.
    """
    if len(known) < _NUMBER.size or len(known) % _NUMBER.size:
        raise ValueError
    size, *theirs = struct.unpack(f">{len(known) // _NUMBER.size}I", known)
    if not size or size % PAGE:
        raise ValueError
    found: list[bytes | memoryview] = [_HEAD.pack(len(state), size, hashlib.sha256(state).digest())]
    for number, block in enumerate(_blocks(state, size)):
        if number >= len(theirs) or _checksum(block) != theirs[number]:
            found += _NUMBER.pack(number), block
    return zlib.compress(b"".join(found), 1)


def apply(sent: bytes, state: bytes) -> bytes:
    """Return the newer state, by the :func:`changes` that were sent and the older *state*.

    Raises:
        BackupError: if it is not the state that was meant.
    """
    try:
        content = zlib.decompress(sent)
        length, size, digest = _HEAD.unpack_from(content)
        newer = bytearray(state[:length].ljust(length, b"\0"))
        at = _HEAD.size
        while at < len(content):
            begin = size * _NUMBER.unpack_from(content, at)[0]
            at += _NUMBER.size
            end = min(begin + size, length)
            newer[begin:end] = content[at : at + end - begin]
            at += end - begin
    except (zlib.error, struct.error):
        digest, newer = b"", bytearray()
    if hashlib.sha256(newer).digest() != digest:
        raise BackupError(_("Was ankam, ist beschädigt; gleich wird alles noch einmal geholt."))
    return bytes(newer)
