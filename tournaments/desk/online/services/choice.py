"""Which Startgeld and which rankings are open to somebody who registers by themselves."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.desk.queries.tariff import cheapest_suiting
from tournaments.models import Category, Gender, Ranking, Tournament


def suiting_category(tournament: Tournament, birth_year: int | None) -> Category:
    """Return the tariff line for somebody born in *birth_year*.

    Raises:
        TournamentError: if none suits.
    """
    found = cheapest_suiting(tournament.categories.all(), birth_year)
    if found is None:
        raise TournamentError(
            _("Zu diesem Jahrgang passt keine Startgeldgruppe. Bitte beim Veranstalter melden.")
        )
    return found


def ranking_suits(ranking: Ranking, birth_year: int | None, gender: str) -> bool:
    """Whether somebody can be in a ranking: women, juniors and seniors have limits."""
    if ranking.kind == Ranking.Kind.WOMEN and gender != Gender.FEMALE:
        return False
    if ranking.born_from is None and ranking.born_until is None:
        return True
    if birth_year is None:
        return False
    return (ranking.born_from or 0) <= birth_year <= (ranking.born_until or 9999)


def check_choice(
    tournament: Tournament,
    category: Category,
    rankings: Iterable[Ranking],
    birth_year: int | None,
    gender: str,
) -> None:
    """Refuse a Startgeld or ranking that is not this tournament's, or not for this person.

    Raises:
        TournamentError: naming what does not suit.
    """
    if category.tournament_id != tournament.pk or any(
        ranking.tournament_id != tournament.pk for ranking in rankings
    ):
        raise TournamentError(_("Diese Auswahl gehört zu einem anderen Turnier."))
    if not category.suits(birth_year):
        raise TournamentError(
            _("„{category}“ gilt nicht für diesen Jahrgang.").format(category=category)
        )
    for ranking in rankings:
        if not ranking_suits(ranking, birth_year, gender):
            raise TournamentError(
                _("Die Wertung „{ranking}“ ist für diese Person nicht offen.").format(
                    ranking=ranking
                )
            )
