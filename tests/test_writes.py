"""Rows of a tournament are written by acts alone, so that states, roles and the journal see it."""

from __future__ import annotations

import re
from pathlib import Path

from tournaments.journal.rows import PROVED

ROOT = Path(__file__).parents[1]
KINDS = "|".join(model.__name__ for model in PROVED)
BY_HAND = re.compile(
    r"journal\.record\(|\.full_clean\(|\.save\(update_fields|transaction\.atomic"
    rf"|\b({KINDS})\.(objects|every)\b.*(create|update|delete)\("
)
# Rooms whose rows belong to the installation or to a device, and what acts are made of.
NO_TOURNAMENT = {
    *("accounts", "archive", "backup", "common", "journal", "machine", "operator", "people"),
    *("practice", "printing", "seasons"),
}


def by_hand(file: Path) -> list[str]:
    """The lines that write past the acts without a reason beside or above them."""
    lines = file.read_text().splitlines()
    return [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for number, line in enumerate(lines, start=1)
        if BY_HAND.search(line) and "#" not in line and "#" not in lines[number - 2]
    ]


def test_what_is_written_past_the_acts_says_why():
    rooms = [one for one in (ROOT / "tournaments").iterdir() if one.name not in NO_TOURNAMENT]
    files = [
        file
        for room in rooms
        for file in room.rglob("*.py")
        if "services" in file.relative_to(room).as_posix()
    ]

    assert [line for file in files for line in by_hand(file)] == []


def test_a_line_without_a_reason_is_found():
    assert BY_HAND.search("spielliste.save(update_fields=['status'])")
    assert BY_HAND.search("Seat.objects.filter(table=table).delete()")
    assert BY_HAND.search("Game.objects.bulk_create(games)")
    assert not BY_HAND.search("act.store(spielliste)")
