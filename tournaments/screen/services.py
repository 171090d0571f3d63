"""Setting what the beamers show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.roles import MAY_CHECK
from tournaments.common.states import ALWAYS
from tournaments.journal.acts import Act, Acts
from tournaments.models import Screen, Serie, Tournament

MOST = 6  # beamers of one tournament

acts = Acts(MAY_CHECK, ALWAYS)  # includes closed tournaments, for the prize-giving


@acts.on(Tournament, "show_on_screen")
def show(
    act: Act[Tournament],
    /,
    *,
    shows: str | Sequence[str],
    number: int = 1,
    serie: Serie | None = None,
    **settings: Any,
) -> Screen:
    """Set what a beamer shows; it follows within seconds.

    Args:
        shows: one of ``Screen.Shows``, or several that take turns.
        number: of the beamer; the first one exists without being added.
        serie: the Serie to show; None means the Serie seated last.
        settings: ``name``, ``seconds`` and ``message``, if they change.

    Raises:
        TournamentError: if a value is invalid, or the Serie is another tournament's.
    """
    if serie is not None and serie.tournament_id != act.row.pk:
        raise TournamentError(_("Diese Serie gehört zu einem anderen Turnier."))
    pages = [shows] if isinstance(shows, str) else list(shows)
    if not pages or not set(pages) <= set(Screen.Shows.values):
        raise TournamentError(_("Bitte wählen, was die Leinwand zeigen soll."))
    screen = _find(act.row, number)
    screen.shows, screen.serie = ",".join(pages), serie
    for name, value in settings.items():
        setattr(screen, name, value.strip() if isinstance(value, str) else value)
    return _store(act, screen, "screen_set")


@acts.on(Tournament, "turn_screen_to")
def turn_to(act: Act[Tournament], *, number: int, page: str) -> Screen:
    """Let a beamer show one page only; its other settings stay.

    Raises:
        TournamentError: if there is no such page, or nothing to show on it.
        WrongStatus: if the beamer was removed.
    """
    return show(act, act.row.pk, shows=page, number=number, serie=_find(act.row, number).serie)


@acts.on(Tournament, "add_screen")
def add(act: Act[Tournament], *, name: str) -> Screen:
    """Add a beamer, which shows the welcome page until it is set.

    Raises:
        TournamentError: if there are too many, or the name is too long.
    """
    highest = act.row.screens.aggregate(last=Max("number"))["last"] or 1
    if act.row.screens.count() >= MOST:
        raise TournamentError(
            _("Mehr als {most} Leinwände gehen nicht. Bitte erst eine entfernen.").format(most=MOST)
        )
    screen = Screen(tournament=act.row, number=highest + 1, name=name.strip())
    return _store(act, screen, "screen_added")


@acts.on(Tournament, "remove_screen", entry="screen_removed")
def remove(act: Act[Tournament], *, number: int) -> None:
    """Remove a beamer; its address becomes invalid.

    Raises:
        WrongStatus: if it was removed already, or is the first one, which stays.
    """
    if number == 1:
        raise WrongStatus(_("Die erste Leinwand bleibt; ihre Adresse steht schon auf Zetteln."))
    act.remove(_find(act.row, number))
    act.note(before={"number": number})


def _find(tournament: Tournament, number: int) -> Screen:
    screen = tournament.screens.filter(number=number).first()
    if screen is None and number != 1:
        raise WrongStatus(_("Diese Leinwand hat inzwischen jemand entfernt."))
    return screen or Screen(tournament=tournament)


def _store(act: Act[Tournament], screen: Screen, action: str) -> Screen:
    with act.entry(action, act.row):
        try:
            if screen.pk:
                act.store(screen)
            else:
                act.add(screen)
        except ValidationError as refusal:
            raise TournamentError(" ".join(refusal.messages)) from refusal
        # The journal does not contain the message, which may name persons.
        act.note(
            number=screen.number,
            shows=screen.pages,
            serie=screen.serie.number if screen.serie else None,
            seconds=screen.seconds,
        )
    return screen
