"""Cases for the Spielleitung, with their lists."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.loading import load_lists
from tournaments.lists.queries.seat_history import earlier_sitters
from tournaments.lists.queries.seat_moves import name_lookup, seat_moves
from tournaments.models import Case, Registration, Serie, Spielliste, Tournament, User


def _cases(tournament: Tournament) -> QuerySet[Case]:
    return tournament.cases.select_related(
        "spielliste__table__serie", "registration__person", "decided_by", "told_by"
    )


def undecided(tournament: Tournament) -> QuerySet[Case]:
    """Return the undecided cases, the oldest first."""
    return _cases(tournament).filter(decided_at__isnull=True).order_by("pk")


def undecided_of(spielliste: Spielliste) -> QuerySet[Case]:
    """Return the undecided requests and objections about a list."""
    return (
        spielliste.cases.filter(decided_at__isnull=True)
        .select_related("registration__person", "spielliste__table")
        .order_by("pk")
    )


def undecided_in(serie: Serie) -> QuerySet[Case]:
    """Return the undecided cases about all lists of a Serie."""
    cases = Case.objects.filter(spielliste__table__serie=serie, decided_at__isnull=True)
    return cases.select_related("spielliste__table").order_by("spielliste__table__number", "pk")


def decided(tournament: Tournament) -> QuerySet[Case]:
    """Return the decided cases, the newest first."""
    return _cases(tournament).filter(decided_at__isnull=False).order_by("-decided_at", "-pk")


def find(tournament: Tournament, pk: int) -> Case | None:
    """Return one case of the tournament."""
    return _cases(tournament).filter(pk=pk).first()


def is_decision_of(case: Case, user: User | None) -> bool:
    """Whether an objection is about a decision of this account."""
    if user is None:
        return False
    return case.notices.filter(correction__created_by=user).exists()


def sheet_of(spielliste: Spielliste) -> dict[str, Any]:
    """Return the names, seat 1 first, and the games of a list for display; eight queries."""
    tournament = spielliste.table.serie.tournament
    data = load_lists(tournament, only=[spielliste.pk])[0]
    people = Registration.objects.select_related("person").in_bulk(data.people)
    rule_set = rule_set_of(tournament)
    sitters = earlier_sitters(tournament).get(data.serie, {})
    seated = [
        sitters[key].seated(people[key]) if key in sitters else people[key]
        for _seat, key in sorted(data.seats.items())
    ]
    return {
        "players": [{"name": f"{player.number} · {player.person.full_name}"} for player in seated],
        "rows": data.rows(rule_set),
        "moves": seat_moves(data, name_lookup(people, sitters), data.counted(rule_set)),
    }
