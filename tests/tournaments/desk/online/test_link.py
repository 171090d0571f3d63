"""What the link of a sending can do, and until when."""

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


def test_the_token_opens_its_sending_and_no_other():
    sent = send_one(make_open_tournament())

    assert find_entry(sent.token) == sent.entry
    assert find_entry(sent.token[:-1]) is None
    assert find_entry("") is None
    assert find_entry(sent.entry.token_hash) is None


@pytest.mark.both
def test_another_startgeld_and_another_ranking_change_what_is_due(tournament: Tournament):
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


def test_a_choice_that_does_not_suit_is_refused(tournament: Tournament):
    juniors = make_ranking(tournament, Ranking.Kind.JUNIORS, born_from=2008)
    line = sent_line(tournament)

    with pytest.raises(TournamentError, match="„Junioren“ passt nicht zu Jahrgang oder Geschlecht"):
        change_line(PUBLIC, line.pk, choice=same_choice(tournament, rankings=[juniors]))


def test_who_opts_out_by_the_link_is_out_until_the_tick_is_gone(tournament: Tournament):
    women = make_ranking(tournament, Ranking.Kind.WOMEN)
    line = sent_line(tournament, gender="f")
    registration = registration_of(line)
    joined = list(registration.rankings.all())

    change_line(PUBLIC, line.pk, choice=same_choice(tournament, declined=[women]))
    out = list(registration.rankings.all())
    change_line(PUBLIC, line.pk, choice=same_choice(tournament))

    assert (joined, out) == ([women], [])
    assert list(registration.rankings.all()) == [women]


def test_nobody_leaves_a_team_by_the_link(tournament: Tournament):
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


def test_consent_of_somebody_stored_before_is_neither_given_nor_taken_back(tournament: Tournament):
    make_person("Anna", "Kühn", club=make_club("SC Altenburg"), birth_year=1960)
    line = sent_line(tournament)

    change_line(PUBLIC, line.pk, choice=same_choice(tournament, publish_consent=True))
    assert not Person.objects.get().publish_consent
    Person.objects.update(publish_consent=True)
    change_line(PUBLIC, line.pk, choice=same_choice(tournament, publish_consent=False))

    assert Person.objects.get().publish_consent


def test_consent_is_not_given_to_whom_the_person_was_merged_into(tournament: Tournament):
    stored = make_person("Anna", "Kühn")
    Person.objects.update(created_at=timezone.now() - timedelta(days=400))
    line = sent_line(tournament)
    Registration.objects.update(person=stored)

    change_line(PUBLIC, line.pk, choice=same_choice(tournament, publish_consent=True))

    stored.refresh_from_db()
    assert not stored.publish_consent


def test_withdrawing_frees_the_place_and_refunds_nothing_by_itself():
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
def test_who_does_not_play_any_more_changes_nothing(
    tournament: Tournament, gone: Callable[[EntryLine], object]
):
    line = sent_line(tournament)
    gone(line)

    with pytest.raises(WrongStatus, match=r"nichts mehr ändern|abgeschlossen"):
        withdraw_line(PUBLIC, line.pk)


def test_somebody_put_aside_can_change_and_withdraw_as_everybody_else(tournament: Tournament):
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


def test_another_address_is_kept_and_the_journal_does_not_repeat_it():
    line = sent_line(make_open_tournament())

    entry = change_email(PUBLIC, line.entry_id, email="neu@verein.example")

    assert entry.email == "neu@verein.example"
    assert "verein.example" not in str(list(JournalEntry.objects.values("before", "after")))


def test_the_address_cannot_be_changed_to_flood_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(entry_changes, "MOST_EMAIL_CHANGES", 1)
    line = sent_line(make_open_tournament())
    change_email(PUBLIC, line.entry_id, email="eins@verein.example")

    with pytest.raises(TournamentError, match="schon oft geändert"):
        change_email(PUBLIC, line.entry_id, email="zwei@verein.example")
