"""Settling lines put aside, and deleting entries."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.factories import COMMAND, make_ban, make_club, make_person
from tests.tournaments.desk.online.helpers import (
    make_open_tournament,
    make_ranking,
    registration_of,
    send_one,
    wanted,
)
from tests.worlds import world
from tournaments.common.errors import Conflict, WrongStatus
from tournaments.desk.online.queries import entries as queries
from tournaments.desk.online.services import desk as entry_desk
from tournaments.desk.online.services import naming
from tournaments.desk.services.changes import withdraw
from tournaments.desk.services.exclusions import exclude
from tournaments.desk.services.registrations import Payment, pay
from tournaments.models import (
    Entry,
    EntryLine,
    JournalEntry,
    Person,
    Ranking,
    Registration,
    TeamWish,
    Tournament,
)
from tournaments.people.services.anonymise import AnonymisedPerson

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = EntryLine.Status


def put_aside(tournament: Tournament) -> tuple[Registration, EntryLine]:
    """Register Anna, and put a second entry for her aside."""
    first = send_one(tournament).entry.lines.get()
    again = send_one(tournament, form_key="again", email="fremd@example.org").entry.lines.get()
    assert again.status == Status.OPEN
    return registration_of(first), again


tournament = world(make_open_tournament)


def test_a_returning_person_gets_the_old_number(tournament: Tournament):
    registration, line = put_aside(tournament)
    withdraw(COMMAND, registration.pk)

    entry_desk.attach(COMMAND, line.pk, registration_id=registration.pk)

    registration.refresh_from_db()
    assert (registration.status, registration.number) == ("registered", 1)


@pytest.mark.both
def test_an_excluded_person_cannot_return_by_the_desk(tournament: Tournament):
    registration, line = put_aside(tournament)
    exclude(COMMAND, registration.pk, reason="Betrug")

    with pytest.raises(WrongStatus, match="ausgeschlossen"):
        entry_desk.attach(COMMAND, line.pk, registration_id=registration.pk)


@pytest.mark.both
def test_a_namesake_is_registered_as_a_new_person_after_the_deadline_too(
    tournament: Tournament,
):
    _registration, line = put_aside(tournament)
    late = tournament.registration_deadline + timedelta(minutes=5)

    entry_desk.register_as_new(COMMAND, line.pk, now=late)

    line.refresh_from_db()
    assert line.is_new_person
    assert registration_of(line).number == 2
    assert Person.objects.filter(last_name="Kühn").count() == 2
    assert registration_of(line).late_reason == "rechtzeitig über das Internet gemeldet"


def test_a_declined_line_leaves_no_registration_and_no_wish(tournament: Tournament):
    team = make_ranking(tournament, Ranking.Kind.TEAM, size=4)
    send_one(tournament)
    again = wanted(rankings=[team], wishes={team.pk: "Altenburg"})
    line = send_one(tournament, again, form_key="again").entry.lines.get()

    entry_desk.dismiss(COMMAND, line.pk)

    line.refresh_from_db()
    assert line.status == Status.DISMISSED
    assert not TeamWish.objects.exists()


def test_consent_is_confirmed_only_if_requested(tournament: Tournament):
    make_person("Anna", "Kühn", club=make_club("SC Altenburg"), birth_year=1960)
    line = send_one(tournament, wanted(publish_consent=True)).entry.lines.get()
    _anna, silent = put_aside(make_open_tournament())

    naming.confirm_consent(COMMAND, line.pk, named=True)

    assert Person.objects.get(first_name="Anna").publish_consent
    with pytest.raises(WrongStatus):
        naming.confirm_consent(COMMAND, silent.pk, named=True)


def test_the_desk_revokes_consent_after_a_confirmation(tournament: Tournament):
    anna = make_person("Anna", "Kühn", club=make_club("SC Altenburg"), publish_consent=True)
    entry = send_one(tournament, wanted(publish_consent=False)).entry
    ((_entry, (row,)),) = queries.inbox(tournament, [entry])

    naming.confirm_consent(COMMAND, entry.lines.get().pk, named=False)

    anna.refresh_from_db()
    assert row["asks_for_name"]
    assert not anna.publish_consent


def test_a_prank_entry_is_undone_whole(tournament: Tournament):
    registration, _line = put_aside(tournament)
    prank = send_one(tournament, wanted(), wanted("Bernd"), wanted("Clara"), form_key="prank").entry

    entry_desk.discard(COMMAND, prank.pk)

    registration.refresh_from_db()
    assert registration.status == Registration.Status.REGISTERED
    assert Registration.objects.filter(status="withdrawn").count() == 2
    assert not prank.lines.filter(status=Status.OPEN).exists()


@pytest.mark.both
def test_a_paid_entry_cannot_be_undone_as_a_prank(tournament: Tournament):
    sent = send_one(tournament, wanted(), wanted("Bernd"))
    line = sent.entry.lines.get(position=2)
    pay(COMMAND, registration_of(line).pk, payment=Payment())

    with pytest.raises(Conflict, match="Bernd Kühn hat schon bezahlt"):
        entry_desk.discard(COMMAND, sent.entry.pk)

    assert not Registration.objects.filter(status="withdrawn").exists()


def test_anonymising_deletes_the_entry_lines(tournament: Tournament):
    sent = send_one(tournament, wanted(), wanted("Bernd"))
    alone = send_one(tournament, wanted("Clara"))
    persons = Person.objects.filter(first_name__in=["Anna", "Clara"])

    entry_desk.forget_persons(
        AnonymisedPerson(
            persons=tuple(persons.values_list("pk", flat=True)),
            last_names=(),
            full_names=(),
            tournaments=(),
            actor=COMMAND,
        )
    )

    assert [line.first_name for line in EntryLine.objects.all()] == ["Bernd"]
    assert Entry.objects.filter(pk=sent.entry.pk).exists()
    assert not Entry.objects.filter(pk=alone.entry.pk).exists()


@pytest.mark.both
def test_the_desk_sees_the_reason_of_a_line_put_aside(tournament: Tournament):
    registration, _line = put_aside(tournament)
    banned = make_person("Bernd", "Voß")
    make_ban(banned, "Tätlichkeit")
    send_one(tournament, wanted("Bernd", "Voß", club_name="", birth_year=None), form_key="b")

    first, second = queries.unclear_lines(tournament)

    assert (first["registration"], first["ban_reason"]) == (registration, "")
    assert (second["registration"], second["ban_reason"]) == (None, "Tätlichkeit")


@pytest.mark.both
def test_the_desk_sees_namesakes_and_open_questions_of_consent(
    tournament: Tournament,
):
    stored = make_person("Anna", "Kühn", club=make_club("SC Altenburg"), birth_year=1950)
    known = make_person("Clara", "Lang", club=Person.objects.get().club, birth_year=1960)
    send_one(tournament, wanted(), wanted("Clara", "Lang", publish_consent=True))

    ((_entry, rows),) = queries.inbox(tournament, list(queries.entries(tournament)))

    assert [row["namesakes"] for row in rows] == [[stored], []]
    assert [row["asks_for_name"] for row in rows] == [False, True]
    assert registration_of(rows[1]["standing"].line).person == known


def test_the_journal_of_the_desk_contains_no_names(tournament: Tournament):
    registration, line = put_aside(tournament)
    entry_desk.attach(COMMAND, line.pk, registration_id=registration.pk)
    entry_desk.renew_link(COMMAND, line.entry_id)

    told = str(list(JournalEntry.objects.values_list("before", "after", "reason")))
    assert "Kühn" not in told
    assert "example.org" not in told
