"""The receivers of a message of the Spielleitung, and the changes since the last one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.announcement.queries.ausschreibung_text import moment, place
from tournaments.announcement.queries.schedule import schedule_lines
from tournaments.announcement.queries.tournaments import CHANGE_ENTRY
from tournaments.models import (
    Circular,
    EntryLine,
    Job,
    JournalEntry,
    Registration,
    Seat,
    Tournament,
)
from tournaments.notices.queries.recipients import addresses_of

LEFT_UNTOLD = "changes_left_untold"  # journal action: the changes need no message
MAILS = "circular_mails"  # kind of the job in notices/services/circulars.py
ALL, SERIE, DAY = "all", "serie-", "day-"
_ANNOUNCED_FACTS = ("starts_at", "venue", "venue_address", "schedule")
Receiver = Registration | EntryLine  # a line is a person whom the desk has not settled yet


def key_of(receiver: Receiver) -> str:
    """Return the key by which a job records a receiver whom no mail reached."""
    return f"{receiver._meta.model_name}-{receiver.pk}"


@dataclass(frozen=True, kw_only=True)
class Reach:
    """The receivers by address; receivers with the same address share a mail."""

    by_address: dict[str, list[Receiver]] = field(default_factory=dict)
    on_paper: list[Receiver] = field(default_factory=list)  # without an address

    @classmethod
    def of(cls, receivers: Iterable[Receiver]) -> Reach:
        """Return these receivers by address; two queries."""
        group, reach = list(receivers), cls()
        addresses = addresses_of(person.pk for person in group if isinstance(person, Registration))
        spellings: dict[str, str] = {}  # addresses that differ in case only share a mail
        for row in group:
            address = row.entry.email if isinstance(row, EntryLine) else addresses.get(row.pk, "")
            if address:
                key = spellings.setdefault(address.casefold(), address)
                reach.by_address.setdefault(key, []).append(row)
            else:
                reach.on_paper.append(row)
        return reach

    @property
    def persons_by_mail(self) -> int:
        """The number of persons with an address."""
        return sum(map(len, self.by_address.values()))


class Audiences:
    """The groups of registered persons to whom a message can go; six queries."""

    def __init__(self, tournament: Tournament) -> None:
        coming = tournament.registrations.filter(status__in=Registration.COMING)
        self._coming = list(coming.select_related("person", "club").order_by("number", "pk"))
        open_lines = EntryLine.objects.filter(entry__tournament=tournament, status="open")
        self._lines = list(open_lines.select_related("entry").order_by("pk"))
        self._tournament = tournament

    def receivers(self) -> dict[str, Sequence[Receiver]]:
        """Return the persons of each group that is not empty."""
        days, status = self._tournament.days, Registration.Status
        seated: dict[int, set[int]] = {}
        seats = Seat.objects.filter(serie__tournament=self._tournament)
        for number, pk in seats.values_list("serie__number", "registration"):
            seated.setdefault(number, set()).add(pk)
        groups: dict[str, Sequence[Receiver]] = {
            ALL: [*self._coming, *self._lines],
            "paid": [person for person in self._coming if person.status == status.PAID],
            "registered": [person for person in self._coming if person.status == status.REGISTERED],
            "waiting": [
                *(person for person in self._coming if person.status == status.WAITING),
                *self._lines,
            ],
            **{f"{DAY}{day}": self._playing(day) for day in days.numbers},
        }
        for number in self._tournament.serien.order_by("number").values_list("number", flat=True):
            plays = [person for person in self._coming if person.pk in seated.get(number, ())]
            is_seated = number in seated
            groups[f"{SERIE}{number}"] = (
                plays if is_seated else self._playing(days.of_serie(number))
            )
        return {name: receivers for name, receivers in groups.items() if receivers}

    def _playing(self, day: int) -> list[Registration]:
        return [person for person in self._coming if person.plays_next and person.plays(day)]

    def choices(self) -> list[tuple[str, str]]:
        """Return the groups with the numbers of their persons, all and with an address."""
        groups = self.receivers()
        reach = Reach.of(groups.get(ALL, ()))
        has_mail = {key_of(receiver) for group in reach.by_address.values() for receiver in group}
        label = _("{group}: {persons}, mit E-Mail: {mails}")
        return [
            (
                name,
                label.format(
                    group=label_of(name),
                    persons=len(receivers),
                    mails=sum(key_of(receiver) in has_mail for receiver in receivers),
                ),
            )
            for name, receivers in groups.items()
        ]


def label_of(audience: str) -> str:
    """Return the name of a group in words."""
    kind, _dash, number = audience.partition("-")
    return {
        ALL: _("alle"),
        "paid": _("bezahlt"),
        "registered": _("gemeldet, noch nicht bezahlt"),
        "waiting": _("auf der Warteliste oder in Prüfung"),
        "serie": _("Serie {number}").format(number=number),
        "day": _("Tag {number}").format(number=number),
    }[kind]


def receivers_of(circular: Circular) -> list[Receiver]:
    """Return the receivers of a message by start number; two queries."""
    registered = circular.registrations.select_related("person", "club")
    lines = circular.lines.select_related("entry").order_by("pk")
    return [*registered.order_by("number", "pk"), *lines]


def mails_of(circulars: Iterable[Circular]) -> dict[int, Job]:
    """Return the newest job that mails each message; one query."""
    keys = [circular.pk for circular in circulars]
    jobs = Job.objects.filter(kind=MAILS, params__circular__in=keys).order_by("pk")
    return {job.params["circular"]: job for job in jobs}


def without_mail(circular: Circular) -> list[Receiver]:
    """Return the receivers whom no mail has reached; five queries."""
    receivers = receivers_of(circular)
    job = mails_of([circular]).get(circular.pk)
    has_stopped = job is not None and job.status in {Job.Status.FAILED, Job.Status.CANCELLED}
    if not circular.is_mailed or has_stopped:
        return receivers
    without = {key_of(receiver) for receiver in Reach.of(receivers).on_paper}
    without |= set(job.result.get("failed", ())) if job else set()
    return [receiver for receiver in receivers if key_of(receiver) in without]


@dataclass(frozen=True, kw_only=True)
class FactChange:
    """A changed fact about date, time or place."""

    what: str
    before: str
    now: str


def untold_changes(tournament: Tournament) -> list[FactChange]:
    """Return the changes of date, time and place since the last message; three queries.

    Without a message they count from the first registration. Reverted changes are left out, and
    those before the Spielleitung decided that no message is needed.
    """
    first = tournament.registrations.order_by("created_at").values_list("created_at", flat=True)
    last = tournament.circulars.order_by("-created_at").values_list("created_at", flat=True)
    since = last.first() or first.first()
    if since is None:
        return []
    before = copy(tournament)
    for entry in _entries(tournament, since):
        if entry.action == LEFT_UNTOLD:
            break
        for name in entry.before.keys() & set(_ANNOUNCED_FACTS):
            value = entry.before[name]
            setattr(before, name, datetime.fromisoformat(value) if name == "starts_at" else value)
    old, new = _facts(before), _facts(tournament)
    return [
        FactChange(what=name, before=old[name], now=new[name])
        for name in new
        if old[name] != new[name]
    ]


def _entries(tournament: Tournament, since: datetime) -> QuerySet[JournalEntry]:
    entries = JournalEntry.objects.filter(chain__tournament=tournament, at__gt=since)
    return entries.filter(action__in=(CHANGE_ENTRY, LEFT_UNTOLD)).order_by("-number")


def _facts(tournament: Tournament) -> Mapping[str, str]:
    plan = "\n".join(": ".join(line) for line in schedule_lines(tournament))
    facts = {
        _("Beginn"): moment(tournament.starts_at),
        _("Spielort"): place(tournament),
        _("Zeitplan"): plan,
    }
    return {name: value.replace("\n", ", ") or "–" for name, value in facts.items()}


def suggested_text(tournament: Tournament, changes: Sequence[FactChange]) -> str:
    """Return a draft of a message about the changes; "" if there are none."""
    if not changes:
        return ""
    paragraphs = [
        _("{what}\nbisher: {before}\njetzt: {now}").format(
            what=change.what, before=change.before, now=change.now
        )
        for change in changes
    ]
    opening = _("„{tournament}“ hat sich geändert:").format(tournament=tournament)
    return "\n\n".join([opening, *paragraphs])
