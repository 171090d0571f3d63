"""The server is killed while fifty tables send: each game answered as stored is stored once."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Lock

import pytest

from tests.factories import make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie
from tests.first_start import make_ready
from tests.server import Client, Server, database_url
from tests.tournaments.lists.helpers import keeper_of
from tournaments.journal import proof
from tournaments.models import Game, JournalEntry, Spielliste, Submission, Tournament
from tournaments.table.views.table_access import COOKIE

pytestmark = pytest.mark.django_db(transaction=True)

TABLES = 50
GAMES = 4  # that each table sends, one after the other
KILLED_AFTER = 60  # answers, of 200
LONGEST_WAIT = 240


@dataclass
class Sender:
    """The outbox of one table's device: sends in order, keeps unanswered games."""

    spielliste_id: int
    path: str
    secret: str
    answered: list[str] = field(default_factory=list)  # keys

    def send_all(self, port: int, answered: Counter) -> bool:
        """Send the remaining games; return whether all were answered."""
        client = Client(port, {COOKIE: self.secret})
        while len(self.answered) < GAMES:
            number = len(self.answered) + 1
            key = f"tisch-{self.spielliste_id}-spiel-{number}"
            body = {"key": key, "kind": "game", "version": number - 1, "number": number}
            try:
                status, said = client.post(
                    f"{self.path}senden/", json.dumps({**body, "line": FOUR[number - 1]})
                )
            except (OSError, http.client.HTTPException):
                return False
            assert status == 200, said.decode()
            self.answered.append(key)
            answered.add()
        return True


class Counter:
    """Counts answers of all threads, and says when there are enough."""

    def __init__(self, enough: int) -> None:
        self.number, self.enough = 0, enough
        self.lock, self.reached = Lock(), Event()

    def add(self) -> None:
        with self.lock:
            self.number += 1
            if self.number >= self.enough:
                self.reached.set()


def make_senders() -> list[Sender]:
    tournament = make_tournament()
    serie = make_seated_serie(tournament, tables=TABLES)
    senders = []
    for table in range(1, TABLES + 1):
        spielliste = list_of(serie, table)
        keeper = keeper_of(spielliste)
        secret = keeper.client.cookies[COOKIE].value
        senders.append(Sender(spielliste.pk, keeper.path, secret))
    proof.baseline_proof(tournament)
    return senders


def keys_stored(senders: Iterable[Sender]) -> list[str]:
    lists = [sender.spielliste_id for sender in senders]
    submission = Submission.objects.filter(spielliste__in=lists, kind="game")
    return list(submission.values_list("key", flat=True))


def test_answered_requests_survive_a_power_failure_once(tmp_path):
    senders = make_senders()
    answered = Counter(KILLED_AFTER)
    server = Server(make_ready(tmp_path), database=database_url())

    with server, ThreadPoolExecutor(TABLES) as pool:
        burst = [pool.submit(sender.send_all, server.port, answered) for sender in senders]
        assert answered.reached.wait(LONGEST_WAIT)
        server.kill()
        unfinished = [sending.result() for sending in burst].count(False)

    assert unfinished > 0
    stored = keys_stored(senders)
    assert len(stored) == len(set(stored)) < TABLES * GAMES
    assert {key for sender in senders for key in sender.answered} <= set(stored)
    assert Game.objects.count() == len(stored)
    check_numbers()

    with server, ThreadPoolExecutor(TABLES) as pool:
        again = [pool.submit(sender.send_all, server.port, answered) for sender in senders]
        assert all(sending.result() for sending in again)

    assert len(keys_stored(senders)) == TABLES * GAMES
    assert Game.objects.count() == TABLES * GAMES
    for spielliste in Spielliste.objects.prefetch_related("games"):
        assert spielliste.version == GAMES
        assert [game.line for game in spielliste.games.all()] == [dict(FOUR[n]) for n in range(4)]
    check_numbers()


def check_numbers() -> None:
    """See that no number is missing or double: of versions, of the journal, of the revision."""
    for spielliste in Spielliste.objects.prefetch_related("games"):
        numbers = [game.number for game in spielliste.games.all()]
        assert numbers == list(range(1, spielliste.version + 1))
    entries = JournalEntry.objects.filter(chain__tournament__isnull=False)
    assert entries.filter(action="game_entered").count() == Game.objects.count()
    assert Tournament.objects.get().revision == entries.count()
    assert list(proof.of_installation()) == []
