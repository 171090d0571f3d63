"""Handing in (§ 2.3.3): what is missing is listed until it is there, the money is booked."""

from __future__ import annotations

import pytest
from django.db import connection
from django.utils import timezone

from scoring.payments.bussgeld import PerPlace
from tests.factories import COMMAND, make_registration
from tests.factories_lists import FOUR, list_of, write_games
from tests.tournaments.control.helpers import DUE, DUE_TOTAL, people, played, running, somebody
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.services import cash, reversals
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.control.queries.handing_in import Missing, TableToHandIn, rows
from tournaments.control.services import handing_in
from tournaments.control.services.handing_in import Thing
from tournaments.lists.services import signing
from tournaments.models import (
    Bussgeld,
    CashEntry,
    Game,
    JournalEntry,
    Receipt,
    Seat,
    Signature,
    Spielliste,
)

pytestmark = pytest.mark.django_db
Status = Spielliste.Status


def row_of(spielliste: Spielliste) -> TableToHandIn:
    return rows(spielliste.table.serie, table=spielliste.table.number)[0]


def now(spielliste: Spielliste) -> Spielliste:
    return Spielliste.objects.get(pk=spielliste.pk)


def tick(spielliste: Spielliste, *things: Thing, received: bool = True) -> None:
    for thing in things or tuple(Thing):
        handing_in.tick(spielliste_id=spielliste.pk, thing=thing, received=received, actor=COMMAND)


def pay(spielliste: Spielliste, cents: int = DUE_TOTAL, **kwargs) -> Receipt:
    return handing_in.pay(
        spielliste_id=spielliste.pk, expected_cents=cents, actor=COMMAND, **kwargs
    )


def give_first_game_to_seat_two(spielliste: Spielliste) -> None:
    """What a correction may bring: seat 1 finished one game less, seat 2 one more."""
    Game.objects.filter(spielliste=spielliste, number=1).update(
        line={"finisher": 2, "handromme": False, "minus": [23, 0, 45, 12]}
    )


# --- What is missing ------------------------------------------------------------------------


spielliste = world(lambda: played(running()))


def test_a_table_that_plays_is_missing_everything_but_the_bussgeld_that_nobody_knows_yet():
    spielliste = write_games(list_of(running()), FOUR[:3])

    row = row_of(spielliste)

    assert row.missing == [Missing.GAMES, Missing.SIGNATURES, Missing.CARDS]
    assert (row.games, row.games_wanted, row.open_cents) == (3, 12, 0)
    assert not row.is_begun


def test_a_whole_list_owes_by_the_tariff_seat_by_seat():
    row = row_of(played(running()))

    assert [one.open_cents for one in row.owed] == list(DUE)
    assert [one.seat for one in row.owed] == [1, 2, 3, 4]
    assert row.missing == [Missing.SIGNATURES, Missing.LIST, Missing.CARDS, Missing.BUSSGELD]


def test_bussgeld_by_place_is_shared_by_those_who_share_the_place():
    # Seats 3 and 4 have the same hands and finished as many games: 1 € and 2 € make 1,50 €.
    tariff = PerPlace(cents=(0, 50, 100, 200))
    lines = [
        {"finisher": 1, "handromme": False, "minus": [0, 20, 30, 30]},
        {"finisher": 2, "handromme": False, "minus": [15, 0, 40, 40]},
    ]
    spielliste = write_games(list_of(running(tariff=tariff)), lines, status=Status.COMPLETE)

    assert [one.tariff_cents for one in row_of(spielliste).owed] == [0, 50, 150, 150]


def test_without_a_tariff_nobody_pays():
    row = row_of(played(running(tariff=None)))

    assert row.open_cents == 0
    assert Missing.BUSSGELD not in row.missing


def test_nothing_is_waited_for_of_an_invalid_list():
    spielliste = played(running(), status=Status.INVALID)

    assert row_of(spielliste).missing == []
    assert row_of(spielliste).is_done


def test_pages_fetch_all_tables_with_as_many_queries_as_one(django_assert_num_queries):
    assert connection.features.supports_json_field  # Django asks each database once
    one, many = running(), running(tables=6)
    for serie in (one, many):
        for table in serie.tables.all():
            played(serie, table.number)
    for serie in (one, many):
        with django_assert_num_queries(6):
            rows(serie)


# --- Ticking off ----------------------------------------------------------------------------


