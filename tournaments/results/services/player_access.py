"""The tokens of the own pages: stored as hashes before the Startkarten are printed."""

from __future__ import annotations

from typing import NamedTuple

from tournaments.common.access_keys import player_token
from tournaments.common.raw_sql import OWNER_OF_PAGE, rows
from tournaments.common.tokens import hash_token
from tournaments.models import Registration, Tournament


# No act: the tokens are derived from the key of the installation. So nothing is locked, and pages
# that show the codes store only missing ones.
def store_tokens(tournament: Tournament) -> None:
    """Store the derived tokens of the own pages of all players in the tournament."""
    changed = []
    for registration in tournament.registrations.all():
        token_hash = hash_token(player_token(registration))
        if registration.token_hash != token_hash:
            registration.token_hash = token_hash
            changed.append(registration)
    # Not part of the proof.
    Registration.objects.bulk_update(changed, ["token_hash"], batch_size=200)


class PageOwner(NamedTuple):
    """The owner of the page that a token opens, and the revision of the tournament."""

    registration_id: int
    tournament_id: int
    revision: int


def page_owner(token: str) -> PageOwner | None:
    """Return the owner of the page that a token opens; one query."""
    return next((PageOwner(*row) for row in rows(OWNER_OF_PAGE, hash_token(token))), None)


def find_registration(token: str) -> Registration | None:
    """Return the registration of the page that a token opens."""
    registrations = Registration.objects.filter(token_hash=hash_token(token))
    return registrations.select_related("tournament", "person", "club").first()
