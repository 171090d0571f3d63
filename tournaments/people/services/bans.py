"""Banning a person from further participation (§ 1.4), and lifting the ban."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError
from tournaments.journal import services as journal
from tournaments.models import Ban, Person
from tournaments.people.queries.bans import overlapping
from tournaments.people.services.people import check_living


@transaction.atomic
def ban_person(
    *, person_id: int, reason: str, starts_on: date, ends_on: date | None, actor: Actor
) -> Ban:
    """Ban a person from *starts_on* to *ends_on*, both included; None: without end.

    The journal does not contain the reason: it is personal, and the journal cannot
    be changed.

    Raises:
        Conflict: if another ban covers a part of the period.
        ValidationError: if the reason is missing or the period ends before it begins.
        WrongStatus: if the person is anonymised or merged into another.
    """
    person = _lock(person_id)
    other = overlapping(starts_on, ends_on).filter(person=person).first()
    if other is not None:
        raise Conflict(
            _(
                "{name} ist in dieser Zeit schon gesperrt: {reason} Bitte erst die alte Sperre "
                "aufheben."
            ).format(name=person, reason=other.reason.rstrip(".") + ".")
        )
    ban = Ban(
        person=person,
        reason=reason.strip(),
        starts_on=starts_on,
        ends_on=ends_on,
        created_by=actor.user,
    )
    ban.full_clean()
    ban.save()
    journal.record(
        person.owner,
        actor,
        "person_banned",
        person,
        after={
            "ban": ban.pk,
            "starts_on": starts_on.isoformat(),
            "ends_on": ends_on and ends_on.isoformat(),
        },
    )
    return ban


@transaction.atomic
def lift_ban(*, ban_id: int, reason: str, actor: Actor) -> Ban:
    """End a ban from now on; it stays on record.

    Raises:
        Conflict: if it is lifted already.
        TournamentError: if no reason is given.
        ValidationError: if the reason is too long.
    """
    person = _lock(Ban.objects.only("person_id").get(pk=ban_id).person_id)
    ban = Ban.objects.select_related("person").get(pk=ban_id)
    if ban.lifted_at is not None:
        raise Conflict(_("Die Sperre von {name} ist schon aufgehoben.").format(name=ban.person))
    if not reason.strip():
        raise TournamentError(_("Das Aufheben einer Sperre braucht einen Grund."))
    ban.lifted_at = timezone.now()
    ban.lifted_by = actor.user
    ban.lifted_reason = reason.strip()
    ban.full_clean()
    ban.save(update_fields=["lifted_at", "lifted_by", "lifted_reason"])
    journal.record(person.owner, actor, "person_ban_lifted", person, after={"ban": ban.pk})
    return ban


def _lock(person_id: int) -> Person:
    person = (
        Person.objects.select_for_update(of=("self",))
        .select_related("merged_into", "owner")
        .get(pk=person_id)
    )
    check_living(person)
    return person
