"""Setup of tests for online registration."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests.clients import at
from tests.factories import make_tournament
from tournaments.desk.online.forms.entry import new_key
from tournaments.desk.online.services.entry import PUBLIC, PersonEntry, StoredEntry, submit_entry
from tournaments.models import EntryLine, Ranking, Registration, Tournament

IBAN = "DE89370400440532013000"


def make_open_tournament(**fields: Any) -> Tournament:
    """A tournament in four weeks that takes registrations through the internet."""
    return make_tournament(
        **{
            "starts_at": timezone.now() + timedelta(days=28),
            "online_registration": True,
            "organiser": "SC Altenburg",
            "contact_email": "turnier@altenburg.example",
            **fields,
        }
    )


def make_ranking(tournament: Tournament, kind: Ranking.Kind, **fields: Any) -> Ranking:
    """A further ranking; a tandem has two persons by itself."""
    if kind == Ranking.Kind.TANDEM:
        fields = {"size": 2, **fields}
    return tournament.rankings.create(kind=kind, **fields)


def wanted(first_name: str = "Anna", last_name: str = "Kühn", **fields: Any) -> PersonEntry:
    """One person as typed."""
    return PersonEntry(
        **{
            "first_name": first_name,
            "last_name": last_name,
            "club_name": "SC Altenburg",
            "birth_year": 1960,
            **fields,
        }
    )


def send_one(
    tournament: Tournament, *persons: PersonEntry, form_key: str = "key", **fields: Any
) -> StoredEntry:
    """Send the public form."""
    return submit_entry(
        PUBLIC, tournament.pk, persons=persons or [wanted()], form_key=form_key, **fields
    )


def registration_of(line: EntryLine) -> Registration:
    """Return the registration that a line led to."""
    assert line.registration is not None
    return line.registration


def form_data(*persons: dict[str, Any], seconds: int = 60, **fields: Any) -> dict[str, Any]:
    """Return the values of a form that a browser showed *seconds* ago."""
    data: dict[str, Any] = {
        "email": "anna@verein.example",
        "subject": "",
        "key": new_key(timezone.now() - timedelta(seconds=seconds)),
        "persons": str(len(persons) or 1),
        **fields,
    }
    for row, person in enumerate(persons or [{}]):
        typed = {
            "last_name": "Kühn",
            "first_name": "Anna",
            "club_name": "SC Altenburg",
            "birth_year": "1960",
            **person,
        }
        data |= {f"person-{row}-{name}": value for name, value in typed.items()}
    return data


def form_url(tournament: Tournament) -> str:
    """The address of the form."""
    return at("entry:register", tournament)


def text_of(answer: Any) -> str:
    """Return a page as one line, without its unique parts."""
    without_keys = re.sub(r'value="(\w{64}|[0-9a-f]{13}-[\w-]+)"', "", answer.content.decode())
    return re.sub(r"\s+", " ", without_keys)


def link_in(answer: Any) -> str:
    """The link of a sending that a page shows."""
    match = re.search(r"/meldung/[\w-]{43}/", answer.content.decode())
    assert match
    return match[0]
