"""Entscheidungsspiele: where they matter, recording and striking them out (§ 1.5)."""

from __future__ import annotations

from functools import partial

import pytest

from scoring.payments.prizes import OVERALL, PrizeLine, RankingCategory, TieRule
from scoring.payments.prizes import PrizeRanking as Key
from tests.factories import COMMAND
from tests.factories_results import make_team
from tests.tournaments.prizes import helpers
from tests.worlds import world
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.models import JournalEntry, Playoff, Ranking, Spielliste, Tournament
from tournaments.prizes.queries.playoffs import TieRow, open_ties, recorded_playoffs
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import playoffs
from tournaments.results.queries.rankings import Rankings

pytestmark = [pytest.mark.django_db, pytest.mark.once]
SERIE_1 = Key(category=RankingCategory.SERIE, serie=1)
TANDEM = Key(category=RankingCategory.TANDEM)
played = partial(helpers.played, second=(300, 310, 320, 320))


def undecided(tournament: Tournament) -> list[TieRow]:
    """Return the ties that must be decided before the tournament can be closed."""
    return [row for row in open_ties(PrizeSheet(tournament)) if row.blocks]


def prizes_for(*places, **fields):
    return [PrizeLine(place=place, fixed_cents=5000 // place, **fields) for place in places]


def ties(tournament):
    return [
        (row.slug, row.rank, row.numbers, row.matters, row.blocks)
        for row in open_ties(PrizeSheet(tournament))
    ]


def record(tournament, *order, ranking=OVERALL, **fields):
    return playoffs.record(COMMAND, tournament.pk, order=order, ranking=ranking, **fields)


tournament = world(lambda: played(100, 100, 110, 120))


@pytest.mark.parametrize(
    ("totals", "plan", "expected"),
    [
        pytest.param(
            (100, 100, 110, 120),
            {"lines": prizes_for(1, 2), "ties": TieRule.PLAYOFF},
            [("einzel", 1, (1, 2), True, True), ("einzel", 7, (7, 8), False, False)],
            id="the plan asks for it",
        ),
        pytest.param(
            (100, 100, 110, 120),
            {"lines": prizes_for(1, 2)},
            [("einzel", 1, (1, 2), True, False), ("einzel", 7, (7, 8), False, False)],
            id="prizes are shared",
        ),
        pytest.param(
            (100, 110, 110, 120),
            {"lines": prizes_for(1, 2), "ties": TieRule.PLAYOFF},
            [("einzel", 2, (2, 3), True, True), ("einzel", 7, (7, 8), False, False)],
            id="at the border of the prizes",
        ),
        pytest.param(
            (100, 110, 120, 120),
            {"lines": prizes_for(1, 2), "ties": TieRule.PLAYOFF},
            [("einzel", 3, (3, 4), False, False), ("einzel", 7, (7, 8), False, False)],
            id="behind the prizes",
        ),
        pytest.param(
            (100, 100, 110, 120),
            {},
            [("einzel", 1, (1, 2), True, True), ("einzel", 7, (7, 8), False, False)],
            id="the first place without prizes",
        ),
        pytest.param(
            (100, 100, 110, 120),
            {"lines": [PrizeLine(place=place, goods=what) for place, what in [(1, "A"), (2, "B")]]},
            [("einzel", 1, (1, 2), True, True), ("einzel", 7, (7, 8), False, False)],
            id="goods cannot be divided",
        ),
        pytest.param(
            (100, 100, 110, 120),
            {"lines": prizes_for(1, ranking=SERIE_1)},
            [
                ("einzel", 1, (1, 2), True, True),
                ("serie-1", 1, (1, 2), True, False),
                ("einzel", 7, (7, 8), False, False),
                ("serie-1", 7, (7, 8), False, False),
            ],
            id="a prize of the Serie",
        ),
    ],
)
def test_ties_matter_only_for_prizes(totals, plan, expected):
    assert ties(played(*totals, **plan)) == expected


def test_ties_are_known_after_all_lists_are_checked(tournament):
    Spielliste.objects.filter(table__number=2).update(status=Spielliste.Status.HANDED_IN)

    assert ties(tournament) == []
    with pytest.raises(WrongStatus, match="nicht alle Listen geprüft"):
        record(tournament, 1, 2)


def test_an_entscheidungsspiel_decides_and_is_journalled(tournament):
    playoff = record(tournament, 2, 1, note=" drei Spiele ")

    assert undecided(tournament) == []
    assert [line.number for line in Rankings(tournament).standings(OVERALL)[:2]] == [2, 1]
    assert playoff.note == "drei Spiele"
    entry = JournalEntry.objects.get(action="playoff_recorded")
    assert entry.after == {"ranking": "einzel", "order": [2, 1], "note": "drei Spiele"}


@pytest.mark.parametrize(
    ("order", "message"),
    [
        pytest.param((1,), "mindestens zwei", id="alone"),
        pytest.param((1, 1), "mehrmals", id="twice"),
        pytest.param((1, 3), "Nr. 1 steht auf Platz 1, Nr. 3 auf Platz 3", id="not equal"),
        pytest.param((1, 99), "Nr. 99 hat in dieser Wertung keinen Platz", id="unknown"),
    ],
)
def test_only_equals_can_play_an_entscheidungsspiel(order, message, tournament):
    with pytest.raises(TournamentError, match=message):
        record(tournament, *order)

    assert not Playoff.objects.exists()


def test_a_contradictory_entscheidungsspiel_is_refused():
    tournament = played(100, 100, 100, 120)
    record(tournament, 1, 2)

    with pytest.raises(TournamentError, match="bitte eine streichen"):
        record(tournament, 2, 3, 1)


def test_a_place_of_a_serie_has_its_own_entscheidungsspiel():
    tournament = played(100, 100, 110, 120, lines=prizes_for(1, ranking=SERIE_1))

    playoff = record(tournament, 2, 1, ranking=SERIE_1)

    assert playoff.serie == tournament.serien.get()
    assert [line.number for line in Rankings(tournament).standings(SERIE_1)[:2]] == [2, 1]
    assert Rankings(tournament).standings(OVERALL)[0].number == 1


def test_teams_play_under_their_names():
    tournament = played(100, 130, 110, 120)
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    field = list(tournament.registrations.order_by("number"))
    asse = make_team(ranking, "Asse", field[:2])
    buben = make_team(ranking, "Buben", field[2:4])
    damen = make_team(ranking, "Damen", field[4:6])

    with pytest.raises(TournamentError, match="„Asse“ steht auf Platz 1, „Damen“ auf Platz 3"):
        record(tournament, asse.pk, damen.pk, ranking=TANDEM)
    record(tournament, buben.pk, asse.pk, ranking=TANDEM)

    assert Playoff.objects.get().ranking == ranking
    assert Rankings(tournament).standings(TANDEM)[0].number == buben.pk
    [row] = recorded_playoffs(Rankings(tournament))
    assert [name for _key, name in row.participants] == ["Buben", "Asse"]
    assert row.title == "Tandem"


def test_an_unknown_ranking_has_no_entscheidungsspiel(tournament):
    with pytest.raises(TournamentError, match="gibt es in diesem Turnier nicht"):
        record(tournament, 1, 2, ranking=TANDEM)


def test_a_struck_out_entscheidungsspiel_stays_visible_with_its_reason(tournament):
    playoff = record(tournament, 2, 1)

    playoffs.withdraw(COMMAND, playoff.pk, reason=" vertauscht ")

    assert [row.numbers for row in undecided(tournament)] == [(1, 2)]
    [row] = recorded_playoffs(Rankings(tournament))
    assert row.playoff.withdrawn_reason == "vertauscht"
    assert JournalEntry.objects.get(action="playoff_withdrawn").reason == "vertauscht"
    record(tournament, 1, 2)


@pytest.mark.both
def test_an_entscheidungsspiel_is_struck_out_once_with_a_reason():
    playoff = record(played(100, 100, 110, 120), 2, 1)

    with pytest.raises(TournamentError, match="warum"):
        playoffs.withdraw(COMMAND, playoff.pk, reason="  ")
    playoffs.withdraw(COMMAND, playoff.pk, reason="vertauscht")
    with pytest.raises(WrongStatus, match="schon gestrichen"):
        playoffs.withdraw(COMMAND, playoff.pk, reason="noch einmal")
