"""The waiting list: the order of offers, their deadline and their holders."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from tests.clients import Client, at
from tests.concurrency import at_once
from tests.factories import COMMAND, make_member, make_person, make_players
from tests.tournaments.desk.online.helpers import (
    make_open_tournament,
    registration_of,
    send_one,
    text_of,
    wanted,
)
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.desk.online.services.entry import PUBLIC
from tournaments.desk.online.services.offers import (
    accept_offer,
    ask_by_phone,
    decline_offer,
    end_offer,
    offer_free_places,
)
from tournaments.desk.queries.free_places import free_places
from tournaments.desk.services.changes import admit, rejoin, withdraw
from tournaments.desk.services.registrations import register
from tournaments.journal import services as journal
from tournaments.models import JournalEntry, Registration, Role, Tournament

Status = Registration.Status
HOURS = 48
NAMES = ("Anna", "Berta", "Clara")

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_mail"), pytest.mark.once]


def full(*names: str, hours: int | None = HOURS, **fields: Any) -> Tournament:
    """A tournament of three places, all taken, with *names* on its waiting list."""
    tournament = make_open_tournament(places=3, offer_hours=hours, **fields)
    make_players(tournament, 3)
    for name in names or NAMES:
        send_one(tournament, wanted(name), form_key=name, email=f"{name}@verein.example".lower())
    return tournament


def of(name: str) -> Registration:
    """Return a registration by last name, which distinguishes it from those of the factories."""
    return Registration.objects.get(person__first_name=name, person__last_name__in=["Kühn", "Hier"])


def leave(tournament: Tournament) -> None:
    playing = tournament.registrations.filter(status__in=Registration.TAKING_PART)
    withdraw(COMMAND, playing.earliest("pk").pk)


def link() -> str:
    """The address in the newest mail, without its host."""
    match = re.search(r"/nachruecken/\d+-[\w=-]+/", str(mail.outbox[-1].body))
    assert match
    return match[0]


def asked() -> list[str]:
    return [message.to[0].split("@")[0] for message in mail.outbox]


def later(hours: float) -> datetime:
    return timezone.now() + timedelta(hours=hours)


def let_time_pass() -> None:
    """Expire all open offers."""
    Registration.objects.filter(offered_until__isnull=False).update(offered_until=later(-1))


# --- Order of offers -----------------------------------------------------------------------------


def test_the_next_person_gets_an_offer_and_the_place_is_held():
    tournament = full()
    leave(tournament)

    offer_free_places()
    offer_free_places()

    assert asked() == ["anna"]
    until = of("Anna").offered_until
    assert until is not None
    assert abs(until - later(HOURS)) < timedelta(minutes=1)
    assert of("Berta").offered_until is None
    assert free_places(tournament, timezone.now()) == 0
    (entry,) = JournalEntry.objects.filter(action="place_offered")
    assert (entry.subject_id, entry.actor_label) == (of("Anna").pk, "watch_backups")
    assert list(journal.first_breaks()) == []


@pytest.mark.parametrize("hours", [None, HOURS])
def test_no_offer_is_made_without_a_free_place_or_an_announced_deadline(hours):
    tournament = full(hours=hours)
    if hours is None:
        leave(tournament)

    offer_free_places()

    assert asked() == []


def test_the_desk_decides_on_the_day_and_during_the_tournament():
    today = full("Anna")
    leave(today)
    now = timezone.now()
    Tournament.objects.filter(pk=today.pk).update(registration_deadline=now, starts_at=now)
    running = full("Berta")
    leave(running)
    Tournament.objects.filter(pk=running.pk).update(status=Tournament.Status.RUNNING)

    offer_free_places()

    assert asked() == []


@pytest.mark.both
def test_no_offer_lasts_into_the_day_of_the_tournament():
    tournament = full("Anna", hours=14 * 24, starts_at=timezone.now() + timedelta(days=3))
    leave(tournament)

    offer_free_places()

    until = of("Anna").offered_until
    assert until == timezone.localtime(tournament.starts_at).replace(
        hour=0, minute=0, second=0, microsecond=0
    )


def test_additional_places_are_offered():
    tournament = full()
    Tournament.objects.filter(pk=tournament.pk).update(places=5)

    offer_free_places()

    assert asked() == ["anna", "berta"]


def test_an_expired_offer_goes_to_the_next_person_once():
    tournament = full("Anna", "Berta")
    leave(tournament)
    offer_free_places()
    let_time_pass()

    offer_free_places()
    let_time_pass()
    offer_free_places()

    assert asked() == ["anna", "berta"]
    assert {of(name).status for name in ("Anna", "Berta")} == {Status.WAITING}
    with pytest.raises(WrongStatus, match="kein Platz mehr freigehalten"):
        accept_offer(PUBLIC, of("Anna").pk)
    admit(COMMAND, of("Anna").pk)
    assert of("Anna").offered_until is None


def test_a_new_person_waits_behind_people_without_an_offer():
    tournament = full("Anna")
    leave(tournament)

    new = register(COMMAND, tournament.pk, person_id=make_person("Neu", "Hier").pk)

    assert new.status == Status.WAITING
    offer_free_places()
    assert asked() == ["anna"]


def test_a_place_is_free_for_all_after_the_last_offer():
    tournament = full("Anna")
    leave(tournament)
    offer_free_places()
    let_time_pass()

    new = register(COMMAND, tournament.pk, person_id=make_person("Neu", "Hier").pk)

    assert new.status == Status.REGISTERED


# --- By phone ------------------------------------------------------------------------------------


def test_offers_without_mail_are_made_by_phone_until_the_day(client: Client):
    tournament = full("Anna")
    registration_of(send_one(tournament, wanted("Zoe"), form_key="z").entry.lines.get())
    withdraw(COMMAND, of("Anna").pk)
    leave(tournament)

    offer_free_places()

    zoe = of("Zoe")
    assert (asked(), zoe.ask_by_phone, zoe.has_offer) == ([], True, True)
    client.force_login(make_member(tournament, Role.KASSE))
    desk = text_of(client.get(at("desk:desk", tournament)))
    waiting = client.get(at("desk:list", tournament), {"status": "waiting"})
    assert "1 telefonisch fragen" in desk
    assert "telefonisch fragen, Platz frei bis" in text_of(waiting)


def test_a_failed_offer_mail_becomes_a_phone_call(settings):
    tournament = full("Anna")
    leave(tournament)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 1  # where no mail server listens

    offer_free_places()

    anna = of("Anna")
    assert (anna.ask_by_phone, anna.has_offer) == (True, True)
    assert anna.offered_until is not None
    assert anna.offered_until > later(HOURS)


def test_the_desk_frees_the_place_of_an_unreachable_person(client: Client):
    tournament = full("Anna", "Berta")
    leave(tournament)
    offer_free_places()
    client.force_login(make_member(tournament, Role.KASSE))
    url = at("desk:end_offer", tournament, of("Anna").pk)

    assert client.post(url).status_code == 302

    assert not of("Anna").has_offer
    offer_free_places()
    assert asked() == ["anna", "berta"]
    assert client.post(url).status_code == 409


def test_only_a_held_place_can_be_offered_or_freed():
    tournament = full("Anna")

    for act in (ask_by_phone, end_offer):
        with pytest.raises(WrongStatus):
            act(COMMAND, of("Anna").pk)

    assert tournament.registrations.filter(offered_until__isnull=False).count() == 0


# --- The answer ----------------------------------------------------------------------------------


def test_an_offer_is_accepted_by_the_mailed_link_without_log_in(client: Client):
    leave(full("Anna"))
    offer_free_places()
    url = link()

    page = text_of(client.get(url))
    assert "Anna Kühn steht als Nächstes auf der Warteliste." in page
    assert of("Anna").has_offer  # opening it is no answer

    done = client.post(url, {"answer": "yes"}, follow=True)

    assert "Sie sind dabei" in text_of(done)
    assert (of("Anna").status, of("Anna").number) == (Status.REGISTERED, 4)
    assert "Startnummer 4" in mail.outbox[-1].body
    again = client.post(url, {"answer": "yes"})
    assert again.status_code == 409


def test_declining_leaves_the_list_and_the_next_person_gets_an_offer(client: Client):
    leave(full("Anna", "Berta"))
    offer_free_places()

    client.post(link(), {"answer": "no"})

    anna = of("Anna")
    assert (anna.status, anna.offered_until) == (Status.WITHDRAWN, None)
    offer_free_places()
    assert asked() == ["anna", "berta"]
    with pytest.raises(WrongStatus):
        decline_offer(PUBLIC, anna.pk)
    rejoin(COMMAND, anna.pk)
    assert of("Anna").offered_until is None


def test_the_page_reports_an_expired_offer(client: Client):
    leave(full("Anna"))
    offer_free_places()
    let_time_pass()

    answer = client.post(link(), {"answer": "yes"})

    assert answer.status_code == 409
    assert "Die Zeit zum Antworten ist vorbei." in text_of(answer)
    assert of("Anna").status == Status.WAITING


def test_a_called_off_tournament_refuses_answers(client: Client):
    tournament = full("Anna")
    leave(tournament)
    offer_free_places()
    Tournament.objects.filter(pk=tournament.pk).update(
        status=Tournament.Status.CALLED_OFF, called_off_reason="Hochwasser"
    )

    answer = client.post(link(), {"answer": "yes"})

    assert answer.status_code == 409
    assert "Hochwasser" in text_of(answer)


def test_a_link_opens_its_own_offer_only(client: Client):
    leave(full("Anna", "Berta"))
    offer_free_places()
    key, _dash, secret = link().split("/")[2].partition("-")
    other = full("Dora")

    for pk in (of("Berta").pk, of("Dora").pk, other.registrations.earliest("pk").pk):
        assert client.get(f"/nachruecken/{pk}-{secret}/").status_code == 404
        assert client.post(f"/nachruecken/{pk}-{secret}/", {"answer": "yes"}).status_code == 404
    for token in (f"{key}-falsch", secret, "-", "x" * 40):
        assert client.get(f"/nachruecken/{token}/").status_code == 404
    assert of("Anna").has_offer


def test_the_entry_page_links_to_the_offer(client: Client):
    tournament = full("Anna")
    sent = send_one(tournament, wanted("Berta"), form_key="b", email="b@verein.example")
    leave(tournament)
    url = at("entry:registration", sent.token)
    assert "freigehalten" not in text_of(client.get(url))

    withdraw(COMMAND, of("Anna").pk)
    offer_free_places()

    page = client.read(url)
    assert "für Sie freigehalten" in page
    assert link() in page


# --- Never twice ---------------------------------------------------------------------------------


def test_a_held_place_is_not_given_to_others():
    tournament = full("Anna", "Berta")
    leave(tournament)
    offer_free_places()

    with pytest.raises(TournamentError, match="vergeben oder angeboten"):
        admit(COMMAND, of("Berta").pk)
    new = register(COMMAND, tournament.pk, person_id=make_person("Neu", "Hier").pk)
    assert new.status == Status.WAITING

    accept_offer(PUBLIC, of("Anna").pk)
    assert tournament.registrations.filter(status__in=Registration.TAKING_PART).count() == 3


def test_offers_above_the_reduced_places_are_void():
    tournament = full("Anna")
    Tournament.objects.filter(pk=tournament.pk).update(places=4)
    offer_free_places()
    Tournament.objects.filter(pk=tournament.pk).update(places=3)

    with pytest.raises(TournamentError, match="Alle 3 Plätze"):
        accept_offer(PUBLIC, of("Anna").pk)


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_two_concurrent_answers_take_two_places():
    tournament = full()
    for _place in range(2):
        leave(tournament)

    at_once(offer_free_places, offer_free_places)
    assert sorted(asked()) == ["anna", "berta"]
    new = make_person("Neu", "Hier").pk
    at_once(
        lambda: accept_offer(PUBLIC, of("Anna").pk),
        lambda: accept_offer(PUBLIC, of("Berta").pk),
        lambda: register(COMMAND, tournament.pk, person_id=new),
        offer_free_places,
    )

    statuses = [of(name).status for name in (*NAMES, "Neu")]
    assert statuses == [Status.REGISTERED] * 2 + [Status.WAITING] * 2
    assert list(journal.first_breaks()) == []


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_a_concurrent_answer_and_desk_take_one_place():
    tournament = full("Anna", "Berta")
    leave(tournament)
    offer_free_places()

    at_once(
        lambda: accept_offer(PUBLIC, of("Anna").pk),
        lambda: end_offer(COMMAND, of("Anna").pk),
        lambda: admit(COMMAND, of("Berta").pk),
    )

    assert tournament.registrations.filter(status__in=Registration.TAKING_PART).count() <= 3
