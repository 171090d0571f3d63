"""A person's results over tournaments, as far as they are public."""

from __future__ import annotations

from django.db.models import QuerySet

from scoring.standings import Standing
from tournaments.models import Registration, Season, Tournament
from tournaments.results.queries.rankings import OVERALL, Rankings


def may_be_shown(registration: Registration) -> bool:
    """Whether the person agreed on this own page, and still consents to being named."""
    return registration.shows_history and registration.publishes_name


def history(registration: Registration) -> QuerySet[Registration]:
    """Return the person's registrations in closed tournaments with a public ranking."""
    registrations = Registration.objects.filter(
        person=registration.person_id,
        number__isnull=False,
        tournament__status=Tournament.Status.CLOSED,
        tournament__replaced_at__isnull=True,
    ).exclude(tournament__public_ranking=Tournament.PublicRanking.NEVER)
    return registrations.select_related("tournament").order_by("-tournament__starts_at", "-pk")


def seasons_of(registrations: QuerySet[Registration]) -> QuerySet[Season]:
    """Return the seasons to which these tournaments belong."""
    return Season.objects.filter(tournaments__in=registrations.values("tournament")).distinct()


def standings_of(tournament: Tournament) -> dict[int, Standing]:
    """Return the standings of players with a place in a tournament, by start number."""
    standings = Rankings(tournament).standings(OVERALL)
    return {line.number: line for line in standings if line.has_place}
