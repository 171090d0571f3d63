"""The public part of a ranking, and the time of its publication."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.clients import Client
from tests.factories import COMMAND, make_club, make_person, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.factories_results import make_team
from tests.worlds import world
from tournaments.announcement.queries.publication import visible_ranking
from tournaments.common.errors import WrongStatus
from tournaments.models import Ranking, Screen, Spielliste, Substitution, Tournament
from tournaments.printing.base import PrintRequest
from tournaments.printing.results import public_ranking
from tournaments.results.services import publication
from tournaments.screen import services as screens

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Mode = Tournament.PublicRanking
Status = Spielliste.Status


def played(**fields):
    """A tournament of two Serien, the first verified, the second in its fifth game."""
    tournament = make_tournament(serien=2, status=Tournament.Status.RUNNING, **fields)
    club = make_club("SC Altenburg")
    players = [
        make_registration(
            tournament,
            make_person("Anna", f"Kühn{number}", club=club, publish_consent=number != 2),
        )
        for number in range(1, 5)
    ]
    write_games(list_of(make_seated_serie(tournament, [players], number=1)), status=Status.VERIFIED)
    write_games(list_of(make_seated_serie(tournament, [players], number=2)), FOUR[:5])
    return tournament


def page(tournament, which="einzel", **data):
    url = reverse("results_public:ranking", args=[tournament.slug, which])
    return Client().get(url, data)


tournament = world(played)


@pytest.mark.parametrize(
    ("mode", "released", "upto", "running"),
    [
        pytest.param(Mode.LIVE, False, 3, True, id="live"),
        pytest.param(Mode.HIDDEN_LAST, False, 2, True, id="without the last Serie"),
        pytest.param(Mode.HIDDEN_LAST, True, 3, True, id="after the prize-giving"),
        pytest.param(Mode.FINAL, False, 0, False, id="only at the end"),
        pytest.param(Mode.FINAL, True, 3, True, id="the end has come"),
        pytest.param(Mode.NEVER, True, 0, False, id="never"),
    ],
)
def test_the_public_part_of_the_ranking_follows_the_setting(mode, released, upto, running):
    tournament = make_tournament(public_ranking=mode)
    if released:
        publication.release_results(COMMAND, tournament.pk)
        tournament.refresh_from_db()

    visible = visible_ranking(tournament, 3)

    assert (visible.upto, visible.running) == (upto, running)


def test_closing_publishes_hidden_results():
    tournament = make_tournament(public_ranking=Mode.FINAL, status=Tournament.Status.CLOSED)

    assert visible_ranking(tournament, 3).upto == 3


def test_results_are_released_once_and_can_be_hidden_again():
    tournament = make_tournament(public_ranking=Mode.FINAL)
    publication.release_results(COMMAND, tournament.pk)

    with pytest.raises(WrongStatus, match="schon freigegeben"):
        publication.release_results(COMMAND, tournament.pk)
    publication.hold_back_results(COMMAND, tournament.pk)
    with pytest.raises(WrongStatus, match="nicht freigegeben"):
        publication.hold_back_results(COMMAND, tournament.pk)

    tournament.refresh_from_db()
    assert tournament.results_released_at is None


def test_the_live_ranking_names_included_and_missing_lists():
    text = page(played(), laufend=1).content.decode()

    assert "vorläufig" in text
    assert "Serie 2: 1 von 1 Listen fehlt (Tisch 1)." in text
    assert "nach Spiel 5" in text


def test_the_public_ranking_is_empty_before_the_first_result():
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    make_registration(tournament, make_person("Anna", "Kühn", publish_consent=True))
    screens.show(COMMAND, tournament.pk, shows=Screen.Shows.RANKING, seconds=8)

    text = page(tournament).content.decode()
    wall = Client().get(reverse("screen:screen", args=[tournament.slug])).content.decode()

    assert "Noch keine Ergebnisse" in text
    assert "Kühn" not in text
    assert f"<h1>{tournament.name}</h1>" in wall


def test_names_and_clubs_are_public_with_consent_only():
    text = page(played()).content.decode()

    assert "Kühn1, Anna" in text
    assert "Kühn2" not in text
    assert "A. K." in text


def test_a_tandem_called_by_its_players_names_only_who_consented(tournament: Tournament):
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    first, second, third, fourth = tournament.registrations.order_by("number")
    make_team(ranking, "Kühn1 / Kuehn2", [first, second])
    make_team(ranking, "Kühn3 / Kühn4", [third, fourth])

    text = page(tournament, "tandem").content.decode()
    printed = public_ranking(PrintRequest(tournament=tournament, ranking="tandem")).context["rows"]

    assert "Anna Kühn1 / A. K. (Nr. 2)" in text
    assert "Kuehn2" not in text
    assert "Kühn3 / Kühn4" in text
    assert {row.name for row in printed} == {"Kühn1 / Kuehn2", "Kühn3 / Kühn4"}


def test_a_tandem_does_not_name_a_replaced_player(tournament: Tournament):
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    first, _second, third, _fourth = tournament.registrations.order_by("number")
    make_team(ranking, "Kühn1 / Voß", [first, third])
    karl = make_person("Karl", "Voß")
    Substitution.objects.create(registration=third, left=karl, joined=third.person, reason="krank")

    text = page(tournament, "tandem").content.decode()

    assert "Anna Kühn1 / Anna Kühn3" in text
    assert "Voß" not in text


def test_a_tournament_without_serien_has_no_ranking_to_hide():
    tournament = make_tournament(serien=0, public_ranking=Mode.HIDDEN_LAST)

    assert visible_ranking(tournament, 0).upto == 0
    assert page(tournament).context["rows"] == []


def test_a_ranking_hiding_the_last_serie_omits_it():
    tournament = played(public_ranking=Mode.HIDDEN_LAST)

    text = page(tournament).content.decode()

    assert "Zwischenstand nach Serie 1" in text
    assert "Die letzte Serie zählt hier erst nach der Siegerehrung mit." in text
    assert page(tournament, "serie-2").context["rows"] == []


def test_an_unknown_public_ranking_is_not_found(tournament: Tournament):
    assert page(tournament, "tandem").status_code == 404
    assert page(tournament, "unsinn").status_code == 404


def statistics(tournament):
    return Client().get(reverse("results_public:statistics", args=[tournament.slug]))


def test_statistics_are_public_with_the_ranking_and_names_by_consent(tournament: Tournament):
    text = statistics(tournament).content.decode()

    assert "Beste Listen" in text
    assert "Anna Kühn1" in text
    assert "Kühn2" not in text
    assert "A. K. (Nr. 2)" in text
    assert "/rangliste/nr/" not in text


def test_statistics_omit_a_hidden_serie():
    tournament = played(public_ranking=Mode.HIDDEN_LAST)
    write_games(list_of(tournament.serien.get(number=2)), FOUR[5:], status=Status.VERIFIED)

    held_back = statistics(tournament)
    publication.release_results(COMMAND, tournament.pk)

    assert {row.serie for row in held_back.context["statistics"].best_lists} == {1}
    assert held_back.context["columns"] == ["Serie 1"]
    assert {row.serie for row in statistics(tournament).context["statistics"].best_lists} == {1, 2}


@pytest.mark.parametrize("mode", [Mode.FINAL, Mode.NEVER])
def test_statistics_need_a_public_ranking(mode):
    answer = statistics(played(public_ranking=mode))

    assert answer.context["statistics"].is_empty
    assert answer.context["visible"].note in answer.content.decode()


def test_a_hidden_seating_contains_no_names():
    tournament = played(public_seating=False)

    text = Client().get(reverse("seating:serie", args=[tournament.slug, 1])).content.decode()

    assert "Der Sitzplan ist nicht öffentlich" in text
    assert "Kühn" not in text


# --- The screen -------------------------------------------------------------------------


def screen(tournament, **data):
    return Client().get(reverse("screen:screen", args=[tournament.slug]), data)


def set_screen(tournament, shows, **fields):
    screens.show(COMMAND, tournament.pk, shows=shows, seconds=8, **fields)


@pytest.mark.parametrize(
    ("shows", "expected"),
    [
        (Screen.Shows.WELCOME, "3. Oktober 2026"),
        (Screen.Shows.TABLES, "Serie 2: Plätze"),
        (Screen.Shows.NAMES, "Wer sitzt wo?"),
        (Screen.Shows.RANKING, "Zwischenstand nach Serie 1"),
        (Screen.Shows.COUNTDOWN, "beginnt in Kürze"),
        (Screen.Shows.MESSAGE, "Suppe ist fertig"),
    ],
)
def test_the_screen_follows_the_setting_of_control(shows, expected, tournament: Tournament):
    set_screen(tournament, shows, message="Suppe ist fertig")

    assert expected in screen(tournament).content.decode()


def test_the_screen_always_shows_calls(tournament: Tournament):
    table = tournament.serien.get(number=2).tables.get(number=1)
    table.calls.create(kind="dispute")

    assert "Schiedsrichter bitte zu Tisch 1" in screen(tournament).content.decode()


def test_the_screen_hides_hidden_results(settings):
    settings.IS_IN_THE_HALL = False
    tournament = played(public_ranking=Mode.FINAL, public_seating=False)
    set_screen(tournament, Screen.Shows.RANKING)
    ranking = screen(tournament).content.decode()
    set_screen(tournament, Screen.Shows.TABLES)
    seating = screen(tournament).content.decode()

    assert "nach der Siegerehrung" in ranking
    assert "Kühn" not in ranking
    assert "Kühn" not in seating
