"""The pages of the desk: their access, the Enter key, and the parts that stay visible."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from tests.clients import Client, at, plain
from tests.factories import (
    COMMAND,
    make_club,
    make_member,
    make_person,
    make_players,
    make_registration,
    make_tournament,
)
from tests.factories_lists import make_seated_serie
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.services.counts import open_till
from tournaments.cash.services.till import book_free, return_kaution
from tournaments.common.actors import Actor
from tournaments.desk.queries.desk import recent_registrations
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.models import (
    CashEntry,
    Entry,
    EntryLine,
    Person,
    Receipt,
    Registration,
    Role,
    Serie,
    Tournament,
)

pytestmark = pytest.mark.django_db
Status = Registration.Status


def soon(**fields) -> Tournament:
    """A tournament that starts in two hours."""
    return make_tournament(starts_at=timezone.now() + timedelta(hours=2), **fields)


def late(**fields) -> Tournament:
    """Return a tournament whose deadline has just passed."""
    return make_tournament(starts_at=timezone.now() + timedelta(minutes=5), **fields)


def log_in(client: Client, tournament: Tournament, role: Role = Role.KASSE) -> None:
    client.force_login(make_member(tournament, role))


tournament = world(soon)


@pytest.fixture
def client(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.KASSE))
    return client


def test_enter_registers_and_charges_a_known_person(client: Client, tournament: Tournament):
    person = make_person("Anna", "Kühn", club=make_club("SC Altenburg"))

    results = client.read(at("desk:desk", tournament), {"q": "kue alt"})
    answer = client.post(at("desk:register", tournament), {"person": person.pk}, follow=True)

    assert "Kühn, Anna" in results
    page = answer.content.decode()
    assert "15,00\xa0€ erhalten" in page
    assert "auf 20,00\xa0€ <strong>5,00\xa0€</strong>" in page
    assert Registration.objects.get(person=person).status == Status.PAID


def test_a_card_payment_has_no_change_and_stays_out_of_the_till(
    client: Client, tournament: Tournament
):
    known = make_person("Anna", "Kühn")
    there = register(COMMAND, tournament.pk, person_id=make_person("Bernd", "Voß").pk)
    results = client.read(at("desk:desk", tournament), {"q": "kuehn"})
    assert 'name="method_" value="card"' in results

    new = client.post(
        at("desk:register", tournament), {"person": known.pk, "method_": "card"}, follow=True
    )
    client.post(at("desk:pay", tournament, there.pk), {"method_": "card"})

    page = new.content.decode()
    assert "15,00\xa0€ erhalten" in page
    assert "auf 20,00\xa0€" not in page
    assert [receipt.method for receipt in Receipt.objects.all()] == [Receipt.Method.CARD] * 2
    assert balances.till_cents(tournament) == 0
    assert not Registration.objects.exclude(status=Status.PAID).exists()


def test_a_full_tournament_puts_new_people_on_the_waiting_list(
    client: Client, tournament: Tournament
):
    new = "Melden und kassieren", "Auf die Warteliste, ohne Geld"
    before = client.read(at("desk:desk", tournament))
    register(COMMAND, tournament.pk, person_id=make_person("Bernd", "Voß").pk)
    Tournament.objects.filter(pk=tournament.pk).update(places=1)

    full = client.read(at("desk:desk", tournament))

    assert [words in before for words in new] == [True, False]
    assert [words in full for words in new] == [False, True]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "found"}])
def test_a_waiting_person_is_not_offered_a_card_payment(
    client: Client, tournament: Tournament, headers: dict[str, str]
):
    there = register(COMMAND, tournament.pk, person_id=make_person("Bernd", "Voß").pk)
    make_person("Anna", "Kühn")
    Tournament.objects.filter(pk=tournament.pk).update(places=1)

    waits, owes = (
        client.get(at("desk:desk", tournament), {"q": name}, headers=headers).content.decode()
        for name in ("kuehn", there.person.last_name)
    )

    assert 'result-also" name="method_"' not in waits
    assert "Kommt auf die Warteliste, ohne Geld." in waits
    assert 'result-also" name="method_"' in owes  # has the place


def test_enter_ignores_similar_names(client: Client, tournament: Tournament):
    make_person("Erika", "Brandt")

    page = client.read(at("desk:desk", tournament), {"q": "Brand Erik"})

    selected = page.split("is-selected")[1].split("</li>")[0]
    assert "+ Neu: „Brand Erik“" in selected
    assert "Meinten Sie …?" in page
    assert 'class="result meant"' in page
    assert page.count("is-selected") == 1


def test_the_desk_records_a_refusal_to_be_named_in_the_hall(client: Client, tournament: Tournament):
    client.post(
        at("desk:new", tournament),
        {"last_name": "Quandt", "first_name": "Eva", "hall_objection": "on"},
    )

    assert Person.objects.get().hall_objection


def test_a_new_person_without_a_name_is_refused_and_nothing_stored(
    client: Client, tournament: Tournament
):
    answer = client.post(at("desk:new", tournament), {"last_name": "", "club_name": "SC Gera"})

    assert answer.status_code == 422
    assert not Person.objects.exists()


def test_after_the_deadline_only_the_spielleitung_registers_with_a_reason(client: Client):
    tournament, person = late(), make_person()
    url, sent = at("desk:register", tournament), {"late_reason": "Stau auf der A4"}

    log_in(client, tournament, Role.KASSE)
    refused = client.post(url, {"person": person.pk, **sent})
    log_in(client, tournament, Role.SPIELLEITUNG)
    asked = client.post(url, {"person": person.pk})
    assert not Registration.objects.exists()
    client.post(url, {"person": person.pk, **sent})

    assert (refused.status_code, asked.status_code) == (409, 409)
    assert "Nachmelden kann nur die Spielleitung" in refused.content.decode()
    assert 'name="late_reason"' in asked.content.decode()
    assert Registration.objects.get().late_reason == "Stau auf der A4"


def test_recent_acts_name_startgeld_and_refund(client: Client, tournament: Tournament):
    registration = register(COMMAND, tournament.pk, person_id=make_person().pk, payment=Payment())
    book_free(
        COMMAND,
        tournament.pk,
        kind=CashEntry.Kind.BUSSGELD,
        amount_cents=170,
        text="zu spät",
        registration_id=registration.pk,
    )

    page = client.read(at("desk:desk", tournament))

    recent = " ".join(page[page.index('id="recent"') :].split())
    assert "15,00 € bar" in recent
    assert "16,70 € gehen zurück (bar)" in recent


def test_a_seated_registration_cannot_be_undone(client: Client, tournament: Tournament):
    make_seated_serie(tournament)
    registration = tournament.registrations.get(number=1)

    page = client.read(at("desk:desk", tournament))
    answer = client.post(at("desk:take_back", tournament, registration.pk))

    assert at("desk:take_back", tournament, registration.pk) not in page
    assert answer.status_code == 409
    assert "hat in Serie 1 einen Platz an Tisch 1" in answer.content.decode()
    registration.refresh_from_db()
    assert registration.status == Status.PAID


def test_counters_show_resulting_tables_and_missing_players(client: Client, tournament: Tournament):
    make_players(tournament, 7)
    make_registration(tournament, status=Status.REGISTERED)

    page = client.read(at("desk:desk", tournament))

    assert "1 Vierertisch, 1 Dreiertisch" in page
    assert "noch 1 fehlt für 2 Vierertische" in page
    assert "1 gemeldet, noch nicht bezahlt" in page


def test_the_kaution_is_taken_with_the_startgeld_and_once_only(
    client: Client, tournament: Tournament
):
    known, prepaid = make_person("Anna", "Kühn"), make_person("Max", "Huber")
    registration = register(
        COMMAND,
        tournament.pk,
        person_id=prepaid.pk,
        payment=Payment(method=Receipt.Method.BANK, amount_cents=1500),
    )
    Tournament.objects.filter(pk=tournament.pk).update(kaution_cents=500)
    desk = at("desk:desk", tournament)

    page = client.read(desk, {"q": "kühn"})
    done = client.post(at("desk:register", tournament), {"person": known.pk}, follow=True)
    ticked = client.post(at("desk:pay", tournament, registration.pk), follow=True)

    assert "20,00\xa0€" in page
    assert "mit 5,00\xa0€ Kaution" in page
    assert "20,00\xa0€ erhalten" in done.content.decode()
    assert "davon 5,00\xa0€ Kaution" in done.content.decode()
    assert "5,00\xa0€ erhalten" in ticked.content.decode()
    assert balances.kaution_cents(registration) == 500
    assert balances.till_cents(tournament) == 2500
    return_kaution(COMMAND, registration.pk)
    again = client.post(at("desk:pay", tournament, registration.pk))
    assert again.status_code == 409
    assert at("desk:pay", tournament, registration.pk) not in (client.read(desk, {"q": "huber"}))


def test_the_desk_warns_of_an_unopened_till(client: Client, tournament: Tournament):
    desk = at("desk:desk", tournament)

    before = client.read(desk)
    counter = Actor.account(make_member(tournament, Role.KASSE))
    open_till(counter, tournament.pk, pieces={1000: 5})
    after = client.read(desk)

    assert "Kasse nicht eröffnet" in before
    assert at("cash:count", tournament) in before
    assert "Kasse nicht eröffnet" not in after
    assert "Wechselgeld 50,00\xa0€" in after


def test_latecomers_see_missed_serien_and_a_missing_seat(client: Client):
    tournament = make_tournament(starts_at=timezone.now() + timedelta(hours=2))
    log_in(client, tournament)
    four = make_players(tournament, 4)
    first = make_seated_serie(tournament, [four])
    Serie.objects.filter(pk=first.pk).update(closed_at=timezone.now())
    make_seated_serie(tournament, [four], number=2)
    person = make_person()

    desk = client.read(at("desk:desk", tournament))
    done = client.post(
        at("desk:register", tournament), {"person": person.pk}, follow=True
    ).content.decode()

    assert "Serie 1 ist vorbei und für Nachzügler verloren. Serie 2 ist ausgelost" in desk
    assert "Das Startgeld ist trotzdem voll fällig" in desk
    assert "Noch ohne Platz in Serie 2." in done
    assert at("draw:serie", tournament, 2) in done


def test_seating_needs_are_hidden_from_the_schiedsrichter(client: Client, tournament: Tournament):
    log_in(client, tournament, Role.SCHIEDSRICHTER)
    registration = make_registration(tournament, fixed_table=3, fixed_table_reason="Rollstuhl")

    listing = client.read(at("desk:list", tournament))
    page = client.get(at("desk:registration", tournament, registration.pk))

    assert "Rollstuhl" not in listing
    assert page.status_code == 403


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        pytest.param("withdraw", {}, Status.WITHDRAWN, id="withdraw"),
        pytest.param("no_show", {}, Status.NO_SHOW, id="no show"),
        pytest.param("exclude", {"reason": "grober Verstoß"}, Status.EXCLUDED, id="§ 1.4 exclude"),
    ],
)
def test_leaving_has_one_form(
    client: Client, name: str, data: dict[str, str], status: Status, tournament: Tournament
):
    log_in(client, tournament, Role.SPIELLEITUNG)
    registration = make_registration(tournament)

    client.post(at(f"desk:{name}", tournament, registration.pk), data)

    registration.refresh_from_db()
    assert registration.status == status


@pytest.mark.parametrize(
    ("name", "status"), [("exclude", Status.PAID), ("include", Status.EXCLUDED)]
)
def test_an_exclusion_after_the_draw_is_made_in_checking(client: Client, name: str, status: Status):
    tournament = make_tournament()
    make_seated_serie(tournament)
    log_in(client, tournament, Role.SPIELLEITUNG)
    registration = tournament.registrations.get(number=1)
    Registration.objects.filter(pk=registration.pk).update(status=status, present_at=None)

    page = client.read(at("desk:registration", tournament, registration.pk))
    answer = client.post(
        at(f"desk:{name}", tournament, registration.pk), {"reason": "grober Verstoß"}
    )

    there = at("checking:exclusion", tournament, registration.number)
    assert there in page
    assert answer.status_code == 409
    assert "in der „Prüfung“" in answer.content.decode()
    registration.refresh_from_db()
    assert registration.status == status


def test_errors_of_a_collapsed_form_are_shown_above_it(client: Client, tournament: Tournament):
    registration = make_registration(tournament)
    url = at("desk:withdraw", tournament, registration.pk)

    answer = client.post(url, {"reason": "x" * 301})

    assert answer.status_code == 422
    assert "Grund: " in answer.content.decode()


def test_the_desk_counts_waiting_online_entries(client: Client, tournament: Tournament):
    Tournament.objects.update(online_registration=True)
    entry = Entry.objects.create(tournament=tournament)
    for status in (EntryLine.Status.OPEN, EntryLine.Status.OPEN, EntryLine.Status.DISMISSED):
        EntryLine.objects.create(
            entry=entry, position=entry.lines.count(), last_name="Kühn", status=status
        )

    assert "2 zu klären" in client.read(at("desk:desk", tournament))


def test_the_desk_needs_a_constant_number_of_queries(
    client: Client, django_assert_max_num_queries, tournament: Tournament
):
    make_players(tournament, 30)
    url = at("desk:desk", tournament)

    with django_assert_max_num_queries(18):
        client.get(url, {"q": "muster"})


@pytest.mark.both
@pytest.mark.parametrize("there", [1, 30])
def test_registering_and_paying_need_few_statements(
    client: Client, django_assert_num_queries, tournament: Tournament, there: int
):
    make_players(tournament, there)
    person = make_person(club=make_club())
    client.post(at("desk:register", tournament), {"person": make_person().pk})
    waits_for_the_same = connection.vendor == "postgresql"

    with django_assert_num_queries(40 + waits_for_the_same):
        client.post(at("desk:register", tournament), {"person": person.pk})

    assert tournament.registrations.get(person=person).status == Registration.Status.PAID


def test_the_list_of_registrations_needs_a_constant_number_of_queries(
    client: Client, django_assert_max_num_queries, tournament: Tournament
):
    make_players(tournament, 30)

    with django_assert_max_num_queries(9):
        page = client.read(at("desk:list", tournament))
    assert page.count('class="who"') == 30


def test_recent_payments_are_first_with_time_and_receipt(client: Client, tournament: Tournament):
    an_hour_ago = timezone.now() - timedelta(hours=1)
    early, late = (
        make_registration(tournament, status=Registration.Status.REGISTERED, created_at=an_hour_ago)
        for _number in range(2)
    )
    receipt = pay(COMMAND, early.pk, payment=Payment(amount_cents=1500))

    rows = recent_registrations(tournament)

    assert [row["registration"] for row in rows] == [early, late]
    assert rows[0]["receipt"] == receipt
    assert rows[0]["at"] > an_hour_ago == rows[1]["at"]
    assert rows[1]["receipt"] is None
    assert at("cash:receipt", tournament, receipt.number) in client.read(
        at("desk:desk", tournament)
    )


def test_payments_without_dues_need_a_confirmation(client: Client):
    tournament = soon()
    registration = register(
        COMMAND, tournament.pk, person_id=make_person().pk, payment=Payment(amount_cents=1_500)
    )
    client.force_login(make_member(tournament, Role.KASSE))
    form = {"amount_cents": "5,00", "method_": "cash", "seen_open_cents": 0}

    asked = client.post(at("desk:payment", tournament, registration.pk), form)
    receipts = tournament.receipts.count()
    said = client.post(
        at("desk:payment", tournament, registration.pk), {**form, "agreed": "1"}, follow=True
    )

    assert (
        f"Nichts offen: {registration.number} · {registration.person.list_name}. Trotzdem buchen?"
        in plain(asked)
    )
    assert receipts == 1
    assert "Gebucht. 5,00 € davon sind mehr, als offen war" in plain(said)
