"""Calls of a table for a Schiedsrichter, shown at control and, when taken, at the table.

In a dispute a Schiedsrichter is always to be called (§ 2.2.6).
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.locks import demand_open_serie, lock_tournament
from tournaments.journal import services as journal
from tournaments.models import Call, Table, Tournament, User

NOTE_LENGTH = 300


@transaction.atomic
def call(*, table_id: int, kind: str, actor: Actor) -> Call:
    """Call a Schiedsrichter to a table.

    Raises:
        Conflict: if one is called already.
        TournamentError: if there is no such kind of call.
        WrongStatus: if the Serie is closed.
    """
    table = Table.objects.select_related("serie").get(pk=table_id)
    tournament = lock_tournament(table.serie.tournament_id)
    table.serie.refresh_from_db(fields=["closed_at"])
    demand_open_serie(table.serie)
    if kind not in Call.Kind.values:
        raise TournamentError(_("Bitte wählen, worum es geht."))
    if Call.objects.filter(table=table, done_at__isnull=True).exists():
        raise Conflict(_("Der Schiedsrichter ist schon gerufen."))
    made = Call.objects.create(table=table, kind=kind)
    _record(tournament, actor, "referee_called", made)
    return made


@transaction.atomic
def take(*, call_id: int, by: User) -> Call:
    """Record that the actor is on the way to the table.

    Raises:
        Conflict: if another account has taken the call, or it is settled.
    """
    found, tournament = _lock(call_id)
    if found.taken_by_id == by.pk:
        return found
    if found.taken_at is not None:
        raise Conflict(
            _("Den Ruf von {table} hat schon {name} übernommen.").format(
                table=found.table, name=found.taken_by
            )
        )
    found.taken_at, found.taken_by = timezone.now(), by
    found.save(update_fields=["taken_at", "taken_by"])
    _record(tournament, Actor.account(by), "call_taken", found)
    return found


@transaction.atomic
def done(*, call_id: int, by: User, note: str = "") -> Call:
    """Record that a call is settled, with a note of the outcome; also as taken, if it was not.

    Raises:
        Conflict: if it is settled already.
        TournamentError: if the note is too long.
    """
    found, tournament = _lock(call_id)
    if len(note.strip()) > NOTE_LENGTH:
        raise TournamentError(
            _("Die Bemerkung ist zu lang; höchstens {most} Zeichen.").format(most=NOTE_LENGTH)
        )
    now = timezone.now()
    if found.taken_at is None:
        found.taken_at, found.taken_by = now, by
    found.done_at, found.note = now, note.strip()
    found.save(update_fields=["taken_at", "taken_by", "done_at", "note"])
    _record(tournament, Actor.account(by), "call_done", found)
    return found


def _lock(call_id: int) -> tuple[Call, Tournament]:
    found = Call.objects.select_related("table__serie").get(pk=call_id)
    tournament = lock_tournament(found.table.serie.tournament_id)
    found = Call.objects.select_related("table", "taken_by").get(pk=call_id)
    if found.done_at is not None:
        raise Conflict(_("Dieser Ruf von {table} ist schon erledigt.").format(table=found.table))
    return found, tournament


def _record(tournament: Tournament, actor: Actor, action: str, made: Call) -> None:
    journal.record(
        tournament, actor, action, made, after={"table": made.table_id, "kind": made.kind}
    )
