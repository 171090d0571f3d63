"""The results of a tournament: stored at its closing, and compared after a reopening.

The content is plain JSON with start numbers and keys of teams, without names of persons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.money import euro
from scoring.payments.prizes import PrizeRanking, Recipient
from scoring.standings import Standing
from tournaments.common.ranking_names import ranking_of, slug_of
from tournaments.models import Closing, Tournament
from tournaments.prizes.queries.lottery import LOTTERY
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.results.queries.rankings import Rankings

Line = Mapping[str, Any]
Pair = tuple[int | None, int | None]  # at the closing and now; None: not in the ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class RankChange:
    """A player or team whose rank or total differs from the closing."""

    number: int  # start number, or key of a team
    name: str
    rank: Pair
    total: Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeChange:
    """A player or team whose prizes in one ranking differ; in words, "" for none."""

    title: str
    number: int
    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsChanges:
    """The differences from a closing."""

    rankings: list[tuple[str, list[RankChange]]]  # titles, with lines by current rank
    prizes: tuple[PrizeChange, ...]

    def __bool__(self) -> bool:
        return bool(self.rankings or self.prizes)


def snapshot(tournament: Tournament, sheet: PrizeSheet | None = None) -> dict[str, Any]:
    """Return the current results of the tournament, as stored by a closing."""
    sheet = sheet or PrizeSheet(tournament)
    return {
        "rankings": {
            slug_of(ranking): [
                {"number": line.number, "rank": _rank(line), "total": line.total}
                for line in sheet.rankings.standings(ranking)
            ]
            for ranking in sheet.rankings.choices()
        },
        "prizes": [
            {
                "pot": row.pot,
                "ranking": row.ranking,
                "number": row.registration.number if row.registration else row.key[3],
                "cents": row.cents,
                "goods": row.goods,
            }
            for row in sheet.rows
            if row.cents or row.goods
        ],
    }


def _rank(line: Standing) -> int | None:
    return line.rank if line.has_place or not line.results else None


def changes(tournament: Tournament, closing: Closing) -> StandingsChanges:
    """Return the differences from *closing*; a fixed number of queries."""
    sheet = PrizeSheet(tournament)
    before, after = closing.content, snapshot(tournament, sheet)
    old, new = before["rankings"], after["rankings"]
    rankings = (
        (_title(slug), _rank_changes(old.get(slug, ()), new.get(slug, ()), slug, sheet.rankings))
        for slug in {**old, **new}
    )
    return StandingsChanges(
        rankings=[(title, lines) for title, lines in rankings if lines],
        prizes=tuple(_prizes(before["prizes"], after["prizes"], sheet.rankings)),
    )


def _name(rankings: Rankings, slug: str, number: int) -> str:
    """Return the name of a player or team by its number in a ranking."""
    ranking = ranking_of(slug)
    if ranking is None or ranking.recipient is Recipient.PLAYER:
        registration = rankings.by_number.get(number)
        return registration.person.full_name if registration else ""
    teams = (team for each in rankings.teams.values() for team in each)
    return next((team.name for team in teams if team.pk == number), "")


def _title(slug: str) -> str:
    if slug == LOTTERY:
        return _("Verlosung")
    ranking: PrizeRanking | None = ranking_of(slug)
    return ranking.describe() if ranking is not None else slug


def _rank_changes(
    old: Iterable[Line], new: Iterable[Line], slug: str, rankings: Rankings
) -> list[RankChange]:
    before = {line["number"]: line for line in old}
    after = {line["number"]: line for line in new}
    last = len(before) + len(after)
    changes = [
        RankChange(
            number=number,
            name=_name(rankings, slug, number),
            rank=(_value(before, number, "rank"), _value(after, number, "rank")),
            total=(_value(before, number, "total"), _value(after, number, "total")),
        )
        for number in before.keys() | after.keys()
        if before.get(number) != after.get(number)
    ]
    return sorted(
        changes, key=lambda change: (change.rank[1] or last, change.rank[0] or last, change.number)
    )


def _value(lines: Mapping[int, Line], number: int, name: str) -> int | None:
    return lines[number][name] if number in lines else None


def _prizes(old: Iterable[Line], new: Iterable[Line], rankings: Rankings) -> Iterable[PrizeChange]:
    before, after = (
        {(line["ranking"], line["number"], line["pot"]): line for line in each}
        for each in (old, new)
    )
    for key in sorted(before.keys() | after.keys()):
        slug, number, _pot = key
        prizes = (_won(before.get(key)), _won(after.get(key)))
        if prizes[0] != prizes[1]:
            yield PrizeChange(
                title=_title(slug),
                number=number,
                name=_name(rankings, slug, number),
                before=prizes[0],
                after=prizes[1],
            )


def _won(line: Line | None) -> str:
    if line is None:
        return ""
    return " + ".join(filter(None, (euro(line["cents"]) if line["cents"] else "", line["goods"])))
