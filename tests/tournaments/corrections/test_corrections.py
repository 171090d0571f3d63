"""Corrections of signed lists: their effects, records and refusals."""

from __future__ import annotations

from itertools import product

import pytest

from scoring.ambiguity import explain
from scoring.reading.interchange import line_from_json
from scoring.rulesets import ruleset
from tests.factories_lists import FOUR
from tests.tournaments.corrections.signed_list import (
    SIGNED_OR_LATER,
    SLIP,
    Kind,
    Status,
    correct_line,
    played,
    somebody,
    total,
    tournament_of,
)
from tests.worlds import world
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.corrections.services import corrections
from tournaments.models import Correction, Game, JournalEntry, ListVersion, Notice, Spielliste

pytestmark = [pytest.mark.django_db, pytest.mark.once]

spielliste = world(played)


@pytest.mark.parametrize("status", SIGNED_OR_LATER)
def test_a_line_is_corrected_in_every_state_after_signing(status: Status):
    spielliste = played(status=status)

    correction = correct_line(spielliste)

    spielliste.refresh_from_db()
    assert spielliste.status == status
    assert total(spielliste, 3) == 279 + 9  # 279: 339 − 3 × 20
    assert correction.status == Correction.Status.CARRIED_OUT
    assert correction.number == 1
    assert correction.paragraph == "2.2.5"
    assert correction.version == spielliste.version == 13


def test_a_corrected_line_notifies_the_whole_table(spielliste: Spielliste):
    correction = correct_line(spielliste)

    told = set(Notice.objects.filter(correction=correction).values_list("registration", flat=True))
    assert told == set(spielliste.table.seats.values_list("registration", flat=True))


def test_old_and_new_line_are_stored_and_journalled(spielliste: Spielliste):
    correct_line(spielliste)

    kept = {version.version: version.content for version in ListVersion.objects.all()}
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

    preview = corrections.preview(
        tournament=tournament_of(spielliste),
        kind=Kind.LINE,
        facts={"game": 1, "line": line},
        spielliste_id=spielliste.pk,
    ).effects

    first, second, third, fourth = preview.persons
    assert second.points == (201, 301)
    assert second.serie_rank == second.rank == (1, 3)
    assert second.total == (201, 301)
    assert first.rank == (2, 1)
    assert third.rank == (3, 2)
    # 301 as well: two games finished decide against three (§ 1.5)
    assert fourth.rank == (4, 4)
    assert not fourth.changes
    assert preview.rests == ()


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
def test_the_kind_of_correction_suggests_a_paragraph(line, paragraph: str, spielliste: Spielliste):
    if paragraph == "3.2.2":
        Game.objects.filter(number=1).update(line={**line, "handromme": False})

    assert correct_line(spielliste, line=line).paragraph == paragraph


def test_a_named_paragraph_is_stored():
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


@pytest.mark.parametrize(
    ("more", "message"),
    [
        pytest.param({"reason": " "}, "braucht einen Grund", id="no reason"),
        pytest.param({"reason": "x" * 501}, "möglich sind 500", id="endless reason"),
        pytest.param({"paragraph": "§" * 21}, "höchstens 20 Zeichen", id="endless paragraph"),
        pytest.param({"game": 13}, "Spiel 13 steht nicht", id="no such game"),
        pytest.param({"line": FOUR[0]}, "es ändert sich nichts", id="nothing changes"),
    ],
)
def test_an_incomplete_correction_is_refused(more, message: str, spielliste: Spielliste):
    with pytest.raises(TournamentError, match=message):
        correct_line(spielliste, **more)

    spielliste.refresh_from_db()
    assert spielliste.version == 12
    assert not Correction.objects.exists()


def test_effects_other_than_those_shown_are_refused(spielliste: Spielliste):
    with pytest.raises(Conflict, match="noch einmal ansehen"):
        corrections.correct_list(
            somebody(spielliste),
            spielliste.pk,
            kind=Kind.LINE,
            facts={"game": 1, "line": SLIP},
            reason="Zahlendreher",
            shown="something else",
            versions={spielliste.pk: spielliste.version},
        )


def test_a_plausible_corrected_line_loses_its_override_mark(
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


def test_the_worst_reading_of_unclear_lines_equals_an_exhaustive_search(
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


def test_the_count_of_an_unclear_line_is_explained(spielliste: Spielliste):
    correct_line(
        spielliste, line={"finisher": 1, "handromme": False, "minus": [0, [17, 71], 45, 12]}
    )

    line = line_from_json(Game.objects.get(number=1).line)
    assert explain(line, ruleset("rommeordnung"))[1].reasons == (
        "Gelesen werden kann 17 oder 71; es zählt 71 (§ 2.2.6).",
    )
