"""Corrections of signed lists: what they change, what they keep, and what they refuse."""

from __future__ import annotations

from itertools import product

import pytest
from django.utils import timezone

from scoring.reading.interchange import line_from_json
from scoring.rulesets import ruleset
from scoring.unclear import explain
from tests.factories import make_member, make_players, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.worlds import world
from tournaments.checking.corrections.services import corrections, four_eyes
from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, NotAllowed, Refused, TournamentError, WrongStatus
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries import data as list_data
from tournaments.models import (
    CashEntry,
    Correction,
    Draw,
    Game,
    JournalEntry,
    ListVersion,
    Notice,
    Playoff,
    PrizePayout,
    Receipt,
    Role,
    Seat,
    Spielliste,
    Tournament,
)
from tournaments.results.queries.rankings import OVERALL, Rankings

pytestmark = pytest.mark.django_db
Status = Spielliste.Status
Kind = Correction.Kind
SIGNED_OR_LATER = (Status.SIGNED, Status.HANDED_IN, Status.VERIFIED)
# Game 1 of FOUR, with 54 instead of 45 in the hand at seat 3.
SLIP = {"finisher": 1, "handromme": False, "minus": [0, 23, 54, 12]}


def played(*, status: Status = Status.HANDED_IN, four_eyes: bool = False) -> Spielliste:
    tournament = make_tournament(four_eyes=four_eyes)
    return write_games(list_of(make_seated_serie(tournament)), status=status)


def tournament_of(spielliste: Spielliste) -> Tournament:
    return spielliste.table.serie.tournament


def somebody(spielliste: Spielliste) -> Actor:
    return Actor.account(make_member(tournament_of(spielliste), Role.SPIELLEITUNG))


def correct_line(spielliste: Spielliste, *, actor: Actor | None = None, **more) -> Correction:
    values = {
        "spielliste_id": spielliste.pk,
        "game": 1,
        "line": SLIP,
        "reason": "Zahlendreher",
        "version": spielliste.version,
        "actor": actor or somebody(spielliste),
        **more,
    }
    return corrections.correct_line(**values)


def total(spielliste: Spielliste, seat: int) -> int:
    tournament = tournament_of(spielliste)
    (data,) = list_data.load_lists(tournament, only=[spielliste.pk])
    return data.results(rule_set_of(tournament))[data.seats[seat]].total


spielliste = world(played)


@pytest.mark.parametrize("status", SIGNED_OR_LATER)
def test_a_line_is_corrected_in_every_state_from_the_signatures_on(status: Status):
    spielliste = played(status=status)

    correction = correct_line(spielliste)

    spielliste.refresh_from_db()
    assert spielliste.status == status
    assert total(spielliste, 3) == 279 + 9  # 279 was worked out in test_results
    assert correction.status == Correction.Status.CARRIED_OUT
    assert correction.number == 1
    assert correction.paragraph == "2.2.5"
    assert correction.version == spielliste.version == 13


def test_everybody_at_the_table_is_told_of_a_corrected_line(spielliste: Spielliste):
    correction = correct_line(spielliste)

    told = set(Notice.objects.filter(correction=correction).values_list("registration", flat=True))
    assert told == set(spielliste.table.seats.values_list("registration", flat=True))


def test_what_the_list_said_before_and_says_now_is_kept_and_journalled(spielliste: Spielliste):
    correct_line(spielliste)

    kept = {one.version: one.content for one in ListVersion.objects.all()}
    assert kept[12]["games"][0]["line"]["minus"] == [0, 23, 45, 12]
    assert kept[13]["games"][0]["line"]["minus"] == [0, 23, 54, 12]
    entry = JournalEntry.objects.get(action="correction_done")
    assert entry.subject_id == spielliste.pk
    assert entry.before["line"]["minus"] == [0, 23, 45, 12]
    assert entry.after["line"] == SLIP
    assert entry.reason == "Zahlendreher"


