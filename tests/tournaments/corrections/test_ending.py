"""Lists ended by the Spielleitung before their last game: their results, and undoing it."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from scoring.errors import ScoringError
from scoring.payments.bussgeld import Destination, PerGame
from tests.factories import COMMAND, acting, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.archive.helpers import saved
from tests.worlds import world
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.common.errors import Conflict, InvalidInput, WrongStatus
from tournaments.common.rules import rule_set_of
from tournaments.corrections.services import corrections
from tournaments.hall.queries import handing_in
from tournaments.journal import proof
from tournaments.lists.queries.bussgeld import results_at_table, seat_standings
from tournaments.lists.queries.loading import load_lists
from tournaments.lists.services import signing, spiellisten
from tournaments.models import Correction, Notice, Spielliste, Tournament
from tournaments.results.queries.rankings import OVERALL, Rankings

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status
Kind = Correction.Kind
Counts = Tournament.EndedLists
# After eight games of FOUR: minus 153, 209, 231, 266; finished 3, 2, 2, 1; seat 2 once by
# Handrommé. So played: 153 − 60 = 93, 209 − 40 − 50 = 119, 231 − 40 = 191, 266 − 20 = 246.
AS_PLAYED = {1: 93, 2: 119, 3: 191, 4: 246}
# × 12 ÷ 8: 139.5, 178.5, 286.5, 369, rounded up.
EXTRAPOLATED = {1: 140, 2: 179, 3: 287, 4: 369}


def playing(games: int = 8, *, on_paper: bool = False, **fields) -> Spielliste:
    tournament = make_tournament(**fields)
    players = [make_registration(tournament, number=number) for number in range(1, 5)]
    spielliste = list_of(make_seated_serie(tournament, [players]))
    spielliste.on_paper = on_paper
    return write_games(spielliste, FOUR[:games])


def correct(spielliste: Spielliste, kind, facts, reason, actor=None) -> Correction:
    by = actor or acting(spielliste.table.serie.tournament)
    return corrections.correct_list(by, spielliste.pk, kind=kind, facts=facts, reason=reason)


def end(spielliste: Spielliste, games: int = 8, *, left=(), actor=None) -> Correction:
    facts = {"ended": {"games": games, "left": list(left)}}
    return correct(spielliste, Kind.ENDED, facts, "Zeit abgelaufen", actor)


def go_on(spielliste: Spielliste) -> Correction:
    return correct(spielliste, Kind.GOES_ON, {}, "Es wird doch weitergespielt")


def enter(spielliste: Spielliste, number: int) -> None:
    spiellisten.enter_game(
        acting(spielliste.table.serie.tournament),
        spielliste.pk,
        number=number,
        line=FOUR[number - 1],
        version=spielliste.version,
    )


def totals(spielliste: Spielliste) -> dict[int, int | None]:
    rankings = Rankings(spielliste.table.serie.tournament)
    lines = rankings.standings(OVERALL, upto=1)
    return {line.number: line.series_totals[0] for line in lines}


# --- Results ------------------------------------------------------------------------------------


spielliste = world(playing)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        pytest.param(Counts.EXTRAPOLATED, EXTRAPOLATED, id="§ 2.2.6 hochgerechnet"),
        pytest.param(Counts.AS_PLAYED, AS_PLAYED, id="§ 3.2.1 wie gespielt"),
        pytest.param(Counts.NONE, dict.fromkeys(AS_PLAYED), id="§ 2.2.6 ohne Ergebnis"),
    ],
)
def test_ended_lists_count_as_announced(counts, expected):
    spielliste = playing(ended_lists=counts)

    end(spielliste)

    assert totals(spielliste) == expected
    spielliste.refresh_from_db()
    assert spielliste.status == (Status.INVALID if counts == Counts.NONE else Status.COMPLETE)


def test_leavers_have_no_result_and_the_others_have(spielliste: Spielliste):
    end(spielliste, left=[2])

    assert totals(spielliste) == {**EXTRAPOLATED, 2: None}
    (data,) = load_lists(spielliste.table.serie.tournament)
    places = seat_standings(
        data, results_at_table(data, rule_set_of(spielliste.table.serie.tournament))
    )
    assert [place.rank for place in places] == [1, 4, 2, 3]


@pytest.mark.both
def test_a_substitute_has_a_result_of_an_ended_list(
    spielliste: Spielliste,
):
    seat = spielliste.table.seats.get(number=2)
    seat.registration.person = make_registration(make_tournament()).person
    seat.registration.save()

    end(spielliste)

    assert totals(spielliste) == EXTRAPOLATED


def test_unplayed_games_cost_no_bussgeld():
    tariff = PerGame(cents=10, destination=Destination.PRIZES).to_dict()
    spielliste = playing(bussgeld=tariff)

    end(spielliste, left=[4])

    (row,) = handing_in.rows(spielliste.table.serie)
    # 8 games less 3, 2, 2, 1 finished, 10 cents each; the leaver owes it, too.
    assert [bussgeld.tariff_cents for bussgeld in row.owed] == [50, 60, 60, 70]


# --- Effects ------------------------------------------------------------------------------------


def test_an_ended_list_takes_no_games_but_signatures(spielliste: Spielliste):
    end(spielliste)

    spielliste.refresh_from_db()
    with pytest.raises(WrongStatus, match="nach Spiel 8 beendet"):
        enter(spielliste, 9)
    signed = signing.sign_on_paper(acting(spielliste.table.serie.tournament), spielliste.pk)
    assert signed.status == Status.SIGNED


def test_all_players_are_notified_and_the_end_is_journalled(spielliste: Spielliste):
    correction = end(spielliste, left=[3])

    assert Notice.objects.filter(correction=correction).count() == 4
    tournament = spielliste.table.serie.tournament
    tournament.refresh_from_db()
    entry = tournament.journal_chain.entries.get(action="correction_done")
    assert entry.reason == "Zeit abgelaufen"
    assert entry.after["ended"] == {"games": 8, "counts": "extrapolated", "left": [3]}
    assert not [fault for fault in proof.of_tournament(tournament) if "ended" in str(fault)]


@pytest.mark.both
def test_the_end_of_an_unsigned_list_can_be_undone(spielliste: Spielliste):
    end(spielliste, left=[2])

    go_on(spielliste)

    spielliste.refresh_from_db()
    assert (spielliste.status, spielliste.ended_games) == (Status.OPEN, None)
    assert spielliste.ended_left == []
    enter(spielliste, 9)


def test_the_end_of_a_signed_list_stays(spielliste: Spielliste):
    end(spielliste)
    signing.sign_on_paper(acting(spielliste.table.serie.tournament), spielliste.pk)

    with pytest.raises(WrongStatus, match="schon „unterschrieben“"):
        go_on(spielliste)


def test_undoing_the_end_continues_a_list_without_a_result():
    spielliste = playing(ended_lists=Counts.NONE)
    end(spielliste)

    with pytest.raises(WrongStatus, match="bitte das Ende zurücknehmen"):
        correct(spielliste, Kind.VALID, {}, "doch")
    go_on(spielliste)

    spielliste.refresh_from_db()
    assert (spielliste.status, spielliste.invalid_reason) == (Status.OPEN, "")


@pytest.mark.both
def test_a_paper_list_is_entered_up_to_its_end():
    spielliste = playing(6, on_paper=True)

    end(spielliste, 8)
    for number in (7, 8):
        spielliste.refresh_from_db()
        assert spielliste.status == Status.OPEN
        enter(spielliste, number)

    spielliste.refresh_from_db()
    assert spielliste.status == Status.COMPLETE
    assert totals(spielliste) == EXTRAPOLATED


@pytest.mark.both
def test_all_lists_of_a_serie_end_together():
    tournament = make_tournament()
    serie = make_seated_serie(tournament, tables=3)
    for table, games in ((1, 12), (2, 8), (3, 10)):
        write_games(list_of(serie, table), FOUR[:games])
    playing_on = [list_of(serie, table).pk for table in (2, 3)]

    corrections.end_lists(
        acting(tournament), serie.pk, ends=dict.fromkeys(playing_on), reason="Zeit abgelaufen"
    )

    ended = Spielliste.objects.order_by("table__number").values_list("ended_games", flat=True)
    assert list(ended) == [None, 8, 10]


# --- Refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("games", "asked", "left", "kind", "message"),
    [
        pytest.param(7, 8, (), Conflict, "stehen inzwischen 7 Spiele", id="other games since"),
        pytest.param(0, 0, (), InvalidInput, "noch kein Spiel", id="nothing played"),
        pytest.param(8, 8, (1, 2, 3, 4), InvalidInput, "niemand mit einem Ergebnis", id="all left"),
    ],
)
def test_an_impossible_end_is_refused(games, asked, left, kind, message):
    spielliste = playing(games)

    with pytest.raises(kind, match=message):
        end(spielliste, asked, left=left)


def test_complete_and_ended_lists_cannot_be_ended(spielliste: Spielliste):
    end(spielliste)
    with pytest.raises(WrongStatus, match="schon nach Spiel 8 beendet"):
        end(spielliste)

    whole = playing(11)
    enter(whole, 12)
    with pytest.raises(WrongStatus, match="vollständig"):
        end(whole, 12)


def test_games_of_a_paper_list_stay_within_the_rule_set():
    spielliste = playing(6, on_paper=True)

    for games in (5, 12):
        with pytest.raises(InvalidInput, match="nach Spiel 6 bis 11"):
            end(spielliste, games)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"ended_games": 8, "ended_counts": "as_played"}, id="no reason"),
        pytest.param({"ended_counts": "as_played", "ended_reason": "Zeit"}, id="no game"),
        pytest.param(
            {"ended_games": 0, "ended_counts": "as_played", "ended_reason": "Zeit"}, id="game 0"
        ),
        pytest.param(
            {"ended_games": 8, "ended_counts": "none", "ended_reason": "Zeit"}, id="not invalid"
        ),
        pytest.param(
            {"ended_games": 8, "ended_counts": "half", "ended_reason": "Zeit"}, id="unknown"
        ),
    ],
)
def test_the_database_refuses_an_incomplete_end(fields, spielliste: Spielliste):
    with pytest.raises(IntegrityError), transaction.atomic():
        Spielliste.objects.filter(pk=spielliste.pk).update(**fields)


# --- Outside ------------------------------------------------------------------------------------


def test_an_ended_list_survives_an_archive_byte_for_byte(
    spielliste: Spielliste,
):
    end(spielliste, left=[2])
    tournament = spielliste.table.serie.tournament
    text = saved(tournament)
    (table,) = json.loads(text)["series"][0]["tables"]
    assert table["list"]["ended"] == {"games": 8, "counts": "extrapolated"}
    before = totals(spielliste)

    Tournament.objects.filter(pk=tournament.pk).update(slug="anders")
    imported = import_archive(text.encode(), actor=COMMAND)

    assert archive_text(imported) == text
    copy = Spielliste.objects.get(table__serie__tournament=imported)
    assert totals(copy) == before
    out = StringIO()
    call_command("standings", imported.slug, "--series", "1", stdout=out)
    ranked = [
        (row["number"], row["series_totals"][0]) for row in json.loads(out.getvalue())["standings"]
    ]
    assert ranked == [(1, 140), (3, 287), (4, 369), (2, None)]


@pytest.mark.parametrize(
    ("status", "games", "ended", "where"),
    [
        pytest.param("complete", 7, {"games": 8, "counts": "as_played"}, "status", id="too few"),
        pytest.param("complete", 9, {"games": 8, "counts": "as_played"}, "ended", id="too many"),
        pytest.param("complete", 12, {"games": 12, "counts": "as_played"}, "ended", id="whole"),
        pytest.param("complete", 8, {"games": 8, "counts": "none"}, "counts", id="no such word"),
        pytest.param("open", 8, {"games": 8, "counts": "as_played"}, "status", id="not open"),
    ],
)
def test_a_contradictory_archive_is_refused_with_its_place(status, games, ended, where):
    with pytest.raises(ScoringError) as refusal:
        import_archive(json.dumps(foreign(status, games, ended)).encode(), actor=COMMAND)

    assert any(
        problem.where.startswith("series[0].tables[0].list") and where in problem.where
        for problem in refusal.value.problems
    )


def test_a_foreign_file_marks_an_ended_list_by_one_key():
    imported = import_archive(
        json.dumps(foreign("complete", 8, {"games": 8, "counts": "as_played"})).encode(),
        actor=COMMAND,
    )

    spielliste = Spielliste.objects.get(table__serie__tournament=imported)
    assert totals(spielliste) == AS_PLAYED
    assert spielliste.ended_reason


def foreign(status: str, games: int, ended: dict[str, object]) -> dict[str, object]:
    people = [
        {
            "number": number,
            "first_name": "Anna",
            "last_name": f"Kühn{'abcd'[number - 1]}",
            "club": None,
            "team": None,
            "status": "paid",
            "paid_cents": 1500,
        }
        for number in range(1, 5)
    ]
    played = {"status": status, "games": list(FOUR[:games]), "penalties": [], "ended": ended}
    return {
        "format": "romme-turnier",
        "version": 1,
        "tournament": {
            "slug": "fremd",
            "name": "Fremdes",
            "date": "2026-10-03",
            "rule_set": "rommeordnung",
            "series": 1,
        },
        "clubs": [],
        "registrations": people,
        "series": [{"number": 1, "tables": [{"number": 1, "seats": [1, 2, 3, 4], "list": played}]}],
        "playoffs": [],
    }
