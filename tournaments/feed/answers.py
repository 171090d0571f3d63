"""The answers of the API as in ``openapi.py``, with data of public pages only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from django.http import JsonResponse
from django.urls import reverse
from django.utils import timezone

from tournaments.announcement.queries import ausschreibung_text
from tournaments.announcement.queries.tournaments import register_url
from tournaments.common.rules import rule_set_of
from tournaments.draw.queries.seating import seated_tables
from tournaments.models import Serie, Tournament
from tournaments.people.queries.naming import INTERNET
from tournaments.results.queries.ranking_json import scaled_json, struck_json
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.tables import RankedLine

Link = Callable[[str], str]  # returns the absolute URL of a path


def refusal(detail: str, status: int) -> JsonResponse:
    """Return an error that scripts of any website may read."""
    return JsonResponse(
        {"detail": detail},
        status=status,
        json_dumps_params={"ensure_ascii": False},
        headers={"Access-Control-Allow-Origin": "*"},
    )


def tournament_summary(tournament: Tournament, link: Link, now: datetime) -> dict[str, Any]:
    """Return a tournament as an entry of the list of tournaments."""
    to_register = register_url(tournament, now)
    slug = tournament.slug
    return {
        "slug": slug,
        "name": tournament.name,
        "status": tournament.status,
        "called_off_reason": tournament.called_off_reason,
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


def tournament_details(tournament: Tournament, link: Link, now: datetime) -> dict[str, Any]:
    """Return the details of a tournament as on its public page."""
    return tournament_summary(tournament, link, now) | {
        "organiser": tournament.organiser,
        "text": tournament.text,
        "open_to": ausschreibung_text.circle(tournament),
        "places": tournament.places,
        "serien": tournament.serien.count(),
        "rule_set": rule_set_of(tournament).name,
        "startgeld": [
            {"name": category.name, "cents": category.startgeld_cents}
            for category in tournament.categories.all()
        ],
        "kartengeld_cents": tournament.kartengeld_cents,
        "rankings": [
            {"kind": ranking.kind, "name": str(ranking), "stake_cents": ranking.stake_cents}
            for ranking in tournament.rankings.all()
        ],
    }


def ranking(rankings: Rankings, shown: dict[str, Any], *, compares: bool) -> dict[str, Any]:
    """Return the ranking in the context of ``results.views.public.public_ranking``.

    With *compares* each line has the comparison value that orders a running Serie.
    """
    table, games = shown["table"], rankings.own_games
    carries = any(line.standing.carried is not None for line in table.lines)
    return {
        "tournament": rankings.tournament.slug,
        "revision": shown["revision"],
        "ranking": shown["which"],
        "label": str(shown["ranking_label"]),
        "stand": str(table.title),
        "is_final": table.is_final,
        "is_checked": table.is_final,
        "is_closed": rankings.tournament.is_closed,
        "lines": [
            {
                "rank": row.line.standing.rank if row.line.has_place else None,
                "number": row.line.standing.number if row.line.registration else None,
                "name": row.name,
                "club": row.club or None,
                "beside": row.beside,
                "points": row.line.standing.total,
                "games": sum(games[key] for key in _counted(row.line)),
                "games_finished": row.line.standing.games_won,
                "handromme": row.line.standing.handromme,
                "scaled": scaled_json(row.line),
            }
            | ({"augen": row.line.standing.augen} if table.order.most_first else {})
            | ({"carried": row.line.standing.carried} if carries else {})
            | ({"struck": struck_json(row.line)} if table.has_struck else {})
            | ({"comparison": str(row.line.standing.compared)} if compares else {})
            for row in shown["rows"]
            if row.line.has_result
        ],
    }


def _counted(line: RankedLine) -> Iterator[tuple[int, int]]:
    """Yield registration and Serie of each result that counts, for teams of all members."""
    owners = line.members if line.registration is None else (line.registration,)
    for cell in line.cells:
        if cell.points is not None and not cell.is_struck:
            yield from ((owner.pk, cell.serie) for owner in owners)


def seats(tournament: Tournament, serie: Serie) -> dict[str, Any]:
    """Return the public seats of a Serie; no tables before they are published."""
    tables = seated_tables(serie, INTERNET) if tournament.public_seating else []
    return {
        "tournament": tournament.slug,
        "revision": tournament.revision,
        "serie": serie.number,
        "tables": [
            {
                "table": table.number,
                "seats": [
                    {
                        "seat": place.number,
                        "number": place.registration.number,
                        "name": place.name,
                        "club": place.club or None,
                    }
                    for place in table.places
                    if place.registration is not None
                ],
            }
            for table in tables
        ],
    }


def _moment(at: datetime) -> str:
    return timezone.localtime(at).isoformat(timespec="seconds")
