"""Which accounts belong to the tournament to look at."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from tournaments.common.roles import MAY_LEAD
from tournaments.models import Membership, Role, User

# Log-in name: the name of who is made up, the role, and how the start page calls it.
DEMO_ACCOUNTS = {
    "demo-leitung": ("Karla Otto", Role.SPIELLEITUNG, _("Als Spielleitung ansehen")),
    "demo-kasse": ("Bernd Lindner", Role.KASSE, _("Als Kasse ansehen")),
    "demo-schiri": ("Dorothea Weiß", Role.SCHIEDSRICHTER, _("Als Schiedsrichter ansehen")),
}


def demo_accounts() -> list[User]:
    """Return those one can look with; one query, and none once there is another account."""
    there = User.objects.filter(is_demo=True, is_active=True, username__in=DEMO_ACCOUNTS)
    # A Probelauf that is walked before anybody has an account borrows one of them.
    looking = Membership.objects.filter(tournament__is_trial_run=False)
    return list(there.filter(pk__in=looking.values("user")).order_by("pk"))


def may_try(user: User, roles: Iterable[str]) -> bool:
    """Whether *user* may begin a Probelauf: who leads, or only looks at the program.

    Args:
        user: who asks.
        roles: of the account in tournaments that are not made up.
    """
    return user.is_demo or user.is_admin or bool(MAY_LEAD & set(roles))


def may_look() -> bool:
    """Whether anybody may look at the program: as long as no account is somebody's own."""
    return not User.objects.filter(is_demo=False).exists()
