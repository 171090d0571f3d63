"""Removing a tournament of made-up persons, together with these.

Only practice tournaments and trial runs can be removed. The rows are found by following every
foreign key that leads to the tournament, so tables added later are included, and the database
refuses to keep a row that refers to a missing one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection, models, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.archive import job as archives
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict
from tournaments.journal import services as journal
from tournaments.journal.append_only import triggers_off
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

# Databases limit the number of values in one statement.
_AT_ONCE = 500

Rows = dict[type[models.Model], set[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """How many rows were removed."""

    persons: int
    accounts: int
    entries: int  # of the journal


def tournaments() -> models.QuerySet[Tournament]:
    """Return the practice tournaments, without trial runs."""
    return Tournament.objects.filter(owner__is_practice=True, is_trial_run=False)


@transaction.atomic
def remove(which: models.QuerySet[Tournament], *, actor: Actor) -> Removed:
    """Remove tournaments of made-up persons with all dependent rows, and journal this.

    With the last tournament of their organiser it is removed with all its persons. Practice
    accounts, except that of *actor*, are removed with the last tournament in which they have a
    role.

    Raises:
        Conflict: if they were removed already.
    """
    made_up = which.filter(owner__is_practice=True)
    demo = list(made_up.select_for_update(of=("self",)).order_by("pk"))
    if not demo:
        raise Conflict(_("Das ist schon entfernt."))
    others = Tournament.objects.filter(owner__is_practice=True)
    others = others.exclude(pk__in=[one.pk for one in demo])
    owners = {one.owner_id for one in demo} - set(others.values_list("owner", flat=True))
    chains = list(JournalChain.objects.filter(Q(tournament__in=demo) | Q(owner__in=owners)))
    ends = {chain.scope: [chain.last_number, chain.last_hash] for chain in chains}
    store.forget(demo)
    archives.forget(demo)
    rows = _all_of(demo, owners)
    Tournament.objects.filter(copied_from__in=demo).update(copied_from=None)
    with triggers_off():
        for model, keys in rows.items():
            _delete(model, keys)
        accounts = User.objects.filter(is_demo=True).exclude(memberships__tournament__in=others)
        accounts = accounts.exclude(pk=actor.user.pk) if actor.user else accounts
        mine = accounts.values_list("pk", flat=True)
        unused = {key for key in mine if next(_pointing_at(User, [key]), None) is None}
        _delete(User, unused)
    for user in accounts.exclude(pk__in=unused):
        _empty(user)
    removed = Removed(
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

    *owners* are the organisers that go with the last of their tournaments.
    """
    elsewhere = Registration.objects.exclude(tournament__in=demo)
    left = Substitution.objects.filter(registration__in=elsewhere).values("left")
    persons = Person.objects.filter(registrations__tournament__in=demo, owner__is_practice=True)
    persons = persons.exclude(pk__in=elsewhere.values("person")).exclude(pk__in=left)
    rows: Rows = {
        Tournament: {tournament.pk for tournament in demo},
        Person: set(persons.values_list("pk", flat=True)),
        Organiser: set(owners),
    }
    waiting = list(rows.items())
    while waiting:
        for child, keys in _pointing_at(*waiting.pop()):
            new = keys - rows.setdefault(child, set())
            if new:
                rows[child] |= new
                waiting.append((child, new))
    return rows


def _pointing_at(
    model: type[models.Model], keys: Iterable[int]
) -> Iterator[tuple[type[models.Model], set[int]]]:
    """Yield the rows that refer to one of *keys*, by model; except copies of an Ausschreibung."""
    for relation in model._meta.get_fields(include_hidden=True):
        if not isinstance(relation, models.ManyToOneRel) or relation.name == "copies":
            continue
        child = relation.related_model
        for some in _in_parts(keys):
            found: models.QuerySet[Any] = models.QuerySet(child).filter(
                **{f"{relation.field.name}__in": some}
            )
            if pointing := set(found.values_list("pk", flat=True)):
                yield child, pointing


def _delete(model: type[models.Model], keys: Iterable[int]) -> None:
    """Delete rows in plain SQL, because PROTECT forbids it otherwise.

    Rows that refer to them are deleted too, in any order: the database checks at the end.
    """
    with connection.cursor() as cursor:
        for some in _in_parts(keys):
            places = ", ".join(["%s"] * len(some))
            cursor.execute(
                f"DELETE FROM {model._meta.db_table} WHERE id IN ({places})",  # noqa: S608 - own
                some,
            )


def _in_parts(keys: Iterable[int]) -> Iterator[list[int]]:
    rest = sorted(keys)
    for start in range(0, len(rest), _AT_ONCE):
        yield rest[start : start + _AT_ONCE]


def _empty(user: User) -> None:
    """Clear an account except for its name in the installation's journal."""
    user.username, user.name, user.email = f"demo-{user.pk}", _("Übungskonto"), ""
    user.is_active = False
    user.set_unusable_password()
    user.save()