def test_the_effect_has_points_and_ranks_before_and_after(spielliste: Spielliste):
    # Totals 210, 201, 279, 301: with 100 points more at seat 2, seat 1 comes first.
    line = {"finisher": 1, "handromme": False, "minus": [0, 123, 45, 12]}

    found = corrections.preview(
        tournament=tournament_of(spielliste),
        kind=Kind.LINE,
        facts={"game": 1, "line": line},
        spielliste_id=spielliste.pk,
    ).effects

    first, second, third, fourth = found.persons
    assert second.points == (201, 301)
    assert second.serie_rank == second.rank == (1, 3)
    assert second.total == (201, 301)
    assert first.rank == (2, 1)
    assert third.rank == (3, 2)
    # 301 as well: two games finished decide against three (§ 1.5)
    assert fourth.rank == (4, 4)
    assert not fourth.changes
    assert found.rests == ()


def test_a_preview_changes_nothing(spielliste: Spielliste):
    corrections.preview(
        tournament=tournament_of(spielliste),
        kind=Kind.LINE,
        facts={"game": 1, "line": SLIP},
        spielliste_id=spielliste.pk,
    )

    assert Game.objects.get(number=1).line == FOUR[0]
    assert not JournalEntry.objects.exists()


@pytest.mark.parametrize(
    ("line", "paragraph"),
    [
        pytest.param(SLIP, "2.2.5", id="§ 2.2.5 an error"),
        pytest.param({**SLIP, "minus": [0, 23, [45, 54], 12]}, "2.2.6", id="§ 2.2.6 unclear"),
        pytest.param(
            {"finisher": 1, "handromme": True, "minus": [0, 61, 45, 66]},
            "3.2.2",
            id="§ 3.2.2 a Handrommé that was not marked",
        ),
    ],
)
def test_a_paragraph_is_suggested_by_what_is_corrected(
    line, paragraph: str, spielliste: Spielliste
):
    if paragraph == "3.2.2":
        Game.objects.filter(number=1).update(line={**line, "handromme": False})

    assert correct_line(spielliste, line=line).paragraph == paragraph


def test_the_paragraph_that_somebody_names_is_kept():
    assert correct_line(played(), paragraph="2.2.2").paragraph == "2.2.2"


@pytest.mark.parametrize(
    ("status", "message"),
    [
        pytest.param(Status.OPEN, "noch nicht unterschrieben", id="§ 2.2.3 open"),
        pytest.param(Status.COMPLETE, "noch nicht unterschrieben", id="§ 2.2.3 complete"),
        pytest.param(Status.INVALID, "wieder für gültig", id="invalid"),
    ],
)
def test_a_line_is_not_corrected_before_signing_or_while_invalid(status: Status, message: str):
    spielliste = played(status=status)

    with pytest.raises(WrongStatus, match=message):
        correct_line(spielliste)

    assert Game.objects.get(number=1).line == FOUR[0]


def test_a_line_of_a_closed_serie_is_not_corrected():
    spielliste = played(status=Status.VERIFIED)
    serie = spielliste.table.serie
    serie.closed_at = spielliste.verified_at
    serie.save()

    with pytest.raises(WrongStatus, match="wieder öffnen"):
        correct_line(spielliste)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        pytest.param({"reason": " "}, "braucht einen Grund", id="no reason"),
        pytest.param({"reason": "x" * 501}, "höchstens 500 Zeichen", id="endless reason"),
        pytest.param({"paragraph": "§" * 21}, "höchstens 20 Zeichen", id="endless paragraph"),
        pytest.param({"game": 13}, "Spiel 13 steht nicht", id="no such game"),
        pytest.param({"line": FOUR[0]}, "es ändert sich nichts", id="nothing changes"),
    ],
)
def test_a_correction_that_says_too_little_is_refused(more, message: str, spielliste: Spielliste):
    with pytest.raises(TournamentError, match=message):
        correct_line(spielliste, **more)

    spielliste.refresh_from_db()
    assert spielliste.version == 12
    assert not Correction.objects.exists()


