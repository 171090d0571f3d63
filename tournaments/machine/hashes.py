"""One hash of JSON values, the same on every machine and from both databases."""

from __future__ import annotations

import hashlib
import hmac
import json

from django.conf import settings

from scoring.reading.strict_json import json_pieces

SHORT = 16  # characters of a hash that tells whether a page is current
ON_PAPER = 32
_WRITER = json.JSONEncoder(
    sort_keys=True,
    ensure_ascii=False,
    separators=(",", ":"),
    default=lambda other: type(other).__name__,
)


def hash_of(value: object) -> str:
    """Return the SHA-256 of a JSON value; of other values only the type is hashed.

    >>> hash_of({"b": 1, "a": (2,)}) == hash_of({"a": [2], "b": 1})
    True
    """
    return hashlib.sha256(_WRITER.encode(value).encode()).hexdigest()


def hash_of_large(value: object) -> str:
    """Return :func:`hash_of` of a JSON value without building its whole text.

    >>> large = {"b": [1, {"d": [], "c": "ü"}], "a": {}}
    >>> hash_of_large(large) == hash_of(large)
    True
    """
    digest = hashlib.sha256()
    for piece in json_pieces(value, _WRITER):
        digest.update(piece.encode())
    return digest.hexdigest()


def in_groups(hashed: str) -> str:
    """Return a collision-resistant part of a hash in groups, to be read from paper.

    >>> in_groups("0123456789abcdef" * 4)
    '0123 4567 89ab cdef 0123 4567 89ab cdef'
    """
    return " ".join(hashed[at : at + 4] for at in range(0, ON_PAPER, 4))


def keyed_hash(text: str, key: bytes = b"") -> str:
    """Return the HMAC-SHA256 of *text* with the installation's key.

    *key* is that key if the caller has read it.
    """
    return hmac.digest(key or settings.INSTALLATION_KEY(), f"hash:{text}".encode(), "sha256").hex()
