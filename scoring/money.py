"""Money in whole cents: dividing it without a remainder, and writing it."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.texts import _

CENTS_PER_EURO = 100


def split_by_weights(amount_cents: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Divide *amount_cents* in proportion to *weights* by the largest remainder.

    Every part is its exact share rounded down or up, and the parts add up to the
    amount. The cents left over go to the largest remainders; among equal ones the
    earlier position comes first, so the same input always gives the same parts.

    Raises:
        ValueError: if the amount or a weight is negative, or no weight is above zero.

    >>> split_by_weights(100, [1, 1, 1])
    (34, 33, 33)
    >>> split_by_weights(100, [1, 6])
    (14, 86)
    """
    total = sum(weights)
    if amount_cents < 0 or total <= 0 or min(weights) < 0:
        raise ValueError(f"cannot split {amount_cents} by {list(weights)}")
    parts, remainders = zip(*(divmod(amount_cents * w, total) for w in weights), strict=True)
    left_over = amount_cents - sum(parts)
    by_remainder = sorted(range(len(weights)), key=lambda position: -remainders[position])
    rounded_up = set(by_remainder[:left_over])
    return tuple(part + (position in rounded_up) for position, part in enumerate(parts))


def split_evenly(amount_cents: int, parts: int) -> tuple[int, ...]:
    """Divide *amount_cents* into equal *parts*; cents left over go to the first ones.

    >>> split_evenly(1000, 3)
    (334, 333, 333)
    """
    return split_by_weights(amount_cents, [1] * parts)


def whole_euros(amount_cents: int) -> int:
    """Return *amount_cents* rounded down to whole euros, still in cents.

    >>> whole_euros(1299)
    1200
    """
    return amount_cents // CENTS_PER_EURO * CENTS_PER_EURO


def euro(amount_cents: int) -> str:
    """Write an amount, the sign never parted from the figures.

    >>> euro(123450), euro(-5)
    ('1.234,50\\xa0€', '−0,05\\xa0€')
    """
    euros, cents = divmod(abs(amount_cents), CENTS_PER_EURO)
    sign = "−" if amount_cents < 0 else ""
    signs = _signs()
    grouped = f"{euros:,}".replace(",", signs[0])
    return f"{sign}{grouped}{signs[1]}{cents:02}\N{NO-BREAK SPACE}€"


def percent(permille: int) -> str:
    """Write a share given in thousandths as a percentage.

    >>> percent(300), percent(125)
    ('30\\xa0%', '12,5\\xa0%')
    """
    whole, tenths = divmod(permille, 10)
    figures = f"{whole}{_signs()[1]}{tenths}" if tenths else f"{whole}"
    return f"{figures}\N{NO-BREAK SPACE}%"


def _signs() -> str:
    # Translators: the two signs in an amount: between thousands, and before the cents (1.234,50).
    return _(".,")
