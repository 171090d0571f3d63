"""A hall: its tournament and people, the devices at its tables, and its till."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from itertools import cycle, product
from typing import Any

from django.urls import reverse
from django.utils import timezone

from benchmarks.client import JSON, Client, HasPort
from tests.clients import logged_in
from tests.factories import make_member, make_players, make_tournament
from tests.factories_lists import make_seated_serie
from tournaments.common.access_keys import table_path
from tournaments.models import Game, Registration, Role, Spielliste, TableAccess, Tournament, User

SEATS, GAMES = 4, 12
UNCLEAR = 0.002  # of the games have a hand that can be read in two ways: every 40th list
SIGNATURE = "M40 120Q120 20 180 180Q260 80 320 120"
FIRST_NAMES = ("Anna", "Bernd", "Clara", "Dieter", "Erika", "Franz", "Greta", "Heinz", "Ida", "Jan")
SYLLABLES = ("bak", "dor", "fen", "gul", "him", "kas", "lot", "mur", "nep", "rix", "sov", "tam")


# --- The rows stored before the program starts --------------------------------------------------


def names(initial: str) -> list[tuple[str, str]]:
    """Return 1,728 clearly different first and last names."""
    last_names = (f"{initial}{''.join(parts)}" for parts in product(SYLLABLES, repeat=3))
    return [*zip(cycle(FIRST_NAMES), last_names, strict=False)]


def make_hall(tables: int) -> tuple[Tournament, list[str]]:
    """Store a running tournament with a Serie of tables of four; return the paths of the tables."""
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    people = make_players(tournament, SEATS * tables)
    serie = make_seated_serie(tournament, _by_table(people))
    access = TableAccess.objects.filter(table__serie=serie).order_by("table__number")
    return tournament, [*map(table_path, access.select_related("table__serie__tournament"))]


def play_all(tournament: Tournament, people: list[Registration], chance: random.Random) -> None:
    """Store a verified list for each table of each Serie."""
    now = timezone.now()
    for serie in tournament.serien.order_by("number"):
        chance.shuffle(people)
        make_seated_serie(tournament, _by_table(people), number=serie.number)
        lists = Spielliste.objects.filter(table__serie=serie)
        Game.objects.bulk_create(
            Game(spielliste=spielliste, number=number, line=make_game(chance), entered_at=now)
            for spielliste in lists
            for number in range(1, GAMES + 1)
        )
        lists.update(status=Spielliste.Status.VERIFIED, handed_in_at=now, verified_at=now)


def make_game(chance: random.Random) -> dict[str, Any]:
    """Return a game as a table writes it down."""
    finisher = chance.randint(1, SEATS)
    minus: list[Any] = [chance.randint(2, 90) for _seat in range(SEATS)]
    minus[finisher - 1] = 0
    if chance.random() < UNCLEAR:
        minus[finisher % SEATS] = [17, 71]
    return {"finisher": finisher, "handromme": chance.random() < 0.03, "minus": minus}


def _by_table(people: Sequence[Registration]) -> list[Sequence[Registration]]:
    return [people[at : at + SEATS] for at in range(0, len(people), SEATS)]


def session_of(user: User) -> dict[str, str]:
    """Return the session cookie of an account that is logged in."""
    return {"sessionid": logged_in(user).cookies["sessionid"].value}


def session_of_member(tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> dict[str, str]:
    """Return the cookie of a new account with a role."""
    return session_of(make_member(tournament, role))


# --- The clients in the hall --------------------------------------------------------------------


class Device:
    """The device that keeps the list of a table."""

    def __init__(self, client: Client, path: str) -> None:
        self.client, self.path = client, path
        self.state: Mapping[str, Any] = {}
        self.milliseconds: dict[str, list[float]] = defaultdict(list)  # by kind of act
        self.confirmed: dict[int, float] = {}  # when, by number of the game
        self.lost: list[float] = []  # when they were confirmed, games that the program lost

    async def open(self) -> None:
        """Open the list, and take it over from any other device."""
        await self.client.send(self.path)
        await self.send("take_over", f"{time.monotonic()}")

    async def enter(self, lines: Sequence[Mapping[str, Any]], pause: float = 0) -> None:
        """Enter the games that the list lacks, each after about *pause* seconds."""
        while (number := len(self.state["games"]) + 1) <= len(lines):
            await asyncio.sleep(random.uniform(0.5, 1.5) * pause)
            line = dict(lines[number - 1])
            await self.send("game", f"{number}", number=number, line=line, confirmed=True)

    async def sign(self) -> None:
        """Let everybody at the table sign."""
        while (seat := len(self.state["signatures"]) + 1) <= len(self.state["players"]):
            await self.send("sign", f"{seat}", seat=seat, drawing=SIGNATURE)

    async def send(self, kind: str, name: str, **act: object) -> None:
        """Send an act with its idempotency key, and take over the state that is answered."""
        content = {"key": f"{kind}-{name}-{self.path[-20:]}", "kind": kind, **act}
        content["version"] = self.state.get("version", 0)
        answer = await self.client.send(f"{self.path}senden/", json.dumps(content), JSON)
        self.milliseconds[kind].append(answer.milliseconds)
        if answer.status == HTTPStatus.FORBIDDEN:  # the program lost that it took the list over
            await self.open()
            return
        received = json.loads(answer.body)
        if "state" not in received:
            raise RuntimeError(f"{content}: {answer.status}, {received}")
        self.state = received["state"]
        games = len(self.state["games"])
        now = time.monotonic()
        self.lost += [self.confirmed.pop(at) for at in list(self.confirmed) if at > games]
        self.confirmed |= {at: now for at in range(1, games + 1) if at not in self.confirmed}


class Office:
    """A client with an account, at a desk of a tournament."""

    def __init__(self, client: Client, tournament: Tournament) -> None:
        self.client, self.slug = client, tournament.slug

    def path(self, name: str, *args: object) -> str:
        """Return an address of the tournament."""
        return reverse(name, args=[self.slug, *args])

    async def press(self, name: str, *args: object, **fields: object) -> float:
        """Send a form that must be accepted, and return the milliseconds."""
        return (await self.client.submit(self.path(name, *args), **fields)).milliseconds


class Till(Office):
    """A client that books receipts of 2 €."""

    CENTS = 200

    def __init__(self, client: Client, tournament: Tournament, name: str) -> None:
        super().__init__(client, tournament)
        self.name = name
        self.milliseconds: list[float] = []
        self.confirmed: dict[str, float] = {}  # when, by text

    async def book(self, text: str) -> None:
        """Book a receipt."""
        fields = {"kind": "other", "amount_cents": "2", "text": text, "method_": "cash"}
        self.milliseconds.append(await self.press("cash:book_free", **fields))
        self.confirmed[text] = time.monotonic()

    async def book_until(self, is_over: asyncio.Event, pause: float) -> None:
        """Book receipts, about one in *pause* seconds."""
        while not is_over.is_set():
            await self.book(f"Kaffee {self.name}-{len(self.confirmed) + 1};")
            await asyncio.sleep(random.uniform(0.5, 1.5) * pause)

    async def book_lost(self) -> list[float]:
        """Book again what the book lacks; return when these receipts were confirmed."""
        book = (await self.client.get(self.path("cash:csv"))).text
        lost = [text for text in self.confirmed if text not in book]
        moments = [self.confirmed[text] for text in lost]
        for text in lost:
            await self.book(text)
        return moments


async def open_devices(server: HasPort, paths: Iterable[str]) -> list[Device]:
    """Return devices that keep the lists of tables."""
    devices = [Device(Client(server), path) for path in paths]
    for device in devices:
        await device.open()
    return devices
