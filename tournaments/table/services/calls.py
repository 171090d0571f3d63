"""Calls of a table for a Schiedsrichter, shown at control and, when taken, at the table.

In a dispute a Schiedsrichter is always to be called (§ 2.2.6).
"""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.roles import AT_TABLE, MAY_CHECK
from tournaments.common.states import HELD, TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import Call, Serie, Table

NOTE_LENGTH = 300

acts = Acts(MAY_CHECK, TAKES_PEOPLE.also(*HELD))


@acts.on(Table, "call", by=AT_TABLE, when=TAKES_PEOPLE)
def call(act: Act[Table], *, kind: str) -> Call:
    """Call a Schiedsrichter to a table.

    Raises:
        Conflict: if one is called already.
        TournamentError: if there is no such kind of call.
    """
    if kind not in Call.Kind.values:
        raise TournamentError(_("Bitte wählen, worum es geht."))
    if act.row.calls.filter(done_at__isnull=True).exists():
        raise Conflict(_("Der Schiedsrichter ist schon gerufen."))
    with act.entry("referee_called"):
        return act.add(Call(table=act.row, kind=kind))


@acts.on(Call, "take_call", entry="call_taken")
def take(act: Act[Call]) -> Call:
    """Record that the actor is on the way to the table.

    Raises:
        Conflict: if another account has taken the call, or it is settled.
    """
    found = act.row
    _demand_open(found)
    if found.taken_at is None:
        found.taken_at, found.taken_by = timezone.now(), act.actor.user
        _store(act)
    elif found.taken_by != act.actor.user:
        raise Conflict(
            _("Den Ruf von {table} hat schon {name} übernommen.").format(
                table=found.table, name=found.taken_by
            )
        )
    return found


@acts.on(Call, "settle_call", entry="call_done")
def done(act: Act[Call], *, note: str = "") -> Call:
    """Record that a call is settled, with a note of the outcome; also as taken, if it was not.

    Raises:
        Conflict: if it is settled already.
        TournamentError: if the note is too long.
    """
    found, now = act.row, timezone.now()
    _demand_open(found)
    if len(note.strip()) > NOTE_LENGTH:
        raise TournamentError(
            _("Die Bemerkung ist zu lang; höchstens {most} Zeichen.").format(most=NOTE_LENGTH)
        )
    if found.taken_at is None:
        found.taken_at, found.taken_by = now, act.actor.user
    found.done_at, found.note = now, note.strip()
    _store(act)
    return found


def end_with_serie(act: Act[Serie], now: datetime) -> None:
    """Settle the open calls of a Serie that closes, taken or not; part of that act."""
    found = Call.objects.filter(table__serie=act.row, done_at__isnull=True)
    for one in found.select_related("table").order_by("pk"):
        with act.entry("call_done", one):
            one.done_at, one.note = now, _("endete mit der Serie")
            act.store(one)
            act.note(table=one.table_id, kind=one.kind)


def _demand_open(found: Call) -> None:
    if found.done_at is not None:
        raise Conflict(_("Dieser Ruf von {table} ist schon erledigt.").format(table=found.table))


def _store(act: Act[Call]) -> None:
    act.store(act.row)
    act.note(table=act.row.table_id, kind=act.row.kind)
