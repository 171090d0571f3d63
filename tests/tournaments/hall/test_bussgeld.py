"""The Bußgeld of a table (§ 2.3.3): payments, waivers and corrections."""

from __future__ import annotations

import pytest

from tests.factories import COMMAND, make_registration
from tests.factories_lists import list_of
from tests.tournaments.hall.handing_in import give_first_game_to_seat_two, now, pay, row_of, tick
from tests.tournaments.hall.helpers import DUE, DUE_TOTAL, people, played, running
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.services import cash, reversals
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.hall.queries.handing_in import MissingItems
from tournaments.hall.services import handing_in
from tournaments.journal.acts import Act
from tournaments.models import Bussgeld, CashEntry, JournalEntry, Receipt, Seat, Spielliste

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status
spielliste = world(lambda: played(running()))


def test_a_table_pays_with_one_receipt_naming_each_person(spielliste: Spielliste):
    receipt = pay(spielliste)

    entries = receipt.entries.order_by("pk")
    assert [(entry.kind, entry.amount_cents) for entry in entries] == [
        (CashEntry.Kind.BUSSGELD, cents) for cents in DUE
    ]
    assert [entry.registration_id for entry in entries] == people(spielliste)
    assert (receipt.payer, receipt.text) == ("Serie 1, Tisch 1", "Bußgeld Serie 1, Tisch 1")
    assert balances.till_cents(spielliste.table.serie.tournament) == DUE_TOTAL
    assert row_of(spielliste).is_money_settled


@pytest.mark.both
def test_one_person_pays_alone(spielliste: Spielliste):
    third = people(spielliste)[2]

    receipt = pay(spielliste, 450, registrations=[third])

    assert receipt.payer == str(receipt.entries.get().registration.person)
    assert [bussgeld.open_cents for bussgeld in row_of(spielliste).owed] == [400, 450, 0, 500]


def test_a_changed_sum_is_not_taken(spielliste: Spielliste):
    with pytest.raises(Conflict, match="Offen sind jetzt 18,00\N{NO-BREAK SPACE}€"):
        pay(spielliste, 1700)

    assert not Receipt.objects.exists()


def test_bussgeld_is_paid_once(spielliste: Spielliste):
    pay(spielliste)

    with pytest.raises(TournamentError, match="kein Bußgeld offen"):
        pay(spielliste, 0)


def test_bussgeld_needs_a_complete_valid_list():
    with pytest.raises(WrongStatus, match="Erst 0 von 12 Spielen"):
        pay(list_of(running()), 0)
    with pytest.raises(WrongStatus, match="ungültig"):
        pay(played(running(), status=Status.INVALID), 0)


def test_a_cancelled_receipt_reopens_the_bussgeld(spielliste: Spielliste):
    receipt = pay(spielliste)

    reversals.reverse_receipt(COMMAND, receipt.pk, reason="falsch gezählt")

    assert row_of(spielliste).open_cents == DUE_TOTAL
    assert pay(spielliste).number == 3


def test_a_waiver_needs_a_reason_and_leaves_nothing_open(spielliste: Spielliste):
    first = people(spielliste)[0]

    with pytest.raises(TournamentError, match="braucht einen Grund"):
        handing_in.waive(COMMAND, spielliste.pk, registration_id=first, reason=" ")
    handing_in.waive(COMMAND, spielliste.pk, registration_id=first, reason="Junior")

    owed = row_of(spielliste).owed[0]
    assert (owed.open_cents, owed.waived_cents, owed.waived_reason) == (0, 400, "Junior")
    assert JournalEntry.objects.get(action="bussgeld_waived").reason == "Junior"
    with pytest.raises(TournamentError, match="nichts schuldig"):
        handing_in.waive(COMMAND, spielliste.pk, registration_id=first, reason="noch mal")