def test_a_signed_list_with_cards_and_money_is_handed_in_with_the_last_of_them():
    serie = running()
    by = somebody(serie.tournament)
    spielliste = played(serie, status=Status.SIGNED)
    tick(spielliste)
    assert now(spielliste).status == Status.SIGNED

    handing_in.pay(spielliste_id=spielliste.pk, expected_cents=DUE_TOTAL, actor=by)

    handed_in = now(spielliste)
    assert handed_in.status == Status.HANDED_IN
    assert handed_in.handed_in_by == by.user
    assert handed_in.handed_in_at is not None
    assert row_of(spielliste).is_done


def test_a_list_that_was_kept_and_signed_on_a_device_needs_no_paper():
    spielliste = played(running(tariff=None), status=Status.SIGNED, on_paper=False)
    assert row_of(spielliste).missing == [Missing.CARDS]

    tick(spielliste, Thing.CARDS)

    assert now(spielliste).status == Status.HANDED_IN
    assert now(spielliste).list_received


def test_list_and_cards_can_come_before_the_list_is_entered():
    spielliste = list_of(running())
    assert not row_of(spielliste).is_begun

    tick(spielliste)

    assert row_of(spielliste).missing == [Missing.GAMES, Missing.SIGNATURES]
    assert row_of(spielliste).is_begun


def test_a_tick_by_mistake_takes_the_handing_in_back():
    spielliste = played(running(tariff=None), status=Status.SIGNED)
    tick(spielliste)
    assert now(spielliste).status == Status.HANDED_IN

    tick(spielliste, Thing.CARDS, received=False)

    again = now(spielliste)
    assert (again.status, again.handed_in_at) == (Status.SIGNED, None)
    assert row_of(spielliste).missing == [Missing.CARDS]


def test_a_tick_that_changes_nothing_is_no_act():
    spielliste = played(running(), status=Status.SIGNED)
    tick(spielliste, Thing.LIST)
    entries = JournalEntry.objects.count()

    tick(spielliste, Thing.LIST)

    assert JournalEntry.objects.count() == entries


@pytest.mark.parametrize("status", [Status.VERIFIED, Status.INVALID])
def test_at_a_settled_list_nothing_is_ticked_any_more(status):
    spielliste = played(running(), status=status)

    with pytest.raises(WrongStatus, match="am Abgeben ändert sich nichts mehr"):
        tick(spielliste, Thing.CARDS, received=False)


def test_nothing_is_handed_in_when_the_serie_is_closed():
    serie = running()
    spielliste = played(serie, status=Status.SIGNED)
    serie.closed_at = timezone.now()
    serie.save()

    with pytest.raises(WrongStatus, match="ist abgeschlossen"):
        tick(spielliste)


# --- Signatures on paper --------------------------------------------------------------------


def test_signatures_on_paper_are_confirmed_by_whoever_saw_them():
    serie = running()
    by = somebody(serie.tournament)
    spielliste = played(serie)

    handing_in.confirm_signatures(spielliste_id=spielliste.pk, actor=by)

    assert now(spielliste).status == Status.SIGNED
    found = Signature.objects.filter(spielliste=spielliste)
    assert {(one.method, one.confirmed_by) for one in found} == {("paper", by.user)}
    assert found.count() == 4


def test_signatures_that_the_table_spoke_of_wait_for_somebody_to_see_them():
    serie = running(tariff=None)
    by = somebody(serie.tournament)
    spielliste = played(serie)
    signing.sign_on_paper(spielliste_id=spielliste.pk, actor=COMMAND)
    tick(spielliste)
    assert now(spielliste).status == Status.SIGNED
    assert row_of(spielliste).missing == [Missing.SIGNATURES]

    handing_in.confirm_signatures(spielliste_id=spielliste.pk, actor=by)

    assert now(spielliste).status == Status.HANDED_IN
    assert JournalEntry.objects.get(action="signatures_confirmed").after == {"number": 4}


def test_signatures_are_not_confirmed_twice():
    serie = running()
    by = somebody(serie.tournament)
    spielliste = played(serie)
    handing_in.confirm_signatures(spielliste_id=spielliste.pk, actor=by)

    with pytest.raises(TournamentError, match="liegen schon vor"):
        handing_in.confirm_signatures(spielliste_id=spielliste.pk, actor=by)


