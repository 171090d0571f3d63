"""The first step of every service that changes a tournament.

Locks are always taken in the same order: tournament, list, other rows, the journal.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

from django.db import connection
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from tournaments.common.errors import WrongStatus
from tournaments.models import Registration, Serie, Spielliste, Tournament
from tournaments.models.prepared import Prepared, cursor

Owned = TypeVar("Owned", bound=Any)  # a model with a tournament

# What is done at a table needs of its tournament; the rest is fetched if it is asked for.
_OF_TOURNAMENT = {
    *("id", "name", "slug", "status", "revision", "bussgeld", "protest_minutes", "is_demo"),
    *("words", "words_since", "words_until"),
}


def at_tables() -> QuerySet[Spielliste]:
    """Return lists with their table, Serie and tournament; read them by :func:`as_read`."""
    path = "table__serie__tournament"
    return (
        Spielliste.objects.order_by()
        .select_related(path)
        .defer(*unneeded_of_tournament(path))
        .annotate(rule_set_text=Cast(f"{path}__rule_set", TextField()))
    )


def unneeded_of_tournament(path: str) -> list[str]:
    """Return the fields of a tournament that acts at a table do without, as paths for ``defer``."""
    names = (field.name for field in Tournament._meta.concrete_fields)
    return [f"{path}__{name}" for name in names if name not in _OF_TOURNAMENT]


def as_read(found: Spielliste | None) -> Spielliste:
    """Return a list of :func:`at_tables`, whose tournament knows its rule set as text.

    Raises:
        Spielliste.DoesNotExist: if nothing was found.
    """
    if found is None:
        raise Spielliste.DoesNotExist
    with_rule_set(found.table.serie.tournament, found)
    return found


def with_rule_set(tournament: Tournament, found: Any) -> None:
    """Let a tournament know its rule set as the text that was read with what was *found*."""
    tournament.rule_set_text = found.rule_set_text  # type: ignore[attr-defined]


_TO_LOCK = Prepared(
    lambda spielliste: (
        Tournament.objects.select_for_update(of=("self",))
        .filter(serien__tables__spielliste=spielliste)
        .values_list("pk")
    )
)
_LISTS = Prepared(lambda spielliste: at_tables().filter(pk=spielliste))


def lock_tournament(tournament_id: int, *, allow_closed: bool = False) -> Tournament:
    """Lock the tournament's row until the transaction ends, and return it as it is now.

    Everything that changes a tournament begins with this lock, or with that of the one list that
    is all it changes, so two acts on the same thing never interleave and no two ever wait for
    each other. SQLite has no row locks; there the settings open every transaction with BEGIN
    IMMEDIATE, to the same end.

    Raises:
        WrongStatus: if the tournament is closed and the act is not its reopening.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if not allow_closed:
        _demand_open(tournament)
    return tournament


def _demand_open(tournament: Tournament) -> None:
    if tournament.is_read_only:
        raise WrongStatus(
            _(
                "Das Turnier ist abgeschlossen. Zum Ändern muss die Spielleitung es mit einem "
                "Grund wieder öffnen."
            )
        )


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
    """Refuse what would change a Serie that is closed; a preview of it asks without a lock.

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


def lock_spielliste(spielliste_id: int) -> Spielliste:
    """Lock the tournament of a list, and return the list with its table as they are now.

    Raises:
        WrongStatus: if the tournament or the Serie is closed.
    """
    lock_tournament_of(spielliste_id)
    spielliste = as_read(_LISTS.first(spielliste_id))
    demand_open(spielliste.table.serie)
    return spielliste


def demand_open(serie: Serie) -> None:
    """Refuse what would change a Serie that is closed, or any of a closed tournament.

    Raises:
        WrongStatus: if one of them is.
    """
    _demand_open(serie.tournament)
    demand_open_serie(serie)


def lock_tournament_of(spielliste_id: int) -> None:
    """Lock the tournament of a list until the transaction ends; one query finds and locks it.

    On SQLite the transaction began with the lock.
    """
    if connection.features.has_select_for_update:
        _TO_LOCK.rows(spielliste_id)


# A lock that many may hold keeps out whoever wants the whole tournament.
_LOCK_LIST = """
WITH held AS MATERIALIZED (
  SELECT tournament.id FROM tournaments_tournament tournament
  JOIN tournaments_serie serie ON serie.tournament_id = tournament.id
  JOIN tournaments_table at ON at.serie_id = serie.id
  JOIN tournaments_spielliste list ON list.table_id = at.id
  WHERE list.id = %s FOR KEY SHARE OF tournament
)
SELECT list.id{also} FROM held, tournaments_spielliste list WHERE list.id = %s
FOR NO KEY UPDATE OF list
"""


def lock_list(spielliste_id: int) -> None:
    """Lock one list until the transaction ends, for what changes nothing beside it; 1 query.

    Acts on other lists go on meanwhile, up to the journal. Whoever locks the tournament waits
    for those that hold this lock, and they for them. On SQLite the transaction began with it.
    """
    if lock := _lock_of_list(spielliste_id):
        with cursor() as asked:
            asked.execute(*lock)


def _lock_of_list(spielliste_id: int, also: str = "") -> tuple[str, list[int]] | None:
    """Return the statement of :func:`lock_list`, if it takes one, and its values."""
    if not connection.features.has_select_for_update:
        return None
    return _LOCK_LIST.format(also=also), [spielliste_id, spielliste_id]


# Games of a tournament go one after the other through the end of its journal. Where each holds
# that until its own commit is on the disk, the disk is the pace of the hall; where many commits
# go there together, it is not.


def lock_of_list_until_commit(spielliste_id: int) -> tuple[str, list[int]] | None:
    """Return the same for a transaction that lets go of its locks before it is on the disk.

    Whoever commits it calls :func:`wait_for_the_disk` before saying that it is stored.
    """
    return _lock_of_list(spielliste_id, ", set_config('synchronous_commit', 'off', true)")


def wait_for_the_disk() -> None:
    """Return when everything that was committed before is as safe as any commit is.

    PostgreSQL writes one log, in order, and a commit waits until the log up to its own record is
    where ``synchronous_commit`` wants it: on the disk, and with standbys where there are some. So
    this commits a transaction that changes nothing, but has something to write there, a word that
    nobody reads: one that writes nothing would not wait. SQLite's commit has waited.

    Raises:
        DatabaseError: if that is not to be had; then what was committed may be stored, or not.
    """
    if connection.vendor == "postgresql":
        with cursor() as asked:
            asked.execute("SELECT pg_logical_emit_message(true, 'romme', '')")
