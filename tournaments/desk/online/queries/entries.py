"""The state of entries from the internet: for their own pages, and for the desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from tournaments.cash.queries import balances
from tournaments.common.access_keys import player_code
from tournaments.common.person_names import person_key
from tournaments.desk.online.queries.person_matching import candidates, matching_person
from tournaments.desk.queries.free_places import waiting_list
from tournaments.models import (
    Club,
    Entry,
    EntryLine,
    Person,
    Ranking,
    Registration,
    TeamWish,
    Tournament,
)
from tournaments.people.queries import bans

Row = dict[str, Any]  # of a page
_Status = Registration.Status
TONES = {_Status.PAID.value: "felt", _Status.EXCLUDED.value: "red"}


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPerson:
    """One person of an entry with the present state; money in cents."""

    line: EntryLine
    label: str  # German, as on a pill
    tone: str  # of the pill: "felt", "amber", "red" or ""
    number: int | None  # start number
    due_cents: int
    paid_cents: int
    rankings: list[Ranking]
    wishes: list[TeamWish]
    was_registered: bool  # by an earlier entry; this one changed nothing
    can_change: bool  # by the link, now
    is_called_off: bool  # the tournament: nothing is due, payments are refunded

    @property
    def takes_part(self) -> bool:
        """Whether the person has a place, so that dues apply."""
        registration = self.line.registration
        has_place = self.number is not None and bool(registration and registration.takes_part)
        return has_place and not self.is_called_off

    @property
    def is_awaited(self) -> bool:
        """Whether the person takes part, has not left, and is not ticked off yet."""
        registration = self.line.registration
        if registration is None or registration.is_gone:
            return False
        return self.takes_part and registration.here_since is None

    @property
    def code(self) -> str:
        """The short code by which the person checks in; empty without a place."""
        registration = self.line.registration
        return player_code(registration) if self.takes_part and registration is not None else ""

    @property
    def open_cents(self) -> int:
        """The open dues in cents; 0 without a place."""
        return max(0, self.due_cents - self.paid_cents) if self.takes_part else 0

    @property
    def left_cents(self) -> int:
        """The cents that a withdrawn person has paid."""
        registration = self.line.registration
        has_left = registration is not None and registration.status == _Status.WITHDRAWN
        return max(0, self.paid_cents) if has_left else 0


def standings(entry: Entry, now: datetime) -> list[EntryPerson]:
    """Return the state of each person of an entry; seven queries at most."""
    lines = list(_lines().filter(entry=entry))
    is_fixed = bool(fixed_reason(entry.tournament, now))
    return _standings(lines, entry.tournament, is_fixed=is_fixed)


def tariff_cents(entry: Entry) -> int:
    """Return the cents that the persons of an entry owe by the tariff and the typed choice."""
    lines = entry.lines.select_related("category").prefetch_related("rankings")
    return sum(
        line.category.startgeld_cents
        + entry.tournament.kartengeld_cents
        + sum(ranking.stake_cents for ranking in line.rankings.all())
        for line in lines
        if line.category is not None
    )


def _lines() -> QuerySet[EntryLine]:
    wishes = TeamWish.objects.select_related("ranking")
    return (
        EntryLine.objects.select_related(
            "category", "registration__category", "registration__person"
        )
        .prefetch_related(
            "rankings",
            "registration__rankings",
            "registration__substitutions",
            Prefetch("wishes", wishes),
        )
        .annotate(
            paid_cents=Sum(
                "registration__cash_entries__amount_cents",
                filter=Q(registration__cash_entries__kind__in=balances.DUES),
            ),
            was_registered=Exists(
                EntryLine.objects.filter(
                    registration=OuterRef("registration"), pk__lt=OuterRef("pk")
                )
            ),
        )
        .order_by("entry", "position")
    )


def _standings(
    lines: Sequence[EntryLine], tournament: Tournament, *, is_fixed: bool
) -> list[EntryPerson]:
    waiting: list[int] = []
    if any(line.registration and line.registration.status == _Status.WAITING for line in lines):
        waiting = list(waiting_list(tournament).values_list("pk", flat=True))
    return [_standing(line, waiting, tournament, is_fixed=is_fixed) for line in lines]


def _standing(
    line: EntryLine, waiting: Sequence[int], tournament: Tournament, *, is_fixed: bool
) -> EntryPerson:
    registration = line.registration
    is_here = registration is not None and not is_taken_over(registration)
    label, tone = _state(line, waiting)
    source = line if registration is None else registration
    return EntryPerson(
        line=line,
        label=label,
        tone=tone,
        number=registration.number if registration is not None and is_here else None,
        due_cents=registration.owed_cents if registration is not None and is_here else 0,
        paid_cents=(getattr(line, "paid_cents", None) or 0) if is_here else 0,
        rankings=[
            ranking
            for ranking in source.rankings.all()
            # By the typed data: the page must not reveal stored data.
            if not ranking.takes_all or ranking.suits(line.birth_year, line.gender)
        ],
        wishes=list(line.wishes.all()),
        was_registered=bool(getattr(line, "was_registered", False)),
        can_change=not is_fixed and can_change(line),
        is_called_off=tournament.is_called_off,
    )


def _state(line: EntryLine, waiting: Sequence[int]) -> tuple[str, str]:
    registration = line.registration
    if registration is None:
        if line.status == EntryLine.Status.OPEN:
            return _("wird geprüft"), "amber"
        return (_("abgemeldet") if line.withdrawn_at else _("nicht angenommen")), ""
    if is_taken_over(registration):
        return _("Startnummer übernommen"), ""
    if registration.status == _Status.WAITING and registration.pk in waiting:
        place = waiting.index(registration.pk) + 1
        return _("Warteliste, Platz {place}").format(place=place), "amber"
    if registration.asks:
        return registration.get_status_display(), "amber"
    tone = "" if registration.is_gone else TONES.get(registration.status, "")
    return registration.get_status_display(), tone


def _open_lines(tournament: Tournament) -> QuerySet[EntryLine]:
    return EntryLine.objects.filter(entry__tournament=tournament, status=EntryLine.Status.OPEN)


def count_unclear_lines(tournament: Tournament) -> int:
    """Return how many lines wait for the desk."""
    return _open_lines(tournament).count()


def unclear_lines(tournament: Tournament) -> list[Row]:
    """Return the lines that wait for the desk, the oldest first; five queries at most."""
    lines = list(
        _open_lines(tournament)
        .select_related("entry", "category")
        .prefetch_related(Prefetch("wishes", TeamWish.objects.select_related("ranking")))
        .order_by("entry__created_at", "pk")
    )
    if not lines:
        return []
    persons = candidates(tournament, lines)
    registrations = tournament.registrations.filter(person__in=persons).select_related("person")
    registrations_by_person = {
        registration.person_id: registration for registration in registrations
    }
    banned = bans.current().filter(person__in=list(persons)).order_by("-pk")
    reasons = dict(banned.values_list("person", "reason"))
    rows = []
    for line in lines:
        person, _by_pass = matching_person(tournament, line, persons)
        key = person.pk if person else 0
        rows.append(
            {
                "line": line,
                "registration": registrations_by_person.get(key),  # of the person, if there is one
                "ban_reason": person
                and bans.ban_reason_for(person, reasons.get(key), tournament.owner_id),
            }
        )
    return rows


def entries(tournament: Tournament) -> QuerySet[Entry]:
    """Return the entries of a tournament, the newest first."""
    return tournament.entries.order_by("-created_at", "-pk")


def inbox(tournament: Tournament, entries: Sequence[Entry]) -> list[tuple[Entry, list[Row]]]:
    """Return *entries* with the state of their persons; eight queries at most."""
    lines = list(_lines().filter(entry__in=entries)) if entries else []
    persons = candidates(tournament, [line for line in lines if line.is_new_person])
    rows: dict[int, list[Row]] = {}
    for standing in _standings(lines, tournament, is_fixed=False):
        rows.setdefault(standing.line.entry_id, []).append(
            _inbox_row(standing, persons, tournament)
        )
    return [(entry, rows.get(entry.pk, [])) for entry in entries]


def _inbox_row(standing: EntryPerson, persons: Sequence[Person], tournament: Tournament) -> Row:
    line, registration = standing.line, standing.line.registration
    key = person_key(line.last_name, line.first_name)
    mine = registration.person_id if registration else None
    return {
        "standing": standing,
        # The typed consent differs from the stored one, and may come from another person.
        # Consent that another organiser has not stored cannot be given here.
        "asks_for_name": bool(
            registration
            and line.naming != EntryLine.Naming.ANSWERED
            and line.publish_consent != registration.person.publish_consent
            and (registration.person.owner_id == tournament.owner_id or not line.publish_consent)
            and not is_taken_over(registration)
        ),
        "namesakes": [
            person
            for person in persons
            if line.is_new_person and person.sort_key == key and person.pk != mine
        ],
    }


def suggested_clubs(tournament: Tournament) -> QuerySet[Club]:
    """Return the clubs that the public form suggests: none that only came through the internet.

    Typed text must not become public.
    """
    persons = Person.objects.filter(club=OuterRef("pk"))
    own = persons.exclude(registrations__entry_lines__is_new_person=True)
    came = persons.filter(registrations__status=_Status.PAID)
    return Club.objects.filter(Exists(own) | Exists(came), owner=tournament.owner_id)


def fixed_reason(tournament: Tournament, now: datetime) -> str:
    """Return why the link allows no changes, or ""."""
    if tournament.is_called_off:
        return tournament.called_off_note
    if tournament.is_read_only:
        return _("Das Turnier ist abgeschlossen.")
    if tournament.is_past_deadline(now):
        return _(
            "Der Meldeschluss ist vorbei (§ 1.3). Ändern und abmelden geht jetzt nur noch am "
            "Tisch der Anmeldung oder beim Veranstalter."
        )
    return ""


def can_change(line: EntryLine) -> bool:
    """Whether the person of a line still takes part, and has no substitute."""
    registration = line.registration
    if registration is None:
        return line.status == EntryLine.Status.OPEN
    return registration.is_coming and not is_taken_over(registration)


def is_taken_over(registration: Registration) -> bool:
    """Whether there was a substitution for the start number."""
    return bool(registration.substitutions.all())  # prefetched for lists
