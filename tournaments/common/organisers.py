"""The organisers of an account, its rights there, and the roles that they imply.

A right at an organiser implies roles in all its tournaments; an account with a role in one of its
tournaments belongs to the organiser as well. An operator who belongs to none sees no content.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from django.db.models import F, Q, QuerySet

from tournaments.common.names import fold
from tournaments.models import (
    Membership,
    Organiser,
    OrganiserAccount,
    Right,
    Role,
    Tournament,
    User,
)

# The role in every tournament of the organiser that a right implies.
IMPLIED_ROLES: dict[str, Role] = {Right.ALL: Role.VERANSTALTER, Right.MONEY: Role.KASSE}


UNNAMED = "Veranstalter"  # the name of the first one until it gets its own


def first_organiser(name: str = UNNAMED) -> Organiser:
    """Return the first organiser of the installation, made if there is none."""
    first = Organiser.objects.filter(is_practice=False).order_by("pk").first()
    return first or Organiser.objects.create(name=name)


def rights_by_organiser(user: User) -> dict[Organiser, frozenset[str]]:
    """Return the organisers of *user* with rights there and roles in tournaments; one statement.

    Those of made-up persons come last.
    """
    of_rights = Organiser.objects.filter(accounts__user=user).annotate(word=F("accounts__right"))
    of_roles = Organiser.objects.filter(tournaments__memberships__user=user).annotate(
        word=F("tournaments__memberships__role")
    )
    rows = [*of_rights.order_by().union(of_roles.order_by())]
    held: dict[Organiser, frozenset[str]] = {}
    for row in sorted(rows, key=lambda row: (row.is_practice, row.pk)):
        held[row] = held.get(row, frozenset()) | {row.word}
    return held


def choices_of(held: Mapping[Organiser, Collection[str]]) -> list[Organiser]:
    """Return which of these organisers may be the one at hand, the default first.

    Only those of the greatest right: an account with an organiser of its own must not end up at
    another one because that one gave it a role. Organisers of made-up persons come last.
    """
    words_of_real = [words for organiser, words in held.items() if not organiser.is_practice]
    greatest = min(map(_distance, words_of_real), default=0)
    return [
        organiser
        for organiser, words in held.items()
        if organiser.is_practice or _distance(words) == greatest
    ]


def _distance(words: Collection[str]) -> int:
    """Return the distance of an account from all rights: 0 has them, 2 has only roles."""
    if Right.ALL in words:
        return 0
    return 2 if {Right.PERSONS, Right.MONEY}.isdisjoint(words) else 1


def headed_by(user: User) -> list[Organiser]:
    """Return the organisers at which *user* has the right to all; one statement."""
    return [
        organiser for organiser, words in rights_by_organiser(user).items() if Right.ALL in words
    ]


def heads() -> QuerySet[User]:
    """Return the active accounts with the right to all at an organiser of real persons."""
    wholly = OrganiserAccount.objects.filter(right=Right.ALL, organiser__is_practice=False)
    return User.objects.filter(is_active=True, pk__in=wholly.values("user"))


def implied_roles(words: Iterable[str]) -> frozenset[str]:
    """Return roles and rights of :func:`rights_by_organiser` as roles."""
    return frozenset(str(IMPLIED_ROLES.get(word, word)) for word in words)


def roles_in(user: User, tournament: Tournament) -> frozenset[str]:
    """Return the roles of *user* in *tournament*, named or implied; one statement."""
    named = Membership.objects.filter(user=user, tournament=tournament)
    implied = OrganiserAccount.objects.filter(
        user=user, organiser=tournament.owner_id, right__in=IMPLIED_ROLES
    )
    words = named.values_list("role", flat=True).union(implied.values_list("right", flat=True))
    return implied_roles(words)


def tournaments_with(user: User, roles: Collection[str] = tuple(Role)) -> QuerySet[Tournament]:
    """Return the tournaments in which *user* has one of *roles*, named or implied."""
    rights = [right for right, role in IMPLIED_ROLES.items() if role in roles]
    named = Membership.objects.filter(user=user, role__in=roles)
    implied = OrganiserAccount.objects.filter(user=user, right__in=rights)
    return Tournament.objects.filter(
        Q(pk__in=named.values("tournament")) | Q(owner__in=implied.values("organiser"))
    )


def lending_to(*organisers: Organiser | int) -> QuerySet[Organiser]:
    """Return organisers and those of their parents that share their persons."""
    keys = [
        organiser.pk if isinstance(organiser, Organiser) else organiser for organiser in organisers
    ]
    own = Organiser.objects.filter(pk__in=keys)
    return Organiser.objects.filter(
        Q(pk__in=keys) | Q(shares_members=True, pk__in=own.values("parent"))
    )


def is_parent_head(user: User, tournament: Tournament) -> bool:
    """Whether *user* has all rights at the parent organiser, and so sees the results."""
    parents = Organiser.objects.filter(members=tournament.owner_id)
    return parents.filter(accounts__user=user, accounts__right=Right.ALL).exists()


def has_namesake(name: str, organisers: Iterable[Organiser], besides: User | None = None) -> bool:
    """Whether another account of one of *organisers* has a display name that reads like *name*."""
    keys = [organiser.pk for organiser in organisers]
    others = User.objects.filter(
        Q(organisers__organiser__in=keys) | Q(memberships__tournament__owner__in=keys),
        archived_as="",
    ).exclude(pk=0 if besides is None else besides.pk)
    return any(fold(account.name) == fold(name) for account in others.distinct())


def add_account(user: User, organiser: Organiser | int, right: Right = Right.NAMED) -> Right:
    """Add *user* to an organiser, and return the resulting right.

    The right to all is kept, and a role alone removes no right.
    """
    key = organiser.pk if isinstance(organiser, Organiser) else organiser
    its, is_new = OrganiserAccount.objects.get_or_create(
        organiser_id=key, user=user, defaults={"right": right}
    )
    if not is_new and right != Right.NAMED and its.right != Right.ALL:
        its.right = right
        its.save(update_fields=["right"])
    return Right(its.right)
