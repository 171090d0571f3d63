"""How long an archive with many registrations takes to import, in processor time.

All rows are new: every person, club, registration and receipt is stored, and the whole
is written again to be compared with the file.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.results import Row
from benchmarks.servers import Place
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_of
from tournaments.common.actors import Actor
from tournaments.models import Person, Tournament

REGISTRATIONS = 5_000
CLUBS = 200


def required_part(registrations: int) -> dict[str, Any]:
    """Return an archive with its required part alone; everybody has paid."""
    facts = {"name": "Groß", "date": "2026-10-03", "rule_set": "rommeordnung", "series": 3}
    clubs = [f"Verein {at}" for at in range(CLUBS)]
    paid = {"first_name": "Anna", "team": None, "status": "paid", "paid_cents": 1500}
    return {
        "format": "romme-turnier",
        "version": 1,
        "tournament": {"slug": f"gross-{registrations}", **facts},
        "clubs": [{"name": club} for club in clubs],
        "registrations": [
            {"number": at, "last_name": f"A{registrations} {at}", "club": clubs[at % CLUBS], **paid}
            for at in range(1, registrations + 1)
        ],
        "series": [],
        "playoffs": [],
    }


def all_sections(slug: str) -> dict[str, Any]:
    """Return an imported tournament as an archive of another one, whose persons are new."""
    archive = {**archive_of(Tournament.objects.get(slug=slug))}
    archive["tournament"] = {**archive["tournament"], "slug": f"{slug}-neu"}
    Person.objects.update(sort_key="x")
    return archive


def seconds(archive: dict[str, Any]) -> float:
    """Return the processor time of an import."""
    content = json.dumps(archive).encode()
    begun = time.process_time()
    import_archive(content, actor=Actor.command("benchmark"))
    return time.process_time() - begun


def rows(place: Place) -> Iterator[Row]:
    """Compare many registrations with a tenth of them."""
    number = REGISTRATIONS // (10 if place.is_quick else 1)
    seconds(required_part(1))  # loads modules at the first use
    few, many = (
        (seconds(required_part(each)), seconds(all_sections(f"gross-{each}")))
        for each in (number // 10, number)
    )
    for what, least, most in zip(("required part", "all sections"), few, many, strict=True):
        name, beside = f"archive, {number:,} registrations, {what}", "for each of a tenth of them"
        yield Row(name, most, "s", most / least / 10, beside, most=20)
