"""Prizes to the cent: the pots, the winners, and no prize twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.payments.bussgeld import Destination
from scoring.payments.prizes import PrizePlan, RankingCategory, TieRule
from scoring.payments.prizes import PrizeRanking as Key
from tests.factories import COMMAND, make_players, make_tournament
from tests.factories_results import make_team, take_money
from tests.tournaments.prizes.helpers import SHARES, fine, line, played, set_plan, won
from tests.worlds import world
from tournaments.announcement.queries import pot_money
from tournaments.cash.services import reversals
from tournaments.closing.queries.tournament import of_tournament
from tournaments.common.rules import prize_plans
from tournaments.models import CashEntry, Playoff, Ranking, Registration, Spielliste, Tournament
from tournaments.prizes.queries.pending import pending
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import prizes

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Kind = CashEntry.Kind
WOMEN = Key(category=RankingCategory.WOMEN)
SERIE_1 = Key(category=RankingCategory.SERIE, serie=1)
TEAM = Key(category=RankingCategory.TEAM)
TANDEM = Key(category=RankingCategory.TANDEM)


tournament = world(lambda: played(lines=SHARES))


def test_shares_divide_the_startgeld_less_the_kept_part():
    # 8 × 15 € = 120 €, less 10 % = 108 €: 54, 32.40, 21.60
    tournament = played(lines=SHARES, kept_permille=100)

    assert won(tournament) == {"1": 5400, "2": 3240, "3": 2160}
    [pot] = PrizeSheet(tournament).pots
    assert (pot.takings_cents, pot.fund.kept_cents, pot.fund.pot_cents) == (12000, 1200, 10800)
    assert pot.prizes.rest_cents == 0


@pytest.mark.parametrize(
    ("came", "plan", "expected"),
    [
        pytest.param(
            (100, 100, 120, 130), {}, {"1": 4800, "2": 4800, "3": 2400}, id="(60 + 36) / 2"
        ),
        pytest.param(
            (90, 100, 110, 110),
            {},
            {"1": 6000, "2": 3600, "3": 1200, "4": 1200},
            id="at the border",
        ),
        pytest.param(
            (100, 100, 100, 130), {}, {"1": 4000, "2": 4000, "3": 4000}, id="all three alike"
        ),
        pytest.param(
            (90, 100, 100, 100),
            {"kept_cents": 2},
            # 119.98: 59.99, 35.99 + 24.00 for three: 19.99 2/3, odd cents to the lowest
            {"1": 5999, "2": 2000, "3": 2000, "4": 1999},
            id="cents that cannot be divided go to the lowest numbers",
        ),
        pytest.param(
            (90, 100, 110, 110),
            {"whole_euros": True},
            {"1": 6000, "2": 3600, "3": 1200, "4": 1200},
            id="whole euros",
        ),
    ],
)
def test_equals_divide_the_prizes_of_their_places(came, plan, expected):
    assert won(played(*came, lines=SHARES, **plan)) == expected


def test_equals_wait_for_an_entscheidungsspiel_if_planned():
    tournament = played(100, 100, 120, 130, lines=SHARES, ties=TieRule.PLAYOFF)
    before = won(tournament)
    Playoff.objects.create(tournament=tournament, order=[2, 1])

    after = won(tournament)

    assert before == {"3": 2400}
    assert after == {"1": 3600, "2": 6000, "3": 2400}


@pytest.mark.both
def test_goods_fixed_sums_serie_prizes_and_the_best_woman_are_combined():
    tournament = played(
        lines=(
            line(1, share_permille=1000, goods="Wanderpokal"),
            line(1, ranking=SERIE_1, fixed_cents=1000),
            line(1, ranking=WOMEN, fixed_cents=500, goods="Blumen"),
        )
    )
    women = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.WOMEN)
    tournament.registrations.get(number=3).rankings.add(women)
    tournament.registrations.get(number=5).rankings.add(women)

    # 120 € − 10 € − 5 € = 105 € for the first
    rows = PrizeSheet(tournament).rows
    assert [(row.registration.number, row.ranking, row.cents, row.goods) for row in rows] == [
        (1, "einzel", 10500, "Wanderpokal"),
        (1, "serie-1", 1000, ""),
        (3, "damen", 500, "Blumen"),
    ]


def test_the_payout_list_is_in_the_order_of_places():
    tournament = played(
        130, 110, 100, 120, lines=(*SHARES, line(1, ranking=SERIE_1, fixed_cents=1000))
    )

    assert list(won(tournament)) == ["3", "2", "4"]
    receipts = prizes.pay_all(COMMAND, tournament.pk, expected_cents=12000)
    assert [receipt.entries.first().registration.number for receipt in receipts] == [3, 2, 4]


def test_teams_play_for_their_own_stakes(tournament: Tournament):
    ranking = Ranking.objects.create(
        tournament=tournament, kind=Ranking.Kind.TEAM, size=2, stake_cents=200
    )
    field = list(tournament.registrations.order_by("number"))
    for player in field[:4]:
        player.rankings.add(ranking)
    take_money(tournament, [(Kind.STAKE, 200, player) for player in field[:4]])
    make_team(ranking, "Asse", [field[0], field[3]])
    make_team(ranking, "Buben", [field[1], field[2]])
    set_plan(
        tournament,
        startgeld=PrizePlan(lines=(line(1, share_permille=1000),)),
        team=PrizePlan(lines=(line(1, ranking=TEAM, share_permille=1000),)),
    )

    # 100 + 130 = 110 + 120: both teams are first and share 4 × 2 €
    assert won(tournament) == {"1": 12000, "Asse": 400, "Buben": 400}


def test_unoccupied_places_are_named_with_the_remaining_money(tournament: Tournament):
    ranking = Ranking.objects.create(
        tournament=tournament, kind=Ranking.Kind.TANDEM, size=2, stake_cents=200
    )
    field = list(tournament.registrations.order_by("number"))
    for player in field[:4]:
        player.rankings.add(ranking)
    take_money(tournament, [(Kind.STAKE, 200, player) for player in field[:4]])
    make_team(ranking, "Asse", [field[0], field[3]])
    make_team(ranking, "Buben", [field[1], field[2]])
    shares = [(1, 500), (2, 250), (3, 150), (4, 100)]
    lines = [line(place, ranking=TANDEM, share_permille=part) for place, part in shares]
    set_plan(tournament, tandem=PrizePlan(lines=(*lines, line(5, ranking=TANDEM, goods="Sekt"))))

    # 8 € of stakes: places 1 and 2 are shared, 3 (1,20 €), 4 (0,80 €) and 5 are unoccupied.
    [sentence] = PrizeSheet(tournament).untaken
    assert sentence.startswith("Einsätze Tandem: Die Plätze 3, 4, 5 (Tandems) hat niemand erreicht")
    assert "2,00\N{NO-BREAK SPACE}€, Sekt bleiben übrig" in sentence
    assert sentence in pending(PrizeSheet(tournament), timezone.now())
    [named] = [item for item in of_tournament(tournament, {}) if item.sentence == sentence]
    assert not named.blocks


def test_prizes_need_all_lists_checked(tournament: Tournament):
    Spielliste.objects.filter(table__number=2).update(status=Spielliste.Status.SIGNED)

    assert won(tournament) == {}


def test_a_plan_above_the_pot_is_reported():
    tournament = played(lines=(line(1, fixed_cents=20000),))

    [pot] = PrizeSheet(tournament).pots

    assert pot.refusal == (
        "Die festen Preise betragen zusammen 200,00 €, zu verteilen sind 120,00 €: Es fehlen"
        " 80,00 €."
    ).replace(" €", "\N{NO-BREAK SPACE}€")
    assert won(tournament) == {}


# --- Startgeld in the pot --------------------------------------------------------------------


@world
def paying() -> Tournament:
    """Startgeld 15 €, Kartengeld 1 €, a tandem stake of 3 €; one registration."""
    tournament = make_tournament(kartengeld_cents=100)
    tandem = Ranking.objects.create(
        tournament=tournament, kind=Ranking.Kind.TANDEM, size=2, stake_cents=300
    )
    make_players(tournament, 1)[0].rankings.add(tandem)
    return tournament


@pytest.mark.parametrize(
    ("entries", "status", "expected"),
    [
        pytest.param([(Kind.STARTGELD, 1500)], "paid", (1500, 0), id="Startgeld"),
        pytest.param(
            [(Kind.STARTGELD, 1500), (Kind.KARTENGELD, 100), (Kind.STAKE, 300)],
            "paid",
            (1500, 300),
            id="each into its pot",
        ),
        pytest.param([(Kind.STARTGELD, 1000)], "registered", (1000, 0), id="in part"),
        pytest.param([(Kind.CREDIT, 1700)], "paid", (1500, 100), id="credit that was moved here"),
        pytest.param(
            [(Kind.STARTGELD, 1500), (Kind.CREDIT, 5000)], "paid", (1500, 300), id="paid too much"
        ),
        pytest.param(
            [(Kind.STARTGELD, 1500), (Kind.REFUND, -1500)], "withdrawn", (0, 0), id="paid back"
        ),
        pytest.param([(Kind.STARTGELD, 1500)], "withdrawn", (1500, 0), id="withdrew too late"),
        pytest.param([(Kind.STARTGELD, 1500)], "excluded", (1500, 0), id="§ 1.4 no refund"),
        pytest.param([(Kind.STARTGELD, 1500)], "no_show", (1500, 0), id="stayed away"),
        pytest.param([(Kind.KAUTION, 2000)], "paid", (0, 0), id="a deposit is not played for"),
    ],
)
def test_paid_startgeld_forms_the_pot(paying, entries, status, expected):
    registration = paying.registrations.get()
    Registration.objects.filter(pk=registration.pk).update(status=status, present_at=None)
    take_money(paying, [(kind, cents, registration) for kind, cents in entries])

    takings = pot_money.takings(paying)

    assert (takings["startgeld"], takings["tandem"]) == expected


def test_refunded_withdrawals_do_not_count_in_the_pot(paying):
    paying.refund_until = timezone.now() + timedelta(days=1)
    paying.save()
    registration = paying.registrations.get()
    Registration.objects.filter(pk=registration.pk).update(status="withdrawn", present_at=None)
    take_money(paying, [(Kind.STARTGELD, 1500, registration)])

    assert pot_money.takings(paying)["startgeld"] == 0


def test_bussgeld_joins_the_pot_of_its_tariff():
    tournament = played(lines=SHARES, kept_permille=100)
    fine(tournament, Destination.PRIZES, 4, 200)

    # 108 € + 2 € Bußgeld, of which nothing is kept
    assert won(tournament) == {"1": 5500, "2": 3300, "3": 2200}


@pytest.mark.both
def test_bussgeld_goes_to_the_best_of_the_serie():
    tournament = played(100, 100, 120, 130, lines=(line(1, share_permille=1000),))
    fine(tournament, Destination.BEST_OF_SERIE, 4, 301)

    rows = PrizeSheet(tournament).rows

    # Two share the first place: half of 3.01 €, the odd cent to the lower number
    assert [
        (row.pot, row.ranking, row.registration.number, row.cents)
        for row in rows
        if row.pot == "bussgeld"
    ] == [("bussgeld", "serie-1", 1, 151), ("bussgeld", "serie-1", 2, 150)]


def test_cancelled_bussgeld_is_not_in_the_pot(tournament: Tournament):
    receipt = fine(tournament, Destination.BEST_OF_SERIE, 4, 300)

    reversals.reverse_receipt(COMMAND, receipt.pk, reason="verzählt")

    assert pot_money.bussgeld_by_serie(tournament) == {}


def test_pots_have_a_fixed_order():
    """Archives sort the names, and PostgreSQL has the shorter ones first."""
    plan = PrizePlan(lines=SHARES).to_dict()
    tournament = make_tournament(prize_plan=dict.fromkeys(("women", "tandem", "team"), plan))
    tournament.prize_plan |= {"startgeld": plan}

    assert list(prize_plans(tournament)) == ["startgeld", "team", "tandem", "women"]
