"""Opening the till, counting it, and booking a difference."""

from __future__ import annotations

import pytest

from tests.factories import COMMAND, make_tournament, make_user
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.services import counts as till_counts
from tournaments.cash.services import till
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.models import CashCount, CashEntry, JournalEntry, Receipt, Role, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Kind = CashEntry.Kind
WHY = "zweimal nachgezählt"


@pytest.fixture
def helper() -> Actor:
    return Actor.account(make_user(name="K. Hilfe"), frozenset({Role.KASSE}))


def count(tournament: Tournament, by: Actor, pieces: dict[int, int], **more) -> CashCount:
    return till_counts.count_till(by, tournament.pk, pieces=pieces, **more)


tournament = world(make_tournament)


def test_opening_books_the_counted_cash_as_change(helper: Actor, tournament: Tournament):
    done = till_counts.open_till(
        helper, tournament.pk, pieces={1000: 5, 500: 6, 200: 10, 50: 0}, loose_cents=250
    )

    # 5 × 10 + 6 × 5 + 10 × 2 + 2.50 = 102.50 €
    assert balances.till_cents(tournament) == 10_250
    entry = CashEntry.objects.get()
    assert (entry.kind, entry.amount_cents) == (Kind.OPENING, 10_250)
    assert (done.expected_cents, done.counted_cents, done.difference_cents) == (10_250, 10_250, 0)
    assert done.pieces == {"1000": 5, "500": 6, "200": 10}


def test_a_late_opening_books_only_unbooked_cash_as_change(helper: Actor, tournament: Tournament):
    till.book_free(
        helper, tournament.pk, kind=Kind.OTHER, amount_cents=4_500, text="Startgelder von Hand"
    )

    till_counts.open_till(helper, tournament.pk, pieces={5000: 2})

    assert CashEntry.objects.get(kind=Kind.OPENING).amount_cents == 5_500
    assert balances.till_cents(tournament) == 10_000


def test_opening_with_less_than_booked_is_refused(helper: Actor, tournament: Tournament):
    till.book_free(helper, tournament.pk, kind=Kind.OTHER, amount_cents=4_500, text="x")

    with pytest.raises(TournamentError, match="Wechselgeld bleibt nicht übrig"):
        till_counts.open_till(helper, tournament.pk, pieces={500: 9})

    assert Receipt.objects.count() == 1
    assert not CashCount.objects.exists()


def test_a_till_is_opened_once_and_again_after_a_storno(helper: Actor, tournament: Tournament):
    till_counts.open_till(helper, tournament.pk, pieces={5000: 2})

    with pytest.raises(TournamentError, match="schon eröffnet"):
        till_counts.open_till(helper, tournament.pk, pieces={5000: 2})
    reverse_receipt(helper, Receipt.objects.get().pk, reason="falsch gezählt")
    assert not balances.is_open(tournament)
    till_counts.open_till(helper, tournament.pk, pieces={5000: 3})

    assert balances.till_cents(tournament) == 15_000
    assert balances.is_open(tournament)


@pytest.mark.parametrize(
    ("pieces", "loose_cents", "difference_cents"),
    [
        pytest.param({5000: 2}, 0, 0, id="right"),
        pytest.param({5000: 1, 2000: 2, 500: 1, 200: 2}, 99, -1, id="one cent missing"),
        pytest.param({10000: 1, 1: 3}, 0, 3, id="three cents too much"),
        pytest.param({}, 0, -10_000, id="empty"),
    ],
)
def test_a_count_reports_the_difference(
    helper: Actor,
    pieces: dict[int, int],
    loose_cents: int,
    difference_cents: int,
    tournament: Tournament,
):
    till_counts.open_till(helper, tournament.pk, pieces={5000: 2})

    done = count(tournament, helper, pieces, loose_cents=loose_cents, note=" nach Serie 1 ")

    assert done.expected_cents == 10_000
    assert done.difference_cents == difference_cents
    assert done.note == "nach Serie 1"
    assert JournalEntry.objects.latest("number").action == "till_counted"


