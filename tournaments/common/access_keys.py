"""The secrets that open a table's list and a player's page without an account.

Each is derived from the installation's secret key, so that a card can be printed again
without invalidating the one on the table; the database holds only hashes, which open
nothing. A new generation, or another person under the start number, makes a new secret.
"""

from __future__ import annotations

import base64

from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments.common.tokens import TOKEN_BYTES, hash_token
from tournaments.models import EntryLine, Registration, TableAccess

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without characters that look alike
CODE_LENGTH = 6


def _derived(purpose: str, value: str) -> bytes:
    return salted_hmac(f"tournaments.access_keys.{purpose}", value, algorithm="sha256").digest()


def _as_text(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret[:TOKEN_BYTES]).decode()


def player_token(registration: Registration) -> str:
    """Return the token of a player's own page; it changes with the person."""
    return _as_text(_derived("player", f"{registration.pk}:{registration.person_id}"))


def offer_token(registration: Registration) -> str:
    """Return the token of the page that accepts an offered place: the key, and a secret."""
    secret = _derived("offer", f"{registration.pk}:{registration.person_id}")
    return f"{registration.pk}-{_as_text(secret)}"


def naming_token(line: EntryLine, person_id: int) -> str:
    """Return the token of the page that asks a person for consent to be named."""
    return f"{line.pk}-{_as_text(_derived('naming', f'{line.pk}:{person_id}'))}"


def screen_key(tournament_id: int, number: int) -> str:
    """Return the key in the address of a beamer, which allows names to be shown there."""
    return _as_text(_derived("screen", f"{tournament_id}:{number}"))


def table_token(access: TableAccess) -> str:
    """Return the token in the QR code of a table."""
    return _as_text(_derived("table", f"{access.table_id}:{access.generation}"))


def table_code(access: TableAccess) -> str:
    """Return the short code of a table, for typing: six letters and digits in two groups."""
    return _as_code(_derived("code", f"{access.table_id}:{access.generation}"))


def _as_code(secret: bytes) -> str:
    number = int.from_bytes(secret)
    letters = []
    for _place in range(CODE_LENGTH):
        number, rest = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[rest])
    return f"{''.join(letters[:3])}-{''.join(letters[3:])}"


def player_code(registration: Registration) -> str:
    """Return the short code by which a player checks in; it changes with the person."""
    return _as_code(_derived("player-code", f"{registration.pk}:{registration.person_id}"))


def is_code_of(registration: Registration, code: str) -> bool:
    """Whether *code* is the player's short code; case and dashes are ignored."""
    return constant_time_compare(code_hash(code), code_hash(player_code(registration)))


def code_hash(code: str) -> str:
    """Return the stored hash of a short code.

    It is a keyed hash, because a short code could be found by trying all.
    """
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    return _derived("code-hash", plain).hex()


def set_hashes(access: TableAccess) -> None:
    """Write the hashes of both secrets into *access*; does not save."""
    access.token_hash = hash_token(table_token(access))
    access.code_hash = code_hash(table_code(access))


def renew(access: TableAccess) -> None:
    """Write hashes of the next generation into *access*; does not save.

    Two tables may get the same short code; then the next generation is used.
    """
    others = TableAccess.objects.exclude(pk=access.pk)
    while True:
        access.generation += 1
        set_hashes(access)
        if not others.filter(code_hash=access.code_hash).exists():
            return


def draw_table_token(draw_id: int, table: int) -> str:
    """Return the token by which a table enters its drawn cards, valid for this draft only."""
    return _as_text(_derived("draw-table", f"{draw_id}:{table}"))


def table_path(access: TableAccess) -> str:
    """Return the address in the QR code of a table, without the host."""
    return f"/tisch/{table_token(access)}/"


def player_path(registration: Registration) -> str:
    """Return the address of a player's own page, without the host.

    It opens only after ``results.services.player_access.provide`` stored its hash.
    """
    return f"/s/{player_token(registration)}/"
