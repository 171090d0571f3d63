"""The seal of this installation: it alone can sign, and anyone can check the signature."""

from __future__ import annotations

import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

from tournaments.machine.hashes import hash_of, in_groups

_PRIME = 2**255 - 19
# The y of the points of order 8 or less: anyone can forge signatures of such a key.
_Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_OF_LOW_ORDER = frozenset({0, 1, _PRIME - 1, _Y8, _PRIME - _Y8})


def _private_key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(settings.INSTALLATION_KEY())


def public_key() -> str:
    """Return the public key for signatures of this installation."""
    return _private_key().public_key().public_bytes_raw().hex()


def fingerprint(key: str = "") -> str:
    """Return the fingerprint of a public key, by default that of this installation.

    >>> fingerprint("00" * 32)
    '6668 7AAD F862 BD77 6C8F C18B 8E9F 8E20'
    """
    return in_groups(hashlib.sha256(bytes.fromhex(key or public_key())).hexdigest().upper())


def sign(value: object) -> str:
    """Return the signature of a JSON value."""
    return _private_key().sign(hash_of(value).encode()).hex()


def is_signed(value: object, *, key: str, signature: str) -> bool:
    """Whether *signature* of *value* was made with the private key of the public *key*."""
    try:
        point = bytes.fromhex(key)
        public = Ed25519PublicKey.from_public_bytes(point)
        if int.from_bytes(point, "little") % 2**255 % _PRIME in _OF_LOW_ORDER:
            return False
        public.verify(bytes.fromhex(signature), hash_of(value).encode())
    except (InvalidSignature, ValueError):
        return False
    return True
