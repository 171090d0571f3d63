"""Mails: in plain German, with the needed facts, and never without a public address."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail

from tests.factories import COMMAND
from tests.tournaments.desk.online.helpers import (
    IBAN,
    make_open_tournament,
    registration_of,
    send_one,
    wanted,
)
from tests.worlds import world
from tournaments.desk.online.queries.entries import standings
from tournaments.desk.online.services import mails
from tournaments.desk.online.services.changes import withdraw_line
from tournaments.desk.online.services.entry import PUBLIC, StoredEntry
from tournaments.desk.services.registrations import Payment, pay
from tournaments.models import Receipt, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_mail"), pytest.mark.once]


def confirmed(*persons: Any, **fields: Any) -> tuple[StoredEntry, str]:
    """Send the form and return the mail's text, spaces and breaks as they are."""
    sent = send_one(make_open_tournament(**fields), *persons, email="anna@verein.example")
    assert mails.send_confirmation(sent.entry, sent.token)
    return sent, str(mail.outbox[-1].body).replace("\N{NO-BREAK SPACE}", " ")


tournament = world(make_open_tournament)


def test_the_confirmation_has_number_amount_account_purpose_and_link():
    sent, body = confirmed(name="Herbstturnier 2026", iban=IBAN, account_holder="SC Altenburg")

    assert "* Kühn, Anna (SC Altenburg): Startnummer 1, zu zahlen 15,00 €" in body
    assert "IBAN: DE89 3704 0044 0532 0130 00" in body
    assert "15,00 €, Herbstturnier 2026 Nr. 1 Kühn Anna" in body
    assert f"https://romme.example/meldung/{sent.token}/" in body
    assert mail.outbox[0].reply_to == ["turnier@altenburg.example"]
    assert mail.outbox[0].subject == "Meldung: Herbstturnier 2026"


def test_the_mail_is_plain_text_without_traces_of_html():
    _sent, body = confirmed(wanted("Anna", "O'Neil", club_name="Skat & Rommé „Ass“"))

    assert "O'Neil, Anna (Skat & Rommé „Ass“)" in body
    assert "&" not in body.replace("Skat & Rommé", "")
    assert "<" not in body
    assert "{" not in body
    assert mail.outbox[0].content_subtype == "plain"
    assert not any(line.startswith(" ") for line in body.splitlines() if line.strip(" ")[:1] == "*")


def test_without_an_account_the_startgeld_is_paid_on_the_day():
    _sent, body = confirmed()

    assert "Bitte bezahlen Sie 15,00 € am Turniertag am Tisch der Anmeldung." in body
    assert "IBAN" not in body


def test_the_mail_of_a_club_lists_its_players_and_one_sum():
    _sent, body = confirmed(
        wanted(), wanted("Bernd", "Voß"), name="Herbst", iban=IBAN, account_holder="SC"
    )

    assert "Voß, Bernd (SC Altenburg): Startnummer 2" in body
    assert "oder zusammen: 30,00 €, Herbst Nr. 1, 2 Kühn Anna +1" in body


def test_a_repeated_registration_is_reported_by_mail_only(tournament: Tournament):
    send_one(tournament, email="anna@verein.example")
    again = send_one(tournament, form_key="again", email="anna@verein.example", proves_address=True)

    mails.send_confirmation(again.entry, again.token)

    assert "(war schon gemeldet; dabei bleibt es)" in mail.outbox[0].body


def test_the_mail_of_a_line_put_aside_announces_an_answer(tournament: Tournament):
    send_one(tournament)
    aside = send_one(tournament, form_key="again", email="fremd@verein.example")

    mails.send_confirmation(aside.entry, aside.token)

    body = mail.outbox[0].body
    assert "Kühn, Anna (SC Altenburg): wird geprüft" in body
    assert "Startnummer" not in body


def test_a_withdrawal_is_confirmed_with_the_paid_amount():
    sent = send_one(make_open_tournament(), email="anna@verein.example")
    line = sent.entry.lines.get()
    pay(COMMAND, registration_of(line).pk, payment=Payment(method=Receipt.Method.BANK))
    withdraw_line(PUBLIC, line.pk)
    (standing,) = standings(sent.entry, sent.entry.created_at)

    mails.send_withdrawal(sent.entry, standing)

    body = str(mail.outbox[0].body).replace("\N{NO-BREAK SPACE}", " ")
    assert "Anna Kühn ist für" in body
    assert "Bezahlt sind 15,00 €." in body


@pytest.mark.both
def test_news_go_to_all_senders_of_a_person(tournament: Tournament):
    sent = send_one(tournament, email="anna@verein.example")
    send_one(tournament, form_key="again", email="anna@verein.example", proves_address=True)

    assert mails.send_news(registration_of(sent.entry.lines.get())) == 2
    assert "Link aus der ersten E-Mail" in mail.outbox[0].body
    assert "/meldung/" not in mail.outbox[0].body


@pytest.mark.parametrize(
    "missing", [{"HAS_EMAIL": False}, {"PUBLIC_URL": ""}], ids=["no mail", "no public address"]
)
def test_mailed_links_ignore_the_host_of_the_request(settings: Any, missing: dict[str, Any]):
    for name, value in missing.items():
        setattr(settings, name, value)
    sent = send_one(make_open_tournament(), email="anna@verein.example")

    assert not mails.send_confirmation(sent.entry, sent.token)
    assert not mail.outbox


def test_line_breaks_in_a_name_add_no_mail_headers():
    _sent, _body = confirmed(name="Herbst\nBcc: alle@example.org")

    assert mail.outbox[0].subject == "Meldung: Herbst Bcc: alle@example.org"
    assert mail.outbox[0].recipients() == ["anna@verein.example"]
