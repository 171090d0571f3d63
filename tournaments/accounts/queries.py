"""Which accounts belong to the tournament to look at, and how to log in to them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.crypto import salted_hmac

from tournaments.models import Role, User

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
    """Return the logins that there are; one query, and none once there is another account."""
    there = User.objects.filter(is_demo=True, is_active=True).order_by("pk")
    password = demo_password()
    return [
        Login(role=str(LOGINS[username][1].label), username=username, password=password)
        for username in there.values_list("username", flat=True)
        if username in LOGINS
    ]
