"""Needs for the draw: a person's fixed table, and separations."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import Registration, Separation, Tournament

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)


@acts.on(Registration, "set_fixed_table", entry="need_changed")
def set_fixed_table(act: Act[Registration], *, table: int | None, why: str) -> Registration:
    """Set or remove a person's fixed table.

    The journal does not contain the reason, which is confidential.
    """
    act.row.fixed_table = table
    act.row.fixed_table_reason = why.strip() if table else ""
    return act.store(act.row)


@acts.on(Tournament, "separate", entry="separated")
def separate(act: Act[Tournament], *, first_id: int, second_id: int, why: str) -> Separation:
    """Note that two people must not sit at one table.

    Raises:
        TournamentError: if both are the same, or play in different tournaments.
    """
    pair = act.tournament.registrations.filter(pk__in=[first_id, second_id]).order_by("pk")
    if len(pair) != 2:
        raise TournamentError(_("Zur Trennung braucht es zwei Gemeldete dieses Turniers."))
    stored = act.tournament.separations.filter(first__in=pair, second__in=pair).first()
    return stored or act.add(
        Separation(tournament=act.tournament, first=pair[0], second=pair[1], reason=why.strip())
    )


@acts.on(Separation, "unseparate", entry="unseparated")
def unseparate(act: Act[Separation]) -> None:
    """Remove the separation of two persons."""
    act.note(before={"registrations": [act.row.first_id, act.row.second_id]})
    act.remove(act.row)
