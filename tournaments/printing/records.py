"""Documents of the Spielleitung: slips of corrections, and the journal (§ 2.2.5)."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.journal.queries import journal
from tournaments.journal.queries.seals import paper_seal
from tournaments.models import Case
from tournaments.notices.queries import notices
from tournaments.notices.queries.notice_texts import NoticeText
from tournaments.notices.queries.recipients import PersonToTell, people_to_tell
from tournaments.printing.base import Printable, PrintRequest

# The embedded font has no arrow; without replacement a font of the machine would be used.
ARROW, ARROW_IN_PRINT = "→", "›"


def corrections(request: PrintRequest) -> Printable:
    """Return the slips of corrections and decisions, one for each player.

    Without a start number only notices not told yet; with one, all of this player.
    """
    tournament = request.tournament
    if request.number is None:
        slips = people_to_tell(tournament)
        nothing = _("Niemand muss von einer Berichtigung erfahren.")
    else:
        slips = _all_slips(request)
        nothing = _("Für Startnummer {number} gibt es keine Mitteilung.").format(
            number=request.number
        )
    if not slips:
        raise TournamentError(nothing)
    return Printable(
        title=_("Berichtigungsmitteilungen")
        if request.number is None
        else _("Berichtigungsmitteilung Nr. {number}").format(number=request.number),
        context={"slips": slips},
    )


def _all_slips(request: PrintRequest) -> list[PersonToTell]:
    registration = (
        request.tournament.registrations.select_related("person", "club")
        .filter(number=request.number or 0)
        .first()
    )
    if registration is None:
        return []
    texts: list[NoticeText] = notices.for_registration(registration)
    decisions: list[Case] = [
        case for case in notices.decisions_for(registration) if case.decided_at is not None
    ]
    if not texts and not decisions:
        return []
    return [PersonToTell(registration=registration, notices=texts, decisions=decisions)]


def protocol(request: PrintRequest) -> Printable:
    """Return the whole journal of a tournament, from its first entry on."""
    entries = list(journal.entries(request.tournament).order_by("number"))
    if not entries:
        raise TournamentError(_("Das Protokoll hat noch keinen Eintrag."))
    rows = [
        replace(row, sentence=row.sentence.replace(ARROW, ARROW_IN_PRINT))
        for row in journal.rows(entries)
    ]
    context = {"end": paper_seal(request.tournament)}
    return Printable(title=_("Protokoll"), context=context, rows=rows)
