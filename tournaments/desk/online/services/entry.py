"""Registering through the internet: a public entry becomes registrations.

The answer does not reveal stored data: lines of persons who are registered already or banned
wait for the desk, and the answer is the same. An entry never changes a stored person: a refused
consent hides the name in this tournament, and the person is asked (``services.naming``).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from tournaments.common.actors import Actor
from tournaments.common.code_throttling import hash_address
from tournaments.common.errors import WrongStatus
from tournaments.common.roles import ONLINE
from tournaments.common.states import ALWAYS
from tournaments.common.tokens import hash_token
from tournaments.desk.online.queries.person_matching import candidates, matching_person
from tournaments.desk.online.services.choice import (
    EntryChoice,
    check_choice,
    entry_rankings,
    suiting_category,
)
from tournaments.desk.online.services.entry_limits import check_limits, check_number
from tournaments.desk.queries import admission
from tournaments.desk.queries.admission import Applicant
from tournaments.desk.services.registrations import NotInCircle, register
from tournaments.journal import services as journal
from tournaments.journal.acts import Act, Acts
from tournaments.models import (
    Category,
    Entry,
    EntryLine,
    Person,
    Ranking,
    Registration,
    TeamWish,
    Tournament,
)
from tournaments.people.queries import bans
from tournaments.people.services import people

acts = Acts(ONLINE, ALWAYS)

PUBLIC = Actor.public()

_KEY_SALT = "tournaments.entry.token"
_Line = EntryLine.Status


class NotOpen(WrongStatus):
    """The tournament takes no registrations through the internet now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonEntry(EntryChoice):
    """One person as typed into the form."""

    first_name: str
    last_name: str
    club_name: str = ""
    birth_year: int | None = None
    gender: str = ""
    member_number: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEntry:
    """A stored entry and its token, which is shown or mailed once."""

    entry: Entry
    token: str
    is_new: bool  # False: the same form was posted before, and nothing is stored now


def closed_reason(tournament: Tournament, now: datetime) -> str:
    """Return why registering through the internet is closed now, or ""."""
    if tournament.is_called_off:
        return tournament.called_off_note
    if tournament.is_read_only:
        return _("Das Turnier ist abgeschlossen.")
    if not tournament.takes_people or not tournament.online_registration:
        return _("Für dieses Turnier gibt es keine Meldung über das Internet.")
    if tournament.is_past_deadline(now):
        return _(
            "Der Meldeschluss ist vorbei (§ 1.3). Nachmelden kann nur die Spielleitung am Spielort."
        )
    return ""


@acts.on(Tournament, "send", entry="entry_sent")
def submit_entry(
    act: Act[Tournament],
    *,
    persons: Sequence[PersonEntry],
    form_key: str,
    email: str = "",
    address: str = "",
    proves_address: bool = False,
    now: datetime | None = None,
) -> StoredEntry:
    """Store an entry and register all persons in it, all or nothing.

    Idempotent: the same form with the same content gets the same answer and stores nothing.

    Args:
        persons: the persons, in the order of the form.
        form_key: secret of this form, random, at least 128 bits.
        email: address for the confirmation.
        address: network address of the request, for the limits.
        proves_address: whether the link goes to *email* only. Then the answer may name a
            person who was registered before from the same address.

    Raises:
        NotOpen: if the tournament takes no registrations through the internet now.
        TooManyEntries: if more came within an hour than is allowed.
        TournamentError: if no or too many persons are named, or a choice does not suit.
        ValidationError: if a name does not fit, with the German sentence per field.
    """
    tournament = act.tournament
    now = now or timezone.now()  # after all earlier entries
    token = _token(form_key, email, persons)
    earlier = Entry.objects.filter(tournament=tournament, token_hash=hash_token(token)).first()
    if earlier is not None:
        return StoredEntry(entry=earlier, token=token, is_new=False)
    closed = closed_reason(tournament, now)
    if closed:
        raise NotOpen(closed)
    address_hash = hash_address(address)
    check_number(len(persons))
    check_limits(tournament, len(persons), address_hash, email, now)
    entry = Entry.objects.create(
        tournament=tournament,
        token_hash=hash_token(token),
        email=email,
        address_hash=address_hash,
        created_at=now,
    )
    writer = _EntryWriter(act=act, entry=entry, proves_address=proves_address, now=now)
    lines = [writer.write(position, person) for position, person in enumerate(persons, 1)]
    with act.entry("entry_sent", entry):
        act.note(lines=[[line.pk, line.status, line.registration_id] for line in lines])
    return StoredEntry(entry=entry, token=token, is_new=True)


