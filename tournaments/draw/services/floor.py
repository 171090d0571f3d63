"""The positions of the tables in the hall, set by the organiser."""

from __future__ import annotations

from itertools import chain

from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.draw.queries.floor import floor_of
from tournaments.journal.acts import Act, Acts
from tournaments.models import Tournament
from tournaments.models.floor import in_order, moved

acts = Acts(MAY_LEAD, TAKES_PEOPLE)


@acts.on(Tournament, "move_table", entry="table_moved")
def move_table(act: Act[Tournament], *, table: int, column: int, row: int) -> None:
    """Move a table to a cell, counted from 0; a table in that cell changes places with it.

    A row farther back than the next free one becomes the next free one.

    Raises:
        TournamentError: if there is no such table.
        ValidationError: if the hall has no such cell.
    """
    floor = floor_of(act.row)
    if table not in set(chain.from_iterable(floor)) - {0}:
        raise TournamentError(_("Tisch {table} gibt es nicht.").format(table=table))
    act.row.floor = moved(floor, table, column, min(row, len(floor)))
    act.store(act.row)
    act.note(table=table)


@acts.on(Tournament, "line_up_tables", entry="tables_lined_up")
def line_up(act: Act[Tournament], *, columns: int) -> None:
    """Place all tables by number in rows of *columns*."""
    tables = sorted(set(chain.from_iterable(floor_of(act.row))) - {0})
    act.row.floor = in_order(tables, columns)
    act.store(act.row)
    act.note(columns=columns)
