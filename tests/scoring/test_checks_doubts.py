"""Doubts about a Spielliste: unclear, improbable or repeated entries."""

from __future__ import annotations

from tests.scoring.checked_lists import doubts, line, look


def test_an_unclear_line_is_named_with_its_readings():
    [(where, message)] = doubts(look(line([2, 4], 12, 30, [9, 19], 22)))

    assert where == "games[2]"
    assert message == (
        "Spiel 3: Nicht eindeutig: wer beendet hat (Platz 2 oder Platz 4), "
        "Punkte von Platz 3 (9 oder 19). Für alle am Tisch zählt, "
        "was für sie am ungünstigsten ist (§ 2.2.6)."
    )


def test_missing_points_of_a_seat_that_may_have_finished_are_asked_for():
    sentences = doubts(look(line([1, 2], 0, [0, 0], 45, 12)))

    assert [where for where, __ in sentences] == [
        "games[2]",
        "games[2].minus[0]",
        "games[2].minus[1]",
    ]
    assert sentences[1][1] == (
        "Spiel 3: Platz 1 hat das Spiel vielleicht nicht beendet, es fehlt aber, "
        "was dann in der Hand war. Bis dahin zählt 0."
    )
    assert "Platz 2" in sentences[2][1]


def test_an_improbable_hand_is_doubted_with_game_and_seat():
    sentences = doubts(look(line(3, 190, 23, 0, 12))) + doubts(look(line(1, 0, 23, 12, 190)))

    assert [where for where, __ in sentences] == ["games[2].minus[0]", "games[2].minus[3]"]
    assert sentences[0][1].startswith("Spiel 3: Platz 1: 190 ist ungewöhnlich viel")
    assert sentences[1][1].startswith("Spiel 3: Platz 4: 190 ist ungewöhnlich viel")
