"""The formats of numbers, money and times on every page and every printed sheet."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from scoring.ordering import Order

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def points(value: int | None) -> str:
    """Write points with a true minus and no grouping; a dash for None.

    >>> points(-20), points(0), points(1234), points(None)
    ('−20', '0', '1234', '–')
    """
    if value is None:
        return NOTHING
    return f"{MINUS}{-value}" if value < 0 else str(value)


def quoted(text: object) -> str:
    """Put a text between the quotation marks of the reader's language."""
    return _("„{text}“").format(text=text)


MOST_LISTED = 8


def listed(things: Sequence[object], *, between: str = ", ") -> str:
    """Write the first of some things as part of a sentence, and the number of the others.

    >>> listed([1, 2, 3])
    '1, 2, 3'
    """
    shown = between.join(map(str, things[:MOST_LISTED]))
    more = len(things) - MOST_LISTED
    return _("{shown} und {more} weitere").format(shown=shown, more=more) if more > 0 else shown


def euro(cents: int | None) -> str:
    """Write an amount in cents as euros, with a no-break space before the sign.

    >>> euro(1250).replace(NO_BREAK_SPACE, " "), euro(None)
    ('12,50 €', '–')
    """
    if cents is None:
        return NOTHING
    number = formats.number_format(Decimal(abs(cents)) / 100, decimal_pos=2, force_grouping=True)
    sign = MINUS if cents < 0 else ""
    return f"{sign}{number}{NO_BREAK_SPACE}€"


def short_date(value: dt.date) -> str:
    """Write a day in figures, in local time: „03.10.2026“."""
    local = timezone.localtime(value) if isinstance(value, dt.datetime) else value
    return formats.date_format(local, "SHORT_DATE_FORMAT")


def table_word(size: int, number: int = 1) -> str:
    """Return the word for this number of tables of *size*.

    >>> table_word(4), table_word(3, 2), table_word(9)
    ('Vierertisch', 'Dreiertische', 'Tisch zu 9')
    """
    words = {
        2: (_("Zweiertisch"), _("Zweiertische")),
        3: (_("Dreiertisch"), _("Dreiertische")),
        4: (_("Vierertisch"), _("Vierertische")),
        5: (_("Fünfertisch"), _("Fünfertische")),
        6: (_("Sechsertisch"), _("Sechsertische")),
    }
    many = _("Tisch zu {number}") if number == 1 else _("Tische zu {number}")
    forms = words.get(size, (many, many))
    return forms[number != 1].format(number=size)


def long_date(value: dt.date | None) -> str:
    """Write a day in words, in local time: „3. Oktober 2026“."""
    if value is None:
        return NOTHING
    local = timezone.localtime(value) if isinstance(value, dt.datetime) else value
    return formats.date_format(local, "DATE_FORMAT")


def day_in_words(value: dt.date) -> str:
    """Write a day with its name, in local time: „Samstag, 3. Oktober 2026“.

    It breaks between the two only.
    """
    local = timezone.localtime(value) if isinstance(value, dt.datetime) else value
    return f"{formats.date_format(local, 'l')}, {long_date(local).replace(' ', NO_BREAK_SPACE)}"


def clock(value: dt.datetime | dt.time | None) -> str:
    """Write a time of day, in local time: „13:45 Uhr“."""
    if value is None:
        return NOTHING
    local = timezone.localtime(value) if isinstance(value, dt.datetime) else value
    return (
        _("{time} Uhr")
        .format(time=formats.time_format(local, "TIME_FORMAT"))
        .replace(" ", NO_BREAK_SPACE)
    )


def ago(value: dt.datetime | None) -> str:
    """Return the age of a time in words; after a day, the day.

    ``times.js`` writes the same words while the page stays open.
    """
    if value is None:
        return NOTHING
    seconds = (timezone.now() - value).total_seconds()
    if seconds < MINUTE:
        return _("gerade eben")
    if seconds < HOUR:
        return _("vor {n} min").format(n=int(seconds // MINUTE))
    if seconds < DAY:
        return _("vor {n} h").format(n=int(seconds // HOUR))
    return short_date(value)


def rounding(order: Order) -> str:
    """Return the rule for rounding a result that is scaled to a whole list: to the disadvantage."""
    if order.most_first:
        return _("zum Nachteil gerundet: Wertpunkte ab, Augen auf")
    return _("aufgerundet")
