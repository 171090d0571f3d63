"""Setup of tests for the pages of checking."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.test import Client
from django.urls import reverse

from tests.factories import make_member, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tournaments.models import Penalty, Role, Spielliste, Tournament

Status = Spielliste.Status


def played(status: str = Status.HANDED_IN, *, tables: int = 1, **fields) -> Tournament:
    tournament = make_tournament(**fields)
    serie = make_seated_serie(tournament, tables=tables)
    for table in range(1, tables + 1):
        write_games(list_of(serie, table), status=status)
    return tournament


def the_list(tournament: Tournament, table: int = 1) -> Spielliste:
    return list_of(tournament.serien.get(number=1), table)


def url(tournament: Tournament, name: str, *args: int, query: str = "") -> str:
    return reverse(f"checking:{name}", args=[tournament.slug, *(args or (1, 1))]) + query


def log_in(client: Client, tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> None:
    client.force_login(make_member(tournament, role))


def proposed_penalty(tournament: Tournament) -> Penalty:
    spielliste = the_list(tournament)
    return Penalty.objects.create(
        spielliste=spielliste,
        registration=spielliste.table.seats.get(number=2).registration,
        points=100,
        reason="verdeckt gezählt",
    )


def look_and_store(client: Client, at: str, typed: Mapping[str, object], **more: bool) -> Any:
    """Submit a form, then submit it again after its effects were shown."""
    looked = client.post(at, typed).content.decode()
    return client.post(at, {**typed, "shown": shown_in(looked)}, **more)


def shown_in(page: str) -> str:
    match = re.search(r'name="shown" value="(\w+)"', page)
    assert match, "no effects are shown"
    return match[1]
