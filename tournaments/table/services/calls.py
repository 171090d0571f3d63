"""Calls of a table for a Schiedsrichter, shown in the control room and at the table.

In a dispute the table must call a Schiedsrichter (§ 2.2.6).
"""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.roles import AT_TABLE, MAY_CHECK
from tournaments.common.states import NOT_STRUCK_OUT, TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import Call, Serie, Table

NOTE_LENGTH = 300

acts = Acts(MAY_CHECK, TAKES_PEOPLE.with_states(*NOT_STRUCK_OUT))


@acts.on(Table, "call", by=AT_TABLE, when=TAKES_PEOPLE)
def call(act: Act[Table], *, kind: str) -> Call:
    """Call a Schiedsrichter to a table.

    Raises:
        Conflict: if the table has an open call.
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
    call = act.row
    _check_open(call)
    if call.taken_at is None:
        call.taken_at, call.taken_by = timezone.now(), act.actor.user
        _store(act)
    elif call.taken_by != act.actor.user:
        raise Conflict(
            _("Den Ruf von {table} hat schon {name} übernommen.").format(
                table=call.table, name=call.taken_by
            )
        )
    return call


@acts.on(Call, "settle_call", entry="call_done")
def settle(act: Act[Call], *, note: str = "") -> Call:
    """Record that a call is settled, with a note of the outcome; an open call becomes taken.

    Raises:
        Conflict: if it is settled.
        TournamentError: if the note is too long.
    """
    call, now = act.row, timezone.now()
    _check_open(call)
    if len(note.strip()) > NOTE_LENGTH:
        raise TournamentError(
            _("Die Bemerkung ist zu lang; höchstens {most} Zeichen.").format(most=NOTE_LENGTH)
        )
    if call.taken_at is None:
        call.taken_at, call.taken_by = now, act.actor.user
    call.done_at, call.note = now, note.strip()
    _store(act)
    return call


def end_with_serie(act: Act[Serie], now: datetime) -> None:
    """Settle the open and taken calls of a Serie that closes; part of that act."""
    open_calls = Call.objects.filter(table__serie=act.row, done_at__isnull=True)
    for call in open_calls.select_related("table").order_by("pk"):
        with act.entry("call_done", call):
            call.done_at, call.note = now, _("endete mit der Serie")
            act.store(call)
            act.note(table=call.table_id, kind=call.kind)


def _check_open(call: Call) -> None:
    if call.done_at is not None:
        raise Conflict(_("Dieser Ruf von {table} ist schon erledigt.").format(table=call.table))


def _store(act: Act[Call]) -> None:
    act.store(act.row)
    act.note(table=act.row.table_id, kind=act.row.kind)
