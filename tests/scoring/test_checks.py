"""What may stand in a Spielliste: refusals and doubts with their places."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.checks import check_line, check_list
from scoring.rulesets import ruleset
from scoring.spielliste import Adjustment, Penalty
from scoring.unclear import Line
from tests.scoring.clear import Game

ROMMEORDNUNG = ruleset("rommeordnung")
CONTRACT = ruleset("contract")
LIVERPOOL = ruleset("liverpool")
HAUSREGEL = ruleset("hausregel")
MAY_HOLD = replace(HAUSREGEL, finisher_may_hold=7)
# No source has both; an organiser's own rules may.
BOTH = replace(HAUSREGEL, name="Eigene Regel", ends_without_finisher=True)


def line(finisher, *minus, handromme=False, adjustments=()):
    """Write a line as the interchange format has it: a list is an entry with readings."""

    def readings(entry):
        return tuple(entry) if isinstance(entry, list) else (entry,)

    return Line(
        finisher=readings(finisher),
        minus=tuple(readings(entry) for entry in minus),
        handromme=readings(handromme),
        adjustments=adjustments,
    )


def look(written, rule_set=ROMMEORDNUNG, *, seats=None, number=3, earlier=()):
    return check_line(
        written,
        rule_set=rule_set,
        seats=seats or len(written.minus),
        number=number,
        earlier=earlier,
    )


def places(findings):
    return [problem.where for problem in findings.problems]


GOOD = line(1, 0, 23, 45, 12)


# --- Who finished, and how --------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "rule_set", "expected"),
    [
        pytest.param(
            line(5, 10, 23, 45, 12),
            ROMMEORDNUNG,
            ["games[2].finisher"],
            id="no such seat",
        ),
        pytest.param(line(0, 10, 23, 45), ROMMEORDNUNG, ["games[2].finisher"], id="seat 0"),
        pytest.param(line(-1, 10, 23, 45), ROMMEORDNUNG, ["games[2].finisher"], id="below 0"),
        pytest.param(
            line([1, 5], 10, 23, 45, 12),
            ROMMEORDNUNG,
            ["games[2].finisher[1]"],
            id="one reading is no seat",
        ),
        pytest.param(
            line([5, 6, 5], 10, 23, 45, 12),
            ROMMEORDNUNG,
            ["games[2].finisher[0]", "games[2].finisher[1]"],
            id="each reading once",
        ),
        pytest.param(
            line(None, 10, 23, 45), ROMMEORDNUNG, ["games[2].finisher"], id="§ 8.1 nobody finished"
        ),
        pytest.param(
            line([None, 1], 10, 23, 45),
            ROMMEORDNUNG,
            ["games[2].finisher[0]"],
            id="§ 8.1 perhaps nobody",
        ),
        pytest.param(
            line(None, 70, 80, 90, handromme=True),
            ROMMEORDNUNG,
            ["games[2].finisher"],
            id="§ 6.2 a Handrommé of nobody is said once",
        ),
        pytest.param(
            line(1, 0, 80, 90, handromme=True), CONTRACT, ["games[2].handromme"], id="no Handrommé"
        ),
        pytest.param(
            line(1, 0, 80, 90, handromme=[False, True]),
            CONTRACT,
            ["games[2].handromme[1]"],
            id="perhaps no Handrommé",
        ),
        pytest.param(
            line(None, 70, 80, 90, handromme=True),
            CONTRACT,
            ["games[2].handromme"],
            id="no Handrommé of nobody either",
        ),
        pytest.param(
            line(None, 70, 80, 90, handromme=True),
            BOTH,
            ["games[2].finisher"],
            id="a Handrommé has a finisher",
        ),
        pytest.param(
            line([2, None], 70, 80, 90, handromme=True),
            BOTH,
            ["games[2].finisher[1]"],
            id="a sure Handrommé has a finisher in every reading",
        ),
        pytest.param(
            line(None, 70, 80, 90, handromme=[False, True]),
            BOTH,
            ["games[2].handromme[1]"],
            id="a possible Handrommé has a possible finisher",
        ),
    ],
)
def test_who_finished_and_how_must_be_possible(written, rule_set, expected):
    assert places(look(written, rule_set)) == expected


@pytest.mark.parametrize(
    ("written", "rule_set"),
    [
        pytest.param(GOOD, ROMMEORDNUNG, id="clear"),
        pytest.param(line(None, 10, 23, 45), CONTRACT, id="nobody finished"),
        pytest.param(line([None, 2], 10, 23, 45), CONTRACT, id="perhaps nobody"),
        pytest.param(line([None, 2], 10, 23, 45, handromme=[True, False]), BOTH, id="all of it"),
        pytest.param(line(3, 61, 88, 0, 72, handromme=True), ROMMEORDNUNG, id="Handrommé"),
        pytest.param(line([3, 2], 61, 88, 70, 72, handromme=True), ROMMEORDNUNG, id="of whom?"),
    ],
)
def test_what_the_rules_allow_is_accepted(written, rule_set):
    assert places(look(written, rule_set)) == []


@pytest.mark.parametrize(
    ("written", "rule_set", "expected"),
    [
        (
            line(-1, 10, 23, 45),
            ROMMEORDNUNG,
            "Spiel 3: Platz −1 gibt es nicht: An diesem Tisch sind die Plätze 1 bis 3.",
        ),
        (
            line(None, 10, 23, 45),
            ROMMEORDNUNG,
            "Spiel 3: Es fehlt, wer das Spiel beendet hat; das gibt es nach „Romméordnung“ immer.",
        ),
        (
            line(1, 0, 80, 90, handromme=True),
            CONTRACT,
            "Spiel 3: „Contract Rommé“ kennt kein Handrommé.",
        ),
        (
            line(None, 70, 80, 90, handromme=True),
            BOTH,
            "Spiel 3: Ein Handrommé hat immer jemand gespielt; es fehlt, wer.",
        ),
        (
            line(None, 70, 80, 90, handromme=[True, False]),
            BOTH,
            "Spiel 3: Ein Handrommé hat immer jemand gespielt; es fehlt, wer.",
        ),
    ],
)
def test_the_sentence_says_what_is_wrong(written, rule_set, expected):
    assert [problem.message for problem in look(written, rule_set).problems] == [expected]


# --- Hands ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "rule_set", "expected"),
    [
        pytest.param(
            line(1, 0, 1, 45, 12), ROMMEORDNUNG, ["games[2].minus[1]"], id="§ 4.2 a loser with 1"
        ),
        pytest.param(
            line(1, 0, 23, 0, 12), ROMMEORDNUNG, ["games[2].minus[2]"], id="a loser with 0"
        ),
        pytest.param(
            line(1, 0, 23, 198, 12), ROMMEORDNUNG, ["games[2].minus[2]"], id="198 in 13 cards"
        ),
        pytest.param(line(1, 0, -5, 45), ROMMEORDNUNG, ["games[2].minus[1]"], id="below 0"),
        pytest.param(
            line(1, 5, 23, 45), ROMMEORDNUNG, ["games[2].minus[0]"], id="§ 8.1 the finisher has 0"
        ),
        pytest.param(
            line(1, [0, 5], 23, 45),
            ROMMEORDNUNG,
            ["games[2].minus[0][1]"],
            id="§ 8.1 the finisher has 0 in every reading",
        ),
        pytest.param(
            line(1, 0, [1, 21, 1, 198], 45),
            ROMMEORDNUNG,
            ["games[2].minus[1][0]", "games[2].minus[1][3]"],
            id="each impossible reading once",
        ),
        pytest.param(
            line(1, 0, 30, 45, handromme=True),
            ROMMEORDNUNG,
            ["games[2].minus[1]"],
            id="§ 6.2 13 cards count at least 31",
        ),
        pytest.param(
            line(1, 0, [90, 30], 95, handromme=True),
            ROMMEORDNUNG,
            ["games[2].minus[1][1]"],
            id="§ 6.2 in every reading",
        ),
        pytest.param(
            line([1, 2], 30, 30, 90, handromme=True),
            ROMMEORDNUNG,
            ["games[2].minus[0]", "games[2].minus[1]"],
            id="§ 6.2 whoever finished",
        ),
        pytest.param(line(1, 0, 52, 45), ruleset("progressiv"), ["games[2].minus[1]"], id="fives"),
        pytest.param(line(1, 8, 23, 45), MAY_HOLD, ["games[2].minus[0]"], id="more than allowed"),
        pytest.param(line(1, 1, 23, 45), MAY_HOLD, ["games[2].minus[0]"], id="no card counts 1"),
        pytest.param(
            line(1, 5, 23, 45, handromme=True), MAY_HOLD, ["games[2].minus[0]"], id="Handrommé: 0"
        ),
        pytest.param(
            line(1, [0, 5], 23, 45, handromme=True),
            MAY_HOLD,
            ["games[2].minus[0][1]"],
            id="Handrommé: 0 in every reading",
        ),
        pytest.param(
            line([1, 2], 1, 23, 45), ROMMEORDNUNG, ["games[2].minus[0]"], id="as loser or finisher"
        ),
        pytest.param(
            line([1, None], 0, 23, 0),
            CONTRACT,
            ["games[2].minus[2]"],
            id="0 only for who may have finished",
        ),
        pytest.param(line(1, 0, 23, 45), replace(ROMMEORDNUNG, table_sizes=(4,)), [], id="size"),
    ],
)
def test_every_reading_of_a_hand_must_be_possible_by_itself(written, rule_set, expected):
    assert places(look(written, rule_set)) == expected


@pytest.mark.parametrize(
    ("written", "rule_set"),
    [
        pytest.param(line(1, 0, 2, 197), ROMMEORDNUNG, id="the least and the most"),
        pytest.param(line([1, 2], [0, 17], 23, 45), ROMMEORDNUNG, id="0 if it finished"),
        pytest.param(line([1, 2], 0, 23, 45), ROMMEORDNUNG, id="only 0 given"),
        pytest.param(line([1, 2], 0, 0, 45), ROMMEORDNUNG, id="only 0 given for both"),
        pytest.param(line(1, 7, 23, 45), MAY_HOLD, id="what a finisher may keep"),
        pytest.param(line(1, [7, 0], 23, 45, handromme=[True, False]), MAY_HOLD, id="perhaps"),
        pytest.param(
            line(1, 0, 17, 75, handromme=[True, False]), ROMMEORDNUNG, id="small if not Handrommé"
        ),
    ],
)
def test_what_can_have_happened_is_accepted(written, rule_set):
    assert places(look(written, rule_set)) == []


def test_a_problem_of_a_hand_names_game_and_seat():
    assert (
        look(line(1, 0, 1, 45), number=12)
        .problems[0]
        .message.startswith("Spiel 12: Platz 2: 1 kann nicht sein:")
    )


def test_hands_must_fit_into_one_pack():
    # § 4.1: two hands are together at most 328, three at least 154 after a Handrommé.
    too_much = look(line(1, 0, 197, 132))
    too_little = look(line(1, 0, 40, 41, 42, handromme=True))

    assert places(too_much) == ["games[2].minus"]
    assert too_much.problems[0].message.startswith("Spiel 3: 197 + 132 kann nicht sein")
    assert places(too_little) == ["games[2].minus"]
    assert places(look(line(1, 0, 197, 131))) == []


def test_hands_must_fit_together_whoever_finished():
    # If seat 1 finished, 197 + 197 is too much; if seat 2 did, seat 1 held something.
    assert places(look(line([1, 2], 0, 23, 197, 197))) == ["games[2].minus"]


def test_a_hand_that_is_impossible_by_itself_is_not_named_again_with_the_others():
    assert places(look(line(1, 0, 198, 197))) == ["games[2].minus[1]"]


def test_a_wrong_finisher_is_not_held_against_the_hands():
    # Seat 5 was meant to be seat 1: its 0 is right, and so would be points that it kept.
    assert places(look(line(5, 0, 23, 45, 12))) == ["games[2].finisher"]
    assert places(look(line(5, 0, 1, 45, 12))) == ["games[2].finisher", "games[2].minus[1]"]


@pytest.mark.parametrize(
    ("written", "seats", "expected"),
    [
        (line(1, 0, 23, 45), 4, "Spiel 3: Am Tisch sind 4 Plätze, eingetragen sind 3."),
        (line(1, 0, 23, 45, 12), 3, "Spiel 3: Am Tisch sind 3 Plätze, eingetragen sind 4."),
        (line(1), 3, "Spiel 3: Am Tisch sind 3 Plätze, eingetragen sind 0."),
    ],
)
def test_each_seat_has_an_entry(written, seats, expected):
    findings = look(written, seats=seats)

    assert [(problem.where, problem.message) for problem in findings.problems] == [
        ("games[2].minus", expected)
    ]


def test_entries_beyond_the_table_are_not_judged_as_hands():
    assert places(look(line(1, 0, 1, 45, 0), seats=3)) == ["games[2].minus", "games[2].minus[1]"]


# --- Adjustments ------------------------------------------------------------------------


def cut(seat=2, points=-50, reason="genau abgehoben"):
    return Adjustment(seat=seat, points=points, reason=reason)


@pytest.mark.parametrize(
    ("adjustment", "expected"),
    [
        pytest.param(cut(seat=5), ["games[2].adjustments[0].seat"], id="no such seat"),
        pytest.param(cut(points=0), ["games[2].adjustments[0].points"], id="0 points"),
        pytest.param(cut(reason=" "), ["games[2].adjustments[0].reason"], id="no reason"),
        pytest.param(
            cut(seat=0, points=0, reason=""),
            [f"games[2].adjustments[0].{key}" for key in ("seat", "reason", "points")],
            id="all wrong",
        ),
    ],
)
def test_an_adjustment_needs_a_seat_points_and_a_reason(adjustment, expected):
    findings = look(line(1, 0, 23, 45, 12, adjustments=(adjustment,)), LIVERPOOL)

    assert places(findings) == expected
    assert findings.warnings == []


def test_the_exact_cut_of_liverpool_is_granted_to_the_right_of_the_dealer():
    # Place 3 deals game 3; to its right sits place 2.
    findings = look(line(1, 0, 23, 45, 12, adjustments=(cut(),)), LIVERPOOL)

    assert (findings.problems, findings.warnings) == ([], [])


@pytest.mark.parametrize(
    ("adjustments", "rule_set", "where", "message"),
    [
        pytest.param(
            (cut(seat=3),),
            LIVERPOOL,
            "games[2].adjustments[0]",
            "Spiel 3: „Liverpool Rommé“ gibt in diesem Spiel nur "
            "Platz 2 −50 (genau abgehoben). Bitte prüfen.",
            id="another seat",
        ),
        pytest.param(
            (cut(points=-40),),
            LIVERPOOL,
            "games[2].adjustments[0]",
            "Spiel 3: „Liverpool Rommé“ gibt in diesem Spiel nur "
            "Platz 2 −50 (genau abgehoben). Bitte prüfen.",
            id="other points",
        ),
        pytest.param(
            (cut(), cut()),
            LIVERPOOL,
            "games[2].adjustments[1]",
            "Spiel 3: Dieselben Punkte stehen schon einmal da.",
            id="twice",
        ),
        pytest.param(
            (cut(),),
            ROMMEORDNUNG,
            "games[2].adjustments[0]",
            "Spiel 3: „Romméordnung“ nennt keine Punkte, die neben der Hand zählen. Bitte prüfen.",
            id="no such grant",
        ),
    ],
)
def test_an_adjustment_that_the_rules_do_not_grant_is_doubted(
    adjustments, rule_set, where, message
):
    findings = look(line(1, 0, 23, 45, 12, adjustments=adjustments), rule_set)

    assert findings.problems == []
    assert [(doubt.where, doubt.message) for doubt in findings.warnings] == [(where, message)]


def test_adjustments_of_different_points_are_not_the_same():
    both = (cut(points=-50), cut(points=-40))

    findings = look(line(1, 0, 23, 45, 12, adjustments=both), LIVERPOOL)

    assert [doubt.where for doubt in findings.warnings] == ["games[2].adjustments[1]"]
    assert "nur Platz 2" in findings.warnings[0].message


# --- Doubts -----------------------------------------------------------------------------


def doubts(findings):
    assert findings.problems == []
    return [(doubt.where, doubt.message) for doubt in findings.warnings]


def test_an_unclear_line_is_named_with_its_readings():
    [(where, message)] = doubts(look(line([2, 4], 12, 30, [9, 19], 22)))

    assert where == "games[2]"
    assert message == (
        "Spiel 3: Nicht eindeutig: wer beendet hat (Platz 2 oder Platz 4), "
        "Punkte von Platz 3 (9 oder 19). Für alle am Tisch zählt, "
        "was für sie am ungünstigsten ist (§ 2.2.6)."
    )


def test_missing_points_of_a_seat_that_may_have_finished_are_asked_for():
    found = doubts(look(line([1, 2], 0, [0, 0], 45, 12)))

    assert [where for where, __ in found] == ["games[2]", "games[2].minus[0]", "games[2].minus[1]"]
    assert found[1][1] == (
        "Spiel 3: Platz 1 hat das Spiel vielleicht nicht beendet, es fehlt aber, "
        "was dann in der Hand war. Bis dahin zählt 0."
    )
    assert "Platz 2" in found[2][1]


def test_no_points_are_missing_where_some_are_given():
    found = doubts(look(line([1, 2], [0, 17], 23, 45)))

    assert [where for where, __ in found] == ["games[2]"]


def test_an_improbable_hand_is_doubted_with_game_and_seat():
    found = doubts(look(line(3, 190, 23, 0, 12))) + doubts(look(line(1, 0, 23, 12, 190)))

    assert [where for where, __ in found] == ["games[2].minus[0]", "games[2].minus[3]"]
    assert found[0][1].startswith("Spiel 3: Platz 1: 190 ist ungewöhnlich viel")
    assert found[1][1].startswith("Spiel 3: Platz 4: 190 ist ungewöhnlich viel")


def test_the_same_line_twice_is_doubted_as_a_whole():
    [(where, message)] = doubts(look(GOOD, earlier=[GOOD]))

    assert where == "games[2]"
    assert message.startswith("Spiel 3: Diese Zeile")


def test_a_second_handromme_of_one_seat_is_doubted_where_it_stands():
    first = line(1, 0, 90, 95, 99, handromme=True)
    second = line(1, 0, 91, 95, 98, handromme=True)

    assert [where for where, __ in doubts(look(second, earlier=[first, GOOD]))] == [
        "games[2].handromme"
    ]


def test_a_line_that_is_refused_is_not_doubted_as_well():
    findings = look(line(1, 0, 1, 190, 12), earlier=[GOOD])

    assert places(findings) == ["games[2].minus[1]"]
    assert findings.warnings == []


# --- Whole lists ------------------------------------------------------------------------


def look_at_list(lines, rule_set=ROMMEORDNUNG, *, seats=4, penalties=(), where=""):
    return check_list(lines, rule_set=rule_set, seats=seats, penalties=penalties, where=where)


def test_a_list_may_have_fewer_games_than_the_rule_set():
    findings = look_at_list([GOOD])

    assert (findings.problems, findings.warnings) == ([], [])


@pytest.mark.parametrize(
    ("rule_set", "games", "expected"),
    [
        pytest.param(
            ruleset("preisromme-1987"),
            12,
            [
                (
                    "games[8]",
                    "Die Liste hat 12 Spiele, nach „Preisrommé 1987“ sind es höchstens 8.",
                )
            ],
            id="12 games of Preisrommé",
        ),
        pytest.param(ruleset("preisromme-1987"), 8, [], id="8 games of Preisrommé"),
        pytest.param(
            ROMMEORDNUNG,
            13,
            [
                (
                    "games[12]",
                    "Die Liste hat 13 Spiele, nach „Romméordnung“ sind es höchstens 12.",
                )
            ],
            id="§ 2.2.1",
        ),
        pytest.param(
            CONTRACT,
            8,
            [("games[7]", "Die Liste hat 8 Spiele, nach „Contract Rommé“ sind es höchstens 7.")],
            id="no contract for an eighth game",
        ),
    ],
)
def test_more_games_than_the_rule_set_has_are_refused(rule_set, games, expected):
    lines = [line(1, 0, 20 + number, 45, 12) for number in range(games)]

    problems = look_at_list(lines, rule_set).problems

    assert [(problem.where, problem.message) for problem in problems] == expected


@pytest.mark.parametrize(
    ("rule_set", "seats", "message"),
    [
        (ROMMEORDNUNG, 5, "Nach „Romméordnung“ sitzen 3 oder 4 Personen an einem Tisch, nicht 5."),
        (HAUSREGEL, 2, "Nach „Hausregel“ sitzen 3, 4, 5 oder 6 Personen an einem Tisch, nicht 2."),
        (
            replace(ROMMEORDNUNG, table_sizes=(4,)),
            3,
            "Nach „Romméordnung“ sitzen 4 Personen an einem Tisch, nicht 3.",
        ),
    ],
)
def test_the_rule_set_must_allow_the_number_of_people(rule_set, seats, message):
    problems = look_at_list([], rule_set, seats=seats).problems

    assert [(problem.where, problem.message) for problem in problems] == [("players", message)]


def test_with_a_wrong_number_of_people_the_hands_are_still_judged():
    # May I? has two packs for four people, three for five and six: 7 Joker are too many
    # for the packs of the largest table that it allows.
    too_many = ruleset("may-i")
    problems = look_at_list([line(1, 0, 23, 45, 12, 30, 1)], too_many, seats=6).problems

    assert [problem.where for problem in problems] == ["players", "games[0].minus[5]"]


@pytest.mark.parametrize(("seats", "expected"), [(6, 5), (5, 5), (3, 3), (2, 3)])
def test_hands_are_judged_by_the_nearest_table(seats, expected, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "scoring.checks.hand_objection", lambda _points, hands: asked.append(hands.players)
    )

    look_at_list([line(1, *[23] * seats)], CONTRACT, seats=seats)

    assert set(asked) == {expected}


@pytest.mark.parametrize(
    ("penalty", "expected"),
    [
        pytest.param(Penalty(seat=5, points=100, reason="x"), ["penalties[0].seat"], id="seat"),
        pytest.param(Penalty(seat=0, points=100, reason="x"), ["penalties[0].seat"], id="seat 0"),
        pytest.param(Penalty(seat=1, points=0, reason="x"), ["penalties[0].points"], id="0"),
        pytest.param(Penalty(seat=1, points=100, reason=" "), ["penalties[0].reason"], id="blank"),
        pytest.param(
            Penalty(seat=9, points=-100, reason=""),
            ["penalties[0].seat", "penalties[0].reason", "penalties[0].points"],
            id="all wrong",
        ),
    ],
)
def test_strafpunkte_need_a_seat_points_and_a_reason(penalty, expected):
    findings = look_at_list([], penalties=[penalty])

    assert places(findings) == expected
    assert findings.warnings == []


def test_the_sentence_says_what_strafpunkte_and_adjustments_lack():
    adjustments = (cut(points=0, reason=""),)

    problems = look_at_list(
        [line(1, 0, 23, 45, 12, adjustments=adjustments)],
        penalties=[Penalty(seat=1, points=100, reason="")],
    ).problems

    assert [problem.message for problem in problems] == [
        "Spiel 1: Es fehlt die Begründung.",
        "Spiel 1: 0 Punkte ändern nichts.",
        "Es fehlt die Begründung.",
    ]


def test_strafpunkte_are_never_a_gift():
    [problem] = look_at_list([], penalties=[Penalty(seat=1, points=-100, reason="x")]).problems

    assert problem.message == "Strafpunkte müssen mehr als 0 sein, nicht −100."


@pytest.mark.parametrize(
    ("points", "rule_set", "expected"),
    [
        pytest.param(100, ROMMEORDNUNG, [], id="§ 8.3 had laid out"),
        pytest.param(150, ROMMEORDNUNG, [], id="§ 8.3 had not"),
        pytest.param(
            50,
            ROMMEORDNUNG,
            ["Ungewöhnlich: „Romméordnung“ nennt 100 oder 150 Strafpunkte, nicht 50."],
            id="§ 8.3 others",
        ),
        pytest.param(1, CONTRACT, [], id="rules that name none"),
    ],
)
def test_strafpunkte_that_the_rules_do_not_name_are_doubted(points, rule_set, expected):
    findings = look_at_list(
        [], rule_set, penalties=[Penalty(seat=1, points=points, reason="§ 8.3")]
    )

    assert [message for __, message in doubts(findings)] == expected
    assert {where for where, __ in doubts(findings)} <= {"penalties[0].points"}


def test_a_list_is_doubted_for_what_its_lines_repeat():
    assert [where for where, __ in doubts(look_at_list([GOOD, GOOD]))] == ["games[1]"]


def test_everything_is_found_in_order_and_below_the_place_of_the_list():
    findings = look_at_list(
        [GOOD, line(1, 0, 1, 45, 12), line(7, 20, 23, 198, 12)],
        seats=5,
        penalties=[
            Penalty(seat=1, points=100, reason="x"),
            Penalty(seat=6, points=100, reason="x"),
        ],
        where="series[0].tables[1].list",
    )

    assert places(findings) == [
        f"series[0].tables[1].list.{place}"
        for place in (
            "players",
            "games[0].minus",
            "games[1].minus",
            "games[1].minus[1]",
            "games[2].finisher",
            "games[2].minus",
            "games[2].minus[2]",
            "penalties[1].seat",
        )
    ]


def test_a_clear_game_is_checked_as_the_line_it_is():
    game = Game(finisher=1, minus=(0, 1, 45), adjustments=(cut(seat=9),))

    assert places(look(game.line)) == ["games[2].minus[1]", "games[2].adjustments[0].seat"]
