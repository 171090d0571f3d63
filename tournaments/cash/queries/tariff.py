"""The tariff line that suits a person, and its birth years in words."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.models import Category, Person, Ranking, Tournament


def suiting_category(tournament: Tournament, person: Person) -> Category:
    """Return the cheapest tariff line that the birth year of *person* allows.

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
    """Return the cheapest of the tariff *lines* open to *birth_year*."""
    suiting = [line for line in lines if line.suits(birth_year)]
    return min(
        suiting, key=lambda line: (line.startgeld_cents, line.position, line.pk), default=None
    )


def years(limits: Category | Ranking) -> str:
    """Return the birth years: „Jahrgang 2008 und jünger“; empty without a limit."""
    if limits.born_from is not None and limits.born_until is not None:
        return _("Jahrgänge {first} bis {last}").format(
            first=limits.born_from, last=limits.born_until
        )
    if limits.born_from is not None:
        return _("Jahrgang {year} und jünger").format(year=limits.born_from)
    if limits.born_until is not None:
        return _("Jahrgang {year} und älter").format(year=limits.born_until)
    return ""


def category_label(category: Category) -> str:
    """Return the name of a Startgeldgruppe with its years."""
    limits = years(category)
    return f"{category} ({limits})" if limits else str(category)
