"""The states of a tournament, a Serie and a registration: the acts allowed, and the refusals.

The states of an act (:class:`States`) are an allow-list: a new state permits nothing until it is
added. A refusal is the sentence of the present state of the tournament, the Serie or the
registration.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.common.errors import WrongStatus
from tournaments.models import Draw, Registration, Serie, Spielliste, Tournament


class SerieState(StrEnum):
    """The state of a Serie, derived from its other fields."""

    OPEN = "open"  # not begun, or being played
    CLOSED = "closed"
    STRUCK_OUT = "struck_out"


# Of Serien that take place.
NOT_STRUCK_OUT = frozenset({SerieState.OPEN, SerieState.CLOSED})

_T = Tournament.Status
_R = Registration.Status
_L = Spielliste.Status

# The sentences of refusals.
OF_TOURNAMENT: dict[Tournament.Status, str | Promise] = {
    _T.DRAFT: _("Das Turnier ist noch nicht ausgeschrieben. Bitte zuerst ausschreiben."),
    _T.ANNOUNCED: _("Das Turnier ist ausgeschrieben und hat noch nicht begonnen."),
    _T.RUNNING: _("Das Turnier läuft schon."),
    _T.CLOSED: _("Das Turnier ist abgeschlossen. Zum Ändern öffnet die Spielleitung es wieder."),
    _T.CALLED_OFF: _(
        "Das Turnier ist abgesagt. Findet es doch statt, nimmt die Spielleitung die Absage zurück."
    ),
}
OF_SERIE: dict[SerieState, str | Promise] = {
    SerieState.OPEN: _("{serie} ist nicht abgeschlossen."),
    SerieState.CLOSED: _(
        "{serie} ist abgeschlossen. Zum Ändern öffnet die Spielleitung sie wieder."
    ),
    SerieState.STRUCK_OUT: _("{serie} entfällt: {reason}"),
}
_PERSON = _("{name} ist {status}.")
_DRAW = _("Diese Auslosung ist {status} und wird nicht mehr geändert.")


def state_of(serie: Serie) -> SerieState:
    """Return the state of a Serie."""
    if serie.struck_out:
        return SerieState.STRUCK_OUT
    return SerieState.OPEN if serie.closed_at is None else SerieState.CLOSED


@dataclass(frozen=True, slots=True)
class States:
    """The states in which an act may be done.

    *registration*, *serie* and *spielliste* are checked where the act is about one, *serie* also
    for objects of one; of a draw only the draft is changed. *says* is the act's own sentence
    about a registration in another state, with {name} and {status}, or about a list, with
    {table} and {status}.
    """

    tournament: frozenset[Tournament.Status]
    serie: frozenset[SerieState] = frozenset({SerieState.OPEN})
    registration: frozenset[Registration.Status] = frozenset(_R)
    spielliste: frozenset[Spielliste.Status] = frozenset(_L)
    says: str | Promise = _PERSON

    def with_refusal(self, sentence: str | Promise) -> States:
        """Return the same states with the act's own sentence of refusal."""
        return replace(self, says=sentence)

    def with_states(self, *more: Registration.Status | SerieState | Spielliste.Status) -> States:
        """Return these states of the tournament with others of a registration, Serie or list."""
        registrations = frozenset(
            status for status in more if isinstance(status, Registration.Status)
        )
        serien = frozenset(state for state in more if isinstance(state, SerieState))
        lists = frozenset(status for status in more if isinstance(status, Spielliste.Status))
        return replace(
            self,
            registration=registrations or self.registration,
            serie=serien or self.serie,
            spielliste=lists or self.spielliste,
        )

    def check(self, tournament: Tournament, serie: Serie | None = None, row: Any = None) -> None:
        """Refuse an act whose tournament, Serie or row is in another state.

        Raises:
            WrongStatus: with the sentence of the state.
        """
        if tournament.status not in self.tournament:
            raise WrongStatus(str(OF_TOURNAMENT[Tournament.Status(tournament.status)]))
        if serie is not None and (state := state_of(serie)) not in self.serie:
            raise WrongStatus(str(OF_SERIE[state]).format(serie=serie, reason=serie.struck_out))
        if isinstance(row, Draw) and row.status != Draw.Status.DRAFT:
            raise WrongStatus(str(_DRAW).format(status=row.get_status_display()))
        if isinstance(row, Registration):
            self.check_registration(row)
        if isinstance(row, Spielliste) and row.status not in self.spielliste:
            status = row.get_status_display()
            raise WrongStatus(str(self.says).format(table=row.table, status=status))

    def refusal(self, tournament: Tournament, serie: Serie | None = None, row: Any = None) -> str:
        """Return the sentence of the refusal, before an act is offered; or nothing."""
        try:
            self.check(tournament, serie, row)
        except WrongStatus as refused:
            return str(refused)
        return ""

    def check_registration(self, registration: Registration) -> None:
        """Refuse an act that the status of *registration* does not allow."""
        if registration.status not in self.registration:
            status = registration.get_status_display()
            raise WrongStatus(str(self.says).format(name=registration.person, status=status))


def _within(*tournament: Tournament.Status, of: Iterable[Registration.Status] = _R) -> States:
    return States(frozenset(tournament), registration=frozenset(of))


# For acts that check their states themselves.
ALWAYS = _within(_T.DRAFT, _T.ANNOUNCED, _T.RUNNING, _T.CLOSED, _T.CALLED_OFF)
# Acts on the Ausschreibung.
OPEN = _within(_T.DRAFT, _T.ANNOUNCED, _T.RUNNING)
# Acts on money other than the dues of those who take part.
KEEPS_BOOK = _within(_T.DRAFT, _T.ANNOUNCED, _T.RUNNING, _T.CALLED_OFF)
DRAFT = _within(_T.DRAFT)
# Acts on data that are fixed once the tournament runs.
UNTIL_START = _within(_T.DRAFT, _T.ANNOUNCED)
ANNOUNCED = _within(_T.ANNOUNCED)
RUNS = _within(_T.RUNNING)
CLOSED = _within(_T.CLOSED)
CALLED_OFF = _within(_T.CALLED_OFF)
# Announced: persons may register, pay, be seated and play.
TAKES_PEOPLE = _within(*Tournament.TAKING_PEOPLE)
# Acts that notify the persons of an upcoming or called-off tournament.
IS_AWAITED = _within(*Tournament.TAKING_PEOPLE, _T.CALLED_OFF)
TAKES_PART = _within(*Tournament.TAKING_PEOPLE, of=Registration.TAKING_PART)
# After the closing a player may still object to earlier notices.
TAKES_OBJECTIONS = _within(*Tournament.TAKING_PEOPLE, _T.CLOSED)
EXPECTED = _within(*Tournament.TAKING_PEOPLE, of=Registration.COMING)
