"""Money of the till besides the Startgeld; amounts worked out by hand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from tests.clients import Client, at
from tests.factories import COMMAND, START, make_member, make_person, make_tournament
from tests.tournaments.desk.online.helpers import text_of
from tests.tournaments.printing.helpers import words
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.queries.report import by_person
from tournaments.cash.services import cash, till
from tournaments.common.errors import TournamentError
from tournaments.desk.services.changes import withdraw
from tournaments.desk.services.exclusions import exclude
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.journal import services as journal
from tournaments.journal.acts import Act
from tournaments.models import CashEntry, JournalEntry, Receipt, Registration, Role, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Kind, Method, Status = CashEntry.Kind, Receipt.Method, Registration.Status
MORNING = START - timedelta(hours=3)


def free(tournament: Tournament, kind: CashEntry.Kind, amount_cents: int, **more: Any) -> Receipt:
    return till.book_free(
        COMMAND,
        tournament.pk,
        kind=kind,
        amount_cents=amount_cents,
        text=more.pop("text", "wofür"),
        **more,
    )


def enter(tournament: Tournament, amount_cents: int | None = None, **person: Any) -> Registration:
    """Register a person; with an amount, pay it in cash."""
    return register(
        COMMAND,
        tournament.pk,
        person_id=make_person(**person).pk,
        payment=None if amount_cents is None else Payment(amount_cents=amount_cents),
        now=MORNING,
    )


def lines(receipt: Receipt) -> list[tuple[str, int]]:
    return list(receipt.entries.order_by("pk").values_list("kind", "amount_cents"))


tournament = world(make_tournament)


@pytest.mark.parametrize(
    ("kind", "is_expense", "till_cents"),
    [
        pytest.param(Kind.OPENING, False, 10_000 + 2_500, id="more change"),
        pytest.param(Kind.BUSSGELD, False, 10_000 + 2_500, id="Bußgeld"),
        pytest.param(Kind.OTHER, False, 10_000 + 2_500, id="other income"),
        pytest.param(Kind.OTHER, True, 10_000 - 2_500, id="other expense"),
        pytest.param(Kind.PRIZE, False, 10_000 - 2_500, id="prize"),
        pytest.param(Kind.WITHDRAWAL, False, 10_000 - 2_500, id="withdrawal"),
        pytest.param(Kind.BUSSGELD, True, 10_000 + 2_500, id="Bußgeld is never an expense"),
    ],
)
def test_a_free_booking_is_in_or_out_by_its_kind(
    kind: CashEntry.Kind, is_expense: bool, till_cents: int, tournament: Tournament
):
    free(tournament, Kind.OPENING, 10_000)

    free(tournament, kind, 2_500, is_expense=is_expense)

    assert balances.till_cents(tournament) == till_cents


@pytest.mark.parametrize("kind", [Kind.STARTGELD, Kind.KAUTION, Kind.CREDIT, Kind.REFUND])
def test_kinds_with_their_own_act_are_not_booked_freely(kind: CashEntry.Kind):
    with pytest.raises(TournamentError, match="wird bei der Meldung gebucht"):
        free(make_tournament(), kind, 1_000)


@pytest.mark.parametrize(
    ("amount_cents", "text", "sentence"),
    [
        pytest.param(0, "Kaffee", "größer als null", id="nothing"),
        pytest.param(-500, "Kaffee", "größer als null", id="negative"),
        pytest.param(100_000_001, "Kaffee", "höchstens", id="more than a million"),
        pytest.param(500, "  ", "wofür", id="no text"),
    ],
)
def test_a_free_booking_needs_an_amount_and_a_text(amount_cents: int, text: str, sentence: str):
    with pytest.raises(TournamentError, match=sentence):
        free(make_tournament(), Kind.OTHER, amount_cents, text=text)

    assert not Receipt.objects.exists()


def test_the_till_pays_out_no_more_than_its_cash(tournament: Tournament):
    free(tournament, Kind.OPENING, 5_000)

    with pytest.raises(TournamentError, match=r"nur 50,00\s€, 50,01\s€ lassen sich nicht"):
        free(tournament, Kind.WITHDRAWAL, 5_001)
    free(tournament, Kind.WITHDRAWAL, 5_000)

    assert balances.till_cents(tournament) == 0


def test_a_free_booking_may_belong_to_a_person(tournament: Tournament):
    registration = enter(tournament, first_name="Anna", last_name="Kühn")

    receipt = free(tournament, Kind.BUSSGELD, 200, registration_id=registration.pk)

    assert receipt.payer == "Anna Kühn"
    assert receipt.entries.get().registration == registration
    assert balances.paid_cents(registration) == 0  # a Bußgeld pays no Startgeld


def test_a_person_of_another_tournament_is_not_named_on_a_receipt():
    foreign = enter(make_tournament())

    receipt = free(make_tournament(), Kind.BUSSGELD, 200, registration_id=foreign.pk)

    assert receipt.entries.get().registration is None


def test_a_long_name_is_truncated_on_a_receipt(tournament: Tournament):
    registration = enter(tournament, first_name="A" * 80, last_name="B" * 80)

    receipt = pay(COMMAND, registration.pk, payment=Payment())

    assert receipt.payer == "A" * 80 + " " + "B" * 79


def test_kaution_is_taken_once_and_returned_whole():
    tournament = make_tournament(kaution_cents=2_000)
    registration = enter(tournament)

    till.take_kaution(COMMAND, registration.pk)
    with pytest.raises(TournamentError, match="schon bezahlt"):
        till.take_kaution(COMMAND, registration.pk)
    assert (balances.till_cents(tournament), balances.kaution_cents(registration)) == (2_000, 2_000)
    assert balances.paid_cents(registration) == 0
    till.return_kaution(COMMAND, registration.pk)

    assert (balances.till_cents(tournament), balances.kaution_cents(registration)) == (0, 0)
    with pytest.raises(TournamentError, match="keine Kaution vor"):
        till.return_kaution(COMMAND, registration.pk)


def test_kaution_is_returned_in_the_amount_taken():
    tournament = make_tournament(kaution_cents=2_000)
    registration = enter(tournament)
    till.take_kaution(COMMAND, registration.pk)
    Tournament.objects.filter(pk=tournament.pk).update(kaution_cents=500)

    receipt = till.return_kaution(COMMAND, registration.pk)

    assert lines(receipt) == [("kaution", -2_000)]


def test_kaution_is_taken_only_if_announced():
    registration = enter(make_tournament())

    with pytest.raises(TournamentError, match="keine Kaution vor"):
        till.take_kaution(COMMAND, registration.pk)


def test_part_payments_add_up_until_all_is_paid():
    tournament = make_tournament(kartengeld_cents=150)
    registration = enter(tournament, 1_000)

    assert Registration.objects.get().status == Status.REGISTERED
    second = pay(COMMAND, registration.pk, payment=Payment())

    assert lines(second) == [("startgeld", 500), ("kartengeld", 150)]
    assert Registration.objects.get().status == Status.PAID


def test_an_overpayment_can_pay_for_another_person():
    tournament = make_tournament(kartengeld_cents=150)
    giver = enter(tournament, 3_000, first_name="Anna", last_name="Kühn")  # 1,350 too much
    receiver = enter(tournament, 400, first_name="Bernd", last_name="Voß")  # 1,250 open

    receipt = till.move_credit(COMMAND, giver.pk, to_id=receiver.pk, amount_cents=1_300)

    assert receipt.method == Method.INTERNAL
    assert (receipt.payer, receipt.text) == ("Anna Kühn", "Umbuchung auf Bernd Voß")
    # 11,00 € are left of the Startgeld, 1,50 € Kartengeld, and 0,50 € too much again.
    assert lines(receipt) == [
        ("credit", -1_300),
        ("startgeld", 1_100),
        ("kartengeld", 150),
        ("credit", 50),
    ]
    assert balances.paid_cents(giver) == 1_700
    assert balances.paid_cents(receiver) == 1_700
    assert balances.till_cents(tournament) == 3_400
    statuses = Registration.objects.order_by("pk").values_list("status", flat=True)
    assert list(statuses) == [Status.PAID, Status.PAID]


def test_money_is_not_moved_to_oneself_or_to_another_tournament(tournament: Tournament):
    giver, foreign = enter(tournament, 2_000), enter(make_tournament())

    for other in (giver, foreign):
        with pytest.raises(TournamentError, match="andere Person in diesem Turnier"):
            till.move_credit(COMMAND, giver.pk, to_id=other.pk, amount_cents=100)


def test_money_is_not_moved_to_a_person_who_left(tournament: Tournament):
    giver, gone = enter(tournament, 2_000), enter(tournament)
    withdraw(COMMAND, gone.pk, now=MORNING)

    with pytest.raises(TournamentError, match="ist abgemeldet"):
        till.move_credit(COMMAND, giver.pk, to_id=gone.pk, amount_cents=100)


def test_an_overpayment_goes_back_by_transfer_when_the_till_is_empty(tournament: Tournament):
    registration = enter(tournament)
    pay(COMMAND, registration.pk, payment=Payment(amount_cents=2_000, method=Method.BANK))

    with pytest.raises(TournamentError, match="In der Kasse"):
        till.refund_credit(COMMAND, registration.pk, method=Method.CASH)
    till.refund_credit(COMMAND, registration.pk)

    assert balances.paid_cents(registration) == 1_500


@pytest.mark.parametrize(
    ("status", "refund_until", "spare_cents"),
    [
        pytest.param(Status.PAID, None, 500, id="takes part: what is too much"),
        pytest.param(Status.WAITING, None, 2_000, id="waits for a place: all"),
        pytest.param(Status.WITHDRAWN, MORNING, 2_000, id="withdrew in time: all"),
        pytest.param(Status.WITHDRAWN, None, 500, id="withdrew too late: what is too much"),
        pytest.param(Status.NO_SHOW, MORNING, 500, id="did not come: what is too much"),
        pytest.param(Status.EXCLUDED, MORNING, 500, id="§ 1.4 excluded: what is too much"),
    ],
)
def test_the_refundable_amount_depends_on_the_kind_of_leaving(status, refund_until, spare_cents):
    tournament = make_tournament(refund_until=refund_until)
    registration = enter(tournament, 2_000)
    Registration.objects.filter(pk=registration.pk).update(
        status=status, waiting_since=MORNING, present_at=None
    )
    registration.refresh_from_db()

    assert balances.spare_cents(registration, now=MORNING) == spare_cents


def test_pages_and_paper_show_the_forfeited_amount_of_an_exclusion(
    tournament: Tournament, client: Client
):
    registration = enter(tournament, 2_000)
    exclude(COMMAND, registration.pk, reason="grober Verstoß")
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    of_person = at("desk:registration", tournament, registration.pk)
    report = at("cash:report", tournament)
    said = [text_of(client.get(url)) for url in (of_person, report)]

    for page in (*said, words(tournament, "kassenbericht")):
        assert "15,00 € verfallen (§ 1.4)" in page.replace("\xa0", " ")


def test_a_calling_off_refunds_an_excluded_person(tournament: Tournament):
    registration = enter(tournament, 1_500)
    exclude(COMMAND, registration.pk, reason="grober Verstoß")
    lost = [person_sum.forfeited_cents for person_sum in by_person(tournament)["persons"]]
    tournament.status = Tournament.Status.CALLED_OFF
    tournament.called_off_reason = "Sturm"
    tournament.save()

    assert lost == [1_500]
    assert [person_sum.forfeited_cents for person_sum in by_person(tournament)["persons"]] == [0]


def test_every_receipt_is_journalled_without_names():
    tournament = make_tournament(kaution_cents=2_000)
    giver = enter(tournament, 2_000, first_name="Anna", last_name="Kühn")
    receiver = enter(tournament, first_name="Bernd", last_name="Voß")
    till.take_kaution(COMMAND, giver.pk)
    till.move_credit(COMMAND, giver.pk, to_id=receiver.pk, amount_cents=500)
    free(tournament, Kind.OTHER, 100, is_expense=True)

    entries = JournalEntry.objects.filter(action="receipt_booked").order_by("number")

    assert [entry.after["number"] for entry in entries] == [1, 2, 3, 4]
    assert entries[1].after["lines"] == [["kaution", 2_000, giver.pk]]
    told = str(list(JournalEntry.objects.values_list("after", "reason")))
    assert "Kühn" not in told
    assert "Voß" not in told
    assert list(journal.first_breaks()) == []


def test_an_empty_receipt_is_not_written(tournament: Tournament):
    line = cash.ReceiptLine(Kind.OTHER, 0)

    with transaction.atomic(), pytest.raises(TournamentError, match="hat keinen Betrag"):
        cash.book(Act(tournament, tournament, COMMAND), Method.CASH, [line])
