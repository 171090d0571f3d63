"""What is answered, as ``openapi.py`` says it; nothing that a public page does not show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone

from tournaments.announcement.queries import ausschreibung_text
from tournaments.announcement.queries.tournaments import register_url
from tournaments.common.rules import rule_set_of
from tournaments.models import Tournament

Link = Callable[[str], str]  # makes a path of this site a whole address


def short(tournament: Tournament, link: Link, now: datetime) -> dict[str, Any]:
    """Return what a list of tournaments says of one."""
    to_register = register_url(tournament, now)
    slug = tournament.slug
    return {
        "slug": slug,
        "name": tournament.name,
        "status": tournament.status,
        "starts_at": _moment(tournament.starts_at),
        "venue": tournament.venue,
        "venue_address": tournament.venue_address,
        "registration_until": _moment(tournament.registration_deadline),
        "registration_url": link(to_register) if to_register else None,
        "url": link(reverse("public:tournament", args=[slug])),
        "calendar_url": link(reverse("public:calendar", args=[slug])),
        "ranking_url": link(reverse("results_public:overall", args=[slug])),
        "api_url": link(reverse("feed:tournament", args=[slug])),
    }


def whole(tournament: Tournament, link: Link, now: datetime) -> dict[str, Any]:
    """Return what the page of a tournament says, in numbers where it has them."""
    return short(tournament, link, now) | {
        "organiser": tournament.organiser,
        "text": tournament.text,
        "open_to": ausschreibung_text.circle(tournament),
        "places": tournament.places,
        "serien": tournament.serien.count(),
        "rule_set": rule_set_of(tournament).name,
        "startgeld": [
            {"name": one.name, "cents": one.startgeld_cents} for one in tournament.categories.all()
        ],
        "kartengeld_cents": tournament.kartengeld_cents,
        "rankings": [
            {"kind": one.kind, "name": str(one), "stake_cents": one.stake_cents}
            for one in tournament.rankings.all()
        ],
    }


def ranking(shown: dict[str, Any]) -> dict[str, Any]:
    """Return the ranking that ``results.views.public.public_ranking`` would show."""
    table = shown["table"]
    return {
        "tournament": shown["tournament"].slug,
        "revision": shown["revision"],
        "ranking": shown["which"],
        "label": str(shown["ranking_label"]),
        "stand": str(table.title),
        "is_final": table.is_final,
        "lines": [
            {
                "rank": row.line.standing.rank,
                "name": row.name,
                "beside": row.beside,
                "points": row.line.standing.total,
                "games_finished": row.line.standing.games_won,
                "handromme": row.line.standing.handromme,
            }
            for row in shown["rows"]
            if row.line.has_result
        ],
    }


def _moment(at: datetime) -> str:
    return timezone.localtime(at).isoformat(timespec="seconds")
