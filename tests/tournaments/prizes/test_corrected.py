"""Money after a payout: claims and additions by a correction, beside the first receipts."""

from __future__ import annotations

import pytest

from scoring.payments.prizes import PrizePlan, PrizeRanking, RankingCategory, TieRule
from tests.factories import COMMAND
from tests.factories_lists import list_of, write_games
from tests.factories_results import SeatOutcome, table_of, take_money
from tests.tournaments.prizes.helpers import SHARES, line, pay, played, set_plan, winner, won
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.queries.report import report
from tournaments.cash.services import reversals
from tournaments.closing.queries.closing import of_serien
from tournaments.closing.queries.tournament import of_tournament
from tournaments.common.errors import Conflict
from tournaments.models import CashEntry, JournalEntry, PrizePayout, Receipt, Spielliste, Tournament
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import prizes

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def come_to(tournament: Tournament, *came: SeatOutcome | int) -> None:
    """Change the totals of the first table, as a correction does."""
    spielliste = list_of(tournament.serien.get())
    spielliste.games.all().delete()
    write_games(spielliste, table_of(*came), status=Spielliste.Status.VERIFIED)


@world
def paid() -> Tournament:
    """60, 36 and 24 € are paid, the first by transfer; then 1 and 3 change places."""
    tournament = played(lines=SHARES)
    pay(tournament, 1, 6000, method=Receipt.Method.BANK)
    pay(tournament, 2, 3600)
    pay(tournament, 3, 2400)
    come_to(tournament, 120, 110, 100, 130)
    return tournament


def total(receipt: Receipt) -> int:
    return sum(entry.amount_cents for entry in receipt.entries.all())


def corrections(tournament: Tournament) -> dict[int, str]:
    """Return the open amounts after the payout, by start number."""
    return {
        row.registration.number: row.correction.replace("\N{NO-BREAK SPACE}", " ")
        for row in PrizeSheet(tournament).rows
        if row.registration and row.correction
    }


def test_a_correction_claims_prizes_back_and_pays_additions(paid: Tournament):
    sheet = PrizeSheet(paid)

    assert corrections(paid) == {1: "Rückforderung 36,00 €", 3: "Nachzahlung 36,00 €"}
    assert (sheet.due_cents, sheet.paid_cents) == (12000, 12000)
    assert (sheet.open_cents, sheet.claimed_cents) == (3600, 3600)


def test_claims_and_additions_are_booked_beside_the_first_receipts(paid: Tournament):
    additional = pay(paid, 3, 3600)
    back = pay(paid, 1, -3600)

    assert (total(additional), total(back)) == (-3600, 3600)
    assert additional.text.replace("\N{NO-BREAK SPACE}", " ") == (
        "Nachzahlung 36,00 €: 1. Platz Gesamtwertung"
    )
    assert back.text.startswith("Rückforderung 36,00")
    assert corrections(paid) == {}
    assert all(recipient.is_done for recipient in PrizeSheet(paid).recipients)
    assert not Receipt.objects.filter(reverses__isnull=False).exists()
    first, second = PrizePayout.objects.filter(registration__number=1).order_by("part")
    assert (first.amount_cents, first.receipt.method) == (6000, "bank")
    assert (second.amount_cents, second.receipt) == (-3600, back)
    assert JournalEntry.objects.filter(action="prize_returned").count() == 1
    with pytest.raises(Conflict, match="nichts mehr auszuzahlen"):
        pay(paid, 1, -3600)


def test_a_transfer_stays_in_the_report(paid: Tournament):
    pay(paid, 1, -3600)

    (row,) = [kind for kind in report(paid).kinds if kind.kind == CashEntry.Kind.PRIZE]

    # 60 € by transfer; 36 and 24 € in cash, of which 36 came back
    assert row.by_way == {Receipt.Method.CASH: -2400, Receipt.Method.BANK: -6000}
    assert PrizeSheet(paid).free_cents == 0


