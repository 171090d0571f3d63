"""The permitted changes by the link of an entry, and their deadline."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.factories import COMMAND, make_club, make_person
from tests.tournaments.desk.online.helpers import (
    make_open_tournament,
    make_ranking,
    registration_of,
    send_one,
    wanted,
)
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.desk.online.services import changes as entry_changes
from tournaments.desk.online.services.changes import (
    change_email,
    change_line,
    find_entry,
    withdraw_line,
)
from tournaments.desk.online.services.choice import EntryChoice
from tournaments.desk.online.services.entry import PUBLIC
from tournaments.desk.services.changes import substitute
from tournaments.desk.services.exclusions import exclude
from tournaments.desk.services.registrations import Payment, pay
from tournaments.desk.services.teams import create_team
from tournaments.models import (
    EntryLine,
    JournalEntry,
    Person,
    Ranking,
    Receipt,
    Registration,
    Tournament,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def sent_line(tournament: Tournament, **fields: Any) -> EntryLine:
    sent = send_one(tournament, wanted(**fields), email="anna@verein.example")
    return sent.entry.lines.select_related("registration__person").get()


def same_choice(tournament: Tournament, **fields: Any) -> EntryChoice:
    return EntryChoice(**{"category": tournament.categories.get(position=0), **fields})


tournament = world(make_open_tournament)


def test_a_token_opens_its_own_entry_only():
    sent = send_one(make_open_tournament())

    assert find_entry(sent.token) == sent.entry
    assert find_entry(sent.token[:-1]) is None
    assert find_entry("") is None
    assert find_entry(sent.entry.token_hash) is None


@pytest.mark.both
def test_changed_startgeld_and_rankings_change_the_dues(tournament: Tournament):
    team = make_ranking(tournament, Ranking.Kind.TEAM, size=4, stake_cents=500)
    cheap = tournament.categories.create(name="Mitglieder", startgeld_cents=1000, position=1)
    line = sent_line(tournament, category=tournament.categories.get(position=0))

    change_line(
        PUBLIC,
        line.pk,
        choice=EntryChoice(category=cheap, rankings=[team], wishes={team.pk: "Altenburg I"}),
    )

    registration = Registration.objects.get()
    assert registration.due_cents == 1500
    assert list(registration.rankings.all()) == [team]
    assert line.wishes.get().text == "Altenburg I"


def test_an_unsuitable_choice_is_refused(tournament: Tournament):
    juniors = make_ranking(tournament, Ranking.Kind.JUNIORS, born_from=2008)
    line = sent_line(tournament)

    with pytest.raises(TournamentError, match="„Junioren“ passt nicht zu Jahrgang oder Geschlecht"):
        change_line(PUBLIC, line.pk, choice=same_choice(tournament, rankings=[juniors]))


def test_opting_out_by_the_link_holds_until_unticked(tournament: Tournament):
    women = make_ranking(tournament, Ranking.Kind.WOMEN)
    line = sent_line(tournament, gender="f")
    registration = registration_of(line)
    joined = list(registration.rankings.all())

    change_line(PUBLIC, line.pk, choice=same_choice(tournament, declined=[women]))
    out = list(registration.rankings.all())
    change_line(PUBLIC, line.pk, choice=same_choice(tournament))

    assert (joined, out) == ([women], [])
    assert list(registration.rankings.all()) == [women]


def test_a_team_cannot_be_left_by_the_link(tournament: Tournament):
    team = make_ranking(tournament, Ranking.Kind.TEAM, size=4)
    line = sent_line(tournament, rankings=[team])
    create_team(COMMAND, team.pk, registration_ids=[registration_of(line).pk])

    with pytest.raises(TournamentError, match="gehört schon zu einer Mannschaft"):
        change_line(PUBLIC, line.pk, choice=same_choice(tournament))


def test_consent_is_given_and_revoked_for_a_person_of_the_own_entry(tournament: Tournament):
    line = sent_line(tournament)

    change_line(PUBLIC, line.pk, choice=same_choice(tournament, publish_consent=True))
    assert Person.objects.get().publish_consent
    change_line(PUBLIC, line.pk, choice=same_choice(tournament, publish_consent=False))

    assert not Person.objects.get().publish_consent


def test_the_link_does_not_change_consent_of_a_stored_person(tournament: Tournament):
    make_person("Anna", "Kühn", club=make_club("SC Altenburg"), birth_year=1960)
    line = sent_line(tournament)

    change_line(PUBLIC, line.pk, choice=same_choice(tournament, publish_consent=True))
    assert not Person.objects.get().publish_consent
    Person.objects.update(publish_consent=True)
    change_line(PUBLIC, line.pk, choice=same_choice(tournament, publish_consent=False))

    assert Person.objects.get().publish_consent


def test_the_link_does_not_change_consent_of_a_merged_person(tournament: Tournament):
    stored = make_person("Anna", "Kühn")
    Person.objects.update(created_at=timezone.now() - timedelta(days=400))
    line = sent_line(tournament)
    Registration.objects.update(person=stored)

    change_line(PUBLIC, line.pk, choice=same_choice(tournament, publish_consent=True))

    stored.refresh_from_db()
    assert not stored.publish_consent


def test_withdrawing_frees_the_place_without_a_refund():
    tournament = make_open_tournament(refund_until=timezone.now() + timedelta(days=20))
    line = sent_line(tournament)
    pay(COMMAND, registration_of(line).pk, payment=Payment(method=Receipt.Method.BANK))

    withdraw_line(PUBLIC, line.pk)

    line.refresh_from_db()
    registration = Registration.objects.get()
    assert registration.status == Registration.Status.WITHDRAWN
    assert registration.status_reason == "über das Internet abgemeldet"
    assert balances.paid_cents(registration) == 1500
    assert Receipt.objects.count() == 1
    assert line.withdrawn_at is not None
    act = JournalEntry.objects.get(action="registration_status", after__status="withdrawn")
    assert act.actor_kind == JournalEntry.ActorKind.PUBLIC


@pytest.mark.parametrize(
    "gone",
    [
        pytest.param(lambda line: withdraw_line(PUBLIC, line.pk), id="withdrawn before"),
        pytest.param(
            lambda line: exclude(COMMAND, line.registration_id, reason="B"), id="excluded"
        ),
        pytest.param(
            lambda line: substitute(
                COMMAND, line.registration_id, person_id=make_person().pk, reason="krank"
            ),
            id="a substitute plays",
        ),
        pytest.param(
            lambda _line: Tournament.objects.update(status=Tournament.Status.CLOSED), id="closed"
        ),
    ],
)
def test_a_person_no_longer_playing_changes_nothing(
    tournament: Tournament, gone: Callable[[EntryLine], object]
):
    line = sent_line(tournament)
    gone(line)

    with pytest.raises(WrongStatus, match=r"nichts mehr ändern|abgeschlossen"):
        withdraw_line(PUBLIC, line.pk)


def test_a_line_put_aside_can_be_changed_and_withdrawn(tournament: Tournament):
    send_one(tournament)
    aside = send_one(tournament, form_key="again").entry.lines.get()
    assert aside.status == EntryLine.Status.OPEN

    change_line(PUBLIC, aside.pk, choice=same_choice(tournament, publish_consent=True))
    withdraw_line(PUBLIC, aside.pk)

    aside.refresh_from_db()
    assert aside.publish_consent
    assert aside.status == EntryLine.Status.DISMISSED
    assert Registration.objects.get().status == Registration.Status.REGISTERED


def test_after_the_deadline_the_link_changes_nothing(tournament: Tournament):
    line = sent_line(tournament)
    late = tournament.registration_deadline + timedelta(seconds=1)

    for act in (
        lambda: change_line(PUBLIC, line.pk, choice=same_choice(tournament), now=late),
        lambda: withdraw_line(PUBLIC, line.pk, now=late),
        lambda: change_email(PUBLIC, line.entry_id, email="x@y.example", now=late),
    ):
        with pytest.raises(WrongStatus, match="Meldeschluss ist vorbei"):
            act()


def test_a_new_address_is_stored_but_not_journalled():
    line = sent_line(make_open_tournament())

    entry = change_email(PUBLIC, line.entry_id, email="neu@verein.example")

    assert entry.email == "neu@verein.example"
    assert "verein.example" not in str(list(JournalEntry.objects.values("before", "after")))


def test_changes_of_the_address_are_limited(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(entry_changes, "MOST_EMAIL_CHANGES", 1)
    line = sent_line(make_open_tournament())
    change_email(PUBLIC, line.entry_id, email="eins@verein.example")

    with pytest.raises(TournamentError, match="schon oft geändert"):
        change_email(PUBLIC, line.entry_id, email="zwei@verein.example")
