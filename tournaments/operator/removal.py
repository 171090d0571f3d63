"""Removing an organiser permanently with all its rows, when a club leaves a server.

Only a command does it; the journal of the installation records it. The club keeps the archives of
its tournaments, or a backup without the other organisers.
"""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import F, Q, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext as _

from tournaments.archive import archive_job as archives
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict
from tournaments.journal import services as journal
from tournaments.journal.deletion import delete, with_dependants, without_dependants
from tournaments.models import JournalChain, Organiser, Person, Season, Tournament, User
from tournaments.printing import store


@transaction.atomic
def remove(organiser: Organiser, *, actor: Actor) -> dict[str, int]:
    """Remove *organiser* and its rows; return the number of rows by kind.

    Accounts of this organiser only are removed; those in the installation's journal stay as
    numbers without log-in.

    Raises:
        Conflict: if rows of another organiser depend on it.
    """
    _demand_independence(organiser)
    own = list(organiser.tournaments.select_for_update(of=("self",)).order_by("pk"))
    store.delete_documents(own)
    archives.delete_archives(own)
    rows = with_dependants({Organiser: {organiser.pk}, Person: set()})
    of_it = Q(organisers__organiser=organiser) | Q(memberships__tournament__in=own)
    elsewhere = Q(organisers__organiser__isnull=False) & ~Q(organisers__organiser=organiser)
    accounts = User.objects.filter(of_it, is_admin=False).exclude(
        pk__in=User.objects.filter(elsewhere).values("pk")
    )
    alone = set(accounts.values_list("pk", flat=True))
    chains = JournalChain.objects.filter(Q(tournament__in=own) | Q(owner=organiser))
    ends = {chain.scope: [chain.last_number, chain.last_hash] for chain in chains}
    Tournament.objects.filter(copied_from__in=own).update(copied_from=None)
    delete(rows)
    unused = without_dependants(User, alone)
    delete({User: unused})
    User.objects.filter(pk__in=alone - unused).update(
        username=Concat(Value("entfernt-"), F("pk")),
        name=_("Entferntes Konto"),
        email="",
        is_active=False,
        password=make_password(None),
    )
    counts = {"tournaments": len(own), "persons": len(rows[Person]), "accounts": len(alone)}
    before = {"chains": ends, "name": organiser.name}
    journal.record(None, actor, "organiser_removed", before=before, after=counts)
    return counts


def _demand_independence(organiser: Organiser) -> None:
    """Refuse if rows of other organisers depend on it.

    Raises:
        Conflict: with these rows.
    """
    its_people = (
        Q(registrations__person__owner=organiser)
        | Q(registrations__club__owner=organiser)
        | Q(registrations__substitutions__left__owner=organiser)
    )
    tournaments = Tournament.objects.filter(its_people).exclude(owner=organiser)
    seasons = Season.objects.filter(tournaments__owner=organiser).exclude(owner=organiser)
    dependent = (*organiser.members.all(), *tournaments.distinct(), *seasons.distinct())
    if dependent:
        raise Conflict(
            _(
                "Andere brauchen noch etwas von „{name}“: {dependent}. Bitte dort zuerst beenden: "
                "die Zugehörigkeit, die Saison, oder die Personen anonymisieren."
            ).format(name=organiser, dependent=", ".join(f"„{row}“" for row in dependent))
        )
