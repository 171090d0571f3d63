"""Merging two stored persons who are the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError
from tournaments.journal import services as journal
from tournaments.models import Person, Registration, Substitution, Tournament
from tournaments.people.services.people import (
    FIELDS,
    PersonDataChange,
    check_living,
    check_one_owner,
    follow_club,
    journal_facts,
    lock_persons,
    raise_revisions,
    run_change_hooks,
    store,
)


@transaction.atomic
def merge_persons(*, keep_id: int, drop_id: int, taken: Collection[str], actor: Actor) -> Person:
    """Merge *drop* into *keep*; *taken* has the fields whose values come from *drop*.

    Registrations move with their money and results, including those of closed tournaments; so do
    bans and earlier merges. A withdrawn registration of *drop* does not move if *keep* is
    registered there.

    Raises:
        Conflict: if one of them was merged or anonymised meanwhile, or both are registered
            in one tournament.
        TournamentError: if both are the same person.
        ValidationError: if the values do not fit together.
    """
    if keep_id == drop_id:
        raise TournamentError(_("Zum Zusammenführen braucht es zwei verschiedene Personen."))
    persons, tournaments = lock_persons([keep_id, drop_id])
    keep, drop = persons[keep_id], persons[drop_id]
    check_living(keep)
    check_living(drop)
    check_one_owner(keep, drop)
    moving = _moving_registrations(keep, drop)
    _check_substitutions(keep, drop)
    before = journal_facts(keep)
    old_club_id = keep.club_id
    drop.merged_into = keep
    drop.save(update_fields=["merged_into"])  # first, so that its number is free
    # Earlier merges are redirected, so that one step leads to the merged person.
    drop.merged_from.update(merged_into=keep)
    _take_values(keep, drop, taken)
    open_tournaments = [tournament for tournament in tournaments if not tournament.is_read_only]
    follow_club(open_tournaments, {keep.pk: old_club_id}, actor=actor)
    for registration in moving:
        _move(registration, keep, drop, actor)
    _move_substitutions(tournaments, keep, drop, actor)
    run_change_hooks(PersonDataChange(persons=[keep.pk], tournaments=open_tournaments, actor=actor))
    bans = sorted(drop.bans.values_list("pk", flat=True))
    drop.bans.update(person=keep)
    raise_revisions(tournaments)
    journal.record(
        keep.owner,
        actor,
        "persons_merged",
        keep,
        before=before,
        after={
            **journal_facts(keep),
            "merged": drop.pk,
            "taken": sorted(taken),
            "registrations": [registration.pk for registration in moving],
            "bans": bans,
        },
    )
    return keep


def hindrance(keep: Person, drop: Person) -> str:
    """Return why two persons cannot be merged, or ""; for the page."""
    try:
        _moving_registrations(keep, drop)
        _check_substitutions(keep, drop)
    except Conflict as refusal:
        return str(refusal)
    return ""


def _moving_registrations(keep: Person, drop: Person) -> list[Registration]:
    kept = {registration.tournament_id: registration for registration in keep.registrations.all()}
    moving = []
    for registration in drop.registrations.select_related("tournament"):
        other = kept.get(registration.tournament_id)
        if other is None:
            moving.append(registration)
        elif registration.status != Registration.Status.WITHDRAWN:
            raise Conflict(_both_registered(keep, drop, other, registration))
    return moving


def _both_registered(keep: Person, drop: Person, kept: Registration, dropped: Registration) -> str:
    if kept.status == Registration.Status.WITHDRAWN:
        return _(
            "{keep} ist im Turnier „{tournament}“ abgemeldet, {drop} ist dort gemeldet. Bitte "
            "andersherum zusammenführen, sodass {drop} bleibt."
        ).format(keep=keep.list_name, drop=drop.list_name, tournament=dropped.tournament)
    return _(
        "{keep} und {drop} sind beide im Turnier „{tournament}“ gemeldet (Nr. {first} und "
        "Nr. {second}). Zusammenführen geht erst, wenn dort eine der Meldungen abgemeldet ist."
    ).format(
        keep=keep.list_name,
        drop=drop.list_name,
        tournament=dropped.tournament,
        first=kept.number or "–",
        second=dropped.number or "–",
    )


def _check_substitutions(keep: Person, drop: Person) -> None:
    """Refuse two persons of one tournament if one of them was substituted there."""
    changed = {person: _substituted_in(person) for person in (keep, drop)}
    played = {
        person: changed[person]
        | set(
            person.registrations.exclude(status=Registration.Status.WITHDRAWN).values_list(
                "tournament", flat=True
            )
        )
        for person in (keep, drop)
    }
    both = (changed[keep] & played[drop]) | (changed[drop] & played[keep])
    if both:
        raise Conflict(
            _(
                "{keep} und {drop} haben beide im Turnier „{tournament}“ gespielt, durch eine "
                "Einwechslung. Zwei Personen lassen sich nicht zusammenführen."
            ).format(
                keep=keep.list_name,
                drop=drop.list_name,
                tournament=Tournament.objects.get(pk=min(both)),
            )
        )


def _substituted_in(person: Person) -> set[int]:
    substitutions = Substitution.objects.filter(Q(left=person) | Q(joined=person))
    return set(substitutions.values_list("registration__tournament", flat=True))


def _take_values(keep: Person, drop: Person, taken: Collection[str]) -> None:
    unknown = set(taken) - set(FIELDS)
    if unknown:
        raise ValueError(f"No fields of a person: {sorted(unknown)}")
    for name in taken:
        setattr(keep, name, getattr(drop, name))
    if "publish_consent" in taken:
        keep.publish_consent_at = drop.publish_consent_at
    keep.tidy()
    store(keep)


def _move(registration: Registration, keep: Person, drop: Person, actor: Actor) -> None:
    before = {"person": drop.pk, "club": registration.club_id}
    registration.person = keep
    if not registration.tournament.is_read_only and registration.club_id == drop.club_id:
        registration.club_id = keep.club_id
    registration.save(update_fields=["person", "club"])
    journal.record(
        registration.tournament,
        actor,
        "registration_person_merged",
        registration,
        before=before,
        after={"person": keep.pk, "club": registration.club_id},
        rows=[registration],
    )


def _move_substitutions(
    tournaments: Iterable[Tournament], keep: Person, drop: Person, actor: Actor
) -> None:
    substitutions = Substitution.objects.filter(Q(left=drop) | Q(joined=drop))
    moving = list(substitutions.select_related("registration"))
    Substitution.objects.filter(left=drop).update(left=keep)
    Substitution.objects.filter(joined=drop).update(joined=keep)
    for tournament in tournaments:
        rows = [
            substitution
            for substitution in moving
            if substitution.registration.tournament_id == tournament.pk
        ]
        if rows:
            after = {"merged": drop.pk}
            journal.record(tournament, actor, "persons_merged", keep, after=after, rows=rows)
