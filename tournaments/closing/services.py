"""Closing a Serie and the whole tournament, what that keeps, and opening both again.

Nothing is closed while something is open that somebody has to decide, to check or to be
told; the refusal names all of it. Reopening needs a reason, which the journal keeps.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.announcement.services.checks import missing
from tournaments.announcement.services.tournaments import check_status, move
from tournaments.closing.queries.closing import Open, blocking, of_serie, of_serien
from tournaments.closing.queries.standings import snapshot
from tournaments.closing.queries.tournament import of_tournament
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.locks import lock_owner, lock_serie, lock_tournament
from tournaments.desk.online.services import desk as entry_desk
from tournaments.draw.services import draws
from tournaments.journal import services as journal
from tournaments.machine.hashes import hash_of
from tournaments.models import Serie, Spielliste, TableAccess, TableDevice, Tournament
from tournaments.models.tournament import Section

LONGEST_REASON = 500


class NotSettled(TournamentError):
    """Something is still open; ``open`` names every single thing."""

    def __init__(self, found: Iterable[Open]) -> None:
        self.open = tuple(found)
        super().__init__(" ".join(one.sentence for one in self.open))


@transaction.atomic
def close_serie(*, serie_id: int, actor: Actor, now: datetime | None = None) -> Serie:
    """End a Serie: its lists stand, and the codes of its tables open nothing any more.

    Raises:
        WrongStatus: if it is closed already, not drawn, or the tournament does not run.
        NotSettled: naming everything that is not checked, decided or told.
    """
    tournament, serie = lock_serie(serie_id, allow_closed=True)
    if tournament.status != Tournament.Status.RUNNING:
        raise WrongStatus(_("Das Turnier läuft nicht; eine Serie lässt sich nur dann abschließen."))
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
    serie.save(update_fields=["closed_at"])
    _end_access(serie, at)
    journal.record(
        tournament,
        actor,
        "serie_closed",
        serie,
        after={
            "serie": serie.number,
            "lists": len(lists),
            "invalid": lists.count(Spielliste.Status.INVALID),
        },
    )
    return serie


@transaction.atomic
def close_serie_and_draw(*, serie_id: int, actor: Actor) -> tuple[Serie, Serie | None]:
    """End a Serie and have the next one drawn: both, or neither.

    Returns:
        The Serie that is closed and the one that is drawn next, None after the last.

    Raises:
        TournamentError: as :func:`close_serie` and the draw do.
    """
    serie = close_serie(serie_id=serie_id, actor=actor)
    return serie, draws.begin_next(tournament_id=serie.tournament_id, actor=actor)


def _end_access(serie: Serie, at: datetime) -> None:
    """Let no device write into the lists any more; reopening does not bring it back.

    What is changed after a closing the Spielleitung changes itself.
    """
    TableAccess.objects.filter(table__serie=serie, withdrawn_at__isnull=True).update(
        withdrawn_at=at
    )
    TableDevice.objects.filter(table__serie=serie, withdrawn_at__isnull=True).update(
        withdrawn_at=at, is_keeper=False
    )


@transaction.atomic
def reopen_serie(*, serie_id: int, reason: str, actor: Actor) -> Serie:
    """Let the lists of a closed Serie be corrected again.

    Raises:
        WrongStatus: if it is not closed, or the tournament is.
        TournamentError: if no reason is given, or a very long one.
    """
    tournament, serie = lock_serie(serie_id, allow_closed=True)
    if serie.closed_at is None:
        raise WrongStatus(_("{serie} ist nicht abgeschlossen.").format(serie=serie))
    before = serie.closed_at
    reason = checked_reason(reason)
    serie.closed_at = None
    serie.save(update_fields=["closed_at"])
    journal.record(
        tournament,
        actor,
        "serie_reopened",
        serie,
        before={"closed_at": before.isoformat()},
        after={"serie": serie.number},
        reason=reason,
    )
    return serie


def checked_reason(reason: str, lacking: str = "") -> str:
    """Return the reason of a reopening, or of another act, as it is kept.

    Args:
        reason: as it was typed.
        lacking: what to say if there is none.

    Raises:
        TournamentError: if there is none, or it is too long for the journal.
    """
    reason = reason.strip()
    if not reason:
        raise TournamentError(lacking or _("Bitte angeben, warum wieder geöffnet wird."))
    if len(reason) > LONGEST_REASON:
        raise TournamentError(
            _("Der Grund hat {length} Zeichen; möglich sind {most}. Bitte kürzen.").format(
                length=len(reason), most=LONGEST_REASON
            )
        )
    return reason


@transaction.atomic
def strike_out(*, serie_id: int, reason: str, actor: Actor) -> list[Serie]:
    """Let a Serie that is not drawn yet be dropped, and all after it; return them.

    What was drawn for it and not made known is thrown away.

    Raises:
        WrongStatus: if the tournament does not run, or one of them has its seats.
        TournamentError: if no Serie would be left, a prize is for one of them, or no reason
            is given.
    """
    tournament, serie = lock_serie(serie_id)
    check_status(tournament, Tournament.Status.RUNNING)
    reason = checked_reason(reason, _("Bitte angeben, warum die Serie entfällt."))
    if serie.number == 1:
        raise TournamentError(_("Serie 1 kann nicht entfallen: Es bliebe keine zu spielen."))
    dropped = list(tournament.serien.filter(number__gte=serie.number).order_by("number"))
    for one in dropped:
        if one.seats.exists():
            raise WrongStatus(
                _("{serie} ist ausgelost und kann nicht mehr entfallen.").format(serie=one)
            )
        draws.discard_drafts(tournament, one, reason, actor)
        one.struck_out = reason
        one.save(update_fields=["struck_out"])
        after = {"serie": one.number}
        journal.record(tournament, actor, "serie_struck_out", one, after=after, reason=reason)
    _check_prizes(tournament)
    return dropped


def _check_prizes(tournament: Tournament) -> None:
    wrong = [one.sentence for one in missing(tournament) if one.section == Section.PRIZES]
    if wrong:
        raise TournamentError(
            _("{what} Bitte zuerst den Preisplan ändern.").format(what=" ".join(wrong))
        )


@transaction.atomic
def reinstate(*, serie_id: int, actor: Actor) -> list[Serie]:
    """Let a Serie that was struck out be played after all, with those before it; return them.

    Raises:
        WrongStatus: if the tournament does not run.
        TournamentError: if it was not struck out, or there is none before it any more.
    """
    tournament, serie = lock_owner(Serie.every.all(), serie_id)
    check_status(tournament, Tournament.Status.RUNNING)
    number = serie.number
    if not serie.struck_out:
        raise TournamentError(_("{serie} ist nicht gestrichen.").format(serie=serie))
    struck = Serie.every.filter(tournament=tournament, number__lte=number).exclude(struck_out="")
    back = list(struck.order_by("number"))
    if tournament.serien.count() + len(back) != number:
        raise TournamentError(
            _("Vor Serie {number} fehlt eine Serie. Bitte die Ausschreibung ändern.").format(
                number=number
            )
        )
    for one in back:
        before = {"reason": one.struck_out}
        one.struck_out = ""
        one.save(update_fields=["struck_out"])
        journal.record(
            tournament, actor, "serie_reinstated", one, before=before, after={"serie": one.number}
        )
    return back


@transaction.atomic
def close(*, tournament_id: int, actor: Actor, now: datetime | None = None) -> Tournament:
    """End the tournament; nothing in it changes any more, and what it came to is kept.

    Raises:
        WrongStatus: if it does not run.
        NotSettled: naming everything that is not settled yet.
    """
    tournament = lock_tournament(tournament_id)
    check_status(tournament, Tournament.Status.RUNNING)
    at = now or timezone.now()
    obstacles = blocking(of_tournament(tournament, of_serien(tournament, at)))
    if obstacles:
        raise NotSettled(obstacles)
    # The addresses given on the internet were for this tournament, and it is over.
    entry_desk.forget_entries(tournament)
    content = snapshot(tournament)
    kept = tournament.closings.create(
        number=tournament.closings.count() + 1,
        closed_at=at,
        closed_by=actor.user,
        content=content,
        content_hash=hash_of(content),
    )
    return move(
        tournament,
        Tournament.Status.CLOSED,
        actor,
        facts={"closing": kept.number, "content_hash": kept.content_hash},
    )


@transaction.atomic
def reopen(
    *, tournament_id: int, reason: str, actor: Actor, now: datetime | None = None
) -> Tournament:
    """Let a closed tournament be changed again; its Serien stay closed.

    Raises:
        WrongStatus: if it is not closed.
        TournamentError: if no reason is given, or a very long one.
    """
    tournament = lock_tournament(tournament_id, allow_closed=True)
    check_status(tournament, Tournament.Status.CLOSED)
    reason = checked_reason(reason)
    tournament.closings.filter(reopened_at__isnull=True).update(
        reopened_at=now or timezone.now(), reopened_by=actor.user, reopened_reason=reason
    )
    return move(tournament, Tournament.Status.RUNNING, actor, reason=reason)
