"""What the beamers show, set at control."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.locks import lock_tournament
from tournaments.journal import services as journal
from tournaments.models import Screen, Serie, Tournament

MOST = 6  # beamers of one tournament; more is a slip of the mouse


@transaction.atomic
def show(
    *,
    tournament_id: int,
    shows: str | Sequence[str],
    actor: Actor,
    number: int = 1,
    serie: Serie | None = None,
    **settings: Any,
) -> Screen:
    """Have a beamer show something else; it follows within seconds.

    A closed tournament can be shown too, as at the prize-giving.

    Args:
        tournament_id: whose beamer it is.
        shows: one of ``Screen.Shows``, or several that take turns.
        actor: somebody of the Spielleitung.
        number: of the beamer; the first is there before anybody has set it.
        serie: whose seats and time it shows; None means the one seated last.
        settings: ``name``, ``seconds`` and ``message``, where they are to change.

    Raises:
        TournamentError: if a value is not possible, or the Serie is another tournament's.
    """
    tournament = lock_tournament(tournament_id, allow_closed=True)
    if serie is not None and serie.tournament_id != tournament.pk:
        raise TournamentError(_("Diese Serie gehört zu einem anderen Turnier."))
    pages = [shows] if isinstance(shows, str) else list(shows)
    if not pages or not set(pages) <= set(Screen.Shows.values):
        raise TournamentError(_("Bitte wählen, was die Leinwand zeigen soll."))
    screen = _find(tournament, number)
    screen.shows, screen.serie = ",".join(pages), serie
    for name, value in settings.items():
        setattr(screen, name, value.strip() if isinstance(value, str) else value)
    return _stored(screen, tournament, actor, "screen_set")


@transaction.atomic
def turn_to(*, tournament_id: int, number: int, page: str, actor: Actor) -> Screen:
    """Have a beamer show one page alone, with all else as it was set.

    Raises:
        TournamentError: if there is no such page, or nothing to show on it.
        WrongStatus: if the beamer was taken away.
    """
    serie = _find(lock_tournament(tournament_id, allow_closed=True), number).serie
    return show(tournament_id=tournament_id, shows=page, actor=actor, number=number, serie=serie)


@transaction.atomic
def add(*, tournament_id: int, name: str, actor: Actor) -> Screen:
    """Have one more beamer, which welcomes until it is told otherwise.

    Raises:
        TournamentError: if there are enough of them, or the name is too long.
    """
    tournament = lock_tournament(tournament_id, allow_closed=True)
    last = tournament.screens.aggregate(last=Max("number"))["last"] or 1
    if tournament.screens.count() >= MOST:
        raise TournamentError(
            _("Mehr als {most} Leinwände gehen nicht. Bitte erst eine entfernen.").format(most=MOST)
        )
    screen = Screen(tournament=tournament, number=last + 1, name=name.strip())
    return _stored(screen, tournament, actor, "screen_added")


@transaction.atomic
def remove(*, tournament_id: int, number: int, actor: Actor) -> None:
    """Take a beamer away; its address is worth nothing from then on.

    Raises:
        WrongStatus: if it is gone already, or the first, which is always there.
    """
    tournament = lock_tournament(tournament_id, allow_closed=True)
    if number == 1:
        raise WrongStatus(_("Die erste Leinwand bleibt; ihre Adresse steht schon auf Zetteln."))
    screen = _find(tournament, number)
    screen.delete()
    journal.record(tournament, actor, "screen_removed", tournament, before={"number": number})


def _find(tournament: Tournament, number: int) -> Screen:
    screen = tournament.screens.filter(number=number).first()
    if screen is None and number != 1:
        raise WrongStatus(_("Diese Leinwand hat inzwischen jemand entfernt."))
    return screen or Screen(tournament=tournament)


def _stored(screen: Screen, tournament: Tournament, actor: Actor, action: str) -> Screen:
    try:
        screen.full_clean()
    except ValidationError as refusal:
        raise TournamentError(" ".join(refusal.messages)) from refusal
    screen.save()
    journal.record(
        tournament,
        actor,
        action,
        tournament,
        # A message may well name somebody; that there was one is enough for the record.
        after={
            "number": screen.number,
            "shows": screen.pages,
            "serie": screen.serie.number if screen.serie else None,
            "seconds": screen.seconds,
        },
    )
    return screen
