"""The pages behind the link of an entry: possible changes, and for whom."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import COMMAND, make_person
from tests.tournaments.desk.online.helpers import (
    IBAN,
    make_open_tournament,
    make_ranking,
    registration_of,
    send_one,
    text_of,
    wanted,
)
from tests.worlds import world
from tournaments.desk.services.changes import substitute
from tournaments.desk.services.registrations import Payment, pay
from tournaments.models import EntryLine, Person, Ranking, Registration, Tournament

pytestmark = pytest.mark.django_db


tournament = world(make_open_tournament)


def test_an_unknown_link_is_explained(client: Client):
    for name, more in (
        ("registration", []),
        ("email", []),
        ("change", [1]),
        ("withdraw", [1]),
    ):
        answer = client.get(at(f"entry:{name}", "falsch", *more))
        assert answer.status_code == 404
        assert "Dieser Link gilt nicht" in text_of(answer)


def test_a_link_opens_its_own_persons_only(client: Client, tournament: Tournament):
    mine = send_one(tournament)
    send_one(tournament, wanted("Bernd"), wanted("Clara"), form_key="other")

    assert client.get(at("entry:change", mine.token, 1)).status_code == 200
    assert client.get(at("entry:change", mine.token, 2)).status_code == 404
    assert client.post(at("entry:withdraw", mine.token, 2)).status_code == 404


def test_pages_behind_the_link_are_not_cached(client: Client):
    sent = send_one(make_open_tournament())

    answer = client.get(at("entry:registration", sent.token))

    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"] == "noindex"


def test_an_entry_is_changed_by_the_link(client: Client, tournament: Tournament):
    team = make_ranking(tournament, Ranking.Kind.TEAM, size=4, stake_cents=500)
    sent = send_one(tournament)
    url = at("entry:change", sent.token, 1)

    answer = client.post(url, {f"wish_{team.pk}": "Altenburg I", "publish_consent": "on"})

    assert answer.status_code == 302
    page = text_of(client.get(answer["Location"]))
    assert "20,00" in page
    assert "Altenburg I" in page
    assert Person.objects.get().publish_consent


def test_unticking_a_ranking_drops_it_despite_a_wish(client: Client, tournament: Tournament):
    team = make_ranking(tournament, Ranking.Kind.TEAM, size=4, stake_cents=500)
    sent = send_one(tournament, wanted(rankings=[team], wishes={team.pk: "Altenburg I"}))

    client.post(at("entry:change", sent.token, 1), {f"wish_{team.pk}": "Altenburg I"})

    line = EntryLine.objects.get()
    assert not registration_of(line).rankings.exists()
    assert not line.wishes.exists()


def test_a_refused_change_comes_back_on_its_page(client: Client, tournament: Tournament):
    women = make_ranking(tournament, Ranking.Kind.WOMEN, stake_cents=300)
    sent = send_one(tournament)

    answer = client.post(at("entry:change", sent.token, 1), {"rankings": [women.pk]})

    assert answer.status_code == 422
    assert "Für „Damen“ fehlt eine Angabe: Geschlecht." in text_of(answer)


def test_the_page_of_a_change_shows_declined_rankings(client: Client, tournament: Tournament):
    women = make_ranking(tournament, Ranking.Kind.WOMEN)
    sent = send_one(tournament, wanted(gender="f", declined=[women]))
    url = at("entry:change", sent.token, 1)

    form = client.get(url).context["form"]
    client.post(url, {"declined": []})

    assert form["declined"].value() == [women.pk]
    assert "rankings" not in form.fields
    assert list(registration_of(EntryLine.objects.get()).rankings.all()) == [women]


def test_withdrawing_needs_a_confirmation_and_sends_a_mail(client: Client, with_mail: None):
    sent = send_one(make_open_tournament(), email="anna@verein.example")
    url = at("entry:withdraw", sent.token, 1)

    asked = client.get(url)
    assert "Anna Kühn abmelden?" in text_of(asked)
    assert Registration.objects.get().status == "registered"
    answer = client.post(url, follow=True)

    assert "Anna Kühn ist abgemeldet." in text_of(answer)
    assert Registration.objects.get().status == "withdrawn"
    assert mail.outbox[0].subject.startswith("Abmeldung: ")


def test_the_link_of_an_unchangeable_entry_redirects(client: Client, tournament: Tournament):
    sent = send_one(tournament)
    Tournament.objects.update(registration_deadline=timezone.now() - timedelta(minutes=1))

    page = client.get(at("entry:registration", sent.token))
    for name in ("change", "withdraw"):
        answer = client.get(at(f"entry:{name}", sent.token, 1))
        assert answer.status_code == 302

    assert "Meldeschluss ist vorbei" in text_of(page)
    assert "Abmelden" not in text_of(page)


def test_a_new_address_gets_the_link(client: Client, with_mail: None):
    sent = send_one(make_open_tournament(), email="alt@verein.example")
    url = at("entry:email", sent.token)

    assert client.post(url, {"email": "falsch"}).status_code == 422
    client.post(url, {"email": "neu@verein.example"})

    assert mail.outbox[0].to == ["neu@verein.example"]
    assert sent.token in mail.outbox[0].body


def test_the_girocode_is_a_picture_of_the_open_amount(client: Client):
    tournament = make_open_tournament(iban=IBAN)
    sent = send_one(tournament, wanted(), wanted("Bernd"))
    address = at("entry:qr_code", sent.token, 1)
    joint = at("entry:joint_qr_code", sent.token)

    page = text_of(client.get(at("entry:registration", sent.token)))
    assert address in page
    assert joint in page
    assert f"{tournament.name} Nr. 1, 2 Kühn Anna +1" in page
    assert client.get(address)["Content-Type"] == "image/svg+xml"

    line = sent.entry.lines.get(position=1)
    pay(COMMAND, registration_of(line).pk, payment=Payment())
    assert client.get(address).status_code == 404
    assert client.get(joint).status_code == 404


def test_without_an_account_there_is_no_girocode(client: Client):
    sent = send_one(make_open_tournament())

    page = text_of(client.get(at("entry:registration", sent.token)))

    assert "Girocode" not in page
    assert "am Tisch der Anmeldung bezahlt" in page
    assert client.get(at("entry:qr_code", sent.token, 1)).status_code == 404


def test_a_substitute_is_not_shown_to_the_replaced_person(client: Client, tournament: Tournament):
    sent = send_one(tournament)
    registration = registration_of(sent.entry.lines.get())
    substitute(COMMAND, registration.pk, person_id=make_person("Bernd", "Voß").pk, reason="krank")

    page = text_of(client.get(at("entry:registration", sent.token)))

    assert "Startnummer übernommen" in page
    assert "Voß" not in page


def test_the_waiting_list_shows_the_place(client: Client):
    tournament = make_open_tournament(places=3)
    everybody = [wanted(name) for name in ("Anna", "Berta", "Clara", "Dora", "Erna")]
    sent = send_one(tournament, *everybody)

    page = text_of(client.get(at("entry:registration", sent.token)))

    assert "Warteliste, Platz 1" in page
    assert "Warteliste, Platz 2" in page


def test_the_default_group_is_not_named_beside_startgeld(client: Client, tournament: Tournament):
    link = send_one(tournament).token

    tournament.categories.update(name="Startgeld")
    only_one = text_of(client.get(at("entry:registration", link)))
    tournament.categories.update(name="Erwachsene")
    named = text_of(client.get(at("entry:registration", link)))

    assert "<dd>Startgeld</dd>" not in only_one
    assert "<dt>Startgeldgruppe</dt><dd>Erwachsene</dd>" in named


def test_the_form_names_a_single_startgeld_once(client: Client, tournament):
    tournament.categories.update(name="Startgeld")

    page = text_of(client.get(at("entry:register", tournament)))

    assert "<li> <strong>15,00 €" in page
