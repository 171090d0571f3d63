"""The accounts of the tournament to look at.

Persons belong to no single tournament, so whoever may lead this one also sees those of real
ones. Hence the password differs from one installation to the next, and the start page shows
it to strangers only until there is an account that is none of these.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.crypto import salted_hmac

from tournaments.accounts import services as accounts
from tournaments.common.actors import Actor
from tournaments.models import Role, Tournament, User

LOGINS = {
    "demo-leitung": ("Karla Otto", Role.SPIELLEITUNG),
    "demo-kasse": ("Bernd Lindner", Role.KASSE),
    "demo-schiri": ("Dorothea Weiß", Role.SCHIEDSRICHTER),
}


def demo_password() -> str:
    """Return the password of these accounts here, such as „karo-482139-herz-771204“."""
    digest = salted_hmac("tournaments.demo", "password", algorithm="sha256").digest()
    number = int.from_bytes(digest) % 10**12
    return f"karo-{number // 10**6:06}-herz-{number % 10**6:06}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """One line on the start page."""

    role: str
    username: str
    password: str


def demo_logins() -> list[Login]:
    """Return the logins that there are; one query, nothing outside the demo."""
    there = User.objects.filter(is_demo=True, is_active=True).order_by("pk")
    password = demo_password()
    return [
        Login(role=str(LOGINS[username][1].label), username=username, password=password)
        for username in there.values_list("username", flat=True)
        if username in LOGINS
    ]


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
    for user in User.objects.filter(is_demo=True):
        if not user.check_password(demo_password()):
            user.set_password(demo_password())
            user.save(update_fields=["password"])
