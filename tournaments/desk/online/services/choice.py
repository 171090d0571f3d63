"""The Startgeld and rankings that a person can choose through the internet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from tournaments.cash.queries.tariff import cheapest_suiting
from tournaments.common.errors import TournamentError
from tournaments.models import Category, Ranking, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChoice:
    """The choices of a person when registering, and until the Meldeschluss."""

    category: Category | None = None  # None: the cheapest that suits the year of birth
    rankings: Sequence[Ranking] = ()
    declined: Sequence[Ranking] = ()  # of the rankings that take all fitting persons
    wishes: Mapping[int, str] = field(default_factory=dict)  # key of the ranking -> team, partner
    publish_consent: bool = False
    plays_on: str = ""  # as of the registration


def suiting_category(tournament: Tournament, birth_year: int | None) -> Category:
    """Return the tariff line for *birth_year*.

    Raises:
        TournamentError: if no line suits.
    """
    category = cheapest_suiting(tournament.categories.all(), birth_year)
    if category is None:
        raise TournamentError(
            _("Zu diesem Jahrgang passt keine Startgeldgruppe. Bitte beim Veranstalter melden.")
        )
    return category


def check_choice(
    tournament: Tournament,
    category: Category,
    rankings: Iterable[Ranking],
    birth_year: int | None,
    gender: str,
) -> None:
    """Refuse a Startgeld or ranking of another tournament, or one that does not suit.

    Raises:
        TournamentError: with the unsuitable choice.
    """
    if category.tournament_id != tournament.pk or any(
        ranking.tournament_id != tournament.pk for ranking in rankings
    ):
        raise TournamentError(_("Diese Auswahl gehört zu einem anderen Turnier."))
    refusals = [
        category_refusal(category, birth_year),
        *(ranking_refusal(ranking, birth_year, gender) for ranking in rankings),
    ]
    if refused := next(filter(None, refusals), ""):
        raise TournamentError(refused)


def category_refusal(category: Category, birth_year: int | None) -> str:
    """Return why a person cannot choose a Startgeld, or ""."""
    suits = category.suits(birth_year)
    if suits is None:
        return _("Für „{category}“ fehlt der Jahrgang.").format(category=category)
    if not suits:
        return _("„{category}“ gilt nicht für diesen Jahrgang.").format(category=category)
    return ""


def ranking_refusal(ranking: Ranking, birth_year: int | None, gender: str) -> str:
    """Return why a person cannot join a ranking, or ""."""
    if lacking := ranking.lacks(birth_year, gender):
        return _("Für „{ranking}“ fehlt eine Angabe: {lacking}.").format(
            ranking=ranking, lacking=lacking
        )
    if not ranking.suits(birth_year, gender):
        return _("„{ranking}“ passt nicht zu Jahrgang oder Geschlecht.").format(ranking=ranking)
    return ""


def entry_rankings(
    tournament: Tournament, choice: EntryChoice, birth_year: int | None, gender: str
) -> list[Ranking]:
    """Return the chosen rankings, and those that take all persons who fit by the typed data."""
    taking = [
        ranking
        for ranking in tournament.rankings.all()
        if ranking.takes_all
        and ranking.suits(birth_year, gender)
        and ranking not in choice.declined
    ]
    return list(dict.fromkeys([*choice.rankings, *taking]))
