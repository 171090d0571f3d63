"""Redrawing a Serie: drafts are discarded, and published seats become void."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.errors import WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.draw.queries.redraw import SerieDraws, draws_of, redraw_refusal
from tournaments.journal.acts import Act, Acts
from tournaments.models import Draw, Serie
from tournaments.notices.services import words

Status = Draw.Status
NOTICE_MINUTES = 60  # how long the hall reads that seats have changed

acts = Acts(MAY_LEAD, TAKES_PEOPLE)


def check_in_order(serie: Serie, method: Serie.Seating, drawn: SerieDraws) -> None:
    """Check that a Serie may be drawn or redrawn now.

    Raises:
        WrongStatus: if an earlier Serie is not drawn, or published seats may not be redrawn by
            this method.
    """
    if (required := drawn.redraw_method) is not None:
        if refusal := redraw_refusal(serie):
            raise WrongStatus(refusal)
        if method != required:
            raise WrongStatus(
                _("{serie} ist schon bekannt gegeben. Noch einmal geht nur: {method}.").format(
                    serie=serie, method=required.label
                )
            )
        return
    earlier = serie.tournament.serien.filter(number__lt=serie.number, seats__isnull=True).first()
    if earlier is not None:
        raise WrongStatus(_("Zuerst muss {serie} ausgelost werden.").format(serie=earlier))


def discard_drafts(act: Act[Any], serie: Serie, reason: str) -> None:
    """Discard all drafts of a Serie."""
    for draft in serie.draws.filter(status=Status.DRAFT):
        with act.entry("draw_discarded", draft, reason):
            act.note(before={"seats": draft.seats, "seed": draft.seed})
            draft.status = Status.DISCARDED
            act.store(draft)


@acts.on(
    Draw,
    "drop_draft",
    entry="draw_discarded",
    reason=gettext_lazy("Wer einen Entwurf verwirft, sagt warum; der Grund steht im Protokoll."),
)
def drop_draft(act: Act[Draw]) -> None:
    """Discard the draft of a redraw, so that the published seats stay.

    Raises:
        WrongStatus: if the Serie has no seats; its draft is replaced by a new draw.
    """
    if not act.row.serie.seats.exists():
        raise WrongStatus(_("Dieser Entwurf wird verworfen, indem neu ausgelost wird."))
    discard_drafts(act, act.row.serie, act.reason)


def void_published(act: Act[Any], serie: Serie, draw: Draw) -> bool:
    """Discard the published draw; return whether the Serie had seats."""
    drawn = draws_of(serie)
    if not drawn.is_seated:
        return False
    if refusal := redraw_refusal(serie):
        raise WrongStatus(refusal)
    if (published := drawn.published) is not None:
        with act.entry("draw_voided", published, draw.reason):
            act.note(before={"seats": published.seats})
            published.status = Status.DISCARDED
            act.store(published)
    return True


def replacement_rows(serie: Serie, seats: Sequence[Sequence[int]]) -> dict[int, Sequence[int]]:
    """Return the row of each table by number; an empty row removes its table."""
    tables = serie.tables.values_list("number", flat=True)
    return {**dict.fromkeys(tables, ()), **dict(enumerate(seats, start=1))}


def announce_void_seats(act: Act[Any], serie: Serie) -> None:
    """Announce on the walls, own pages and table pages that earlier seats are void."""
    act.write()
    with translation.override(act.tournament.document_language):
        text = _(
            "{serie} ist neu gesetzt. Frühere Pläne, Karten und Mails gelten nicht mehr: Bitte den "
            "Platz neu ansehen."
        ).format(serie=serie)
    words.say(act, act.tournament.pk, words=text, minutes=NOTICE_MINUTES)
