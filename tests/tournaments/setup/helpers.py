"""Plain functions that the tests of setting up share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from scoring.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.factories import COMMAND, make_tournament
from tournaments.models import Tournament
from tournaments.services.tournament_edit import Edit
from tournaments.services.tournament_sections import Section, fingerprint

BEFORE = datetime(2026, 9, 1, 8, 0, tzinfo=UTC)  # a month before the tournaments of the factory
COMPLETE: dict[str, Any] = {
    "venue": "Bürgerhaus",
    "organiser": "SC Altenburg",
    "contact_email": "turnier@verein.example",
}


def make_complete(**fields: Any) -> Tournament:
    """A draft that lacks nothing."""
    values = {"status": Tournament.Status.DRAFT, **COMPLETE, **fields}
    rules = values.pop("rules", "rommeordnung")
    return make_tournament(rule_set=ruleset_to_dict(ruleset(rules)), **values)


def edit(tournament: Tournament, section: Section, reason: str = "") -> Edit:
    """A change by somebody who has just looked at the section."""
    return Edit(
        tournament_id=tournament.pk,
        fingerprint=fingerprint(Tournament.objects.get(pk=tournament.pk), section),
        actor=COMMAND,
        reason=reason,
    )
