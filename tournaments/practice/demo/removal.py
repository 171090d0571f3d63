"""Removing a tournament of made-up persons with these persons.

Only practice tournaments and trial runs can be removed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.archive import archive_job as archives
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict
from tournaments.journal import services as journal
from tournaments.journal.deletion import Rows, delete, with_dependants, without_dependants
from tournaments.models import (
    JournalChain,
    Organiser,
    Person,
    Registration,
    Substitution,
    Tournament,
    User,
)
from tournaments.printing import store


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalCounts:
    """How many rows were removed."""

    persons: int
    accounts: int
    entries: int  # of the journal


def tournaments() -> models.QuerySet[Tournament]:
    """Return the practice tournaments, without trial runs."""
    return Tournament.objects.filter(owner__is_practice=True, is_trial_run=False)


@transaction.atomic
def remove(tournaments: models.QuerySet[Tournament], *, actor: Actor) -> RemovalCounts:
    """Remove tournaments of made-up persons with all dependent rows, and journal this.

    The last tournament of an organiser removes the organiser with all its persons, and the last
    one of a practice account, except that of *actor*, removes the account.

    Raises:
        Conflict: if they were removed already.
    """
    made_up = tournaments.filter(owner__is_practice=True)
    practice = list(made_up.select_for_update(of=("self",)).order_by("pk"))
    if not practice:
        raise Conflict(_("Das ist schon entfernt."))
    others = Tournament.objects.filter(owner__is_practice=True)
    others = others.exclude(pk__in=[tournament.pk for tournament in practice])
    owners = {tournament.owner_id for tournament in practice} - set(
        others.values_list("owner", flat=True)
    )
    chains = list(JournalChain.objects.filter(Q(tournament__in=practice) | Q(owner__in=owners)))
    ends = {chain.scope: [chain.last_number, chain.last_hash] for chain in chains}
    store.delete_documents(practice)
    archives.delete_archives(practice)
    rows = _all_of(practice, owners)
    Tournament.objects.filter(copied_from__in=practice).update(copied_from=None)
    delete(rows)
    accounts = User.objects.filter(is_demo=True).exclude(memberships__tournament__in=others)
    accounts = accounts.exclude(pk=actor.user.pk) if actor.user else accounts
    unused = without_dependants(User, accounts.values_list("pk", flat=True))
    delete({User: unused})
    for user in accounts.exclude(pk__in=unused):
        _empty(user)
    removed = RemovalCounts(
        persons=len(rows[Person]),
        accounts=len(unused),
        entries=sum(chain.last_number for chain in chains),
    )
    journal.record(
        None,
        actor,
        "demo_removed",
        before={"chains": ends},
        after={"persons": removed.persons, "accounts": removed.accounts},
    )
    return removed


def _all_of(demo: Iterable[Tournament], owners: Iterable[int]) -> Rows:
    """Return the keys of all rows that depend on tournaments and their persons, by model.

    *owners* are the organisers whose last tournament is removed.
    """
    elsewhere = Registration.objects.exclude(tournament__in=demo)
    left = Substitution.objects.filter(registration__in=elsewhere).values("left")
    persons = Person.objects.filter(registrations__tournament__in=demo, owner__is_practice=True)
    persons = persons.exclude(pk__in=elsewhere.values("person")).exclude(pk__in=left)
    begun: Rows = {
        Tournament: {tournament.pk for tournament in demo},
        Person: set(persons.values_list("pk", flat=True)),
        Organiser: set(owners),
    }
    return with_dependants(begun)


def _empty(user: User) -> None:
    """Clear an account that the installation's journal names."""
    user.username, user.name, user.email = f"demo-{user.pk}", _("Übungskonto"), ""
    user.is_active = False
    user.set_unusable_password()
    user.save()
