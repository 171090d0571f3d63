"""The ranking of § 1.5: ranks, the criterion that decided each, and open ties.

One function ranks everything that has results per Serie: all players, a part of them
(women, juniors, seniors: pass only their entries), teams and tandems
(:mod:`scoring.teams`), and a single Serie for its own prizes.

Points are whole numbers, and totals may be negative; the :class:`~scoring.ordering.Order` of the
results decides which are better. A Serie without a result is ``None`` and never counts as 0 points:
if the fewest points win, that would be the best result.

The Ausschreibung may depart from § 1.5 (:class:`Terms`): only the best Serien of each entry
count, and an entry that missed one has no place. In an Endrunde entries may have carried points
(:attr:`Competitor.carried`): they count like one more result that is never struck.

The criteria, each of which decides only among entries equal on all before it:

1. more results in the Serien that count,
2. fewer points, § 1.5, or more Wertpunkte,
3. the tie-breaks of the rule set, by default more games finished, then more of them by
   Handrommé, § 1.5,
4. the Entscheidungsspiel, § 1.5 (:mod:`scoring.playoffs`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import compress, groupby
from operator import itemgetter, ne
from typing import Any, NamedTuple

from scoring.competitors import Competitor, Result, sum_of_augen
from scoring.errors import Problem, ScoringError
from scoring.ordering import Order
from scoring.playoffs import check_playoffs, playoff_levels
from scoring.ruleset import USUAL_TIES, TieBreak
from scoring.texts import _


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Departures from § 1.5 by the Ausschreibung: the Serien that count, and who has a place."""

    best: int | None = None  # number of Serien of each entry that count, at least 1; None: all
    only_whole: bool = False  # entries with fewer results than Serien count have no place

    def number_counted(self, serien: int) -> int:
        """Return how many of *serien* Serien count."""
        return serien if self.best is None else min(self.best, serien)


STANDARD_TERMS = Terms()  # by § 1.5


class Criterion(StrEnum):
    """A criterion that decides between two neighbours in the ranking."""

    RESULTS = "results"
    POINTS = "points"
    AUGEN = "augen"
    GAMES = "games"
    HANDROMME = "handromme"
    BEST_SERIE = "best_serie"
    LAST_SERIE = "last_serie"
    PLAYOFF = "playoff"
    SHARED = "shared"  # nothing: both have the same rank


_Criteria = tuple[Any, ...]
_NO_LAST_SERIE = 10**9  # for an entry without a result in the last Serie: worse than any result


@dataclass(frozen=True, slots=True)
class Tie:
    """Entries that share one rank; ``numbers`` ascend.

    Only entries with results can need an Entscheidungsspiel: those without share the last
    rank, but nothing between them is open.
    """

    numbers: tuple[int, ...]
    needs_playoff: bool


class Standing(NamedTuple):
    """One line of the ranking."""

    rank: int
    number: int
    total: int  # 0 without any result; see ``results``
    games_won: int
    handromme: int
    series_totals: tuple[int | None, ...]  # one for each Serie, including struck ones
    games: int | None  # so far in the Serie that runs
    compared: Fraction | int  # the total for the ranking, with the allowance for missing games
    tie: Tie | None  # the group that shares this rank
    decided_by: Criterion | None  # against the line before; None in the first line
    struck: tuple[int, ...] = ()  # indices of the Serien that do not count, from 0
    lacks: int = 0  # number of missing results, including carried points
    has_place: bool = True  # False without any result; then the rank is only for sorting
    augen: int | None = None  # counted in the hands, beside Wertpunkten only
    carried: int | None = None  # carried points, which are in the total

    @property
    def results(self) -> int:
        """The number of Serien whose result counts."""
        return len(self.series_totals) - self.series_totals.count(None) - len(self.struck)

    @property
    def order(self) -> Order:
        """Which of two lines with results is better."""
        return Order.of(self.augen)


class _Line(NamedTuple):
    """An entry with its criteria first, signed so that smaller is better, for sorting."""

    results: int
    compared: Fraction | int  # the sort key of the points
    ties: tuple[Fraction | int, ...]  # the values of the tie-breaks
    level: int  # by the Entscheidungsspiele, see playoff_levels
    number: int
    won: int
    handromme: int
    points: int
    games: int | None
    totals: tuple[int | None, ...]
    struck: tuple[int, ...] = ()
    augen: int | None = None
    carried: int | None = None


_criteria = itemgetter(slice(4))
_criteria_before_playoffs = itemgetter(slice(3))


