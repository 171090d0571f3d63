"""Which accounts belong to the tournament to look at."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.models import Role, User

# Log-in name: the name of who is made up, the role, and how the start page calls it.
DEMO_ACCOUNTS = {
    "demo-leitung": ("Karla Otto", Role.SPIELLEITUNG, _("Als Spielleitung ansehen")),
    "demo-kasse": ("Bernd Lindner", Role.KASSE, _("Als Kasse ansehen")),
    "demo-schiri": ("Dorothea Weiß", Role.SCHIEDSRICHTER, _("Als Schiedsrichter ansehen")),
}


def demo_accounts() -> list[User]:
    """Return those one can look with; one query, and none once there is another account."""
    there = User.objects.filter(is_demo=True, is_active=True, username__in=DEMO_ACCOUNTS)
    return list(there.order_by("pk"))
