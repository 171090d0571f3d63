"""Registering people and taking the Startgeld (§ 1.3)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.factories import (
    COMMAND,
    START,
    make_ban,
    make_club,
    make_person,
    make_registration,
    make_tournament,
)
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.common.errors import TournamentError
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.models import (
    CashEntry,
    JournalEntry,
    Person,
    Ranking,
    Receipt,
    Registration,
    Tournament,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
MORNING = START - timedelta(hours=2)
Status = Registration.Status


def enter(tournament: Tournament, person: Person | None = None, **more) -> Registration:
    person = person or make_person()
    return register(COMMAND, tournament.pk, person_id=person.pk, **{"now": MORNING, **more})


def booked(registration: Registration) -> list[tuple[str, int]]:
    return list(registration.cash_entries.values_list("kind", "amount_cents"))


tournament = world(make_tournament)


def test_registering_with_payment_gives_number_receipt_and_status():
    tournament = make_tournament(startgeld_cents=1500)

    registration = enter(tournament, payment=Payment())

    registration.refresh_from_db()
    assert registration.number == 1
    assert registration.status == Status.PAID
    assert booked(registration) == [("startgeld", 1500)]
    assert balances.till_cents(tournament) == 1500
    assert list(JournalEntry.objects.values_list("action", flat=True)) == [
        "registered",
        "receipt_booked",
        "registration_status",
    ]


def test_all_that_is_due_is_booked_by_its_kind():
    tournament = make_tournament(startgeld_cents=1500, kartengeld_cents=200)
    tandem = tournament.rankings.create(kind=Ranking.Kind.TANDEM, size=2, stake_cents=300)

    registration = enter(tournament, rankings=[tandem], payment=Payment())

    assert registration.due_cents == 2000
    assert booked(registration) == [("startgeld", 1500), ("kartengeld", 200), ("stake", 300)]


@pytest.mark.parametrize("payment", [None, Payment()], ids=["no payment", "payment"])
def test_a_registration_without_dues_is_paid_at_once(payment):
    registration = enter(make_tournament(startgeld_cents=0), payment=payment)

    assert not Receipt.objects.exists()
    registration.refresh_from_db()
    assert registration.status == Status.PAID


def test_an_overpayment_is_kept_as_credit():
    registration = enter(make_tournament(), payment=Payment(amount_cents=2000))

    assert booked(registration) == [("startgeld", 1500), ("credit", 500)]
    assert balances.paid_cents(registration) == 2000


@pytest.mark.parametrize(
    ("amount_cents", "sentence"),
    [
        pytest.param(None, "nichts mehr offen", id="all paid"),
        pytest.param(0, "größer als null", id="nothing"),
        pytest.param(-100, "größer als null", id="negative"),
    ],
)
def test_invalid_payments_are_refused(amount_cents, sentence):
    registration = enter(make_tournament(), payment=Payment())

    with pytest.raises(TournamentError, match=sentence):
        pay(COMMAND, registration.pk, payment=Payment(amount_cents=amount_cents))

    assert Receipt.objects.count() == 1


def test_numbers_of_people_who_withdrew_stay_unused(tournament: Tournament):
    make_registration(tournament, number=7, status=Status.WITHDRAWN)

    assert enter(tournament).number == 8


@pytest.mark.parametrize(
    ("seconds", "reason", "accepted"),
    [
        pytest.param(0, "", True, id="§ 1.3 at the deadline"),
        pytest.param(1, "", False, id="§ 1.3 one second late"),
        pytest.param(1, "Stau auf der A4", True, id="§ 1.3 late with a reason"),
        pytest.param(1, "   ", False, id="§ 1.3 blank reason"),
    ],
)
def test_registration_ends_a_quarter_of_an_hour_before_the_start(
    seconds, reason, accepted, tournament: Tournament
):
    now = START - timedelta(minutes=15) + timedelta(seconds=seconds)

    if accepted:
        assert enter(tournament, now=now, late_reason=reason).late_reason == reason.strip()
    else:
        with pytest.raises(TournamentError, match="Meldeschluss ist vorbei"):
            enter(tournament, now=now, late_reason=reason)


@pytest.mark.parametrize(
    ("starts", "ends", "refused"),
    [
        pytest.param(0, None, True, id="§ 1.4 for good"),
        pytest.param(-30, 0, True, id="§ 1.4 last day"),
        pytest.param(-30, -1, False, id="§ 1.4 over"),
        pytest.param(1, None, False, id="§ 1.4 from tomorrow"),
    ],
)
def test_a_banned_person_cannot_register(starts, ends, refused):
    day = MORNING.date()
    person = make_person()
    ends_on = None if ends is None else day + timedelta(days=ends)
    starts_on = day + timedelta(days=starts)
    make_ban(person, "grober Verstoß", starts_on=starts_on, ends_on=ends_on)
    tournament = make_tournament()

    if refused:
        with pytest.raises(TournamentError, match=r"gesperrt \(§ 1.4\): grober Verstoß\."):
            enter(tournament, person)
    else:
        assert enter(tournament, person).number == 1


def test_people_beyond_the_places_wait_without_number_and_payment():
    tournament = make_tournament(places=3)
    for _place in range(3):
        enter(tournament)

    late = enter(tournament, payment=Payment())

    assert late.status == Status.WAITING
    assert late.number is None
    assert booked(late) == []


def test_the_cheapest_suitable_tariff_is_used():
    tournament = make_tournament(startgeld_cents=1500)
    tournament.categories.create(name="Junioren", startgeld_cents=500, born_from=2008, position=1)

    junior = enter(tournament, make_person(birth_year=2008))
    adult = enter(tournament, make_person(birth_year=2007))
    unknown = enter(tournament, make_person())

    assert [registration.category.name for registration in (junior, adult, unknown)] == [
        "Junioren",
        "Erwachsene",
        "Erwachsene",
    ]


def test_a_registration_keeps_its_club():
    person = make_person(club=make_club("SC Altenburg"))

    registration = enter(make_tournament(), person)
    person.club = make_club("1. Kahlaer SC")
    person.save()

    registration.refresh_from_db()
    assert str(registration.club) == "SC Altenburg"


def test_a_refused_payment_leaves_no_registration_behind(tournament: Tournament):
    with pytest.raises(TournamentError, match="größer als null"):
        enter(tournament, payment=Payment(amount_cents=-1))

    assert not Registration.objects.exists()
    assert not JournalEntry.objects.exists()
    assert not CashEntry.objects.exists()
