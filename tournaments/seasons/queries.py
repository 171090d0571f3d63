"""The ranking of a season: results of its tournaments, matched by person."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Count, Q

from scoring.ordering import Order
from scoring.season import Counting, SeasonLine, SeasonResult, rank_season
from tournaments.announcement.queries import publication
from tournaments.announcement.queries.tournaments import is_public
from tournaments.common import names
from tournaments.common.rules import rule_set_of, terms_of
from tournaments.models import Person, Registration, Season, Tournament
from tournaments.results.queries.rankings import OVERALL, Rankings


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPerson:
    """One line of the season's ranking, with its public name."""

    rank: int
    person: Person
    name: str
    is_named: bool  # by consent in all tournaments counted
    club: str
    value: int
    cells: tuple[tuple[int | None, bool], ...]  # each with whether it counts


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonSoFar:
    """The ranking of a season by its decided tournaments."""

    counted: tuple[Tournament, ...]
    # Announced, but not decided or not public, or counted in other points than those before.
    missing: tuple[Tournament, ...]
    lines: tuple[RankedPerson, ...]
    adds_wertpunkte: bool = False


def standing(season: Season) -> SeasonSoFar:
    """Return the ranking of a season; a fixed number of queries for each tournament."""
    counted: list[Tournament] = []
    missing: list[Tournament] = []
    outcomes: dict[int, dict[int, SeasonResult]] = {}
    hidden: set[int] = set()
    orders: set[Order] = set()
    for tournament in season.tournaments.order_by("starts_at", "slug"):
        results = _outcomes(tournament)
        hidden |= {registration.person_id for registration in results if registration.hides_name}
        order = rule_set_of(tournament).order
        if not results or (season.counting == Counting.POINTS and orders - {order}):
            # Drafts are not public.
            missing += [tournament] if is_public(tournament) else []
            continue
        for registration, outcome in results.items():
            outcomes.setdefault(registration.person_id, {})[len(counted)] = outcome
        counted.append(tournament)
        orders.add(order)
    rows = {
        person: [row.get(place) for place in range(len(counted))]
        for person, row in outcomes.items()
    }
    ranked = rank_season(
        rows, best=season.best, counting=Counting(season.counting), table=season.table
    )
    persons = Person.objects.select_related("club").in_bulk(rows)
    return SeasonSoFar(
        counted=tuple(counted),
        missing=tuple(missing),
        lines=tuple(_lines(ranked, persons, hidden)),
        adds_wertpunkte=season.counting == Counting.POINTS and Order.MOST in orders,
    )


def numbers_of_serien(season: Season) -> list[int]:
    """Return the distinct numbers of Serien of the tournaments of a season; one query."""
    held = Count("serien", filter=Q(serien__struck_out=""))
    tournaments = season.tournaments.order_by().annotate(held=held)
    return sorted(set(tournaments.values_list("held", flat=True)))


def _outcomes(tournament: Tournament) -> dict[Registration, SeasonResult]:
    """Return the results of a tournament by registration; empty before it is decided.

    Only persons with a result in every Serie that counts are included. Carried points count in
    their own tournament only, so they are not required here.
    """
    rankings = Rankings(tournament)
    visible = publication.visible_ranking(tournament, rankings.serien)
    is_shown = visible.upto == rankings.serien and is_public(tournament)
    if not is_shown or not rankings.is_settled(OVERALL):
        return {}
    standings = [line for line in rankings.standings(OVERALL) if line.has_place]
    needed = terms_of(tournament).number_counted(rankings.serien)
    whole = [line for line in standings if line.results == needed]
    return {
        rankings.by_number[line.number]: SeasonResult(
            total=line.total - (line.carried or 0),
            rank=line.rank,
            ranked=len(standings),
            order=line.order,
        )
        for line in whole
    }


def _lines(
    ranked: Iterable[SeasonLine], persons: dict[int, Person], hidden: Collection[int]
) -> Iterable[RankedPerson]:
    for line in ranked:
        person = persons[line.person]
        is_named = person.publish_consent and person.pk not in hidden
        initials = names.initials(person.first_name, person.last_name)
        yield RankedPerson(
            rank=line.rank,
            person=person,
            name=person.list_name if is_named else initials,
            is_named=is_named,
            club=person.club.name if is_named and person.club else "",
            value=line.value,
            cells=tuple(zip(line.values, line.counted, strict=True)),
        )
