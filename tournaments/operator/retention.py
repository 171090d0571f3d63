"""The personal data that the program stores, with their retention periods."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

from tournaments.common import texts
from tournaments.common.code_throttling import GUESSES_LAST
from tournaments.common.submissions import FORMS_KEPT_FOR
from tournaments.models import PersonImport
from tournaments.operator.queries import LISTS_KEPT, PERSONS_KEPT, RECEIPT_YEARS

HOUR = timedelta(hours=1)


def lines() -> list[tuple[str, str, str]]:
    """Return the stored data: kind, fields and period."""
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
    return [(what, which, until.format(**figures)) for what, which, until in table.rows]
