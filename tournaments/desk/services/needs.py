"""What the draw must know of somebody: a table that is needed, and who must not sit together."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.common.locks import lock_registration, lock_tournament
from tournaments.journal import services as journal
from tournaments.models import Registration, Separation


@transaction.atomic
def set_fixed_table(
    *, registration_id: int, table: int | None, reason: str, actor: Actor
) -> Registration:
    """Note that somebody needs a certain table, or no longer does.

    The journal says only that it changed: why somebody needs it is nobody else's business.
    """
    tournament, registration = lock_registration(registration_id)
    registration.fixed_table = table
    registration.fixed_table_reason = reason.strip() if table else ""
    registration.full_clean()
    registration.save(update_fields=["fixed_table", "fixed_table_reason"])
    journal.record(tournament, actor, "need_changed", registration, after={"fixed_table": table})
    return registration


@transaction.atomic
def separate(*, first_id: int, second_id: int, reason: str, actor: Actor) -> Separation:
    """Note that two people must not sit at one table.

    Raises:
        TournamentError: if both are the same, or play in different tournaments.
    """
    low, high = sorted((first_id, second_id))
    found = Registration.objects.only("tournament_id").get(pk=low)
    tournament = lock_tournament(found.tournament_id)
    pair = {one.pk: one for one in tournament.registrations.filter(pk__in=[low, high])}
    if len(pair) != 2:
        raise TournamentError(_("Zur Trennung braucht es zwei Gemeldete dieses Turniers."))
    separation, is_new = Separation.objects.get_or_create(
        tournament=tournament,
        first=pair[low],
        second=pair[high],
        defaults={"reason": reason.strip()},
    )
    if is_new:
        journal.record(tournament, actor, "separated", separation)
    return separation


@transaction.atomic
def unseparate(*, separation_id: int, actor: Actor) -> None:
    """Let two people sit at one table again."""
    found = Separation.objects.get(pk=separation_id)
    tournament = lock_tournament(found.tournament_id)
    pair = [found.first_id, found.second_id]
    found.delete()
    journal.record(tournament, actor, "unseparated", before={"registrations": pair})
