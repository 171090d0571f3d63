"""Whole numbers from forms and addresses, as unchecked text."""

from __future__ import annotations

MOST_DIGITS = 9  # fits the columns of both databases


def number_in(text: str | None) -> int | None:
    """Return the number in *text*; None for anything else, and for numbers out of range.

    Python accepts digits of every script, some of which ``int`` refuses (²), and refuses to
    read thousands of them.

    >>> number_in(" 12 "), number_in("012"), number_in(None)
    (12, 12, None)
    >>> number_in("-1"), number_in("²"), number_in("9" * 5000)
    (None, None, None)
    """
    digits = (text or "").strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
        return None
    return int(digits)


def signed_number_in(text: str | None) -> int | None:
    """Return the number in *text*, with a sign or without; None for anything else.

    >>> signed_number_in("−50"), signed_number_in("-50"), signed_number_in("+5")
    (-50, -50, 5)
    >>> signed_number_in(""), signed_number_in("--5")
    (None, None)
    """
    plain = (text or "").strip().replace("−", "-").replace("–", "-")
    number = number_in(plain[1:] if plain.startswith(("-", "+")) else plain)
    return -number if number and plain.startswith("-") else number


class NumberInAddress:
    """A key or number in an address; a number out of range does not match, so it is 404."""

    regex = f"[0-9]{{1,{MOST_DIGITS}}}"

    def to_python(self, value: str) -> int:
        """Return the number in the address."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Return the number as text for an address."""
        return str(value)
