"""The numbers of open decisions and notices, for the signs on every page of the staff."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, Value
from django.urls import reverse

from tournaments.models import Case, Correction, Notice, Penalty, Tournament, User
from tournaments.models.tournament import Section


@dataclass(frozen=True, slots=True)
class Decisions:
    """The number of decisions that wait for an account, and the address of the first."""

    number: int
    url: str


# The page of each kind, by the keys that its address has behind the tournament.
_PAGES: dict[str, Callable[[int, int], tuple[str, list[Any]]]] = {
    "0 fewer eyes": lambda _number, _table: ("setup:section", [Section.PROCEDURE.value]),
    "1 correction": lambda number, _table: ("checking:correction", [number]),
    "2 penalty": lambda serie, table: ("checking:penalties", [serie, table]),
    "3 case": lambda key, _table: ("notices:case", [key]),
}


def decisions_of(user: User, tournament: Tournament) -> Decisions | None:
    """Return the open decisions for this account of the Spielleitung; one query.

    They are proposals of others, and cases; with four eyes no cases on its own corrections.
    """
    if not (tournament.is_running or tournament.is_closed):
        return None
    corrections = Correction.objects.filter(
        tournament=tournament, status=Correction.Status.PROPOSED
    )
    of_list = Correction.objects.filter(
        spielliste=OuterRef("spielliste"),
        kind=Correction.Kind.PENALTY,
        status=Correction.Status.PROPOSED,
    )
    penalties = Penalty.objects.filter(
        ~Exists(of_list),
        spielliste__table__serie__tournament=tournament,
        status=Penalty.Status.PROPOSED,
    )
    cases = Case.objects.filter(tournament=tournament, decided_at__isnull=True)
    if tournament.four_eyes:
        cases = cases.exclude(notices__correction__created_by=user)
    table = F("spielliste__table__number")
    queryset = (
        corrections.exclude(created_by=user)
        .order_by()
        .values_list(Value("1 correction"), "number", Value(0))
        .union(
            penalties.order_by().values_list(
                Value("2 penalty"), "spielliste__table__serie__number", table
            ),
            cases.order_by().values_list(Value("3 case"), "pk", Value(0)),
            all=True,
        )
    )
    rows = sorted(queryset)
    if tournament.four_eyes and tournament.fewer_eyes_by_id not in {None, user.pk}:
        rows.insert(0, ("0 fewer eyes", 0, 0))
    if not rows:
        return None
    kind, *keys = rows[0]
    name, arguments = _PAGES[kind](*keys)
    return Decisions(len(rows), reverse(name, args=[tournament.slug, *arguments]))


def number_to_tell(tournament: Tournament) -> int:
    """Return how many players of a running tournament wait for a notice; one query."""
    if not tournament.is_running:
        return 0
    notices = Notice.objects.filter(correction__tournament=tournament, told_at__isnull=True)
    decided = Case.objects.filter(
        tournament=tournament, decided_at__isnull=False, told_at__isnull=True
    )
    people = decided.filter(registration__isnull=False).values_list("registration")
    return notices.order_by().values_list("registration").union(people.order_by()).count()
