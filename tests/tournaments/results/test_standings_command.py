"""``manage.py standings``: the ranking as JSON, or every problem as JSON and exit code 2."""

from __future__ import annotations

import pytest
from django.utils import translation

from tests.factories import make_club, make_person, make_players, make_registration, make_tournament
from tests.factories_results import play_serie
from tests.interchange import programs
from tests.interchange.programs import ProgramRun
from tests.worlds import world
from tournaments.models import Registration, Spielliste


def run(*arguments: str) -> ProgramRun:
    return programs.run("standings", *arguments)


@world
def tournament():
    """Two Serien: Serie 1 in full, Serie 2 with one invalid list; number 8 is excluded."""
    tournament = make_tournament(slug="herbst-2026", serien=2)
    club = make_club("SC Altenburg")
    first = make_registration(tournament, make_person("Łukasz", "Kühn", club=club))
    players = [first, *make_players(tournament, 7)]
    rows = [players[:4], players[4:]]
    play_serie(tournament, rows, [(100, 90, 80, 80), (70, 70, 60, 50)])
    play_serie(tournament, rows, [(-5, 30, 40, 40), (50, 60, 70, 80)], number=2)
    Spielliste.objects.filter(table__serie__number=2, table__number=2).update(
        status="invalid", invalid_reason="unleserlich", status_before_invalid="verified"
    )
    Registration.objects.filter(pk=players[7].pk).update(status="excluded")
    return tournament


def test_standings_follow_the_format_to_the_letter(tournament):
    ran = run("herbst-2026")

    assert (ran.code, ran.err) == (0, b"")
    answer = ran.answer
    assert (answer["tournament"], answer["series_counted"]) == ("herbst-2026", 2)
    assert [(line["rank"], line["number"], line["total"]) for line in answer["standings"]] == [
        (1, 1, 95),
        (2, 2, 120),
        (2, 3, 120),
        (2, 4, 120),
        (5, 7, 60),
        (6, 5, 70),
        (6, 6, 70),
    ]
    assert answer["standings"][0] == {
        "rank": 1,
        "number": 1,
        "name": "Łukasz Kühn",
        "club": "SC Altenburg",
        "total": 95,
        "games_won": 6,
        "handromme": 0,
        "series_totals": [100, -5],
        "tie": None,
    }
    assert answer["standings"][1]["tie"] == {"numbers": [2, 3, 4], "needs_playoff": True}
    assert answer["standings"][4]["series_totals"] == [60, None]
    assert "Łukasz" in ran.out.decode()


def test_only_the_first_serien_count_on_request(tournament):
    answer = run("herbst-2026", "--series", "1").answer

    assert answer["series_counted"] == 1
    assert [(line["rank"], line["number"]) for line in answer["standings"]] == [
        (1, 7),
        (2, 5),
        (2, 6),
        (4, 3),
        (4, 4),
        (6, 2),
        (7, 1),
    ]
    assert all(len(line["series_totals"]) == 1 for line in answer["standings"])


def test_an_unknown_tournament_is_refused_with_the_known_ones(tournament):
    ran = run("herbst")

    assert (ran.code, ran.out) == (2, b"")
    assert ran.errors == [
        {
            "where": "slug",
            "message": "Ein Turnier „herbst“ gibt es nicht. Es gibt: herbst-2026.",
        }
    ]


@pytest.mark.django_db
def test_an_empty_database_is_refused():
    assert "noch keines angelegt" in run("herbst").errors[0]["message"]


@pytest.mark.parametrize("given", ["0", "3", "-1", "x", "1.5", "", "²", "99999999999999999999"])
def test_an_unplayed_serie_is_refused(tournament, given):
    ran = run("herbst-2026", f"--series={given}")

    assert ran.code == 2
    assert ran.errors == [
        {
            "where": "--series",
            "message": f"Serie „{given}“ gibt es nicht; das Turnier hat die Serien 1 bis 2.",
        }
    ]


@pytest.mark.django_db
def test_a_tournament_without_serien_has_a_ranking():
    make_tournament(slug="leer", serien=0)

    assert run("leer").answer == {"tournament": "leer", "series_counted": 0, "standings": []}
    assert "keine Serie vorgesehen" in run("leer", "--series", "1").errors[0]["message"]


def test_the_sentences_are_german_in_any_language(tournament):
    with translation.override("en"):
        assert "gibt es nicht" in run("herbst").errors[0]["message"]
