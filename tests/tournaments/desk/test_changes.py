"""Changes of a registration and its money."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.factories import COMMAND, START, make_person, make_registration, make_tournament
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.services import till
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.desk.services import changes, exclusions, needs, tariff_changes
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.models import JournalEntry, Ranking, Registration, Separation, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]
MORNING = START - timedelta(hours=2)
Status = Registration.Status


def paid(tournament, **more) -> Registration:
    return register(
        COMMAND, tournament.pk, person_id=make_person().pk, payment=Payment(), now=MORNING, **more
    )


def status_of(registration: Registration) -> str:
    registration.refresh_from_db()
    return registration.status


tournament = world(make_tournament)


@pytest.mark.parametrize(
    ("until", "refunded"),
    [
        pytest.param(None, 0, id="the Ausschreibung pays nothing back"),
        pytest.param(MORNING, 1500, id="until now"),
        pytest.param(MORNING - timedelta(seconds=1), 0, id="a second too late"),
    ],
)
def test_withdrawing_refunds_the_announced_amount(until, refunded):
    tournament = make_tournament(refund_until=until)
    registration = paid(tournament)

    changes.withdraw(COMMAND, registration.pk, now=MORNING)

    assert status_of(registration) == Status.WITHDRAWN
    assert balances.till_cents(tournament) == 1500 - refunded


def test_a_withdrawn_person_returns_with_the_same_number(tournament: Tournament):
    first, _second = paid(tournament), paid(tournament)
    changes.withdraw(COMMAND, first.pk, now=MORNING)

    changes.rejoin(COMMAND, first.pk, now=MORNING)

    assert status_of(first) == Status.PAID  # nothing was refunded, so nothing is owed
    assert first.number == 1


def test_a_free_place_is_given_to_the_waiting_list_by_hand():
    tournament = make_tournament(places=3)
    seated = [paid(tournament) for _place in range(3)]
    waiting = paid(tournament)
    with pytest.raises(TournamentError, match="Alle 3 Plätze sind vergeben"):
        changes.admit(COMMAND, waiting.pk)

    changes.withdraw(COMMAND, seated[0].pk, now=MORNING)
    assert status_of(waiting) == Status.WAITING
    changes.admit(COMMAND, waiting.pk)

    assert status_of(waiting) == Status.REGISTERED
    assert waiting.number == 4


def test_an_excluded_player_gets_no_refund():
    tournament = make_tournament(refund_until=START)
    registration = paid(tournament)

    exclusions.exclude(COMMAND, registration.pk, reason="§ 1.4")

    assert status_of(registration) == Status.EXCLUDED
    assert balances.till_cents(tournament) == 1500
    with pytest.raises(WrongStatus, match="ausgeschlossen"):
        changes.withdraw(COMMAND, registration.pk, now=MORNING)


def test_undoing_an_exclusion_restores_the_payment():
    registration = paid(make_tournament())
    exclusions.exclude(COMMAND, registration.pk, reason="Verwechslung")

    exclusions.take_back_exclusion(COMMAND, registration.pk, reason="war jemand anderes")

    assert status_of(registration) == Status.PAID


def test_a_substitute_takes_over_number_and_payment():
    registration = paid(make_tournament())
    left, joined = registration.person, make_person("Bernd", "Voß")

    changes.substitute(
        COMMAND, registration.pk, person_id=joined.pk, reason="krank geworden", now=MORNING
    )

    registration.refresh_from_db()
    assert (registration.number, registration.person, registration.status) == (1, joined, "paid")
    assert registration.substitutions.get().left == left
    assert balances.paid_cents(registration) == 1500


def test_a_person_has_one_number_in_a_tournament(tournament: Tournament):
    first, second = paid(tournament), paid(tournament)

    with pytest.raises(Conflict, match=r"schon mit Nr. 2"):
        changes.substitute(
            COMMAND, first.pk, person_id=second.person_id, reason="krank", now=MORNING
        )


@pytest.mark.both
def test_a_stake_adds_a_debt_but_keeps_the_seat_and_dropping_it_is_credit():
    tournament = make_tournament(startgeld_cents=1500)
    tandem = tournament.rankings.create(kind=Ranking.Kind.TANDEM, size=2, stake_cents=300)
    registration = paid(tournament)

    tariff_changes.change_tariff(
        COMMAND, registration.pk, category=registration.category, rankings=[tandem]
    )
    assert status_of(registration) == Status.PAID
    assert registration.due_cents - balances.paid_cents(registration) == 300
    pay(COMMAND, registration.pk, payment=Payment())
    tariff_changes.change_tariff(
        COMMAND, registration.pk, category=registration.category, rankings=[]
    )

    assert status_of(registration) == Status.PAID
    assert balances.paid_cents(registration) - registration.due_cents == 300


def test_a_higher_startgeld_reopens_the_seat_unless_payable_later(
    tournament: Tournament,
):
    registration = paid(tournament)
    dearer = tournament.categories.create(name="Gäste", startgeld_cents=2000, position=1)

    tariff_changes.change_tariff(COMMAND, registration.pk, category=dearer, rankings=[])
    assert status_of(registration) == Status.REGISTERED
    changes.let_pay_later(COMMAND, registration.pk)
    assert status_of(registration) == Status.PAID
    assert registration.get_status_display() == "zahlt später"
    pay(COMMAND, registration.pk, payment=Payment())

    assert status_of(registration) == Status.PAID
    assert registration.get_status_display() == "bezahlt"


@pytest.mark.both
def test_a_pair_is_separated_once_in_either_order(tournament: Tournament):
    first, second = make_registration(tournament), make_registration(tournament)

    for low, high in [(first, second), (second, first)]:
        needs.separate(COMMAND, tournament.pk, first_id=low.pk, second_id=high.pk, why="")

    assert Separation.objects.count() == 1


def test_a_separation_needs_two_people_of_its_tournament():
    first, foreign = make_registration(make_tournament()), make_registration(make_tournament())

    for other in (foreign, first):
        with pytest.raises(TournamentError, match="zwei Gemeldete dieses Turniers"):
            needs.separate(
                COMMAND, first.tournament_id, first_id=first.pk, second_id=other.pk, why=""
            )


def test_reasons_for_fixed_tables_are_not_journalled():
    registration = make_registration(make_tournament())

    needs.set_fixed_table(COMMAND, registration.pk, table=3, why="Rollstuhl")

    entry = JournalEntry.objects.get(action="need_changed")
    assert "Rollstuhl" not in f"{entry.before}{entry.after}{entry.reason}"


@pytest.mark.parametrize(
    ("act", "status"),
    [
        pytest.param(changes.rejoin, Status.PAID, id="rejoin while taking part"),
        pytest.param(changes.admit, Status.PAID, id="admit without waiting"),
        pytest.param(changes.mark_no_show, Status.WITHDRAWN, id="no show after withdrawing"),
        pytest.param(changes.take_back, Status.EXCLUDED, id="undo an exclusion by the back door"),
        pytest.param(changes.withdraw, Status.NO_SHOW, id="withdraw after not coming"),
    ],
)
def test_changes_that_do_not_fit_the_status_are_refused(act, status):
    registration = make_registration(make_tournament(), status=status)

    with pytest.raises(WrongStatus):
        act(COMMAND, registration.pk)

    assert status_of(registration) == status


def test_a_startgeld_refunded_and_paid_again_is_startgeld_again():
    tournament = make_tournament(refund_until=START)
    registration = paid(tournament)
    changes.withdraw(COMMAND, registration.pk, now=MORNING)
    changes.rejoin(COMMAND, registration.pk, now=MORNING)

    pay(COMMAND, registration.pk, payment=Payment())

    kinds = registration.cash_entries.values_list("kind", "amount_cents")
    assert list(kinds) == [("startgeld", 1500), ("refund", -1500), ("startgeld", 1500)]


def test_transferred_credit_must_return_before_a_registration_is_undone(
    tournament: Tournament,
):
    giver = register(
        COMMAND,
        tournament.pk,
        person_id=make_person().pk,
        payment=Payment(amount_cents=3000),
        now=MORNING,
    )
    receiver = register(COMMAND, tournament.pk, person_id=make_person().pk, now=MORNING)
    moved = till.move_credit(COMMAND, giver.pk, to_id=receiver.pk, amount_cents=1500)
    with pytest.raises(TournamentError, match="Beleg 2 gilt nicht nur für"):
        changes.take_back(COMMAND, giver.pk)
    assert status_of(receiver) == Status.PAID

    reverse_receipt(COMMAND, moved.pk, reason="verwechselt")
    changes.take_back(COMMAND, giver.pk)

    assert status_of(giver) == Status.WITHDRAWN
    assert status_of(receiver) == Status.REGISTERED
    assert balances.till_cents(tournament) == 0
