"""Clubs and persons: storing them under the keys by which they are sorted and found."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from tournaments import names
from tournaments.actors import Actor
from tournaments.models import Club, Person, Tournament
from tournaments.services import journal


def find_or_create_club(
    name: str, *, actor: Actor, tournament: Tournament | None = None
) -> Club | None:
    """Return the club of that name, however it is spelt, or store it; None for no name.

    Part of the caller's transaction.
    """
    key = names.sort_key(name)
    if not key:
        return None
    found = Club.objects.filter(sort_key=key).first()
    if found is not None:
        return found
    club = Club(name=name)
    club.tidy()
    club.full_clean()
    club.save()
    journal.record(tournament=tournament, actor=actor, action="club_created", subject=club)
    return club


@transaction.atomic
def create_person(*, actor: Actor, tournament: Tournament | None = None, **fields: Any) -> Person:
    """Store a new person; the journal of *tournament* names it, else the installation's.

    Raises:
        ValidationError: if a field does not fit, with the German sentence per field.
    """
    person = Person(**fields)
    person.tidy()
    if person.publish_consent:
        person.publish_consent_at = timezone.now()
    person.full_clean()
    person.save()
    journal.record(
        tournament=tournament,
        actor=actor,
        action="person_created",
        subject=person,
        after={"club": person.club_id, "publish_consent": person.publish_consent},
    )
    return person
