"""Acts based on a corrected result are named before storing, and kept."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.factories import make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.tournaments.corrections.signed_list import (
    SLIP,
    Kind,
    Status,
    correct_line,
    played,
    somebody,
    tournament_of,
)
from tests.worlds import world
from tournaments.common.errors import Conflict
from tournaments.corrections.services import corrections
from tournaments.models import CashEntry, Draw, Playoff, PrizePayout, Receipt, Spielliste

pytestmark = [pytest.mark.django_db, pytest.mark.once]

spielliste = world(played)


def seat_serie_two(spielliste: Spielliste, method: str) -> None:
    serie = tournament_of(spielliste).serien.get(number=2)
    rows = [list(spielliste.table.seats.order_by("number"))]
    make_seated_serie(
        tournament_of(spielliste), [[seat.registration for seat in rows[0]]], number=2
    )
    Draw.objects.create(
        serie=serie, number=1, method=method, status="published", published_at=timezone.now()
    )


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        pytest.param("ranking", "nach der Rangliste mit dem alten Ergebnis gesetzt", id="set"),
        pytest.param("electronic", "hängen nicht am Ergebnis", id="drawn"),
    ],
)
def test_a_later_draw_is_named_before_storing_and_kept(
    method: str, sentence: str, spielliste: Spielliste
):
    seat_serie_two(spielliste, method)

    correction = correct_line(spielliste)

    (said,) = correction.effects["rests"]
    assert sentence in said
    assert "Serie 2" in said


def test_seats_published_meanwhile_by_the_old_ranking_are_shown(spielliste: Spielliste):
    facts = {"game": 1, "line": SLIP}
    seen = corrections.preview(
        tournament=tournament_of(spielliste),
        kind=Kind.LINE,
        facts=facts,
        spielliste_id=spielliste.pk,
    )
    seat_serie_two(spielliste, "ranking")

    with pytest.raises(Conflict, match="noch einmal ansehen"):
        corrections.correct_list(
            somebody(spielliste),
            spielliste.pk,
            kind=Kind.LINE,
            facts=facts,
            reason="Zahlendreher",
            shown=seen.shown,
        )


def test_a_draft_based_on_the_old_ranking_is_named(spielliste: Spielliste):
    serie = tournament_of(spielliste).serien.get(number=2)
    Draw.objects.create(serie=serie, number=1, method="ranking", status="draft")

    (said,) = correct_line(spielliste).effects["rests"]

    assert "verwerfen und neu setzen" in said


def test_a_replacement_draft_is_named_beside_published_seats(spielliste: Spielliste):
    seat_serie_two(spielliste, "ranking")
    serie = tournament_of(spielliste).serien.get(number=2)
    Draw.objects.create(serie=serie, number=2, method="ranking", status="draft")

    of_seats, of_draft = correct_line(spielliste).effects["rests"]

    # The sentence is also read later, when the Serie may have been redrawn.
    assert of_seats.endswith(
        "gesetzt und bekannt gegeben; von selbst ändern sich ihre Plätze nicht."
    )
    assert of_draft.startswith("Der Entwurf für Serie 2 ist nach der Rangliste mit dem alten")


def test_a_paid_prize_and_a_playoff_on_the_old_result_are_named(spielliste: Spielliste):
    tournament = tournament_of(spielliste)
    third = spielliste.table.seats.get(number=3).registration
    receipt = Receipt.objects.create(tournament=tournament, number=1, method="bank")
    CashEntry.objects.create(
        receipt=receipt, kind=CashEntry.Kind.PRIZE, amount_cents=-3000, registration=third
    )
    Playoff.objects.create(tournament=tournament, order=[3, 4])
    PrizePayout.objects.create(
        tournament=tournament,
        pot="single",
        ranking="overall",
        registration=third,
        label="3. Platz",
        goods="Präsentkorb",
        handed_over_at=spielliste.handed_in_at,
    )

    said = correct_line(spielliste).effects["rests"]

    assert said == [
        "An Nr. 3 ist schon ein Preis nach dem alten Ergebnis ausgezahlt.",
        "Nr. 3 hat nach dem alten Ergebnis schon „Präsentkorb“ bekommen.",
        "Das Entscheidungsspiel zwischen Nr. 3, Nr. 4 war nach dem alten Ergebnis nötig.",
    ]


def test_other_players_with_changed_ranks_are_counted():
    tournament = make_tournament()
    serie = make_seated_serie(tournament, tables=2)
    spielliste = write_games(list_of(serie, 1), status=Status.HANDED_IN)
    write_games(list_of(serie, 2), status=Status.HANDED_IN)
    line = {"finisher": 1, "handromme": False, "minus": [0, 33, 45, 12]}

    effects = correct_line(spielliste, line=line).effects

    # 201 at both tables; ten more at table 1 leave Nr. 6 alone in front, and Nr. 2 at 211
    # falls behind the two with 210.
    moved = {effect["number"]: effect["rank"] for effect in effects["others"]}
    assert moved == {5: [3, 2]}
    assert [person_sum["rank"] for person_sum in effects["persons"]][:2] == [[3, 2], [1, 4]]
