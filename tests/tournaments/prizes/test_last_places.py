"""„Letzter“, „Vorletzter“, „letzter der Damen“: winners, pages, payouts and closing."""

from __future__ import annotations

import json

import pytest

from scoring.payments.prizes import PrizePlan, RankingCategory, TieRule
from scoring.payments.prizes import PrizeRanking as Key
from tests.clients import at, logged_in
from tests.factories import COMMAND, make_member, make_players, make_tournament
from tests.factories_results import play_serie, take_startgeld
from tests.tournaments.prizes.helpers import line, set_plan, won
from tournaments.announcement.forms.prizes import ranking_choices, ranking_key, ranking_of
from tournaments.announcement.queries.prize_lines import plans_in_money, prize_lines
from tournaments.announcement.services.checks import missing_facts
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.closing.queries.standings import snapshot
from tournaments.common.ranking_names import ranking_of as ranking_at
from tournaments.common.ranking_names import slug_of
from tournaments.journal import proof
from tournaments.models import Playoff, Ranking, Role, Tournament
from tournaments.prizes.queries.playoffs import open_ties
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import prizes

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LAST = Key(category=RankingCategory.OVERALL, from_last=True)
LAST_WOMAN = Key(category=RankingCategory.WOMEN, from_last=True)


def evening(*lines, **plan) -> Tournament:
    """Two Serien; after them 1 leads and 7 is last; 8 left after the first, and 9 came then."""
    tournament = make_tournament(serien=2)
    field = make_players(tournament, 9)
    play_serie(tournament, [field[:4], field[4:8]], [(60, 65, 70, 75), (80, 85, 90, 110)])
    late = [*field[4:7], field[8]]
    play_serie(tournament, [field[:4], late], [(60, 65, 70, 75), (80, 85, 90, 110)], number=2)
    women = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.WOMEN)
    for number in (2, 5, 8):
        tournament.registrations.get(number=number).rankings.add(women)
    take_startgeld(tournament)
    set_plan(tournament, startgeld=PrizePlan(lines=lines, **plan))
    return tournament


def test_a_player_missing_a_serie_is_not_last():
    tournament = evening(
        line(1, share_permille=1000),
        line(1, ranking=LAST, fixed_cents=1000, goods="Rote Laterne"),
        line(2, ranking=LAST, fixed_cents=500),
        line(1, ranking=LAST_WOMAN, goods="Blumen"),
    )

    # 9 × 15 € = 135 €, less 15 €; 8 and 9 have one Serie only, so 7 is last; of the women 5
    rows = PrizeSheet(tournament).rows
    assert [(row.registration.number, row.rank, row.ranking, row.description) for row in rows] == [
        (1, 1, "einzel", "1. Platz Gesamtwertung"),
        (7, 7, "einzel-letzte", "Letzter Platz Gesamtwertung: Rote Laterne"),
        (6, 6, "einzel-letzte", "Vorletzter Platz Gesamtwertung"),
        (5, 2, "damen-letzte", "Letzter Platz Damen: Blumen"),
    ]
    assert won(tournament) == {"1": 12000, "7": 1000, "6": 500, "5": 0}


def test_a_winner_at_both_ends_gets_both_prizes():
    tournament = evening(line(7, share_permille=500), line(1, ranking=LAST, share_permille=500))

    assert won(tournament) == {"7": 13500}
    prizes.pay(
        COMMAND,
        tournament.pk,
        recipient=f"r{tournament.registrations.get(number=7).pk}",
        expected_cents=13500,
    )
    assert {(each.ranking, each.amount_cents) for each in tournament.prize_payouts.all()} == {
        ("einzel", 6750),
        ("einzel-letzte", 6750),
    }


def test_a_tie_at_the_end_for_one_thing_needs_an_entscheidungsspiel():
    tied = evening_with_equals()

    [tie] = [row for row in open_ties(PrizeSheet(tied)) if row.blocks and row.rank > 1]
    assert tie.numbers == (7, 8)
    Playoff.objects.create(tournament=tied, order=[8, 7])

    assert [row.registration.number for row in PrizeSheet(tied).rows] == [7]
    assert not [row for row in open_ties(PrizeSheet(tied)) if row.blocks and row.rank > 1]


def evening_with_equals() -> Tournament:
    tournament = make_tournament(serien=1)
    field = make_players(tournament, 8)
    play_serie(tournament, [field[:4], field[4:]], [(100, 110, 120, 130), (200, 210, 220, 220)])
    take_startgeld(tournament)
    lines = (line(1, ranking=LAST, goods="Rote Laterne"),)
    set_plan(tournament, startgeld=PrizePlan(lines=lines, ties=TieRule.PLAYOFF))
    return tournament


def test_the_announcement_describes_it_in_words():
    tournament = evening(line(1, share_permille=1000), line(1, ranking=LAST, goods="Rote Laterne"))

    [planned] = plans_in_money(tournament)
    said = dict(prize_lines(planned))
    assert said["Letzte Plätze Gesamtwertung"] == "Letzter Platz: Rote Laterne"
    assert [each for each in missing_facts(tournament) if "Letzte" in str(each)] == []


def test_the_form_counts_only_player_rankings_from_behind():
    tournament = make_tournament(serien=2)
    for kind in (Ranking.Kind.SINGLE, Ranking.Kind.WOMEN, Ranking.Kind.TEAM):
        size = {"size": 4} if kind == Ranking.Kind.TEAM else {}
        Ranking.objects.get_or_create(tournament=tournament, kind=kind, defaults=size)

    keys = [key for key, _label in ranking_choices(tournament, "startgeld")]

    assert [key for key in keys if key.endswith("-last")] == ["overall-last", "women-last"]
    assert [ranking_key(ranking_of(key)) for key in keys] == keys


@pytest.mark.parametrize("ranking", [LAST, LAST_WOMAN, LAST.from_first])
def test_the_name_of_a_ranking_identifies_it(ranking):
    assert ranking_at(slug_of(ranking)) == ranking


@pytest.mark.parametrize("slug", ["mannschaft-letzte", "serie-1-letzte", "tag-1-letzte"])
def test_uncounted_ends_of_rankings_have_no_name(slug):
    assert ranking_at(slug) is None


def test_no_page_shows_a_ranking_from_its_end(client):
    tournament = evening(line(1, ranking=LAST, goods="Rote Laterne"))

    assert client.get(f"/t/{tournament.slug}/rangliste/einzel-letzte/").status_code == 404


def test_closing_and_archive_keep_the_prizes():
    tournament = evening(line(1, ranking=LAST, fixed_cents=1000))
    [prize] = snapshot(tournament)["prizes"]
    assert (prize["ranking"], prize["number"], prize["cents"]) == ("einzel-letzte", 7, 1000)

    proof.baseline_proof(tournament)
    written = archive_text(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(slug="vorher")
    imported = import_archive(written.encode(), actor=COMMAND)

    assert json.loads(archive_text(imported)) == json.loads(written)
    assert won(imported) == {"7": 1000}


def test_the_staff_page_describes_the_place_in_words():
    tournament = evening(line(1, ranking=LAST, goods="Rote Laterne"))

    client = logged_in(make_member(tournament, Role.KASSE))

    page = client.read(at("prizes:prizes", tournament.slug))

    assert "Letzter Platz Gesamtwertung: Rote Laterne" in page
