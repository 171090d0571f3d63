"""The accounts of the tournament to look at.

Their password stands on the start page, so it differs from one installation to the next, and
they end with the first account that is somebody's own: who has that leads this tournament too.
"""

from __future__ import annotations

from tournaments.accounts import services as accounts
from tournaments.accounts.queries import LOGINS, demo_password
from tournaments.common.actors import Actor
from tournaments.models import Role, Tournament, User


def make_accounts(tournament: Tournament) -> dict[Role, User]:
    """Make the accounts and give them their roles; the Spielleitung is Veranstalter too."""
    actor = Actor.command("demo")
    made = {}
    for username, (name, role) in LOGINS.items():
        user = User.objects.create_user(username, demo_password(), name=name, is_demo=True)
        accounts.give_role(tournament=tournament, user=user, role=role, actor=actor)
        made[role] = user
    accounts.give_role(
        tournament=tournament, user=made[Role.SPIELLEITUNG], role=Role.VERANSTALTER, actor=actor
    )
    return made


def renew_passwords() -> None:
    """Let the password that is shown be right again, after the secret key has changed."""
    for user in User.objects.filter(is_demo=True, username__in=LOGINS):
        if not user.check_password(demo_password()):
            user.set_password(demo_password())
            user.save(update_fields=["password"])
