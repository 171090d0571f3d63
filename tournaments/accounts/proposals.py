"""Proposals of one organiser to another: to belong to it, or to hand over rows.

A proposal needs the code of the other organiser, whose head answers, so that no list shows the
organisers to each other. Rows are handed over with all dependent rows, or not at all. An organiser
is no tournament, so these are no acts; the journals of both have the entries.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.organisers import lending_to
from tournaments.journal import services as journal
from tournaments.models import (
    Club,
    Invitation,
    Membership,
    Organiser,
    OrganiserAccount,
    Person,
    PersonImport,
    Proposal,
    Registration,
    Season,
    Substitution,
    Tournament,
)
from tournaments.people.services.people import find_or_create_club, lock_persons, raise_revisions

Keys = Collection[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoverRows:
    """The rows to hand over: tournaments, seasons and persons, including those who play."""

    tournaments: list[Tournament]
    seasons: list[Season]
    persons: list[Person]  # including merged ones

    @property
    def keys(self) -> dict[str, list[int]]:
        """The keys of all by kind, as a proposal has them."""
        kinds: dict[str, list[Any]] = {
            "tournaments": self.tournaments,
            "seasons": self.seasons,
            "persons": self.persons,
        }
        return {kind: sorted(row.pk for row in rows) for kind, rows in kinds.items()}


def rows_of(giver: Organiser, *, tournaments: Keys, seasons: Keys, persons: Keys) -> HandoverRows:
    """Return the chosen rows of *giver*, with the persons of its tournaments."""
    going = giver.tournaments.filter(pk__in=tournaments, is_trial_run=False)
    registered = Registration.objects.filter(tournament__in=going)
    changed = Substitution.objects.filter(registration__tournament__in=going)
    condition = Q(pk__in=[*persons]) | Q(pk__in=registered.values("person"))
    condition |= Q(pk__in=changed.values("left")) | Q(pk__in=changed.values("joined"))
    keys = set(Person.objects.filter(condition, owner=giver).values_list("pk", flat=True))
    people = Person.objects.filter(Q(pk__in=keys) | Q(merged_into__in=keys), owner=giver)
    return HandoverRows(
        tournaments=list(going.order_by("starts_at", "pk")),
        seasons=list(giver.seasons.filter(pk__in=seasons).order_by("name", "pk")),
        persons=list(people.select_related("club").order_by("sort_key", "pk")),
    )


def hindrance(rows: HandoverRows, taker: Organiser) -> str:
    """Return why these rows cannot go to *taker*, or ""; reveals no data of *taker*."""
    for running in rows.tournaments:
        if running.is_running:
            return _("„{tournament}“ läuft. Abgeben geht danach.").format(tournament=running)
    return _person_hindrance(rows, taker) or _season_hindrance(rows, taker)


def _person_hindrance(rows: HandoverRows, taker: Organiser) -> str:
    """Return the hindrance of a person who would play for an organiser that cannot see it."""
    reached = Q(tournament__in=rows.tournaments) | Q(tournament__owner=taker)
    if taker.shares_members:
        reached |= Q(tournament__owner__parent=taker)
    played = Registration.objects.exclude(reached).select_related("tournament")
    changed = Q(substitutions__left__in=rows.persons) | Q(substitutions__joined__in=rows.persons)
    stays = played.filter(Q(person__in=rows.persons) | changed).first()
    if stays is not None:
        return _(
            "{name} steht auch in „{tournament}“, das nicht mitgeht. Bitte dieses Turnier "
            "dazunehmen, oder die Person und ihre Turniere hierlassen."
        ).format(name=stays.person, tournament=stays.tournament)
    lent_in = Registration.objects.filter(tournament__in=rows.tournaments)
    lent_in = lent_in.exclude(person__in=rows.persons).exclude(person__owner__in=lending_to(taker))
    if (lent := lent_in.select_related("person__owner", "tournament").first()) is not None:
        return _(
            "In „{tournament}“ spielt {name}, geliehen von {owner}. Deshalb bleibt das Turnier "
            "hier."
        ).format(tournament=lent.tournament, name=lent.person, owner=lent.person.owner)
    return ""


def _season_hindrance(rows: HandoverRows, taker: Organiser) -> str:
    """Return the hindrance of a season that would lose a tournament it counts."""
    for season in rows.seasons:
        counted = season.tournaments.exclude(pk__in=[row.pk for row in rows.tournaments])
        counted = counted.exclude(Q(owner=taker) | Q(owner__parent=taker))
        stays = counted.exclude(pk__in=season.offered.values("pk")).first()
        if stays is not None:
            return _(
                "Die Saison „{season}“ zählt „{tournament}“, das nicht mitgeht. Bitte beide "
                "abgeben, oder es aus der Saison nehmen."
            ).format(season=season, tournament=stays)
    for tournament in rows.tournaments:
        counting = tournament.seasons.exclude(pk__in=[row.pk for row in rows.seasons])
        counting = counting.exclude(owner__in=[taker.pk, taker.parent_id or taker.pk])
        stays_in = counting.exclude(offered=tournament).first()
        if stays_in is not None:
            return _(
                "„{tournament}“ zählt in der Saison „{season}“, die nicht mitgeht. Bitte beide "
                "abgeben, oder das Turnier aus der Saison nehmen."
            ).format(season=stays_in, tournament=tournament)
    return ""


@transaction.atomic
def ask_parent(giver: Organiser, parent: Organiser, *, actor: Actor) -> None:
    """Ask *parent* to become the parent of *giver*; replaces an earlier question."""
    giver.proposals_made.filter(rows={}).delete()
    Proposal.objects.create(giver=giver, taker=parent, created_by=actor.user)
    journal.record(giver, actor, "parent_asked", after={"name": parent.name})


@transaction.atomic
def propose(giver: Organiser, taker: Organiser, rows: HandoverRows, *, actor: Actor) -> Proposal:
    """Offer rows to *taker*, whose code was typed.

    Raises:
        TournamentError: if nothing is chosen, or rows depend on others.
    """
    if not any(rows.keys.values()):
        raise TournamentError(_("Bitte ankreuzen, was abgegeben wird."))
    if reason := hindrance(rows, taker):
        raise TournamentError(reason)
    proposal = Proposal.objects.create(
        giver=giver, taker=taker, rows=rows.keys, created_by=actor.user
    )
    journal.record(giver, actor, "rows_proposed", after=_facts(taker, rows))
    return proposal


@transaction.atomic
def decline(proposal_id: int, *, actor: Actor, by: Organiser) -> None:
    """Decline a proposal, or withdraw it if *by* is its giver; both journals have an entry.

    Raises:
        Conflict: if it was answered meanwhile.
    """
    proposal = _locked(proposal_id)
    action = "proposal_declined" if by == proposal.taker else "proposal_withdrawn"
    for organiser, other in ((proposal.giver, proposal.taker), (proposal.taker, proposal.giver)):
        journal.record(organiser, actor, action, after={"name": other.name})
    proposal.delete()


@transaction.atomic
def accept(proposal_id: int, *, actor: Actor) -> None:
    """Carry out a proposal.

    Raises:
        Conflict: if it was answered, or the offered rows changed meanwhile.
        TournamentError: if it cannot be carried out, with the remedy.
    """
    proposal = _locked(proposal_id)
    if proposal.rows:
        _take_over(proposal, actor)
    else:
        _join(proposal.giver, proposal.taker, actor)
    proposal.delete()


def _locked(proposal_id: int) -> Proposal:
    proposals = Proposal.objects.select_for_update(of=("self",)).select_related("giver", "taker")
    proposal = proposals.filter(pk=proposal_id).first()
    if proposal is None:
        raise Conflict(_("Die Anfrage ist schon beantwortet oder zurückgezogen."))
    return proposal


def _join(child: Organiser, parent: Organiser, actor: Actor) -> None:
    above: Organiser | None = parent
    while above is not None and above != child:
        above = above.parent
    if above is not None or child.parent_id is not None:
        raise TournamentError(
            _("{name} gehört schon zu einem Veranstalter, oder wir gehören zu ihm.").format(
                name=child
            )
        )
    child.parent = parent
    child.save(update_fields=["parent"])
    journal.record(child, actor, "organiser_changed", after={"parent": parent.pk})
    journal.record(parent, actor, "member_joined", child, after={"name": child.name})


def _take_over(proposal: Proposal, actor: Actor) -> None:
    giver, taker = proposal.giver, proposal.taker
    offered = proposal.rows
    list(
        Tournament.objects.select_for_update().filter(pk__in=offered["tournaments"]).order_by("pk")
    )
    _persons, concerned = lock_persons(offered["persons"])
    rows = rows_of(giver, **offered)
    if rows.keys != offered:
        raise Conflict(
            _("Seit dem Angebot hat sich dort etwas geändert. Bitte ablehnen und neu anbieten.")
        )
    if reason := hindrance(rows, taker) or _number_hindrance(rows, taker):
        raise TournamentError(reason)
    clubs: dict[int, Club | None] = {}

    def club_at_taker(club: Club | None) -> Club | None:
        """Return the club of the same name at the taker, created if needed."""
        if club is None or club.owner_id != giver.pk:
            return club
        if club.pk not in clubs:
            clubs[club.pk] = find_or_create_club(club.name, actor=actor, within=taker)
        return clubs[club.pk]

    for person in rows.persons:
        person.owner, person.club = taker, club_at_taker(person.club)
        person.tidy()
    Person.objects.bulk_update(rows.persons, ["owner", "club", "search_key"], batch_size=500)
    for season in rows.seasons:
        season.owner, season.revision = taker, season.revision + 1
        season.save(update_fields=["owner", "revision"])
    for tournament in rows.tournaments:
        _move(tournament, giver, taker, club_at_taker, actor)
    _cut_copies(rows.tournaments)
    raise_revisions({*concerned, *rows.tournaments})
    journal.record(giver, actor, "rows_given", after=_facts(taker, rows))
    journal.record(taker, actor, "rows_taken", after=_facts(giver, rows))


def _number_hindrance(rows: HandoverRows, taker: Organiser) -> str:
    living = (person for person in rows.persons if person.merged_into_id is None)
    numbers = {person.member_number for person in living} - {""}
    holder = Person.objects.filter(owner=taker, merged_into=None, member_number__in=numbers).first()
    if holder is None:
        return ""
    return _(
        "Die Pass- oder Mitgliedsnummer {number} hat bei uns schon {name}. Bitte erst klären."
    ).format(number=holder.member_number, name=holder)


def _move(
    tournament: Tournament,
    giver: Organiser,
    taker: Organiser,
    club_at_taker: Callable[[Club | None], Club | None],
    actor: Actor,
) -> None:
    """Give a tournament to *taker*; roles, invitations and files of the giver end."""
    now = timezone.now()
    registrations = list(
        tournament.registrations.filter(club__owner=giver).select_related("club").order_by("pk")
    )
    for registration in registrations:
        registration.club = club_at_taker(registration.club)
    Registration.objects.bulk_update(registrations, ["club"], batch_size=500)
    Tournament.objects.filter(pk=tournament.pk).update(owner=taker, fewer_eyes_by=None)
    members = OrganiserAccount.objects.filter(organiser=taker)
    roles: QuerySet[Membership] = tournament.memberships.exclude(user__in=members.values("user"))
    for role in roles.order_by("pk"):
        before = {"account": role.user_id, "role": role.role}
        journal.record(tournament, actor, "role_removed", role, before=before)
    roles.delete()
    waiting = Invitation.objects.filter(tournament=tournament, used_at=None, withdrawn_at=None)
    waiting.update(withdrawn_at=now)
    PersonImport.objects.filter(tournament=tournament, owner=giver).delete()
    journal.record(
        tournament,
        actor,
        "owner_changed",
        before={"name": giver.name},
        after={"name": taker.name},
        rows=registrations,
    )


def _cut_copies(moved: Collection[Tournament]) -> None:
    """Remove the source of copies that belongs to another organiser now."""
    copies = Tournament.objects.filter(copied_from__isnull=False)
    keys = [tournament.pk for tournament in moved]
    concerned = copies.filter(Q(pk__in=keys) | Q(copied_from__in=keys))
    concerned.exclude(copied_from__owner=F("owner")).update(copied_from=None)


def _facts(other: Organiser, rows: HandoverRows) -> dict[str, Any]:
    keys = rows.keys
    return {
        "name": other.name,
        "tournaments": keys["tournaments"],
        "seasons": [season.name for season in rows.seasons],
        "who": keys["persons"],
    }
