"""Whose names stand where: on pages of the staff, in the hall, on the internet.

In the hall, that is on beamers and on what hangs there, people look for their seat: the
Ausschreibung says whether names stand there, and anybody may say no. On the internet a name
stands with consent only. Who is not named has initials, beside which the start number stands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.common import names
from tournaments.models import Person, Registration, Tournament


@dataclass(frozen=True, slots=True)
class Readers:
    """Those who read a page or a sheet, by whose names they are given."""

    names: Callable[[Person], bool]

    def name(self, person: Person) -> str:
        """Return the name as spoken, or initials: „E. B.“."""
        if self.names(person):
            return person.full_name
        return names.initials(person.first_name, person.last_name)

    def of(self, registration: Registration) -> str:
        """Return the name of somebody in the tournament, or initials and start number."""
        person = registration.person
        if self.names(person) or registration.number is None:
            return self.name(person)
        return _("{initials} (Nr. {number})").format(
            initials=self.name(person), number=registration.number
        )

    def listed(self, registration: Registration) -> str:
        """Return the name as in a list, or initials and start number: „E. B. (Nr. 5)“."""
        person = registration.person
        return person.list_name if self.names(person) else self.of(registration)

    def list_name(self, person: Person) -> str:
        """Return the name as in a list, the last name first: „Berg, Erika“, or „B., E.“."""
        if self.names(person):
            return person.list_name
        return ", ".join(reversed(self.name(person).split()))

    def sort_key(self, person: Person) -> str:
        """Return what a list is sorted by: what can be read in it, and no more."""
        if self.names(person):
            return person.sort_key
        return names.sort_key(*self.list_name(person).split(", "))


STAFF = Readers(lambda _person: True)
INTERNET = Readers(lambda person: person.publish_consent)


def in_the_hall(tournament: Tournament) -> Readers:
    """Return who reads beamers, posters and lists of seats in the hall of *tournament*."""
    preset = tournament.names_in_hall
    return Readers(lambda person: not person.hall_objection and (preset or person.publish_consent))


def is_unnamed_in_hall(tournament: Tournament) -> Q:
    """Return which registrations stand in the hall without a name."""
    unnamed = Q(person__hall_objection=True)
    return unnamed if tournament.names_in_hall else unnamed | Q(person__publish_consent=False)


def unnamed_in_hall(tournament: Tournament) -> int:
    """Return how many of those who take part stand in the hall without their names; one query."""
    there = Registration.objects.filter(tournament=tournament, status__in=Registration.TAKING_PART)
    return there.filter(is_unnamed_in_hall(tournament)).count()
