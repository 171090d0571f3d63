"""The players and tables to notify, with their e-mail addresses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet

from tournaments.models import Case, EntryLine, Notice, Person, Registration, Spielliste, Tournament
from tournaments.notices.queries.notice_texts import NoticeText, texts, with_relations


@dataclass(slots=True, kw_only=True)
class PersonToTell:
    """A player, with the notices and decisions to tell."""

    registration: Registration
    addresses: dict[str, Person] = field(default_factory=dict)  # e-mail addresses and their owners
    notices: list[NoticeText] = field(default_factory=list)
    decisions: list[Case] = field(default_factory=list)

    @property
    def since(self) -> datetime:
        """The time of the oldest correction or decision to tell."""
        times = [text.correction.created_at for text in self.notices]
        return min([*times, *(case.decided_at for case in self.decisions if case.decided_at)])


def people_to_tell(tournament: Tournament, only: Sequence[int] | None = None) -> list[PersonToTell]:
    """Return the players with notices or decisions to tell by start number, or *only* these."""
    notices = Notice.objects.filter(correction__tournament=tournament, told_at__isnull=True)
    decisions = untold_decisions(tournament).filter(registration__isnull=False)
    if only is not None:
        notices = notices.filter(registration__in=only)
        decisions = decisions.filter(registration__in=only)
    persons: dict[int, PersonToTell] = {}

    def of(registration: Registration) -> PersonToTell:
        return persons.setdefault(registration.pk, PersonToTell(registration=registration))

    for text in texts(with_relations(notices).order_by("pk")):
        of(text.registration).notices.append(text)
    for case in decisions:
        if case.registration is not None:
            of(case.registration).decisions.append(case)
    addresses = addresses_of(persons)
    for pk, person in persons.items():
        played = [text.sitter.person for text in person.notices if text.sitter]
        person.addresses = {earlier.email: earlier for earlier in played if earlier.email}
        if address := addresses.get(pk):
            person.addresses[address] = person.registration.person
    return sorted(persons.values(), key=lambda person: person.registration.number or 0)


@dataclass(slots=True, kw_only=True)
class TableToTell:
    """A list with notices for several players of its table."""

    spielliste: Spielliste
    persons: list[Registration] = field(default_factory=list)  # by start number
    notices: list[NoticeText] = field(default_factory=list)
    decisions: list[Case] = field(default_factory=list)


def tables_to_tell(persons: Iterable[PersonToTell]) -> list[TableToTell]:
    """Return the tables with several of these persons; no query.

    Notices and decisions about other lists are left out.
    """
    tables: dict[int, TableToTell] = {}

    def of(spielliste: Spielliste, person: PersonToTell) -> TableToTell:
        table = tables.setdefault(spielliste.pk, TableToTell(spielliste=spielliste))
        if person.registration not in table.persons:
            table.persons.append(person.registration)
        return table

    for person in persons:
        for text in person.notices:
            if text.correction.spielliste is not None:
                of(text.correction.spielliste, person).notices.append(text)
        for case in person.decisions:
            if case.spielliste is not None:
                of(case.spielliste, person).decisions.append(case)
    several = [table for table in tables.values() if len(table.persons) > 1]
    return sorted(
        several,
        key=lambda table: (table.spielliste.table.serie.number, table.spielliste.table.number),
    )


def untold_decisions(tournament: Tournament) -> QuerySet[Case]:
    """Return the decided cases whose decision has not been told."""
    return (
        tournament.cases.filter(decided_at__isnull=False, told_at__isnull=True)
        .select_related("registration__person", "spielliste__table__serie", "decided_by")
        .order_by("pk")
    )


def addresses_of(registrations: Iterable[int]) -> dict[int, str]:
    """Return the e-mail address of each registration that has one; two queries.

    The address of the person, else the one of the online entry.
    """
    keys = list(registrations)
    addresses: dict[int, str] = defaultdict(str)
    entered = EntryLine.objects.filter(registration__in=keys).exclude(entry__email="")
    for pk, address in entered.order_by("pk").values_list("registration", "entry__email"):
        addresses[pk or 0] = address
    own = Registration.objects.filter(pk__in=keys).exclude(person__email="")
    addresses.update(own.values_list("pk", "person__email"))
    return dict(addresses)
