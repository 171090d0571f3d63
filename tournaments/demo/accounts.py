"""The accounts of the tournament to look at; everybody may know their password."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.actors import Actor
from tournaments.models import Role, Tournament, User
from tournaments.services import accounts

PASSWORD = "karo-herz-pik-kreuz"  # noqa: S105 - shown on the start page
LOGINS = {
    "demo-leitung": ("Karla Otto", Role.SPIELLEITUNG),
    "demo-kasse": ("Bernd Lindner", Role.KASSE),
    "demo-schiri": ("Dorothea Weiß", Role.SCHIEDSRICHTER),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """One line on the start page."""

    role: str
    username: str
    password: str


def demo_logins() -> list[Login]:
    """Return the logins that there are; one query, nothing outside the demo."""
    there = User.objects.filter(is_demo=True, is_active=True).order_by("pk")
    return [
        Login(role=str(LOGINS[username][1].label), username=username, password=PASSWORD)
        for username in there.values_list("username", flat=True)
        if username in LOGINS
    ]


def make_accounts(tournament: Tournament) -> dict[Role, User]:
    """Make the accounts and give them their roles; the Spielleitung is Veranstalter too."""
    actor = Actor.command("demo")
    made = {}
    for username, (name, role) in LOGINS.items():
        user = User.objects.create_user(username, PASSWORD, name=name, is_demo=True)
        accounts.give_role(tournament=tournament, user=user, role=role, actor=actor)
        made[role] = user
    accounts.give_role(
        tournament=tournament, user=made[Role.SPIELLEITUNG], role=Role.VERANSTALTER, actor=actor
    )
    return made
