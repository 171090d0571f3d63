"""Calling a tournament off: roles and states, and the acts refused afterwards."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import icalendar
import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.tournaments.archive.helpers import saved
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, text_of, wanted
from tests.worlds import world
from tournaments.announcement.services import tournaments
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.common.access_keys import player_path, screen_key, table_path
from tournaments.common.errors import TournamentError
from tournaments.desk.online.services.entry import NotOpen
from tournaments.desk.services.registrations import Payment, pay
from tournaments.models import JournalEntry, Role, Tournament
from tournaments.results.services import player_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Tournament.Status
WHY = "Der Saal ist überschwemmt"
NOTE = f"Das Turnier ist abgesagt: {WHY}"


def called_off() -> Tournament:
    """Return a called-off tournament with an online registration paid with 15 €."""
    tournament = make_open_tournament(name="Herbstturnier", slug="herbst", venue="Bürgerhaus")
    sent = send_one(tournament, wanted("Anna", "Kühn"), email="anna@verein.example")
    registration = sent.entry.lines.get().registration
    assert registration is not None
    pay(COMMAND, registration.pk, payment=Payment(amount_cents=1500))
    return tournaments.call_off(COMMAND, tournament.pk, reason=WHY)


tournament = world(called_off)


# --- The act and its undoing --------------------------------------------------------------------


@pytest.mark.parametrize("status", [Status.ANNOUNCED, Status.RUNNING])
def test_a_tournament_is_called_off_until_its_first_serie_begins(status: str):
    planned = make_tournament(status=status)
    make_seated_serie(planned)

    tournaments.call_off(COMMAND, planned.pk, reason=f" {WHY} ")

    planned.refresh_from_db()
    assert (planned.status, planned.called_off_reason) == (Status.CALLED_OFF, WHY)
    entry = JournalEntry.objects.get(action="tournament_status")
    assert (entry.before, entry.after) == ({"status": status}, {"status": "called_off"})
    assert entry.reason == WHY


def test_a_tournament_that_is_played_is_not_called_off():
    started = make_tournament(status=Status.RUNNING)
    serie = make_seated_serie(started)
    started.serien.filter(pk=serie.pk).update(started_at=timezone.now())
    with_games = make_tournament(status=Status.RUNNING)
    write_games(list_of(make_seated_serie(with_games)))

    for begun in (started, with_games):
        with pytest.raises(TournamentError, match="Es wird schon gespielt"):
            tournaments.call_off(COMMAND, begun.pk, reason=WHY)
        begun.refresh_from_db()
        assert begun.status == Status.RUNNING


def test_undoing_a_calling_off_reopens_the_registration(tournament: Tournament):
    tournaments.undo_calling_off(COMMAND, tournament.pk, reason="Ein anderer Saal")

    tournament.refresh_from_db()
    assert (tournament.status, tournament.called_off_reason) == (Status.ANNOUNCED, "")
    assert send_one(tournament, wanted("Bernd", "Voß"), form_key="next").is_new


def test_undoing_a_calling_off_with_seats_resumes_the_tournament():
    seated = make_tournament(status=Status.RUNNING)
    make_seated_serie(seated)
    tournaments.call_off(COMMAND, seated.pk, reason=WHY)

    tournaments.undo_calling_off(COMMAND, seated.pk, reason="doch")

    seated.refresh_from_db()
    assert seated.status == Status.RUNNING


# --- Refused acts -------------------------------------------------------------------------------


def test_a_called_off_tournament_accepts_no_entries(tournament: Tournament):
    with pytest.raises(NotOpen, match=WHY):
        send_one(tournament, wanted("Bernd", "Voß"), form_key="next")


# --- Pages --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "gone"),
    [("public:tournament", "Jetzt melden"), ("entry:register", "bis zum Meldeschluss")],
)
def test_public_page_and_form_show_the_reason(
    client: Client, tournament: Tournament, name: str, gone: str
):
    page = text_of(client.get(at(name, tournament)))

    assert NOTE in page
    assert gone not in page


@pytest.mark.parametrize(("days", "heading"), [(7, "Abgesagt"), (-7, "Vergangene")])
def test_the_start_page_marks_a_called_off_tournament(
    client: Client, tournament: Tournament, days: int, heading: str
):
    tournament.starts_at = timezone.now() + timedelta(days=days)
    tournament.registration_deadline = tournament.starts_at
    tournament.save()

    page = text_of(client.get("/"))

    assert heading in page
    assert "Herbstturnier" in page
    assert "abgesagt" in page
    assert "Als Nächstes" not in page


def test_the_calendar_file_cancels_the_day(client: Client, tournament: Tournament):
    url = at("public:calendar", tournament)
    (event,) = icalendar.Calendar.from_ical(client.get(url).content).walk("VEVENT")

    assert event["status"] == "CANCELLED"
    assert WHY in str(event["description"])


def test_the_screen_shows_only_the_calling_off(client: Client, tournament: Tournament):
    key = screen_key(tournament.pk, 1)
    url = at("screen:keyed", tournament, 1, key)

    page = text_of(client.get(url))

    assert "<h1>Das Turnier ist abgesagt</h1>" in page
    assert WHY in page


def test_the_own_page_shows_the_refund(client: Client, tournament: Tournament):
    player_access.store_tokens(tournament)
    registration = tournament.registrations.get()

    page = text_of(client.get(player_path(registration))).replace("\xa0", " ")

    assert NOTE in page
    assert "Sie bekommen 15,00 € zurück." in page
    assert "Sobald die Sitzordnung" not in page


def test_an_entry_page_shows_the_refund_and_no_dues(client: Client, tournament: Tournament):
    tournament.kaution_cents = 2000
    tournament.save()
    token = send_one(tournament, wanted("Anna", "Kühn"), email="anna@verein.example").token

    page = text_of(client.get(at("entry:registration", token))).replace("\xa0", " ")

    assert NOTE in page
    assert "Sie bekommen 15,00 € zurück." in page
    for gone in ("Zu zahlen", "eine Kaution von", "Am Tisch der Anmeldung zeigen", "Abmelden"):
        assert gone not in page


def test_a_table_code_explains_the_calling_off(client: Client):
    seated = make_tournament(status=Status.RUNNING)
    access = list_of(make_seated_serie(seated)).table.access
    tournaments.call_off(COMMAND, seated.pk, reason=WHY)
    seated.refresh_from_db()

    page = text_of(client.get(table_path(access)))

    assert NOTE in page


# --- Pages of the Spielleitung ------------------------------------------------------------------


def test_the_page_calls_a_tournament_off_and_undoes_it(client: Client):
    planned = make_tournament()
    make_registration(planned)
    client.force_login(make_member(planned, Role.SPIELLEITUNG))

    done = client.post(at("setup:call_off", planned), {"reason": WHY}, follow=True)
    page = text_of(done)
    assert "Das Turnier ist abgesagt. Wer bezahlt hat" in page
    assert NOTE in page
    undo = at("setup:undo_calling_off", planned)
    assert undo in page

    refused = client.post(undo, {"reason": ""})
    assert refused.status_code == 422
    assert "Die Absage ist zurückgenommen" in text_of(
        client.post(undo, {"reason": "doch"}, follow=True)
    )


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("setup:section", ["text"]),
        ("desk:desk", []),
        ("draw:serien", []),
        ("draw:serie", [1]),
        ("closing:page", []),
        ("cash:refunds", []),
    ],
)
def test_pages_of_the_staff_show_the_calling_off(
    client: Client, tournament: Tournament, name: str, args: list[Any]
):
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = text_of(client.get(at(name, tournament, *args)))

    assert NOTE in page
    assert "Turnier wieder öffnen" not in page
    assert at("draw:begin", tournament, 1) not in page


# --- Kept elsewhere -----------------------------------------------------------------------------


def test_a_called_off_tournament_survives_an_archive(tournament: Tournament):
    text = saved(Tournament.objects.get(pk=tournament.pk))

    again = import_archive(text.encode(), actor=COMMAND, replace=True)

    assert (again.status, again.called_off_reason) == (Status.CALLED_OFF, WHY)
    assert archive_text(again) == text
