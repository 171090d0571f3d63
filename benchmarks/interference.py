"""How long a page takes while others do their worst.

    make bench ONLY=interference

The program is started as ``make run`` starts it, with an empty SQLite database in a folder of
its own, for this machine only. Measured is the median of the start page, in milliseconds, and
its ratio to the same page in turns with it, while nobody else is there: with 2, 50 and 500
requests that stop in the middle, with as many heads that stop, with devices that read
nothing, and with four clients that try passwords, under ever new names, from one address
and from ever new ones (which needs Linux, where 127.x.y.z is this machine). The same of what a
table sends, while seven devices without an account send files of 80 MB.
"""

from __future__ import annotations

import http.client
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from itertools import count
from statistics import median
from typing import Any

from benchmarks.results import Place, Row

HOST = "127.0.0.1"
TOKEN = "t" * 32
HALF_A_FORM = (
    f"POST /konto/anmelden/ HTTP/1.1\r\nHost: {HOST}\r\nCookie: csrftoken={TOKEN}\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\n"
) + "x" * 22
HALF_A_HEAD = "GET / HTTP/1.1\r\nHost: 127"
NEVER_READ = f"GET /static/django_htmx/htmx-2.js HTTP/1.1\r\nHost: {HOST}\r\n\r\n"
LARGE = 80 * 2**20
MOST_OF_IT = 2**29 // 7  # bytes of each file, 512 MB in all
A_FILE = (
    f"POST /archiv-einlesen/ HTTP/1.1\r\nHost: {HOST}\r\n"
    f"Content-Type: application/octet-stream\r\nContent-Length: {LARGE}\r\n\r\n"
).encode()
CLIENTS = 4
LONGEST_WAIT = 60
TURNS = 6
PATIENCE = 60  # nobody is let go while it is measured


def page(port: int) -> float:
    """Return the milliseconds that the start page takes, on a connection of its own."""
    return asked(port, 200, "GET", "/")


def entry(port: int) -> float:
    """Return the milliseconds that what a table sends takes; no table has the code."""
    headers = {"Content-Type": "application/json"}
    return asked(port, 404, "POST", "/tisch/k7x/senden/", json.dumps(["x" * 2000]), headers)


def asked(port: int, expected: int, *request: Any) -> float:
    """Return the milliseconds until a request is answered with the *expected* status."""
    line = http.client.HTTPConnection(HOST, port, timeout=LONGEST_WAIT)
    begun = time.perf_counter()
    line.request(*request)
    answer = line.getresponse()
    answer.read()
    line.close()
    if answer.status != expected:
        raise RuntimeError(f"{request[1]} was answered with {answer.status}")
    return 1000 * (time.perf_counter() - begun)


@contextmanager
def sent(port: int, what: str, times: int) -> Iterator[None]:
    """Keep connections open on which something was sent."""
    with ExitStack() as stack:
        for _time in range(times):
            line = stack.enter_context(socket.create_connection((HOST, port)))
            line.sendall(what.encode())
        yield


@contextmanager
def filled(port: int) -> Iterator[None]:
    """Have seven devices send most of a large file, and then nothing."""
    most = A_FILE + bytes(MOST_OF_IT)

    def send(line: socket.socket) -> None:
        with suppress(OSError):  # the program need not take it
            line.sendall(most)

    with ExitStack() as stack:
        lines = [socket.create_connection((HOST, port)) for _device in range(7)]
        clients = [
            threading.Thread(target=send, args=[stack.enter_context(line)]) for line in lines
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        yield


@contextmanager
def tried(port: int, address: Callable[[], str]) -> Iterator[None]:
    """Have clients try passwords, each as quickly as it is answered."""
    over, names = threading.Event(), count()

    def try_on() -> None:
        while not over.is_set():
            line = http.client.HTTPConnection(
                HOST, port, timeout=LONGEST_WAIT, source_address=(address(), 0)
            )
            headers = {
                "Cookie": f"csrftoken={TOKEN}",
                "X-CSRFToken": TOKEN,
                "Content-Type": "application/x-www-form-urlencoded",
            }
            form = f"username=name-{next(names)}&password=falsch"
            line.request("POST", "/konto/anmelden/", form, headers)
            line.getresponse().read()
            line.close()

    clients = [threading.Thread(target=try_on) for _client in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        yield
    finally:
        over.set()
        for client in clients:
            client.join()


def any_address() -> str:
    """Return one of sixteen million addresses of this machine."""
    return ".".join(["127", *(str(random.randint(1, 254)) for _part in range(3))])


def measure(port: int, times: int) -> Iterator[Row]:
    """Give a row for each kind of harm."""
    harms: list[tuple[str, Callable[[], AbstractContextManager[None]]]] = [
        *((f"{n} half-sent forms", partial(sent, port, HALF_A_FORM, n)) for n in (2, 50, 500)),
        ("300 half-sent heads", partial(sent, port, HALF_A_HEAD, 300)),
        ("100 devices that read nothing", partial(sent, port, NEVER_READ, 100)),
        ("passwords, one address", partial(tried, port, lambda: HOST)),
        ("passwords, new addresses", partial(tried, port, any_address)),
    ]
    for _first in range(5):
        page(port)
        entry(port)
    for name, harm in harms:
        yield compared(
            f"start page beside {name}", "the same page", partial(page, port), harm, times
        )
    yield compared(
        "what a table sends beside seven files of 80 MB",
        "the same",
        partial(entry, port),
        partial(filled, port),
        times,
    )


def compared(
    name: str,
    same: str,
    ask: Callable[[], float],
    harm: Callable[[], AbstractContextManager[None]],
    times: int,
) -> Row:
    """Return the row of what *ask* takes beside some *harm*, in turns with it alone."""
    without, beside = list[float](), list[float]()
    for _turn in range(TURNS):
        ask()
        without += [ask() for _time in range(times)]
        with harm():
            ask()
            beside += [ask() for _time in range(times)]
    alone, then = median(without), median(beside)
    return Row(name=name, value=then, unit="ms", ratio=then / alone, beside=f"{same} alone")


def rows(place: Place) -> Iterator[Row]:
    """Start the program, patient with everybody, and do harm."""
    place.set_up()
    from tests.server import Server  # noqa: PLC0415 - reads the settings

    with Server(place.folder, database=place.database_url, PATIENCE=str(PATIENCE)) as server:
        yield from measure(server.port, 3 if place.is_quick else 20)
