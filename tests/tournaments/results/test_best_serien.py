"""The best n of m Serien count, and a missed one costs the place: only if announced."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.urls import reverse

from scoring.payments.prizes import PrizeLine, PrizePlan, PrizeRanking, RankingCategory
from scoring.standings import Terms
from tests.clients import Client
from tests.clients import plain as text
from tests.factories import acting, make_head, make_member, make_players, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.factories_results import play_serie, take_startgeld
from tests.tournaments.printing.helpers import words
from tournaments.announcement.queries import ausschreibung_text
from tournaments.announcement.services import edit, sections
from tournaments.announcement.services.copying import copy_tournament
from tournaments.common.access_keys import player_path
from tournaments.common.actors import Actor
from tournaments.common.errors import WrongStatus
from tournaments.common.rules import terms_of
from tournaments.corrections.services import effects
from tournaments.journal import proof
from tournaments.journal.rows import all_hashes, without_new_fields
from tournaments.lists.queries.loading import load_lists
from tournaments.models import Role, Season, Spielliste, Tournament
from tournaments.models.tournament import Section
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.results.queries.outcome import TournamentOutcome
from tournaments.results.queries.press import press
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.results.services import player_access
from tournaments.seasons import queries as seasons

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# Of Serie 3 the list of table 2 is invalid: Nr. 5 to 8 have two results.
CAME = {
    1: [(100, 110, 120, 130), (105, 115, 125, 135)],
    2: [(300, 50, 60, 70), (80, 90, 95, 400)],
    3: [(40, 200, 45, 55), (1, 1, 1, 1)],
}
# Rank, number, points of the two best Serien, which is struck.
BEST_TWO = [
    (1, 3, 60 + 45, "Serie 1"),
    (2, 4, 70 + 55, "Serie 1"),
    (3, 1, 100 + 40, "Serie 2"),
    (4, 2, 110 + 50, "Serie 3"),
    (5, 5, 105 + 80, ""),
    (6, 6, 115 + 90, ""),
    (7, 7, 125 + 95, ""),
    (8, 8, 135 + 400, ""),
]
ALL_THREE = [
    *[(1, 3, 225, ""), (2, 4, 255, ""), (3, 2, 360, ""), (4, 1, 440, "")],
    *[(5, 5, 185, ""), (6, 6, 205, ""), (7, 7, 220, ""), (8, 8, 535, "")],
]


def played(**fields) -> Tournament:
    """Make the tournament of the numbers above."""
    tournament = make_tournament(serien=3, status=Tournament.Status.RUNNING, **fields)
    players = make_players(tournament, 8)
    rows = [players[:4], players[4:]]
    for number, came in CAME.items():
        play_serie(tournament, rows, came, number=number)
    third = tournament.serien.get(number=3)
    Spielliste.objects.filter(table__serie=third, table__number=2).update(
        status=Spielliste.Status.INVALID,
        status_before_invalid="verified",
        invalid_reason="Trinkglas",
    )
    return tournament


def order(tournament: Tournament) -> list[tuple[int, int, int, str]]:
    lines = Rankings(tournament).table(OVERALL).lines
    return [
        (line.standing.rank, line.standing.number, line.standing.total, line.struck)
        for line in lines
    ]


def staff_of(tournament: Tournament) -> Client:
    client = Client()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return client


def test_the_two_best_of_three_serien_make_the_ranking():
    assert order(played(best_serien=2)) == BEST_TWO
    assert order(played(slug="alle")) == ALL_THREE


def test_after_two_serien_all_count_and_after_three_two():
    rankings = Rankings(played(best_serien=2))

    after_two = rankings.standings(OVERALL, upto=2)

    assert [(line.number, line.total) for line in after_two[:3]] == [(2, 160), (3, 180), (5, 185)]
    assert not any(line.struck for line in after_two)


def test_page_paper_file_and_feed_mark_struck_serien():
    tournament = played(best_serien=2)
    client, slug = staff_of(tournament), [tournament.slug]
    told = "Von 3 Serien zählen die besten 2 (Abweichung von"

    page = text(client.get(reverse("results:ranking", args=slug)))
    paper = words(tournament, "rangliste")
    table = client.get(reverse("results:file", args=[*slug, "csv"])).content.decode("utf-8-sig")
    data = json.loads(client.get(reverse("results:file", args=[*slug, "json"])).content)
    answer = json.loads(Client().get(reverse("feed:overall", args=slug)).content)

    assert "zählt nicht:</span> 300</del>" in page
    assert page.count("<del>") == 4
    for said in (page, paper):
        assert told in said
    rows = [line.split(";") for line in table.splitlines()]
    assert (rows[0][-1], rows[1][-1], rows[8][-1]) == ("zählt nicht", "Serie 1", "")
    assert [line.get("struck") for line in data["standings"][:5]] == [[1], [1], [2], [3], None]
    assert [line["struck"] for line in answer["lines"][:5]] == [[1], [1], [2], [3], []]
    assert [line["games"] for line in answer["lines"][:5]] == [24, 24, 24, 24, 24]


def test_own_page_and_press_use_the_best_serien():
    tournament = played(best_serien=2)
    player_access.store_tokens(tournament)

    own = text(Client().get(player_path(tournament.registrations.get(number=1))))
    [(_label, best)] = press(tournament)["rankings"]

    assert '<strong> Rang 3 </strong> <span>von 8</span> <span class="push"> 140 Punkte' in own
    assert "zählt nicht: Serie 2 ·" in own
    assert [(line.rank, line.points) for line in best] == [(1, 105), (2, 125), (3, 140)]


def test_prizes_and_season_use_the_counting_serien():
    plan = PrizePlan(lines=(PrizeLine(ranking=OVERALL, place=5, fixed_cents=1000),))
    tournament = played(best_serien=2, prize_plan={"startgeld": plan.to_dict()})
    take_startgeld(tournament)
    season = Season.objects.create(
        owner=tournament.owner, slug="s", name="S", created_by=make_head(tournament.owner)
    )
    season.tournaments.add(tournament)

    [row] = PrizeSheet(tournament).rows
    lines = seasons.standing(season).lines

    # Two results are all that count, so Nr. 5 is whole; all eight are in the season.
    assert (row.registration.number, row.cents) == (5, 1000)
    assert [line.value for line in lines] == [105, 125, 140, 160, 185, 205, 220, 535]


def test_a_correction_of_a_struck_serie_changes_no_total():
    tournament = played(best_serien=2)
    lists = load_lists(tournament)
    [data] = [spielliste for spielliste in lists if (spielliste.serie, spielliste.table) == (2, 1)]
    first = tournament.registrations.get(number=1)
    worse = replace(data, penalties={first.pk: 100})

    effect = effects.compare(
        tournament, serie=2, changed=[worse], concerned=[first.pk], lists=lists
    )

    [person] = effect.persons
    assert (person.points, person.total, person.rank) == ((300, 400), (140, 140), (3, 3))
    assert effect.others == ()


def test_a_running_serie_is_not_counted_as_whole():
    """Game 1 brought table 1 10 points a seat, so 11 more are to come at 10 each."""
    tournament = make_tournament(serien=2, best_serien=1)
    players = make_players(tournament, 8)
    rows = [players[:4], players[4:]]
    play_serie(tournament, rows, [(100, 110, 120, 130), (105, 115, 125, 135)])
    serie = make_seated_serie(tournament, rows, number=2)
    write_games(list_of(serie, 1), [{"finisher": 1, "handromme": False, "minus": [0, 10, 20, 30]}])

    lines = Rankings(tournament).table(OVERALL, upto=2, running=True).lines

    # Nr. 1: −20 + 110 are less than 100. Nr. 7 and 8 have no game: 10 + 110 are less than 125.
    # Nr. 3 is equal to them by 120 of Serie 1, with three games finished.
    assert [(line.standing.number, line.compared, line.struck) for line in lines] == [
        (1, 90, "Serie 1"),
        (5, 105, "Serie 2"),
        (2, 110, "Serie 2"),
        (6, 115, "Serie 2"),
        (3, 120, "Serie 2"),
        (7, 120, "Serie 1"),
        (8, 120, "Serie 1"),
        (4, 130, "Serie 2"),
    ]
    assert [line.standing.total for line in lines[:2]] == [-20, 105]


def test_a_running_serie_alone_adds_no_game_that_is_unplayed():
    """Nothing is struck there: after game 1 of table 1 those of table 2 have its mean, 10."""
    tournament = make_tournament(serien=2, best_serien=1)
    players = make_players(tournament, 8)
    rows = [players[:4], players[4:]]
    play_serie(tournament, rows, [(100, 110, 120, 130), (105, 115, 125, 135)])
    serie = make_seated_serie(tournament, rows, number=2)
    write_games(list_of(serie, 1), [{"finisher": 1, "handromme": False, "minus": [0, 10, 20, 30]}])

    alone = Rankings(tournament).table(
        PrizeRanking(category=RankingCategory.SERIE, serie=2), running=True
    )

    assert [(line.standing.number, line.compared) for line in alone.lines] == [
        *[(1, -20), (2, 10), (5, 10), (6, 10), (7, 10), (8, 10), (3, 20), (4, 30)],
    ]


@pytest.mark.parametrize("best", [3, 4])
def test_counting_all_serien_changes_no_byte(best: int):
    tournament = played()
    client, slug = staff_of(tournament), tournament.slug

    def everything() -> list[object]:
        files = [
            client.get(reverse("results:file", args=[slug, ending])).content
            for ending in ("csv", "json")
        ]
        answer = Client().get(reverse("feed:overall", args=[slug])).content
        page = text(client.get(reverse("results:ranking", args=[slug])))
        page = page[page.index('id="ranking"') : page.index("Als Datei")]
        said = ausschreibung_text.scoring_lines(tournament)
        return [files, answer, page, said, words(tournament, "rangliste-aushang")]

    before = everything()
    Tournament.objects.filter(pk=tournament.pk).update(best_serien=best)
    tournament.refresh_from_db()

    assert order(tournament) == ALL_THREE
    assert everything() == before


def test_a_player_missing_a_serie_has_no_place_and_no_prize():
    plan = PrizePlan(lines=(PrizeLine(ranking=OVERALL, place=5, fixed_cents=1000),))
    tournament = played(only_whole=True, prize_plan={"startgeld": plan.to_dict()})
    take_startgeld(tournament)
    player_access.store_tokens(tournament)
    client, slug = staff_of(tournament), [tournament.slug]

    page = text(client.get(reverse("results:ranking", args=slug)))
    table = client.get(reverse("results:file", args=[*slug, "csv"])).content.decode("utf-8-sig")
    own = text(Client().get(player_path(tournament.registrations.get(number=5))))
    answer = json.loads(Client().get(reverse("feed:overall", args=slug)).content)

    assert [row.split(";")[0] for row in table.splitlines()[1:]] == [*"1234", "", "", "", ""]
    assert page.count("2 von 3 Serien, darum kein Platz") == 4
    assert "steht hinter allen, die mehr haben" not in page
    assert 'kein Platz </strong> <span class="push"> 185 Punkte' in own
    assert [line["rank"] for line in answer["lines"]] == [1, 2, 3, 4, None, None, None, None]
    sheet = PrizeSheet(tournament)
    assert sheet.rows == []
    assert "Platz 5 (Gesamtwertung) hat niemand erreicht" in sheet.untaken[0]


def test_players_without_a_place_count_as_participants():
    outcome = TournamentOutcome(played(only_whole=True))

    assert outcome.players == 8
    assert [place.line.standing.number for place in outcome.winners] == [3]


def test_the_announced_choice_is_fixed_when_the_tournament_runs():
    tournament = make_tournament(serien=3, status=Tournament.Status.DRAFT)
    proof.baseline_proof(tournament)
    seen = sections.fingerprint(tournament, Section.PROCEDURE)
    edit.change_fields(
        acting(tournament),
        tournament.pk,
        seen=seen,
        section=Section.PROCEDURE,
        values={"best_serien": 2, "only_whole": True},
    )
    tournament.refresh_from_db()
    said = dict(ausschreibung_text.scoring_lines(tournament)[-1:])

    assert terms_of(tournament) == Terms(best=2, only_whole=True)
    assert said == {"Wertung": "Wer eine Serie verpasst, die zählt, hat keinen Platz."}
    assert list(proof.of_tournament(tournament)) == []
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.RUNNING)
    seen = sections.fingerprint(tournament, Section.PROCEDURE)
    with pytest.raises(WrongStatus, match="Welche Serien zählen"):
        edit.change_fields(
            acting(tournament),
            tournament.pk,
            seen=seen,
            section=Section.PROCEDURE,
            values={"best_serien": None},
            reason="vergessen",
        )


def test_a_copied_tournament_counts_alike():
    tournament = make_tournament(serien=3, best_serien=2, only_whole=True)

    copy = copy_tournament(
        owner=tournament.owner,
        tournament_id=tournament.pk,
        name="Nächstes",
        starts_at=tournament.starts_at,
        actor=Actor.account(make_head(tournament.owner)),
    )

    assert terms_of(copy) == Terms(best=2, only_whole=True)


def test_an_older_journal_without_the_choices_is_valid():
    tournament = make_tournament()
    names = {f"tournament/{tournament.pk}/{each}" for each in ("best_serien", "only_whole")}
    known = all_hashes(tournament).keys() - names

    assert not names & without_new_fields(all_hashes(tournament), known).keys()
    Tournament.objects.filter(pk=tournament.pk).update(best_serien=2, only_whole=True)
    assert names <= without_new_fields(all_hashes(tournament), known).keys()
