"""Numbers and amounts from forms, files and addresses, as unchecked text."""

from __future__ import annotations

import re

from scoring.money import CENTS_PER_EURO

MOST_DIGITS = 9  # fits the columns of both databases

_SPACES = re.compile(r"\s")
_SIGN = re.compile(r"^[-−–]")
_CURRENCY = re.compile(r"(?:€|EUR|Euro)$", re.IGNORECASE)
# 1250 · 1.250 · 1250,5 · 1.250,50 · 12.50 · 1,250.50: a point before exactly three figures groups
# them; a comma does before a point.
_FEW = f"{{1,{MOST_DIGITS}}}"  # figures: Python refuses to read thousands of them
_AMOUNT = re.compile(rf"(?P<euros>\d{{1,3}}(?:\.\d{{3}}){_FEW}|\d{_FEW})(?:,(?P<cents>\d{{0,2}}))?")
_WITH_POINT = re.compile(rf"(?P<euros>\d{{1,3}}(?:,\d{{3}}){_FEW}|\d{_FEW})\.(?P<cents>\d{{1,2}})")

_UNGROUPED = str.maketrans("", "", ".,")


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


def parse_euro(text: str) -> int | None:
    """Return the amount in *text* in cents; None if it is none.

    >>> [parse_euro(text) for text in ("12,50", "12.50 €", "1.250", "1,250.50", "−3 Euro", "1,250")]
    [1250, 1250, 125000, 125050, -300, None]
    """
    bare = _CURRENCY.sub("", _SPACES.sub("", text))
    sign = -1 if _SIGN.match(bare) else 1
    bare = _SIGN.sub("", bare)
    match = _AMOUNT.fullmatch(bare) or _WITH_POINT.fullmatch(bare)
    if match is None or not bare.isascii():
        return None
    euros = int(match["euros"].translate(_UNGROUPED))
    return sign * (euros * CENTS_PER_EURO + int((match["cents"] or "").ljust(2, "0")))


class NumberInAddress:
    """A key or number in an address; a number out of range does not match, so it is 404."""

    regex = f"[0-9]{{1,{MOST_DIGITS}}}"

    def to_python(self, value: str) -> int:
        """Return the number in the address."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Return the number as text for an address."""
        return str(value)
