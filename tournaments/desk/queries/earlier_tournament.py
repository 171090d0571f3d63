"""The final ranking of an earlier tournament whose best players qualify (§ 1.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from scoring.payments.prizes import OVERALL, RankingCategory
from tournaments.common.organisers import lending_to
from tournaments.common.ranking_names import part_of, slug_of
from tournaments.common.rules import rule_set_of, terms_of
from tournaments.desk.queries.admission import Applicant, is_named
from tournaments.models import Closing, Person, Registration, Serie, Substitution, Tournament


def _closing(tournament: Tournament) -> Closing | None:
    """Return the closing in force of the tournament from which a closed one was made."""
    if not (tournament.admission and tournament.circle_persons and tournament.copied_from_id):
        return None
    closings = Closing.objects.select_related("tournament")
    return closings.filter(tournament=tournament.copied_from_id, reopened_at=None).first()


def may_seat_by_earlier_ranking(tournament: Tournament) -> bool:
    """Whether Serie 1 may be seated by the ranking of the earlier tournament.

    A stored choice stays valid, because an archive does not name the earlier tournament.
    """
    first_serie = tournament.serien.filter(number=1, seating=Serie.Seating.RANKING)
    return has_earlier_ranking(tournament) or first_serie.exists()


def has_earlier_ranking(tournament: Tournament) -> bool:
    """Whether a tournament follows the final ranking of an earlier one."""
    return _closing(tournament) is not None


def _places(closing: Closing) -> list[tuple[int, Person]]:
    """Return the persons with a rank at a closing, by rank and start number."""
    played = Registration.objects.filter(tournament=closing.tournament_id, number__isnull=False)
    persons = {each.number: each.person for each in played.select_related("person__club")}
    lines = closing.content["rankings"].get(slug_of(OVERALL), ())
    places = [(line["rank"], line["number"]) for line in lines if line["rank"]]
    return [(rank, persons[number]) for rank, number in sorted(places) if number in persons]


def places(tournament: Tournament, numbers: Collection[int]) -> list[tuple[int, int]]:
    """Return place in the earlier tournament and start number in this one, in order of places."""
    closing = _closing(tournament)
    if closing is None:
        return []
    field = tournament.registrations.filter(number__in=numbers)
    number_of = dict(field.values_list("person", "number"))
    ranked = ((rank, number_of.get(person.pk)) for rank, person in _places(closing))
    return [(rank, number) for rank, number in ranked if number]


def carried_points(tournament: Tournament) -> dict[int, int]:
    """Return the points carried over from the earlier tournament, by key of the person.

    A person without a result in each Serie that counts, or without the points carried into the
    earlier tournament, has none. There are none if the two tournaments order points differently.
    """
    closing = _closing(tournament) if tournament.carries_points else None
    if closing is None or rule_set_of(closing.tournament).order != rule_set_of(tournament).order:
        return {}
    before, rankings = closing.tournament, closing.content["rankings"]
    numbers = range(1, before.serien.count() + 1)
    needed = terms_of(before).number_counted(len(numbers))
    results = Counter(
        line["number"]
        for number in numbers
        for line in rankings.get(slug_of(part_of(RankingCategory.SERIE, number)), ())
    )
    totals = {line["number"]: line["total"] for line in rankings.get(slug_of(OVERALL), ())}
    played = before.registrations.filter(number__in=totals)
    rows = played.values_list("person", "number", "carried_points")
    return {
        person: totals[number]
        for person, number, carried in rows
        if results[number] >= needed and not (before.carries_points and carried is None)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsMove:
    """A registration whose carried points differ from those of the earlier tournament."""

    registration: Registration
    carried: int | None  # by the earlier tournament

    @property
    def replaces(self) -> bool:
        """Whether it has carried points already."""
        return self.registration.carried_points is not None


def points_moves(tournament: Tournament) -> list[PointsMove]:
    """Return the registrations whose carried points would change, by start number.

    Points belong to the start number, so after a substitution those of the first person count.
    Empty while the earlier tournament is open.
    """
    if not tournament.carries_points or _closing(tournament) is None:
        return []
    points = carried_points(tournament)
    came_first = dict(
        Substitution.objects.filter(registration__tournament=tournament)
        .order_by("-pk")
        .values_list("registration", "left")
    )
    registered = tournament.registrations.select_related("person").order_by("number", "pk")
    moves = [
        PointsMove(registration=each, carried=points.get(came_first.get(each.pk, each.person_id)))
        for each in registered
    ]
    return [move for move in moves if move.carried != move.registration.carried_points]


def followers(tournament: Tournament) -> list[Tournament]:
    """Return the tournaments that carry points of this one, by their beginning."""
    taking = tournament.copies.filter(carries_points=True)
    takers = taking.filter(registrations__carried_points__isnull=False)
    return list(takers.distinct().order_by("starts_at", "pk"))


def qualified_persons(tournament: Tournament) -> tuple[str, list[Person]]:
    """Return the earlier tournament's name and its qualified persons who are not registered.

    The list of persons names them; they are in order of their ranks.
    """
    closing = _closing(tournament)
    if closing is None:
        return "", []
    registered = set(tournament.registrations.values_list("person", flat=True))
    reached = set(lending_to(tournament.owner_id).values_list("pk", flat=True))
    lines = tournament.circle_persons.splitlines()
    return closing.tournament.name, [
        person
        for _rank, person in _places(closing)
        if person.pk not in registered
        and person.owner_id in reached
        and any(is_named(line, Applicant.stored(person, tournament)) for line in lines)
    ]
