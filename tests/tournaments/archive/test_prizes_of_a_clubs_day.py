"""All that a club does on its day, played act by act, closed, and read in again twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.payments.choosing import ThingsToChoose
from scoring.payments.prizes import PrizeLine, PrizePlan, PrizeRanking, RankingCategory, TieRule
from scoring.rulesets import ruleset
from tests.clients import Client, at
from tests.factories import COMMAND, make_person
from tests.factories_lists import list_of
from tests.factories_results import table_of
from tests.tournaments.archive.test_generations import facts, handed_on, nothing, written
from tests.tournaments.journal.helpers import desk
from tournaments.announcement.services import tournaments
from tournaments.announcement.services.edit import change_fields, change_prize_plan
from tournaments.announcement.services.sections import fingerprint
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.cash.services import counts
from tournaments.checking.services import checking
from tournaments.closing import services as closing
from tournaments.closing.queries.standings import snapshot
from tournaments.common.organisers import first_organiser
from tournaments.desk.services import leaving, registrations
from tournaments.draw.services import cards, draws
from tournaments.hall.services import handing_in
from tournaments.journal import proof
from tournaments.lists.services import spiellisten
from tournaments.models import Serie, Tournament
from tournaments.models.tournament import Section
from tournaments.prizes.queries.lottery import participants
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import choosing, lottery, playoffs, prizes
from tournaments.results.queries.rankings import OVERALL, Rankings

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SEED = "2026"  # of the lot and of the lottery
LAST = PrizeRanking(category=RankingCategory.OVERALL, from_last=True)
PLAN = PrizePlan(
    lines=(
        PrizeLine(place=1, share_permille=600),
        PrizeLine(place=2, share_permille=400),
        PrizeLine(ranking=LAST, place=1, fixed_cents=500, goods="Rote Laterne"),
    ),
    ties=TieRule.PLAYOFF,
    serie_cents=600,
    serie_shares=(600, 400),
    choosing=ThingsToChoose(things=("Schinken", "Sekt"), for_all=True),
    lottery=("Fahrrad", "Korb"),
)
TERMS = {"best_serien": 2, "only_whole": True, "ties_by_lot": True}
# By table, the start numbers and their points. Nr. 8 goes home, Nr. 9 comes late.
SERIEN = (
    (((1, 2, 3, 4), (10, 20, 30, 40)), ((5, 6, 7, 8), (50, 60, 70, 80))),
    (((1, 2, 3, 4), (90, 20, 30, 40)), ((5, 6, 7, 9), (50, 25, 70, 15))),
    (((1, 2, 3, 4), (30, 95, 15, 40)), ((5, 6, 7, 9), (50, 60, 25, 55))),
)
# Two Serien of three count. printf %s "2026 Nr. 1" | sha256sum → 0ab5f2…, Nr. 2 → bd4851….
RANKED = [
    (1, 1, 40),  # 10 + 30, without 90
    (2, 2, 40),  # 20 + 20, without 95
    (3, 3, 45),  # 30 + 15
    (4, 9, 70),  # 15 + 55, and was not there in the first
    (5, 4, 80),  # 40 + 40
    (6, 6, 85),  # 25 + 60
    (7, 7, 95),  # 70 + 25
    (8, 5, 100),  # 50 + 50, the last player with a place: Nr. 8 has a single result
]
# 9 × 21 € = 189 €, of it 9 × 6 € = 54 € for three Serien: 18 € each, 60 and 40 % of it.
# Of the other 135 € the last has 5 €; 60 and 40 % of 130 € are 78 € and 52 €.
# The lots of the lottery begin with 3c000e for Nr. 3 and 3e0be6 for Nr. 1, the next is 8696a2.
WON = [
    ("startgeld", 1, 7800, ""),
    ("startgeld", 2, 5200, ""),
    ("startgeld", 5, 500, "Rote Laterne"),
    ("serienpreise", 1, 1080, ""),
    ("serienpreise", 2, 720, ""),
    ("serienpreise", 9, 1080, ""),
    ("serienpreise", 2, 720, ""),
    ("serienpreise", 3, 1080, ""),
    ("serienpreise", 7, 720, ""),
    ("auswahl", 1, 0, "Sekt"),
    ("auswahl", 2, 0, "selbst gewählt"),  # was not there when called, and came at the end
    ("auswahl", 3, 0, "Schinken"),
    *(("auswahl", number, 0, "selbst gewählt") for number in (9, 4, 6, 7, 5)),
    ("verlosung", 3, 0, "Fahrrad"),
    ("verlosung", 1, 0, "Korb"),
]


def announced() -> Tournament:
    tournament = tournaments.create_tournament(
        owner=first_organiser(),
        name="Vereinstag",
        starts_at=timezone.now(),
        rule_set=ruleset("rommeordnung"),
        serien=3,
        startgeld_cents=2100,
        actor=COMMAND,
    )
    plan = {"seen": fingerprint(tournament, Section.PRIZES), "pot": "startgeld", "plan": PLAN}
    change_prize_plan(COMMAND, tournament.pk, **plan)
    shown = {"public_players": Tournament.PublicPlayers.NAMES}
    for section, values in ((Section.PROCEDURE, TERMS), (Section.PUBLIC, shown)):
        tournament.refresh_from_db()
        seen = fingerprint(tournament, section)
        change_fields(COMMAND, tournament.pk, seen=seen, section=section, values=values)
    Tournament.objects.filter(pk=tournament.pk).update(
        status=Tournament.Status.ANNOUNCED, protest_minutes=0
    )
    proof.baseline_proof(tournament)
    counts.open_till(desk(), tournament.pk, pieces={1000: 5})
    return tournament


def come(tournament: Tournament, persons: int) -> None:
    for _person in range(persons):
        registrations.register(
            COMMAND,
            tournament.pk,
            person_id=make_person().pk,
            payment=registrations.Payment(),
            late_reason="Stau",
            is_here=True,
        )


def play(serie: Serie, tables: Sequence[tuple[Sequence[int], Sequence[int]]]) -> None:
    draw = draws.begin(COMMAND, serie.pk, method=Serie.Seating.CARDS)
    seats = {
        number: (table, seat)
        for table, (numbers, _points) in enumerate(tables, start=1)
        for seat, number in enumerate(numbers, start=1)
    }
    cards.enter_cards(COMMAND, draw.pk, cards=seats)
    draws.publish(COMMAND, draw.pk)
    for table, (_numbers, points) in enumerate(tables, start=1):
        spielliste = list_of(serie, table)
        for number, line in enumerate(table_of(*points), start=1):
            spiellisten.enter_game(
                COMMAND, spielliste.pk, number=number, line=line, version=number - 1, confirmed=True
            )
        handing_in.take_all(desk(), spielliste.pk, expected_cents=0, signatures=True)
        spielliste.refresh_from_db()
        checking.verify(COMMAND, spielliste.pk, version=spielliste.version)
    closing.close_serie(COMMAND, serie.pk, now=timezone.now() + timedelta(hours=1))


def give_out(tournament: Tournament) -> None:
    """Draw lots, choose things, hand over goods and pay prizes."""
    playoffs.record(COMMAND, tournament.pk, order=[1, 2], by_program=True)
    keys = {each.number: f"r{each.pk}" for each in tournament.registrations.all()}
    choosing.choose(desk(), tournament.pk, recipient=keys[1], thing=2)
    choosing.pass_over(desk(), tournament.pk, recipient=keys[2])
    choosing.choose(desk(), tournament.pk, recipient=keys[3], thing=1)
    while now := PrizeSheet(tournament).choosing.now:
        choosing.choose(desk(), tournament.pk, recipient=now.key, thing=0)
    field = [each.number for each in participants(tournament)]
    drawing = lottery.begin(COMMAND, tournament.pk, expected=field)
    lottery.draw(COMMAND, drawing.pk)
    for row in PrizeSheet(tournament).rows:
        if row.goods_are_open:
            where = {"pot": row.pot, "ranking": row.ranking}
            prizes.hand_over(desk(), tournament.pk, recipient=f"r{row.registration.pk}", **where)
    prizes.pay_all(desk(), tournament.pk, expected_cents=18900)


def clubs_day() -> Tournament:
    tournament = announced()
    come(tournament, 8)
    for serie, tables in zip(tournament.serien.order_by("number"), SERIEN, strict=True):
        if serie.number == 2:
            leaving.leave(desk(), tournament.registrations.get(number=8).pk)
            come(tournament, 1)
        play(serie, tables)
    give_out(tournament)
    counts.count_till(desk(), tournament.pk, pieces={1000: 5})
    return closing.close(COMMAND, tournament.pk, now=timezone.now() + timedelta(hours=2))


def ranked(tournament: Tournament) -> list[tuple[int, int, int]]:
    standings = Rankings(tournament).standings(OVERALL)
    return [(line.rank, line.number, line.total) for line in standings if line.has_place]


def won(tournament: Tournament) -> list[tuple[str, int, int, str]]:
    rows = PrizeSheet(tournament).rows
    assert all(row.is_done for row in rows)
    return [(row.pot, row.registration.number, row.cents, row.goods) for row in rows]


@pytest.fixture(autouse=True)
def _known_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda _bytes=None: SEED)


def test_a_club_day_is_computed_closed_archived_and_imported_twice():
    kept = []

    def played() -> Tournament:
        tournament = clubs_day()
        assert list(proof.of_tournament(tournament)) == []
        kept.append((ranked(tournament), won(tournament), snapshot(tournament)["prizes"]))
        return tournament

    first = written(played, users=2)
    second = handed_on(first, nothing, users=5)
    tournament = import_archive(second.encode(), actor=COMMAND)

    assert kept[0][:2] == (RANKED, WON)
    assert facts(second) == facts(archive_text(tournament)) == facts(first)
    assert (ranked(tournament), won(tournament)) == (RANKED, WON)
    assert json.loads(json.dumps(snapshot(tournament)["prizes"])) == kept[0][2]
    assert list(proof.of_tournament(tournament)) == []
    assert "Gelost mit" in Client().read(at("results_public:overall", tournament))
    assert "Nr. 3: Fahrrad" in Client().read(at("lottery:proof", tournament))
