"""Notices of a correction for changed prizes, and their content."""

from __future__ import annotations

import pytest

from scoring.payments.prizes import PrizePlan, PrizeRanking, RankingCategory
from tests.factories_lists import list_of
from tests.factories_results import make_team
from tests.tournaments.corrections.signed_list import somebody
from tests.tournaments.prizes.helpers import SHARES, line, pay, played, set_plan
from tests.worlds import world
from tournaments.checking.services import penalties
from tournaments.models import Correction, Notice, Spielliste, Tournament
from tournaments.models import Ranking as RankingRow
from tournaments.notices.queries import notice_texts
from tournaments.prizes.queries.prizes import PrizeSheet

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@world
def tournament() -> Tournament:
    """100, 110, 120 at table 1, the fourth there 230; 200 at table 2 is the fourth of all."""
    return played(100, 110, 120, 230, lines=SHARES)


def punish(tournament: Tournament, number: int, points: int = 150) -> Correction:
    """Give Strafpunkte to a player at table 1, which is a correction of its list."""
    spielliste: Spielliste = list_of(tournament.serien.get())
    penalties.give_at_once(
        somebody(spielliste),
        spielliste.pk,
        registration_id=tournament.registrations.get(number=number).pk,
        points=points,
        reason="Karten gezeigt",
    )
    return tournament.corrections.get()


def told(tournament: Tournament) -> dict[int, list[str]]:
    """Return the effects in each notice, by start number."""
    return {
        text.registration.number: [
            effect.replace("\N{NO-BREAK SPACE}", " ") for effect in text.effects
        ]
        for text in notice_texts.texts(Notice.objects.all())
    }


def test_a_player_crossing_a_prize_is_notified_at_any_table(tournament: Tournament):
    punish(tournament, 1)

    said = told(tournament)

    # The fourth of table 1 stays without a prize; number 5, at table 2, gets the third.
    assert 5 in said
    assert said[5] == [
        "In der Rangliste nach Serie 1: vorher Platz 4, jetzt Platz 3.",
        "Ihr Preis: vorher kein Preis, jetzt 24,00 €.",
    ]
    assert "Ihr Preis: vorher 60,00 €, jetzt kein Preis." in said[1]
    assert not said.keys() & {6, 7, 8}


def test_paid_winners_see_only_their_own_sum(tournament: Tournament):
    pay(tournament, 1, 6000)
    pay(tournament, 2, 3600)

    punish(tournament, 1)

    said = told(tournament)
    assert "Ausgezahlt sind 60,00 €; zurückzugeben sind 60,00 €." in said[1]
    assert "Ausgezahlt sind 36,00 €; dazu kommen 24,00 €." in said[2]
    rests = [text.rests for text in notice_texts.texts(Notice.objects.all())]
    assert not any("ausgezahlt" in sentence for each in rests for sentence in each)
    open_now = {
        recipient.number: recipient.open_cents for recipient in PrizeSheet(tournament).recipients
    }
    assert (open_now[1], open_now[2]) == (-6000, 2400)


@pytest.mark.both
def test_an_unpaid_prize_is_not_named_while_the_ranking_is_hidden(
    tournament: Tournament,
):
    tournament.public_ranking = Tournament.PublicRanking.HIDDEN_LAST
    tournament.save()

    punish(tournament, 1)

    assert told(tournament)[5] == ["Ihr Preis ändert sich; wie, sagt die Spielleitung."]


def test_members_are_notified_of_a_changed_team_prize():
    tournament = played(100, 110, 120, 230)
    ranking = RankingRow.objects.create(tournament=tournament, kind=RankingRow.Kind.TEAM, size=2)
    field = list(tournament.registrations.order_by("number"))
    make_team(ranking, "Asse", [field[0], field[5]])
    make_team(ranking, "Buben", [field[1], field[6]])
    team = PrizeRanking(category=RankingCategory.TEAM)
    set_plan(tournament, startgeld=PrizePlan(lines=(line(1, ranking=team, fixed_cents=5000),)))

    punish(tournament, 1)

    said = told(tournament)
    assert said[6][-1:] == ["Preis Ihrer Mannschaft: vorher 50,00 €, jetzt kein Preis."]
    assert said[7][-1:] == ["Preis Ihrer Mannschaft: vorher kein Preis, jetzt 50,00 €."]
