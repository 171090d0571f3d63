"""Requests to the control room as an account with a role."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_member
from tests.tournaments.hall.helpers import running
from tournaments.models import Role, Serie, Tournament


def log_in(client: Client, tournament: Tournament, role: Role = Role.SPIELLEITUNG) -> Any:
    user = make_member(tournament, role)
    client.force_login(user)
    return user


def url(serie: Serie, name: str, **kwargs: Any) -> str:
    return reverse(
        f"hall:{name}", kwargs={"slug": serie.tournament.slug, "number": serie.number, **kwargs}
    )


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def limited(**kwargs: Any) -> Serie:
    serie = running(**kwargs)
    serie.started_at, serie.time_limit_minutes = timezone.now(), 90
    serie.save()
    return serie
