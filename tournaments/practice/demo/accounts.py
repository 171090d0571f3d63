"""The accounts of the practice tournament.

They have no password: a visitor presses a button of the start page. They become unusable with
the first real account, whose owner then leads this tournament too.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.accounts import services as accounts
from tournaments.accounts.queries import DEMO_ACCOUNTS
from tournaments.common.actors import Actor
from tournaments.models import Organiser, Role, Tournament, User


def account_of(username: str) -> User:
    """Return one of the accounts, made if it does not exist yet."""
    there = User.objects.filter(is_demo=True, username=username).first()
    name = DEMO_ACCOUNTS[username][0]
    return there or User.objects.create_user(username, None, name=name, is_demo=True)


def organiser_of(user: User) -> Organiser:
    """Return the organiser of made-up persons that *user* belongs to, made if there is none."""
    there = Organiser.objects.filter(is_practice=True, accounts__user=user).order_by("pk").first()
    return there or Organiser.objects.create(name=_("Übung"), is_practice=True)


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
