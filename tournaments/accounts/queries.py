"""The accounts of the practice tournament."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from tournaments.common.roles import MAY_LEAD
from tournaments.models import Membership, Role, User

# Log-in name: name of the made-up person, role, label on the start page.
DEMO_ACCOUNTS = {
    "demo-leitung": ("Karla Otto", Role.SPIELLEITUNG, _("Als Spielleitung ansehen")),
    "demo-kasse": ("Bernd Lindner", Role.KASSE, _("Als Kasse ansehen")),
    "demo-schiri": ("Dorothea Weiß", Role.SCHIEDSRICHTER, _("Als Schiedsrichter ansehen")),
}


def demo_accounts() -> list[User]:
    """Return the active demo accounts with a role in the practice tournament; one query."""
    accounts = User.objects.filter(is_demo=True, is_active=True, username__in=DEMO_ACCOUNTS)
    # Roles in a Probelauf do not count, because it may use one of these accounts.
    memberships = Membership.objects.filter(tournament__is_trial_run=False)
    return list(accounts.filter(pk__in=memberships.values("user")).order_by("pk"))


def may_begin_trial(user: User, roles: Iterable[str]) -> bool:
    """Whether *user* may begin a Probelauf: by a leading role, as administrator or demo account.

    Args:
        roles: of the account in tournaments that are not made up.
    """
    return user.is_demo or user.is_admin or bool(MAY_LEAD & set(roles))


def may_use_demo() -> bool:
    """Whether demo accounts may be used: until a real account exists."""
    return not User.objects.filter(is_demo=False).exists()
