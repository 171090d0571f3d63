"""Closing and reopening a Serie and the whole tournament.

A closing is refused while a decision, a check or a notice is open; the refusal names all
open items. Reopening needs a reason, which is stored in the journal.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.announcement.services.checks import missing_facts
from tournaments.announcement.services.tournaments import STATUS_ENTRY, move
from tournaments.closing.queries.closing import OpenItem, blocking, of_serie, of_serien
from tournaments.closing.queries.standings import snapshot
from tournaments.closing.queries.tournament import of_tournament
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import CLOSED, NOT_STRUCK_OUT, RUNS, SerieState
from tournaments.draw.services import draws
from tournaments.draw.services.redraw import discard_drafts
from tournaments.journal.acts import Act, Acts
from tournaments.machine.hashes import hash_of
from tournaments.models import Closing, Serie, Spielliste, TableAccess, TableDevice, Tournament
from tournaments.models.tournament import Section
from tournaments.table.services import calls

WHY_REOPENED = gettext_lazy("Bitte angeben, warum wieder geöffnet wird.")
acts = Acts(MAY_LEAD, RUNS)


class NotSettled(TournamentError):
    """The closing is refused; ``open`` has every open item."""

    def __init__(self, items: Iterable[OpenItem]) -> None:
        self.open = tuple(items)
        super().__init__(" ".join(item.sentence for item in self.open))


@acts.on(Serie, "close_serie", entry="serie_closed", when=RUNS.with_states(*NOT_STRUCK_OUT))
def close_serie(act: Act[Serie], *, now: datetime | None = None) -> Serie:
    """Close a Serie: its lists are final, the codes of its tables invalid, and its calls over.

    Raises:
        WrongStatus: if it is closed already, not drawn, or the tournament does not run.
        NotSettled: with all open items.
    """
    serie = act.row
    if serie.closed_at is not None:
        raise WrongStatus(
            _("{serie} ist schon abgeschlossen, seit {time} Uhr.").format(
                serie=serie, time=timezone.localtime(serie.closed_at).strftime("%H:%M")
            )
        )
    lists = list(Spielliste.objects.filter(table__serie=serie).values_list("status", flat=True))
    if not lists:
        raise WrongStatus(_("{serie} ist noch nicht ausgelost.").format(serie=serie))
    at = now or timezone.now()
    obstacles = blocking(of_serie(serie, at))
    if obstacles:
        raise NotSettled(obstacles)
    serie.closed_at = at
    act.store(serie)
    _end_access(serie, at)
    calls.end_with_serie(act, at)
    invalid = lists.count(Spielliste.Status.INVALID)
    act.note(serie=serie.number, lists=len(lists), invalid=invalid)
    return serie


@acts.on(Serie, "close_serie_and_draw", when=RUNS.with_states(*NOT_STRUCK_OUT))
def close_serie_and_draw(act: Act[Serie]) -> tuple[Serie, Serie | None]:
    """Close a Serie and draw the next one: both, or neither.

    Returns:
        The Serie that is closed and the one that is drawn next, None after the last.

    Raises:
        TournamentError: as :func:`close_serie` and the draw do.
    """
    serie = close_serie(act, act.row.pk)
    return serie, draws.begin_next_serie(act)


def _end_access(serie: Serie, at: datetime) -> None:
    """End the access of all devices to the lists; reopening does not restore it.

    After a closing only the Spielleitung changes lists. Devices are not part of the proof.
    """
    TableAccess.objects.filter(table__serie=serie, withdrawn_at__isnull=True).update(
        withdrawn_at=at
    )
    TableDevice.objects.filter(table__serie=serie, withdrawn_at__isnull=True).update(
        withdrawn_at=at, is_keeper=False
    )


@acts.on(
    Serie,
    "reopen_serie",
    entry="serie_reopened",
    when=RUNS.with_states(SerieState.CLOSED),
    reason=WHY_REOPENED,
)
def reopen_serie(act: Act[Serie]) -> Serie:
    """Reopen a closed Serie, so that its lists can be corrected again."""
    act.row.closed_at = None
    act.store(act.row)
    act.note(serie=act.row.number)
    return act.row


@acts.on(Serie, "strike_out", reason=gettext_lazy("Bitte angeben, warum die Serie entfällt."))
def strike_out(act: Act[Serie]) -> list[Serie]:
    """Strike out a Serie that is not drawn yet, and all after it; return them.

    Drafts of draws for them are deleted.

    Raises:
        WrongStatus: if one of them is drawn.
        TournamentError: if no Serie would be left, or a prize is for one of them.
    """
    if act.row.number == 1:
        raise TournamentError(_("Serie 1 kann nicht entfallen: Es bliebe keine zu spielen."))
    dropped = list(act.tournament.serien.filter(number__gte=act.row.number).order_by("number"))
    for serie in dropped:
        if serie.seats.exists():
            raise WrongStatus(
                _("{serie} ist ausgelost und kann nicht mehr entfallen.").format(serie=serie)
            )
        discard_drafts(act, serie, act.reason)
        with act.entry("serie_struck_out", serie, act.reason):
            serie.struck_out = act.reason
            act.store(serie)
            act.note(serie=serie.number)
    _check_prizes(act.tournament)
    return dropped


def _check_prizes(tournament: Tournament) -> None:
    wrong = [fact.sentence for fact in missing_facts(tournament) if fact.section == Section.PRIZES]
    if wrong:
        raise TournamentError(
            _("{what} Bitte zuerst den Preisplan ändern.").format(what=" ".join(wrong))
        )


@acts.on(Serie, "reinstate", when=RUNS.with_states(*SerieState))
def reinstate(act: Act[Serie]) -> list[Serie]:
    """Reinstate a Serie that was struck out, and those before it; return them.

    Raises:
        TournamentError: if it was not struck out, or the Serie before it is missing.
    """
    number = act.row.number
    if not act.row.struck_out:
        raise TournamentError(_("{serie} ist nicht gestrichen.").format(serie=act.row))
    struck = Serie.every.filter(tournament=act.tournament, number__lte=number)
    back = list(struck.exclude(struck_out="").order_by("number"))
    if act.tournament.serien.count() + len(back) != number:
        raise TournamentError(
            _("Vor Serie {number} fehlt eine Serie. Bitte die Ausschreibung ändern.").format(
                number=number
            )
        )
    for serie in back:
        with act.entry("serie_reinstated", serie):
            act.note(before={"reason": serie.struck_out}, serie=serie.number)
            serie.struck_out = ""
            act.store(serie)
    return back


@acts.on(Tournament, "close", entry=STATUS_ENTRY)
def close(act: Act[Tournament], *, now: datetime | None = None) -> Tournament:
    """Close the tournament: it cannot be changed any more, and its results are stored.

    Raises:
        NotSettled: with all open items.
    """
    tournament, at = act.row, now or timezone.now()
    obstacles = blocking(of_tournament(tournament, of_serien(tournament, at)))
    if obstacles:
        raise NotSettled(obstacles)
    # E-mail addresses are deleted, because they were given for this tournament only.
    tournament.entries.all().delete()
    content = snapshot(tournament)
    closing = Closing(
        tournament=tournament,
        number=tournament.closings.count() + 1,
        closed_at=at,
        closed_by=act.actor.user,
        content=content,
        content_hash=hash_of(content),
    )
    act.add_all([closing])
    act.note(closing=closing.number, content_hash=closing.content_hash)
    return move(act, Tournament.Status.CLOSED)


@acts.on(Tournament, "reopen", entry=STATUS_ENTRY, when=CLOSED, reason=WHY_REOPENED)
def reopen(act: Act[Tournament], *, now: datetime | None = None) -> Tournament:
    """Reopen a closed tournament for changes; its Serien stay closed."""
    act.change_all(
        act.row.closings.filter(reopened_at__isnull=True),
        reopened_at=now or timezone.now(),
        reopened_by=act.actor.user,
        reopened_reason=act.reason,
    )
    return move(act, Tournament.Status.RUNNING)