def test_an_unfinished_list_is_not_signed():
    spielliste = write_games(list_of(running()), FOUR[:11])

    with pytest.raises(WrongStatus, match="Erst 11 von 12 Spielen"):
        handing_in.confirm_signatures(spielliste_id=spielliste.pk, actor=COMMAND)


# --- The Bußgeld ----------------------------------------------------------------------------


def test_the_table_pays_together_with_one_receipt_that_names_each_person(spielliste: Spielliste):
    receipt = pay(spielliste)

    entries = receipt.entries.order_by("pk")
    assert [(one.kind, one.amount_cents) for one in entries] == [
        (CashEntry.Kind.BUSSGELD, cents) for cents in DUE
    ]
    assert [one.registration_id for one in entries] == people(spielliste)
    assert (receipt.payer, receipt.text) == ("Serie 1, Tisch 1", "Bußgeld Serie 1, Tisch 1")
    assert balances.till_cents(spielliste.table.serie.tournament) == DUE_TOTAL
    assert row_of(spielliste).is_money_settled


def test_one_person_pays_alone_under_their_own_name(spielliste: Spielliste):
    third = people(spielliste)[2]

    receipt = pay(spielliste, 450, registrations=[third])

    assert receipt.payer == str(receipt.entries.get().registration.person)
    assert [one.open_cents for one in row_of(spielliste).owed] == [400, 450, 0, 500]


def test_a_sum_that_has_changed_meanwhile_is_not_taken(spielliste: Spielliste):
    with pytest.raises(Conflict, match="Offen sind jetzt 18,00\N{NO-BREAK SPACE}€"):
        pay(spielliste, 1700)

    assert not Receipt.objects.exists()


def test_nobody_pays_twice(spielliste: Spielliste):
    pay(spielliste)

    with pytest.raises(TournamentError, match="kein Bußgeld offen"):
        pay(spielliste, 0)


def test_nobody_pays_before_the_list_is_whole():
    with pytest.raises(WrongStatus, match="Erst 0 von 12 Spielen"):
        pay(list_of(running()), 0)


def test_nobody_pays_for_an_invalid_list():
    with pytest.raises(WrongStatus, match="ungültig"):
        pay(played(running(), status=Status.INVALID), 0)


def test_a_cancelled_receipt_leaves_the_bussgeld_open_again(spielliste: Spielliste):
    receipt = pay(spielliste)

    reversals.reverse_receipt(receipt_id=receipt.pk, reason="falsch gezählt", actor=COMMAND)

    assert row_of(spielliste).open_cents == DUE_TOTAL
    assert pay(spielliste).number == 3


def test_a_waiver_needs_a_reason_and_leaves_nothing_open(spielliste: Spielliste):
    first = people(spielliste)[0]

    with pytest.raises(TournamentError, match="braucht einen Grund"):
        handing_in.waive(
            spielliste_id=spielliste.pk, registration_id=first, reason=" ", actor=COMMAND
        )
    handing_in.waive(
        spielliste_id=spielliste.pk, registration_id=first, reason="Junior", actor=COMMAND
    )

    owed = row_of(spielliste).owed[0]
    assert (owed.open_cents, owed.waived_cents, owed.waived_reason) == (0, 400, "Junior")
    assert JournalEntry.objects.get(action="bussgeld_waived").reason == "Junior"
    with pytest.raises(TournamentError, match="nichts schuldig"):
        handing_in.waive(
            spielliste_id=spielliste.pk, registration_id=first, reason="noch mal", actor=COMMAND
        )


def test_only_who_sits_at_the_table_can_be_let_off(spielliste: Spielliste):
    stranger = make_registration(spielliste.table.serie.tournament)

    with pytest.raises(TournamentError, match="sitzt nicht an Tisch 1"):
        handing_in.waive(
            spielliste_id=spielliste.pk, registration_id=stranger.pk, reason="x", actor=COMMAND
        )


def test_a_waiver_is_taken_back_and_the_list_is_no_longer_handed_in():
    spielliste = played(running(), status=Status.SIGNED)
    first = people(spielliste)[0]
    handing_in.waive(
        spielliste_id=spielliste.pk, registration_id=first, reason="Junior", actor=COMMAND
    )
    tick(spielliste)
    pay(spielliste, DUE_TOTAL - 400)
    assert now(spielliste).status == Status.HANDED_IN

    handing_in.take_back_waiver(spielliste_id=spielliste.pk, registration_id=first, actor=COMMAND)

    assert now(spielliste).status == Status.SIGNED
    assert row_of(spielliste).owed[0].open_cents == 400
    with pytest.raises(TournamentError, match="wurde nichts erlassen"):
        handing_in.take_back_waiver(
            spielliste_id=spielliste.pk, registration_id=first, actor=COMMAND
        )


