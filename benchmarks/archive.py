"""How long an archive with many registrations takes to come in, in processor time.

    make bench ONLY=archive

Nothing of it is known yet: every person, club, registration and receipt is stored, and the whole
is written again to be compared with the file.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.results import Place, Row

REGISTRATIONS = 5_000
CLUBS = 200
WANTED_SECONDS = 20


def archive(number: int) -> bytes:
    """Return a file with the required part alone; everybody has paid."""
    clubs = [f"Verein {at}" for at in range(CLUBS)]
    data: dict[str, Any] = {
        "format": "romme-turnier",
        "version": 1,
        "tournament": {
            "slug": f"gross-{number}",
            "name": "Groß",
            "date": "2026-10-03",
            "rule_set": "rommeordnung",
            "series": 3,
        },
        "clubs": [{"name": club} for club in clubs],
        "registrations": [
            {
                "number": at + 1,
                "first_name": "Anna",
                "last_name": f"Name{number} {at}",
                "club": clubs[at % CLUBS],
                "team": None,
                "status": "paid",
                "paid_cents": 1500,
            }
            for at in range(number)
        ],
        "series": [],
        "playoffs": [],
    }
    return json.dumps(data).encode()


def seconds(data: bytes) -> float:
    """Return the processor time that taking *data* in takes."""
    from tournaments.archive.importing import import_archive
    from tournaments.common.actors import Actor

    begun = time.process_time()
    import_archive(data, actor=Actor.command("benchmark"))
    return time.process_time() - begun


def whole(slug: str) -> bytes:
    """Return the file with all sections of what was taken in, under another slug."""
    from tournaments.archive.writing import archive_of
    from tournaments.models import Person, Tournament

    found = Tournament.objects.get(slug=slug)
    data = {**archive_of(found)}
    data["tournament"] = {**data["tournament"], "slug": f"{slug}-neu"}
    Person.objects.update(sort_key="x")  # nobody of them is known
    return json.dumps(data).encode()


def rows(place: Place) -> Iterator[Row]:
    """Measure many registrations beside a tenth of them."""
    place.set_up()
    number = REGISTRATIONS // (10 if place.is_quick else 1)
    seconds(archive(1))  # what is loaded at the first use
    few, many = (
        (seconds(archive(size)), seconds(whole(f"gross-{size}"))) for size in (number // 10, number)
    )
    for at, name in enumerate(("required part", "all sections")):
        yield Row(
            name=f"archive, {number:,} registrations, {name}",
            value=many[at],
            unit="s",
            ratio=many[at] / few[at] / 10,
            beside="for each registration of a tenth of them",
            wanted=None if place.is_quick else WANTED_SECONDS,
            wanted_of="value",
        )
