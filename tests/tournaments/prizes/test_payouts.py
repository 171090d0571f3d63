"""Giving out prizes: money by receipts, goods by hand, each once."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import translation

from scoring.payments.prizes import OVERALL, PrizePlan, RankingCategory
from scoring.payments.prizes import PrizeRanking as Key
from tests.factories import COMMAND
from tests.factories_results import make_team, take_money
from tests.tournaments.prizes.helpers import SHARES, line, pay, played, set_plan, winner, won
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.services import reversals
from tournaments.closing.queries.tournament import of_tournament
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.desk.services.ranking_members import set_in_ranking
from tournaments.models import (
    CashEntry,
    JournalEntry,
    Person,
    PrizePayout,
    Ranking,
    Receipt,
    Serie,
    Tournament,
)
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.queries.rows import valid_payouts
from tournaments.prizes.services import prizes

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Kind = CashEntry.Kind
SERIE_1 = Key(category=RankingCategory.SERIE, serie=1)
TEAM = Key(category=RankingCategory.TEAM)
WOMEN = Key(category=RankingCategory.WOMEN)


tournament = world(lambda: played(lines=SHARES))


def test_a_paid_prize_leaves_the_till(tournament: Tournament):
    receipt = pay(tournament, 1, 6000)

    assert balances.till_cents(tournament) == 12000 - 6000
    assert [(entry.kind, entry.amount_cents) for entry in receipt.entries.all()] == [
        ("prize", -6000)
    ]
    assert receipt.text == "1. Platz Gesamtwertung"
    assert winner(tournament, 1).is_done
    assert [payout.amount_cents for payout in valid_payouts(tournament)] == [6000]
    entry = JournalEntry.objects.get(action="prize_paid")
    assert entry.after["prizes"] == [["startgeld", "einzel", 6000]]


def test_stored_texts_of_payouts_use_the_language_of_the_tournament():
    tournament = played(lines=(line(1, share_permille=1000), line(2, goods="Pokal")))
    Tournament.objects.filter(pk=tournament.pk).update(language="de")

    with translation.override("en"):
        receipt = pay(tournament, 1, 12000)
        second = winner(tournament, 2).key
        given = prizes.hand_over(
            COMMAND, tournament.pk, recipient=second, pot="startgeld", ranking="einzel"
        )

    assert receipt.text == "1. Platz Gesamtwertung"
    assert PrizePayout.objects.get(receipt=receipt).label.startswith("1. Platz Gesamtwertung")
    assert given.label == "2. Platz Gesamtwertung: Pokal"


def test_all_prizes_of_a_person_are_one_receipt():
    tournament = played(
        lines=(line(1, share_permille=1000), line(1, ranking=SERIE_1, fixed_cents=1000))
    )

    receipt = pay(tournament, 1, 12000)

    assert sorted(entry.amount_cents for entry in receipt.entries.all()) == [-11000, -1000]
    assert PrizePayout.objects.filter(receipt=receipt).count() == 2


def test_the_database_permits_one_row_for_a_prize(tournament: Tournament):
    pay(tournament, 1, 6000)
    payout = PrizePayout.objects.get()

    payout.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        payout.save(force_insert=True)


@pytest.mark.parametrize("then", [3590, 3610], ids=["has risen", "has fallen"])
def test_a_changed_prize_is_not_paid(then: int, tournament: Tournament):
    with pytest.raises(Conflict, match=rf"36,00.€, nicht {then // 100},{then % 100}.€"):
        pay(tournament, 2, then)

    assert not PrizePayout.objects.exists()


def test_a_prize_above_the_till_is_not_paid(tournament: Tournament):
    take_money(tournament, [(Kind.WITHDRAWAL, -10000, None)])

    with pytest.raises(TournamentError, match="laut Kassenbuch nur 20,00"):
        pay(tournament, 1, 6000)

    assert not PrizePayout.objects.exists()


def test_a_prize_can_be_transferred_without_cash(tournament: Tournament):
    take_money(tournament, [(Kind.WITHDRAWAL, -12000, None)])

    receipt = pay(tournament, 1, 6000, method=Receipt.Method.BANK)

    assert receipt.method == "bank"
    assert winner(tournament, 1).is_done


@pytest.mark.both
def test_a_cancelled_receipt_frees_the_prize(tournament: Tournament):
    receipt = pay(tournament, 1, 6000)

    reversals.reverse_receipt(COMMAND, receipt.pk, reason="falsche Person")

    assert winner(tournament, 1).open_cents == 6000
    assert valid_payouts(tournament) == []
    pay(tournament, 1, 6000)
    assert PrizePayout.objects.count() == 1
    assert balances.till_cents(tournament) == 6000


def test_paying_all_is_atomic(tournament: Tournament):
    receipts = prizes.pay_all(COMMAND, tournament.pk, expected_cents=12000)

    assert [receipt.payer for receipt in receipts] == [
        registration.person.full_name
        for registration in tournament.registrations.filter(number__lte=3)
    ]
    assert balances.till_cents(tournament) == 0
    with pytest.raises(Conflict, match="nichts mehr auszuzahlen"):
        prizes.pay_all(COMMAND, tournament.pk, expected_cents=12000)


def test_paying_all_needs_the_shown_sum(tournament: Tournament):
    first = tournament.registrations.get(number=1)
    take_money(tournament, [(Kind.STARTGELD, -1500, first)])

    with pytest.raises(Conflict, match=r"jetzt 105,00.€, nicht 120,00.€"):
        prizes.pay_all(COMMAND, tournament.pk, expected_cents=12000)

    assert not PrizePayout.objects.exists()


def test_paying_all_skips_winners_paid_meanwhile(tournament: Tournament):
    pay(tournament, 1, 6000)

    with pytest.raises(Conflict, match=r"jetzt 60,00.€, nicht 120,00.€"):
        prizes.pay_all(COMMAND, tournament.pk, expected_cents=12000)

    assert PrizePayout.objects.count() == 1


def test_paying_all_is_refused_with_an_empty_till(tournament: Tournament):
    take_money(tournament, [(Kind.WITHDRAWAL, -1000, None)])

    with pytest.raises(TournamentError, match="laut Kassenbuch"):
        prizes.pay_all(COMMAND, tournament.pk, expected_cents=12000)

    assert not PrizePayout.objects.exists()
    assert balances.till_cents(tournament) == 11000


def test_goods_are_handed_over_once_and_can_be_returned():
    tournament = played(lines=(line(1, goods="Wanderpokal"),))
    registration = tournament.registrations.get(number=1)
    what = {
        "recipient": f"r{registration.pk}",
        "pot": "startgeld",
        "ranking": "einzel",
    }

    prizes.hand_over(COMMAND, tournament.pk, **what)

    assert winner(tournament, 1).is_done
    assert [payout.goods for payout in valid_payouts(tournament)] == ["Wanderpokal"]
    with pytest.raises(Conflict, match="kein Sachpreis"):
        prizes.hand_over(COMMAND, tournament.pk, **what)
    prizes.take_back(COMMAND, tournament.pk, **what)
    assert not winner(tournament, 1).is_done
    assert valid_payouts(tournament) == []
    with pytest.raises(WrongStatus, match="kein Sachpreis übergeben"):
        prizes.take_back(COMMAND, tournament.pk, **what)


def test_money_and_goods_of_one_prize_share_its_row():
    tournament = played(lines=(line(1, fixed_cents=5000, goods="Wanderpokal"),))
    registration = tournament.registrations.get(number=1)
    prizes.hand_over(
        COMMAND, tournament.pk, recipient=f"r{registration.pk}", pot="startgeld", ranking="einzel"
    )

    pay(tournament, 1, 5000)

    [payout] = PrizePayout.objects.all()
    assert (payout.amount_cents, payout.goods) == (5000, "Wanderpokal")
    assert winner(tournament, 1).is_done


@pytest.mark.both
def test_teams_are_paid_under_their_name_with_their_persons():
    tournament = played()
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TEAM, size=2)
    team = make_team(ranking, "Asse", list(tournament.registrations.order_by("number")[:2]))
    set_plan(tournament, startgeld=PrizePlan(lines=(line(1, ranking=TEAM, fixed_cents=5000),)))

    [won_by] = PrizeSheet(tournament).recipients
    receipt = prizes.pay(COMMAND, tournament.pk, recipient=f"t{team.pk}", expected_cents=5000)

    members = tournament.registrations.filter(number__lte=2).order_by("number")
    assert won_by.members == tuple(member.person.full_name for member in members)
    assert receipt.payer == "Asse"
    assert PrizePayout.objects.get().team == team


def test_freely_booked_prizes_are_listed_separately(tournament: Tournament):
    take_money(tournament, [(Kind.PRIZE, -500, None)])
    pay(tournament, 1, 6000)

    assert PrizeSheet(tournament).free_cents == 500


def test_a_serie_prize_is_won_as_soon_as_its_lists_are_checked():
    tournament = played(lines=(line(1, ranking=SERIE_1, fixed_cents=700), *SHARES[:1]))
    Serie.objects.create(tournament=tournament, number=2)

    assert won(tournament) == {"1": 700}
    assert PrizeSheet(tournament).pots[0].prizes.pending[0].line.ranking == OVERALL


# --- Members of the ranking --------------------------------------------------------------------


def best_woman() -> tuple[Tournament, Ranking]:
    """Plan 5 € for the best woman; number 3, a man, is in the ranking with number 4, a woman."""
    tournament = played(
        lines=(line(1, share_permille=1000), line(1, ranking=WOMEN, fixed_cents=500))
    )
    women = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.WOMEN)
    for number, gender in ((3, "m"), (4, "f")):
        registration = tournament.registrations.get(number=number)
        Person.objects.filter(pk=registration.person_id).update(gender=gender)
        registration.rankings.add(women)
    return tournament, women


def test_no_prize_is_paid_while_a_ranking_has_an_ineligible_member():
    tournament, women = best_woman()

    for act in (
        lambda: pay(tournament, 3, 500),
        lambda: prizes.pay_all(COMMAND, tournament.pk, expected_cents=12000),
    ):
        with pytest.raises(TournamentError, match=r"In „Damen“ passt nicht: Nr\. 3\. Bitte auf"):
            act()
    [named] = [item for item in of_tournament(tournament, {}) if "passt nicht" in item.sentence]
    pay(tournament, 1, 11500)  # of another ranking
    set_in_ranking(
        COMMAND,
        tournament.registrations.get(number=3).pk,
        ranking_id=women.pk,
        takes_part=False,
    )
    pay(tournament, 4, 500)

    assert (named.sentence, named.blocks) == ("In „Damen“ passt nicht: Nr. 3.", False)
    assert [payout.ranking for payout in valid_payouts(tournament)] == ["einzel", "damen"]


def test_goods_wait_until_membership_in_the_ranking_is_settled():
    tournament, _women = best_woman()
    set_plan(tournament, startgeld=PrizePlan(lines=(line(1, ranking=WOMEN, goods="Blumen"),)))
    key = winner(tournament, 3).key

    with pytest.raises(TournamentError, match="erst dann steht fest, wer die Preise bekommt"):
        prizes.hand_over(COMMAND, tournament.pk, recipient=key, pot="startgeld", ranking="damen")

    assert not PrizePayout.objects.exists()


def test_the_prize_of_the_last_woman_waits():
    tournament, _women = best_woman()
    last = Key(category=RankingCategory.WOMEN, from_last=True)
    set_plan(tournament, startgeld=PrizePlan(lines=(line(1, ranking=last, fixed_cents=500),)))

    with pytest.raises(TournamentError, match=r"In „Damen“ passt nicht: Nr\. 3"):
        pay(tournament, 4, 500)
