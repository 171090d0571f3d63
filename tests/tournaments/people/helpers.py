"""Setup of tests for persons and clubs: addresses, files of persons, substitutions."""

from __future__ import annotations

from tests.clients import at
from tests.factories import COMMAND, make_user
from tournaments.common.organisers import first_organiser
from tournaments.machine import sheets
from tournaments.models import Person, PersonImport, Registration, Substitution
from tournaments.people.services.importing import carry_out, store_rows
from tournaments.people.services.plan import make_plan


def url(name: str, *args: int) -> str:
    """Return the address of a page."""
    return at(f"people:{name}", *args)


def upload(*lines: str) -> PersonImport:
    """Keep a file of persons, its headings first."""
    rows = sheets.read("\n".join(lines).encode())
    return store_rows(
        within=first_organiser(), rows=rows, file_name="mitglieder.csv", user=make_user()
    )


def store(draft: PersonImport) -> dict[str, int]:
    """Carry a file out as it was shown; return how many rows there were of each kind."""
    fingerprint = make_plan(draft).fingerprint
    counts = carry_out(first_organiser(), draft_id=draft.pk, fingerprint=fingerprint, actor=COMMAND)
    return {state: number for state, number in counts.items() if number}


def substituted(registration: Registration, left: Person, joined: Person) -> Substitution:
    """Record a substitution of a registration."""
    return Substitution.objects.create(
        registration=registration, left=left, joined=joined, reason="krank", created_by=make_user()
    )
