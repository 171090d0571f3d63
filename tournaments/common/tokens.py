"""Random tokens for links: shown once, kept only as a hash."""

from __future__ import annotations

import hashlib
import secrets

TOKEN_BYTES = 24  # 192 bits


def new_token() -> str:
    """Return a token that fits into an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Return the hash of *token* for storing; a random token needs no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()
