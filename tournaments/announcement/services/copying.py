"""A new tournament with the Ausschreibung of an earlier one, without persons and money."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Manager

from tournaments.announcement.services.sections import FIELDS, ROWS
from tournaments.announcement.services.tournaments import creating, default_deadline, suggest_slug
from tournaments.common.actors import Actor
from tournaments.models import Organiser, Serie, Tournament
from tournaments.models.tournament import Section

# Facts of one day, which are not copied.
NOT_COPIED = frozenset(
    {"name", "slug", "starts_at", "registration_deadline", "refund_until", "carries_points"}
)


def copy_tournament(
    *, owner: Organiser, tournament_id: int, name: str, starts_at: datetime, actor: Actor
) -> Tournament:
    """Make a draft with the facts of an earlier Ausschreibung, except its dates.

    It belongs to the organiser of the earlier one, or to *owner* if that is a practice tournament.

    The deadline is the usual one, and there is no refund. The account that copies becomes
    the Veranstalter.

    Raises:
        NotAllowed: if the account may not create tournaments.
        TournamentError: if a value is not valid.
    """
    source = Tournament.objects.get(pk=tournament_id)
    facts = {
        field: getattr(source, field)
        for section in Section
        for field in FIELDS[section]
        if field not in NOT_COPIED
    }
    copy = Tournament(
        owner=owner if source.owner.is_practice else source.owner,
        name=name.strip(),
        slug=suggest_slug(name),
        starts_at=starts_at,
        registration_deadline=default_deadline(starts_at),
        copied_from=source,
        floor=source.floor,
        **facts,
    )
    with creating(copy, actor) as act:
        for section in ROWS:
            rows, columns = ROWS[section]
            manager: Manager[Any] = getattr(source, rows)
            fields = [column for column in columns if column != "id"]
            act.add_all(
                manager.model(tournament=copy, **_without_followed(row))
                for row in manager.values(*fields)
            )
    return copy


def _without_followed(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for the copy, in which Serie 1 is not seated by an earlier ranking."""
    if row.get("number") == 1 and row.get("seating") == Serie.Seating.RANKING:
        return {**row, "seating": Serie.Seating.CARDS}
    return row
