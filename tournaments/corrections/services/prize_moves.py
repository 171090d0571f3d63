"""Prizes before and after a correction, for each player who wins or was paid something else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from scoring.payments.prizes import Recipient
from tournaments.notices.queries.effects import PrizeMove
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.queries.rows import PrizeRow
from tournaments.results.queries.rankings import Rankings


@dataclass(slots=True)
class _Prize:
    """What a player, or the player's team, wins."""

    cents: int = 0
    goods: list[str] = field(default_factory=list)
    paid_cents: int = 0
    is_undecided: bool = False


def prize_moves(before: Rankings, after: Rankings) -> tuple[PrizeMove, ...]:
    """Return the prizes that differ between two states of the rankings, by start number.

    Only settled rankings have prizes. That of a team is a change for each of its members.
    """
    old_sheet, new_sheet = (PrizeSheet(each.tournament, rankings=each) for each in (before, after))
    if not old_sheet.pots:
        return ()
    old, new = _prizes(old_sheet), _prizes(new_sheet)
    return tuple(
        PrizeMove(
            number=number,
            is_of_team=is_of_team,
            cents=(old[number, is_of_team].cents, new[number, is_of_team].cents),
            goods=(
                ", ".join(old[number, is_of_team].goods),
                ", ".join(new[number, is_of_team].goods),
            ),
            paid_cents=old[number, is_of_team].paid_cents,
            is_undecided=new[number, is_of_team].is_undecided,
        )
        for number, is_of_team in sorted(old.keys() | new.keys())
        if old[number, is_of_team] != new[number, is_of_team]
    )


def _prizes(sheet: PrizeSheet) -> defaultdict[tuple[int, bool], _Prize]:
    found: defaultdict[tuple[int, bool], _Prize] = defaultdict(_Prize)
    for row in sheet.rows:
        for number in _numbers(row, sheet.rankings):
            one = found[number, row.team is not None]
            one.cents += row.cents
            one.goods += [row.goods] if row.goods else []
            one.paid_cents += row.paid_cents
            one.is_undecided |= row.is_undecided
    for tie in sheet.playoffs:
        for number in tie.numbers if tie.ranking.recipient is Recipient.PLAYER else ():
            found[number, False].is_undecided = True
    return found


def _numbers(row: PrizeRow, rankings: Rankings) -> Iterator[int]:
    """Yield the start numbers of those who receive a prize."""
    if row.registration is not None:
        yield row.registration.number or 0
    for team in (one for teams in rankings.teams.values() for one in teams):
        if row.team is not None and team.pk == row.team.pk:
            for member in team.members.all():
                yield rankings.registrations[member.registration_id].number or 0
