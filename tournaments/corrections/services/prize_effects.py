"""The prizes that a correction changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from scoring.payments.prizes import Recipient
from tournaments.lists.queries import data as list_data
from tournaments.models import Spielliste
from tournaments.notices.queries.effects import PrizeMove
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.queries.rows import PrizeRow
from tournaments.results.queries.rankings import Rankings


@dataclass(slots=True)
class _PrizeWin:
    """The prizes of a player, or of a player's team."""

    cents: int = 0
    goods: list[str] = field(default_factory=list)
    paid_cents: int = 0
    is_undecided: bool = False


def prize_moves(before: Rankings, after: Rankings) -> tuple[PrizeMove, ...]:
    """Return the prizes that differ between two states of the rankings, by start number.

    Only settled rankings have prizes. A prize of a team is a change for each member.
    """
    old_sheet, new_sheet = (
        PrizeSheet(rankings.tournament, rankings=rankings) for rankings in (before, after)
    )
    if not old_sheet.pots:
        return ()
    old, new = _prizes_by_number(old_sheet), _prizes_by_number(new_sheet)
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


def coming_prizes(
    before: Rankings, after: Rankings, *, but: Collection[PrizeMove] = ()
) -> tuple[PrizeMove, ...]:
    """Return the prizes that differ if all whole lists are verified unchanged, except *but*."""
    excluded = {(move.number, move.is_of_team) for move in but}
    moves = prize_moves(_as_verified(before), _as_verified(after))
    return tuple(move for move in moves if (move.number, move.is_of_team) not in excluded)


def _as_verified(rankings: Rankings) -> Rankings:
    verified = Spielliste.Status.VERIFIED.value
    lists = [
        replace(data, status=verified) if data.status in list_data.COMPLETE else data
        for data in rankings.lists
    ]
    return Rankings(rankings.tournament, lists=lists, entries=rankings.entries())


def _prizes_by_number(sheet: PrizeSheet) -> defaultdict[tuple[int, bool], _PrizeWin]:
    wins: defaultdict[tuple[int, bool], _PrizeWin] = defaultdict(_PrizeWin)
    for row in sheet.rows:
        for number in _recipients(row, sheet.rankings):
            win = wins[number, row.team is not None]
            win.cents += row.cents
            win.goods += [row.goods] if row.goods else []
            win.paid_cents += row.paid_cents
            win.is_undecided |= row.is_undecided
    for tie in sheet.playoffs:
        for number in tie.numbers if tie.ranking.recipient is Recipient.PLAYER else ():
            wins[number, False].is_undecided = True
    return wins


def _recipients(row: PrizeRow, rankings: Rankings) -> Iterator[int]:
    """Yield the start numbers of those who receive a prize."""
    if row.registration is not None:
        yield row.registration.number or 0
    for team in (team for teams in rankings.teams.values() for team in teams):
        if row.team is not None and team.pk == row.team.pk:
            for member in team.members.all():
                yield rankings.registrations[member.registration_id].number or 0
