"""The public pages: their content, and data that they never show."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage

from tests.clients import Client, at
from tests.factories import COMMAND, make_ban, make_club, make_person
from tests.tournaments.desk.online.helpers import (
    form_data,
    form_url,
    link_in,
    make_open_tournament,
    make_ranking,
    registration_of,
    send_one,
    text_of,
    wanted,
)
from tests.worlds import world
from tournaments.desk.services.registrations import Payment, pay
from tournaments.models import Club, Entry, EntryLine, Person, Ranking, Registration, Tournament

pytestmark = pytest.mark.django_db


tournament = world(make_open_tournament)


def test_the_form_has_the_fields_of_its_tournament(client: Client):
    plain, rich = make_open_tournament(), make_open_tournament()
    make_ranking(rich, Ranking.Kind.WOMEN)
    make_ranking(rich, Ranking.Kind.TEAM, size=4, stake_cents=500)
    rich.categories.create(name="Jugend", startgeld_cents=750, born_from=2008, position=1)

    short, long = text_of(client.get(form_url(plain))), text_of(client.get(form_url(rich)))

    for name in ("gender", "category", "rankings", "wish_"):
        assert f"person-0-{name}" not in short
        assert f"person-0-{name}" in long
    assert "Jugend (Jahrgang 2008 und jünger): 7,50" in long
    assert "Mannschaft (4 Personen, Einsatz 5,00" in long


def test_the_form_registers_and_shows_the_link_if_no_mail_is_sent(
    client: Client, tournament: Tournament
):
    answer = client.post(form_url(tournament), form_data())

    assert answer.status_code == 200
    assert Registration.objects.get().person.full_name == "Anna Kühn"
    page = client.get(link_in(answer))
    assert "Kühn, Anna" in text_of(page)
    assert not mail.outbox


def test_with_mail_the_link_goes_to_the_address_only(
    client: Client, with_mail: None, tournament: Tournament
):
    answer = client.post(form_url(tournament), form_data())

    assert "/meldung/" not in text_of(answer).replace(form_url(tournament), "")
    assert "anna@verein.example" in text_of(answer)
    assert mail.outbox[0].to == ["anna@verein.example"]
    link = re.search(r"https://romme\.example(/meldung/\S+)", str(mail.outbox[0].body))
    assert link
    assert client.get(link[1]).status_code == 200


def test_a_failed_mail_keeps_the_registration_and_shows_no_link(
    client: Client, with_mail: None, monkeypatch: pytest.MonkeyPatch
):
    def fail(_message: EmailMessage) -> int:
        raise OSError("no mail server")

    monkeypatch.setattr(EmailMessage, "send", fail)

    answer = client.post(form_url(make_open_tournament()), form_data())

    assert Registration.objects.count() == 1
    assert "ließ sich gerade nicht senden" in text_of(answer)
    assert not re.search(r"/meldung/[\w-]{43}/", text_of(answer))


def without_keys(answer: Any) -> str:
    return re.sub(r"/meldung/[\w-]{43}/", "/meldung/…/", text_of(answer))


def test_the_answer_is_the_same_for_known_unknown_registered_and_banned(
    client: Client, with_mail: None
):
    tournament, club = make_open_tournament(), make_club("SC Altenburg")
    make_person("Anna", "Kühn", club=club, birth_year=1960)
    banned = make_person("Bernd", "Kühn", club=club, birth_year=1960)
    make_ban(banned, "Tätlichkeit")
    send_one(tournament, wanted("Clara"))

    answers = {
        without_keys(client.post(form_url(tournament), form_data({"first_name": name})))
        for name in ("Anna", "Bernd", "Clara", "Dora")
    }

    assert len(answers) == 1


def test_the_answer_without_mail_agrees_with_the_linked_page(client: Client):
    tournament, club = make_open_tournament(places=2), make_club("SC Altenburg")
    make_ban(make_person("Bernd", "Kühn", club=club, birth_year=1960), "Tätlichkeit")
    send_one(tournament, wanted("Clara"))

    said = {
        name: shown_facts(client.post(form_url(tournament), form_data({"first_name": name})))
        for name in ("Anna", "Bernd", "Clara", "Dora", "Emma")
    }

    assert said == {
        "Anna": ["Kühn, Anna", "Startnummer 2 · zu zahlen 15,00 €"],
        "Bernd": ["Kühn, Bernd", "wird geprüft"],
        "Clara": ["Kühn, Clara", "wird geprüft"],
        "Dora": ["Kühn, Dora", "Warteliste, Platz 1"],
        "Emma": ["Kühn, Emma", "Warteliste, Platz 2"],
    }


def shown_facts(answer: Any) -> list[str]:
    parts = re.findall(r"<d[td]>(.*?)</d[td]>", text_of(answer), re.S)
    return [" ".join(re.sub(r"<[^>]+>", "", part).replace("\xa0", " ").split()) for part in parts]


def test_the_answer_names_the_sum_or_the_full_tournament(client: Client, with_mail: None):
    tournament = make_open_tournament(places=1, kartengeld_cents=200)

    answers = [
        text_of(client.post(form_url(tournament), form_data({"first_name": name})))
        for name in ("Anna", "Bernd")
    ]

    assert [answer.count("17,00 €") for answer in answers] == [1, 1]
    assert ["steht auf der Warteliste" in answer for answer in answers] == [False, True]


def test_the_entry_page_shows_typed_not_stored_data(client: Client, tournament: Tournament):
    make_person("Anna-Maria", "Kühn", club=make_club("SC Altenburg"), birth_year=1960)
    sent = send_one(tournament, wanted("ANNA MARIA", "Kuehn", club_name="sc altenburg"))

    page = text_of(client.get(at("entry:registration", sent.token)))

    assert Person.objects.count() == 1
    assert "Kuehn, ANNA MARIA" in page
    assert "sc altenburg" in page
    assert "Kühn" not in page


def test_banned_persons_and_lines_put_aside_get_one_answer(client: Client):
    tournament, club = make_open_tournament(), make_club("SC Altenburg")
    banned = make_person("Anna", "Kühn", club=club, birth_year=1960)
    make_ban(banned, "Tätlichkeit")
    send_one(tournament, wanted("Bernd"))

    pages = []
    for name, key in (("Anna", "a"), ("Bernd", "b")):
        sent = send_one(tournament, wanted(name), form_key=key)
        url = at("entry:registration", sent.token)
        page = text_of(client.get(url)).replace(sent.token, "").replace(name, "")
        pages.append(page)

    assert pages[0] == pages[1]
    assert "wird geprüft" in pages[0]


def test_an_entry_of_several_persons_skips_empty_rows(client: Client, tournament: Tournament):
    data = form_data(
        {},
        {"last_name": "", "first_name": "", "birth_year": ""},
        {"first_name": "Bernd", "last_name": "Voß"},
    )

    client.post(form_url(tournament), data)

    names = EntryLine.objects.values_list("last_name", flat=True)
    assert list(names) == ["Kühn", "Voß"]


def test_an_added_row_keeps_the_input_and_copies_the_club(client: Client, tournament: Tournament):
    answer = client.post(form_url(tournament), form_data({"birth_year": "x"}, add="1"))

    page = text_of(answer)
    assert answer.status_code == 200
    assert 'name="persons" value="2"' in page
    assert 'value="Kühn"' in page
    assert page.count('value="SC Altenburg"') == 2
    assert "field-errors" not in page
    assert not Entry.objects.exists()


def test_a_row_is_removed_without_losing_the_others(client: Client, tournament: Tournament):
    data = form_data({}, {"last_name": "Voß"}, {"last_name": "Lang"}, drop="1")

    page = text_of(client.post(form_url(tournament), data))

    assert 'name="persons" value="2"' in page
    assert "Lang" in page
    assert "Voß" not in page


def test_htmx_gets_the_form_only(client: Client):
    answer = client.post(
        form_url(make_open_tournament()), form_data(add="1"), headers={"HX-Request": "true"}
    )

    assert "<html" not in text_of(answer)
    assert 'id="form"' in text_of(answer)


@pytest.mark.parametrize(
    ("person", "sender", "sentence"),
    [
        pytest.param({"last_name": ""}, {}, "Nachname", id="no name"),
        pytest.param({"last_name": "www.spam.example"}, {}, "keine Internet-", id="link as name"),
        pytest.param({"first_name": "kauf.de"}, {}, "keine Internet-", id="domain as name"),
        pytest.param({"first_name": "Anna2"}, {}, "ohne Ziffern", id="figures"),
        pytest.param({"last_name": "…"}, {}, "mindestens einen Buchstaben", id="no letters"),
        pytest.param({"club_name": "http://x"}, {}, "keine Internet-", id="link as club"),
        pytest.param({"last_name": "K" * 81}, {}, "höchstens 80", id="too long"),
        pytest.param({"birth_year": "1812"}, {}, "größer oder gleich 1900", id="too old"),
        pytest.param({"birth_year": "2099"}, {}, "noch nicht begonnen", id="future"),
        pytest.param({}, {"email": "anna"}, "gültige E-Mail", id="no address"),
    ],
)
def test_an_invalid_entry_is_refused_with_a_message(
    client: Client, person: dict[str, str], sender: dict[str, Any], sentence: str
):
    answer = client.post(form_url(make_open_tournament()), form_data(person, **sender))

    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert not Registration.objects.exists()


@pytest.mark.parametrize("club", ["1. Kahlaer SC 1904 e.V.", "1.Skatclub", "SV St.Georg"])
@pytest.mark.parametrize("name", ["Dr. Hans-Peter", "K.-H.", "O’Neil", "Łucja", "Jean d'Arc"])
def test_real_names_of_people_and_clubs_are_accepted(client: Client, name: str, club: str):
    typed = {"first_name": name, "club_name": club}

    client.post(form_url(make_open_tournament()), form_data(typed))

    assert Person.objects.get().first_name == name
    assert Club.objects.get().name == club


def test_a_person_repeated_in_one_form_is_reported(client: Client):
    answer = client.post(form_url(make_open_tournament()), form_data({}, {"last_name": "kuehn"}))

    assert answer.status_code == 422
    assert "steht schon weiter oben" in text_of(answer)


def test_a_mail_address_is_required_only_with_mail(
    client: Client, settings: Any, tournament: Tournament
):
    settings.HAS_EMAIL, settings.PUBLIC_URL = True, "https://romme.example"
    refused = client.post(form_url(tournament), form_data(email=""))
    settings.HAS_EMAIL = False

    taken = client.post(form_url(tournament), form_data(email=""))

    assert refused.status_code == 422
    assert taken.status_code == 200
    assert Registration.objects.count() == 1


def test_loading_the_answer_again_changes_nothing_and_mails_nothing(
    client: Client, with_mail: None
):
    tournament, data = make_open_tournament(), form_data()

    first = client.post(form_url(tournament), data)
    again = client.post(form_url(tournament), data)

    assert text_of(first) == text_of(again)
    assert Registration.objects.count() == 1
    assert len(mail.outbox) == 1


def test_suggested_clubs_are_confirmed_ones(client: Client, tournament: Tournament):
    make_person(club=make_club("SC Altenburg"))
    make_club("Ohne Mitglieder")
    line = send_one(tournament, wanted(club_name="Kauft bei uns")).entry.lines.get()

    before = text_of(client.get(form_url(tournament)))
    pay(COMMAND, registration_of(line).pk, payment=Payment())
    after = text_of(client.get(form_url(tournament)))

    assert "SC Altenburg" in before
    assert "Ohne Mitglieder" not in before
    assert "Kauft bei uns" not in before
    assert "Kauft bei uns" in after


def test_the_form_needs_few_queries_for_twenty_persons(
    client: Client, django_assert_num_queries: Any
):
    tournament = make_open_tournament(places=40)
    make_ranking(tournament, Ranking.Kind.TEAM, size=4)
    data = form_data(*[{}] * 20)
    client.get(form_url(tournament))

    with django_assert_num_queries(5):
        client.get(form_url(tournament))
    with django_assert_num_queries(7):
        client.post(form_url(tournament), data | {"add": "1"})


def test_the_entry_page_needs_a_constant_number_of_queries(
    client: Client, django_assert_num_queries: Any, tournament: Tournament
):
    sent = send_one(tournament, *[wanted(f"Anna{'a' * row}") for row in range(12)])

    with django_assert_num_queries(7):
        client.get(at("entry:registration", sent.token))