def _token(form_key: str, email: str, persons: Iterable[PersonEntry]) -> str:
    """Return the token of an entry: a hash of the form's key and the content.

    It includes the content because people go back in the browser and register the next person
    with the same form.
    """
    content = [
        [
            person.first_name,
            person.last_name,
            person.club_name,
            person.birth_year,
            person.gender,
            person.category.pk if person.category else None,
            sorted(ranking.pk for ranking in person.rankings),
            *([{"declined": [each.pk for each in person.declined]}] if person.declined else []),
            sorted(person.wishes.items()),
            person.publish_consent,
            *([person.plays_on] if person.plays_on else []),
            *([{"pass": person.member_number}] if person.member_number else []),
        ]
        for person in persons
    ]
    text = json.dumps([form_key, email, content])
    digest = salted_hmac(_KEY_SALT, text, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


@dataclass(frozen=True, slots=True, kw_only=True)
class _EntryWriter:
    """Stores the lines of one entry in order. Part of ``submit_entry``."""

    act: Act[Tournament]
    entry: Entry
    proves_address: bool
    now: datetime

    def write(self, position: int, typed: PersonEntry) -> EntryLine:
        """Store a line with a new or an existing registration, or without one for the desk."""
        tournament = self.entry.tournament
        is_listed = self._check_listed(typed)
        category = typed.category or suiting_category(tournament, typed.birth_year)
        check_choice(tournament, category, typed.rankings, typed.birth_year, typed.gender)
        person, by_pass = matching_person(tournament, typed, candidates(tournament, [typed]))
        is_known = by_pass or not tournament.asks_pass
        existing = tournament.registrations.filter(person=person).first() if person else None
        if existing is not None and self._may_reveal(existing):
            return self._store(position, typed, category, registration=existing)
        banned = bans.current(timezone.localdate(self.now)).filter(person=person)
        if existing is not None or (person is not None and banned.exists()):
            return self._store(position, typed, category)
        is_new = person is None
        if person is None:
            person = create_person(typed, tournament, PUBLIC)
        registration = register(
            self.act,
            tournament.pk,
            person_id=person.pk,
            category=category,
            rankings=entry_rankings(tournament, typed, typed.birth_year, typed.gender),
            declined=typed.declined,
            plays_on=typed.plays_on,
            asks_approval=bool(tournament.admission)
            and not (
                is_listed
                and is_known
                and admission.admission_ground(tournament, Applicant.stored(person, tournament))
            ),
            source=Registration.Source.ONLINE,
            now=self.now,
        )
        return self._store(
            position, typed, category, registration=registration, is_new_person=is_new
        )

    def _check_listed(self, typed: PersonEntry) -> bool:
        """Whether the lists allow the person typed; refuse if no approval is possible (§ 1.1).

        Uses typed data only, so that the answer reveals no stored data.
        """
        tournament = self.entry.tournament
        name = f"{typed.first_name} {typed.last_name}".strip()
        applicant = Applicant(
            full_name=name, club_name=typed.club_name, birth_year=typed.birth_year, has_pass=True
        )
        is_listed = bool(admission.admission_ground(tournament, applicant))
        if tournament.admission == Tournament.Admission.LISTED and not is_listed:
            raise NotInCircle(
                _(
                    "{name} gehört nach diesen Angaben nicht zum Teilnehmerkreis (§ 1.1): "
                    "{circle}. Fragen dazu beantwortet der Veranstalter."
                ).format(name=name, circle=tournament.closed_circle.rstrip("."))
            )
        return is_listed

    def _may_reveal(self, existing: Registration) -> bool:
        """Whether the registration came from the same e-mail address that gets the answer."""
        return (
            self.proves_address
            and bool(self.entry.email)
            and existing.is_coming
            and existing.entry_lines.filter(entry__email__iexact=self.entry.email).exists()
        )

    def _store(
        self,
        position: int,
        typed: PersonEntry,
        category: Category,
        registration: Registration | None = None,
        *,
        is_new_person: bool = False,
    ) -> EntryLine:
        line = EntryLine(
            entry=self.entry,
            position=position,
            status=_Line.OPEN if registration is None else _Line.REGISTERED,
            registration=registration,
            first_name=typed.first_name,
            last_name=typed.last_name,
            club_name=typed.club_name,
            birth_year=typed.birth_year,
            gender=typed.gender,
            member_number=typed.member_number,
            category=category,
            plays_on=typed.plays_on,
            publish_consent=typed.publish_consent,
            is_new_person=is_new_person,
        )
        line.full_clean()  # data from the internet is not validated yet
        line.save()
        line.rankings.set(typed.rankings)
        line.declined.set(typed.declined)
        store_wishes(line, typed.rankings, typed.wishes)
        update_hidden_name(self.act, line)
        return line


def create_person(typed: PersonEntry | EntryLine, tournament: Tournament, actor: Actor) -> Person:
    """Store a new person as typed. Part of a service that locked *tournament*."""
    return people.create_person(
        actor=actor,
        within=tournament,
        first_name=typed.first_name,
        last_name=typed.last_name,
        club=people.find_or_create_club(typed.club_name, actor=actor, within=tournament),
        gender=typed.gender,
        birth_year=typed.birth_year,
        publish_consent=typed.publish_consent,
    )


def change_consent(person: Person, tournament: Tournament, actor: Actor, *, to: bool) -> None:
    """Set the consent to be named in public. Part of a service that locked *tournament*.

    The consent of a lent person is never changed; only the lending organiser can do it.

    Only this tournament is locked, so cached pages of other tournaments are renewed on commit.
    """
    person = Person.objects.select_for_update(of=("self",)).get(pk=person.pk)
    if person.publish_consent == to or person.owner_id != tournament.owner_id:
        return
    before = people.journal_facts(person)
    people.apply_fields(person, {"publish_consent": to}, now=timezone.now())
    # A person belongs to no tournament.
    person.save(update_fields=["publish_consent", "publish_consent_at"])
    journal.record(  # in the tournament that asked
        tournament,
        actor,
        "person_changed",
        person,
        before=before,
        after={**people.journal_facts(person), "changed": ["publish_consent"]},
    )
    played = Registration.objects.filter(Q(person=person) | Q(substitutions__left=person))
    other_tournaments = Tournament.objects.filter(pk__in=played.values("tournament")).exclude(
        pk=tournament.pk
    )
    transaction.on_commit(lambda: people.raise_revisions(other_tournaments))


def update_hidden_name(act: Act[Any], line: EntryLine) -> None:
    """Hide a stored name in this tournament while a line refuses consent; part of an act.

    Lines that the person has answered do not count.
    """
    registration = line.registration
    if registration is None or registration.substitutions.exists():
        return
    lines = registration.entry_lines.exclude(naming=EntryLine.Naming.ANSWERED)
    registration.hides_name = (
        registration.person.publish_consent and lines.filter(publish_consent=False).exists()
    )
    act.store(registration)


def store_wishes(line: EntryLine, rankings: Iterable[Ranking], wishes: Mapping[int, str]) -> None:
    """Replace the wishes of a line, for the chosen rankings of teams."""
    line.wishes.all().delete()
    TeamWish.objects.bulk_create(
        TeamWish(line=line, ranking=ranking, text=text)
        for ranking in rankings
        if ranking.has_teams and (text := wishes.get(ranking.pk, "").strip())
    )