def rank_entries(
    entries: Iterable[Competitor],
    *,
    upto: int | None = None,
    playoffs: Sequence[Sequence[int]] = (),
    tie_breaks: Sequence[TieBreak] = USUAL_TIES,
    terms: Terms = STANDARD_TERMS,
) -> tuple[Standing, ...]:
    """Return the ranking of *entries*, best first (§ 1.5).

    Entries equal in all criteria share a rank, in the order of their numbers; ranks are
    skipped accordingly (1, 2, 2, 4). The order of the given entries has no effect.

    Args:
        entries: the competitors, all with the same number of Serien.
        upto: count only the first *upto* Serien; 0 is the ranking before the start.
        playoffs: Entscheidungsspiele, each as start numbers, best first. Numbers that
            are not ranked here are ignored, so that a part of the players can be
            ranked with the Entscheidungsspiele of all.
        tie_breaks: the criteria of the rule set between equal points, in this order.
        terms: the departures of the Ausschreibung from § 1.5.

    Raises:
        ScoringError: if a number comes twice, if the entries differ in their number of
            Serien, if there is no Serie *upto*, or if
            :func:`~scoring.playoffs.check_playoffs` refuses.

    >>> anna = Competitor(number=1, results=(Result(points=53, games_won=3, handromme=0),))
    >>> bernd = Competitor(number=2, results=(Result(points=53, games_won=4, handromme=0),))
    >>> clara = Competitor(number=3, results=(None,))
    >>> for line in rank_entries([anna, bernd, clara]):
    ...     print(line.rank, line.number, line.total, line.decided_by)
    1 2 53 None
    2 1 53 games
    3 3 0 results
    """
    entries = list(entries)
    check_entries(entries)
    check_playoffs(playoffs)
    if upto is not None:
        _check_serie(entries, upto, lowest=0)
    lines = [
        _line(entry.number, entry.results[:upto], tie_breaks, terms, entry.carried)
        for entry in entries
        if not entry.excluded
    ]
    if playoffs:
        levels = playoff_levels(
            {line.number: _criteria_before_playoffs(line) for line in lines}, playoffs
        )
        lines = [line._replace(level=levels.get(line.number, 0)) for line in lines]
    lines.sort()
    carries = any(line.carried is not None for line in lines)  # among those who are ranked

    standings: list[Standing] = []
    ahead: _Criteria = ()
    for criteria, group in groupby(lines, key=_criteria):
        equals = list(group)
        rank = len(standings) + 1
        played = -equals[0].results
        lacks = terms.number_counted(len(equals[0].totals)) + carries - played
        has_place = played > 0 and not (terms.only_whole and lacks)
        tie = None
        if len(equals) > 1:
            numbers = tuple([line.number for line in equals])
            tie = Tie(numbers, needs_playoff=has_place)
        decided_by = _difference(ahead, criteria, tie_breaks) if ahead else None
        for line in equals:
            number, won, handromme, points, games, totals, struck, augen, carried = line[4:]
            shown = (points, won, handromme, totals, games, Order.of(augen).key(criteria[1]))
            counts = (struck, lacks, has_place, augen, carried)
            standings.append(Standing(rank, number, *shown, tie, decided_by, *counts))
            decided_by = Criterion.SHARED
        ahead = criteria
    return tuple(standings)


def rank_serie(
    entries: Iterable[Competitor],
    serie: int,
    last: int | None = None,
    *,
    playoffs: Sequence[Sequence[int]] = (),
    tie_breaks: Sequence[TieBreak] = USUAL_TIES,
    only_whole: bool = False,
) -> tuple[Standing, ...]:
    """Return the ranking of one Serie alone, or of those up to *last*, for prizes of their own.

    Entries without a result in them come last. *playoffs* are those played for this Serie,
    not those of the whole tournament. All of these Serien count, and no carried points.

    Args:
        entries: as for :func:`rank_entries`.
        serie: counted from 1.
        last: the last Serie that counts; None for one alone.
        playoffs: as for :func:`rank_entries`.
        tie_breaks: as for :func:`rank_entries`.
        only_whole: an entry that missed one of these Serien has no place.

    Raises:
        ScoringError: as :func:`rank_entries`, or if there is no such Serie.
    """
    entries = list(entries)
    check_entries(entries)
    last = serie if last is None else last
    _check_serie(entries, serie, lowest=1)
    _check_serie(entries, last, lowest=serie)
    alone = [
        Competitor(
            number=entry.number,
            results=entry.results[serie - 1 : last],
            excluded=entry.excluded,
        )
        for entry in entries
    ]
    terms = Terms(only_whole=only_whole)
    return rank_entries(alone, playoffs=playoffs, tie_breaks=tie_breaks, terms=terms)


def open_ties(standings: Iterable[Standing], places: int) -> tuple[Tie, ...]:
    """Return the ties that need an Entscheidungsspiel for the first *places* places.

    A tie is open if its best place is one of them, even if all of its places are. The caller
    decides whether equal or shared prizes make the Entscheidungsspiel needless.

    Args:
        standings: a ranking as :func:`rank_entries` returns it.
        places: how many places count, e.g. the number of prizes.
    """
    best = [line for line in standings if line.rank <= places]
    ties = [line.tie for line in best if line.decided_by is not Criterion.SHARED]
    return tuple(tie for tie in ties if tie is not None and tie.needs_playoff)


