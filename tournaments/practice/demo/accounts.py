"""The accounts of the practice tournament.

They have no password: a visitor presses a button of the start page. They become unusable with
the first real account, whose owner then leads this tournament too.
"""

from __future__ import annotations

from tournaments.accounts import services as accounts
from tournaments.accounts.queries import DEMO_ACCOUNTS
from tournaments.common.actors import Actor
from tournaments.models import Role, Tournament, User


def account_of(username: str) -> User:
    """Return one of the accounts, made if it does not exist yet."""
    there = User.objects.filter(is_demo=True, username=username).first()
    name = DEMO_ACCOUNTS[username][0]
    return there or User.objects.create_user(username, None, name=name, is_demo=True)


def make_accounts(tournament: Tournament) -> dict[Role, User]:
    """Make the accounts and give them their roles; the Spielleitung is Veranstalter too."""
    actor = Actor.command("demo")
    made = {}
    for username, (_name, role, _look) in DEMO_ACCOUNTS.items():
        user = account_of(username)
        accounts.give_role(tournament=tournament, user=user, role=role, actor=actor)
        made[role] = user
    accounts.give_role(
        tournament=tournament, user=made[Role.SPIELLEITUNG], role=Role.VERANSTALTER, actor=actor
    )
    return made