def test_paying_all_pays_additions_and_claims_nothing_back(paid: Tournament):
    receipts = prizes.pay_all(COMMAND, paid.pk, expected_cents=3600)

    assert [total(receipt) for receipt in receipts] == [-3600]
    assert corrections(paid) == {1: "Rückforderung 36,00 €"}


def test_cancelling_the_receipt_reopens_a_settled_claim(paid: Tournament):
    back = pay(paid, 1, -3600)

    reversals.reverse_receipt(COMMAND, back.pk, reason="doch nicht")

    assert winner(paid, 1).open_cents == -3600
    pay(paid, 1, -3600)
    assert PrizePayout.objects.filter(registration__number=1).count() == 2


def test_a_former_winner_owes_the_whole_prize(paid: Tournament):
    paid.registrations.filter(number=1).update(status="excluded")

    pay(paid, 1, -6000, method=Receipt.Method.BANK)

    assert 1 not in {recipient.number for recipient in PrizeSheet(paid).recipients}
    assert balances.till_cents(paid) == 12000 - 3600 - 2400


def test_two_changed_prizes_of_a_person_are_offset_by_one_receipt():
    tournament = played(lines=SHARES)
    pay(tournament, 2, 3600)
    second = tournament.registrations.get(number=2)
    # 10 € less for the second of all, and as much for the second of the Serie.
    serie = PrizeRanking(category=RankingCategory.SERIE, serie=1)
    lines = (line(2, fixed_cents=2600), line(2, ranking=serie, fixed_cents=1000))
    set_plan(tournament, startgeld=PrizePlan(lines=lines))

    receipt = pay(tournament, 2, 0)

    assert receipt.method == "internal"
    assert sorted(entry.amount_cents for entry in receipt.entries.all()) == [-1000, 1000]
    assert winner(tournament, 2).is_done
    assert PrizePayout.objects.filter(registration=second).count() == 3


@pytest.mark.parametrize("open_again", ["list", "tie", "pot"])
def test_undecided_prizes_are_not_claimed_back(open_again: str):
    tournament = played(lines=SHARES, ties=TieRule.PLAYOFF)
    pay(tournament, 1, 6000)
    if open_again == "list":
        Spielliste.objects.filter(table__number=2).update(status=Spielliste.Status.HANDED_IN)
    elif open_again == "tie":
        come_to(tournament, 100, 100, 120, 130)
    else:
        tournament.prize_plan["startgeld"]["kept_cents"] = 100_000
        tournament.save()

    first = winner(tournament, 1)

    assert first.rows[0].is_undecided
    assert (first.open_cents, first.rows[0].correction) == (0, "")


def test_the_closing_names_claims_and_additions(paid: Tournament):
    said = [item.sentence for item in of_tournament(paid, of_serien(paid, paid.starts_at))]

    (sentence,) = [sentence for sentence in said if sentence.startswith("Nach der Auszahlung")]
    names = [paid.registrations.get(number=number).person.full_name for number in (3, 1)]
    assert sentence.replace("\N{NO-BREAK SPACE}", " ") == (
        "Nach der Auszahlung geändert und offen: "
        f"{names[0]}, Nachzahlung 36,00 €; {names[1]}, Rückforderung 36,00 €."
    )
    assert not any("Noch nicht ausgegeben" in sentence for sentence in said)


def test_later_takings_are_paid_additionally():
    tournament = played(lines=SHARES)
    pay(tournament, 1, 6000)
    late = tournament.registrations.get(number=8)
    tournament.categories.update(startgeld_cents=2000)
    take_money(tournament, [(CashEntry.Kind.STARTGELD, 500, late)])

    assert won(tournament)["1"] == 6250
    assert winner(tournament, 1).open_cents == 250


def test_goods_are_listed_with_money_paid_before():
    tournament = played(lines=(line(1, fixed_cents=5000, goods="Wanderpokal"),))
    pay(tournament, 1, 5000)

    first = winner(tournament, 1)
    prizes.hand_over(COMMAND, tournament.pk, recipient=first.key, pot="startgeld", ranking="einzel")

    [payout] = PrizePayout.objects.all()
    assert (payout.part, payout.amount_cents, payout.goods) == (1, 5000, "Wanderpokal")
