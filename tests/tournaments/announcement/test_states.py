"""From the first draft to the closing: the conditions and effects of each step."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from scoring.rulesets import ruleset
from tests.factories import (
    COMMAND,
    START,
    make_member,
    make_players,
    make_registration,
    make_tournament,
    make_user,
)
from tests.tournaments.announcement.helpers import BEFORE, make_complete
from tournaments.announcement.services import tournaments
from tournaments.closing import services as closing
from tournaments.common.actors import Actor
from tournaments.common.errors import NotAllowed, TournamentError, WrongStatus
from tournaments.common.organisers import first_organiser
from tournaments.journal import proof
from tournaments.models import JournalEntry, Registration, Role, Serie, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Tournament.Status


def create(**values: Any) -> Tournament:
    given: dict[str, Any] = {
        "owner": first_organiser(),
        "name": "Herbstturnier 2026",
        "starts_at": START,
        "rule_set": ruleset("rommeordnung"),
        "serien": 3,
        "startgeld_cents": 1500,
        "actor": COMMAND,
        **values,
    }
    return tournaments.create_tournament(**given)


def test_a_new_tournament_is_a_draft_of_its_creator():
    admin = make_user(is_admin=True)

    tournament = create(actor=Actor.account(admin))

    assert tournament.status == Status.DRAFT
    assert tournament.slug == "herbstturnier-2026"
    assert [m.role for m in tournament.memberships.filter(user=admin)] == [Role.VERANSTALTER]
    assert tournament.categories.get().startgeld_cents == 1500
    assert [each.kind for each in tournament.rankings.all()] == ["single"]
    assert [each.seating for each in tournament.serien.all()] == [Serie.Seating.CARDS] * 3
    actions = JournalEntry.objects.filter(chain__tournament=tournament)
    assert [entry.action for entry in actions] == ["tournament_created", "role_given"]
    assert list(proof.of_installation()) == []


def test_the_deadline_is_fifteen_minutes_before_the_start_by_paragraph_1_3():
    assert create().registration_deadline == START - timedelta(minutes=15)


@pytest.mark.parametrize(
    ("taken", "name", "slug"),
    [
        ([], "Kühns 3. Rommé-Cup", "kuehns-3-romme-cup"),
        (["herbst"], "Herbst", "herbst-2"),
        (["herbst", "herbst-2"], "Herbst", "herbst-3"),
        ([], "Neu", "neu-2"),  # /turniere/neu/ is a page of the program
        ([], "!!!", "turnier"),
        ([], "a" * 80, "a" * 60),
        (["a" * 60], "a" * 80, "a" * 58 + "-2"),
    ],
)
def test_the_address_is_made_of_the_name_and_unique(taken: list[str], name: str, slug: str):
    for each in taken:
        make_tournament(slug=each)

    assert tournaments.suggest_slug(name) == slug


def test_a_veranstalter_may_make_another_tournament_and_a_helper_may_not():
    other = make_tournament()
    head = make_member(other, Role.VERANSTALTER)
    helper = make_member(other, Role.SPIELLEITUNG)

    assert create(actor=Actor.account(head)).pk
    with pytest.raises(NotAllowed, match="Anlegen und einlesen kann"):
        create(actor=Actor.account(helper))


def test_a_name_that_cannot_be_stored_is_refused_with_a_message():
    with pytest.raises(TournamentError, match="120"):
        create(name="x" * 121)

    assert not Tournament.objects.exists()


def test_all_missing_facts_are_named_at_once():
    tournament = make_tournament(status=Status.DRAFT, serien=0)
    tournament.categories.all().delete()

    with pytest.raises(tournaments.IncompleteAusschreibung) as refusal:
        tournaments.announce(COMMAND, tournament.pk, now=START + timedelta(days=1))

    assert [(each.section.value, each.sentence) for each in refusal.value.missing] == [
        (
            "allgemeines",
            "Der Beginn liegt in der Vergangenheit. Bitte Tag und Uhrzeit ändern.",
        ),
        ("allgemeines", "Der Spielort fehlt."),
        ("allgemeines", "Es fehlt, wer das Turnier veranstaltet."),
        ("allgemeines", "Für Rückfragen fehlt eine E-Mail-Adresse oder Telefonnummer."),
        ("serien", "Es ist noch keine Serie vorgesehen."),
        (
            "startgeld",
            "Es fehlt, was das Startgeld beträgt (0,00 €, wenn keines erhoben wird).",
        ),
    ]
    tournament.refresh_from_db()
    assert tournament.status == Status.DRAFT


@pytest.mark.parametrize("minutes", [-5, 30], ids=["Meldeschluss past", "begun"])
def test_a_club_evening_can_be_announced_around_its_start(tournament: Tournament, minutes: int):
    tournaments.announce(COMMAND, tournament.pk, now=START + timedelta(minutes=minutes))

    tournament.refresh_from_db()
    assert tournament.status == Status.ANNOUNCED


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            {"ranking": {"category": "serie", "serie": 4}, "place": 1, "fixed_cents": 1000},
            "„Serie 4“, aber diese Serie wird nicht gespielt",
        ),
        (
            {"ranking": {"category": "women"}, "place": 1, "goods": "Blumen"},
            "„Damen“, aber diese Wertung wird nicht geführt",
        ),
    ],
)
def test_an_unwinnable_prize_prevents_the_announcement(line: dict[str, Any], sentence: str):
    tournament = make_complete(prize_plan={"startgeld": {"lines": [line]}})

    with pytest.raises(tournaments.IncompleteAusschreibung, match=sentence):
        tournaments.announce(COMMAND, tournament.pk, now=BEFORE)


def test_an_ausschreibung_with_registrations_stays_published():
    tournament = make_complete(status=Status.ANNOUNCED)
    make_registration(tournament, status=Registration.Status.WITHDRAWN)

    with pytest.raises(TournamentError, match="schon 1 Person gemeldet"):
        tournaments.back_to_draft(COMMAND, tournament.pk)


def test_the_tournament_starts_with_enough_paid_players():
    tournament = make_complete(status=Status.ANNOUNCED)
    make_players(tournament, 2)

    with pytest.raises(TournamentError, match="Bezahlt haben erst 2; der kleinste Tisch hat 3"):
        tournaments.start(COMMAND, tournament.pk)
    make_registration(tournament)
    tournaments.start(COMMAND, tournament.pk)

    tournament.refresh_from_db()
    assert tournament.status == Status.RUNNING


def test_a_tournament_is_closed_with_settled_registrations():
    tournament = make_complete(status=Status.RUNNING)
    make_registration(tournament)
    make_registration(tournament, status=Registration.Status.NO_SHOW)
    make_registration(tournament, status=Registration.Status.WITHDRAWN)

    closing.close(COMMAND, tournament.pk)

    tournament.refresh_from_db()
    assert tournament.is_read_only


@pytest.mark.parametrize(
    ("unsettled", "sentence"),
    [
        (1, r"Gemeldet und nicht bezahlt: Nr\. 1\."),
        (2, r"Gemeldet und nicht bezahlt: Nr\. 1, Nr\. 2\."),
        (12, r"Gemeldet und nicht bezahlt: Nr\. 1, .* Nr\. 8 und 4 weitere\."),
    ],
)
def test_closing_names_unsettled_registrations(unsettled: int, sentence: str):
    tournament = make_complete(status=Status.RUNNING)
    for _person in range(unsettled):
        make_registration(tournament, status=Registration.Status.REGISTERED)

    with pytest.raises(TournamentError, match=sentence):
        closing.close(COMMAND, tournament.pk)

    tournament.refresh_from_db()
    assert tournament.status == Status.RUNNING


@pytest.mark.parametrize(
    ("act", "status", "sentence"),
    [
        (tournaments.announce, Status.ANNOUNCED, "ist ausgeschrieben"),
        (tournaments.announce, Status.CLOSED, "ist abgeschlossen"),
        (tournaments.back_to_draft, Status.DRAFT, "noch nicht ausgeschrieben"),
        (tournaments.back_to_draft, Status.RUNNING, "läuft schon"),
        (tournaments.start, Status.DRAFT, "noch nicht ausgeschrieben"),
        (tournaments.start, Status.RUNNING, "läuft schon"),
        (closing.close, Status.ANNOUNCED, "hat noch nicht begonnen"),
    ],
)
def test_no_step_can_be_taken_twice_or_too_early(
    act: Callable[..., Tournament], status: str, sentence: str
):
    tournament = make_complete(status=status)

    with pytest.raises(WrongStatus, match=sentence):
        act(COMMAND, tournament.pk)

    tournament.refresh_from_db()
    assert tournament.status == status
    assert not JournalEntry.objects.exists()
