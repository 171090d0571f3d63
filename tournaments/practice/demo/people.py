"""The made-up persons of the practice tournament, and its accounts.

The accounts have no password: a visitor presses a button of the start page. The first real account
locks them and leads this tournament as well.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.accounts import services as accounts
from tournaments.accounts.queries import DEMO_ACCOUNTS
from tournaments.common.actors import Actor
from tournaments.models import Organiser, Role, Tournament, User

CLUBS = (
    "SC Altenburg",
    "Rommé-Freunde Gera",
    "1. Rommé-Club Leipzig",
    "Herz Dame Zwickau",
    "Kartenrunde Jena",
    "Pik-Asse Chemnitz",
    "Rommé-Club Plauen",
    "Blatt & Trumpf Weimar",
    "Spielgemeinschaft Öd",
)
# First name, last name, which club (0: none), year of birth, woman or man.
PLAYERS = (
    ("Anna", "Kühn", 1, 1958, "f"),
    ("Bernd", "Voß", 1, 1955, "m"),
    ("Clara", "Sommer-Wettengel", 1, 1990, "f"),
    ("Dieter", "Lang", 1, 1949, "m"),
    ("Edith", "Ackermann", 1, 1947, "f"),
    ("Frank", "Jänicke", 1, 1963, "m"),
    ("Gisela", "Roßbach", 2, 1952, "f"),
    ("Hans-Jürgen", "Möbius", 2, 1950, "m"),
    ("Ilse", "Pfeiffer", 2, 1945, "f"),
    ("Jörg", "Straßburger", 2, 1968, "m"),
    ("Karin", "Thümmler", 2, 1961, "f"),
    ("Lothar", "Uhlig", 3, 1954, "m"),
    ("Marianne", "Ziegenbalg", 3, 1948, "f"),
    ("Norbert", "Börner", 3, 1957, "m"),
    ("Oda", "Freiin von Schönberg", 3, 1964, "f"),
    ("Peter", "Hüttenrauch", 3, 1951, "m"),
    ("Renate", "Kästner", 3, 1953, "f"),
    ("Siegfried", "Löffler", 4, 1946, "m"),
    ("Traudel", "Müller", 4, 1949, "f"),
    ("Uwe", "Nötzold", 4, 1966, "m"),
    ("Veronika", "Opitz", 4, 1959, "f"),
    ("Werner", "Prüfer", 4, 1944, "m"),
    ("Xenia", "Quaas", 5, 1999, "f"),
    ("York", "Rühle", 5, 2009, "m"),
    ("Zita", "Schäfer", 5, 1971, "f"),
    ("Achim", "Tröger", 5, 1960, "m"),
    ("Brigitte", "Übel", 5, 1956, "f"),
    ("Christian", "Vögler", 6, 1985, "m"),
    ("Doris", "Wünsche", 6, 1962, "f"),
    ("Ernst", "Zöllner", 6, 1943, "m"),
    ("Friederike", "Arnold", 6, 2008, "f"),
    ("Günter", "Bräuer", 6, 1950, "m"),
    ("Helga", "Claußnitzer", 7, 1951, "f"),
    ("Ingo", "Dörfelt", 7, 1973, "m"),
    ("Jutta", "Eßbach", 7, 1957, "f"),
    ("Klaus", "Förster", 7, 1948, "m"),
    ("Lieselotte", "Größel", 7, 1941, "f"),
    ("Manfred", "Häußler", 8, 1955, "m"),
    ("Nadja", "Iwanowa-Krüger", 8, 1982, "f"),
    ("Otto", "Jäger", 8, 1946, "m"),
    ("Petra", "König", 8, 1965, "f"),
    ("Rolf", "Lößnitz", 9, 1953, "m"),
    ("Sabine", "Mühlbauer", 9, 1967, "f"),
    ("Thomas", "Neubert", 9, 1970, "m"),
    ("Ursula", "Öser", 9, 1947, "f"),
    ("Volker", "Pöschel", 0, 1959, "m"),
    ("Waltraud", "Süß", 0, 1950, "f"),
)
# Pairs of start numbers that play as a tandem.
TANDEMS = ((1, 2), (7, 8), (12, 13), (18, 19), (28, 29), (33, 34), (42, 43))


def account_of(username: str) -> User:
    """Return one of the accounts, created if needed."""
    account = User.objects.filter(is_demo=True, username=username).first()
    name = DEMO_ACCOUNTS[username][0]
    return account or User.objects.create_user(username, None, name=name, is_demo=True)


def organiser_of(user: User) -> Organiser:
    """Return the practice organiser of *user*, created if needed."""
    organiser = (
        Organiser.objects.filter(is_practice=True, accounts__user=user).order_by("pk").first()
    )
    return organiser or Organiser.objects.create(name=_("Übung"), is_practice=True)


def make_accounts(tournament: Tournament) -> dict[Role, User]:
    """Make the accounts with their roles; the Spielleitung is also Veranstalter."""
    actor = Actor.command("demo")
    accounts_by_role = {}
    for username, (_name, role, _look) in DEMO_ACCOUNTS.items():
        user = account_of(username)
        accounts.give_role(tournament=tournament, user=user, role=role, actor=actor)
        accounts_by_role[role] = user
    accounts.give_role(
        tournament=tournament,
        user=accounts_by_role[Role.SPIELLEITUNG],
        role=Role.VERANSTALTER,
        actor=actor,
    )
    return accounts_by_role
