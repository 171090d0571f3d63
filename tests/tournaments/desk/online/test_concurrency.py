"""Two browsers in the same moment: never a place, a person or a form twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.concurrency import at_once
from tests.factories import COMMAND, make_players
from tests.tournaments.desk.online.helpers import (
    make_open_tournament,
    registration_of,
    send_one,
    wanted,
)
from tournaments.desk.online.services import entry_limits
from tournaments.desk.online.services.changes import withdraw_line
from tournaments.desk.online.services.entry import PUBLIC, PersonEntry
from tournaments.desk.services.registrations import Payment, pay
from tournaments.journal import services as journal
from tournaments.models import Entry, EntryLine, Registration, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def sending_of(tournament: Tournament, person: PersonEntry, form_key: str) -> Callable[[], object]:
    return lambda: send_one(tournament, person, form_key=form_key, address="192.0.2.7")


def test_the_last_place_goes_to_one_of_two_browsers():
    tournament = make_open_tournament(places=3)
    make_players(tournament, 2)

    at_once(
        sending_of(tournament, wanted("Anna"), "a"), sending_of(tournament, wanted("Berta"), "b")
    )

    lines = EntryLine.objects.values_list("registration__status", flat=True)
    assert sorted(lines) == ["registered", "waiting"]


def test_two_browsers_sending_one_person_register_it_once():
    tournament = make_open_tournament()

    at_once(sending_of(tournament, wanted(), "a"), sending_of(tournament, wanted(), "b"))

    assert Registration.objects.count() == 1
    assert sorted(EntryLine.objects.values_list("status", flat=True)) == ["open", "registered"]


def test_a_double_click_is_one_entry():
    tournament = make_open_tournament()

    answers = at_once(*[sending_of(tournament, wanted(), "same")] * 2)

    assert sorted(answer.is_new for answer in answers) == [False, True]
    assert Entry.objects.count() == 1
    assert list(journal.first_breaks()) == []


def test_a_flood_from_many_browsers_is_counted_exactly(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(entry_limits, "MOST_PER_ADDRESS", 3)
    tournament = make_open_tournament()

    at_once(*[sending_of(tournament, wanted(name), name) for name in ("A", "B", "C", "D", "E")])

    assert Registration.objects.count() == 3


def test_concurrent_withdrawal_and_payment_stay_consistent():
    tournament = make_open_tournament()
    line = send_one(tournament).entry.lines.get()

    at_once(
        lambda: withdraw_line(PUBLIC, line.pk),
        lambda: pay(COMMAND, registration_of(line).pk, payment=Payment()),
    )

    # The second act saw the first: the money was refused, or is left behind visibly.
    registration = Registration.objects.get()
    assert registration.status == Registration.Status.WITHDRAWN