def test_a_waiver_stays_once_the_list_is_verified():
    spielliste = played(running(), status=Status.VERIFIED)

    with pytest.raises(WrongStatus, match="geprüft"):
        handing_in.take_back_waiver(
            spielliste_id=spielliste.pk, registration_id=people(spielliste)[0], actor=COMMAND
        )


# --- When a correction changes it -----------------------------------------------------------


def test_a_correction_after_paying_names_extra_due_and_refund_and_both_are_settled():
    spielliste = played(running(), status=Status.VERIFIED)
    pay(spielliste)

    give_first_game_to_seat_two(spielliste)

    owed = row_of(spielliste).owed
    assert [one.open_cents for one in owed] == [50, -50, 0, 0]
    assert [one.changed_cents for one in owed] == [50, -50, 0, 0]
    assert row_of(spielliste).missing == [Missing.BUSSGELD]

    first, second, *_others = people(spielliste)
    pay(spielliste, 50, registrations=[first])
    refund = pay(spielliste, -50, registrations=[second])

    assert refund.entries.get().amount_cents == -50
    assert row_of(spielliste).is_done
    assert Bussgeld.objects.get(registration=first).due_cents == 450


def test_a_waiver_does_not_cover_what_a_correction_adds(spielliste: Spielliste):
    first, second, *_others = people(spielliste)
    for one in (first, second):
        handing_in.waive(
            spielliste_id=spielliste.pk, registration_id=one, reason="Gast", actor=COMMAND
        )

    give_first_game_to_seat_two(spielliste)

    # Seat 1 was let off 4,00 € and now owes 4,50 €; seat 2 owes less than it was let off.
    assert [one.open_cents for one in row_of(spielliste).owed][:2] == [50, 0]


def test_who_was_moved_away_gets_back_what_the_other_now_owes(spielliste: Spielliste):
    pay(spielliste)
    gone = people(spielliste)[3]
    late = make_registration(spielliste.table.serie.tournament)
    Seat.objects.filter(registration=gone).update(registration=late)

    owed = row_of(spielliste).owed

    assert [(one.registration.pk, one.seat, one.open_cents) for one in owed[3:]] == [
        (late.pk, 4, 500),
        (gone, None, -500),
    ]


def test_more_than_the_till_holds_is_not_paid_back():
    spielliste = played(running(), status=Status.VERIFIED)
    tournament = spielliste.table.serie.tournament
    pay(spielliste)
    give_first_game_to_seat_two(spielliste)
    cash.book(
        tournament=tournament,
        method=Receipt.Method.CASH,
        lines=[cash.ReceiptLine(kind=CashEntry.Kind.WITHDRAWAL, amount_cents=-DUE_TOTAL)],
        actor=COMMAND,
    )

    with pytest.raises(TournamentError, match="In der Kasse sind laut Kassenbuch nur 0,00"):
        pay(spielliste, -50, registrations=[people(spielliste)[1]])


# --- All at once ----------------------------------------------------------------------------


def test_everything_is_taken_in_one_act():
    serie = running()
    by = somebody(serie.tournament)
    spielliste = played(serie)

    handing_in.take_all(
        spielliste_id=spielliste.pk, expected_cents=DUE_TOTAL, signatures=True, actor=by
    )

    assert now(spielliste).status == Status.HANDED_IN
    assert row_of(spielliste).missing == []
    assert balances.till_cents(serie.tournament) == DUE_TOTAL


def test_without_the_signatures_the_rest_is_taken_and_the_list_waits(spielliste: Spielliste):
    handing_in.take_all(spielliste_id=spielliste.pk, expected_cents=DUE_TOTAL, actor=COMMAND)

    assert now(spielliste).status == Status.COMPLETE
    assert row_of(spielliste).missing == [Missing.SIGNATURES]


def test_nothing_is_taken_when_the_sum_has_changed():
    spielliste = played(running(), status=Status.SIGNED)

    with pytest.raises(Conflict):
        handing_in.take_all(
            spielliste_id=spielliste.pk, expected_cents=DUE_TOTAL - 100, actor=COMMAND
        )

    assert not now(spielliste).list_received
    assert not Receipt.objects.exists()
