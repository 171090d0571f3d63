"""Renaming clubs, and merging two of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Model, Q
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.club_names import club_key
from tournaments.common.errors import Conflict, TournamentError
from tournaments.journal import services as journal
from tournaments.models import Club, Person, Registration, Tournament
from tournaments.people.services.people import check_one_owner, raise_revisions


@transaction.atomic
def rename_club(*, club_id: int, name: str, actor: Actor) -> Club:
    """Rename a club, and update the search keys of its persons.

    Raises:
        Conflict: if another club has that name already.
        ValidationError: if the name is missing or too long.
    """
    tournaments = _lock_tournaments_and_persons([club_id])
    club = Club.objects.select_for_update().get(pk=club_id)
    before = {"name": club.name}
    club.name = name
    club.tidy()
    others = Club.objects.filter(owner=club.owner_id).exclude(pk=club.pk)
    if club_key(club.name) in {club_key(other.name) for other in others}:
        raise Conflict(
            _(
                "Den Verein „{name}“ gibt es schon. Wenn es derselbe ist, bitte die beiden "
                "zusammenführen."
            ).format(name=club.name)
        )
    club.full_clean()
    club.save()
    renew_search_keys(club)
    after = {"name": club.name}
    renamed_on = _follow_on_lists(tournaments, before["name"], club.name)
    raise_revisions(tournaments)
    facts: dict[str, Any] = {"before": before, "after": after}
    for tournament in renamed_on:
        journal.record(tournament, actor, "club_renamed", club, rows=[tournament], **facts)
    journal.record(club.owner, actor, "club_renamed", club, **facts)
    return club


@transaction.atomic
def merge_clubs(*, keep_id: int, drop_id: int, actor: Actor) -> Club:
    """Move all persons and registrations to *keep*, and remove *drop*.

    Registrations in closed tournaments move as well, because it is the same club.

    Raises:
        Conflict: if one of them does not exist.
        TournamentError: if both are the same club.
    """
    if keep_id == drop_id:
        raise TournamentError(_("Zum Zusammenführen braucht es zwei verschiedene Vereine."))
    tournaments = _lock_tournaments_and_persons([keep_id, drop_id])
    clubs = {
        club.pk: club
        for club in Club.objects.select_for_update()
        .filter(pk__in=[keep_id, drop_id])
        .order_by("pk")
    }
    if len(clubs) < 2:
        raise Conflict(_("Diese Vereine sind inzwischen schon zusammengeführt."))
    keep, drop = clubs[keep_id], clubs[drop_id]
    check_one_owner(keep, drop)
    persons = Person.objects.filter(club=drop).update(club=keep)
    moving = list(Registration.objects.filter(club=drop))
    registrations = Registration.objects.filter(club=drop).update(club=keep)
    renew_search_keys(keep)
    renamed_on = _follow_on_lists(tournaments, drop.name, keep.name)
    before = {"name": drop.name, "merged": drop.pk}
    for tournament in tournaments:
        rows: list[Model] = [
            registration for registration in moving if registration.tournament_id == tournament.pk
        ]
        rows += [tournament] if tournament in renamed_on else []
        if rows:
            after = {"name": keep.name}
            journal.record(
                tournament, actor, "clubs_merged", keep, before=before, after=after, rows=rows
            )
    raise_revisions(tournaments)
    journal.record(
        keep.owner,
        actor,
        "clubs_merged",
        keep,
        before=before,
        after={"name": keep.name, "persons": persons, "registrations": registrations},
    )
    drop.delete()
    return keep


def _follow_on_lists(tournaments: Iterable[Tournament], old: str, new: str) -> list[Tournament]:
    """Replace the name of a club on the lists of tournaments (§ 1.1); return those changed."""
    key, changed = club_key(old), []
    for tournament in tournaments:
        lines = tournament.circle_clubs.splitlines()
        renamed = [new if club_key(line) == key else line for line in lines]
        if renamed != lines:
            tournament.circle_clubs = "\n".join(dict.fromkeys(renamed))
            tournament.save(update_fields=["circle_clubs"])
            changed.append(tournament)
    return changed


def renew_search_keys(club: Club) -> None:
    """Update the search keys of a club's persons. Part of a service that changed its name."""
    persons = list(Person.objects.filter(club=club))
    for person in persons:
        person.club = club
        person.tidy()
    Person.objects.bulk_update(persons, ["search_key"], batch_size=500)


def _lock_tournaments_and_persons(club_ids: list[int]) -> list[Tournament]:
    """Lock the tournaments and persons of the clubs; return the tournaments.

    Tournaments with a list of clubs are included, because it may name them. Persons are locked
    before clubs, in the same order as when registering.
    """
    registered = Registration.objects.filter(club__in=club_ids).values("tournament")
    owners = Club.objects.filter(pk__in=club_ids).values("owner")
    concerned = Q(~Q(circle_clubs=""), owner__in=owners) | Q(pk__in=registered)
    locked = list(Tournament.objects.select_for_update().filter(concerned).order_by("pk"))
    persons = Person.objects.select_for_update(of=("self",)).filter(club__in=club_ids)
    list(persons.order_by("pk").values_list("pk", flat=True))
    return locked
