"""The personal data that the program keeps, for the pages, with the actual periods."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings

from tournaments.common import texts
from tournaments.common.guesses import GUESSES_LAST
from tournaments.common.submissions import FORMS_KEPT_FOR
from tournaments.models import PersonImport
from tournaments.operator.queries import LISTS_KEPT, PERSONS_KEPT, RECEIPT_YEARS

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One line of the table."""

    what: str
    which: str
    until: str


def lines() -> list[Kept]:
    """Return the kinds of data that are kept, and until when."""
    figures = {
        "lists": LISTS_KEPT.days,
        "session": settings.SESSION_COOKIE_AGE // (24 * 3600),
        "minutes": GUESSES_LAST // timedelta(minutes=1),
        "import_hours": PersonImport.KEPT_FOR // HOUR,
        "form_hours": FORMS_KEPT_FOR // HOUR,
        "receipt_years": RECEIPT_YEARS,
        "years": PERSONS_KEPT.days // 365,
    }
    (table,) = texts.chapters("operator", "kept")
    return [
        Kept(what=what, which=which, until=until.format(**figures))
        for what, which, until in table.rows
    ]
