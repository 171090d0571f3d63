"""Creating and changing seasons.

An act locks a tournament and checks its state and roles, but a season belongs to no tournament. So
these functions are no acts, and have their own transaction, checks and journal entry.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.announcement.services.tournaments import (
    MAY_NOT_CREATE,
    free_slug,
    organisers_for_new,
)
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed, TournamentError
from tournaments.common.organisers import rights_by_organiser, tournaments_with
from tournaments.common.roles import MAY_APPOINT
from tournaments.common.rules import rule_set_of
from tournaments.journal import services as journal
from tournaments.models import Organiser, Right, Role, Season, Tournament, User
from tournaments.results.services import quota
from tournaments.seasons.queries import standing

MOST_RANKS = 100


def may_edit(season: Season, user: User) -> bool:
    """Whether *user* may change a season: with the right to all, or as its creator.

    The creator needs the right to set up seasons of the organiser.
    """
    words = rights_by_organiser(user).get(season.owner, frozenset())
    is_head = bool(words & {Right.ALL, Role.VERANSTALTER})
    return Right.ALL in words or (season.created_by_id == user.pk and is_head)


def own_tournaments(user: User, owner: Organiser, season: Season | None = None) -> list[Tournament]:
    """Return the tournaments that *user* can add to a season of *owner*, the latest first.

    They are those of *owner*, the public ones of its clubs, and those that other organisers offered
    to the season, except tournaments that were called off.
    """
    own = Q(owner=owner, pk__in=tournaments_with(user, MAY_APPOINT).values("pk"))
    of_others = Q(owner__parent=owner) | Q(pk__in=season.offered.values("pk") if season else [])
    tournaments = Tournament.objects.filter(
        own | (of_others & Q(status__in=Tournament.PUBLIC)),
        replaced_at__isnull=True,
        is_trial_run=False,
    ).exclude(status=Tournament.Status.CALLED_OFF)
    return list(tournaments.order_by("-starts_at", "slug"))


def offerable_tournaments(user: User, season: Season) -> list[Tournament]:
    """Return the public tournaments of other organisers that *user* can offer to a season."""
    tournaments = tournaments_with(user, MAY_APPOINT).exclude(owner=season.owner_id)
    tournaments = tournaments.filter(
        status__in=Tournament.PUBLIC, replaced_at__isnull=True, owner__is_practice=False
    ).exclude(status=Tournament.Status.CALLED_OFF)
    return list(tournaments.order_by("-starts_at", "slug"))


@transaction.atomic
def offer(*, season_id: int, tournament_id: int, user: User, takes_back: bool = False) -> Season:
    """Offer a tournament to the season of another organiser, or undo the offer.

    Raises:
        NotAllowed: if the account may not decide on the tournament.
    """
    season = Season.objects.select_for_update(of=("self",)).get(pk=season_id)
    tournament = next(
        (offered for offered in offerable_tournaments(user, season) if offered.pk == tournament_id),
        None,
    )
    if tournament is None:
        raise NotAllowed(_("Anbieten kann ein Turnier nur, wer es veranstaltet."))
    if takes_back:
        season.offered.remove(tournament)
        season.tournaments.remove(tournament)
    else:
        season.offered.add(tournament)
    season.revision += 1
    season.save(update_fields=["revision"])
    action = "season_offer_ended" if takes_back else "season_offered"
    journal.record(tournament, Actor.account(user), action, after={"name": season.name})
    return season


def invite_best(*, season: Season, target_id: int, most: int, user: User) -> quota.InvitationCount:
    """Add the first *most* ranks of a season to the list of a closed tournament.

    Raises:
        NotAllowed: if the account does not lead that tournament, or it has another organiser.
        TournamentError: if the season is not over.
    """
    target = quota.target_of(target_id, owner=season.owner_id, user=user)
    if not season.is_over:
        raise TournamentError(
            _(
                "Erst wenn die Saison zu Ende ist, steht fest, wer eingeladen wird. Das steht auf "
                "der Seite zum Ändern."
            )
        )
    best = {line.person: line.is_named for line in standing(season).lines if line.rank <= most}
    return quota.invite(best, to=target, user=user)


@transaction.atomic
def create_season(
    *, owner: Organiser, user: User, tournaments: Collection[int], **fields: Any
) -> Season:
    """Create a season of own tournaments of *owner*, named by their keys.

    Raises:
        NotAllowed: if the account may not, or a tournament is not its own.
        TournamentError: if a value is not possible.
    """
    if owner not in organisers_for_new(user):
        raise NotAllowed(str(MAY_NOT_CREATE))
    slug = free_slug(fields["name"], Season.objects.all(), usual="saison")
    season = Season(owner=owner, created_by=user, slug=slug)
    return _store(season, fields, tournaments, user, "season_created")


@transaction.atomic
def change_season(
    *, season_id: int, user: User, tournaments: Collection[int], **fields: Any
) -> Season:
    """Change the fields of a season, and its tournaments.

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
    return _store(season, fields, tournaments, user, "season_changed")


def _store(
    season: Season, fields: dict[str, Any], tournaments: Collection[int], user: User, action: str
) -> Season:
    for name, value in fields.items():
        setattr(season, name, value.strip() if isinstance(value, str) else value)
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
    stored = season if season.pk else None
    allowed = {tournament.pk for tournament in own_tournaments(user, season.owner, stored)}
    present = set(season.tournaments.values_list("pk", flat=True)) if season.pk else set()
    chosen = set(tournaments)
    if not chosen - present <= allowed:
        raise NotAllowed(_("In eine Saison kommen nur Turniere, die Sie selbst veranstalten."))
    kinds = {rule_set_of(each).order for each in Tournament.objects.filter(pk__in=chosen)}
    if season.counting == Season.Counting.POINTS and len(kinds) > 1:
        raise TournamentError(
            _(
                "Minuspunkte und Wertpunkte lassen sich nicht zusammenzählen. Bitte nach Plätzen "
                "werten oder nur Turniere der einen Art wählen."
            )
        )
    season.revision += 1
    season.save()
    season.tournaments.set(chosen)
    journal.record(
        season.owner,
        Actor.account(user),
        action,
        season,
        before={"tournaments": sorted(present)},
        after={
            "name": season.name,
            "counting": season.counting,
            "best": season.best,
            **({"is_over": True} if season.is_over else {}),
            "tournaments": sorted(chosen),
        },
    )
    return season
