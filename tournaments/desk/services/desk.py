"""The desk's one act for somebody nobody knows yet: store the person and register it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from tournaments.common.actors import Actor
from tournaments.common.locks import lock_tournament
from tournaments.desk.services.registrations import Payment, register
from tournaments.models import Category, Registration
from tournaments.people.services import people


@transaction.atomic
def register_new_person(
    *,
    tournament_id: int,
    last_name: str,
    first_name: str,
    club_name: str,
    actor: Actor,
    category: Category | None = None,
    payment: Payment | None = None,
    late_reason: str = "",
    now: datetime | None = None,
    **fields: Any,
) -> Registration:
    """Store a new person, with a new club if need be, and register it, all or nothing.

    Raises:
        ValidationError: if a field of the person does not fit.
        TournamentError: as ``register`` does.
    """
    tournament = lock_tournament(tournament_id)
    person = people.create_person(
        actor=actor,
        tournament=tournament,
        last_name=last_name,
        first_name=first_name,
        club=people.find_or_create_club(club_name, actor=actor, tournament=tournament),
        **fields,
    )
    return register(
        tournament_id=tournament_id,
        person_id=person.pk,
        actor=actor,
        category=category,
        payment=payment,
        late_reason=late_reason,
        now=now,
    )
