"""„Ich bin da“ on the own phone: by the own page, the link of a sending, the code at the door."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_person, make_registration, make_tournament
from tests.factories_lists import make_seated_serie
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, text_of, wanted
from tournaments.common.access_keys import player_code, player_path
from tournaments.common.code_throttling import MOST_PER_ADDRESS
from tournaments.desk.online.services.mails import send_confirmation
from tournaments.desk.services.changes import substitute
from tournaments.models import CodeGuess, Entry, JournalEntry, Registration, Role, Tournament
from tournaments.results.services import player_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Registration.Status
NOT_PLAYING = "Abgehakt wird nur, wer mitspielt"


def at_the_day(**fields: Any) -> Tournament:
    """A tournament of today in which players check in themselves."""
    now = timezone.now()
    fields = {"starts_at": now, "registration_deadline": now, "self_check_in": True, **fields}
    return make_tournament(**fields)


def coming(tournament: Tournament, **fields: Any) -> Registration:
    """Return a registration that is not present yet, with an own page."""
    person = make_person("Anna", "Kühn")
    registration = make_registration(tournament, person, present_at=None, **fields)
    player_access.store_tokens(tournament)
    return registration


def is_here(registration: Registration) -> bool:
    return Registration.objects.filter(pk=registration.pk, present_at__isnull=False).exists()


def say_so(registration: Registration) -> Any:
    return Client().post(f"{player_path(registration)}da/")


def at_door(registration: Registration, code: str = "", **more: Any) -> Any:
    url = at("entry:door", registration.tournament)
    code = code or player_code(registration)
    return Client().post(url, {"number": str(registration.number), "code": code}, **more)


def test_the_own_page_checks_in_and_the_desk_undoes_it(client: Client):
    registration = coming(at_the_day())
    before = text_of(Client().get(player_path(registration)))

    for _time in range(2):
        assert say_so(registration).status_code == 302

    assert is_here(registration)
    assert "Ich bin da" in before
    assert "Sie sind da, vermerkt um" in text_of(Client().get(player_path(registration)))
    entry = JournalEntry.objects.get(action="ticked_off")
    assert (entry.actor_kind, entry.actor_label) == ("player", f"Nr. {registration.number}")
    client.force_login(make_member(registration.tournament, Role.KASSE))
    assert 'aria-pressed="true"' in text_of(client.get(at("desk:list", registration.tournament)))
    client.post(at("desk:untick", registration.tournament, registration.pk))
    assert not is_here(registration)


@pytest.mark.both
def test_checking_in_does_not_settle_open_dues():
    registration = coming(at_the_day(kaution_cents=500), status=Status.REGISTERED)

    say_so(registration)

    said = text_of(Client().get(player_path(registration)))
    assert "Noch zu zahlen: 20,00 €" in said.replace("\N{NO-BREAK SPACE}", " ")
    assert "zum Tisch der Anmeldung" in said
    registration.refresh_from_db()
    assert registration.status == Status.REGISTERED
    assert not registration.tournament.receipts.exists()


@pytest.mark.parametrize(
    ("fields", "person", "at_the_door"),
    [
        pytest.param({"self_check_in": False}, {}, "", id="not wanted"),
        pytest.param({"starts_at": timezone.now() + timedelta(days=2)}, {}, "", id="not the day"),
        pytest.param({"status": Tournament.Status.CLOSED}, {}, "", id="closed"),
        pytest.param({"status": Tournament.Status.DRAFT}, {}, "", id="draft"),
        pytest.param({}, {"status": Status.WITHDRAWN}, NOT_PLAYING, id="withdrawn"),
        pytest.param({}, {"status": Status.NO_SHOW}, NOT_PLAYING, id="no show"),
        pytest.param(
            {},
            {"status": Status.WAITING, "waiting_since": timezone.now()},
            NOT_PLAYING,
            id="waiting",
        ),
    ],
)
def test_checking_in_needs_an_open_check_in(
    fields: dict[str, Any], person: dict[str, Any], at_the_door: str
):
    registration = coming(at_the_day(**fields), **person)

    page, refused, door = (
        Client().get(player_path(registration)),
        say_so(registration),
        at_door(registration),
    )

    assert "Ich bin da" not in text_of(page)
    assert refused.status_code == 409
    assert door.status_code in {404, 409, 422}
    assert at_the_door in text_of(door)
    assert not is_here(registration)
    assert not CodeGuess.objects.exists()


def test_a_seated_person_is_not_asked_to_check_in():
    tournament = at_the_day()
    four = [coming(tournament) for _one in range(4)]
    make_seated_serie(tournament, [four])

    assert "Ich bin da" not in text_of(Client().get(player_path(four[0])))


def test_the_entry_link_checks_in_each_of_its_persons(client: Client):
    tournament = make_open_tournament(self_check_in=True)
    sent = send_one(tournament, wanted(), wanted("Bernd", "Voß"))
    now = timezone.now()
    Tournament.objects.update(starts_at=now, registration_deadline=now)
    page = at("entry:registration", sent.token)
    _anna, bernd = tournament.registrations.order_by("number")

    shown = text_of(client.get(page))
    assert client.post(at("entry:check_in", sent.token, 2)).status_code == 302
    assert client.post(at("entry:check_in", sent.token, 3)).status_code == 404
    assert client.post(at("entry:check_in", "falsch", 1)).status_code == 404

    assert player_code(bernd) in shown
    assert shown.count("Schon im Saal?") == 2
    assert [
        is_here(registration) for registration in tournament.registrations.order_by("number")
    ] == [False, True]
    assert JournalEntry.objects.get(action="ticked_off").actor_kind == "public"


def test_the_entry_link_does_not_check_in_a_substitute(client: Client):
    tournament = make_open_tournament(self_check_in=True)
    sent = send_one(tournament)
    registration = tournament.registrations.get()
    substitute(COMMAND, registration.pk, person_id=make_person("Gerd", "Neu").pk, reason="erkrankt")
    now = timezone.now()
    Tournament.objects.update(starts_at=now, registration_deadline=now)

    client.post(at("entry:check_in", sent.token, 1))

    assert not is_here(registration)


@pytest.mark.usefixtures("with_mail")
def test_the_mail_contains_the_code_if_check_in_is_on():
    sent = send_one(make_open_tournament(self_check_in=True), email="anna@verein.example")
    other = send_one(make_open_tournament(), email="anna@verein.example", form_key="2")

    for token in (sent, other):
        send_confirmation(Entry.objects.get(pk=token.entry.pk), token.token)

    code = player_code(sent.entry.tournament.registrations.get())
    assert f"Code für „Ich bin da“ am Turniertag: {code}" in str(mail.outbox[0].body)
    assert "Ich bin da" not in str(mail.outbox[1].body)


@pytest.mark.both
def test_number_and_own_code_check_in_at_the_door():
    registration = coming(at_the_day(), status=Status.REGISTERED)
    page = Client().get(at("entry:door", registration.tournament))

    answer = at_door(registration, f" {player_code(registration).lower().replace('-', ' ')}")

    assert "Startnummer" in text_of(page)
    assert answer.status_code == 200
    assert "Anna Kühn" in text_of(answer)
    assert "Noch zu zahlen: 15,00" in text_of(answer)
    assert is_here(registration)
    assert JournalEntry.objects.get(action="ticked_off").actor_kind == "player"


def test_the_code_of_another_person_is_refused():
    tournament = at_the_day()
    registration, other = coming(tournament), coming(tournament)
    elsewhere = coming(at_the_day(), number=registration.number)

    answers = [at_door(registration, player_code(of)) for of in (other, elsewhere)]
    unknown = Client().post(
        at("entry:door", tournament), {"number": "777", "code": player_code(registration)}
    )

    for answer in (*answers, unknown):
        assert answer.status_code == 422
        assert "passen nicht zusammen" in text_of(answer)
        assert "Kühn" not in text_of(answer)
    assert not is_here(registration)
    assert not is_here(elsewhere)


def test_the_code_ends_with_the_registration():
    registration = coming(at_the_day())
    old = player_code(registration)
    substitute(COMMAND, registration.pk, person_id=make_person("Gerd").pk, reason="erkrankt")

    assert at_door(registration, old).status_code == 422
    new = Registration.objects.get(pk=registration.pk)
    assert re.fullmatch(r"\w{3}-\w{3}", player_code(new))
    assert at_door(new).status_code == 200


def test_guessed_codes_lock_one_number_and_no_table():
    tournament = at_the_day()
    registration, other = coming(tournament), coming(tournament)
    for _guess in range(MOST_PER_ADDRESS):
        at_door(registration, "AAA-AAA", REMOTE_ADDR="192.0.2.1")

    stopped = at_door(registration, REMOTE_ADDR="192.0.2.1")

    assert stopped.status_code == 429
    assert "zu viele falsche Codes" in text_of(stopped)
    assert not is_here(registration)
    assert at_door(other, REMOTE_ADDR="192.0.2.1").status_code == 200
    assert at_door(registration, REMOTE_ADDR="192.0.2.2").status_code == 200
    assert set(CodeGuess.objects.values_list("for_player", flat=True)) == {True}
