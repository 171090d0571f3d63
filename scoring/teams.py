"""Teams of *k* and tandems: entries made of several players' results.

The Romméordnung knows team prizes (§ 1.1) and leaves their scoring to the Ausschreibung.
Here a team's result in a Serie is the sum of its members' points, finished games and
Handrommés, and ties are broken by the same criteria, summed (:mod:`scoring.standings`).
A tandem is a team of two. If a member has no result, the team has none: with the fewest
points winning, a sum of fewer results would be an advantage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.competitors import Competitor, Result, sum_of_augen
from scoring.errors import Problem, ScoringError
from scoring.ruleset import USUAL_TIES, TieBreak
from scoring.standings import STANDARD_TERMS, Standing, Terms, check_entries, rank_entries
from scoring.texts import _

TANDEM_SIZE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A team: its own number and the start numbers of its members."""

    number: int
    members: tuple[int, ...]


def team_entries(
    teams: Iterable[Team], entries: Iterable[Competitor], *, size: int
) -> tuple[Competitor, ...]:
    """Return the teams as entries to be ranked, in the order given.

    A team has a result in a Serie when it is complete and all of its members have one.
    An excluded player (§ 1.4) has no results, so the team has none in any Serie; the same
    applies to a team of fewer than *size* members. Both are at the end of the ranking.

    Args:
        teams: a player may be in several, if the Ausschreibung allows it.
        entries: the players, members of teams or not, all with the same number of Serien.
        size: the number of members a complete team has.

    Raises:
        ScoringError: if :func:`~scoring.standings.check_entries` refuses the players; if a
            team has too many members, one of them twice, or one without an entry; every
            problem, with its place as in ``teams[2].members[0]``.

    >>> def won(points: int, games: int) -> Result:
    ...     return Result(points=points, games_won=games, handromme=0)
    >>> players = [
    ...     Competitor(number=1, results=(won(120, 3), won(-15, 5))),
    ...     Competitor(number=2, results=(won(240, 2), None)),
    ... ]
    >>> [tandem] = team_entries([Team(number=1, members=(1, 2))], players, size=2)
    >>> tandem.results == (won(360, 5), None)
    True
    """
    teams = list(teams)
    entries = list(entries)
    check_entries(entries)
    by_number = {entry.number: entry for entry in entries}
    problems = [
        problem
        for index, team in enumerate(teams)
        for problem in _team_problems(index, team, by_number, size)
    ]
    if problems:
        raise ScoringError(problems)
    serien = len(entries[0].results) if entries else 0
    competitors = []
    for team in teams:
        members = [by_number[number] for number in team.members]
        results = _team_results(members, size, serien)
        carried = _team_carried(members, size)
        competitors.append(Competitor(number=team.number, results=results, carried=carried))
    return tuple(competitors)


def rank_teams(
    teams: Iterable[Team],
    entries: Iterable[Competitor],
    *,
    size: int,
    upto: int | None = None,
    playoffs: Sequence[Sequence[int]] = (),
    tie_breaks: Sequence[TieBreak] = USUAL_TIES,
    terms: Terms = STANDARD_TERMS,
) -> tuple[Standing, ...]:
    """Return the ranking of the teams, best first; the numbers in it are the teams'.

    Args:
        teams: as for :func:`team_entries`.
        entries: as for :func:`team_entries`.
        size: as for :func:`team_entries`; ``TANDEM_SIZE`` for tandems.
        upto: as for :func:`~scoring.standings.rank_entries`.
        playoffs: Entscheidungsspiele between teams, as orders of team numbers.
        tie_breaks: as for :func:`~scoring.standings.rank_entries`.
        terms: as for :func:`~scoring.standings.rank_entries`; the Serien of a team are counted.

    Raises:
        ScoringError: as :func:`team_entries` and :func:`~scoring.standings.rank_entries`.
    """
    competitors = team_entries(teams, entries, size=size)
    return rank_entries(
        competitors, upto=upto, playoffs=playoffs, tie_breaks=tie_breaks, terms=terms
    )


def _team_problems(
    index: int, team: Team, by_number: Mapping[int, Competitor], size: int
) -> Iterable[Problem]:
    if len(team.members) > size:
        message = _("Mannschaft {team} hat {members} Mitglieder; es dürfen höchstens {size} sein.")
        sentence = message.format(team=team.number, members=len(team.members), size=size)
        yield Problem(f"teams[{index}].members", sentence)
    for place, number in enumerate(team.members):
        where = f"teams[{index}].members[{place}]"
        if number in team.members[:place]:
            message = _("Startnummer {number} steht in Mannschaft {team} mehrmals.")
            yield Problem(where, message.format(number=number, team=team.number))
        elif number not in by_number:
            message = _(
                "Startnummer {number} in Mannschaft {team} ist nicht in der Wertung;"
                " bitte die Mannschaft berichtigen."
            )
            yield Problem(where, message.format(number=number, team=team.number))


def _team_carried(members: Sequence[Competitor], size: int) -> int | None:
    """Return the carried points of a team: the sum of its members, if all have some."""
    carried = [member.carried for member in members if member.carried is not None]
    return sum(carried) if size == len(members) == len(carried) else None


def _team_results(
    members: Sequence[Competitor], size: int, serien: int
) -> tuple[Result | None, ...]:
    if len(members) < size or any(member.excluded for member in members):
        return (None,) * serien
    return tuple(_team_result(column) for column in zip(*[m.results for m in members], strict=True))


def _team_result(results: Sequence[Result | None]) -> Result | None:
    played = [result for result in results if result is not None]
    if len(played) < len(results):
        return None
    games = [result.games for result in played if result.games is not None]
    return Result(
        points=sum(result.points for result in played),
        games_won=sum(result.games_won for result in played),
        handromme=sum(result.handromme for result in played),
        games=sum(games) if games else None,
        allowance=sum(result.allowance for result in played),
        augen=sum_of_augen(played),
        augen_allowance=sum(result.augen_allowance for result in played),
    )
