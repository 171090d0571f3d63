"""Creating and changing seasons.

A season belongs to no tournament, which an act locks and checks for state and roles. So these
functions are no acts, and have their own transaction, checks and journal entry.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.announcement.services.tournaments import creates_for, free_slug
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed, TournamentError
from tournaments.common.organisers import tournaments_with
from tournaments.common.roles import MAY_APPOINT
from tournaments.journal import services as journal
from tournaments.models import Organiser, OrganiserAccount, Right, Season, Tournament, User

MOST_RANKS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonFacts:
    """The values of a season, from its form."""

    name: str
    counting: str
    best: int
    table: Sequence[int]  # points for the first ranks
    tournaments: Collection[int]  # keys


def may_edit(season: Season, user: User) -> bool:
    """Whether *user* may change a season: its creator, and who has the right to all."""
    whole = OrganiserAccount.objects.filter(user=user, organiser=season.owner_id, right=Right.ALL)
    return season.created_by_id == user.pk or whole.exists()


def own_tournaments(user: User, owner: Organiser) -> list[Tournament]:
    """Return the tournaments of *owner* that *user* can add to a season, the latest first."""
    found = tournaments_with(user, MAY_APPOINT)
    found = found.filter(owner=owner, replaced_at__isnull=True, is_trial_run=False)
    return list(found.order_by("-starts_at", "slug"))


@transaction.atomic
def create_season(*, owner: Organiser, facts: SeasonFacts, user: User) -> Season:
    """Create a season of own tournaments of *owner*.

    Raises:
        NotAllowed: if the account may not, or a tournament is not its own.
        TournamentError: if a value is not possible.
    """
    if owner not in creates_for(user):
        raise NotAllowed(
            _("Eine Saison anlegen kann, wer das Programm verwaltet oder ein Turnier veranstaltet.")
        )
    slug = free_slug(facts.name, Season.objects.all(), usual="saison")
    season = Season(owner=owner, created_by=user, slug=slug)
    return _store(season, facts, user, "season_created")


@transaction.atomic
def change_season(*, season_id: int, facts: SeasonFacts, user: User) -> Season:
    """Change the values of a season.

    Raises:
        NotAllowed: if the account may not change it, or a new tournament is not its own.
        TournamentError: if a value is not possible.
    """
    season = (
        Season.objects.select_related("owner").select_for_update(of=("self",)).get(pk=season_id)
    )
    if not may_edit(season, user):
        raise NotAllowed(
            _("Diese Saison ändert, wer sie angelegt hat oder das Programm verwaltet.")
        )
    return _store(season, facts, user, "season_changed")


def _store(season: Season, facts: SeasonFacts, user: User, action: str) -> Season:
    season.name = facts.name.strip()
    season.counting, season.best, season.table = facts.counting, facts.best, list(facts.table)
    if len(season.table) > MOST_RANKS or any(points < 0 for points in season.table):
        raise TournamentError(
            _("Punkte gibt es für höchstens {most} Plätze, und keine unter 0.").format(
                most=MOST_RANKS
            )
        )
    try:
        season.full_clean(exclude=["tournaments"])
    except ValidationError as refusal:
        raise TournamentError(" ".join(refusal.messages)) from refusal
    allowed = {tournament.pk for tournament in own_tournaments(user, season.owner)}
    there = set(season.tournaments.values_list("pk", flat=True)) if season.pk else set()
    wanted = set(facts.tournaments)
    if not wanted - there <= allowed:
        raise NotAllowed(_("In eine Saison kommen nur Turniere, die Sie selbst veranstalten."))
    season.revision += 1
    season.save()
    season.tournaments.set(wanted)
    journal.record(
        season.owner,
        Actor.account(user),
        action,
        season,
        before={"tournaments": sorted(there)},
        after={
            "name": season.name,
            "counting": season.counting,
            "best": season.best,
            "tournaments": sorted(wanted),
        },
    )
    return season
