"""The facts of a press text: the best of each ranking, with names by consent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from tournaments.announcement.queries.publication import team_name, visible_ranking
from tournaments.common.ranking_names import label_of
from tournaments.common.rules import rule_set_of
from tournaments.models import Tournament
from tournaments.people.queries.naming import INTERNET, distinguish_names
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.tables import RankedLine

MOST_RANKS = 3  # of each ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class BestPlayer:
    """One of the best of a ranking."""

    rank: int
    name: str  # initials without consent
    beside: str  # the club, or the members of the team
    points: int


def press(tournament: Tournament) -> dict[str, Any]:
    """Return the facts after the last whole Serie; "held_back" notes facts that are not public."""
    rankings = Rankings(tournament)
    upto = rankings.last_whole or rankings.last_counted
    shown_rankings = [ranking for ranking in rankings.choices() if not ranking.serie]
    tables = [rankings.table(ranking, upto=upto) for ranking in shown_rankings]
    overall = tables[0]
    best = [
        [line for line in table.lines if line.has_place and line.standing.rank <= MOST_RANKS]
        for table in tables
    ]
    first = [line for line in best[0] if line.standing.rank == 1]
    is_named = len(first) == 1 and all(map(_is_named, first))
    is_final = overall.is_final and upto == rankings.serien
    people = {
        member.pk: member
        for line in chain.from_iterable(best)
        for member in (line.members if line.registration is None else (line.registration,))
    }
    shown = distinguish_names((INTERNET.name(member), member) for member in people.values())
    names = dict(zip(people, shown, strict=True))
    return {
        # By label, the overall ranking first; none before the first result.
        "rankings": [
            (label_of(ranking), [_best_player(line, names) for line in lines])
            for ranking, lines in zip(shown_rankings, best, strict=True)
            if lines
        ],
        "winner": _best_player(first[0], names).name if is_named and is_final else "",
        "players": sum(line.has_result for line in overall.lines),
        "serien": upto,
        "rule_set": rule_set_of(tournament).name,
        "most_first": overall.order.most_first,
        "stand": overall.title,
        "is_final": is_final,
        "open_points": overall.open_points,
        "held_back": visible_ranking(tournament, rankings.serien).note,
        # Number of the best players who are shown by initials.
        "unnamed": sum(not INTERNET.names(member) for member in people.values()),
    }


def _is_named(line: RankedLine) -> bool:
    return line.registration is not None and INTERNET.names(line.registration)


def _best_player(line: RankedLine, names: Mapping[int, str]) -> BestPlayer:
    """Return a line with the *names* of the press text, which are unique."""
    if line.registration is None:
        name = team_name(line.name, line.members, INTERNET)
        members = ", ".join(names[member.pk] for member in line.members)
        beside = members if name == line.name else ""
    else:
        name = names[line.registration.pk]
        beside = line.club if _is_named(line) else ""
    standing = line.standing
    return BestPlayer(rank=standing.rank, name=name, beside=beside, points=standing.total or 0)