@pytest.mark.parametrize(
    ("pieces", "loose_cents", "sentence"),
    [
        pytest.param({500: -1}, 0, "nicht unter null", id="negative piece"),
        pytest.param({}, -1, "nicht unter null", id="negative sum"),
        pytest.param({50000: 9_999}, 0, "Stückzahlen prüfen", id="five million"),
    ],
)
def test_invalid_counts_are_refused(helper: Actor, pieces, loose_cents, sentence):
    with pytest.raises(TournamentError, match=sentence):
        count(make_tournament(), helper, pieces, loose_cents=loose_cents)

    assert not CashCount.objects.exists()


def test_a_count_needs_an_account():
    with pytest.raises(TournamentError, match="jemanden, der gezählt hat"):
        count(make_tournament(), COMMAND, {})


@pytest.mark.parametrize("pieces", [{5000: 1, 2000: 2}, {5000: 2, 500: 1}], ids=["less", "more"])
def test_booking_a_difference_balances_book_and_drawer(
    helper: Actor, pieces: dict[int, int], tournament: Tournament
):
    till_counts.open_till(helper, tournament.pk, pieces={5000: 2})
    done = count(tournament, helper, pieces)

    receipt = till_counts.book_difference(helper, done.pk, reason=WHY)

    assert receipt.text.startswith("Kassendifferenz laut Zählung vom ")
    assert receipt.text.endswith(f"Uhr: {WHY}")
    assert receipt.difference_of == done
    assert balances.till_cents(tournament) == done.counted_cents
    with pytest.raises(Conflict, match="neu zählen"):
        till_counts.book_difference(helper, done.pk, reason=WHY)


def test_four_eyes_require_another_person_to_book_a_difference(
    helper: Actor, tournament: Tournament
):
    tournament.four_eyes = True
    tournament.save()
    second = Actor.account(make_user(name="Z. Weite"), frozenset({Role.KASSE}))
    till_counts.open_till(helper, tournament.pk, pieces={5000: 2})
    done = count(tournament, helper, {5000: 1})

    with pytest.raises(NotAllowed, match="jemand anders"):
        till_counts.book_difference(helper, done.pk, reason=WHY)
    with pytest.raises(TournamentError, match="woher die Differenz kommt"):
        till_counts.book_difference(second, done.pk, reason=" ")

    assert till_counts.book_difference(second, done.pk, reason=WHY).created_by == second.user
    assert JournalEntry.objects.latest("number").reason == WHY


def test_a_difference_of_yesterday_is_not_booked(helper: Actor, tournament: Tournament):
    till_counts.open_till(helper, tournament.pk, pieces={5000: 2})
    done = count(tournament, helper, {5000: 1})
    till.book_free(helper, tournament.pk, kind=Kind.OTHER, amount_cents=100, text="x")

    with pytest.raises(Conflict, match="neu zählen"):
        till_counts.book_difference(helper, done.pk, reason=WHY)


@pytest.mark.parametrize("method", [Receipt.Method.CARD, Receipt.Method.BANK])
def test_bookings_without_cash_do_not_affect_a_count(
    helper: Actor, tournament: Tournament, method: Receipt.Method
):
    till_counts.open_till(helper, tournament.pk, pieces={5000: 2})
    done = count(tournament, helper, {5000: 1})
    till.book_free(
        helper, tournament.pk, kind=Kind.OTHER, amount_cents=100, method=method, text="x"
    )

    till_counts.book_difference(helper, done.pk, reason=WHY)

    assert balances.till_cents(tournament) == 5_000


def test_only_the_last_count_has_a_difference_to_book(helper: Actor, tournament: Tournament):
    till_counts.open_till(helper, tournament.pk, pieces={5000: 2})
    first, second = count(tournament, helper, {5000: 1}), count(tournament, helper, {5000: 2})

    with pytest.raises(Conflict, match="neu zählen"):
        till_counts.book_difference(helper, first.pk, reason=WHY)
    with pytest.raises(TournamentError, match="hat gestimmt"):
        till_counts.book_difference(helper, second.pk, reason=WHY)


def test_each_till_is_counted_separately(helper: Actor):
    tournament, other = make_tournament(), make_tournament()
    till_counts.open_till(helper, other.pk, pieces={5000: 2})

    assert count(tournament, helper, {}).expected_cents == 0
    assert not balances.is_open(tournament)
