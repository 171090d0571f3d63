"""The Ehrentafel of an organiser: winners of its seasons, holders of cups, and records.

It is public: it has names by consent and public results of closed tournaments.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, QuerySet, Sum
from django.utils.translation import gettext as _

from scoring.standings import Standing
from tournaments.announcement.queries import publication
from tournaments.common.rules import rule_set_of
from tournaments.models import Organiser, Season, Tournament
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.seasons.queries import standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Honour:
    """The winners of a season that is over."""

    season: Season
    winners: str
    value: int
    holds: bool  # holds the cup, which was not won since then


@dataclass(frozen=True, slots=True, kw_only=True)
class BestResult:
    """A record of one rule set, with its holders."""

    rule_set: str
    what: str
    value: int
    holders: str  # with the tournament of each


@dataclass(frozen=True, slots=True, kw_only=True)
class Honours:
    """The content of an Ehrentafel."""

    winners: tuple[Honour, ...]
    records: tuple[BestResult, ...]


def honours(owner: Organiser) -> Honours:
    """Return the Ehrentafel; a fixed number of queries for each tournament."""
    return Honours(winners=tuple(_winners(owner)), records=tuple(_records(owner)))


def honours_version(owner: Organiser) -> object:
    """Return the version of the Ehrentafel for the cache; two queries."""
    facts = ("pk", "name", "best", "counting", "table", "trophy", "number", "revisions")
    played = _closed_tournaments(owner).aggregate(Count("pk"), Sum("revision"))
    return [played, *_ended_seasons(owner).values_list(*facts)]


def _ended_seasons(owner: Organiser) -> QuerySet[Season]:
    return (
        owner.seasons.filter(is_over=True)
        .annotate(
            last=Max("tournaments__starts_at"),
            number=Count("tournaments"),
            revisions=Sum("tournaments__revision"),
        )
        .order_by("-last", "-pk")
    )


def _closed_tournaments(owner: Organiser) -> QuerySet[Tournament]:
    closed = owner.tournaments.filter(
        status=Tournament.Status.CLOSED, replaced_at__isnull=True, is_trial_run=False
    )
    return closed.order_by("starts_at", "pk")


def _winners(owner: Organiser) -> Iterator[Honour]:
    """Yield the seasons that are over, the latest first."""
    cups: set[str] = set()
    for season in _ended_seasons(owner):
        first = [line for line in standing(season).lines if line.rank == 1]
        if first:
            yield Honour(
                season=season,
                winners="; ".join(line.name for line in first),
                value=first[0].value,
                holds=bool(season.trophy) and season.trophy not in cups,
            )
            cups.add(season.trophy)


def _records(owner: Organiser) -> Iterator[BestResult]:
    values_by_label: dict[tuple[str, int], list[tuple[int, str]]] = {}
    for tournament in _closed_tournaments(owner):
        name = rule_set_of(tournament).name
        rule_set = rule_set_of(tournament)
        lengths = {rule_set.own_games(size) for size in rule_set.table_sizes}
        for holder, line, games in _lines(tournament):
            for at, value in _record_values(line, games, lengths):
                values_by_label.setdefault((name, at), []).append((value, holder))
    labels = (
        _("Die wenigsten Punkte in einer Serie"),
        _("Die meisten Wertpunkte in einer Serie"),
        _("Die meisten beendeten Spiele in einem Turnier"),
        _("Die meisten Handrommés in einem Turnier"),
    )
    for (name, at), values in sorted(values_by_label.items()):
        best = min(values)[0]
        if best or at == 0:
            holders = dict.fromkeys(holder for value, holder in values if value == best)
            yield BestResult(
                rule_set=name,
                what=labels[at],
                value=-best if at else best,
                holders="; ".join(holders),
            )


def _record_values(
    line: Standing, games: Sequence[int], lengths: Collection[int]
) -> Iterator[tuple[int, int]]:
    """Yield the index of each record and the value for it; less is better.

    Points count only in a Serie with one of the *lengths* in own games: a part of a Serie has
    fewer points. A player with more games, by a change of tables, had more games to finish.
    """
    whole = [
        total
        for total, played in zip(line.series_totals, games, strict=True)
        if total is not None and played in lengths
    ]
    if whole:
        yield int(line.order.most_first), min(map(line.order.key, whole))
    if max(games) <= max(lengths):
        yield 2, -line.games_won
        yield 3, -line.handromme


def _lines(tournament: Tournament) -> Iterator[tuple[str, Standing, list[int]]]:
    """Yield players with results, with the tournament, and the own games in each Serie.

    A number that two persons shared is left out.
    """
    rankings = Rankings(tournament)
    if publication.visible_ranking(tournament, rankings.serien).upto < rankings.serien:
        return
    for line in rankings.standings(OVERALL):
        registration = rankings.by_number[line.number]
        if line.results and not getattr(registration, "is_substituted", False):
            serien = range(1, len(line.series_totals) + 1)
            games = [rankings.own_games[registration.pk, serie] for serie in serien]
            yield f"{registration.public_name} ({tournament.name})", line, games