def test_two_people_correcting_the_same_list_are_told_apart(spielliste: Spielliste):
    seen = spielliste.version
    correct_line(spielliste, version=seen)

    with pytest.raises(Conflict, match="inzwischen geändert"):
        correct_line(spielliste, version=seen)

    assert Correction.objects.count() == 1


def test_effects_other_than_those_shown_are_refused(spielliste: Spielliste):
    with pytest.raises(Conflict, match="noch einmal ansehen"):
        corrections.correct_list(
            spielliste_id=spielliste.pk,
            kind=Kind.LINE,
            facts={"game": 1, "line": SLIP},
            reason="Zahlendreher",
            version=spielliste.version,
            actor=somebody(spielliste),
            shown="something else",
        )


def test_impossible_hands_are_refused_unless_the_spielleitung_says_why(spielliste: Spielliste):
    line = {**SLIP, "minus": [0, 23, 1, 12]}

    with pytest.raises(Refused) as refusal:
        correct_line(spielliste, line=line)
    correct_line(spielliste, line=line, override_reason="so unterschrieben")

    assert [problem.where for problem in refusal.value.problems] == ["minus[2]"]
    game = Game.objects.get(number=1)
    assert game.overridden
    assert total(spielliste, 3) == 279 - 44


@pytest.mark.parametrize(
    "line",
    [
        pytest.param({**SLIP, "finisher": 5}, id="no such seat"),
        pytest.param({**SLIP, "minus": [0, 23, 45]}, id="a hand is missing"),
        pytest.param({**SLIP, "finisher": None}, id="nobody finished"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused_whatever_the_reason(line, spielliste: Spielliste):
    with pytest.raises(Refused):
        correct_line(spielliste, line=line, override_reason="trotzdem")


def test_a_corrected_line_that_is_possible_is_no_longer_marked_as_overridden(
    spielliste: Spielliste,
):
    Game.objects.filter(number=1).update(overridden=True)

    correct_line(spielliste)

    assert not Game.objects.get(number=1).overridden


# --- Unclear entries (§ 2.2.6) ---------------------------------------------------------------


def every_reading(line):
    """Yield every way to read a line, as lines in which each entry is clear."""
    entries = [line["finisher"], line["handromme"], *line["minus"]]
    for chosen in product(*(e if isinstance(e, list) else [e] for e in entries)):
        finisher, handromme, *minus = chosen
        yield {"finisher": finisher, "handromme": handromme, "minus": minus}


def test_the_least_favourable_reading_of_several_unclear_lines_is_that_of_an_exhaustive_search(
    spielliste: Spielliste,
):
    unclear = {
        1: {"finisher": 1, "handromme": False, "minus": [0, [17, 71], [45, 54], 12]},
        4: {"finisher": [2, 4], "handromme": False, "minus": [14, [52, 25], 33, [9, 19]]},
        6: {"finisher": 2, "handromme": [True, False], "minus": [62, 0, [71, 77], 58]},
    }
    for game, line in unclear.items():
        spielliste.refresh_from_db()
        correct_line(spielliste, game=game, line=line)

    # Whatever the readings of one line, those of another are free: per line the worst counts.
    for seat in range(1, 5):
        worst = 0
        for number, written in enumerate(FOUR, start=1):
            worst += max(
                points_of(seat, reading, unclear.get(number, written))
                for reading in every_reading(unclear.get(number, written))
            )
        assert total(spielliste, seat) == worst


def points_of(seat: int, reading, written) -> int:
    """Points of a seat for one clear reading, reckoned by hand (§§ 3.2.1, 3.2.2).

    Of a seat that may have finished, the numbers are for the case that it did not.
    """
    if reading["finisher"] != seat:
        return int(reading["minus"][seat - 1])
    return -20 - (50 if reading["handromme"] else 0)


def test_it_is_explained_how_an_unclear_line_was_counted(spielliste: Spielliste):
    correct_line(
        spielliste, line={"finisher": 1, "handromme": False, "minus": [0, [17, 71], 45, 12]}
    )

    line = line_from_json(Game.objects.get(number=1).line)
    assert explain(line, ruleset("rommeordnung"))[1].reasons == (
        "Gelesen werden kann 17 oder 71; es zählt 71 (§ 2.2.6).",
    )


# --- The list as a whole ---------------------------------------------------------------------


def test_the_size_that_counts_for_the_bonus_is_corrected_and_reset(spielliste: Spielliste):
    first = corrections.correct_list(
        spielliste_id=spielliste.pk,
        kind=Kind.BONUS_SIZE,
        facts={"bonus_size": 3},
        reason="Ab Spiel 2 zu dritt",
        version=12,
        actor=somebody(spielliste),
    )
    # Seat 1: 290 − 4 × 15
    assert total(spielliste, 1) == 230
    assert first.paragraph == "3.2.1"

    corrections.correct_list(
        spielliste_id=spielliste.pk,
        kind=Kind.BONUS_SIZE,
        facts={"bonus_size": 4},
        reason="Doch zu viert",
        version=13,
        actor=somebody(spielliste),
    )
    spielliste.refresh_from_db()
    assert spielliste.bonus_size is None


@pytest.mark.parametrize(
    ("size", "message"),
    [
        pytest.param(4, "zählt schon ein Tisch mit 4", id="as it is"),
        pytest.param(5, "Einen Bonus gibt es", id="§ 3.2.1 names no bonus"),
    ],
)
def test_a_size_for_the_bonus_that_makes_no_sense_is_refused(
    size: int, message: str, spielliste: Spielliste
):
    with pytest.raises(TournamentError, match=message):
        corrections.correct_list(
            spielliste_id=spielliste.pk,
            kind=Kind.BONUS_SIZE,
            facts={"bonus_size": size},
            reason="Versuch",
            version=12,
            actor=somebody(spielliste),
        )


@pytest.mark.parametrize("status", [s for s in Status if s != Status.INVALID])
def test_a_list_is_declared_invalid_in_every_state_and_comes_back_as_it_was(status: Status):
    spielliste = played(status=status)
    actor = somebody(spielliste)

    invalid = corrections.correct_list(
        spielliste_id=spielliste.pk,
        kind=Kind.INVALID,
        facts={},
        reason="unleserlich",
        version=12,
        actor=actor,
    )
    spielliste.refresh_from_db()
    assert (spielliste.status, spielliste.invalid_reason) == (Status.INVALID, "unleserlich")
    assert invalid.paragraph == "2.2.6"
    standings = Rankings(tournament_of(spielliste)).standings(OVERALL)
    assert {line.series_totals[0] for line in standings} == {None}

    corrections.correct_list(
        spielliste_id=spielliste.pk,
        kind=Kind.VALID,
        facts={},
        reason="Abschrift liegt vor",
        version=13,
        actor=actor,
    )
    spielliste.refresh_from_db()
    assert (spielliste.status, spielliste.invalid_reason) == (status, "")


def test_an_invalid_list_is_not_declared_invalid_again_nor_a_valid_one_valid():
    invalid, valid = played(status=Status.INVALID), played()

    with pytest.raises(WrongStatus, match="schon ungültig"):
        corrections.correct_list(
            spielliste_id=invalid.pk,
            kind=Kind.INVALID,
            facts={},
            reason="x",
            version=12,
            actor=somebody(invalid),
        )
    with pytest.raises(WrongStatus, match="nicht ungültig"):
        corrections.correct_list(
            spielliste_id=valid.pk,
            kind=Kind.VALID,
            facts={},
            reason="x",
            version=12,
            actor=somebody(valid),
        )


# --- What rests on the old result --------------------------------------------------------------


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


def test_a_draft_set_by_the_old_ranking_is_named(spielliste: Spielliste):
    serie = tournament_of(spielliste).serien.get(number=2)
    Draw.objects.create(serie=serie, number=1, method="ranking", status="draft")

    (said,) = correct_line(spielliste).effects["rests"]

    assert "verwerfen und neu setzen" in said


def test_a_prize_paid_and_an_entscheidungsspiel_on_the_old_result_are_named(spielliste: Spielliste):
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


def test_others_in_the_hall_whose_rank_changes_are_counted():
    tournament = make_tournament()
    rows = [make_players(tournament, 4) for _table in range(2)]
    serie = make_seated_serie(tournament, rows)
    spielliste = write_games(list_of(serie, 1), status=Status.HANDED_IN)
    write_games(list_of(serie, 2), status=Status.HANDED_IN)
    line = {"finisher": 1, "handromme": False, "minus": [0, 33, 45, 12]}

    effects = correct_line(spielliste, line=line).effects

    # 201 at both tables; ten more at table 1 leave Nr. 6 alone in front, and Nr. 2 at 211
    # falls behind the two with 210.
    moved = {one["number"]: one["rank"] for one in effects["others"]}
    assert moved == {5: [3, 2]}
    assert [one["rank"] for one in effects["persons"]][:2] == [[3, 2], [1, 4]]


# --- Four eyes ---------------------------------------------------------------------------------


def test_with_four_eyes_a_correction_waits_for_another_account():
    spielliste = played(four_eyes=True)
    first, second = somebody(spielliste), somebody(spielliste)

    proposed = correct_line(spielliste, actor=first)
    assert proposed.status == Correction.Status.PROPOSED
    assert total(spielliste, 3) == 279
    assert not Notice.objects.exists()

    done = four_eyes.approve(correction_id=proposed.pk, actor=second)

    assert done.status == Correction.Status.CARRIED_OUT
    assert (done.created_by, done.decided_by) == (first.user, second.user)
    assert done.version == 13
    assert total(spielliste, 3) == 288
    assert Notice.objects.filter(correction=done).count() == 4
    assert [entry.action for entry in JournalEntry.objects.order_by("pk")] == [
        "correction_proposed",
        "correction_done",
    ]


def test_nobody_approves_what_they_proposed_themselves():
    spielliste = played(four_eyes=True)
    actor = somebody(spielliste)
    proposed = correct_line(spielliste, actor=actor)

    with pytest.raises(NotAllowed, match="zweite Person"):
        four_eyes.approve(correction_id=proposed.pk, actor=actor)
    with pytest.raises(NotAllowed):
        four_eyes.approve(correction_id=proposed.pk, actor=Actor.command("tests"))

    assert total(spielliste, 3) == 279


def test_with_four_eyes_a_command_cannot_propose():
    spielliste = played(four_eyes=True)

    with pytest.raises(NotAllowed, match="von einem Konto"):
        correct_line(spielliste, actor=Actor.command("tests"))


def test_what_was_rejected_or_carried_out_is_decided_for_good():
    spielliste = played(four_eyes=True)
    first, second = somebody(spielliste), somebody(spielliste)
    proposed = correct_line(spielliste, actor=first)

    with pytest.raises(TournamentError, match="warum"):
        four_eyes.reject(correction_id=proposed.pk, reason="", actor=second)
    four_eyes.reject(correction_id=proposed.pk, reason="steht richtig da", actor=second)

    with pytest.raises(WrongStatus, match="abgelehnt"):
        four_eyes.approve(correction_id=proposed.pk, actor=second)
    with pytest.raises(WrongStatus, match="abgelehnt"):
        four_eyes.reject(correction_id=proposed.pk, reason="noch einmal", actor=second)
    assert total(spielliste, 3) == 279


def test_a_list_has_one_proposal_at_a_time():
    spielliste = played(four_eyes=True)
    correct_line(spielliste)

    with pytest.raises(Conflict, match="wartet noch auf die zweite Person"):
        correct_line(spielliste, game=2, line={**FOUR[1], "minus": [13, 0, 18, 40]})


def test_a_proposal_is_not_approved_once_the_list_has_changed():
    spielliste = played(four_eyes=True)
    proposed = correct_line(spielliste)
    Spielliste.objects.filter(pk=spielliste.pk).update(version=14)

    with pytest.raises(Conflict, match="inzwischen geändert"):
        four_eyes.approve(correction_id=proposed.pk, actor=somebody(spielliste))

    assert Seat.objects.count() == 4
    assert total(spielliste, 3) == 279
