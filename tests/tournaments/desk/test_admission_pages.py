"""The pages of a closed tournament (§ 1.1): desk, decision, Ausschreibung, internet."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from tests.clients import Client, at, plain
from tests.factories import COMMAND, make_club, make_member, make_person, make_tournament
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, wanted
from tests.tournaments.desk.test_admission import APPROVAL, LISTED
from tournaments.desk.services.registrations import register
from tournaments.models import JournalEntry, Registration, Role, Tournament

pytestmark = pytest.mark.django_db


def soon(**fields) -> Tournament:
    return make_tournament(starts_at=timezone.now() + timedelta(hours=2), **fields)


def url(name: str, tournament: Tournament, *keys: int) -> str:
    return at(f"desk:{name}", tournament, *keys)


def asking(tournament: Tournament) -> Registration:
    person = make_person("Eva", "Fremd", club=make_club("Fremdverein"))
    return register(COMMAND, tournament.pk, person_id=person.pk)


def test_only_the_spielleitung_makes_an_exception_to_admission(client: Client):
    tournament = soon(**LISTED)
    person = make_person("Eva", "Fremd")
    sent = {"person": person.pk, "admission_reason": "Gast"}

    client.force_login(make_member(tournament, Role.KASSE))
    assert "auf keiner Liste (§ 1.1)" in plain(client.get(url("desk", tournament), {"q": "Fremd"}))
    at_desk = client.post(url("register", tournament), sent)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    asked = client.post(url("register", tournament), {"person": person.pk})
    done = client.post(url("register", tournament), sent)

    assert at_desk.status_code == asked.status_code == 409
    assert "gehört nicht zum Teilnehmerkreis" in at_desk.content.decode()
    assert "Grund der Ausnahme" not in at_desk.content.decode()
    assert "Grund der Ausnahme" in asked.content.decode()
    assert done.status_code == 302
    registration = tournament.registrations.get()
    assert (registration.admission, registration.status) == ("Gast", "paid")
    assert JournalEntry.objects.get(action="registered").after["admission"] == "Gast"
    page = client.read(url("registration", tournament, registration.pk))
    assert "Zugelassen, weil (" in page


def test_a_new_person_gets_an_exception_in_the_same_form(client: Client):
    tournament = soon(**LISTED)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    typed = {"last_name": "Neu", "first_name": "Nora", "club_name": "Fremdverein"}

    refused = client.post(url("new", tournament), typed).content.decode()
    client.post(url("new", tournament), {**typed, "admission_reason": "Gast"})

    assert 'name="admission_reason"' in refused
    assert 'value="Nora"' in refused
    assert tournament.registrations.get().admission == "Gast"


def test_the_spielleitung_approves_and_rejects_in_the_list(client: Client):
    tournament = soon(**APPROVAL)
    first = asking(tournament)
    client.force_login(make_member(tournament, Role.KASSE))
    desk = client.read(url("desk", tournament))
    seen = client.read(url("list", tournament), {"status": "zustimmung"})
    assert "1 wartet auf Zustimmung" in desk
    assert ("Fremd" in seen, "Nicht zulassen" in seen) == (True, False)

    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    chosen = client.read(url("list", tournament), {"status": "zustimmung"})
    answer = client.post(url("approve", tournament, first.pk) + "?zustimmung", follow=True)

    assert "Nicht zulassen" in chosen
    assert answer.redirect_chain[0][0].endswith("?status=zustimmung")
    assert "ist zugelassen, Startnummer 1." in answer.content.decode()


def test_a_rejection_needs_a_reason_and_shows_it(client: Client):
    tournament = soon(**APPROVAL)
    asked = asking(tournament)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = client.read(url("registration", tournament, asked.pk))
    without = client.post(url("refuse", tournament, asked.pk))
    client.post(url("refuse", tournament, asked.pk), {"reason": "kein Mitglied"})

    assert "Bis die Spielleitung entscheidet, ist kein Platz" in " ".join(page.split())
    assert without.status_code == 422
    asked.refresh_from_db()
    assert asked.get_status_display() == "nicht zugelassen"


def test_a_decision_on_an_online_entry_is_mailed(client: Client, settings):
    settings.HAS_EMAIL, settings.PUBLIC_URL = True, "https://romme.example"
    tournament = make_open_tournament(**APPROVAL)
    sent = send_one(
        tournament, wanted("Eva", "Fremd", club_name="Fremdverein"), email="eva@verein.example"
    )
    registration = tournament.registrations.get()

    page = client.read(at("entry:registration", sent.token))
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    client.post(url("refuse", tournament, registration.pk), {"reason": "kein Mitglied"})

    assert "wartet auf Zustimmung" in page
    assert "nichts zu bezahlen" in page
    assert "nicht zugelassen" in mail.outbox[-1].body
    form = client.read(at("entry:register", tournament))
    assert "Bei anderen entscheidet die Spielleitung." in form


def test_the_ausschreibung_names_clubs_but_no_persons(client: Client):
    tournament = make_tournament(**LISTED)

    page = client.read(at("public:tournament", tournament))

    assert "Melden können sich Mitglieder von: SC Altenburg" in page
    assert "Kühn" not in page
