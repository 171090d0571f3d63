"""Presence in the hall: the count of present players, and those not ticked off."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from tournaments.cash.queries.balances import kaution_due_cents, paid_cents
from tournaments.common.organisers import roles_in
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.tokens import hash_token
from tournaments.models import Registration, Seat, Tournament, User


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """The number of present players, of those who take part."""

    present: int
    expected: int

    @property
    def absent(self) -> int:
        """The number not present."""
        return self.expected - self.present

    @property
    def is_used(self) -> bool:
        """Whether any player was ticked off; if not, no counter is shown."""
        return self.present > 0


def on_day(tournament: Tournament, day: int) -> Q:
    """Return the condition of registrations that play on a day of the tournament."""
    every = tournament.days.number == 1
    return Q() if every else Q(plays_on="") | Q(plays_on__contains=str(day))


def today(tournament: Tournament) -> Q:
    """Return the condition of registrations that play on the current day."""
    return on_day(tournament, tournament.days.at(timezone.now()))


def is_here(tournament: Tournament) -> Q:
    """Return the condition of registrations that are ticked off on the current day."""
    since = tournament.days.since(timezone.now())
    return Q(present_at__gte=since) if since else Q(present_at__isnull=False)


def presence_counts(tournament: Tournament) -> dict[str, Count]:
    """Return the aggregates of registrations for the fields of ``Presence``."""
    plays = today(tournament) & Q(status__in=Registration.TAKING_PART, gone_after__isnull=True)
    here = plays & is_here(tournament)
    return {"expected": Count("pk", filter=plays), "present": Count("pk", filter=here)}


def present_counter(tournament: Tournament) -> Presence:
    """Return the number of today's players in the hall; one query."""
    return Presence(**tournament.registrations.aggregate(**presence_counts(tournament)))


def presence_of(registrations: Iterable[Registration]) -> Presence:
    """Return the presence of loaded registrations."""
    taking_part = [
        registration
        for registration in registrations
        if registration.plays_next and registration.plays_today
    ]
    present = sum(registration.here_since is not None for registration in taking_part)
    return Presence(present=present, expected=len(taking_part))


def absentees(tournament: Tournament, day: int = 1) -> QuerySet[Registration]:
    """Return registrations of a day that are paid, have not left and are not ticked off.

    Those with a seat on the day are left out unless their tick was taken back.
    """
    first = tournament.days.first_serie(day)
    seats = Seat.objects.filter(registration=OuterRef("pk"), serie__number__gte=first)
    since = tournament.days.since(timezone.now())
    was_unticked = Q(unticked_at__gte=since) if since else Q(unticked_at__isnull=False)
    registrations = tournament.registrations.filter(
        was_unticked | ~Exists(seats),
        on_day(tournament, day),
        ~is_here(tournament),
        status=Registration.Status.PAID,
        gone_after__isnull=True,
    )
    return registrations.select_related("person").order_by("number")


def departed_registrations(tournament: Tournament) -> QuerySet[Registration]:
    """Return the registrations of persons who left, by start number."""
    registrations = tournament.registrations.filter(
        status__in=Registration.TAKING_PART, gone_after__isnull=False
    )
    return registrations.select_related("person").order_by("number")


def to_bring_cents(registration: Registration) -> int:
    """Return the amount that a player still owes at the desk, in cents, with the Kaution."""
    open_cents = registration.open_cents_after(paid_cents(registration))
    return open_cents + kaution_due_cents(registration.tournament, registration)


def tickable_registrations(
    user: User | AnonymousUser, tournament: Tournament, condition: Q
) -> list[Registration]:
    """Return the registrations of *condition* that *user* may tick off."""
    if not user.is_authenticated or not tournament.takes_people:
        return []
    if not roles_in(user, tournament) & MAY_TAKE_MONEY:
        return []
    registrations = tournament.registrations.filter(
        condition,
        ~is_here(tournament),
        status__in=Registration.TAKING_PART,
        gone_after__isnull=True,
    )
    return list(registrations.select_related("tournament", "person").order_by("number", "pk"))


def by_token(tournament: Tournament, token: str) -> QuerySet[Registration]:
    """Return the registration of an own page's token, or all of an entry's token."""
    hashed = hash_token(token)
    return tournament.registrations.filter(
        Q(token_hash=hashed) | Q(entry_lines__entry__token_hash=hashed)
    )