def test_only_players_of_the_table_can_get_a_waiver(spielliste: Spielliste):
    stranger = make_registration(spielliste.table.serie.tournament)

    with pytest.raises(TournamentError, match="sitzt nicht an Tisch 1"):
        handing_in.waive(COMMAND, spielliste.pk, registration_id=stranger.pk, reason="x")


@pytest.mark.both
def test_undoing_a_waiver_undoes_the_handing_in():
    spielliste = played(running(), status=Status.SIGNED)
    first = people(spielliste)[0]
    handing_in.waive(COMMAND, spielliste.pk, registration_id=first, reason="Junior")
    tick(spielliste)
    pay(spielliste, DUE_TOTAL - 400)
    assert now(spielliste).status == Status.HANDED_IN

    handing_in.take_back_waiver(COMMAND, spielliste.pk, registration_id=first)

    assert now(spielliste).status == Status.SIGNED
    assert row_of(spielliste).owed[0].open_cents == 400
    with pytest.raises(TournamentError, match="wurde nichts erlassen"):
        handing_in.take_back_waiver(COMMAND, spielliste.pk, registration_id=first)


def test_a_waiver_stays_once_the_list_is_verified():
    spielliste = played(running(), status=Status.VERIFIED)

    with pytest.raises(WrongStatus, match="geprüft"):
        handing_in.take_back_waiver(COMMAND, spielliste.pk, registration_id=people(spielliste)[0])


# --- When a correction changes it -----------------------------------------------------------


def test_a_correction_after_paying_settles_extra_dues_and_refunds():
    spielliste = played(running(), status=Status.VERIFIED)
    pay(spielliste)

    give_first_game_to_seat_two(spielliste)

    owed = row_of(spielliste).owed
    assert [bussgeld.open_cents for bussgeld in owed] == [50, -50, 0, 0]
    assert [bussgeld.changed_cents for bussgeld in owed] == [50, -50, 0, 0]
    assert row_of(spielliste).missing == [MissingItems.BUSSGELD]

    first, second, *_others = people(spielliste)
    pay(spielliste, 50, registrations=[first])
    refund = pay(spielliste, -50, registrations=[second])

    assert refund.entries.get().amount_cents == -50
    assert row_of(spielliste).is_done
    assert Bussgeld.objects.get(registration=first).due_cents == 450


def test_a_waiver_does_not_cover_dues_added_by_a_correction(spielliste: Spielliste):
    first, second, *_others = people(spielliste)
    for payer in (first, second):
        handing_in.waive(COMMAND, spielliste.pk, registration_id=payer, reason="Gast")

    give_first_game_to_seat_two(spielliste)

    # Seat 1 was let off 4,00 € and now owes 4,50 €; seat 2 owes less than it was let off.
    assert [bussgeld.open_cents for bussgeld in row_of(spielliste).owed][:2] == [50, 0]


def test_a_moved_person_is_refunded_and_the_other_owes(spielliste: Spielliste):
    pay(spielliste)
    gone = people(spielliste)[3]
    late = make_registration(spielliste.table.serie.tournament)
    Seat.objects.filter(registration=gone).update(registration=late)

    owed = row_of(spielliste).owed

    assert [
        (bussgeld.registration.pk, bussgeld.seat, bussgeld.open_cents) for bussgeld in owed[3:]
    ] == [
        (late.pk, 4, 500),
        (gone, None, -500),
    ]


def test_refunds_above_the_till_are_refused():
    spielliste = played(running(), status=Status.VERIFIED)
    tournament = spielliste.table.serie.tournament
    pay(spielliste)
    give_first_game_to_seat_two(spielliste)
    cash.book(
        Act(tournament, tournament, COMMAND),
        method=Receipt.Method.CASH,
        lines=[cash.ReceiptLine(kind=CashEntry.Kind.WITHDRAWAL, amount_cents=-DUE_TOTAL)],
    )

    with pytest.raises(TournamentError, match="In der Kasse sind laut Kassenbuch nur 0,00"):
        pay(spielliste, -50, registrations=[people(spielliste)[1]])
