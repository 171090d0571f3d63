"""A booking as the cash desk sends it."""

from __future__ import annotations

from django.urls import reverse

from tests.clients import Client
from tournaments.models import Tournament
from tournaments.web.idempotency import FIELD


def book(client: Client, tournament: Tournament, key: str, **fields: str):
    data = {"kind": "other", "amount_cents": "5", "text": "Kaffee", "method_": "cash"}
    url = reverse("cash:book_free", args=[tournament.slug])
    return client.post(url, {**data, **fields, FIELD: key}, follow=True)