def check_entries(entries: Sequence[Competitor]) -> None:
    """Refuse entries that cannot be ranked together.

    Raises:
        ScoringError: if a number comes twice, or if the entries differ in their number of
            Serien; every problem, with its place as in ``entries[3].number``.
    """
    problems: list[Problem] = []
    seen: set[int] = set()
    for index, entry in enumerate(entries):
        if entry.number in seen:
            message = _("Nummer {number} steht mehrmals in der Wertung; jede darf nur einmal.")
            where = f"entries[{index}].number"
            problems.append(Problem(where, message.format(number=entry.number)))
        seen.add(entry.number)
        expected = len(entries[0].results)
        if len(entry.results) != expected:
            message = _(
                "Zahl der Serien: bei Nummer {number} {serien}, bei Nummer {first} {expected};"
                " sie muss gleich sein, fehlende Ergebnisse bleiben leer."
            )
            sentence = message.format(
                number=entry.number,
                serien=len(entry.results),
                first=entries[0].number,
                expected=expected,
            )
            problems.append(Problem(f"entries[{index}].results", sentence))
    if problems:
        raise ScoringError(problems)


def _check_serie(entries: Sequence[Competitor], serie: int, *, lowest: int) -> None:
    if not entries:
        return  # nothing to rank, and the number of Serien is unknown
    serien = len(entries[0].results)
    if not lowest <= serie <= serien:
        message = _("Serie {serie} gibt es nicht (Zahl der Serien: {serien}).")
        raise ScoringError(message.format(serie=serie, serien=serien))


def _line(
    number: int,
    results: Sequence[Result | None],
    tie_breaks: Sequence[TieBreak],
    terms: Terms,
    carried: int | None,
) -> _Line:
    played = [result for result in results if result is not None]
    if not played:
        nothing = (0, 0, (), 0, number, 0, 0, 0, None)
        return _Line(*nothing, (None,) * len(results), carried=carried)
    struck: tuple[int, ...] = ()
    if terms.best is not None and len(played) > terms.best:
        played, struck = _best(results, terms.best, tie_breaks)
    totals, won, handromme, progress, allowances, *_augen = zip(*played, strict=True)
    points = compared = sum(totals) + (carried or 0)
    order = played[0].order
    if len(played) < len(results):
        totals = tuple([None if result is None else result.points for result in results])
    games = None
    if progress.count(None) < len(progress):
        games = [games_so_far for games_so_far in progress if games_so_far is not None][-1]
        compared += sum(allowances)
    ties = tuple([_tie_value(tie_break, played, results[-1]) for tie_break in tie_breaks])
    return _Line(
        -len(played) - (carried is not None),
        *(order.key(compared), ties, 0, number, sum(won), sum(handromme)),
        *(points, games, totals, struck, sum_of_augen(played), carried),
    )


def _best(
    results: Sequence[Result | None], best: int, tie_breaks: Sequence[TieBreak]
) -> tuple[list[Result], tuple[int, ...]]:
    """Return the *best* results, and the indices of the struck ones.

    Results are compared like entries: by points, then by the tie-breaks of the rule set; of
    equal ones the earlier counts. The allowance is part of a result of a running Serie.
    """

    def criteria(place: tuple[int, Result]) -> tuple[Fraction | int, ...]:
        result = place[1]
        ties = [_tie_value(tie_break, [result], result) for tie_break in tie_breaks]
        return (result.order.key(result.points + result.allowance), *ties)

    ranked = sorted(
        [(at, each) for at, each in enumerate(results) if each is not None], key=criteria
    )
    counted = [result for _at, result in sorted(ranked[:best])]
    return counted, tuple(sorted([at for at, _result in ranked[best:]]))


def _tie_value(
    tie_break: TieBreak, played: Sequence[Result], last: Result | None
) -> Fraction | int:
    """Return the value of a tie-break; less is better."""
    match tie_break:
        case TieBreak.AUGEN:
            return sum([(result.augen or 0) + result.augen_allowance for result in played])
        case TieBreak.GAMES:
            return -sum([result.games_won for result in played])
        case TieBreak.HANDROMME:
            return -sum([result.handromme for result in played])
        case TieBreak.BEST_SERIE:
            return min([result.order.key(result.points) for result in played])
        case _:  # of the last Serie
            return _NO_LAST_SERIE if last is None else last.order.key(last.points)


def _difference(ahead: _Criteria, behind: _Criteria, tie_breaks: Sequence[TieBreak]) -> Criterion:
    """Return the first criterion by which two lines differ."""
    if ahead[0] != behind[0]:
        return Criterion.RESULTS
    if ahead[1] != behind[1]:
        return Criterion.POINTS
    differ = compress(tie_breaks, map(ne, ahead[2], behind[2]))
    return Criterion(next(differ, Criterion.PLAYOFF))
