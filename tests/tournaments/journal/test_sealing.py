"""Signing needs the private key, also for a key chosen to avoid it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tournaments.journal import sealing
from tournaments.machine.hashes import hash_of

PRIME = 2**255 - 19
# The y of the points that return to themselves after at most eight steps, as published.
OF_ORDER_8 = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
YS = (0, 1, PRIME - 1, OF_ORDER_8, PRIME - OF_ORDER_8, PRIME, PRIME + 1)
KEYS = [(y + sign * 2**255).to_bytes(32, "little").hex() for y in YS for sign in (0, 1)]


def forged(key: str) -> Iterator[tuple[int, str]]:
    """Return messages with signatures accepted for a key, but made without it."""
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
    for number, start in itertools.product(range(64), KEYS):
        signature = start + "00" * 32
        try:
            public.verify(bytes.fromhex(signature), hash_of(number).encode())
        except (InvalidSignature, ValueError):
            continue
        yield number, signature


@pytest.mark.parametrize("key", KEYS)
def test_keys_of_low_order_are_refused(key: str):
    forgeries = list(forged(key))

    assert forgeries
    assert not any(
        sealing.is_signed(number, key=key, signature=signature) for number, signature in forgeries
    )


def test_signatures_of_this_installation_are_valid():
    assert sealing.is_signed(1, key=sealing.public_key(), signature=sealing.sign(1))
    assert not sealing.is_signed(2, key=sealing.public_key(), signature=sealing.sign(1))
