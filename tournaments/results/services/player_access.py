"""The keys of the players' own pages: stored as hashes, before the cards are printed."""

from __future__ import annotations

from django.db import connection, transaction

from tournaments.common.access_keys import player_token
from tournaments.common.tokens import hash_token
from tournaments.models import Registration, Tournament
from tournaments.models.prepared import Prepared


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
_REVISION = """
SELECT revision FROM tournaments_tournament WHERE replaced_at IS NULL AND id =
  (SELECT tournament_id FROM tournaments_registration WHERE token_hash = %s)
"""


def revision_for(token: str) -> int | None:
    """Return the revision of the tournament whose player's page a token opens; one query."""
    with connection.cursor() as cursor:
        cursor.execute(_REVISION, [hash_token(token)])
        row = cursor.fetchone()
    return row[0] if row else None


def find(token: str) -> Registration | None:
    """Return whose page a token opens."""
    return _OPENED.first(hash_token(token))
