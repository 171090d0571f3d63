"""A new tournament with the Ausschreibung of an earlier one, without persons and money."""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar

from django.db import transaction
from django.db.models import Manager, Model

from tournaments.announcement.services.sections import FIELDS
from tournaments.announcement.services.tournaments import (
    check_may_create,
    default_deadline,
    record_new,
    store_new,
    suggest_slug,
)
from tournaments.common.actors import Actor
from tournaments.models import Tournament
from tournaments.models.tournament import Section

# Facts of one day, which are not copied.
OF_THE_DAY = frozenset({"name", "slug", "starts_at", "registration_deadline", "refund_until"})

_Row = TypeVar("_Row", bound=Model)


@transaction.atomic
def copy_tournament(
    *, tournament_id: int, name: str, starts_at: datetime, actor: Actor
) -> Tournament:
    """Make a draft with the facts of an earlier Ausschreibung, except its dates.

    The deadline is the usual one, and there is no refund. The account that copies becomes
    the Veranstalter.

    Raises:
        NotAllowed: if the account may not create tournaments.
        TournamentError: if a value is not valid.
    """
    check_may_create(actor)
    source = Tournament.objects.get(pk=tournament_id)
    kept = {
        field: getattr(source, field)
        for section in Section
        for field in FIELDS[section]
        if field not in OF_THE_DAY
    }
    copy = Tournament(
        name=name.strip(),
        slug=suggest_slug(name),
        starts_at=starts_at,
        registration_deadline=default_deadline(starts_at),
        copied_from=source,
        **kept,
    )
    store_new(copy)
    _copy_rows(source.serien, copy, "number", "seating", "time_limit_minutes")
    born = ("born_from", "born_until")
    _copy_rows(source.categories, copy, "name", "startgeld_cents", *born, "position")
    _copy_rows(source.rankings, copy, "kind", "size", *born, "stake_cents")
    record_new(copy, actor)
    return copy


def _copy_rows(rows: Manager[_Row], copy: Tournament, *fields: str) -> None:
    rows.bulk_create(rows.model(tournament=copy, **facts) for facts in rows.values(*fields))
