"""The first step of every service that changes a tournament.

Locks are always taken in the same order: tournament, other rows, the journal.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.common.errors import WrongStatus
from tournaments.common.plain import list_at_table
from tournaments.common.states import OPEN
from tournaments.models import Registration, Serie, Spielliste, Tournament

Owned = TypeVar("Owned", bound=Any)  # a model with a tournament


def lock_tournament(tournament_id: int, *, allow_closed: bool = False) -> Tournament:
    """Lock the tournament's row until the transaction ends, and return it as it is now.

    Every change of a tournament begins with this lock, so two acts on the same tournament never
    interleave or deadlock. SQLite has no row locks; there the settings open every transaction
    with BEGIN IMMEDIATE, to the same effect.

    Raises:
        WrongStatus: if the tournament is closed or called off, unless *allow_closed*.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    if not allow_closed:
        OPEN.demand(tournament)
    return tournament


def lock_owner(
    rows: QuerySet[Owned], pk: int, *, allow_closed: bool = False
) -> tuple[Tournament, Owned]:
    """Lock the tournament of a row, and return both as they are now, the row as of *rows*.

    Raises:
        WrongStatus: if the tournament is closed and the act is not about that.
    """
    owner = rows.values_list("tournament", flat=True).get(pk=pk)
    tournament = lock_tournament(owner, allow_closed=allow_closed)
    row = rows.get(pk=pk)
    row.tournament = tournament
    return tournament, row


def lock_registration(registration_id: int) -> tuple[Tournament, Registration]:
    """Lock the tournament of a registration, and return both as they are now.

    Raises:
        WrongStatus: if the tournament is closed.
    """
    return lock_owner(Registration.objects.select_related("person", "category"), registration_id)


def demand_status(registration: Registration, allowed: Collection[str], sentence: str) -> None:
    """Refuse an act that the status does not allow; *sentence* names {name} and {status}.

    Raises:
        WrongStatus: if the status is none of *allowed*.
    """
    if registration.status not in allowed:
        status = registration.get_status_display()
        raise WrongStatus(sentence.format(name=registration.person, status=status))


def lock_serie(serie_id: int, *, allow_closed: bool = False) -> tuple[Tournament, Serie]:
    """Lock the tournament of a Serie, and return both as they are now.

    Raises:
        WrongStatus: if the tournament is closed, or the Serie is and the act is not about that.
    """
    tournament, serie = lock_owner(Serie.objects.all(), serie_id)
    if not allow_closed:
        demand_open_serie(serie)
    return tournament, serie


def demand_open_serie(serie: Serie) -> None:
    """Refuse changes of a Serie that is closed; a preview calls it without a lock.

    Raises:
        WrongStatus: if it is closed.
    """
    if serie.closed_at is not None:
        raise WrongStatus(
            _(
                "{serie} ist abgeschlossen. Zum Ändern muss die Spielleitung sie mit einem Grund "
                "wieder öffnen."
            ).format(serie=serie)
        )


def lock_list(spielliste_id: int) -> Spielliste:
    """Lock the tournament of a list, and return the list with its table as they are now.

    The tournament or the Serie may be closed.
    """
    if connection.features.has_select_for_update:
        rows = Tournament.objects.select_for_update(of=("self",), no_key=True)
        rows.values_list("pk").get(serien__tables__spielliste=spielliste_id)
    return list_at_table(spielliste_id)
