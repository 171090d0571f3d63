"""The inbox of the desk: its access and its buttons."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail

from tests.clients import Client, at
from tests.factories import make_club, make_member, make_person
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, wanted
from tests.worlds import world
from tournaments.models import EntryLine, Person, Registration, Role, Tournament

pytestmark = pytest.mark.django_db
# Session, account, tournament, roles, rights to see persons; unclear lines, wishes, namesakes,
# registrations, bans; number of entries, entries, their lines with both sorts of rankings,
# substitutions and wishes, namesakes.
QUERIES = 18


def aside(tournament: Tournament) -> EntryLine:
    send_one(tournament)
    return send_one(tournament, form_key="again", email="anna@verein.example").entry.lines.get()


def inbox_of(tournament: Tournament) -> str:
    return at("entry:inbox", tournament)


def act(name: str, tournament: Tournament, pk: int) -> str:
    return at(f"entry:{name}", tournament, pk)


tournament = world(make_open_tournament)


def test_one_press_attaches_the_same_person_and_mails_it(
    client: Client, with_mail: None, tournament: Tournament
):
    line = aside(tournament)
    client.force_login(make_member(tournament, Role.KASSE))
    page = client.read(inbox_of(tournament))
    assert "Kühn, Anna ist schon gemeldet (Nr. 1)" in re.sub(r"\s+", " ", page)

    answer = client.post(
        act("attach", tournament, line.pk), {"registration": Registration.objects.get().pk}
    )

    assert answer.status_code == 302
    line.refresh_from_db()
    assert line.status == EntryLine.Status.REGISTERED
    assert line.registration == Registration.objects.get()
    assert mail.outbox[0].subject.startswith("Neuer Stand")
    assert "Startnummer 1" in mail.outbox[0].body


@pytest.mark.parametrize("key", ["", "x", "9" * 40, "-1"])
def test_an_invalid_registration_key_is_not_found(client: Client, key: str, tournament: Tournament):
    line = aside(tournament)
    client.force_login(make_member(tournament, Role.KASSE))

    answer = client.post(act("attach", tournament, line.pk), {"registration": key})

    assert answer.status_code == 404


def test_a_line_settled_by_another_desk_is_refused(client: Client, tournament: Tournament):
    line = aside(tournament)
    client.force_login(make_member(tournament, Role.KASSE))
    client.post(act("dismiss", tournament, line.pk))

    answer = client.post(act("register_as_new", tournament, line.pk))

    assert answer.status_code == 409
    assert "ist schon geklärt" in answer.content.decode()


def test_a_new_link_is_shown_once_without_mail(client: Client, tournament: Tournament):
    sent = send_one(tournament)
    client.force_login(make_member(tournament, Role.KASSE))

    answer = client.post(act("renew_link", tournament, sent.entry.pk))

    match = re.search(r"/meldung/[\w-]+/", answer.content.decode())
    assert match
    assert Client().get(match[0]).status_code == 200
    assert Client().get(at("entry:registration", sent.token)).status_code == 404
    assert match[0] not in client.read(inbox_of(tournament))


def test_a_new_link_is_mailed_and_not_shown(
    client: Client, with_mail: None, tournament: Tournament
):
    entry = send_one(tournament, email="anna@verein.example").entry
    client.force_login(make_member(tournament, Role.KASSE))

    answer = client.post(act("renew_link", tournament, entry.pk), follow=True)

    assert not re.search(r"/meldung/[\w-]{20}", answer.content.decode())
    assert "ein neuer Link" in mail.outbox[0].body


def test_consent_is_copied_after_a_confirmation(client: Client, tournament: Tournament):
    make_person("Anna", "Kühn", club=make_club("SC Altenburg"), birth_year=1960)
    line = send_one(tournament, wanted(publish_consent=True)).entry.lines.get()
    client.force_login(make_member(tournament, Role.KASSE))
    assert "nachgefragt: nennen" in client.read(inbox_of(tournament))

    client.post(act("consent", tournament, line.pk), {"named": "yes"})

    assert Person.objects.get().publish_consent
    assert "nachgefragt: nennen" not in client.read(inbox_of(tournament))


def test_the_inbox_needs_a_constant_number_of_queries(
    client: Client, django_assert_num_queries: Any, tournament: Tournament
):
    client.force_login(make_member(tournament, Role.KASSE))
    for number in range(4):
        send_one(
            tournament, *[wanted("Anna" + "a" * row) for row in range(3)], form_key=f"{number}"
        )

    with django_assert_num_queries(QUERIES):
        client.get(inbox_of(tournament))
    for number in range(6):
        send_one(tournament, wanted(), wanted("B" * (number + 1)), form_key=f"more {number}")
    with django_assert_num_queries(QUERIES):
        client.get(inbox_of(tournament))
