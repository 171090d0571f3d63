"""Shown names: on pages of the staff, in the hall, on the internet.

In the hall, on beamers and sheets, the Ausschreibung sets whether names are shown, and
each person can object. On the internet a name is shown with consent only. Otherwise the
initials are shown, with the start number.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.common import names
from tournaments.models import Registration, Tournament


@dataclass(frozen=True, slots=True)
class Readers:
    """The readers of a page or a sheet; ``names`` tells whether they may read a name.

    It takes a registration, because a person may refuse consent for one tournament.
    """

    names: Callable[[Registration], bool]
    shared: frozenset[str] = frozenset()  # names with several bearers, from ``among``

    def among(self, registrations: Iterable[Registration]) -> Readers:
        """Return readers who see the start number behind a name that is not unique."""
        bearers = Counter(self.name(each) for each in registrations if self.names(each))
        return replace(self, shared=frozenset(name for name, n in bearers.items() if n > 1))

    def name(self, registration: Registration) -> str:
        """Return the full name, or initials: „E. B.“."""
        person = registration.person
        if self.names(registration):
            return person.full_name
        return names.initials(person.first_name, person.last_name)

    def of(self, registration: Registration) -> str:
        """Return the full name of a registered person, or initials and start number."""
        return self._with_number(self.name(registration), registration)

    def listed(self, registration: Registration) -> str:
        """Return the name with last name first, or initials and start number: „E. B. (Nr. 5)“."""
        if self.names(registration):
            return self._with_number(registration.person.list_name, registration)
        return self.of(registration)

    def _with_number(self, name: str, registration: Registration) -> str:
        is_alone = self.names(registration) and self.name(registration) not in self.shared
        if is_alone or registration.number is None:
            return name
        return _("{name} (Nr. {number})").format(name=name, number=registration.number)

    def short(self, registration: Registration) -> str:
        """Return surname and initial: „Berg, E.“, or initials and start number."""
        person = registration.person
        if not self.names(registration) or not person.last_name:
            return self.of(registration)
        return f"{person.last_name}, {person.first_name[:1]}.".removesuffix(", .")

    def list_name(self, registration: Registration) -> str:
        """Return the name with last name first: „Berg, Erika“, or „B., E.“."""
        if self.names(registration):
            return registration.person.list_name
        return ", ".join(reversed(self.name(registration).split()))

    def sort_key(self, registration: Registration) -> str:
        """Return the key for sorting a list, made of the shown name only."""
        if self.names(registration):
            return registration.person.sort_key
        return names.sort_key(*self.list_name(registration).split(", "))


STAFF = Readers(lambda _registration: True)
INTERNET = Readers(lambda registration: registration.publishes_name)


def hall_readers(tournament: Tournament) -> Readers:
    """Return the readers of beamers, posters and lists of seats in the hall of *tournament*."""
    preset = tournament.names_in_hall
    return Readers(
        lambda registration: (
            not registration.person.hall_objection and (preset or registration.publishes_name)
        ),
    )


def distinguish_names(names: Iterable[tuple[str, Registration]]) -> list[str]:
    """Return the names, with the start number behind names that several persons share.

    For pages that show no start number beside the name.
    """
    names = list(names)
    bearers: defaultdict[str, set[int]] = defaultdict(set)
    for name, registration in names:
        bearers[name].add(registration.pk)
    with_number = _("{name} (Nr. {number})")
    return [
        with_number.format(name=name, number=registration.number)
        if len(bearers[name]) > 1 and registration.number is not None
        else name
        for name, registration in names
    ]


def unnamed_condition(tournament: Tournament) -> Q:
    """Return the condition on registrations shown in the hall without a name."""
    unnamed = Q(person__hall_objection=True)
    if tournament.names_in_hall:
        return unnamed
    return unnamed | Q(person__publish_consent=False) | Q(hides_name=True)


def count_unnamed_in_hall(tournament: Tournament) -> int:
    """Return the number of players shown in the hall without a name; one query."""
    registrations = Registration.objects.filter(
        tournament=tournament, status__in=Registration.TAKING_PART
    )
    return registrations.filter(unnamed_condition(tournament)).count()
