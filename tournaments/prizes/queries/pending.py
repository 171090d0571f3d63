"""Open matters that may still change settled prizes: objections, cases and corrections."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Correction, Spielliste
from tournaments.notices.queries.cases import undecided
from tournaments.notices.queries.objections import objection_deadline, open_to_objection
from tournaments.prizes.queries.prizes import PrizeSheet


def pending(sheet: PrizeSheet, now: datetime) -> list[str]:
    """Return a sentence for each kind of open matter; four queries."""
    return list(_pending(sheet, now))


def _pending(sheet: PrizeSheet, now: datetime) -> Iterator[str]:
    tournament = sheet.tournament
    yield from sheet.untaken
    if sheet.playoffs:
        yield ngettext(
            "{number} Gleichstand ist nicht entschieden; seine Preise warten.",
            "{number} Gleichstände sind nicht entschieden; ihre Preise warten.",
            len(sheet.playoffs),
        ).format(number=len(sheet.playoffs))
    if cases := undecided(tournament).count():
        yield ngettext(
            "{number} Fall ist nicht entschieden.", "{number} Fälle sind nicht entschieden.", cases
        ).format(number=cases)
    proposed = tournament.corrections.filter(status=Correction.Status.PROPOSED).count()
    if proposed:
        yield ngettext(
            "{number} Berichtigung wartet auf die zweite Person.",
            "{number} Berichtigungen warten auf die zweite Person.",
            proposed,
        ).format(number=proposed)
    lists = Spielliste.objects.filter(table__serie__tournament=tournament)
    until = [
        lists.aggregate(last=Max("protest_until"))["last"],
        *(objection_deadline(notice) for notice in open_to_objection(tournament, now)),
    ]
    last = max((moment for moment in until if moment is not None and moment >= now), default=None)
    if last is not None:
        yield _("Einspruch ist noch bis {time} Uhr möglich.").format(
            time=timezone.localtime(last).strftime("%H:%M")
        )
