"""The keys of the players' own pages: stored as hashes, before the cards are printed."""

from __future__ import annotations

from typing import NamedTuple

from django.db import transaction

from tournaments.common.access_keys import player_token
from tournaments.common.tokens import hash_token
from tournaments.models import Registration, Tournament
from tournaments.models.prepared import Prepared, cursor


@transaction.atomic
def provide(tournament: Tournament) -> None:
    """See to it that the page of everybody in the tournament opens by its derived token."""
    changed = []
    for registration in tournament.registrations.select_for_update():
        wanted = hash_token(player_token(registration))
        if registration.token_hash != wanted:
            registration.token_hash = wanted
            changed.append(registration)
    Registration.objects.bulk_update(changed, ["token_hash"], batch_size=200)


_OPENED = Prepared(
    lambda token_hash: Registration.objects.filter(token_hash=token_hash).select_related(
        "tournament", "person", "club"
    )
)
_WHOSE = """
SELECT own.id, tournament.id, tournament.revision
FROM tournaments_registration own
JOIN tournaments_tournament tournament ON tournament.id = own.tournament_id
WHERE own.token_hash = %s AND tournament.replaced_at IS NULL
"""


class Whose(NamedTuple):
    """Whose page a token opens, and how new it can be."""

    registration_id: int
    tournament_id: int
    revision: int


def whose(token: str) -> Whose | None:
    """Return whose page a token opens; one query."""
    with cursor() as asked:
        asked.execute(_WHOSE, [hash_token(token)])
        row = asked.fetchone()
    return Whose(*row) if row else None


def find(token: str) -> Registration | None:
    """Return whose page a token opens."""
    return _OPENED.first(hash_token(token))
