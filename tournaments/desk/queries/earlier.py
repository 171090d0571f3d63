"""The ranking of the earlier tournament that a closed one follows: its best play on (§ 1.1)."""

from __future__ import annotations

from collections.abc import Collection

from scoring.payments.prizes import OVERALL
from tournaments.common.organisers import lending_to
from tournaments.common.ranking_names import slug_of
from tournaments.desk.queries.circle import Asking, is_named
from tournaments.models import Closing, Person, Registration, Serie, Tournament


def _closing(tournament: Tournament) -> Closing | None:
    """Return the closing in force of the tournament from which a closed one was made."""
    if not (tournament.admission and tournament.circle_persons and tournament.copied_from_id):
        return None
    closings = Closing.objects.select_related("tournament")
    return closings.filter(tournament=tournament.copied_from_id, reopened_at=None).first()


def may_set_first(tournament: Tournament) -> bool:
    """Whether Serie 1 may be set by a ranking: that of the earlier tournament.

    Where that was chosen it stays; an archive does not name the earlier tournament.
    """
    chosen = tournament.serien.filter(number=1, seating=Serie.Seating.RANKING)
    return follows(tournament) or chosen.exists()


def follows(tournament: Tournament) -> bool:
    """Whether a tournament follows the final ranking of an earlier one."""
    return _closing(tournament) is not None


def _places(closing: Closing) -> list[tuple[int, Person]]:
    """Return everybody with a place at a closing, in order; sharing it, by start number."""
    played = Registration.objects.filter(tournament=closing.tournament_id, number__isnull=False)
    persons = {one.number: one.person for one in played.select_related("person__club")}
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
    found = ((rank, number_of.get(person.pk)) for rank, person in _places(closing))
    return [(rank, number) for rank, number in found if number]


def to_register(tournament: Tournament) -> tuple[str, list[Person]]:
    """Return the earlier tournament's name and who of it plays on and is not registered yet.

    Those are on the list of persons, and stand in order of their places.
    """
    closing = _closing(tournament)
    if closing is None:
        return "", []
    there = set(tournament.registrations.values_list("person", flat=True))
    reached = set(lending_to(tournament.owner_id).values_list("pk", flat=True))
    lines = tournament.circle_persons.splitlines()
    return closing.tournament.name, [
        person
        for _rank, person in _places(closing)
        if person.pk not in there
        and person.owner_id in reached
        and any(is_named(line, Asking.stored(person, tournament)) for line in lines)
    ]
