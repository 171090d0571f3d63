"""How long requests take while other devices overload the server.

Compared with the same requests alone, in turns: the start page beside requests that stop in the
middle, devices that read nothing, and clients that guess passwords; the requests of a table beside
seven devices without an account that send files of 80 MB; and a right password beside guesses.
Guesses come from one address or from ever new ones, for which Linux has 127.x.y.z.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, suppress
from functools import partial
from itertools import count
from statistics import median
from urllib.parse import urlencode

from benchmarks.client import FORM_TOKEN, JSON, Client, HasPort, demand_status
from benchmarks.results import Row
from benchmarks.servers import Place
from tests.factories import make_user
from tests.server import FORM, HOST

LOG_IN = "/konto/anmelden/"
PASSWORD = "ein langes Kennwort"  # noqa: S105 - of an account that is gone afterwards
HALF_A_FORM = (
    f"POST {LOG_IN} HTTP/1.1\r\nHost: {HOST}\r\nCookie: csrftoken={FORM_TOKEN}\r\n"
    f"Content-Type: {FORM}\r\nContent-Length: 5000\r\n\r\nusername=x"
).encode()
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: 127"
NEVER_READ = f"GET /static/django_htmx/htmx-2.js HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
FILES = 7
MOST_OF_A_FILE = (
    f"POST /archiv-einlesen/ HTTP/1.1\r\nHost: {HOST}\r\n"
    f"Content-Type: application/octet-stream\r\nContent-Length: {80 * 2**20}\r\n\r\n"
).encode() + bytes(2**29 // FILES)  # 512 MB of all
GUESSING_CLIENTS = 4
TURNS = 6
PATIENCE = 60  # seconds; no client is disconnected during a measurement

Request = Callable[[], Awaitable[float]]
Harm = Callable[[], AbstractAsyncContextManager[None]]


async def requested(
    server: HasPort, path: str, expected: int, *content: str, address: str = HOST
) -> float:
    """Return the milliseconds of a request on a connection of its own; a POST has *content*."""
    client = Client(server, address=address)
    answer = await client.send(path, *content)
    client.close()
    demand_status(answer, path, expected)
    return answer.milliseconds


def log_in(
    server: HasPort, name: str, password: str, expected: int, address: str = HOST
) -> Awaitable[float]:
    """Log in, and return the milliseconds."""
    form = urlencode({"username": name, "password": password})
    return requested(server, LOG_IN, expected, form, FORM, address=address)


@asynccontextmanager
async def stalled_connections(server: HasPort, content: bytes, times: int) -> AsyncIterator[None]:
    """Keep connections open on which *content* was sent."""

    def send(connection: socket.socket) -> None:
        with suppress(OSError):  # the program need not take it
            connection.sendall(content)

    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection((HOST, server.port)))
            for _time in range(times)
        ]
        await asyncio.gather(*(asyncio.to_thread(send, each) for each in connections))
        yield


@asynccontextmanager
async def password_guesses(server: HasPort, address: Callable[[], str]) -> AsyncIterator[None]:
    """Have clients guess passwords under new names, each as fast as it is answered."""
    names = count()

    async def guess() -> None:
        while True:
            with suppress(Exception):
                await log_in(server, f"name-{next(names)}", "falsch", 200, address())

    tasks = [asyncio.create_task(guess()) for _client in range(GUESSING_CLIENTS)]
    yield
    for task in tasks:
        task.cancel()


def any_address() -> str:
    """Return one of sixteen million addresses of this machine."""
    return ".".join(["127", *(str(random.randint(1, 254)) for _part in range(3))])


async def compared(name: str, beside: str, request: Request, harm: Harm, times: int) -> Row:
    """Return the row of a request beside some harm, in turns with it alone."""
    alone, then = list[float](), list[float]()
    for _turn in range(TURNS):
        await request()
        alone += [await request() for _time in range(times)]
        async with harm():
            await request()
            then += [await request() for _time in range(times)]
    return Row(name, median(then), "ms", median(then) / median(alone), beside)


async def measure(server: HasPort, username: str, times: int) -> list[Row]:
    """Return a row for each request and harm."""
    page = partial(requested, server, "/", 200)
    entry = partial(requested, server, "/tisch/k7x/senden/", 404, json.dumps(["x" * 2000]), JSON)
    password = partial(log_in, server, username, PASSWORD, 302)
    guesses = partial(password_guesses, server, any_address)
    harms: dict[str, Harm] = {
        **{
            f"{n} half-sent forms": partial(stalled_connections, server, HALF_A_FORM, n)
            for n in (2, 50, 500)
        },
        "300 half-sent heads": partial(stalled_connections, server, HALF_A_HEAD, 300),
        "100 devices that read nothing": partial(stalled_connections, server, NEVER_READ, 100),
        "passwords, one address": partial(password_guesses, server, lambda: HOST),
        "passwords, new addresses": guesses,
    }
    for _first in range(5):
        await page()
        await entry()
    rows = [
        await compared(f"start page beside {name}", "the same page alone", page, harm, times)
        for name, harm in harms.items()
    ]
    name = "what a table sends beside seven files of 80 MB"
    files = partial(stalled_connections, server, MOST_OF_A_FILE, FILES)
    rows.append(await compared(name, "the same alone", entry, files, times))
    name = "a right password beside guesses"
    rows.append(await compared(name, "the same alone", password, guesses, max(1, times // 5)))
    return rows


def rows(place: Place) -> Iterator[Row]:
    """Start the program, patient with everybody, and do harm."""
    username = make_user(password=PASSWORD).username
    with place.server(PATIENCE=f"{PATIENCE}") as server:
        yield from asyncio.run(measure(server, username, 3 if place.is_quick else 20))
