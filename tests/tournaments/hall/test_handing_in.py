"""Handing in (§ 2.3.3): missing items are listed."""

from __future__ import annotations

import pytest

from scoring.payments.bussgeld import PerPlace
from tests.factories import COMMAND, acting
from tests.factories_lists import FOUR, list_of, write_games
from tests.tournaments.hall.handing_in import now, row_of, tick
from tests.tournaments.hall.helpers import DUE, DUE_TOTAL, played, running
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.hall.queries.handing_in import MissingItems
from tournaments.hall.services import handing_in
from tournaments.hall.services.handing_in import HandInItem
from tournaments.lists.services import signing
from tournaments.models import JournalEntry, Signature, Spielliste

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status
spielliste = world(lambda: played(running()))


# --- Missing items --------------------------------------------------------------------------


def test_a_playing_table_misses_everything_but_the_unknown_bussgeld():
    spielliste = write_games(list_of(running()), FOUR[:3])

    row = row_of(spielliste)

    assert row.missing == [MissingItems.GAMES, MissingItems.SIGNATURES, MissingItems.CARDS]
    assert (row.games, row.games_wanted, row.open_cents) == (3, 12, 0)
    assert not row.is_begun


def test_a_complete_list_owes_bussgeld_by_seat():
    row = row_of(played(running()))

    assert [bussgeld.open_cents for bussgeld in row.owed] == list(DUE)
    assert [bussgeld.seat for bussgeld in row.owed] == [1, 2, 3, 4]
    assert row.missing == [
        MissingItems.SIGNATURES,
        MissingItems.LIST,
        MissingItems.CARDS,
        MissingItems.BUSSGELD,
    ]


def test_bussgeld_of_a_shared_place_is_shared():
    # Seats 3 and 4 have the same hands and finished as many games: 1 € and 2 € make 1,50 €.
    tariff = PerPlace(cents=(0, 50, 100, 200))
    lines = [
        {"finisher": 1, "handromme": False, "minus": [0, 20, 30, 30]},
        {"finisher": 2, "handromme": False, "minus": [15, 0, 40, 40]},
    ]
    spielliste = write_games(list_of(running(tariff=tariff)), lines, status=Status.COMPLETE)

    assert [bussgeld.tariff_cents for bussgeld in row_of(spielliste).owed] == [0, 50, 150, 150]


def test_no_bussgeld_is_due_without_a_tariff():
    row = row_of(played(running(tariff=None)))

    assert row.open_cents == 0
    assert MissingItems.BUSSGELD not in row.missing


def test_an_invalid_list_has_no_missing_items():
    spielliste = played(running(), status=Status.INVALID)

    assert row_of(spielliste).missing == []
    assert row_of(spielliste).is_done


# --- Ticking off ----------------------------------------------------------------------------


def test_a_signed_list_is_handed_in_with_its_last_missing_item():
    serie = running()
    by = acting(serie.tournament)
    spielliste = played(serie, status=Status.SIGNED)
    tick(spielliste)
    assert now(spielliste).status == Status.SIGNED

    handing_in.pay(by, spielliste.pk, expected_cents=DUE_TOTAL)

    handed_in = now(spielliste)
    assert handed_in.status == Status.HANDED_IN
    assert handed_in.handed_in_by == by.user
    assert handed_in.handed_in_at is not None
    assert row_of(spielliste).is_done


def test_a_list_signed_on_a_device_needs_no_paper():
    spielliste = played(running(tariff=None), status=Status.SIGNED, on_paper=False)
    assert row_of(spielliste).missing == [MissingItems.CARDS]

    tick(spielliste, HandInItem.CARDS)

    assert now(spielliste).status == Status.HANDED_IN
    assert now(spielliste).list_received


def test_list_and_cards_can_come_before_the_list_is_entered():
    spielliste = list_of(running())
    assert not row_of(spielliste).is_begun

    tick(spielliste)

    assert row_of(spielliste).missing == [MissingItems.GAMES, MissingItems.SIGNATURES]
    assert row_of(spielliste).is_begun


def test_unticking_undoes_the_handing_in():
    spielliste = played(running(tariff=None), status=Status.SIGNED)
    tick(spielliste)
    assert now(spielliste).status == Status.HANDED_IN

    tick(spielliste, HandInItem.CARDS, received=False)

    again = now(spielliste)
    assert (again.status, again.handed_in_at) == (Status.SIGNED, None)
    assert row_of(spielliste).missing == [MissingItems.CARDS]


def test_an_unchanged_tick_is_no_act():
    spielliste = played(running(), status=Status.SIGNED)
    tick(spielliste, HandInItem.LIST)
    entries = JournalEntry.objects.count()

    tick(spielliste, HandInItem.LIST)

    assert JournalEntry.objects.count() == entries


@pytest.mark.parametrize("status", [Status.VERIFIED, Status.INVALID])
def test_a_settled_list_refuses_ticks(status):
    spielliste = played(running(), status=status)

    with pytest.raises(WrongStatus, match="am Abgeben ändert sich nichts mehr"):
        tick(spielliste, HandInItem.CARDS, received=False)


# --- Signatures on paper --------------------------------------------------------------------


def test_signatures_on_paper_are_confirmed_by_an_account():
    serie = running()
    by = acting(serie.tournament)
    spielliste = played(serie)

    handing_in.confirm_signatures(by, spielliste.pk)

    assert now(spielliste).status == Status.SIGNED
    signatures = Signature.objects.filter(spielliste=spielliste)
    assert {(signature.method, signature.confirmed_by) for signature in signatures} == {
        ("paper", by.user)
    }
    assert signatures.count() == 4


@pytest.mark.both
def test_signatures_reported_by_the_table_need_a_confirmation():
    serie = running(tariff=None)
    by = acting(serie.tournament)
    spielliste = played(serie)
    signing.sign_on_paper(COMMAND, spielliste.pk)
    tick(spielliste)
    assert now(spielliste).status == Status.SIGNED
    assert row_of(spielliste).missing == [MissingItems.SIGNATURES]

    handing_in.confirm_signatures(by, spielliste.pk)

    assert now(spielliste).status == Status.HANDED_IN
    assert JournalEntry.objects.get(action="signatures_confirmed").after == {"number": 4}


def test_signatures_are_not_confirmed_twice():
    serie = running()
    by = acting(serie.tournament)
    spielliste = played(serie)
    handing_in.confirm_signatures(by, spielliste.pk)

    with pytest.raises(TournamentError, match="liegen schon vor"):
        handing_in.confirm_signatures(by, spielliste.pk)


def test_an_unfinished_list_is_not_signed():
    spielliste = write_games(list_of(running()), FOUR[:11])

    with pytest.raises(WrongStatus, match="Erst 11 von 12 Spielen"):
        handing_in.confirm_signatures(COMMAND, spielliste.pk)


# --- All at once ----------------------------------------------------------------------------


def test_all_items_are_handed_in_by_one_act():
    serie = running()
    by = acting(serie.tournament)
    spielliste = played(serie)

    handing_in.take_all(by, spielliste.pk, expected_cents=DUE_TOTAL, signatures=True)

    assert now(spielliste).status == Status.HANDED_IN
    assert row_of(spielliste).missing == []
    assert balances.till_cents(serie.tournament) == DUE_TOTAL


def test_missing_signatures_keep_the_list_waiting(spielliste: Spielliste):
    handing_in.take_all(COMMAND, spielliste.pk, expected_cents=DUE_TOTAL)

    assert now(spielliste).status == Status.COMPLETE
    assert row_of(spielliste).missing == [MissingItems.SIGNATURES]
