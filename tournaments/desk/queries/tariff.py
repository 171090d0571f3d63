"""Which line of the tariff suits somebody."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.models import Category, Person, Tournament


def suiting_category(tournament: Tournament, person: Person) -> Category:
    """Return the tariff line for a person: the cheapest that the birth year entitles to.

    Raises:
        TournamentError: if no line suits.
    """
    suiting = cheapest_suiting(tournament.categories.all(), person.birth_year)
    if suiting is None:
        raise TournamentError(
            _("Für {name} passt keine Startgeldgruppe. Bitte eine auswählen.").format(name=person)
        )
    return suiting


def cheapest_suiting(lines: Iterable[Category], birth_year: int | None) -> Category | None:
    """Return the cheapest of the tariff *lines* open to somebody born in *birth_year*."""
    suiting = [line for line in lines if line.suits(birth_year)]
    return min(
        suiting, key=lambda line: (line.startgeld_cents, line.position, line.pk), default=None
    )
