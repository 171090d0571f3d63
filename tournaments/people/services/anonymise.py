"""Anonymising a person; the results stay (GDPR, Art. 17)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common import names
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.submissions import delete_answers
from tournaments.journal import services as journal
from tournaments.lists.services.signing import forget_drawings
from tournaments.models import Ban, Person, Registration, Separation, Substitution, Tournament
from tournaments.people.queries import bans
from tournaments.people.services.people import check_living, lock_persons, raise_revisions

# Replaces required texts, in every language.
ANONYMISED = "anonymisiert"

# Statuses of registrations that no longer play.
_GONE = (Registration.Status.WITHDRAWN, Registration.Status.NO_SHOW)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnonymisedPerson:
    """The person to anonymise, with the records merged into it."""

    persons: tuple[int, ...]  # keys
    last_names: tuple[str, ...]
    full_names: tuple[str, ...]
    tournaments: tuple[Tournament, ...]  # with a registration of the person
    actor: Actor


_hooks: list[Callable[[AnonymisedPerson], None]] = []


def when_anonymised(
    forget: Callable[[AnonymisedPerson], None],
) -> Callable[[AnonymisedPerson], None]:
    """Register a hook of ``anonymise_person`` that deletes a package's data of persons.

    Higher packages register hooks; ``apps.py`` imports them.
    """
    _hooks.append(forget)
    return forget


@transaction.atomic
def anonymise_person(*, person_id: int, typed_name: str, actor: Actor) -> Person:
    """Delete all data that identify a person permanently; the results stay.

    Includes records merged into it, and needs and reasons of the registrations. Registrations
    keep their club. Receipts keep the name of the payer for eight years, as the law requires;
    then ``operator/services.py`` deletes it.

    Raises:
        WrongStatus: if the person still plays somewhere, is banned, anonymised or merged.
        TournamentError: if *typed_name* is not the person's name.
    """
    ids = [
        person_id,
        *Person.objects.filter(merged_into=person_id).values_list("pk", flat=True),
    ]
    persons, tournaments = lock_persons(ids)
    person = persons[person_id]
    check_living(person)
    keys = {names.sort_key(person.full_name), names.sort_key(person.list_name)}
    if names.sort_key(typed_name) not in keys:
        raise TournamentError(
            _("Der eingetippte Name stimmt nicht. Zur Sicherheit bitte genau so: {name}").format(
                name=person.full_name
            )
        )
    if tournament := open_tournament_of(person):
        raise WrongStatus(
            _(
                "{name} steht noch in „{tournament}“. Anonymisieren geht, wenn das Turnier "
                "abgeschlossen oder die Meldung abgemeldet ist."
            ).format(name=person, tournament=tournament)
        )
    if bans.current().filter(person=person).exists():
        raise WrongStatus(
            _(
                "{name} ist gesperrt (§ 1.4). Anonymisiert gäbe es die Sperre nicht mehr; bitte "
                "sie erst aufheben."
            ).format(name=person)
        )
    last_names = {record.last_name for record in persons.values()} - {""}
    full_names = {record.full_name for record in persons.values()}
    for record in persons.values():
        _forget(record)
    forgotten = AnonymisedPerson(
        persons=tuple(ids),
        last_names=tuple(sorted(last_names)),
        full_names=tuple(sorted(full_names)),
        tournaments=tuple(tournaments),
        actor=actor,
    )
    _forget_reasons(forgotten)
    forget_drawings(ids)
    delete_answers()
    rooms: Any = apps.get_app_config("tournaments")
    rooms.import_hook_modules()
    for forget in _hooks:
        forget(forgotten)
    raise_revisions(tournaments)
    journal.record(
        person.owner,
        actor,
        "person_anonymised",
        person,
        after={"with": sorted(set(ids) - {person_id})},
    )
    return person


def open_tournament_of(person: Person) -> Tournament | None:
    """Return a tournament that is not over and has the person, or None."""
    registered = person.registrations.exclude(status__in=_GONE).values("tournament")
    changed = Substitution.objects.filter(Q(left=person) | Q(joined=person))
    return (
        Tournament.objects.exclude(status__in=Tournament.OVER)
        .filter(Q(pk__in=registered) | Q(pk__in=changed.values("registration__tournament")))
        .first()
    )


def _forget(person: Person) -> None:
    person.first_name = ""
    person.last_name = ANONYMISED
    person.club = None
    person.gender = ""
    person.birth_year = None
    person.email = person.phone = person.member_number = person.note = ""
    person.member_until = None
    person.publish_consent = False
    person.publish_consent_at = None
    person.hall_objection = False
    person.anonymised_at = timezone.now()
    person.tidy()
    person.full_clean()
    person.save()
    Ban.objects.filter(person=person).update(reason=ANONYMISED)
    Ban.objects.filter(person=person).exclude(lifted_reason="").update(lifted_reason=ANONYMISED)


def _forget_reasons(forgotten: AnonymisedPerson) -> None:
    """Delete needs and reasons of the registrations."""
    ids = forgotten.persons
    registrations = Registration.objects.filter(person__in=ids)
    registrations.exclude(late_reason="").update(late_reason=ANONYMISED)
    registrations.exclude(status_reason="").update(status_reason=ANONYMISED)
    registrations.update(fixed_table=None, fixed_table_reason="", token_hash=None)
    Separation.objects.filter(Q(first__person__in=ids) | Q(second__person__in=ids)).update(
        reason=""
    )
    Substitution.objects.filter(Q(left__in=ids) | Q(joined__in=ids)).update(reason=ANONYMISED)
    for tournament in forgotten.tournaments:
        for registration in tournament.registrations.filter(person__in=ids):
            journal.record(
                tournament, forgotten.actor, "registration_person_anonymised", registration
            )
