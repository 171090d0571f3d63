"""Storing clubs and persons with the keys for sorting and searching."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common import names
from tournaments.common.actors import Actor
from tournaments.common.club_names import club_key
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.locks import lock_tournament
from tournaments.journal import services as journal
from tournaments.machine.hashes import SHORT, hash_of
from tournaments.models import Club, Organiser, Person, Registration, Substitution, Tournament
from tournaments.models.rows import explain_integrity_errors

# Fields of a person's page; all others are derived or have a service of their own.
FIELDS = (
    "first_name",
    "last_name",
    "club",
    "gender",
    "birth_year",
    "email",
    "phone",
    "member_number",
    "member_until",
    "note",
    "publish_consent",
    "hall_objection",
)


# Fields that rankings for women, juniors and seniors depend on.
RANKING_FIELDS = frozenset({"gender", "birth_year"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDataChange:
    """Persons whose gender or birth year changed, with the locked tournaments."""

    persons: Collection[int]  # keys
    tournaments: Sequence[Tournament]  # locked, none of them closed
    actor: Actor


_hooks: list[Callable[[PersonDataChange], None]] = []


def when_changed(follow: Callable[[PersonDataChange], None]) -> Callable[[PersonDataChange], None]:
    """Register a hook for changed data of persons.

    Higher packages register hooks; ``apps.py`` imports them.
    """
    _hooks.append(follow)
    return follow


def run_change_hooks(changed: PersonDataChange) -> None:
    """Call the hooks of higher packages."""
    if not changed.persons:
        return
    rooms: Any = apps.get_app_config("tournaments")
    rooms.import_hook_modules()
    for follow in _hooks:
        follow(changed)


def find_or_create_club(name: str, *, actor: Actor, within: Tournament | Organiser) -> Club | None:
    """Return the organiser's club of that name, or store it; None for no name.

    Spelling and legal form are ignored. The journal of *within* records a new club. Part of the
    caller's transaction, which has locked the tournament.

    Raises:
        ValidationError: if the name is too long.
    """
    club = Club(owner_id=owner_of(within), name=name)
    club.tidy()
    if not club_key(club.name):
        return None
    if stored := clubs_by_key(club.owner_id).get(club_key(club.name)):
        return stored
    club.clean_fields()
    # Two desks may store the same club at once; the second gets the club of the first.
    club, is_new = Club.objects.get_or_create(
        owner_id=club.owner_id, sort_key=club.sort_key, defaults={"name": club.name}
    )
    if is_new:
        journal.record(within, actor, "club_created", club)
    return club


def clubs_by_key(owner_id: int) -> dict[str, Club]:
    """Return the clubs of an organiser by key; of several spellings, the first stored."""
    clubs = Club.objects.filter(owner=owner_id).order_by("-pk")
    return {club_key(club.name): club for club in clubs}


def owner_of(within: Tournament | Organiser) -> int:
    """Return the key of the organiser itself, or of that of a tournament."""
    return within.owner_id if isinstance(within, Tournament) else within.pk


@transaction.atomic
def create_person(*, actor: Actor, within: Tournament | Organiser, **fields: Any) -> Person:
    """Store a new person of the organiser, recorded in the journal of *within*.

    Within an act the tournament is locked already.

    Raises:
        ValidationError: if a field does not fit, with the German sentence per field.
        WrongStatus: if the tournament is closed.
    """
    if isinstance(within, Tournament) and within.unwritten is None:
        lock_tournament(within.pk)
    person = Person(owner_id=owner_of(within), **fields)
    person.tidy()
    if person.publish_consent:
        person.publish_consent_at = timezone.now()
    store(person)
    journal.record(within, actor, "person_created", person, after=journal_facts(person))
    return person


@transaction.atomic
def update_person(
    *, person_id: int, actor: Actor, fields: Mapping[str, Any], seen: str | None = None
) -> Person:
    """Change the *fields* of a person; consent gets or loses its date.

    ``club_name`` is the name of the club, which is stored if it is new. Registrations in open
    tournaments follow the new club if they had the old one. *seen* is the :func:`fingerprint`
    of the shown data.

    Raises:
        Conflict: if the person was changed since the page was shown.
        WrongStatus: if the person is anonymised or merged into another.
        ValidationError: if a field does not fit, with the German sentence per field.
    """
    persons, played = lock_persons([person_id])
    tournaments = [each for each in played if not each.is_closed]
    person = persons[person_id]
    check_living(person)
    if seen is not None and seen != fingerprint(person):
        raise Conflict(
            _(
                "{name} wurde inzwischen von jemand anderem geändert. Bitte die neuen Angaben "
                "ansehen und die eigenen noch einmal eintragen."
            ).format(name=person)
        )
    before, old_club = journal_facts(person), person.club
    if "club_name" in fields:  # after the locks above: storing a club locks the journal
        fields = {
            **fields,
            "club": find_or_create_club(fields["club_name"], actor=actor, within=person.owner),
        }
    changed = [name for name in FIELDS if name in fields and fields[name] != getattr(person, name)]
    apply_fields(person, {name: fields[name] for name in changed}, now=timezone.now())
    if not changed:
        return person
    store(person)
    if "club" in changed:
        follow_club(tournaments, {person.pk: old_club.pk if old_club else None}, actor=actor)
    if RANKING_FIELDS & set(changed):
        run_change_hooks(
            PersonDataChange(persons=[person.pk], tournaments=tournaments, actor=actor)
        )
    raise_revisions(played)  # including closed ones, whose rankings stay public
    journal.record(
        person.owner,
        actor,
        "person_changed",
        person,
        before=before,
        after={**journal_facts(person), "changed": changed},
    )
    return person


def apply_fields(person: Person, fields: Mapping[str, Any], *, now: datetime) -> None:
    """Set values of a person and derive the others; does not save."""
    had_consent = person.publish_consent
    for name, value in fields.items():
        setattr(person, name, value)
    if person.publish_consent != had_consent:
        person.publish_consent_at = now if person.publish_consent else None
    person.tidy()


def store(person: Person) -> None:
    """Check and store a person.

    Raises:
        ValidationError: with the German sentence per field.
    """
    person.full_clean(exclude=["owner"], validate_constraints=False)  # set by the service
    if not names.search_words(person.last_name):
        raise ValidationError({"last_name": _("Der Nachname braucht mindestens einen Buchstaben.")})
    with explain_integrity_errors(person):
        person.save()


def journal_facts(person: Person) -> dict[str, Any]:
    """Return a person's data for the journal: no name and no contact data.

    The journal cannot be changed, so its contents could not be anonymised.
    """
    return {
        "club": person.club_id,
        "publish_consent": person.publish_consent,
        "hall_objection": person.hall_objection,
    }


def fingerprint(person: Person) -> str:
    """Return a hash of the shown data, to detect changes by others."""
    values = [person.club_id if name == "club" else getattr(person, name) for name in FIELDS]
    return hash_of(list(map(str, values)))[:SHORT]


def check_living(person: Person) -> None:
    """Refuse an anonymised or merged person.

    Raises:
        WrongStatus: if the person is anonymised or merged into another.
    """
    if person.anonymised_at is not None:
        raise WrongStatus(_("Diese Person ist anonymisiert. Ändern lässt sie sich nicht mehr."))
    if person.merged_into is not None:
        raise WrongStatus(
            _("{name} ist mit {other} zusammengeführt. Bitte dort weitermachen.").format(
                name=person, other=person.merged_into
            )
        )


def check_one_owner(*merged: Person | Club) -> None:
    """Refuse to merge rows of different organisers."""
    if len({row.owner_id for row in merged}) > 1:
        raise TournamentError(_("Beide gehören verschiedenen Veranstaltern."))


def lock_persons(
    person_ids: Collection[int],
) -> tuple[dict[int, Person], list[Tournament]]:
    """Lock the tournaments of registrations, then the persons, as all services do.

    Returns the persons by key, and the tournaments.

    Raises:
        Conflict: if one was registered in another tournament at the same moment.
        Person.DoesNotExist: if there is no such person.
    """
    tournament_keys = tournament_keys_of(person_ids)
    tournaments = list(
        Tournament.objects.select_for_update().filter(pk__in=tournament_keys).order_by("pk")
    )
    persons = {
        person.pk: person
        for person in Person.objects.select_for_update(of=("self",))
        .select_related("club", "merged_into", "owner")
        .filter(pk__in=person_ids)
        .order_by("pk")
    }
    if len(persons) != len(set(person_ids)):
        raise Person.DoesNotExist
    # Registering locks the person as well, so from here on no registration is added.
    if tournament_keys_of(person_ids) - tournament_keys:
        raise Conflict(
            _("Die Person wurde gerade in einem Turnier gemeldet. Bitte noch einmal versuchen.")
        )
    return persons, tournaments


def tournament_keys_of(person_ids: Collection[int]) -> set[int]:
    """Return the keys of the tournaments of persons, including those they were substituted in."""
    registered = Registration.objects.filter(person__in=person_ids)
    substituted = Substitution.objects.filter(Q(left__in=person_ids) | Q(joined__in=person_ids))
    return {
        *registered.values_list("tournament", flat=True),
        *substituted.values_list("registration__tournament", flat=True),
    }


def follow_club(
    tournaments: Iterable[Tournament], old_clubs: Mapping[int, int | None], *, actor: Actor
) -> None:
    """Copy new clubs of persons to their registrations. Part of a service with locks.

    *old_clubs* has the key of the former club of each person. A registration with
    a different club keeps it.
    """
    for tournament in tournaments:
        registrations = tournament.registrations.filter(person__in=old_clubs).select_related(
            "person"
        )
        for registration in registrations:
            before, after = registration.club_id, registration.person.club_id
            if before == after or before != old_clubs[registration.person_id]:
                continue
            registration.club_id = after
            registration.save(update_fields=["club"])
            journal.record(
                tournament,
                actor,
                "registration_club_changed",
                registration,
                before={"club": before},
                after={"club": after},
                rows=[registration],
            )


def raise_revisions(tournaments: Iterable[Tournament]) -> None:
    """Raise the tournaments' revision, so that open pages show new names and clubs."""
    keys = [tournament.pk for tournament in tournaments]
    Tournament.objects.filter(pk__in=keys).update(revision=F("revision") + 1)
